//! What every picture of an export shows, whatever the moment.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::blend::BlendMode;
use crate::scene::{Camera, Quality};
use crate::session::Session;

/// What every picture of an export shows, whatever the moment.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureSettings {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples that are accumulated for soft shadows and smooth edges; with 0, the picture is that of a moving head.
    pub samples: u32,
    /// The camera. Side by side, each half of the picture is seen through it.
    pub camera: Camera,
    /// Seconds in which the camera goes once around the head, by the time of the timeline; `None` if it stands still. Two processes
    /// that draw parts of a turn therefore draw what one process would.
    pub turn_secs: Option<f32>,
    /// The blend mode.
    pub mode: BlendMode,
    /// Whether the picture is transparent where no part of the head covers it.
    pub is_transparent: bool,
    /// What is written on the picture.
    pub labels: Labels,
    /// Whether the left half shows the session, A, and the right half B, what it is compared with.
    pub is_compared: bool,
}

/// What is written on a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Labels {
    /// The names of the head and of what plays; side by side, those of A and B.
    pub name: bool,
    /// Timecode and number of the frame.
    pub time: bool,
    /// The channels that are not at rest, with their values.
    pub rows: bool,
}

impl Labels {
    /// All of them.
    pub const ALL: Self = Self { name: true, time: true, rows: true };

    /// Whether anything is written.
    pub fn is_any(self) -> bool {
        self != Self::default()
    }
}

/// Why there are no such pictures.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PictureError {
    /// The picture would be larger than other programs can open.
    #[error(
        "a picture of {width}×{height} pixels is too large: it may have {most_side} pixels a side and {most_millions} million in all",
        most_side = PictureSettings::MOST_SIDE, most_millions = PictureSettings::MOST_PIXELS / 1_000_000
    )]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The picture would have no pixels.
    #[error("a picture needs a width and a height of one pixel at least, and two side by side a width of two")]
    Empty,
    /// Only refined pictures know what the head covers.
    #[error("a transparent background needs samples: at least 1")]
    TransparentWithoutSamples,
    /// There is no B.
    #[error("{0}")]
    NothingToCompare(&'static str),
    /// B is another head.
    #[error("two versions of a head are not exported side by side; smirk render --compare draws them")]
    Version,
}

impl PictureSettings {
    /// The longest side in pixels.
    pub const MOST_SIDE: u32 = 16_384;
    /// The most pixels: half a gigabyte while it is written.
    pub const MOST_PIXELS: u64 = 1 << 27;

    /// An error if there are no such pictures of a session.
    pub fn check(&self, session: &Session) -> Result<(), PictureError> {
        let [width, height] = self.size;
        if width < 1 + u32::from(self.is_compared) || height == 0 {
            return Err(PictureError::Empty);
        }
        if width.max(height) > Self::MOST_SIDE || u64::from(width) * u64::from(height) > Self::MOST_PIXELS {
            return Err(PictureError::TooLarge { width, height });
        }
        if self.is_transparent && self.samples == 0 {
            return Err(PictureError::TransparentWithoutSamples);
        }
        if self.is_compared && session.version_as_b().is_some() {
            return Err(PictureError::Version);
        }
        if self.is_compared && !session.has_b() {
            return Err(PictureError::NothingToCompare(session.compared_with.why_none()));
        }
        Ok(())
    }

    /// The number of pixels of a picture.
    pub fn pixels(&self) -> u64 {
        u64::from(self.size[0]) * u64::from(self.size[1])
    }

    /// Width divided by height of what the camera sees: of a half of the picture, side by side.
    pub fn aspect(size: [u32; 2], is_compared: bool) -> f32 {
        let width = if is_compared { size[0] as f32 * 0.5 } else { size[0] as f32 };
        width / size[1].max(1) as f32
    }

    pub(super) fn quality(&self) -> Quality {
        Quality::refined(self.samples)
    }

    /// The camera at a time of the timeline.
    pub(super) fn camera_at(&self, secs: f64) -> Camera {
        let turns = self.turn_secs.filter(|turn| *turn > 0.0).map_or(0.0, |turn| secs / f64::from(turn));
        let turned = f64::from(self.camera.yaw) + turns.fract() * std::f64::consts::TAU;
        Camera { yaw: if turns == 0.0 { self.camera.yaw } else { turned as f32 }, ..self.camera }
    }
}
