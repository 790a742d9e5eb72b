//! Frames that are held back while a file is being opened: a software adapter draws with the cores that read it.

use std::time::{Duration, Instant};

use super::frame_schedule::FrameSchedule;

/// Which frames are held back, and for how long.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hold {
    /// When the first frame since the last painted one was held back.
    since: Option<Instant>,
    /// The next frame shows what the artist has done.
    is_for_artist: bool,
}

impl Hold {
    /// Something has happened in the window that the next frame must show.
    pub(super) fn release(&mut self) {
        self.is_for_artist = true;
    }

    /// How long the next frame still waits at the time `now`.
    pub(super) fn rest(&mut self, now: Instant) -> Option<Duration> {
        let since = *self.since.get_or_insert(now);
        let rest = FrameSchedule::PROGRESS_INTERVAL.saturating_sub(now - since);
        (!rest.is_zero() && !self.is_for_artist).then_some(rest)
    }

    /// A frame was painted, after which the panels want another at once or not: a click opens a menu only in the second frame.
    pub(super) fn painted(&mut self, wants_another: bool) {
        *self = Self { since: None, is_for_artist: self.is_for_artist && wants_another };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_held_back_for_a_while_each_time_unless_the_artist_does_something() {
        let start = Instant::now();
        let (after, ms) = (|ms| start + Duration::from_millis(ms), |ms| Some(Duration::from_millis(ms)));
        let mut hold = Hold::default();
        assert_eq!([hold.rest(after(0)), hold.rest(after(150)), hold.rest(after(200))], [ms(200), ms(50), None]);
        hold.painted(true);
        assert_eq!(hold.rest(after(230)), ms(200), "what moves by itself waits");
        hold.release();
        assert_eq!(hold.rest(after(231)), None);
        hold.painted(true);
        assert_eq!(hold.rest(after(232)), None, "a click has a second frame");
        hold.painted(false);
        assert_eq!(hold.rest(after(233)), ms(200));
    }
}
