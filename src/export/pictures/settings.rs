//! What every picture of an export shows, whatever the moment.

use serde::{Deserialize, Serialize};

use crate::ExportError;
use smirk_files::reference::Footage;
use smirk_scene::{BlendMode, Camera, Quality};
use smirk_session::{ReferencePlace, Session};

/// How A, what a session shows, and B, what it is compared with, are on one picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TwoFaces {
    Beside,
    /// B over A, with an opacity from 0 to 1.
    Over(f32),
}

/// What every picture of an export shows, whatever the moment.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureSettings {
    pub size: [u32; 2],
    /// Samples that are accumulated for soft shadows and smooth edges; with 0, the picture is that of a moving head.
    pub samples: u32,
    pub camera: Camera,
    /// Seconds in which the camera goes once around the head, by the time of the timeline; `None` if it stands still.
    /// Two processes that draw parts of a turn therefore draw what one process would.
    pub turn_secs: Option<f32>,
    pub mode: BlendMode,
    /// Whether the picture is transparent where no part of the head covers it.
    pub is_transparent: bool,
    pub labels: Labels,
    /// How what the session is compared with is on the picture too; `None` if it is not.
    pub compared: Option<TwoFaces>,
    /// Whether the reference of the session is on the picture, beside the face or over it, as the session says.
    pub with_reference: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Labels {
    /// The names of the head and of what plays; side by side, those of A and B.
    pub name: bool,
    pub time: bool,
    pub rows: bool,
}

impl Labels {
    pub fn is_any(self) -> bool {
        self != Self::default()
    }
}

impl PictureSettings {
    /// The longest side in pixels.
    pub const MOST_SIDE: u32 = 16_384;
    /// The most pixels: half a gigabyte while it is written.
    pub const MOST_PIXELS: u64 = 1 << 27;

    pub fn check(&self, session: &Session) -> Result<(), ExportError> {
        let [width, height] = self.size;
        if width < Self::parts(session, self.compared, self.with_reference) || height == 0 {
            return Err(ExportError::Usage(
                "a picture needs a width and a height of one pixel at least, and a width of one more for each picture beside it"
                    .into(),
            ));
        }
        if width.max(height) > Self::MOST_SIDE || u64::from(width) * u64::from(height) > Self::MOST_PIXELS {
            return Err(usage!(
                "a picture of {width}×{height} pixels is too large: it may have {} pixels a side and {} million in all",
                Self::MOST_SIDE,
                Self::MOST_PIXELS / 1_000_000
            ));
        }
        // Only refined pictures know what the head covers.
        if self.is_transparent && self.samples == 0 {
            return Err(ExportError::Usage("a transparent background needs samples: at least 1".into()));
        }
        if self.with_reference && session.edits.reference.is_none() {
            return Err(ExportError::Failed(
                "no reference is open: choose an image, or a folder with the frames of a video".into(),
            ));
        }
        if self.compared.is_some() && !session.b().exists() {
            return Err(ExportError::Failed(session.compared_with.why_none().into()));
        }
        Ok(())
    }

    pub fn pixels(&self) -> u64 {
        u64::from(self.size[0]) * u64::from(self.size[1])
    }

    pub(super) fn reference_images(&self, session: &Session) -> Result<Option<Footage>, ExportError> {
        let reference = session.edits.reference.as_ref().filter(|_| self.with_reference);
        let opened = reference.map(|reference| Footage::open(&reference.file));
        opened.transpose().map_err(|error| ExportError::Failed(error.to_string()))
    }

    /// How many pictures are side by side: that of the face, that of B, and the reference before them, if they are
    /// beside it.
    pub fn parts(session: &Session, compared: Option<TwoFaces>, with_reference: bool) -> u32 {
        let reference = session.edits.reference.as_ref().filter(|_| with_reference);
        let is_beside = reference.is_some_and(|reference| reference.place == ReferencePlace::Beside);
        1 + u32::from(is_beside) + u32::from(compared == Some(TwoFaces::Beside))
    }

    /// Width divided by height of what the camera sees, in a picture with so many parts side by side.
    pub fn aspect(size: [u32; 2], parts: u32) -> f32 {
        size[0] as f32 / parts as f32 / size[1].max(1) as f32
    }

    pub(super) fn quality(&self) -> Quality {
        Quality::refined(self.samples)
    }

    pub(super) fn camera_at(&self, secs: f64) -> Camera {
        let turns = self.turn_secs.filter(|turn| *turn > 0.0).map_or(0.0, |turn| secs / f64::from(turn));
        let turned = f64::from(self.camera.yaw) + turns.fract() * std::f64::consts::TAU;
        Camera { yaw: if turns == 0.0 { self.camera.yaw } else { turned as f32 }, ..self.camera }
    }
}
