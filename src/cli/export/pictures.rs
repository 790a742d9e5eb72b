//! `smirk export pictures`: writes what plays as numbered pictures.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::drawn::renderer_of;
use super::span::SpanArgs;
use super::view::{ViewArgs, bytes_words, span_words};
use crate::cli::input::{Opened, open_session};
use crate::cli::motion::MotionArgs;
use crate::cli::progress_line::ProgressLine;
use crate::cli::text;
use crate::export::{OutputPath, SequenceError, SequencePlan, SequenceSettings, SequenceWork};
use crate::file_kind::Content;
use crate::import;

/// Arguments of `smirk export pictures`.
#[derive(Debug, Args)]
pub struct PicturesArgs {
    /// Head or project that plays; without it, the bundled head
    file: Option<PathBuf>,
    /// Files to write: NAME.####.png or NAME.####.exr, where # stands for a digit of the frame's number
    #[arg(short, long, value_name = "FILES")]
    output: PathBuf,
    /// What plays.
    #[command(flatten)]
    motion: MotionArgs,
    /// Which frames are written.
    #[command(flatten)]
    span: SpanArgs,
    /// What the pictures show.
    #[command(flatten)]
    view: ViewArgs,
    /// Draw only the frames whose files are not there, whole and of the same size
    #[arg(long)]
    missing: bool,
    /// Write nothing, and say what would be written
    #[arg(long)]
    dry_run: bool,
}

/// Writes the pictures.
pub(super) fn run(args: &PicturesArgs) -> anyhow::Result<()> {
    let Opened { mut session, files } = open_session(args.file.as_ref())?;
    let output = OutputPath::new(&args.output).protecting(files.into_iter().chain(args.motion.file().cloned()));
    args.motion.apply(&mut session)?;
    args.view.check_motion(&session, args.span.names_frames())?;
    let is_project = args.file.as_ref().is_some_and(|file| import::content_of(file) == Content::Project);
    let settings = SequenceSettings {
        pictures: args.view.settings(&mut session, is_project)?,
        span: args.span.of(&session)?,
        is_missing_only: args.missing,
    };
    let (span, [width, height]) = (settings.span, settings.pictures.size);
    let plan = SequencePlan::new(&session, &output, &settings)?;
    if args.dry_run {
        let size = bytes_words(plan.estimated_bytes);
        let there = if plan.skipped > 0 { format!(", {} are there", plan.skipped) } else { String::new() };
        text::print(&format!(
            "{}: {}, {width}×{height} pixels, about {size}{there}",
            args.output.display(),
            span_words(span)
        ))?;
        return plan.files.iter().try_for_each(|(_, path)| text::print(&path.display().to_string()));
    }
    let progress = ProgressLine::new();
    if plan.files.is_empty() {
        progress.end(&format!("{}: all {} pictures are there", args.output.display(), plan.skipped));
        return Ok(());
    }
    let began = Instant::now();
    let (gpu, mut renderer) = renderer_of(&session.head)?;
    let mut work = SequenceWork::start(&session, &output, settings)?;
    gpu.attempt(|| {
        while work.step(&mut renderer)? {
            progress.show(&format!("picture {} of {}", work.done(), work.total()));
        }
        Ok::<_, SequenceError>(())
    })??;
    let (secs, size) = (began.elapsed().as_secs_f32(), bytes_words(work.bytes()));
    progress.end(&format!("{}: {} pictures, {size}, in {secs:.1} s", args.output.display(), work.done()));
    Ok(())
}
