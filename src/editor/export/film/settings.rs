//! What a film is.

use std::path::PathBuf;

use super::error::FilmError;
use super::format::FilmFormat;
use super::gif::{Dither, GifFile};
use crate::export::{FrameSpan, PictureSettings};
use crate::session::Session;
use smirk_base::regular_file;

/// What a film is.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmSettings {
    /// What its pictures show.
    pub pictures: PictureSettings,
    /// Its frames.
    pub span: FrameSpan,
    /// Its format.
    pub format: FilmFormat,
    /// How a GIF shows colours between those of its palette.
    pub dither: Dither,
    /// Its sound.
    pub sound: Option<FilmSound>,
}

/// The sound of a film.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmSound {
    /// A file with sound.
    pub path: PathBuf,
    /// Where it begins on the timeline, in seconds.
    pub offset_secs: f64,
}

impl FilmSound {
    /// The sound of what a session plays.
    pub fn of(session: &Session) -> Option<Self> {
        let track = session.sound()?;
        Some(Self { path: track.file.to_path_buf(), offset_secs: f64::from(track.offset_secs) })
    }
}

impl FilmSettings {
    /// An error if the format cannot hold such pictures, or if there are none of a session.
    pub(in crate::export) fn check(&self, session: &Session) -> Result<(), FilmError> {
        let (format, [width, height]) = (self.format, self.pictures.size);
        if self.pictures.is_transparent && !format.has_alpha() {
            return Err(FilmError::NoAlpha { format });
        }
        if format.has_even_sides() && (width % 2 == 1 || height % 2 == 1) {
            return Err(FilmError::OddSides { format, width, height });
        }
        let most = format.most_side();
        if width.max(height) > most {
            return Err(FilmError::TooLarge { format, width, height, most });
        }
        if let Some(FilmSound { path, .. }) = &self.sound {
            if !format.needs_ffmpeg() {
                return Err(FilmError::Silent { format });
            }
            regular_file::open(path).map_err(|source| FilmError::Sound { path: path.clone(), source })?;
        }
        if format == FilmFormat::Gif && self.span.rate.frames_per_sec() > GifFile::MOST_FRAMES_PER_SEC {
            return Err(FilmError::TooFast { rate: self.span.rate.label() });
        }
        Ok(self.pictures.check(session)?)
    }

    /// About how many bytes it takes.
    pub(in crate::export) fn estimated_bytes(&self) -> u64 {
        let pixels = self.pictures.pixels() as f64 * self.span.count() as f64;
        (pixels * self.format.bytes_per_pixel()) as u64
    }
}
