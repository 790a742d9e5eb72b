//! A sound on the timeline.

use std::ops::Not;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{FileRef, Session};
use smirk_face::motion::{FrameRate, TimeChange};

/// A sound file on the timeline. Its samples stay in the file, and are decoded by the window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SoundTrack {
    pub file: FileRef,
    /// Where it begins on the timeline; before 0, its start is not heard.
    pub offset_secs: f32,
    /// How long it is, so that the timeline is as long without the file.
    pub duration_secs: f32,
    /// Whether it was being recorded when it was saved: then it is only there if something was heard.
    #[serde(skip_serializing_if = "Not::not")]
    pub is_growing: bool,
}

impl SoundTrack {
    /// The largest offset, before or after the start of the timeline.
    pub const MOST_OFFSET_SECS: f32 = 3600.0;

    /// A sound that begins with the timeline.
    pub fn new(file: &Path, duration_secs: f32) -> Self {
        Self { file: FileRef::new(file), duration_secs, ..Self::default() }
    }

    pub fn growing(file: &Path) -> Self {
        Self { is_growing: true, ..Self::new(file, 0.0) }
    }

    /// The same sound with numbers that make sense: those of a file may be any.
    #[must_use]
    pub fn within_reason(self) -> Self {
        /// No sound in memory is longer.
        const LONGEST_SECS: f32 = 1e6;
        let duration_secs = if self.duration_secs > 0.0 { self.duration_secs.min(LONGEST_SECS) } else { 0.0 };
        let offset_secs = self.offset_secs;
        Self { duration_secs, ..self }.at(offset_secs)
    }

    /// The same sound, with an offset within reason.
    #[must_use]
    pub fn at(self, offset_secs: f32) -> Self {
        let most = Self::MOST_OFFSET_SECS;
        let offset_secs = if offset_secs.is_nan() { 0.0 } else { offset_secs.clamp(-most, most) };
        Self { offset_secs, ..self }
    }

    pub fn end_secs(&self) -> f32 {
        self.offset_secs + self.duration_secs
    }

    /// Where it is after a change of time. What is changed in the middle of it stays as it was recorded; time before
    /// it, and time that is deleted from the start of the timeline, moves it.
    #[must_use]
    pub(crate) fn rippled(self, change: TimeChange) -> Self {
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

impl Session {
    /// The sound that belongs to what plays: that of the take, or, if it has none, that of the timeline.
    pub fn sound(&self) -> Option<&SoundTrack> {
        self.take().and_then(|entry| entry.sound.as_ref()).or(self.edits.sound.as_ref())
    }

    /// What the sound belongs to, in words.
    pub fn sound_owner(&self) -> String {
        match self.take().filter(|entry| entry.sound.is_some()) {
            Some(entry) => format!("take {}", entry.take.name),
            None => "the timeline".into(),
        }
    }

    /// The frame rate in which the offset of the sound is shown: that of the take, else of the timeline.
    pub fn sound_rate(&self) -> FrameRate {
        let of_take = self.take().and_then(|entry| entry.take.frames_per_sec);
        of_take.map_or(self.edits.timeline.rate, |rate| FrameRate::nearest(rate.into()))
    }
}
