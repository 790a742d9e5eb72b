//! The transition of one channel from what was shown to what the layers come to now.
//!
//! A fade stores where it began, not where it goes: what it leads to may itself be moving (a clip plays), and a fade that is
//! interrupted passes its value of that moment to the next one. So a face never jumps.

use crate::motion::Ease;

/// The transition of one channel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fade {
    /// What was shown when it began, one per target of the channel.
    pub from: Vec<f32>,
    /// When it began, in the running time of the [`crate::motion::Clock`].
    pub start_secs: f64,
    /// Its length.
    pub duration_secs: f32,
    /// The easing curve.
    pub ease: Ease,
}

impl Fade {
    /// How much of it is done, 0 ..= 1.
    pub(crate) fn progress(&self, clock_secs: f64) -> f32 {
        if self.duration_secs <= 0.0 {
            return 1.0;
        }
        self.ease.at(((clock_secs - self.start_secs) / f64::from(self.duration_secs)) as f32)
    }

    /// Whether it has reached its end.
    pub(crate) fn is_over(&self, clock_secs: f64) -> bool {
        clock_secs - self.start_secs >= f64::from(self.duration_secs)
    }
}
