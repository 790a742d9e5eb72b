//! `smirk export film`: writes what plays as a film.

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
use crate::export::{Dither, Ffmpeg, FilmError, FilmFormat, FilmPlan, FilmSettings, FilmWork, OutputPath};
use crate::file_kind::Content;
use crate::import;

/// Arguments of `smirk export film`.
#[derive(Debug, Args)]
pub struct FilmArgs {
    /// Head or project that plays; without it, the bundled head
    file: Option<PathBuf>,
    /// File to write: .apng, .gif or .webp; with ffmpeg also .mp4 (H.264), .mov (ProRes) or .webm (VP9)
    #[arg(short, long, value_name = "FILM")]
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
    /// How a GIF shows colours between its 256: by a pattern that stands still, by passing errors on, or not
    #[arg(long, value_name = "pattern|diffusion|none", default_value = "pattern", value_parser = dither)]
    dither: Dither,
    /// Write nothing, and say what would be written, and with which command of ffmpeg
    #[arg(long)]
    dry_run: bool,
}

/// Writes the film.
pub(super) fn run(args: &FilmArgs) -> anyhow::Result<()> {
    let format = FilmFormat::of(&args.output).ok_or_else(|| FilmError::Extension { path: args.output.clone() })?;
    let output = OutputPath::new(&args.output).protecting(args.file.iter().chain(args.motion.file()).cloned());
    output.check()?;
    let Opened { mut session, files } = open_session(args.file.as_ref())?;
    let output = output.protecting(files);
    args.motion.apply(&mut session)?;
    args.view.check_motion(&session, args.span.names_frames())?;
    let is_project = args.file.as_ref().is_some_and(|file| import::content_of(file) == Content::Project);
    let settings = FilmSettings {
        pictures: args.view.settings(&mut session, is_project)?,
        span: args.span.of(&session)?,
        format,
        dither: args.dither,
    };
    let (span, [width, height]) = (settings.span, settings.pictures.size);
    let plan = FilmPlan::new(&session, &output, &settings)?;
    if args.dry_run {
        let (size, secs, words) = (bytes_words(plan.estimated_bytes), plan.duration_secs, span_words(span));
        let name = args.output.display();
        text::print(&format!("{name}: {words}, {secs:.2} s, {width}×{height} pixels, about {size}"))?;
        if let Some((ffmpeg, command)) = &plan.ffmpeg {
            text::print(&format!("ffmpeg {}: {command}", ffmpeg.version))?;
        }
        return Ok(());
    }
    let frames = plan.frames;
    let found = move |format| plan.ffmpeg.map_or_else(|| Ffmpeg::find(format), |(ffmpeg, _)| Ok(ffmpeg));
    let (progress, began) = (ProgressLine::new(), Instant::now());
    let (gpu, mut renderer) = renderer_of(&session.head)?;
    let mut work = FilmWork::start(&session, &output, settings, found)?;
    gpu.attempt(|| {
        while work.step(&mut renderer)? {
            progress.show(&format!("frame {} of {}", work.done(), work.total()));
        }
        Ok::<_, FilmError>(())
    })??;
    let size = std::fs::metadata(&args.output).map_or(0, |metadata| metadata.len());
    let (secs, size) = (began.elapsed().as_secs_f32(), bytes_words(size));
    progress.end(&format!("{}: {} frames, {size}, in {secs:.1} s", args.output.display(), frames));
    Ok(())
}

fn dither(text: &str) -> Result<Dither, String> {
    let named = Dither::ALL.into_iter().find(|dither| dither.keyword() == text);
    named.ok_or_else(|| format!("one of {}", Dither::ALL.map(Dither::keyword).join(", ")))
}
