//! Debouncing: files that are being written are read once their stamps have stopped changing.

use std::time::{Duration, Instant};

use super::reading::Stamp;

/// The stamps of the files from before they were read, and as they were seen last.
#[derive(Debug, Default)]
pub(super) struct Debounce {
    read: Vec<Stamp>,
    seen: Vec<Stamp>,
    /// The last event or the last difference that was seen. None if no change is expected.
    changing_at: Option<Instant>,
}

impl Debounce {
    /// For so long nothing must happen. Programs that write a head in pieces pause for less between two of them.
    pub(super) const REST: Duration = Duration::from_millis(300);

    /// Files that had these stamps before they were read.
    pub(super) fn new(read: Vec<Stamp>) -> Self {
        Self { seen: read.clone(), read, changing_at: None }
    }

    /// Adds a file that had this stamp before it was read.
    pub(super) fn add(&mut self, read: Stamp) {
        self.read.push(read);
        self.seen.push(read);
    }

    /// The stamps of the files from before they were read, or at the last change that was taken.
    pub(super) fn read(&self) -> &[Stamp] {
        &self.read
    }

    /// Something may have happened; the files have these stamps now.
    pub(super) fn expect_change(&mut self, stamps: Vec<Stamp>, now: Instant) {
        self.seen = stamps;
        self.changing_at = Some(now);
    }

    /// How long until the stamps are to be looked at.
    pub(super) fn due_in(&self, now: Instant) -> Option<Duration> {
        Some((self.changing_at? + Self::REST).saturating_duration_since(now))
    }

    /// Whether the stamps are to be looked at.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.due_in(now) == Some(Duration::ZERO)
    }

    /// Takes the present stamps. Whether they are at rest and not those of the files as they were read; from then on,
    /// they are.
    pub(super) fn take_change(&mut self, stamps: Vec<Stamp>, now: Instant) -> bool {
        if stamps != self.seen {
            self.seen = stamps;
            self.changing_at = Some(now);
            return false;
        }
        self.changing_at = None;
        let is_changed = self.seen != self.read;
        self.read.clone_from(&self.seen);
        is_changed
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::super::reading::Identity;
    use super::*;

    /// A file of so many bytes, written so many milliseconds after the head was read.
    fn written(bytes: u64, after_ms: u64) -> Stamp {
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(1000) + Duration::from_millis(after_ms);
        Stamp::File { bytes, modified: Some(modified), identity: Identity::default() }
    }

    fn debounce() -> Debounce {
        Debounce::new(vec![written(10, 0)])
    }

    #[test]
    fn a_file_that_is_written_in_pieces_is_taken_once_it_has_rested() {
        let (start, mut debounce) = (Instant::now(), debounce());
        let at = |ms: u64| start + Duration::from_millis(ms);
        assert_eq!((debounce.due_in(start), debounce.is_due(at(9999))), (None, false));
        // Pieces every 200 ms, with an event each.
        for piece in 0..5 {
            let now = at(200 * piece);
            debounce.expect_change(vec![written(10 * piece, 200 * piece)], now);
            assert!(!debounce.is_due(now + Duration::from_millis(299)), "piece {piece}");
        }
        assert_eq!(debounce.due_in(at(900)), Some(Duration::from_millis(200)));
        assert!(debounce.is_due(at(1100)) && debounce.take_change(vec![written(40, 800)], at(1100)));
        assert_eq!(debounce.due_in(at(1100)), None, "a change is taken once");
    }

    #[test]
    fn a_file_that_grows_without_events_is_waited_for() {
        let (start, mut debounce) = (Instant::now(), debounce());
        debounce.expect_change(vec![written(10, 0)], start);
        let mut now = start;
        for piece in 1..10 {
            now += Debounce::REST;
            assert!(debounce.is_due(now) && !debounce.take_change(vec![written(10 + piece, piece)], now), "{piece}");
        }
        assert!(debounce.take_change(vec![written(19, 9)], now + Debounce::REST));
    }

    #[test]
    fn events_without_a_change_and_a_change_that_is_undone_are_nothing() {
        let (start, mut debounce) = (Instant::now(), debounce());
        debounce.expect_change(vec![written(10, 0)], start);
        assert!(!debounce.take_change(vec![written(10, 0)], start + Debounce::REST));
        debounce.expect_change(vec![Stamp::Absent], start);
        assert!(!debounce.take_change(vec![written(10, 0)], start + Debounce::REST), "the file was gone for a moment");
        assert!(!debounce.take_change(vec![written(10, 0)], start + 2 * Debounce::REST), "the old one is there again");
    }

    #[test]
    fn a_file_that_was_replaced_while_it_was_read_has_changed_whatever_its_time_is() {
        let now = Instant::now();
        // The clock of the file system does not tick meanwhile, and a copy may be older than what it replaces.
        for replaced in
            [written(11, 0), Stamp::Absent, Stamp::File { bytes: 10, modified: None, identity: Identity::default() }]
        {
            let mut debounce = debounce();
            debounce.expect_change(vec![replaced], now);
            assert!(debounce.take_change(vec![replaced], now + Debounce::REST), "{replaced:?}");
            assert!(!debounce.take_change(vec![replaced], now + 2 * Debounce::REST), "once");
        }
        let mut debounce = Debounce::new(vec![written(10, 5000)]);
        debounce.add(written(20, 5000));
        let stamps = || vec![written(10, 5000), written(20, 1)];
        debounce.expect_change(stamps(), now);
        assert!(debounce.take_change(stamps(), now + Debounce::REST), "a file that was added");
    }

    #[test]
    fn a_file_that_was_read_as_it_is_has_not_changed_whatever_its_time_is() {
        let now = Instant::now();
        for after_ms in [0, 1, 1 << 40] {
            let mut debounce = Debounce::new(vec![written(10, after_ms)]);
            debounce.add(Stamp::Absent);
            let stamps = || vec![written(10, after_ms), Stamp::Absent];
            debounce.expect_change(stamps(), now);
            assert!(!debounce.take_change(stamps(), now + Debounce::REST), "{after_ms}");
        }
    }
}
