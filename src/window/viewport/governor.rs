//! The governor of the picture's quality: a preview while the picture changes, at the quality that the frame time
//! allows; once it no longer changes, full quality, with samples accumulated over several frames. A fast adapter also
//! accumulates samples in a preview, but few. A slower one takes fewer of them, then none, so that light no longer
//! spreads in skin, then one sample a pixel, and then it draws fewer pixels, but never less than half of them along
//! each side.

use std::time::Duration;

use smirk_scene::Quality;

/// How long the picture must not change before it is drawn at full quality.
pub(crate) const FULL_QUALITY_DELAY: Duration = Duration::from_millis(180);

/// What happens in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    Changing,
    /// It does not, but a pointer button is held down on a control, so that it may change again.
    Interacting,
    /// Nothing changes it.
    Idle,
}

/// Chooses the quality of the next frame from how long the last ones took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Governor {
    /// Index into [`Self::STEPS`].
    step: usize,
    /// The least index.
    finest: usize,
    /// The smoothed frame time at this step, while the picture changes.
    frame_secs: Option<f32>,
    frames_at_step: u32,
    /// Frames at a step before a finer one is tried; it grows with each finer step that turned out to be too slow.
    patience: u32,
    last_change_was_up: bool,
    was_changing: bool,
    /// Time since the picture last changed.
    idle_secs: f32,
    /// The quality of a picture that does not change.
    accumulated: Quality,
}

impl Governor {
    /// From fine to coarse.
    const STEPS: [Quality; 8] = [
        Quality { samples: 8, ..Quality::FULL },
        Quality { samples: 4, ..Quality::FULL },
        Quality { samples: 2, ..Quality::FULL },
        Quality::FULL,
        Quality { msaa: 1, ..Quality::FULL },
        Quality { msaa: 1, scale: 0.8, samples: 0 },
        Quality { msaa: 1, scale: 0.65, samples: 0 },
        Quality { msaa: 1, scale: 0.5, samples: 0 },
    ];
    /// The finest steps of a software adapter, on which each sample takes as long as a picture, and the step that it
    /// begins with: the first frame must not be late, and the first drag must not stutter while the governor finds its
    /// step.
    const FINEST_ON_SOFTWARE: usize = 3;
    const FIRST_ON_SOFTWARE: usize = Self::STEPS.len() - 1;
    /// The samples of a picture that does not change: so many that more would not be visible, and no more than some
    /// seconds allow.
    const SAMPLES_ON_SOFTWARE: u32 = 16;
    const SAMPLES_ON_HARDWARE: u32 = 64;
    pub(super) const COARSEST: Quality = Self::STEPS[Self::STEPS.len() - 1];
    /// Slower frames step down: 30 frames per second are wanted.
    const SLOW_SECS: f32 = 1.0 / 28.0;
    /// Faster frames try a finer step.
    const QUICK_SECS: f32 = 1.0 / 38.0;
    /// The same for steps with accumulated samples: they are no reason to drop frames of a screen that shows 60 per
    /// second.
    const SLOW_SECS_REFINED: f32 = 1.0 / 50.0;
    const QUICK_SECS_REFINED: f32 = 1.0 / 57.0;
    const FIRST_PATIENCE: u32 = 12;
    const LAST_PATIENCE: u32 = 4000;
    /// A finer step that has to be left within so many frames was too slow.
    const TRIAL_FRAMES: u32 = 60;

    /// A governor. `samples`: those of a picture that does not change; `None` for as many as suit the adapter.
    pub(super) fn new(is_software: bool, samples: Option<u32>) -> Self {
        // Hardware begins without accumulated samples.
        let (finest, step) = if is_software {
            (Self::FINEST_ON_SOFTWARE, Self::FIRST_ON_SOFTWARE)
        } else {
            (0, Self::FINEST_ON_SOFTWARE)
        };
        let suited = if is_software { Self::SAMPLES_ON_SOFTWARE } else { Self::SAMPLES_ON_HARDWARE };
        Self {
            step,
            finest,
            frame_secs: None,
            frames_at_step: 0,
            patience: Self::FIRST_PATIENCE,
            last_change_was_up: false,
            was_changing: false,
            idle_secs: 1.0,
            accumulated: samples.map_or(Quality { samples: suited, ..Quality::FULL }, Quality::refined),
        }
    }

    /// The quality for a frame that begins `elapsed_secs` after the last one; `has_drawn` says whether that one drew
    /// the picture.
    pub(super) fn next(&mut self, activity: Activity, elapsed_secs: f32, has_drawn: bool) -> Quality {
        let was_changing = std::mem::replace(&mut self.was_changing, activity == Activity::Changing);
        match activity {
            Activity::Changing => {
                self.idle_secs = 0.0;
                // The time since the last frame is no measure of drawing if nothing was drawn, or nothing changed in
                // between.
                if was_changing && has_drawn {
                    self.learn(elapsed_secs);
                }
                Self::STEPS[self.step]
            }
            // While a control is held still, a coarse picture stays, since it may change again at once. A click alone
            // does not make the picture coarse.
            Activity::Interacting if self.is_full_quality_due() => Self::STEPS[self.step],
            Activity::Interacting | Activity::Idle => {
                self.idle_secs += elapsed_secs;
                if self.is_full_quality_due() {
                    return Self::STEPS[self.step];
                }
                self.frame_secs = None;
                self.accumulated
            }
        }
    }

    /// The quality of a picture that does not change.
    pub(super) fn accumulated(&self) -> Quality {
        self.accumulated
    }

    fn learn(&mut self, elapsed_secs: f32) {
        let smooth = self.frame_secs.map_or(elapsed_secs, |last| last + (elapsed_secs - last) * 0.3);
        self.frame_secs = Some(smooth);
        self.frames_at_step += 1;
        let last_step = Self::STEPS.len() - 1;
        let secs = |step: usize, plain, refined| if Self::STEPS[step].samples > 0 { refined } else { plain };
        let is_slow = smooth > secs(self.step, Self::SLOW_SECS, Self::SLOW_SECS_REFINED);
        let finer = self.step.saturating_sub(1);
        let is_quick = smooth < secs(finer, Self::QUICK_SECS, Self::QUICK_SECS_REFINED);
        if is_slow && self.step < last_step && self.frames_at_step >= 3 {
            if self.last_change_was_up && self.frames_at_step < Self::TRIAL_FRAMES {
                self.patience = (self.patience * 4).min(Self::LAST_PATIENCE);
            }
            self.change_step(self.step + 1);
            self.last_change_was_up = false;
        } else if is_quick && self.step > self.finest && self.frames_at_step >= self.patience {
            self.change_step(finer);
            self.last_change_was_up = true;
        }
    }

    fn change_step(&mut self, step: usize) {
        self.step = step;
        self.frames_at_step = 0;
        self.frame_secs = None;
    }

    /// The smoothed time from frame to frame while the picture changes.
    pub(super) fn frame_ms(&self) -> Option<f32> {
        self.frame_secs.map(|secs| secs * 1000.0)
    }

    /// Whether the picture is coarse, and to be drawn at full quality once it has not changed for
    /// [`FULL_QUALITY_DELAY`].
    pub(super) fn is_full_quality_due(&self) -> bool {
        self.idle_secs < FULL_QUALITY_DELAY.as_secs_f32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(governor: &mut Governor, frames: usize, frame_secs: f32) -> Quality {
        (0..frames).map(|_| governor.next(Activity::Changing, frame_secs, true)).last().unwrap()
    }

    #[test]
    fn every_step_has_a_scale_that_is_drawn() {
        assert!(Governor::STEPS.iter().all(|step| Quality::SCALES.contains(&step.scale)));
    }

    #[test]
    fn slow_frames_step_down_to_the_quickest() {
        assert_eq!(after(&mut Governor::new(true, None), 60, 0.2), Governor::COARSEST);
    }

    #[test]
    fn quick_frames_climb_to_full_quality() {
        assert_eq!(after(&mut Governor::new(true, None), 300, 0.01), Quality::FULL);
    }

    #[test]
    fn quick_hardware_refines_what_changes_and_slower_hardware_does_not() {
        let mut governor = Governor::new(false, None);
        assert_eq!(after(&mut governor, 1, 0.0167), Quality::FULL);
        assert_eq!(after(&mut governor, 300, 0.0167).samples, 8);
        // One step after the other: fewer samples, none, and only then less than full quality.
        let mut steps = vec![governor.step];
        for _ in 0..40 {
            governor.next(Activity::Changing, 0.034, true);
            steps.push(governor.step);
        }
        steps.dedup();
        assert_eq!(steps, [0, 1, 2, 3]);
        assert_eq!(
            after(&mut Governor::new(false, None), 300, 0.03),
            Quality::FULL,
            "30 frames per second are no reason to refine"
        );
    }

    #[test]
    fn in_between_it_stays_where_it_is() {
        let mut governor = Governor::new(true, None);
        let start = governor.next(Activity::Changing, 0.03, true);
        assert_eq!(after(&mut governor, 300, 0.03), start);
    }

    #[test]
    fn finer_steps_that_are_too_slow_are_tried_less_and_less_often() {
        // The frame times of a slow machine: each step is either too slow, or quick enough to try a finer one.
        let cost_secs = [9.0, 9.0, 9.0, 0.4, 0.2, 0.12, 0.08, 0.02];
        let mut governor = Governor::new(true, None);
        let mut changes = 0;
        for _ in 0..4000 {
            let before = governor.step;
            governor.next(Activity::Changing, cost_secs[before], true);
            changes += usize::from(governor.step != before);
        }
        assert!(changes < 12, "{changes} changes of quality in 4000 frames");
    }

    #[test]
    fn a_picture_that_rests_is_drawn_at_full_quality() {
        let mut governor = Governor::new(true, None);
        assert_ne!(after(&mut governor, 3, 0.03), Quality::FULL);
        assert_ne!(governor.next(Activity::Idle, 0.02, true), Quality::FULL);
        assert!(governor.is_full_quality_due());
        assert_eq!(governor.next(Activity::Idle, 0.2, false), governor.accumulated());
        assert!(governor.accumulated().samples >= 8);
        assert!(!governor.is_full_quality_due());
    }

    #[test]
    fn a_picture_that_rests_has_the_samples_that_were_asked_for() {
        for is_software in [false, true] {
            assert_eq!(Governor::new(is_software, Some(3)).accumulated(), Quality::refined(3));
            assert_eq!(Governor::new(is_software, Some(0)).accumulated(), Quality::FULL);
        }
    }

    #[test]
    fn holding_a_control_still_keeps_a_coarse_picture_but_does_not_make_one() {
        let mut governor = Governor::new(true, None);
        assert_eq!(governor.next(Activity::Interacting, 0.02, false), governor.accumulated());
        let coarse = after(&mut governor, 3, 0.03);
        assert_eq!(governor.next(Activity::Interacting, 5.0, false), coarse);
    }

    #[test]
    fn neither_a_long_rest_nor_a_frame_without_a_picture_changes_the_step() {
        let mut governor = Governor::new(true, None);
        let moving = after(&mut governor, 5, 0.03);
        governor.next(Activity::Idle, 0.5, false);
        assert_eq!(governor.next(Activity::Changing, 60.0, true), moving);
        for _ in 0..100 {
            assert_eq!(governor.next(Activity::Changing, 0.001, false), moving);
        }
    }
}
