//! The transition of one channel from the value that was shown to the value of the layers.
//!
//! A fade stores the value at its start but not at its end, because the end value may change while the fade runs (for
//! example while a clip plays). A fade that interrupts another one starts at the value of that moment, so the face
//! never jumps.

use crate::motion::Ease;

/// The transition of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Fade {
    /// The weights at its start, one per target of the channel.
    pub from: Vec<f32>,
    /// The start time, in the running time of the [`crate::motion::Clock`].
    pub start_secs: f64,
    /// Its length.
    pub duration_secs: f32,
    /// The easing curve.
    pub ease: Ease,
}

impl Fade {
    /// The eased progress, from 0 to 1.
    pub fn progress(&self, clock_secs: f64) -> f32 {
        if self.duration_secs <= 0.0 {
            return 1.0;
        }
        self.ease.at(((clock_secs - self.start_secs) / f64::from(self.duration_secs)) as f32)
    }

    /// Whether the fade has ended.
    pub fn is_over(&self, clock_secs: f64) -> bool {
        clock_secs - self.start_secs >= f64::from(self.duration_secs)
    }
}
