//! `smirk export film`: writes what plays as a film.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::drawn::{Drawn, DrawnArgs, span_words};
use crate::cli::draw::{renderer_of, version_renderer};
use crate::cli::text::ProgressLine;
use crate::cli::text::{self, counted};
use crate::cli::values::one_of;
use smirk_base::names::printable_path;
use smirk_base::progress::Progress;
use smirk_export::{
    Dither, ExportError, Ffmpeg, FilmFormat, FilmPlan, FilmSettings, FilmSound, OutputPath, Renderers, bytes_in_words,
};
use smirk_graphics::blend::Precision;
use smirk_session::Session;

/// The value of `--sound` for a film without one.
const NO_SOUND: &str = "none";

/// Arguments of `smirk export film`.
#[derive(Debug, Args)]
pub struct FilmArgs {
    /// What plays, and what is drawn of it.
    #[command(flatten)]
    drawn: DrawnArgs,
    /// File to write: .apng, .gif or .webp; with ffmpeg also .mp4 (H.264), .mov (ProRes) or .webm (VP9)
    #[arg(short, long, value_name = "FILM")]
    output: PathBuf,
    /// How a GIF shows colours between its 256: by a pattern that stands still, by passing errors on, or not
    #[arg(long, value_name = "pattern|diffusion|none", default_value = "pattern", value_parser = dither)]
    dither: Dither,
    /// Sound of the film, for .mp4, .mov and .webm: a sound file, or a film with sound, that begins at time 0 of the timeline; or none.
    /// Without it, what a project plays keeps its sound
    #[arg(long, value_name = "FILE|none")]
    sound: Option<PathBuf>,
    /// Write nothing, and say what would be written, and with which command of ffmpeg
    #[arg(long)]
    dry_run: bool,
}

impl FilmArgs {
    /// The file that `--sound` names.
    fn other_sound(&self) -> Option<PathBuf> {
        self.sound.clone().filter(|path| *path != Path::new(NO_SOUND))
    }

    /// The sound of the film, if its format can have one or a file is named.
    fn sound(&self, session: &Session) -> Option<FilmSound> {
        let is_heard = FilmFormat::from_path(&self.output).is_some_and(FilmFormat::needs_ffmpeg);
        match self.sound {
            Some(_) => self.other_sound().map(|path| FilmSound { path, offset_secs: 0.0 }),
            None if is_heard => FilmSound::from_session(session),
            None => None,
        }
    }
}

/// Writes the film.
pub(super) fn run(args: &FilmArgs) -> anyhow::Result<()> {
    let format = FilmFormat::from_path(&args.output).ok_or_else(|| {
        ExportError::Usage(format!(
            "{}: the name must end in .apng, .gif or .webp, or, with ffmpeg, in .mp4, .mov or .webm",
            args.output.display()
        ))
    })?;
    let output = OutputPath::new(&args.output);
    output.check()?;
    let Drawn { session, pictures, span } = args.drawn.open()?;
    let ([width, height], compared) = (pictures.size, pictures.compared);
    let sound = args.sound(&session);
    let settings = FilmSettings { pictures, span, format, dither: args.dither, sound };
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
    let found = move |format, progress: Progress<'_>| match ffmpeg {
        Some((ffmpeg, _)) => Ok(ffmpeg),
        None => Ffmpeg::find(format, progress),
    };
    let (progress, began) = (ProgressLine::new(), Instant::now());
    let (gpu, mut renderer) = renderer_of(&session.head, Precision::default())?;
    let mut version = version_renderer(&gpu, &session, compared, Precision::default())?;
    let mut work = plan.start(&session, found)?;
    gpu.attempt(|| {
        while work.step(Renderers { head: &mut renderer, version: version.as_mut() })? {
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

fn dither(text: &str) -> Result<Dither, String> {
    one_of(Dither::ALL, Dither::keyword, text)
}
