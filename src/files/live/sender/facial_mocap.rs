//! The text of iFacialMocap.

use super::names::{Named, Names, camel_case};
use crate::live::sender::{SentFace, finite};
use smirk_face::head::Turn;

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
    let degrees = |turn: Turn| {
        let [pitch, yaw, roll] = [turn.pitch, turn.yaw, turn.roll].map(|angle| finite(angle.to_degrees()));
        format!("{pitch},{yaw},{roll}")
    };
    let [left, right] = turns.eyes.map(degrees);
    text += &format!("=head#{},0,0,0|rightEye#{right}|leftEye#{left}|", degrees(turns.head));
    text.into_bytes()
}
