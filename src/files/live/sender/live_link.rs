//! Live Link Face, version 6.

use super::names::Names;
use crate::live::protocol::LiveLinkPacket;
use crate::live::sender::{SentFace, finite};
use smirk_face::head::ARKIT_SHAPES;
use smirk_face::motion::angle_values;

/// The id of the device. It has 36 characters, since programs that do not read the length in the packet know no other ids.
const DEVICE: &str = "536d6972-6b00-4000-8000-000000000001";
const FRAMES_PER_SEC: i32 = 60;
/// Frames are counted from midnight.
const DAY_SECS: f64 = 86_400.0;

/// The packet of a face.
pub(super) fn packet(subject: &str, names: &Names, face: &SentFace<'_>) -> Vec<u8> {
    let columns = LiveLinkPacket::columns();
    let angles = angle_values(&face.turns.unwrap_or_default());
    let shapes: Vec<f32> = names.shapes(face.values).collect();
    let value = |column: usize| {
        let shape = ARKIT_SHAPES.iter().position(|shape| *shape == columns[column]);
        shape.map_or_else(|| angles[column - ARKIT_SHAPES.len()], |shape| shapes[shape])
    };
    let secs = if face.time_secs.is_finite() { face.time_secs.rem_euclid(DAY_SECS) } else { 0.0 };
    let frames = secs * f64::from(FRAMES_PER_SEC);
    let packet = LiveLinkPacket {
        version: 6,
        device: DEVICE,
        subject,
        frame: frames.floor() as i32,
        sub_frame: frames.fract() as f32,
        rate: [FRAMES_PER_SEC, 1],
        values: Some(std::array::from_fn(|column| finite(value(column)))),
    };
    packet.to_bytes()
}
