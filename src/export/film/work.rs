//! A film that is drawn and written one frame at a time, for the window and the command line.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::error::FilmError;
use super::ffmpeg::{Ffmpeg, FfmpegError};
use super::format::FilmFormat;
use super::settings::FilmSettings;
use super::sink::Sink;
use super::stage::Stage;
use crate::atomic_file::OutputPath;
use crate::export::pictures::Pipeline;
use crate::export::{ExportProgress, PictureDrawing};
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
        let total = counted.len() + span.count();
        let pipeline = Pipeline::new(session.clone(), span, drawing, counted.into_iter().chain(span.frames()));
        Ok(Self { stage, pipeline, done: 0, total })
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
        let is_more = self.step_for(renderer, Duration::MAX)?;
        if !is_more {
            self.finish(&|_, _| ControlFlow::Continue(()))?;
        }
        Ok(is_more)
    }

    /// Draws for about so long, at least one piece of a frame, and waits for nothing else, unless the time is [`Duration::MAX`]: then it
    /// draws the next frame. Returns whether there are more frames; after the last, [`Self::finish`] is due.
    pub(crate) fn step_for(&mut self, renderer: &mut Renderer, most: Duration) -> Result<bool, FilmError> {
        let until = Instant::now().checked_add(most);
        let waits = until.is_none();
        loop {
            self.pipeline.draw(renderer, until)?;
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
    pub(crate) fn finish(&mut self, progress: &ExportProgress<'_>) -> Result<(), FilmError> {
        std::mem::replace(&mut self.stage, Stage::Ended).finish(progress)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::cell::Cell;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::blend::{BlendMode, Layout, Precision};
    use crate::export::{Dither, FrameSpan, Labels, PictureSettings};
    use crate::gpu::{Gpu, Prefer};
    use crate::head::Head;
    use crate::motion::FrameRate;
    use crate::render::HeadOnGpu;
    use crate::scene::{Camera, Look, View};
    use crate::session::HeadSource;

    fn renderer(head: &Arc<Head>) -> Renderer {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let mut renderer = Renderer::new(&gpu);
        let layout = Arc::new(Layout::new(head, Precision::Packed));
        renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout).unwrap());
        renderer
    }

    /// A shell script that takes the place of ffmpeg.
    fn stand_in(programs: &Path, script: &str) {
        let program = programs.join("ffmpeg");
        let answers = "-version) echo ffmpeg version 9.9;; -encoders) echo ' V..... libx264 H.264';;";
        std::fs::write(&program, format!("#!/bin/sh\ncase $2 in {answers} *) {script};; esac\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A film of the bundled head in a folder, made by the ffmpeg in another. Each frame has more bytes than a pipe holds.
    fn film(folder: &Path, programs: &Path) -> (FilmWork, Renderer) {
        let head = Arc::new(crate::import::embedded().unwrap());
        let renderer = renderer(&head);
        let pictures = PictureSettings {
            size: [256, 256],
            samples: 0,
            camera: Camera::framing(head.focus, head.bounds, View::Front, 1.0),
            turn_secs: None,
            mode: BlendMode::Cpu,
            is_transparent: false,
            labels: Labels::default(),
            is_compared: false,
        };
        let session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        let span = FrameSpan::new(FrameRate::nearest(24.0), 0, 11).unwrap();
        let settings = FilmSettings { pictures, span, format: FilmFormat::Mp4, dither: Dither::default() };
        let programs = programs.as_os_str().to_owned();
        let find = move |format| Ffmpeg::find_in(&programs, format);
        (FilmWork::start(&session, &OutputPath::new(folder.join("a.mp4")), settings, find).unwrap(), renderer)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_film_that_is_cancelled_while_ffmpeg_ends_it_leaves_no_file() {
        let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        // It takes all pictures, and never ends.
        stand_in(programs.path(), "cat >/dev/null; exec sleep 600");
        let (mut film, mut renderer) = film(folder.path(), programs.path());
        while film.step_for(&mut renderer, Duration::ZERO).unwrap() {}
        assert_eq!((film.done(), names(folder.path()).len()), (12, 1));
        let asked = Cell::new(0);
        let finished = film.finish(&|_, part| {
            asked.set(asked.get() + 1);
            assert_eq!(part, 1.0);
            if asked.get() < 20 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert!(matches!(finished, Err(FilmError::Cancelled)), "{finished:?}");
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[test]
    fn a_film_is_dropped_while_ffmpeg_does_not_take_its_pictures() {
        let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        stand_in(programs.path(), "exec sleep 600");
        let (mut film, mut renderer) = film(folder.path(), programs.path());
        // As many steps as it takes until pictures wait for ffmpeg: none of them waits.
        while !matches!(film.stage, Stage::Drawing(_)) || !film.stage.is_full() {
            assert!(film.step_for(&mut renderer, Duration::ZERO).unwrap());
        }
        for _ in 0..20 {
            let done = film.done();
            assert!(film.step_for(&mut renderer, Duration::ZERO).unwrap() && film.done() == done);
        }
        drop(film);
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[test]
    fn a_missing_ffmpeg_is_said_by_a_step_and_leaves_no_file() {
        let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let (mut film, mut renderer) = film(folder.path(), programs.path());
        let error = loop {
            match film.step_for(&mut renderer, Duration::ZERO) {
                Ok(is_more) => assert!(is_more && film.done() == 0),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.contains("not in the PATH") && error.contains("apt install ffmpeg"), "{error}");
        drop(film);
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }
}
