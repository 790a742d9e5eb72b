//! The columns of a capture: all channels, and the angles of the head and the eyes if they move.

use super::super::recording::Recording;
use smirk_face::head::{FaceTurns, canonical_name};
use smirk_face::motion::{ANGLE_COLUMNS, Angle};

/// The value of an angle of [`ANGLE_COLUMNS`], in radians with the signs of Live Link Face.
pub(super) fn angle(name: &str, turns: &FaceTurns) -> f32 {
    Angle::of_column(name).map_or(0.0, |angle| angle.value(turns))
}

/// The columns of a capture, with values frame by frame.
pub(super) struct Columns<'a> {
    pub names: Vec<&'a str>,
    recording: &'a Recording,
    /// The angles that follow the channels.
    angles: Vec<&'static str>,
}

impl<'a> Columns<'a> {
    /// All channels, by full name; then the angles, if the head or an eye turns, of which the head has no channel.
    pub(super) fn of(recording: &'a Recording) -> Self {
        let performance = &recording.performance;
        let channels: Vec<&str> = performance.channels.iter().map(String::as_str).collect();
        let is_channel = |name: &str| channels.iter().any(|channel| canonical_name(channel) == canonical_name(name));
        let angles: Vec<&str> =
            ANGLE_COLUMNS.into_iter().filter(|name| recording.has_turns() && !is_channel(name)).collect();
        let names = channels.iter().copied().chain(angles.iter().copied()).collect();
        Self { names, recording, angles }
    }

    /// The values at a frame, in the order of the names.
    pub(super) fn frame(&self, frame: usize) -> impl Iterator<Item = f32> {
        let performance = &self.recording.performance;
        let turns = &performance.turns[frame];
        let angles = self.angles.iter().map(|name| angle(name, turns));
        performance.frame(frame).iter().copied().chain(angles)
    }

    /// The values of a column at all frames.
    pub(super) fn column(&self, column: usize) -> Vec<f32> {
        let channels = self.recording.performance.channels.len();
        let value = |frame: usize| match column.checked_sub(channels) {
            None => self.recording.performance.frame(frame)[column],
            Some(at) => angle(self.angles[at], &self.recording.performance.turns[frame]),
        };
        (0..self.recording.frame_count()).map(value).collect()
    }
}
