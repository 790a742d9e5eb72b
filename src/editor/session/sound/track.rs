//! A sound on the timeline.

use std::path::Path;
use std::sync::Arc;

use smirk_face::motion::TimeChange;

/// A sound file on the timeline. Its samples stay in the file, and are decoded by the window.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundTrack {
    /// The file.
    pub file: Arc<Path>,
    /// Where it begins on the timeline; before 0, its start is not heard.
    pub offset_secs: f32,
    /// How long it is.
    pub duration_secs: f32,
}

impl SoundTrack {
    /// The largest offset, before or after the start of the timeline.
    pub const MOST_OFFSET_SECS: f32 = 3600.0;

    /// A sound that begins with the timeline.
    pub fn new(file: &Path, duration_secs: f32) -> Self {
        Self { file: file.into(), offset_secs: 0.0, duration_secs }
    }

    /// The same sound, with an offset within reason.
    #[must_use]
    pub fn at(self, offset_secs: f32) -> Self {
        let most = Self::MOST_OFFSET_SECS;
        let offset_secs = if offset_secs.is_nan() { 0.0 } else { offset_secs.clamp(-most, most) };
        Self { offset_secs, ..self }
    }

    /// Where it ends on the timeline.
    pub fn end_secs(&self) -> f32 {
        self.offset_secs + self.duration_secs
    }

    /// Where it is after a change of time. What is changed in the middle of it stays as it was recorded; time before it, and time that is
    /// deleted from the start of the timeline, moves it.
    #[must_use]
    pub(in crate::session) fn rippled(self, change: TimeChange) -> Self {
        let offset_secs = self.offset_secs;
        let at_secs = match change {
            TimeChange::Insert { at_secs, .. } => at_secs,
            TimeChange::Delete { from_secs, .. } => from_secs,
        };
        if at_secs > offset_secs.max(0.0) {
            return self;
        }
        self.at(match change {
            TimeChange::Insert { secs, .. } => offset_secs + secs,
            TimeChange::Delete { from_secs, to_secs } => offset_secs - (to_secs - from_secs),
        })
    }
}
