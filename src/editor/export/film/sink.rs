//! How frames are compressed, and the file that they are put into.

use std::sync::{Arc, Mutex, PoisonError};

use image::RgbaImage;

use super::apng::{self, ApngFile};
use super::changes::StoredFrame;
use super::error::FilmError;
use super::ffmpeg::{EndOnDrop, Running};
use super::format::FilmFormat;
use super::gif::{self, Dither, GifFile, Palette};
use super::settings::FilmSettings;
use super::webp::{self, WebPFile};
use smirk_base::atomic_file::{GrowingFile, WriteError};
use smirk_base::progress::Cancelled;

/// A running ffmpeg, until it has ended. Pictures are passed to it on another thread, since it may take long to accept them.
type SharedFfmpeg = Arc<Mutex<Option<Running>>>;

/// How frames are compressed. The work is done on other threads.
#[derive(Clone, Debug)]
pub(super) enum Encoder {
    Apng { has_alpha: bool },
    Gif { palette: Arc<Palette>, dither: Dither },
    WebP { has_alpha: bool },
    Ffmpeg(SharedFfmpeg),
}

impl Encoder {
    /// Compresses a frame; only what has changed since the one before, where the format allows it. Nothing is left to be stored of a
    /// frame that ffmpeg has taken.
    pub(super) fn frame(
        &self,
        number: i64,
        before: Option<&RgbaImage>,
        picture: &RgbaImage,
    ) -> Result<Option<StoredFrame>, FilmError> {
        let stored = match self {
            Self::Apng { has_alpha } => apng::frame(before, picture, *has_alpha),
            Self::Gif { palette, dither } => Ok(gif::frame(before, picture, palette, *dither)),
            Self::WebP { has_alpha } => webp::frame(before, picture, *has_alpha),
            Self::Ffmpeg(running) => {
                let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
                running.as_mut().map_or(Ok(()), |running| running.add(picture))?;
                return Ok(None);
            }
        };
        stored.map(Some).map_err(|reason| FilmError::Frame { frame: number, reason })
    }
}

/// The file of a film while it grows.
pub(super) struct Sink {
    /// Dropped before the file, so that ffmpeg does not make it again.
    container: Container,
    file: GrowingFile,
}

enum Container {
    Apng(ApngFile),
    Gif(GifFile),
    WebP(WebPFile),
    Ffmpeg { running: SharedFfmpeg, _end: EndOnDrop },
}

impl Sink {
    /// Begins a file that is made here, and says how its frames are compressed. A GIF has a palette.
    pub(super) fn begin(
        mut file: GrowingFile,
        settings: &FilmSettings,
        palette: Option<Palette>,
    ) -> Result<(Self, Encoder), WriteError> {
        let (size, span, has_alpha) = (settings.pictures.size, settings.span, settings.pictures.is_transparent);
        let (container, encoder) = if let Some(palette) = palette {
            let gif = GifFile::begin(&mut file, size, span.rate, &palette)?;
            (Container::Gif(gif), Encoder::Gif { palette: Arc::new(palette), dither: settings.dither })
        } else if settings.format == FilmFormat::WebP {
            (Container::WebP(WebPFile::begin(&mut file, size, span.rate, has_alpha)?), Encoder::WebP { has_alpha })
        } else {
            let apng = ApngFile::begin(&mut file, size, span.rate, span.count(), has_alpha)?;
            (Container::Apng(apng), Encoder::Apng { has_alpha })
        };
        Ok((Self { file, container }, encoder))
    }

    /// A file that ffmpeg writes.
    pub(super) fn of_ffmpeg(file: GrowingFile, running: Running) -> (Self, Encoder) {
        let end = running.end_on_drop();
        let running = Arc::new(Mutex::new(Some(running)));
        (Self { file, container: Container::Ffmpeg { running: running.clone(), _end: end } }, Encoder::Ffmpeg(running))
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, frame: &StoredFrame) -> Result<(), WriteError> {
        match &mut self.container {
            Container::Apng(apng) => apng.add(&mut self.file, frame),
            Container::Gif(gif) => gif.add(&mut self.file, frame),
            Container::WebP(webp) => webp.add(&mut self.file, frame),
            Container::Ffmpeg { .. } => Ok(()),
        }
    }

    /// Puts the film in its place. While ffmpeg is waited for, `check` is called now and then.
    pub(super) fn finish(self, check: impl Fn() -> Result<(), Cancelled>) -> Result<(), FilmError> {
        // In this order, the container is dropped before the file.
        let Self { mut file, container } = self;
        match container {
            Container::Apng(apng) => apng.end(&mut file)?,
            Container::Gif(gif) => gif.end(&mut file)?,
            Container::WebP(webp) => webp.end(&mut file)?,
            Container::Ffmpeg { running, _end } => {
                let running = running.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(running) = running {
                    running.finish(check)??;
                }
            }
        }
        Ok(file.finish()?)
    }
}
