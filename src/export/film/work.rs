//! A film that is drawn and written one frame at a time.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use image::RgbaImage;

use super::changes::StoredFrame;
use super::ffmpeg::{Ffmpeg, Running};
use super::format::FilmFormat;
use super::gif::{Histogram, Palette};
use super::settings::FilmSettings;
use super::sink::{Encoder, Sink};
use crate::pictures::{FrameJobs, FrameStore, PendingFrame, Pipeline};
use crate::{ExportError, FrameWork, PictureDrawing};
use smirk_base::atomic_file::{GrowingFile, OutputPath};
use smirk_base::job::{Job, JobError, OnDrop};
use smirk_base::progress::Progress;
use smirk_picture::render::Pixels;
use smirk_session::Session;

/// What is going to be written, and all that it takes. It was checked when the plan was made.
pub struct FilmPlan {
    pub frames: usize,
    pub duration_secs: f64,
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
        if !format.needs_ffmpeg() {
            return Ok(None);
        }
        let ffmpeg = Ffmpeg::find(format, Progress::NONE)?;
        let command = ffmpeg.command_line(&self.settings, self.output.path())?;
        Ok(Some((ffmpeg, command)))
    }

    /// Begins the film, of the session of which the plan was made. If ffmpeg makes it, `find` is called on another
    /// thread, so that no frame of a window waits for it; what it has to say is the error of a later step.
    pub fn start(
        self,
        session: &Session,
        find: impl FnOnce(FilmFormat, Progress<'_>) -> Result<Ffmpeg, ExportError> + Send + 'static,
    ) -> Result<FrameWork, ExportError> {
        let Self { output, settings, .. } = self;
        let span = settings.span;
        let drawing = PictureDrawing::of_checked(session, settings.pictures.clone(), Pixels::Screen)?;
        let file = output.begin()?;
        let mut counted: Vec<i64> = Vec::new();
        let store: Box<dyn FrameStore> = match settings.format {
            FilmFormat::Apng => Box::new(WrittenFilm::new(&settings, Sink::apng(file, &settings)?)),
            FilmFormat::WebP => Box::new(WrittenFilm::new(&settings, Sink::webp(file, &settings)?)),
            FilmFormat::Gif => {
                let last = CountedColors::FRAMES.min(span.count()).max(2) as i64 - 1;
                counted = (0..=last).map(|index| span.first + (span.last - span.first) * index / last).collect();
                counted.dedup();
                Box::new(CountedColors::new(settings, file, counted.len()))
            }
            FilmFormat::Mp4 | FilmFormat::ProRes | FilmFormat::WebM => {
                Box::new(StartedFfmpeg::new(settings, file, find))
            }
        };
        let (for_palette, total) = (counted.len(), counted.len() + span.count());
        let pipeline = Pipeline::new(session.clone(), Some(span), drawing, counted.into_iter().chain(span.frames()));
        Ok(FrameWork::new(store, pipeline, total, for_palette, "frame"))
    }
}

/// The first stage of a film that ffmpeg makes: it is looked for and started on another thread. What may be using the
/// file is dropped before it.
struct StartedFfmpeg {
    ffmpeg: Job<Result<Running, ExportError>>,
    file: GrowingFile,
    settings: FilmSettings,
}

impl StartedFfmpeg {
    fn new(
        settings: FilmSettings,
        file: GrowingFile,
        find: impl FnOnce(FilmFormat, Progress<'_>) -> Result<Ffmpeg, ExportError> + Send + 'static,
    ) -> Self {
        let (of_film, path) = (settings.clone(), file.temporary_path().to_owned());
        let ffmpeg = Job::spawn(
            "ffmpeg",
            OnDrop::Join,
            || {},
            move |control| find(of_film.format, control.progress())?.start(&of_film, &path),
        );
        Self { ffmpeg, file, settings }
    }
}

impl FrameStore for StartedFfmpeg {
    fn go_on(mut self: Box<Self>, waits: bool) -> Result<Box<dyn FrameStore>, ExportError> {
        let started = if waits { self.ffmpeg.wait_for(Duration::MAX) } else { self.ffmpeg.poll() };
        let Some(running) = started else { return Ok(self) };
        let running = running.map_err(not_made)??;
        let Self { file, settings, .. } = *self;
        Ok(Box::new(WrittenFilm::new(&settings, Sink::ffmpeg(file, running))))
    }

    fn is_full(&self) -> bool {
        true
    }

    fn add(&mut self, _: i64, _: PendingFrame, _: Arc<PictureDrawing>) {
        unreachable!("no frame is added while there is no room for one")
    }

    fn finish(self: Box<Self>, _: Progress<'_>) -> Result<(), ExportError> {
        unreachable!("a film has at least one frame, which waits until ffmpeg takes it")
    }
}

/// The first stage of a GIF: the colours of some frames are counted. The work on the last of them gives the palette.
struct CountedColors {
    jobs: FrameJobs<Result<Option<Palette>, ExportError>>,
    left: usize,
    histogram: Arc<Mutex<Histogram>>,
    file: GrowingFile,
    settings: FilmSettings,
}

impl CountedColors {
    /// So many frames, spread over the span, give a GIF its palette.
    const FRAMES: usize = 8;

    fn new(settings: FilmSettings, file: GrowingFile, left: usize) -> Self {
        let jobs = FrameJobs::new(settings.pictures.pixels() * 4, 1);
        Self { jobs, left, histogram: Arc::default(), file, settings }
    }
}

impl FrameStore for CountedColors {
    fn go_on(mut self: Box<Self>, waits: bool) -> Result<Box<dyn FrameStore>, ExportError> {
        while let Some(counted) = self.jobs.take(waits && self.is_full()) {
            if let Some(palette) = counted.map_err(not_made)?? {
                let Self { file, settings, .. } = *self;
                return Ok(Box::new(WrittenFilm::new(&settings, Sink::gif(file, &settings, palette)?)));
            }
        }
        Ok(self)
    }

    fn is_full(&self) -> bool {
        self.left == 0 || self.jobs.is_full()
    }

    fn add(&mut self, _: i64, picture: PendingFrame, drawing: Arc<PictureDrawing>) {
        debug_assert!(self.left > 0, "once all are counted, it is full until the film follows it");
        self.left -= 1;
        let (is_last, has_transparent) = (self.left == 0, self.settings.pictures.is_transparent);
        let histogram = self.histogram.clone();
        self.jobs.push(move || {
            let image = drawing.finish_screen(picture)?;
            let mut histogram = histogram.lock().unwrap_or_else(PoisonError::into_inner);
            histogram.add(&image);
            Ok(is_last.then(|| Palette::new(&histogram, has_transparent)))
        });
    }

    fn finish(self: Box<Self>, _: Progress<'_>) -> Result<(), ExportError> {
        unreachable!("the frames of a GIF follow those that are counted")
    }
}

struct WrittenFilm {
    /// Dropped first: it ends an ffmpeg that a job may be waiting for.
    sink: Sink,
    jobs: FrameJobs<Result<Option<StoredFrame>, ExportError>>,
    encoder: Encoder,
    /// Gives the picture of the frame before.
    before: Option<Receiver<Arc<RgbaImage>>>,
    /// The frame that is added next.
    next: i64,
}

impl WrittenFilm {
    fn new(settings: &FilmSettings, (sink, encoder): (Sink, Encoder)) -> Self {
        // ffmpeg takes one picture after the other.
        let most = if settings.format.needs_ffmpeg() { 1 } else { 4 };
        let jobs = FrameJobs::new(settings.pictures.pixels() * 4, most);
        Self { sink, jobs, encoder, before: None, next: settings.span.first }
    }

    fn store(&mut self, frame: Result<Result<Option<StoredFrame>, ExportError>, JobError>) -> Result<(), ExportError> {
        if let Some(frame) = frame.map_err(not_made)?? {
            self.sink.add(&frame)?;
        }
        Ok(())
    }
}

impl FrameStore for WrittenFilm {
    fn go_on(mut self: Box<Self>, waits: bool) -> Result<Box<dyn FrameStore>, ExportError> {
        while let Some(frame) = self.jobs.take(waits && self.jobs.is_full()) {
            self.store(frame)?;
        }
        Ok(self)
    }

    fn is_full(&self) -> bool {
        self.jobs.is_full()
    }

    fn add(&mut self, frame: i64, picture: PendingFrame, drawing: Arc<PictureDrawing>) {
        debug_assert_eq!(frame, self.next, "a frame is stored as its changes since the one before it");
        self.next += 1;
        let (send, next) = channel();
        let (encoder, before) = (self.encoder.clone(), self.before.replace(next));
        self.jobs.push(move || {
            let picture = Arc::new(drawing.finish_screen(picture)?);
            // The next frame may be gone.
            let _ = send.send(picture.clone());
            // The work on the frame before was begun earlier. If it has failed, the film has, and this frame is not
            // stored.
            let before = before.and_then(|before| before.recv().ok());
            encoder.frame(frame, before.as_deref(), &picture)
        });
    }

    fn finish(mut self: Box<Self>, progress: Progress<'_>) -> Result<(), ExportError> {
        let check = || progress.report("writing the last frames", 1.0);
        while let Some(frame) = self.jobs.wait(check)? {
            self.store(frame)?;
        }
        self.sink.finish(check)
    }
}

fn not_made(problem: JobError) -> ExportError {
    failed!("the film was not made: {problem}")
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;
    use crate::film::{Dither, FilmQuality};
    use crate::{FrameSpan, Labels, PictureSettings};
    use smirk_face::head::{Asset, Head};
    use smirk_face::motion::FrameRate;
    use smirk_scene::{BlendMode, Camera, View};

    #[test]
    fn all_frames_that_are_worked_on_at_the_end_are_written() {
        const LAST: i64 = 6;
        let head = Head::new(Asset::default());
        let pictures = PictureSettings {
            size: [4, 4],
            samples: 0,
            camera: Camera::framing(head.focus, head.character, View::Front, 1.0),
            turn_secs: None,
            mode: BlendMode::Cpu,
            is_transparent: false,
            labels: Labels::default(),
            compared: None,
            with_reference: false,
        };
        let settings = FilmSettings {
            pictures,
            span: FrameSpan { rate: FrameRate::default(), first: 0, last: LAST },
            format: FilmFormat::Apng,
            quality: FilmQuality::default(),
            dither: Dither::default(),
            sound: None,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.apng");
        let file = OutputPath::new(&path).begin().unwrap();
        let mut film = Box::new(WrittenFilm::new(&settings, Sink::apng(file, &settings).unwrap()));
        for frame in 0..=LAST {
            let encoder = film.encoder.clone();
            let picture = RgbaImage::from_pixel(4, 4, Rgba([frame as u8 * 30, 0, 0, 255]));
            film.jobs.push(move || encoder.frame(frame, None, &picture));
        }
        film.finish(Progress::NONE).unwrap();
        let written = std::fs::read(path).unwrap();
        assert_eq!(written.windows(4).filter(|bytes| *bytes == b"fcTL").count(), LAST as usize + 1);
    }
}
