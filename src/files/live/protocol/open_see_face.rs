//! OpenSeeFace: one record of 1785 bytes per face, little-endian.
//!
//! It tracks 68 landmarks with a webcam and sends no blend shapes. Its 14 features and two lids are measures of a face
//! that it has calibrated; these are mapped to the shapes that mean the same, and to no others:
//!
//! | measure | shapes |
//! |---|---|
//! | 1 − eye open | `eyeBlink` of the side |
//! | eye, above 0 | `eyeWide` of the side |
//! | brow up or down | above 0 `browOuterUp`, below 0 `browDown` of the side; the mean of both sides above 0 `browInnerUp` |
//! | corner of the mouth up or down | above 0 `mouthSmile`, below 0 `mouthFrown` of the side |
//! | mouth open | `jawOpen` |
//! | mouth wide | above 0 `mouthStretch` of both sides, below 0 `mouthPucker` |
//!
//! The steepness and the quirk of the brows and the corners of the mouth in or out have no counterpart. The rotation of
//! the head is OpenCV's, in the axes of the image; it is converted as OpenSeeFace's own script for Unity does it
//! (`OpenSeeIKTarget.cs`), with the rest that the script assumes before it is calibrated.

use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::Quat;

use super::columns::{HEAD_ANGLES, head_angles};
use super::osc::turn_of_unity;
use super::{Bytes, PacketError};
use crate::live::LiveFrame;
use smirk_face::head::Turn;

const RECORD_BYTES: usize = 1785;
const MAX_FACES: usize = 36;
/// The bytes between the rotation and the features: Euler angles, translation, confidences, points and points in space.
const UNREAD_BYTES: usize = 4 * (3 + 3 + 68 + 2 * 68 + 3 * 70);

const COLUMNS: [&str; 17] = [
    "eyeBlinkLeft",
    "eyeBlinkRight",
    "eyeWideLeft",
    "eyeWideRight",
    "browInnerUp",
    "browOuterUpLeft",
    "browOuterUpRight",
    "browDownLeft",
    "browDownRight",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthPucker",
    "jawOpen",
];

/// One face of a packet of OpenSeeFace. Of pairs the first is the left one, unless said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenSeeFace {
    pub time_secs: f64,
    pub id: i32,
    /// Width and height of the picture of the camera.
    pub size: [f32; 2],
    /// How open the right eye is, then the left one, from 0 to 1.
    pub eyes_open: [f32; 2],
    /// Whether the landmarks fit a head in space.
    pub is_fitted: bool,
    /// The rotation of the head as OpenCV gives it: x, y, z and w of a quaternion, which may be no rotation if nothing
    /// fits.
    pub rotation: [f32; 4],
    /// The 14 features: the eyes; steepness, up or down, and quirk of the left brow, then of the right one; up or down,
    /// and in or out, of the left corner of the mouth, then of the right one; mouth open; mouth wide.
    pub features: [f32; 14],
}

impl OpenSeeFace {
    pub fn read(packet: &[u8]) -> Result<Vec<Self>, PacketError> {
        if packet.is_empty() || !packet.len().is_multiple_of(RECORD_BYTES) {
            return Err(PacketError::Length { found: packet.len(), unit: RECORD_BYTES });
        }
        let count = packet.len() / RECORD_BYTES;
        if count > MAX_FACES {
            let (found, most) = (count as u64, MAX_FACES as u64);
            return Err(PacketError::Limit { field: "the number of faces", found, most });
        }
        packet.chunks_exact(RECORD_BYTES).map(|record| Self::read_one(Bytes(record))).collect()
    }

    fn read_one(mut bytes: Bytes<'_>) -> Result<Self, PacketError> {
        let time_secs = f64::from_le_bytes(bytes.array("the time")?);
        let id = i32::from_le_bytes(bytes.array("the number of the face")?);
        let mut number = |field: &'static str| {
            let number = f32::from_le_bytes(bytes.array(field)?);
            if number.is_finite() { Ok(number) } else { Err(PacketError::NotFinite { column: field.to_owned() }) }
        };
        let size = [number("the width")?, number("the height")?];
        let eyes_open = [number("the right eye")?, number("the left eye")?];
        if !time_secs.is_finite() {
            return Err(PacketError::NotFinite { column: "the time".into() });
        }
        let is_fitted = bytes.byte("the flag of the fit")? != 0;
        bytes.take("the error of the fit", 4)?;
        let mut rotation = [0.0; 4];
        for number in &mut rotation {
            *number = f32::from_le_bytes(bytes.array("the rotation")?);
        }
        bytes.take("the landmarks", UNREAD_BYTES)?;
        let mut features = [0.0; 14];
        for feature in &mut features {
            *feature = f32::from_le_bytes(bytes.array("the features")?);
            if !feature.is_finite() {
                return Err(PacketError::NotFinite { column: "the features".into() });
            }
        }
        bytes.end()?;
        Ok(Self { time_secs, id, size, eyes_open, is_fitted, rotation, features })
    }

    fn head(&self) -> Turn {
        let [x, y, z, w] = self.rotation;
        turn_of_unity(Quat::from_xyzw(-y, -x, z, w) * Quat::from_rotation_z(-FRAC_PI_2))
    }

    /// The shapes that the measures mean, in the order of [`COLUMNS`].
    fn shapes(&self) -> [f32; COLUMNS.len()] {
        let [right_open, left_open] = self.eyes_open;
        let [left_eye, right_eye, _, left_brow, _, _, right_brow, _, left_corner, _, right_corner, _, open, wide] =
            self.features;
        [
            up(1.0 - left_open),
            up(1.0 - right_open),
            up(left_eye),
            up(right_eye),
            (up(left_brow) + up(right_brow)) / 2.0,
            up(left_brow),
            up(right_brow),
            down(left_brow),
            down(right_brow),
            up(left_corner),
            up(right_corner),
            down(left_corner),
            down(right_corner),
            up(wide),
            up(wide),
            down(wide),
            up(open),
        ]
    }
}

fn up(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}

fn down(value: f32) -> f32 {
    up(-value)
}

#[derive(Debug)]
pub(super) struct OpenSeeFaceDecoder {
    columns: Arc<[String]>,
}

impl Default for OpenSeeFaceDecoder {
    fn default() -> Self {
        Self { columns: COLUMNS.into_iter().chain(HEAD_ANGLES).map(str::to_owned).collect() }
    }
}

impl OpenSeeFaceDecoder {
    /// The frames of a packet, one per face.
    pub(super) fn decode(&mut self, packet: &[u8]) -> Result<Vec<LiveFrame>, PacketError> {
        Ok(OpenSeeFace::read(packet)?
            .into_iter()
            .map(|face| LiveFrame {
                subject: format!("face {}", face.id).into(),
                time_secs: Some(face.time_secs),
                is_tracked: face.is_fitted,
                columns: self.columns.clone(),
                values: face.shapes().into_iter().chain(head_angles(face.head())).collect(),
            })
            .collect())
    }
}
