//! `smirk export head`: saves a head as one .glb or .vrm.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use crate::cli::input::{AxesArgs, Opened, open_session};
use crate::cli::text::{self, ProgressLine};
use crate::cli::values::{ExpressionArgs, SizeArgs, head_output};
use smirk_analysis::mend::{Kind, MakeAvatar};
use smirk_base::file_kind;
use smirk_base::names::{printable, printable_path};
use smirk_base::progress::Progress;
use smirk_export::{HeadExport, bytes_in_words};
use smirk_session::Session;

#[derive(Debug, Args)]
pub struct HeadArgs {
    /// Head or project whose head is saved, with the shapes that were imported; without it, the bundled head
    file: Option<PathBuf>,
    /// GLB or VRM file to write
    #[arg(short, long, value_name = "GLB|VRM")]
    output: PathBuf,
    #[command(flatten)]
    axes: AxesArgs,
    #[command(flatten)]
    expressions: ExpressionArgs,
    #[command(flatten)]
    size: SizeArgs,
    /// Write the head upright, as it is shown and as in every .vrm, and not with the axes of its file
    #[arg(long)]
    as_shown: bool,
    /// What the avatar says of itself, which makes a head with the bones of a body one: its name
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    name: String,
    /// Author of the avatar; several times for several
    #[arg(long, value_name = "NAME")]
    author: Vec<String>,
    /// Address of the licence of the avatar
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    licence: String,
}

pub(super) fn run(args: &HeadArgs) -> anyhow::Result<()> {
    let output = head_output(&args.output)?;
    let Opened { mut session, .. } = open_session(args.file.as_ref())?;
    args.axes.apply(&mut session)?;
    make_avatar(args, &mut session)?;
    let is_upright = args.as_shown || file_kind::VRM.matches(&args.output);
    let session = if is_upright { session.written_upright() } else { session };
    output.check()?;
    let progress = ProgressLine::new();
    let export = args.size.apply(HeadExport::new(args.expressions.written(session.head.clone()), output));
    let written = export.run(Progress::new(&|stage, _| progress.show_stage(stage)))?;
    let file = format!("{}: {}", printable_path(&args.output), bytes_in_words(written.bytes));
    progress.end(&file);
    if !written.shapes.is_empty() && args.output.as_os_str() != "-" {
        text::print(&text::stored_shapes(&written.shapes).join("\n"))?;
    }
    export.left_out().iter().for_each(|left_out| log::warn!("{left_out}"));
    Ok(())
}

/// Has the avatar say what was asked for.
fn make_avatar(args: &HeadArgs, session: &mut Session) -> anyhow::Result<()> {
    let (name, licence_url) = (args.name.clone(), args.licence.clone());
    let facts = MakeAvatar { name, authors: args.author.clone(), licence_url };
    if facts == MakeAvatar::default() {
        return Ok(());
    }
    session.edits.mends.push(Kind::Avatar(facts).into());
    session.mend();
    let change = session.mend_changes().and_then(|changes| changes.last()?.as_ref());
    if let Some(refusal) = change.and_then(|change| change.refusals().next()) {
        bail!("{} cannot be a VRM avatar: {refusal}", printable(&session.head.name));
    }
    Ok(())
}
