//! Keeps the hand quick: while something moves, the picture is drawn as carefully as the frame time allows;
//! once it rests, at full quality.

use std::time::Duration;

use crate::scene::Quality;

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// The picture changes.
    Moving,
    /// It does not, but a hand is on something and may go on.
    Held,
    /// Nothing moves it.
    Still,
}

/// Chooses the quality of the next frame from how long the last ones took.
#[derive(Clone, Copy, Debug)]
pub struct Governor {
    step: usize,
    /// Smoothed, while moving.
    frame_secs: Option<f32>,
    frames_at_step: u32,
    /// Frames at a step before a better one is tried; grows with each try that failed.
    patience: u32,
    last_change_was_up: bool,
    was_moving: bool,
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
    /// Quicker frames try a better step.
    const QUICK_SECS: f32 = 1.0 / 21.0;
    const FIRST_PATIENCE: u32 = 12;
    const LAST_PATIENCE: u32 = 4000;
    /// A step that had to be left again within so many frames was tried in vain.
    const TRIAL_FRAMES: u32 = 60;
    /// How long the hand must rest before the picture is drawn at full quality.
    pub const REST: Duration = Duration::from_millis(180);

    /// Starts low on a software adapter: the first drag must not stutter while it finds its step.
    pub fn new(is_software: bool) -> Self {
        Self {
            step: if is_software { 3 } else { 0 },
            frame_secs: None,
            frames_at_step: 0,
            patience: Self::FIRST_PATIENCE,
            last_change_was_up: false,
            was_moving: false,
            still_secs: 1.0,
        }
    }

    /// The quality for a frame that begins `elapsed_secs` after the last one, which drew the picture or not (`drew`).
    pub fn next(&mut self, motion: Motion, elapsed_secs: f32, drew: bool) -> Quality {
        let was_moving = std::mem::replace(&mut self.was_moving, motion == Motion::Moving);
        match motion {
            Motion::Moving => {
                self.still_secs = 0.0;
                // The first frame after a rest says how long the rest was; one that drew nothing, nothing.
                if was_moving && drew {
                    self.learn(elapsed_secs);
                }
                Self::STEPS[self.step]
            }
            // A hand that holds still keeps a coarse picture, but a click elsewhere does not make one.
            Motion::Held if self.owes_a_still() => Self::STEPS[self.step],
            Motion::Held | Motion::Still => {
                self.still_secs += elapsed_secs;
                if self.owes_a_still() {
                    return Self::STEPS[self.step];
                }
                self.frame_secs = None;
                Quality::FULL
            }
        }
    }

    fn learn(&mut self, elapsed_secs: f32) {
        let smooth = self.frame_secs.map_or(elapsed_secs, |last| last + (elapsed_secs - last) * 0.3);
        self.frame_secs = Some(smooth);
        self.frames_at_step += 1;
        let last_step = Self::STEPS.len() - 1;
        if smooth > Self::SLOW_SECS && self.step < last_step && self.frames_at_step >= 3 {
            if self.last_change_was_up && self.frames_at_step < Self::TRIAL_FRAMES {
                self.patience = (self.patience * 4).min(Self::LAST_PATIENCE);
            }
            self.change_step(self.step + 1);
            self.last_change_was_up = false;
        } else if smooth < Self::QUICK_SECS && self.step > 0 && self.frames_at_step >= self.patience {
            self.change_step(self.step - 1);
            self.last_change_was_up = true;
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
        (0..frames).map(|_| governor.next(Motion::Moving, frame_secs, true)).last().unwrap()
    }

    #[test]
    fn every_step_has_a_scale_that_is_drawn() {
        assert!(Governor::STEPS.iter().all(|step| Quality::SCALES.contains(&step.scale)));
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
        let start = governor.next(Motion::Moving, 0.055, true);
        assert_eq!(after(&mut governor, 300, 0.055), start);
    }

    #[test]
    fn steps_tried_in_vain_are_tried_ever_less_often() {
        // Each step costs what it might on a slow machine: one is too slow, the next would allow better.
        let cost_secs = [0.4, 0.2, 0.12, 0.08, 0.04, 0.03, 0.025];
        let mut governor = Governor::new(true);
        let mut changes = 0;
        for _ in 0..4000 {
            let before = governor.step;
            governor.next(Motion::Moving, cost_secs[before], true);
            changes += usize::from(governor.step != before);
        }
        assert!(changes < 12, "{changes} changes of quality in 4000 frames");
    }

    #[test]
    fn at_rest_the_picture_is_drawn_in_full_once_the_hand_is_still() {
        let mut governor = Governor::new(true);
        assert_ne!(after(&mut governor, 3, 0.03), Quality::FULL);
        assert_ne!(governor.next(Motion::Still, 0.02, true), Quality::FULL);
        assert!(governor.owes_a_still());
        assert_eq!(governor.next(Motion::Still, 0.2, false), Quality::FULL);
        assert!(!governor.owes_a_still());
    }

    #[test]
    fn a_held_hand_keeps_a_coarse_picture_but_does_not_start_one() {
        let mut governor = Governor::new(true);
        assert_eq!(governor.next(Motion::Held, 0.02, false), Quality::FULL);
        let coarse = after(&mut governor, 3, 0.03);
        assert_eq!(governor.next(Motion::Held, 5.0, false), coarse);
    }

    #[test]
    fn neither_a_long_rest_nor_a_frame_without_a_picture_teaches_anything() {
        let mut governor = Governor::new(true);
        let moving = after(&mut governor, 5, 0.055);
        governor.next(Motion::Still, 0.5, false);
        assert_eq!(governor.next(Motion::Moving, 60.0, true), moving);
        for _ in 0..100 {
            assert_eq!(governor.next(Motion::Moving, 0.001, false), moving);
        }
    }
}
