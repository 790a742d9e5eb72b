//! VTube Studio on iOS, and MeowFace on Android: one JSON object per frame.
//!
//! Shapes are read by name, since the two apps differ in names, number and order. Rotations are degrees. In `Rotation`,
//! x is the yaw and y the pitch: programs that turn iFacialMocap's frames into these swap the two. In `EyeLeft` and
//! `EyeRight` x is the pitch, as in iFacialMocap.

use serde::Deserialize;

use super::PacketError;
use super::columns::{NamedValues, SharedColumns, turn_of_degrees};
use crate::live::LiveFrame;
use smirk_face::head::Turn;

/// A message of the phone. Other fields are ignored: the definition of the format allows for more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Message {
    /// Milliseconds since 1970.
    timestamp: Option<f64>,
    face_found: bool,
    rotation: Option<Angles>,
    eye_left: Option<Angles>,
    eye_right: Option<Angles>,
    #[serde(default)]
    blend_shapes: Vec<Shape>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Angles {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Debug, Deserialize)]
struct Shape {
    k: String,
    v: f32,
}

impl Angles {
    fn of_eye(self) -> Result<Turn, PacketError> {
        turn_of_degrees(self.x, self.y, self.z)
    }
}

#[derive(Debug, Default)]
pub(super) struct VTubeStudioDecoder {
    columns: SharedColumns,
}

impl VTubeStudioDecoder {
    pub(super) fn decode(&mut self, packet: &[u8]) -> Result<LiveFrame, PacketError> {
        let message: Message = serde_json::from_slice(packet)?;
        let mut values = NamedValues::default();
        for shape in &message.blend_shapes {
            values.push(&shape.k, shape.v)?;
        }
        if let Some(Angles { x, y, z }) = message.rotation {
            values.push_head(turn_of_degrees(y, x, z)?)?;
        }
        if let (Some(left), Some(right)) = (message.eye_left, message.eye_right) {
            values.push_eyes([left.of_eye()?, right.of_eye()?])?;
        }
        let (columns, values) = self.columns.share(&values);
        let time_secs = message.timestamp.map(|millis| millis / 1000.0);
        Ok(LiveFrame { subject: "".into(), time_secs, is_tracked: message.face_found, columns, values })
    }
}
