//! What a film is.

use super::format::{FilmFormat, FilmQuality};
use super::gif::{Dither, GifFile};
use crate::{ExportError, FrameSpan, PictureSettings};
use smirk_base::regular_file;
use smirk_session::{FileRef, Session, SoundTrack};

/// The sound of a film.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmSound {
    pub file: FileRef,
    /// Where it begins on the timeline; before 0, its start is not heard.
    pub offset_secs: f32,
}

impl From<&SoundTrack> for FilmSound {
    fn from(track: &SoundTrack) -> Self {
        Self { file: track.file.clone(), offset_secs: track.offset_secs }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct FilmSettings {
    pub pictures: PictureSettings,
    pub span: FrameSpan,
    pub format: FilmFormat,
    /// Of a format that has one.
    pub quality: FilmQuality,
    pub dither: Dither,
    pub sound: Option<FilmSound>,
}

impl FilmSettings {
    /// An error if the format cannot hold such pictures, or if there are none of a session.
    pub(crate) fn check(&self, session: &Session) -> Result<(), ExportError> {
        let (format, [width, height]) = (self.format, self.pictures.size);
        let label = format.label();
        if self.pictures.is_transparent && !format.has_alpha() {
            return Err(usage!("{label} cannot be transparent: choose .webm, .mov, .webp or .apng"));
        }
        // Colours are stored for two by two pixels.
        if format.needs_ffmpeg() && (width % 2 == 1 || height % 2 == 1) {
            return Err(usage!(
                "{label} needs an even width and height: {width}×{height} is not, {}×{} is",
                width + width % 2,
                height + height % 2
            ));
        }
        let most = format.traits().most_side;
        if width.max(height) > most {
            return Err(usage!("{label} holds at most {most} pixels a side: {width}×{height} is more"));
        }
        if let Some(FilmSound { file, .. }) = &self.sound {
            if !format.needs_ffmpeg() {
                return Err(usage!("{label} has no sound: choose .mp4, .mov or .webm"));
            }
            regular_file::open(file).map_err(|problem| failed!("{}: {problem}", file.display()))?;
        }
        if format == FilmFormat::Gif && self.span.rate.frames_per_sec() > GifFile::MOST_FRAMES_PER_SEC {
            return Err(failed!(
                "a GIF shows at most {} frames a second, and this one would have {}: give a lower rate, such as 25",
                GifFile::MOST_FRAMES_PER_SEC,
                self.span.rate.label()
            ));
        }
        self.pictures.check(session)
    }

    pub(crate) fn estimated_bytes(&self) -> u64 {
        let pixels = self.pictures.pixels() as f64 * self.span.count() as f64;
        (pixels * self.format.traits().bytes_per_pixel * self.format.size_at(self.quality)) as u64
    }
}
