//! The formats of films.

use std::path::Path;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use smirk_base::file_kind::{self, FileKind};
use smirk_face::motion::FrameRate;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "lowercase")]
pub enum FilmFormat {
    /// Animated PNG: every colour exact.
    Apng,
    /// GIF: 256 colours.
    Gif,
    /// Animated WebP: every colour exact, smaller than APNG.
    WebP,
    Mp4,
    /// ProRes 422 HQ in MOV, for editing, by ffmpeg; 4444 if it is transparent.
    ProRes,
    /// VP9 in WebM, by ffmpeg.
    WebM,
}

impl FilmFormat {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.iter().copied().find(|format| format.extension() == extension)
    }

    pub fn extension(self) -> &'static str {
        self.file_kind().extension()
    }

    pub fn file_kind(self) -> &'static FileKind {
        match self {
            Self::Apng => &file_kind::APNG_FILM,
            Self::Gif => &file_kind::GIF_FILM,
            Self::WebP => &file_kind::WEBP_FILM,
            Self::Mp4 => &file_kind::MP4_FILM,
            Self::ProRes => &file_kind::MOV_FILM,
            Self::WebM => &file_kind::WEBM_FILM,
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Apng => "APNG",
            Self::Gif => "GIF",
            Self::WebP => "WebP",
            Self::Mp4 => "MP4 (H.264)",
            Self::ProRes => "MOV (ProRes)",
            Self::WebM => "WebM (VP9)",
        }
    }

    pub fn needs_ffmpeg(self) -> bool {
        match self {
            Self::Apng | Self::Gif | Self::WebP => false,
            Self::Mp4 | Self::ProRes | Self::WebM => true,
        }
    }

    /// Whether it can be transparent. In a GIF, a pixel is transparent or not.
    pub fn has_alpha(self) -> bool {
        match self {
            Self::Apng | Self::Gif | Self::WebP | Self::ProRes | Self::WebM => true,
            Self::Mp4 => false,
        }
    }

    pub(super) fn most_side(self) -> u32 {
        match self {
            Self::Apng | Self::WebP | Self::ProRes | Self::WebM => 16_384,
            // GIF holds more, but no player shows them.
            Self::Gif | Self::Mp4 => 8_192,
        }
    }

    /// Whether sides must be even, because colours are stored for two by two pixels.
    pub(super) fn has_even_sides(self) -> bool {
        match self {
            Self::Mp4 | Self::ProRes | Self::WebM => true,
            Self::Apng | Self::Gif | Self::WebP => false,
        }
    }

    /// About how many bytes a pixel of a frame takes: of heads before the studio's background.
    pub(super) fn bytes_per_pixel(self) -> f64 {
        match self {
            Self::Apng => 0.9,
            Self::Gif => 0.33,
            Self::WebP => 0.7,
            Self::Mp4 => 0.04,
            Self::ProRes => 0.65,
            Self::WebM => 0.035,
        }
    }
}

/// A frame rate as a fraction: frames, and the seconds that they take. The rates of NTSC are exact.
pub(super) fn fraction(rate: FrameRate) -> [u32; 2] {
    let frames_per_sec = rate.frames_per_sec();
    let whole = frames_per_sec.round();
    if is_close(frames_per_sec, whole) {
        return [whole as u32, 1];
    }
    let ntsc = (frames_per_sec * 1.001).round();
    if is_close(frames_per_sec * 1.001, ntsc) {
        return [ntsc as u32 * 1000, 1001];
    }
    [(frames_per_sec * 1000.0).round() as u32, 1000]
}

fn is_close(value: f64, whole: f64) -> bool {
    (value - whole).abs() < 1e-6 * whole
}

/// How long frame `index` is shown, in units of which a second has so many. What is rounded away from one frame is
/// added to the next, so that a film takes as long as what it shows.
pub(super) fn duration(rate: FrameRate, index: usize, units_per_sec: f64) -> u32 {
    let [begin, end] = [index, index + 1].map(|count| (count as f64 / rate.frames_per_sec() * units_per_sec).round());
    (end - begin) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact() {
        let of = |rate| fraction(FrameRate::nearest(rate));
        assert_eq!(
            [of(24.0), of(29.97), of(59.94), of(12.5)],
            [[24, 1], [30_000, 1001], [60_000, 1001], [12_500, 1000]]
        );
        assert_eq!(of(24_000.0 / 1001.0), [24_000, 1001]);
    }

    #[test]
    fn durations_add_up() {
        for rate in [24.0, 29.97, 30.0, 50.0, 59.94].map(FrameRate::nearest) {
            for units in [100.0, 1000.0] {
                let sum: u32 = (0..700).map(|index| duration(rate, index, units)).sum();
                assert!((f64::from(sum) - 700.0 / rate.frames_per_sec() * units).abs() <= 0.5, "{rate:?} {units}");
            }
        }
    }
}
