//! One moment of a face.

use smirk_face::head::FaceTurns;

/// One moment of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentFace<'a> {
    /// A value per name that the sender was made with, of which 1 is the whole shape.
    pub values: &'a [f32],
    /// The turns of the head and of the eyes, if they are known.
    pub turns: Option<FaceTurns>,
    /// The time of the moment in seconds, from any origin.
    pub time_secs: f64,
}

/// A value that can be sent.
pub(super) fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
