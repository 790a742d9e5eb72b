//! When the next frame is due. Idle means idle: nothing moves, nothing runs.

use std::time::Duration;

use super::governor::Governor;

/// When the next frame is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Not before the next event.
    Sleep,
    /// At once.
    Frame,
    /// After a while.
    In(Duration),
}

/// What a frame left to be done.
#[derive(Clone, Copy, Debug)]
pub struct FrameSchedule {
    /// Nobody can see the window: minimised, or behind others.
    pub is_hidden: bool,
    /// The picture changes by itself, or a hand is changing it.
    pub moves: bool,
    /// The last picture was coarse, and a fine one is due once the hand rests.
    pub owes_a_still: bool,
    /// How long egui can wait; [`Duration::MAX`] for ever.
    pub egui_delay: Duration,
    /// How long something else can wait that no event will announce.
    pub alarm: Option<Duration>,
    /// Time the frame took.
    pub frame: Duration,
    /// Nothing waits for a screen on a software adapter.
    pub is_software: bool,
}

impl FrameSchedule {
    /// On a software adapter, frames closer together than this only heat the room.
    const SOFTWARE_FRAME: Duration = Duration::from_millis(15);
    /// How often a hidden window that plays looks whether it is still hidden.
    const HIDDEN_FRAME: Duration = Duration::from_millis(250);

    /// When the next frame is due.
    pub fn next(self) -> Next {
        let mut delay = self.egui_delay.min(self.alarm.unwrap_or(Duration::MAX));
        if self.moves {
            delay = if self.is_hidden { Self::HIDDEN_FRAME } else { Duration::ZERO };
        } else if self.owes_a_still {
            delay = delay.min(Governor::REST);
        }
        if delay == Duration::MAX {
            return Next::Sleep;
        }
        let least = if self.is_software { Self::SOFTWARE_FRAME.saturating_sub(self.frame) } else { Duration::ZERO };
        let delay = delay.max(least);
        if delay.is_zero() { Next::Frame } else { Next::In(delay) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: FrameSchedule = FrameSchedule {
        is_hidden: false,
        moves: false,
        owes_a_still: false,
        egui_delay: Duration::MAX,
        alarm: None,
        frame: Duration::from_millis(5),
        is_software: false,
    };

    #[test]
    fn idle_sleeps() {
        assert_eq!(IDLE.next(), Next::Sleep);
    }

    #[test]
    fn what_moves_goes_on_at_once_but_no_faster_than_useful() {
        assert_eq!(FrameSchedule { moves: true, ..IDLE }.next(), Next::Frame);
        let software = FrameSchedule { moves: true, is_software: true, ..IDLE };
        assert_eq!(software.next(), Next::In(Duration::from_millis(10)));
        assert_eq!(FrameSchedule { frame: Duration::from_millis(50), ..software }.next(), Next::Frame);
    }

    #[test]
    fn a_hidden_window_plays_slowly() {
        assert_eq!(
            FrameSchedule { moves: true, is_hidden: true, ..IDLE }.next(),
            Next::In(FrameSchedule::HIDDEN_FRAME)
        );
    }

    #[test]
    fn the_nearest_reason_wins() {
        let soon = Duration::from_millis(40);
        assert_eq!(FrameSchedule { owes_a_still: true, ..IDLE }.next(), Next::In(Governor::REST));
        assert_eq!(FrameSchedule { owes_a_still: true, egui_delay: soon, ..IDLE }.next(), Next::In(soon));
        assert_eq!(FrameSchedule { alarm: Some(soon), ..IDLE }.next(), Next::In(soon));
    }
}
