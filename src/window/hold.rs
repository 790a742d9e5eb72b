//! Frames that are held back while a file is being opened: a software adapter draws with the cores that read it.

use std::time::{Duration, Instant};

use super::frame_schedule::FrameSchedule;

/// Which frames are held back, and for how long.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hold {
    is_opening: bool,
    /// When the first frame since the last painted one was held back.
    since: Option<Instant>,
    /// How many of the next frames show what the artist has done.
    for_artist: u8,
}

impl Hold {
    /// Something has happened in the window that the next frame must show, and another one if the panels want it: a click opens a menu only
    /// in the second frame.
    pub(super) fn release(&mut self) {
        self.for_artist = 2;
    }

    /// How long the next frame still waits at the time `now`, for a file that is being opened if there is one.
    pub(super) fn rest(&mut self, is_opening: bool, now: Instant) -> Option<Duration> {
        if !std::mem::replace(&mut self.is_opening, is_opening) {
            // What was done before, a key that was released or a pointer that was moved, can wait for the file.
            self.for_artist = 0;
        }
        if !is_opening {
            return None;
        }
        let since = *self.since.get_or_insert(now);
        let rest = FrameSchedule::PROGRESS_INTERVAL.saturating_sub(now - since);
        (!rest.is_zero() && self.for_artist == 0).then_some(rest)
    }

    /// A frame was painted, after which the panels want another at once or not.
    pub(super) fn painted(&mut self, wants_another: bool) {
        let for_artist = if wants_another { self.for_artist.saturating_sub(1) } else { 0 };
        *self = Self { since: None, for_artist, ..*self };
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
        hold.release();
        assert_eq!(hold.rest(false, after(0)), None, "no file is being opened");
        assert_eq!([0, 150, 200].map(|now| hold.rest(true, after(now))), [ms(200), ms(50), None]);
        hold.painted(true);
        assert_eq!(hold.rest(true, after(230)), ms(200), "what moves by itself waits");
        for wants_another in [true, false] {
            hold.release();
            assert_eq!(hold.rest(true, after(240)), None);
            hold.painted(wants_another);
            assert_eq!(hold.rest(true, after(250)).is_none(), wants_another, "a click has a second frame");
            hold.painted(wants_another);
            assert_eq!(hold.rest(true, after(260)), ms(200), "but no third");
            hold.painted(false);
        }
        hold.release();
        hold.painted(true);
        assert_eq!(hold.rest(false, after(300)), None);
        assert_eq!(hold.rest(true, after(301)), ms(200), "what was done before the next file can wait");
    }
}
