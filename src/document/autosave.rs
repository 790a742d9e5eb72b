//! When work is written to the recovery folder: once the hand rests, and now and then while it does not.

use std::time::{Duration, Instant};

/// Edits that are not written yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Autosave {
    first_edit: Option<Instant>,
    last_edit: Option<Instant>,
    retry_at: Option<Instant>,
}

impl Autosave {
    /// After the last edit.
    const REST: Duration = Duration::from_secs(2);
    /// After the first, however busy the hand is.
    const LONGEST: Duration = Duration::from_secs(10);
    /// After a write that failed; a full disk does not empty itself in a second.
    const RETRY: Duration = Duration::from_secs(10);

    /// Something is different.
    pub fn edited(&mut self, now: Instant) {
        self.first_edit.get_or_insert(now);
        self.last_edit = Some(now);
    }

    /// It could not be written.
    pub fn failed(&mut self, now: Instant) {
        self.retry_at = Some(now + Self::RETRY);
    }

    /// It is written, or need not be.
    pub fn done(&mut self) {
        *self = Self::default();
    }

    /// Whether anything waits to be written.
    pub fn is_wanted(&self) -> bool {
        self.due().is_some()
    }

    /// Whether it is time.
    pub fn is_due(&self, now: Instant) -> bool {
        self.due().is_some_and(|due| due <= now)
    }

    /// How long until it is.
    pub fn alarm(&self, now: Instant) -> Option<Duration> {
        Some(self.due()?.saturating_duration_since(now))
    }

    fn due(&self) -> Option<Instant> {
        let edits = self.last_edit.zip(self.first_edit);
        let rested = edits.map(|(last, first)| (last + Self::REST).min(first + Self::LONGEST));
        [rested, self.retry_at].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_written_when_the_hand_rests_and_not_much_later_if_it_never_does() {
        let start = Instant::now();
        let at = |secs: f32| start + Duration::from_secs_f32(secs);
        let mut autosave = Autosave::default();
        assert_eq!((autosave.is_due(at(99.0)), autosave.alarm(start)), (false, None));
        autosave.edited(start);
        autosave.edited(at(1.0));
        assert!(!autosave.is_due(at(2.5)) && autosave.is_due(at(3.0)));
        assert_eq!(autosave.alarm(at(2.0)), Some(Duration::from_secs(1)));
        (2..40).for_each(|half| autosave.edited(at(half as f32 * 0.5)));
        assert!(!autosave.is_due(at(9.9)) && autosave.is_due(at(10.0)));
        autosave.done();
        assert!(!autosave.is_wanted());
        autosave.failed(start);
        assert!(!autosave.is_due(at(9.9)) && autosave.is_due(at(10.0)), "a failure is no edit");
        autosave.edited(start);
        assert!(autosave.is_due(at(2.0)), "but an edit is one");
    }
}
