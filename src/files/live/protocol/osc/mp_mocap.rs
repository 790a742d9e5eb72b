//! MPMoCap and Phiz, which track in a browser: 52 floats in an order of their own, and rotations as quaternions in axes
//! that are those of [`Turn`] (right-handed, y up, z forward).

use std::sync::Arc;

use glam::Quat;

use super::super::PacketError;
use super::floats;
use crate::live::LiveFrame;
use crate::live::osc::Message;
use smirk_face::head::{FaceTurns, Turn};
use smirk_face::motion::{ANGLE_COLUMNS, angle_values};

const SHAPES: [&str; 52] = [
    "browInnerUp",
    "browDownLeft",
    "browDownRight",
    "browOuterUpLeft",
    "browOuterUpRight",
    "eyeLookUpLeft",
    "eyeLookUpRight",
    "eyeLookDownLeft",
    "eyeLookDownRight",
    "eyeLookInLeft",
    "eyeLookInRight",
    "eyeLookOutLeft",
    "eyeLookOutRight",
    "eyeBlinkLeft",
    "eyeBlinkRight",
    "eyeSquintLeft",
    "eyeSquintRight",
    "eyeWideLeft",
    "eyeWideRight",
    "cheekPuff",
    "cheekSquintLeft",
    "cheekSquintRight",
    "noseSneerLeft",
    "noseSneerRight",
    "mouthFunnel",
    "mouthPucker",
    "mouthRollUpper",
    "mouthRollLower",
    "mouthShrugUpper",
    "mouthShrugLower",
    "mouthClose",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthDimpleLeft",
    "mouthDimpleRight",
    "mouthUpperUpLeft",
    "mouthUpperUpRight",
    "mouthLowerDownLeft",
    "mouthLowerDownRight",
    "mouthPressLeft",
    "mouthPressRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthLeft",
    "mouthRight",
    "jawOpen",
    "jawForward",
    "jawLeft",
    "jawRight",
    "tongueOut",
];

const BLEND_SHAPES: &str = "/mpmocap/blendshapes";
const HEAD: &str = "/mpmocap/headRotation";
const EYES: [&str; 2] = ["/mpmocap/leftEyeRotation", "/mpmocap/rightEyeRotation"];

pub(super) enum MpMocap {
    Shapes(Box<[f32; 52]>),
    Head(Turn),
    /// Of the actor's own left eye (0) or of the right one (1).
    Eye(usize, Turn),
}

impl MpMocap {
    pub(super) fn is_address(address: &str) -> bool {
        address == BLEND_SHAPES || address == HEAD || EYES.contains(&address)
    }

    pub(super) fn from_message(message: &Message) -> Result<Self, PacketError> {
        let address = message.address.as_str();
        if address == BLEND_SHAPES {
            return Ok(Self::Shapes(Box::new(floats(message, 0, "52 floats")?)));
        }
        let rotation = Quat::from_array(floats(message, 0, "four floats")?);
        let is_rotation = rotation.length().is_finite() && rotation.length() > 0.0;
        let turn = if is_rotation { Turn::of_rotation(rotation.normalize()) } else { Turn::NONE };
        let side = EYES.iter().position(|eye| *eye == address);
        Ok(side.map_or(Self::Head(turn), |side| Self::Eye(side, turn)))
    }
}

#[derive(Debug)]
pub(super) struct MpMocapDecoder {
    columns: Arc<[String]>,
    turns: FaceTurns,
}

impl Default for MpMocapDecoder {
    fn default() -> Self {
        let columns = SHAPES.into_iter().chain(ANGLE_COLUMNS).map(str::to_owned).collect();
        Self { columns, turns: FaceTurns::NONE }
    }
}

impl MpMocapDecoder {
    pub(super) fn take(&mut self, message: MpMocap) -> Option<LiveFrame> {
        match message {
            MpMocap::Head(turn) => self.turns.head = turn,
            MpMocap::Eye(side, turn) => self.turns.eyes[side] = turn,
            MpMocap::Shapes(shapes) => {
                let values = shapes.into_iter().chain(angle_values(&self.turns)).collect();
                let columns = self.columns.clone();
                return Some(LiveFrame { subject: "".into(), time_secs: None, is_tracked: true, columns, values });
            }
        }
        None
    }
}
