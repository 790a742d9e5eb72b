//! `smirk diff`: what has changed between two versions of a head.

mod report;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::draw::renderer_of;
use super::input::open_head;
use super::text;
use super::text::ProgressLine;
use super::values::{one_of, optional_output};
use report::Report;
use smirk_base::{file_kind, logging};
use smirk_export::{OutputPath, SheetScale, version_sheet};
use smirk_face::head::{HeadChanges, Matching};
use smirk_files::import::match_heads;
use smirk_graphics::blend::Precision;

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The earlier version of the head
    old: PathBuf,
    /// The later one
    new: PathBuf,
    /// How the vertices of both are matched; auto: in order if the topology is the same, else by texture coordinates
    /// and position
    #[arg(long = "match", value_name = "auto|order|uv|position", default_value = "auto", value_parser = one_of(Matching::OF_VERTICES, Matching::keyword))]
    matching: Matching,
    /// Draw the ten expressions that changed most on this PNG or PDF: before, now, and the difference
    #[arg(short, long, value_name = "PNG|PDF")]
    output: Option<PathBuf>,
    /// Which difference is red in these pictures: the largest of all, of each row, or of all on a logarithmic scale
    #[arg(long, value_name = "all|row|log", default_value = "all", value_parser = one_of(SheetScale::ALL, SheetScale::keyword))]
    scale: SheetScale,
    /// Write JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Compares the heads and writes the differences to standard output.
pub(super) fn run(args: &DiffArgs) -> anyhow::Result<()> {
    let output = optional_output(args.output.as_ref(), &[&file_kind::PNG, &file_kind::PDF])?;
    let [old, new] = [open_head(Some(&args.old))?, open_head(Some(&args.new))?].map(Arc::new);
    output.iter().try_for_each(OutputPath::check)?;
    let meshes = match_heads(&old, &new, args.matching);
    let changes = HeadChanges::between_matched(&old, &new, &meshes);
    let report = Report::new([&args.old, &args.new], [&old, &new], &meshes, &changes);
    if args.json {
        text::print_json(&report)?
    } else {
        text::print(&report.table())?
    }
    if let Some(output) = output {
        let progress = ProgressLine::new();
        let sheet = version_sheet([&old, &new], &meshes, &changes, args.scale, |column, head, draw| {
            progress.show(&format!("pictures of head {} of 3", column + 1));
            let (gpu, mut renderer) = renderer_of(head, Precision::default())?;
            Ok::<_, anyhow::Error>(gpu.attempt(|| draw(&mut renderer))??)
        })?;
        progress.clear();
        match sheet {
            Some(sheet) => sheet.save(&output)?,
            None => logging::print("no expression has changed: there is nothing to draw"),
        }
    }
    Ok(())
}
