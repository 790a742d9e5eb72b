//! When unsaved work is written to the recovery folder: shortly after the last edit, and at intervals while edits go on.

use std::time::{Duration, Instant};

/// The time of edits that are not written yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Autosave {
    first_edit: Option<Instant>,
    last_edit: Option<Instant>,
    retry_at: Option<Instant>,
}

impl Autosave {
    const DELAY_AFTER_LAST_EDIT: Duration = Duration::from_secs(1);
    /// Edits that never pause for that long, such as a slider dragged on and on, are written after this time. With one second
    /// for the frame and the writing, a crash loses at most the last 3 seconds, as docs/promises.md says.
    const DELAY_AFTER_FIRST_EDIT: Duration = Duration::from_secs(2);
    /// The cause of a failed write, such as a full disk, rarely goes away within a second.
    const RETRY_DELAY: Duration = Duration::from_secs(10);

    /// Records an edit.
    pub(super) fn edited(&mut self, now: Instant) {
        self.first_edit.get_or_insert(now);
        self.last_edit = Some(now);
    }

    /// Schedules another attempt after a write that failed.
    pub(super) fn failed(&mut self, now: Instant) {
        self.retry_at = Some(now + Self::RETRY_DELAY);
    }

    /// Forgets all edits: they are being written, or need not be.
    pub(super) fn done(&mut self) {
        *self = Self::default();
    }

    /// Whether a write will be due at some time.
    pub(super) fn is_pending(&self) -> bool {
        self.due_at().is_some()
    }

    /// Whether a write is due.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.due_at().is_some_and(|due| due <= now)
    }

    /// How long until a write is due.
    pub(super) fn due_in(&self, now: Instant) -> Option<Duration> {
        Some(self.due_at()?.saturating_duration_since(now))
    }

    fn due_at(&self) -> Option<Instant> {
        let edits = self.last_edit.zip(self.first_edit);
        let after_edits =
            edits.map(|(last, first)| (last + Self::DELAY_AFTER_LAST_EDIT).min(first + Self::DELAY_AFTER_FIRST_EDIT));
        [after_edits, self.retry_at].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_due_after_a_pause_and_not_much_later_if_edits_never_pause() {
        let start = Instant::now();
        let at = |secs: f32| start + Duration::from_secs_f32(secs);
        let mut autosave = Autosave::default();
        assert_eq!((autosave.is_due(at(99.0)), autosave.due_in(start)), (false, None));
        autosave.edited(start);
        autosave.edited(at(0.5));
        assert!(!autosave.is_due(at(1.4)) && autosave.is_due(at(1.5)));
        assert_eq!(autosave.due_in(at(1.25)), Some(Duration::from_millis(250)));
        (2..40).for_each(|half| autosave.edited(at(half as f32 * 0.5)));
        assert!(!autosave.is_due(at(1.9)) && autosave.is_due(at(2.0)));
        autosave.done();
        assert!(!autosave.is_pending());
        autosave.failed(start);
        assert!(
            !autosave.is_due(at(9.9)) && autosave.is_due(at(10.0)),
            "a failure is retried later than an edit is written"
        );
        autosave.edited(start);
        assert!(autosave.is_due(at(1.0)), "an edit is written at its own time, retry or not");
    }
}
