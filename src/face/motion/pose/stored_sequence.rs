//! A sequence as projects store it. Projects of earlier versions have one length for all poses and a clock of its own.

use serde::{Deserialize, Serialize};

use super::{PoseId, SequenceWrap};

/// The stored form. Versions that know no times of single poses read the length.
#[derive(Deserialize, Serialize)]
#[serde(default)]
pub(super) struct StoredSequence {
    pub(super) enabled: bool,
    pub(super) poses: Vec<PoseId>,
    /// For each pose, how long it is held and how long it blends into the next. Absent in earlier versions.
    pub(super) times_secs: Option<Vec<[f32; 2]>>,
    /// The time for all poses.
    pub(super) loop_secs: f32,
    pub(super) wrap: SequenceWrap,
    /// Absent in earlier versions, in which every sequence had a clock of its own.
    pub(super) own_clock: Option<bool>,
}

impl Default for StoredSequence {
    fn default() -> Self {
        Self {
            enabled: false,
            poses: Vec::new(),
            times_secs: None,
            loop_secs: 4.0,
            wrap: SequenceWrap::default(),
            own_clock: None,
        }
    }
}
