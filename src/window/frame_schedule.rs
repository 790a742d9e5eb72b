//! When the next frame is due. While nothing changes, no frame is drawn.

use std::time::Duration;

use super::viewport::FULL_QUALITY_DELAY;

/// What decides when the next frame is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameSchedule {
    /// The window is minimised or covered by others.
    pub is_hidden: bool,
    /// The picture changes by itself, or the artist is changing it.
    pub is_changing: bool,
    /// A file is being opened, of which the window shows how far it is.
    pub is_loading: bool,
    /// The last picture was drawn at less than full quality; one at full quality is due once nothing changes.
    pub is_full_quality_due: bool,
    /// How long egui can wait; [`Duration::MAX`] if it needs no frame.
    pub egui_delay: Duration,
    /// How long anything else can wait that no event announces.
    pub timer: Option<Duration>,
    /// How long the last frame took.
    pub frame_time: Duration,
    /// A software adapter does not wait for the screen.
    pub is_software: bool,
}

impl FrameSchedule {
    /// On a software adapter, frames closer together than this take processor time for nothing.
    const SOFTWARE_INTERVAL: Duration = Duration::from_millis(15);
    /// The interval of frames in a hidden window that plays.
    const HIDDEN_INTERVAL: Duration = Duration::from_millis(250);
    /// The interval of frames that show how far a file is.
    pub(super) const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

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
}
