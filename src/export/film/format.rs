//! The formats of films.

use std::path::Path;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

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

/// How much of a picture a film keeps, where its format leaves something out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum FilmQuality {
    Low,
    Medium,
    #[default]
    High,
    Highest,
}

impl FilmQuality {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn keyword(self) -> &'static str {
        self.into()
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
            Self::Highest => "Highest",
        }
    }

    /// The one of four values, from the lowest to the highest quality, that is for this quality.
    pub(super) fn of_four<T: Copy>(self, values: [T; 4]) -> T {
        values[self as usize]
    }
}

impl FilmFormat {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn from_path(path: &Path) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.file_kind().matches(path))
    }

    pub fn extension(self) -> &'static str {
        self.file_kind().extension()
    }

    pub fn file_kind(self) -> &'static FileKind {
        self.traits().file_kind
    }

    pub fn label(self) -> &'static str {
        self.traits().label
    }

    pub fn needs_ffmpeg(self) -> bool {
        self.traits().needs_ffmpeg
    }

    /// Whether a film of this format has a [`FilmQuality`]; the others keep the colours that they can show.
    pub fn has_quality(self) -> bool {
        self.needs_ffmpeg()
    }

    /// About how many times the bytes of high quality a film takes.
    pub(super) fn size_at(self, quality: FilmQuality) -> f64 {
        match self {
            Self::Apng | Self::Gif | Self::WebP => 1.0,
            Self::Mp4 | Self::WebM => quality.of_four([0.2, 0.45, 1.0, 2.5]),
            Self::ProRes => quality.of_four([0.15, 0.45, 1.0, 1.4]),
        }
    }

    pub fn has_alpha(self) -> bool {
        self.traits().has_alpha
    }

    pub(super) fn traits(self) -> Traits {
        match self {
            Self::Apng => Traits::new("APNG", &file_kind::APNG_FILM, 0.9),
            // It holds larger ones, but no player shows them.
            Self::Gif => Traits { most_side: 8_192, ..Traits::new("GIF", &file_kind::GIF_FILM, 0.33) },
            Self::WebP => Traits::new("WebP", &file_kind::WEBP_FILM, 0.7),
            Self::Mp4 => Traits {
                has_alpha: false,
                most_side: 8_192,
                ..Traits::by_ffmpeg("MP4 (H.264)", &file_kind::MP4_FILM, 0.04)
            },
            Self::ProRes => Traits::by_ffmpeg("MOV (ProRes)", &file_kind::MOV_FILM, 0.65),
            Self::WebM => Traits::by_ffmpeg("WebM (VP9)", &file_kind::WEBM_FILM, 0.035),
        }
    }
}

/// What the formats differ in.
pub(super) struct Traits {
    label: &'static str,
    file_kind: &'static FileKind,
    /// About how many bytes a pixel of a frame takes: of heads before the studio's background.
    pub bytes_per_pixel: f64,
    needs_ffmpeg: bool,
    /// Whether it can be transparent. In a GIF, a pixel is transparent or not.
    has_alpha: bool,
    pub most_side: u32,
}

impl Traits {
    fn new(label: &'static str, file_kind: &'static FileKind, bytes_per_pixel: f64) -> Self {
        Self { label, file_kind, bytes_per_pixel, needs_ffmpeg: false, has_alpha: true, most_side: 16_384 }
    }

    fn by_ffmpeg(label: &'static str, file_kind: &'static FileKind, bytes_per_pixel: f64) -> Self {
        Self { needs_ffmpeg: true, ..Self::new(label, file_kind, bytes_per_pixel) }
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
