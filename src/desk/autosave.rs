//! When work is written to the recovery folder: once the hand rests, and now and then while it does not.

use std::time::{Duration, Instant};

/// Edits that are not written yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Autosave {
    first_edit: Option<Instant>,
    last_edit: Option<Instant>,
}

impl Autosave {
    /// After the last edit.
    const REST: Duration = Duration::from_secs(2);
    /// After the first, however busy the hand is.
    const LONGEST: Duration = Duration::from_secs(10);
    /// Before looking again whether the disk is done with the last time.
    const BUSY: Duration = Duration::from_millis(200);

    /// Something is different.
    pub fn edited(&mut self, now: Instant) {
        self.first_edit.get_or_insert(now);
        self.last_edit = Some(now);
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
        Some(match self.due()?.saturating_duration_since(now) {
            Duration::ZERO => Self::BUSY,
            wait => wait,
        })
    }

    fn due(&self) -> Option<Instant> {
        Some((self.last_edit? + Self::REST).min(self.first_edit? + Self::LONGEST))
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
    }
}
