//! When the next frame is due. While nothing changes, no frame is drawn; while a file is opened, frames are throttled.

use std::time::{Duration, Instant};

use super::viewport::FULL_QUALITY_DELAY;

#[derive(Clone, Copy, Debug)]
pub(super) struct FrameSchedule {
    pub is_hidden: bool,
    /// The picture changes by itself, or the artist is changing it.
    pub is_changing: bool,
    /// A file is being opened, whose progress the window shows.
    pub is_loading: bool,
    /// The last picture was drawn at less than full quality; one at full quality is due once nothing changes.
    pub is_full_quality_due: bool,
    /// How long egui can wait; [`Duration::MAX`] if it needs no frame.
    pub egui_delay: Duration,
    /// How long anything else can wait that no event announces.
    pub timer: Option<Duration>,
    pub frame_time: Duration,
    /// A software adapter does not wait for the screen.
    pub is_software: bool,
}

impl FrameSchedule {
    /// On a software adapter, frames closer together than this take processor time for nothing.
    const SOFTWARE_INTERVAL: Duration = Duration::from_millis(15);
    const HIDDEN_INTERVAL: Duration = Duration::from_millis(250);
    const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

    /// How long until the next frame; `None` if it is due only after the next event.
    pub(super) fn delay(self) -> Option<Duration> {
        let mut delay = self.egui_delay.min(self.timer.unwrap_or(Duration::MAX));
        if self.is_loading {
            delay = delay.min(Self::PROGRESS_INTERVAL);
        }
        if self.is_changing {
            delay = if self.is_hidden { Self::HIDDEN_INTERVAL } else { Duration::ZERO };
        } else if self.is_full_quality_due {
            delay = delay.min(FULL_QUALITY_DELAY);
        }
        if delay == Duration::MAX {
            return None;
        }
        let least =
            if self.is_software { Self::SOFTWARE_INTERVAL.saturating_sub(self.frame_time) } else { Duration::ZERO };
        Some(delay.max(least))
    }
}

/// Limits the rate of frames while a file is being opened: a software adapter draws with the processor cores that read
/// the file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Throttle {
    is_opening: bool,
    /// When the first frame since the last painted one was delayed.
    since: Option<Instant>,
    /// How many of the next frames show what the artist has done.
    for_artist: u8,
}

impl Throttle {
    /// Something has happened in the window that the next frame must show, and another one if the panels want it: a
    /// click opens a menu only in the second frame.
    pub(super) fn release(&mut self) {
        self.for_artist = 2;
    }

    /// How long the next frame is still to be delayed at the time `now`; `None` if it is due. `is_opening`: a file is
    /// being opened.
    pub(super) fn delay(&mut self, is_opening: bool, now: Instant) -> Option<Duration> {
        if !std::mem::replace(&mut self.is_opening, is_opening) {
            // What was done before, a key that was released or a pointer that was moved, can wait for the file.
            self.for_artist = 0;
        }
        if !is_opening {
            return None;
        }
        let since = *self.since.get_or_insert(now);
        let delay = FrameSchedule::PROGRESS_INTERVAL.saturating_sub(now - since);
        (!delay.is_zero() && self.for_artist == 0).then_some(delay)
    }

    pub(super) fn painted(&mut self, wants_another: bool) {
        let for_artist = if wants_another { self.for_artist.saturating_sub(1) } else { 0 };
        *self = Self { since: None, for_artist, ..*self };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: FrameSchedule = FrameSchedule {
        is_hidden: false,
        is_changing: false,
        is_loading: false,
        is_full_quality_due: false,
        egui_delay: Duration::MAX,
        timer: None,
        frame_time: Duration::from_millis(5),
        is_software: false,
    };

    #[test]
    fn an_idle_window_draws_no_frames() {
        assert_eq!(IDLE.delay(), None);
    }

    #[test]
    fn a_changing_picture_is_drawn_at_once_but_not_more_often_than_useful() {
        assert_eq!(FrameSchedule { is_changing: true, ..IDLE }.delay(), Some(Duration::ZERO));
        let software = FrameSchedule { is_changing: true, is_software: true, ..IDLE };
        assert_eq!(software.delay(), Some(Duration::from_millis(10)));
        let slow = FrameSchedule { frame_time: Duration::from_millis(50), ..software };
        assert_eq!(slow.delay(), Some(Duration::ZERO));
    }

    #[test]
    fn a_hidden_window_plays_slowly() {
        let hidden = FrameSchedule { is_changing: true, is_hidden: true, ..IDLE };
        assert_eq!(hidden.delay(), Some(FrameSchedule::HIDDEN_INTERVAL));
    }

    #[test]
    fn the_shortest_delay_counts() {
        let soon = Duration::from_millis(40);
        let due = FrameSchedule { is_full_quality_due: true, ..IDLE };
        assert_eq!(due.delay(), Some(FULL_QUALITY_DELAY));
        assert_eq!(FrameSchedule { egui_delay: soon, ..due }.delay(), Some(soon));
        assert_eq!(FrameSchedule { timer: Some(soon), ..IDLE }.delay(), Some(soon));
        let loading = FrameSchedule { is_loading: true, ..IDLE };
        assert_eq!(loading.delay(), Some(FrameSchedule::PROGRESS_INTERVAL));
        assert_eq!(FrameSchedule { timer: Some(soon), ..loading }.delay(), Some(soon));
        assert_eq!(FrameSchedule { is_changing: true, ..loading }.delay(), Some(Duration::ZERO));
    }

    #[test]
    fn frames_are_held_back_for_a_while_each_time_unless_the_artist_does_something() {
        let start = Instant::now();
        let (after, ms) = (|ms| start + Duration::from_millis(ms), |ms| Some(Duration::from_millis(ms)));
        let mut throttle = Throttle::default();
        throttle.release();
        assert_eq!(throttle.delay(false, after(0)), None, "no file is being opened");
        assert_eq!([0, 150, 200].map(|now| throttle.delay(true, after(now))), [ms(200), ms(50), None]);
        throttle.painted(true);
        assert_eq!(throttle.delay(true, after(230)), ms(200), "what moves by itself waits");
        for wants_another in [true, false] {
            throttle.release();
            assert_eq!(throttle.delay(true, after(240)), None);
            throttle.painted(wants_another);
            assert_eq!(throttle.delay(true, after(250)).is_none(), wants_another, "a click has a second frame");
            throttle.painted(wants_another);
            assert_eq!(throttle.delay(true, after(260)), ms(200), "but no third");
            throttle.painted(false);
        }
        throttle.release();
        throttle.painted(true);
        assert_eq!(throttle.delay(false, after(300)), None);
        assert_eq!(throttle.delay(true, after(301)), ms(200), "what was done before the next file can wait");
    }
}
