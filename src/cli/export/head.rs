//! `smirk export head`: saves a head as one .glb.

use std::path::PathBuf;

use clap::Args;

use crate::cli::input::{AxesArgs, Opened, open_session};
use crate::cli::text::ProgressLine;
use crate::cli::values::glb_output;
use smirk_base::names::{printable, printable_path};
use smirk_base::progress::Progress;
use smirk_export::{HeadExport, bytes_in_words};

#[derive(Debug, Args)]
pub struct HeadArgs {
    /// Head or project whose head is saved, with the shapes that were imported; without it, the bundled head
    file: Option<PathBuf>,
    /// GLB file to write
    #[arg(short, long, value_name = "GLB")]
    output: PathBuf,
    #[command(flatten)]
    axes: AxesArgs,
    /// Write the head upright, as it is shown, and not with the axes of its file
    #[arg(long)]
    as_shown: bool,
}

pub(super) fn run(args: &HeadArgs) -> anyhow::Result<()> {
    let output = glb_output(&args.output)?;
    let Opened { mut session, .. } = open_session(args.file.as_ref())?;
    args.axes.apply(&mut session)?;
    let session = if args.as_shown { session.written_upright() } else { session };
    output.check()?;
    let progress = ProgressLine::new();
    let export = HeadExport::new(session.head.clone(), output);
    let bytes = export.run(Progress::new(&|stage, _| progress.show_stage(stage)))?;
    progress.end(&format!("{}: {}", printable_path(&args.output), bytes_in_words(bytes)));
    if let Some(flattened) = export.flattened() {
        log::warn!("{}", printable(&flattened.in_words()));
    }
    if let Some(left_out) = export.left_out_correctives() {
        log::warn!("{left_out}");
    }
    Ok(())
}
