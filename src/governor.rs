//! Keeps the hand quick: while something moves, the picture is drawn as carefully as the frame time allows;
//! once it rests, at full quality.

use std::time::Duration;

use crate::scene::Quality;

/// Chooses the quality of the next frame from how long the last ones took.
#[derive(Clone, Copy, Debug)]
pub struct Governor {
    step: usize,
    /// Smoothed, while moving.
    frame_secs: Option<f32>,
    frames_at_step: u32,
    still_secs: f32,
}

impl Governor {
    /// From careful to quick.
    const STEPS: [Quality; 7] = [
        Quality::FULL,
        Quality { samples: 1, scale: 1.0 },
        Quality { samples: 1, scale: 0.8 },
        Quality { samples: 1, scale: 0.65 },
        Quality { samples: 1, scale: 0.5 },
        Quality { samples: 1, scale: 0.4 },
        Quality { samples: 1, scale: 0.3 },
    ];
    /// Slower frames step down: 15 a second are promised.
    const SLOW_SECS: f32 = 1.0 / 16.0;
    /// Quicker frames step up; far enough from slow that one step does not swing back.
    const QUICK_SECS: f32 = 1.0 / 21.0;
    /// How long the hand must rest before the picture is drawn at full quality.
    pub const REST: Duration = Duration::from_millis(180);

    /// Starts low on a software adapter: the first drag must not stutter while it finds its step.
    pub fn new(is_software: bool) -> Self {
        Self { step: if is_software { 3 } else { 0 }, frame_secs: None, frames_at_step: 0, still_secs: 1.0 }
    }

    /// The quality for a frame, `elapsed_secs` after the last one, in which something `moves` or not.
    pub fn next(&mut self, moves: bool, elapsed_secs: f32) -> Quality {
        if !moves {
            self.still_secs += elapsed_secs;
            if self.still_secs >= Self::REST.as_secs_f32() {
                self.frame_secs = None;
                return Quality::FULL;
            }
            return Self::STEPS[self.step];
        }
        // The first frame after a rest says how long the rest was, not how long a frame takes.
        let is_first = self.still_secs > 0.0;
        self.still_secs = 0.0;
        if !is_first {
            self.learn(elapsed_secs);
        }
        Self::STEPS[self.step]
    }

    fn learn(&mut self, elapsed_secs: f32) {
        let smooth = self.frame_secs.map_or(elapsed_secs, |last| last + (elapsed_secs - last) * 0.3);
        self.frame_secs = Some(smooth);
        self.frames_at_step += 1;
        let last_step = Self::STEPS.len() - 1;
        if smooth > Self::SLOW_SECS && self.step < last_step && self.frames_at_step >= 3 {
            self.change_step(self.step + 1);
        } else if smooth < Self::QUICK_SECS && self.step > 0 && self.frames_at_step >= 12 {
            self.change_step(self.step - 1);
        }
    }

    fn change_step(&mut self, step: usize) {
        self.step = step;
        self.frames_at_step = 0;
        self.frame_secs = None;
    }

    /// Smoothed time from frame to frame while something moves.
    pub fn frame_ms(&self) -> Option<f32> {
        self.frame_secs.map(|secs| secs * 1000.0)
    }

    /// Whether a frame at full quality is still owed.
    pub fn owes_a_still(&self) -> bool {
        self.still_secs < Self::REST.as_secs_f32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(governor: &mut Governor, frames: usize, frame_secs: f32) -> Quality {
        (0..frames).map(|_| governor.next(true, frame_secs)).last().unwrap()
    }

    #[test]
    fn slow_frames_step_down_to_the_quickest() {
        assert_eq!(after(&mut Governor::new(true), 60, 0.2), Governor::STEPS[6]);
    }

    #[test]
    fn quick_frames_climb_to_full_quality() {
        assert_eq!(after(&mut Governor::new(true), 300, 0.01), Quality::FULL);
    }

    #[test]
    fn in_between_it_stays_where_it_is() {
        let mut governor = Governor::new(true);
        let start = governor.next(true, 0.055);
        assert_eq!(after(&mut governor, 300, 0.055), start);
    }

    #[test]
    fn at_rest_the_picture_is_drawn_in_full_once_the_hand_is_still() {
        let mut governor = Governor::new(true);
        assert_ne!(after(&mut governor, 3, 0.03), Quality::FULL);
        assert_ne!(governor.next(false, 0.02), Quality::FULL);
        assert!(governor.owes_a_still());
        assert_eq!(governor.next(false, 0.2), Quality::FULL);
        assert!(!governor.owes_a_still());
    }

    #[test]
    fn a_long_rest_is_not_a_slow_frame() {
        let mut governor = Governor::new(true);
        let moving = after(&mut governor, 5, 0.03);
        governor.next(false, 0.5);
        assert_eq!(governor.next(true, 60.0), moving);
    }
}
