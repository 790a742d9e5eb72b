//! A film that is drawn and written one frame at a time, for the window and the command line.

use std::sync::Arc;

use image::RgbaImage;

use super::changes::StoredFrame;
use super::error::FilmError;
use super::ffmpeg::Ffmpeg;
use super::format::FilmFormat;
use super::gif::{Histogram, Palette};
use super::settings::FilmSettings;
use super::sink::{Encoder, Sink};
use crate::atomic_file::{GrowingFile, OutputPath};
use crate::export::pictures::{FrameJobs, Pipeline};
use crate::export::{Picture, PictureDrawing};
use crate::render::{Pixels, Renderer};
use crate::session::Session;

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
        settings.check()?;
        settings.pictures.check(session)?;
        output.check()?;
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

/// A film that is being made. Dropped before it is complete, it leaves nothing behind.
pub struct FilmWork {
    settings: FilmSettings,
    pipeline: Pipeline,
    stage: Stage,
    /// The frames that have been drawn, and those in all. Some frames of a GIF are drawn twice, the first time for the palette.
    done: usize,
    total: usize,
}

enum Stage {
    /// The colours of some frames are counted.
    Counting {
        left: usize,
        histogram: Histogram,
        file: Box<GrowingFile>,
    },
    Drawing(Box<Drawing>),
    /// The film is in its place, or has failed.
    Ended,
}

struct Drawing {
    /// Dropped first: the work that is left may be that of ffmpeg.
    jobs: FrameJobs<Result<Option<StoredFrame>, FilmError>>,
    encoder: Encoder,
    sink: Sink,
    before: Option<Arc<RgbaImage>>,
}

impl FilmWork {
    /// So many frames, spread over the span, give a GIF its palette.
    const COUNTED: usize = 8;

    /// Begins a film.
    pub fn start(session: &Session, output: &OutputPath, settings: FilmSettings) -> Result<Self, FilmError> {
        let plan = FilmPlan::new(session, output, &settings)?;
        let file = output.begin()?;
        let span = settings.span;
        let drawing = PictureDrawing::new(session, settings.pictures.clone(), Pixels::Screen)?;
        let mut counted: Vec<i64> = Vec::new();
        let stage = if let Some((ffmpeg, _)) = plan.ffmpeg {
            let running = ffmpeg.start(&settings, file.temporary_path())?;
            Stage::drawing(&settings, Sink::of_ffmpeg(file, running))
        } else if settings.format == FilmFormat::Gif {
            let last = Self::COUNTED.min(span.count()).max(2) as i64 - 1;
            counted = (0..=last).map(|index| span.first + (span.last - span.first) * index / last).collect();
            counted.dedup();
            Stage::Counting { left: counted.len(), histogram: Histogram::default(), file: Box::new(file) }
        } else {
            Stage::drawing(&settings, Sink::begin(file, &settings, None)?)
        };
        let total = counted.len() + span.count();
        let pipeline = Pipeline::new(session.clone(), span, drawing, counted.into_iter().chain(span.frames()));
        Ok(Self { settings, pipeline, stage, done: 0, total })
    }

    /// The number of frames that have been drawn.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The number of frames to draw.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Draws the next frame. Returns whether there are more; after the last, the film is in its place.
    pub fn step(&mut self, renderer: &mut Renderer) -> Result<bool, FilmError> {
        let stepped = self.try_step(renderer);
        if !matches!(stepped, Ok(true)) {
            self.stage = Stage::Ended;
        }
        stepped
    }

    fn try_step(&mut self, renderer: &mut Renderer) -> Result<bool, FilmError> {
        let Some((frame, Picture::Screen(picture))) = self.pipeline.next(renderer)? else {
            return match std::mem::replace(&mut self.stage, Stage::Ended) {
                Stage::Drawing(drawing) => drawing.finish().map(|()| false),
                Stage::Counting { .. } | Stage::Ended => Ok(false),
            };
        };
        self.done += 1;
        match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Counting { left, mut histogram, file } => {
                histogram.add(&picture);
                self.stage = if left > 1 {
                    Stage::Counting { left: left - 1, histogram, file }
                } else {
                    let palette = Palette::new(&histogram, self.settings.pictures.is_transparent);
                    Stage::drawing(&self.settings, Sink::begin(*file, &self.settings, Some(palette))?)
                };
            }
            Stage::Drawing(mut drawing) => {
                drawing.add(frame, picture)?;
                self.stage = Stage::Drawing(drawing);
            }
            Stage::Ended => return Ok(false),
        }
        Ok(true)
    }
}

impl Stage {
    fn drawing(settings: &FilmSettings, (sink, encoder): (Sink, Encoder)) -> Self {
        // ffmpeg takes one picture after the other.
        let most = if settings.format.needs_ffmpeg() { 1 } else { 4 };
        let jobs = FrameJobs::new(settings.pictures.pixels() * 4, most);
        Self::Drawing(Box::new(Drawing { encoder, sink, before: None, jobs }))
    }
}

impl Drawing {
    fn add(&mut self, frame: i64, picture: RgbaImage) -> Result<(), FilmError> {
        let picture = Arc::new(picture);
        let (encoder, before) = (self.encoder.clone(), self.before.replace(picture.clone()));
        self.jobs.push(move || encoder.frame(frame, before.as_deref(), &picture));
        self.store(false)
    }

    /// Stores the frames that are compressed: all of them, if there are no more to come.
    fn store(&mut self, is_last: bool) -> Result<(), FilmError> {
        while let Some(frame) = self.jobs.take(is_last) {
            if let Some(frame) = frame?? {
                self.sink.add(&frame)?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), FilmError> {
        self.store(true)?;
        self.sink.finish()
    }
}
