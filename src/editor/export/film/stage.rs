//! The stages of a film: what has to be known before its file can begin, and the frames that are compressed and stored.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use image::RgbaImage;

use super::changes::StoredFrame;
use super::error::FilmError;
use super::ffmpeg::{Ffmpeg, FfmpegError, Running};
use super::format::FilmFormat;
use super::gif::{Histogram, Palette};
use super::settings::FilmSettings;
use super::sink::{Encoder, Sink};
use crate::export::pictures::{FrameJobs, PendingFrame};
use crate::export::{Picture, PictureDrawing};
use smirk_base::atomic_file::GrowingFile;
use smirk_base::job::{Job, OnDrop};
use smirk_base::progress::Progress;

/// What is done with the next frame. In each variant, what may still be using the file is dropped before it.
pub(super) enum Stage {
    /// ffmpeg is looked for and started.
    Starting {
        ffmpeg: Job<Result<Running, FfmpegError>>,
        file: Box<GrowingFile>,
        settings: Box<FilmSettings>,
    },
    /// The colours of some frames are counted. The work on the last of them gives the palette.
    Counting {
        jobs: FrameJobs<Result<Option<Palette>, FilmError>>,
        left: usize,
        histogram: Arc<Mutex<Histogram>>,
        file: Box<GrowingFile>,
        settings: Box<FilmSettings>,
    },
    Drawing(Box<Drawing>),
    /// The film is in its place, or has failed.
    Ended,
}

pub(super) struct Drawing {
    /// Dropped first: it ends an ffmpeg that a job may be waiting for.
    sink: Sink,
    jobs: FrameJobs<Result<Option<StoredFrame>, FilmError>>,
    encoder: Encoder,
    /// Gives the picture of the frame before.
    before: Option<Receiver<Arc<RgbaImage>>>,
}

impl Stage {
    /// Looks for ffmpeg and starts it, on another thread.
    pub(super) fn starting(
        settings: FilmSettings,
        file: GrowingFile,
        find: impl FnOnce(FilmFormat) -> Result<Ffmpeg, FfmpegError> + Send + 'static,
    ) -> Self {
        let (of_film, path) = (settings.clone(), file.temporary_path().to_owned());
        let start = move |_: &_| find(of_film.format)?.start(&of_film, &path);
        let ffmpeg = Job::spawn("ffmpeg", OnDrop::Join, || {}, start);
        Self::Starting { ffmpeg, file: Box::new(file), settings: Box::new(settings) }
    }

    /// Counts the colours of so many frames.
    pub(super) fn counting(settings: FilmSettings, file: GrowingFile, left: usize) -> Self {
        let jobs = FrameJobs::new(settings.pictures.pixels() * 4, 1);
        let (histogram, file, settings) = (Arc::default(), Box::new(file), Box::new(settings));
        Self::Counting { jobs, left, histogram, file, settings }
    }

    pub(super) fn drawing(settings: &FilmSettings, (sink, encoder): (Sink, Encoder)) -> Self {
        // ffmpeg takes one picture after the other.
        let most = if settings.format.needs_ffmpeg() { 1 } else { 4 };
        let jobs = FrameJobs::new(settings.pictures.pixels() * 4, most);
        Self::Drawing(Box::new(Drawing { sink, encoder, before: None, jobs }))
    }

    /// Takes what other threads have done. If it `waits`, it waits until a frame can be added.
    pub(super) fn go_on(&mut self, waits: bool) -> Result<(), FilmError> {
        match self {
            Self::Starting { ffmpeg, .. } => {
                let started = if waits { ffmpeg.wait_for(Duration::MAX) } else { ffmpeg.poll() };
                let Some(running) = started else { return Ok(()) };
                let running = running??;
                if let Self::Starting { file, settings, .. } = std::mem::replace(self, Self::Ended) {
                    *self = Self::drawing(&settings, Sink::of_ffmpeg(*file, running));
                }
            }
            Self::Counting { jobs, left, .. } => {
                while let Some(counted) = jobs.take(waits && (jobs.is_full() || *left == 0)) {
                    let Some(palette) = counted?? else { continue };
                    if let Self::Counting { file, settings, .. } = std::mem::replace(self, Self::Ended) {
                        *self = Self::drawing(&settings, Sink::begin(*file, &settings, Some(palette))?);
                    }
                    break;
                }
            }
            Self::Drawing(drawing) => {
                while let Some(frame) = drawing.jobs.take(waits && drawing.jobs.is_full()) {
                    drawing.store(frame?)?;
                }
            }
            Self::Ended => {}
        }
        Ok(())
    }

    /// Whether no frame can be added before more is done.
    pub(super) fn is_full(&self) -> bool {
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
    pub(super) fn finish(self, progress: Progress<'_>) -> Result<(), FilmError> {
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

    fn store(&mut self, frame: Result<Option<StoredFrame>, FilmError>) -> Result<(), FilmError> {
        frame?.map_or(Ok(()), |frame| Ok(self.sink.add(&frame)?))
    }

    fn finish(mut self, progress: Progress<'_>) -> Result<(), FilmError> {
        let check = || progress.report("writing the last frames", 1.0);
        while let Some(frame) = self.jobs.wait(check)? {
            self.store(frame?)?;
        }
        self.sink.finish(check)
    }
}

/// A picture of [`Pixels::Screen`](smirk_picture::render::Pixels::Screen), which all frames are.
fn of_screen(picture: Picture) -> RgbaImage {
    match picture {
        Picture::Screen(image) => image,
        Picture::Light(_) => RgbaImage::default(),
    }
}
