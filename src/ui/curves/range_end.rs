//! The ends of the range that plays.

use crate::session::Session;

/// An end of the range that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RangeEnd {
    /// Where playback starts.
    In,
    /// Where playback ends.
    Out,
}

impl RangeEnd {
    pub(super) const BOTH: [Self; 2] = [Self::In, Self::Out];

    /// Its name on the screen.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::In => "In point",
            Self::Out => "Out point",
        }
    }

    /// Its time.
    pub(super) fn secs(self, session: &Session) -> f32 {
        let [start, end] = session.range_secs();
        match self {
            Self::In => start,
            Self::Out => end,
        }
    }

    /// Moves the end of the range; at the end of the timeline, it is unset.
    pub(super) fn set(self, session: &mut Session, secs: f32) {
        let duration_secs = session.timeline_secs();
        let secs = session.edits.timeline.snapped(secs);
        let timeline = &mut session.edits.timeline;
        let is_within = secs > 0.0 && secs < duration_secs;
        match self {
            Self::In => timeline.set_in(is_within.then_some(secs)),
            Self::Out => timeline.set_out(is_within.then_some(secs)),
        }
    }
}
