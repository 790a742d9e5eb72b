//! A film that is drawn and written one frame at a time, for the window and the command line.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use image::RgbaImage;

use super::changes::StoredFrame;
use super::ffmpeg::{Ffmpeg, Running};
use super::format::FilmFormat;
use super::gif::{Histogram, Palette};
use super::settings::FilmSettings;
use super::sink::{Encoder, Sink};
use crate::drawn::UnseenPictures;
use crate::pictures::{FrameJobs, PendingFrame, Pipeline};
use crate::{ExportError, FinishedPicture, PictureDrawing, Renderers};
use smirk_base::atomic_file::{GrowingFile, OutputPath};
use smirk_base::job::{Job, JobControl, JobError, OnDrop};
use smirk_base::progress::Progress;
use smirk_picture::render::Pixels;
use smirk_session::Session;

/// What is going to be written, and all that it takes. It was checked when the plan was made.
pub struct FilmPlan {
    /// The number of frames.
    pub frames: usize,
    /// How long the film is.
    pub duration_secs: f64,
    /// About how many bytes it takes.
    pub estimated_bytes: u64,
    output: OutputPath,
    settings: FilmSettings,
}

impl FilmPlan {
    /// The plan of a film, or why it cannot be made. Nothing is written.
    pub fn new(session: &Session, output: &OutputPath, settings: FilmSettings) -> Result<Self, ExportError> {
        settings.check(session)?;
        output.check()?;
        let frames = settings.span.count();
        Ok(Self {
            frames,
            duration_secs: frames as f64 / settings.span.rate.frames_per_sec(),
            estimated_bytes: settings.estimated_bytes(),
            output: output.clone(),
            settings,
        })
    }

    /// The ffmpeg that makes it, which is looked for, and its command; none if it is made here.
    pub fn ffmpeg(&self) -> Result<Option<(Ffmpeg, String)>, ExportError> {
        let format = self.settings.format;
        let ffmpeg = format.needs_ffmpeg().then(|| Ffmpeg::find(format, Progress::NONE)).transpose()?;
        let with_command =
            |ffmpeg: Ffmpeg| ffmpeg.command_line(&self.settings, self.output.path()).map(|line| (ffmpeg, line));
        ffmpeg.map(with_command).transpose()
    }
}

/// A film that is being made. Dropped before it is complete, it leaves nothing behind.
pub struct FilmWork {
    stage: Stage,
    pipeline: Pipeline,
    /// The frames that have been drawn, and those in all. Some frames of a GIF are drawn twice, the first time for the palette.
    done: usize,
    total: usize,
    /// The number of frames that are drawn for the palette.
    for_palette: usize,
    unseen: UnseenPictures,
}

impl FilmWork {
    /// So many frames, spread over the span, give a GIF its palette.
    const COUNTED: usize = 8;

    /// Begins the film of a plan, which was made of the same session. If ffmpeg makes it, `find` is called on another thread, so that no
    /// frame of a window waits for it; what it has to say is the error of a later step.
    pub fn start(
        session: &Session,
        plan: FilmPlan,
        find: impl FnOnce(FilmFormat, Progress<'_>) -> Result<Ffmpeg, ExportError> + Send + 'static,
    ) -> Result<Self, ExportError> {
        let FilmPlan { output, settings, .. } = plan;
        let span = settings.span;
        let drawing = PictureDrawing::of_checked(session, settings.pictures.clone(), Pixels::Screen)?;
        let file = output.begin()?;
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
        Ok(Self { stage, pipeline, done: 0, total, for_palette, unseen: UnseenPictures::default() })
    }

    /// What has been done, in words.
    pub fn stage(&self) -> String {
        match self.done.checked_sub(self.for_palette) {
            Some(done) => format!("frame {done} of {}", self.total - self.for_palette),
            None => format!("colours of picture {} of {}", self.done, self.for_palette),
        }
    }

    /// The frames in which nothing of the head is seen, in words; none if there are none.
    pub fn unseen(&self) -> Option<String> {
        self.unseen.in_words(self.total - self.for_palette)
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
    pub fn step<'a>(&mut self, renderers: impl Into<Renderers<'a>>) -> Result<bool, ExportError> {
        let is_more = self.step_for(&mut renderers.into(), Duration::MAX)?;
        if !is_more {
            self.finish(Progress::NONE)?;
        }
        Ok(is_more)
    }

    /// Draws for about so long, at least one batch of a frame, and waits for nothing else, unless the time is [`Duration::MAX`]: then it
    /// draws the next frame. Returns whether there are more frames; after the last, [`Self::finish`] is due.
    pub fn step_for(&mut self, renderers: &mut Renderers<'_>, most: Duration) -> Result<bool, ExportError> {
        let until = Instant::now().checked_add(most);
        let waits = until.is_none();
        loop {
            self.pipeline.draw(renderers, until)?;
            self.stage.go_on(waits)?;
            let next = if self.stage.is_full() { None } else { self.pipeline.take(waits) };
            let Some((frame, picture)) = next else { break };
            if self.done >= self.for_palette {
                self.unseen.add(picture.unseen());
            }
            self.stage.add(frame, picture, self.pipeline.drawing());
            self.done += 1;
            if until.is_none_or(|until| Instant::now() >= until) {
                break;
            }
        }
        Ok(!self.pipeline.is_empty())
    }

    /// Waits until all frames are stored, and puts the film in its place. It may be called on any thread.
    pub fn finish(&mut self, progress: Progress<'_>) -> Result<(), ExportError> {
        std::mem::replace(&mut self.stage, Stage::Ended).finish(progress)
    }
}

/// What is done with the next frame. In each variant, what may still be using the file is dropped before it.
enum Stage {
    /// ffmpeg is looked for and started.
    Starting {
        ffmpeg: Job<Result<Running, ExportError>>,
        file: Box<GrowingFile>,
        settings: Box<FilmSettings>,
    },
    /// The colours of some frames are counted. The work on the last of them gives the palette.
    Counting {
        jobs: FrameJobs<Result<Option<Palette>, ExportError>>,
        left: usize,
        histogram: Arc<Mutex<Histogram>>,
        file: Box<GrowingFile>,
        settings: Box<FilmSettings>,
    },
    Drawing(Box<Drawing>),
    /// The film is in its place, or has failed.
    Ended,
}

struct Drawing {
    /// Dropped first: it ends an ffmpeg that a job may be waiting for.
    sink: Sink,
    jobs: FrameJobs<Result<Option<StoredFrame>, ExportError>>,
    encoder: Encoder,
    /// Gives the picture of the frame before.
    before: Option<Receiver<Arc<RgbaImage>>>,
}

impl Stage {
    /// Looks for ffmpeg and starts it, on another thread.
    fn starting(
        settings: FilmSettings,
        file: GrowingFile,
        find: impl FnOnce(FilmFormat, Progress<'_>) -> Result<Ffmpeg, ExportError> + Send + 'static,
    ) -> Self {
        let (of_film, path) = (settings.clone(), file.temporary_path().to_owned());
        let start = move |control: &JobControl| find(of_film.format, control.progress())?.start(&of_film, &path);
        let ffmpeg = Job::spawn("ffmpeg", OnDrop::Join, || {}, start);
        Self::Starting { ffmpeg, file: Box::new(file), settings: Box::new(settings) }
    }

    /// Counts the colours of so many frames.
    fn counting(settings: FilmSettings, file: GrowingFile, left: usize) -> Self {
        let jobs = FrameJobs::new(settings.pictures.pixels() * 4, 1);
        let (histogram, file, settings) = (Arc::default(), Box::new(file), Box::new(settings));
        Self::Counting { jobs, left, histogram, file, settings }
    }

    fn drawing(settings: &FilmSettings, (sink, encoder): (Sink, Encoder)) -> Self {
        // ffmpeg takes one picture after the other.
        let most = if settings.format.needs_ffmpeg() { 1 } else { 4 };
        let jobs = FrameJobs::new(settings.pictures.pixels() * 4, most);
        Self::Drawing(Box::new(Drawing { sink, encoder, before: None, jobs }))
    }

    /// Takes what other threads have done. If it `waits`, it waits until a frame can be added.
    fn go_on(&mut self, waits: bool) -> Result<(), ExportError> {
        match self {
            Self::Starting { ffmpeg, .. } => {
                let started = if waits { ffmpeg.wait_for(Duration::MAX) } else { ffmpeg.poll() };
                let Some(running) = started else { return Ok(()) };
                let running = running.map_err(not_made)??;
                if let Self::Starting { file, settings, .. } = std::mem::replace(self, Self::Ended) {
                    *self = Self::drawing(&settings, Sink::of_ffmpeg(*file, running));
                }
            }
            Self::Counting { jobs, left, .. } => {
                while let Some(counted) = jobs.take(waits && (jobs.is_full() || *left == 0)) {
                    let Some(palette) = counted.map_err(not_made)?? else { continue };
                    if let Self::Counting { file, settings, .. } = std::mem::replace(self, Self::Ended) {
                        *self = Self::drawing(&settings, Sink::begin(*file, &settings, Some(palette))?);
                    }
                    break;
                }
            }
            Self::Drawing(drawing) => {
                while let Some(frame) = drawing.jobs.take(waits && drawing.jobs.is_full()) {
                    drawing.store(frame.map_err(not_made)?)?;
                }
            }
            Self::Ended => {}
        }
        Ok(())
    }

    /// Whether no frame can be added before more is done.
    fn is_full(&self) -> bool {
        match self {
            Self::Starting { .. } => true,
            Self::Counting { jobs, left, .. } => *left == 0 || jobs.is_full(),
            Self::Drawing(drawing) => drawing.jobs.is_full(),
            Self::Ended => false,
        }
    }

    /// Begins the work on a frame.
    pub(super) fn add(&mut self, frame: i64, picture: PendingFrame, by: Arc<PictureDrawing>) {
        match self {
            Self::Counting { jobs, left, histogram, settings, .. } => {
                *left -= 1;
                let (is_last, has_transparent) = (*left == 0, settings.pictures.is_transparent);
                let histogram = histogram.clone();
                jobs.push(move || {
                    let image = of_screen(by.finish(picture)?);
                    let mut histogram = histogram.lock().unwrap_or_else(PoisonError::into_inner);
                    histogram.add(&image);
                    Ok(is_last.then(|| Palette::new(&histogram, has_transparent)))
                });
            }
            Self::Drawing(drawing) => drawing.add(frame, picture, by),
            Self::Starting { .. } | Self::Ended => {}
        }
    }

    /// Waits until all frames are stored, and puts the film in its place.
    pub(super) fn finish(self, progress: Progress<'_>) -> Result<(), ExportError> {
        match self {
            Self::Drawing(drawing) => drawing.finish(progress),
            Self::Starting { .. } | Self::Counting { .. } | Self::Ended => Ok(()),
        }
    }
}

impl Drawing {
    fn add(&mut self, frame: i64, picture: PendingFrame, by: Arc<PictureDrawing>) {
        let (send, next) = channel();
        let (encoder, before) = (self.encoder.clone(), self.before.replace(next));
        self.jobs.push(move || {
            let picture = Arc::new(of_screen(by.finish(picture)?));
            // The next frame may be gone.
            let _ = send.send(picture.clone());
            // The work on the frame before was begun earlier. If it has failed, the film has, and this frame is not stored.
            let before = before.and_then(|before| before.recv().ok());
            encoder.frame(frame, before.as_deref(), &picture)
        });
    }

    fn store(&mut self, frame: Result<Option<StoredFrame>, ExportError>) -> Result<(), ExportError> {
        frame?.map_or(Ok(()), |frame| Ok(self.sink.add(&frame)?))
    }

    fn finish(mut self, progress: Progress<'_>) -> Result<(), ExportError> {
        let check = || progress.report("writing the last frames", 1.0);
        while let Some(frame) = self.jobs.wait(check)? {
            self.store(frame.map_err(not_made)?)?;
        }
        self.sink.finish(check)
    }
}

fn not_made(problem: JobError) -> ExportError {
    ExportError::Failed(format!("the film was not made: {problem}"))
}

/// A picture of [`Pixels::Screen`], which all frames are.
fn of_screen(picture: FinishedPicture) -> RgbaImage {
    match picture {
        FinishedPicture::Screen(image) => image,
        FinishedPicture::Light(_) => RgbaImage::default(),
    }
}
