//! When files that are being written have come to rest: their sizes and times are no longer changing.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// The size of a file and the time of its last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// The stamp of a file; none if it is not there.
pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some(Stamp { bytes: metadata.len(), modified: metadata.modified().ok() })
}

/// The stamps of the files as they were read and as they were seen last.
#[derive(Debug, Default)]
pub(super) struct Settling {
    read: Vec<Option<Stamp>>,
    seen: Vec<Option<Stamp>>,
    /// The last event or the last difference that was seen. None if no change is expected.
    restless_at: Option<Instant>,
}

impl Settling {
    /// For so long nothing must happen. Programs that write a head in pieces pause for less between two of them.
    pub(super) const REST: Duration = Duration::from_millis(300);

    /// Files with these stamps, which were read from `read_at` on. A file that was written after that was not read as it is now.
    pub(super) fn new(stamps: Vec<Option<Stamp>>, read_at: SystemTime) -> Self {
        let is_older = |stamp: &Stamp| stamp.modified.is_none_or(|modified| modified <= read_at);
        let read = stamps.iter().map(|stamp| stamp.filter(is_older)).collect();
        Self { read, seen: stamps, restless_at: None }
    }

    /// Adds a file that was just read.
    pub(super) fn add(&mut self, stamp: Option<Stamp>) {
        self.read.push(stamp);
        self.seen.push(stamp);
    }

    /// Something may have happened; the files have these stamps now.
    pub(super) fn expect_change(&mut self, stamps: Vec<Option<Stamp>>, now: Instant) {
        self.seen = stamps;
        self.restless_at = Some(now);
    }

    /// How long until the stamps are to be looked at.
    pub(super) fn due_in(&self, now: Instant) -> Option<Duration> {
        Some((self.restless_at? + Self::REST).saturating_duration_since(now))
    }

    /// Whether the stamps are to be looked at.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.due_in(now) == Some(Duration::ZERO)
    }

    /// Takes the present stamps. Whether they are at rest and not those of the files as they were read; from then on, they are.
    pub(super) fn take_change(&mut self, stamps: Vec<Option<Stamp>>, now: Instant) -> bool {
        if stamps != self.seen {
            self.seen = stamps;
            self.restless_at = Some(now);
            return false;
        }
        self.restless_at = None;
        let is_changed = self.seen != self.read;
        self.read.clone_from(&self.seen);
        is_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ_AT: Duration = Duration::from_secs(1000);

    /// A file of so many bytes, written so many milliseconds after the head was read.
    fn written(bytes: u64, after_ms: u64) -> Option<Stamp> {
        let modified = SystemTime::UNIX_EPOCH + READ_AT + Duration::from_millis(after_ms);
        Some(Stamp { bytes, modified: Some(modified) })
    }

    fn settling() -> Settling {
        Settling::new(vec![written(10, 0)], SystemTime::UNIX_EPOCH + READ_AT)
    }

    #[test]
    fn a_file_that_is_written_in_pieces_is_taken_once_it_has_rested() {
        let (start, mut settling) = (Instant::now(), settling());
        let at = |ms: u64| start + Duration::from_millis(ms);
        assert_eq!((settling.due_in(start), settling.is_due(at(9999))), (None, false));
        // Pieces every 200 ms, with an event each.
        for piece in 0..5 {
            let now = at(200 * piece);
            settling.expect_change(vec![written(10 * piece, 200 * piece)], now);
            assert!(!settling.is_due(now + Duration::from_millis(299)), "piece {piece}");
        }
        assert_eq!(settling.due_in(at(900)), Some(Duration::from_millis(200)));
        assert!(settling.is_due(at(1100)) && settling.take_change(vec![written(40, 800)], at(1100)));
        assert_eq!(settling.due_in(at(1100)), None, "a change is taken once");
    }

    #[test]
    fn a_file_that_grows_without_events_is_waited_for() {
        let (start, mut settling) = (Instant::now(), settling());
        settling.expect_change(vec![written(10, 0)], start);
        let mut now = start;
        for piece in 1..10 {
            now += Settling::REST;
            assert!(settling.is_due(now) && !settling.take_change(vec![written(10 + piece, piece)], now), "{piece}");
        }
        assert!(settling.take_change(vec![written(19, 9)], now + Settling::REST));
    }

    #[test]
    fn events_without_a_change_and_a_change_that_is_undone_are_nothing() {
        let (start, mut settling) = (Instant::now(), settling());
        settling.expect_change(vec![written(10, 0)], start);
        assert!(!settling.take_change(vec![written(10, 0)], start + Settling::REST));
        settling.expect_change(vec![None], start);
        assert!(!settling.take_change(vec![written(10, 0)], start + Settling::REST), "the file was gone for a moment");
        assert!(!settling.take_change(vec![written(10, 0)], start + 2 * Settling::REST), "the old one is there again");
    }

    #[test]
    fn what_was_written_after_the_reading_began_was_not_read() {
        let read_at = SystemTime::UNIX_EPOCH + READ_AT;
        let mut settling = Settling::new(vec![written(10, 0), written(10, 1)], read_at);
        settling.add(written(10, 2));
        let now = Instant::now();
        let stamps = || vec![written(10, 0), written(10, 1), written(10, 2)];
        assert!(settling.take_change(stamps(), now));
        assert!(!settling.take_change(stamps(), now));
    }
}
