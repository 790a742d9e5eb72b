//! The forms in which faces are sent.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::names::{Named, Names, camel_case};
use crate::live::protocol::LiveLinkPacket;
use crate::live::sender::{SentFace, finite};
use smirk_face::head::{ARKIT_SHAPES, Turn};
use smirk_face::motion::angle_values;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "lowercase")]
pub enum SendFormat {
    /// Live Link Face, version 6: 61 values.
    LiveLinkFace,
    /// VMC, in which the presets of VRM have the names of VRM 0 (`A`, `Joy`), which most programs know.
    Vmc0,
    /// VMC, in which the presets of VRM have the names of VRM 1 (`aa`, `happy`).
    Vmc1,
    /// The second version of iFacialMocap's text: whole percents.
    IFacialMocap2,
    /// The first version of iFacialMocap's text: whole percents, none negative.
    IFacialMocap1,
}

impl SendFormat {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        match self {
            Self::LiveLinkFace => "Live Link Face",
            Self::Vmc0 => "VMC",
            Self::Vmc1 => "VMC with names of VRM 1",
            Self::IFacialMocap1 => "iFacialMocap, version 1",
            Self::IFacialMocap2 => "iFacialMocap",
        }
    }

    pub fn keyword(self) -> &'static str {
        match self {
            Self::LiveLinkFace => "live-link",
            Self::Vmc0 => "vmc",
            Self::Vmc1 => "vmc-vrm1",
            Self::IFacialMocap1 => "ifacialmocap-v1",
            Self::IFacialMocap2 => "ifacialmocap",
        }
    }

    pub fn port(self) -> u16 {
        match self {
            Self::LiveLinkFace => 11111,
            Self::Vmc0 | Self::Vmc1 => 39539,
            Self::IFacialMocap1 | Self::IFacialMocap2 => 49983,
        }
    }
}

/// The text of a face in a version of the format. Names that would end a part of the text early are left out.
pub(super) fn text(version: u8, names: &Names, face: &SentFace<'_>) -> Vec<u8> {
    let separator = if version == 1 { '-' } else { '&' };
    let mut text = format!("trackingStatus{separator}1|");
    for (name, value) in names.named(face.values) {
        let name = match name {
            Named::Shape(shape) => camel_case(shape, version == 1),
            Named::Other(name) if name.contains(['|', '&', '#', '=']) => continue,
            Named::Other(name) => name.to_owned(),
        };
        // The first version has no negative values.
        let value = if version == 1 { value.max(0.0) } else { value };
        text += &format!("{name}{separator}{}|", (value * 100.0).round() as i32);
    }
    let turns = face.turns.unwrap_or_default();
    let [left, right] = turns.eyes.map(degrees);
    text += &format!("=head#{},0,0,0|rightEye#{right}|leftEye#{left}|", degrees(turns.head));
    text.into_bytes()
}

fn degrees(turn: Turn) -> String {
    let [pitch, yaw, roll] = [turn.pitch, turn.yaw, turn.roll].map(|angle| finite(angle.to_degrees()));
    format!("{pitch},{yaw},{roll}")
}

/// The id of the device. It has 36 characters, since programs that do not read the length in the packet know no other
/// ids.
const DEVICE: &str = "536d6972-6b00-4000-8000-000000000001";
const FRAMES_PER_SEC: i32 = 60;
/// Frames are counted from midnight.
const DAY_SECS: f64 = 86_400.0;

pub(super) fn packet(subject: &str, names: &Names, face: &SentFace<'_>) -> Vec<u8> {
    let columns = LiveLinkPacket::columns();
    let angles = angle_values(&face.turns.unwrap_or_default());
    let shapes: Vec<f32> = names.shapes(face.values).collect();
    let values = std::array::from_fn(|column| {
        let shape = ARKIT_SHAPES.iter().position(|shape| *shape == columns[column]);
        finite(shape.map_or_else(|| angles[column - ARKIT_SHAPES.len()], |shape| shapes[shape]))
    });
    let secs = if face.time_secs.is_finite() { face.time_secs.rem_euclid(DAY_SECS) } else { 0.0 };
    let frames = secs * f64::from(FRAMES_PER_SEC);
    let packet = LiveLinkPacket {
        version: 6,
        device: DEVICE,
        subject,
        frame: frames.floor() as i32,
        sub_frame: frames.fract() as f32,
        rate: [FRAMES_PER_SEC, 1],
        values: Some(values),
    };
    packet.to_bytes()
}
