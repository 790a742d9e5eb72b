//! `smirk export pictures`: writes what plays as numbered pictures.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::drawn::{Drawn, DrawnArgs, span_words};
use crate::cli::draw::Heads;
use crate::cli::text::{self, ProgressLine, counted};
use smirk_base::names::printable_path;
use smirk_export::{ExportError, OutputPath, SequencePlan, SequenceSettings, bytes_in_words};
use smirk_graphics::blend::Precision;

#[derive(Debug, Args)]
pub struct PicturesArgs {
    #[command(flatten)]
    drawn: DrawnArgs,
    /// Files to write: NAME.####.png or NAME.####.exr, where # stands for a digit of the frame's number
    #[arg(short, long, value_name = "FILES")]
    output: PathBuf,
    /// Draw only the frames whose files are not there, whole and of the same size
    #[arg(long)]
    missing: bool,
    /// Write nothing, and say what would be written
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &PicturesArgs) -> anyhow::Result<()> {
    let Drawn { session, pictures, span } = args.drawn.open(None)?;
    let output = OutputPath::new(&args.output);
    let ([width, height], compared) = (pictures.size, pictures.compared);
    let settings = SequenceSettings { pictures, span: Some(span), is_missing_only: args.missing };
    let plan = SequencePlan::new(&session, &output, settings)?;
    let name = printable_path(&args.output);
    if args.dry_run {
        let size = bytes_in_words(plan.estimated_bytes);
        let there = if plan.skipped > 0 { format!(", {} there already", plan.skipped) } else { String::new() };
        text::print(&format!("{name}: {}, {width}×{height} pixels, about {size}{there}", span_words(span)))?;
        return plan.files.iter().try_for_each(|(_, path)| text::print(&printable_path(path)));
    }
    let progress = ProgressLine::new();
    if plan.files.is_empty() {
        progress.end(&format!("{name}: nothing is missing, {} there already", counted(plan.skipped, "picture")));
        return Ok(());
    }
    let began = Instant::now();
    let files: Vec<PathBuf> = plan.files.iter().map(|(_, path)| path.clone()).collect();
    let mut heads = Heads::new(&session, compared, Precision::default())?;
    let mut work = plan.start(&session);
    heads.gpu.clone().attempt(|| {
        while work.step(heads.renderers())? {
            progress.show(&work.stage());
        }
        Ok::<_, ExportError>(())
    })??;
    let bytes: u64 = files.iter().filter_map(|path| std::fs::metadata(path).ok()).map(|file| file.len()).sum();
    let (secs, size) = (began.elapsed().as_secs_f32(), bytes_in_words(bytes));
    if let Some(unseen) = work.unseen() {
        log::warn!("{name}: {unseen}");
    }
    progress.end(&format!("{name}: {}, {size}, in {secs:.1} s", counted(work.done(), "picture")));
    Ok(())
}
