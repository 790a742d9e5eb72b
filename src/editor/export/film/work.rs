//! A film that is drawn and written one frame at a time, for the window and the command line.

use std::time::{Duration, Instant};

use super::error::FilmError;
use super::ffmpeg::{Ffmpeg, FfmpegError};
use super::format::FilmFormat;
use super::settings::FilmSettings;
use super::sink::Sink;
use super::stage::Stage;
use crate::export::pictures::Pipeline;
use crate::export::{PictureDrawing, Renderers};
use crate::session::Session;
use smirk_base::atomic_file::OutputPath;
use smirk_base::progress::Progress;
use smirk_picture::render::Pixels;

/// What is going to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmPlan {
    /// The number of frames.
    pub frames: usize,
    /// How long the film is.
    pub duration_secs: f64,
    /// About how many bytes it takes.
    pub estimated_bytes: u64,
    /// The ffmpeg that makes it, and its command; none if it is made here.
    pub ffmpeg: Option<(Ffmpeg, String)>,
}

impl FilmPlan {
    /// The plan of a film, or why it cannot be made. Nothing is written.
    pub fn new(session: &Session, output: &OutputPath, settings: &FilmSettings) -> Result<Self, FilmError> {
        check(session, output, settings)?;
        let frames = settings.span.count();
        let ffmpeg = settings.format.needs_ffmpeg().then(|| Ffmpeg::find(settings.format)).transpose()?;
        let with_command = |ffmpeg: Ffmpeg| ffmpeg.command_line(settings, output.path()).map(|line| (ffmpeg, line));
        Ok(Self {
            frames,
            duration_secs: frames as f64 / settings.span.rate.frames_per_sec(),
            estimated_bytes: settings.estimated_bytes(),
            ffmpeg: ffmpeg.map(with_command).transpose()?,
        })
    }
}

fn check(session: &Session, output: &OutputPath, settings: &FilmSettings) -> Result<(), FilmError> {
    settings.check()?;
    settings.pictures.check(session)?;
    Ok(output.check()?)
}

/// A film that is being made. Dropped before it is complete, it leaves nothing behind.
pub struct FilmWork {
    stage: Stage,
    pipeline: Pipeline,
    /// The frames that have been drawn, and those in all. Some frames of a GIF are drawn twice, the first time for the palette.
    done: usize,
    total: usize,
    /// Those of them that are drawn for the palette.
    for_palette: usize,
}

impl FilmWork {
    /// So many frames, spread over the span, give a GIF its palette.
    const COUNTED: usize = 8;

    /// Begins a film. If ffmpeg makes it, `find` is called on another thread, so that no frame of a window waits for it; what it has
    /// to say is the error of a later step.
    pub fn start(
        session: &Session,
        output: &OutputPath,
        settings: FilmSettings,
        find: impl FnOnce(FilmFormat) -> Result<Ffmpeg, FfmpegError> + Send + 'static,
    ) -> Result<Self, FilmError> {
        check(session, output, &settings)?;
        let file = output.begin()?;
        let span = settings.span;
        let drawing = PictureDrawing::new(session, settings.pictures.clone(), Pixels::Screen)?;
        let mut counted: Vec<i64> = Vec::new();
        let stage = if settings.format.needs_ffmpeg() {
            Stage::starting(settings, file, find)
        } else if settings.format == FilmFormat::Gif {
            let last = Self::COUNTED.min(span.count()).max(2) as i64 - 1;
            counted = (0..=last).map(|index| span.first + (span.last - span.first) * index / last).collect();
            counted.dedup();
            Stage::counting(settings, file, counted.len())
        } else {
            Stage::drawing(&settings, Sink::begin(file, &settings, None)?)
        };
        let (for_palette, total) = (counted.len(), counted.len() + span.count());
        let pipeline = Pipeline::new(session.clone(), span, drawing, counted.into_iter().chain(span.frames()));
        Ok(Self { stage, pipeline, done: 0, total, for_palette })
    }

    /// What has been done, in words.
    pub fn stage(&self) -> String {
        match self.done.checked_sub(self.for_palette) {
            Some(done) => format!("frame {done} of {}", self.total - self.for_palette),
            None => format!("colours of picture {} of {}", self.done, self.for_palette),
        }
    }

    /// The number of frames that have been drawn, of [`Self::total`].
    pub fn done(&self) -> usize {
        self.done
    }

    /// The number of frames to draw: those of the film and, of a GIF, those that are drawn for its palette.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Draws the next frame. Returns whether there are more; after the last, the film is in its place.
    pub fn step<'a>(&mut self, renderers: impl Into<Renderers<'a>>) -> Result<bool, FilmError> {
        let is_more = self.step_for(&mut renderers.into(), Duration::MAX)?;
        if !is_more {
            self.finish(Progress::NONE)?;
        }
        Ok(is_more)
    }

    /// Draws for about so long, at least one piece of a frame, and waits for nothing else, unless the time is [`Duration::MAX`]: then it
    /// draws the next frame. Returns whether there are more frames; after the last, [`Self::finish`] is due.
    pub fn step_for(&mut self, renderers: &mut Renderers<'_>, most: Duration) -> Result<bool, FilmError> {
        let until = Instant::now().checked_add(most);
        let waits = until.is_none();
        loop {
            self.pipeline.draw(renderers, until)?;
            self.stage.go_on(waits)?;
            let next = if self.stage.is_full() { None } else { self.pipeline.take(waits) };
            let Some((frame, picture)) = next else { break };
            self.stage.add(frame, picture, self.pipeline.drawing());
            self.done += 1;
            if until.is_none_or(|until| Instant::now() >= until) {
                break;
            }
        }
        Ok(!self.pipeline.is_empty())
    }

    /// Waits until all frames are stored, and puts the film in its place. It may be called on any thread.
    pub fn finish(&mut self, progress: Progress<'_>) -> Result<(), FilmError> {
        std::mem::replace(&mut self.stage, Stage::Ended).finish(progress)
    }
}
