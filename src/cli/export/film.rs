//! `smirk export film`: writes what plays as a film.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::drawn::{Drawn, DrawnArgs, span_words};
use crate::cli::draw::Heads;
use crate::cli::text::{self, ProgressLine, counted};
use crate::cli::values::one_of;
use smirk_base::names::printable_path;
use smirk_base::progress::Progress;
use smirk_export::{
    Dither, ExportError, Ffmpeg, FilmFormat, FilmPlan, FilmQuality, FilmSettings, FilmSound, OutputPath, bytes_in_words,
};
use smirk_graphics::blend::Precision;
use smirk_session::{FileRef, Session};

/// The value of `--sound` for a film without one.
const NO_SOUND: &str = "none";

#[derive(Debug, Args)]
pub struct FilmArgs {
    #[command(flatten)]
    drawn: DrawnArgs,
    /// File to write: .apng, .gif or .webp; with ffmpeg also .mp4 (H.264), .mov (ProRes) or .webm (VP9)
    #[arg(short, long, value_name = "FILM")]
    output: PathBuf,
    /// How a GIF shows colours between its 256: by a pattern that stands still, by passing errors on, or not
    /// [default: pattern]
    #[arg(long, value_name = "pattern|diffusion|none", value_parser = one_of(Dither::ALL, Dither::keyword))]
    dither: Option<Dither>,
    /// How much an .mp4, a .mov or a .webm keeps of its pictures
    #[arg(long, value_name = "low|medium|high|highest", value_parser = one_of(FilmQuality::ALL, FilmQuality::keyword))]
    quality: Option<FilmQuality>,
    /// Sound of the film, for .mp4, .mov and .webm: a sound file, or a film with sound, that begins at time 0 of the
    /// timeline; or none. Without it, what a project plays keeps its sound
    #[arg(long, value_name = "FILE|none")]
    sound: Option<PathBuf>,
    /// Write nothing, and say what would be written, and with which command of ffmpeg
    #[arg(long)]
    dry_run: bool,
}

impl FilmArgs {
    /// The sound of the film, if its format can have one or a file is named.
    fn sound(&self, session: &Session, format: FilmFormat) -> Option<FilmSound> {
        match &self.sound {
            Some(path) if path == Path::new(NO_SOUND) => None,
            Some(path) => Some(FilmSound { file: FileRef::new(path), offset_secs: 0.0 }),
            None => session.sound().filter(|_| format.needs_ffmpeg()).map(FilmSound::from),
        }
    }
}

pub(super) fn run(args: &FilmArgs) -> anyhow::Result<()> {
    let format = FilmFormat::from_path(&args.output).ok_or_else(|| {
        ExportError::Usage(format!(
            "{}: the name must end in .apng, .gif or .webp, or, with ffmpeg, in .mp4, .mov or .webm",
            args.output.display()
        ))
    })?;
    if args.quality.is_some() && !format.has_quality() {
        let label = format.label();
        return Err(ExportError::Usage(format!("{label} has no --quality: choose .mp4, .mov or .webm")).into());
    }
    if args.dither.is_some() && format != FilmFormat::Gif {
        let label = format.label();
        return Err(ExportError::Usage(format!("{label} has no --dither: choose .gif")).into());
    }
    let output = OutputPath::new(&args.output);
    output.check()?;
    let Drawn { session, pictures, span } =
        args.drawn.open(args.sound.as_deref().filter(|path| *path != Path::new(NO_SOUND)))?;
    let ([width, height], compared) = (pictures.size, pictures.compared);
    let sound = args.sound(&session, format);
    let (quality, dither) = (args.quality.unwrap_or_default(), args.dither.unwrap_or_default());
    let settings = FilmSettings { pictures, span, format, quality, dither, sound };
    let plan = FilmPlan::new(&session, &output, settings)?;
    let ffmpeg = plan.ffmpeg()?;
    if args.dry_run {
        let (size, secs, words) = (bytes_in_words(plan.estimated_bytes), plan.duration_secs, span_words(span));
        let name = printable_path(&args.output);
        text::print(&format!("{name}: {words}, {secs:.2} s, {width}×{height} pixels, about {size}"))?;
        if let Some((ffmpeg, command)) = &ffmpeg {
            text::print(&format!("ffmpeg {}: {command}", ffmpeg.version))?;
        }
        return Ok(());
    }
    let frames = plan.frames;
    let (progress, began) = (ProgressLine::new(), Instant::now());
    let mut heads = Heads::new(&session, compared, Precision::default())?;
    let mut work = plan.start(&session, |format, progress: Progress<'_>| match ffmpeg {
        Some((ffmpeg, _)) => Ok(ffmpeg),
        None => Ffmpeg::find(format, progress),
    })?;
    heads.gpu.clone().attempt(|| {
        while work.step(heads.renderers())? {
            progress.show(&work.stage());
        }
        Ok::<_, ExportError>(())
    })??;
    let size = bytes_in_words(std::fs::metadata(&args.output).map_or(0, |metadata| metadata.len()));
    if let Some(unseen) = work.unseen() {
        log::warn!("{}: {unseen}", printable_path(&args.output));
    }
    let (frames, secs) = (counted(frames, "frame"), began.elapsed().as_secs_f32());
    progress.end(&format!("{}: {frames}, {size}, in {secs:.1} s", printable_path(&args.output)));
    Ok(())
}
