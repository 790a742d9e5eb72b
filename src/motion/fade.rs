//! The passage of one channel from what was shown to what the layers ask for now.
//!
//! A fade holds on to where it began, not to where it goes: what it leads to may move meanwhile (a clip plays), and a
//! fade that is cut short hands its value of that moment to the next one. So a face never jumps.

use super::Ease;

/// One channel on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Fade {
    /// What was shown when it began, one per target of the channel.
    pub from: Vec<f32>,
    /// When it began, on the session's clock.
    pub start_secs: f64,
    /// How long it takes.
    pub duration_secs: f32,
    /// How it moves.
    pub ease: Ease,
}

impl Fade {
    /// How much of it has happened, 0 ..= 1.
    pub fn progress(&self, clock_secs: f64) -> f32 {
        if self.duration_secs <= 0.0 {
            return 1.0;
        }
        self.ease.at(((clock_secs - self.start_secs) / f64::from(self.duration_secs)) as f32)
    }

    /// Whether nothing of where it began is left.
    pub fn is_over(&self, clock_secs: f64) -> bool {
        clock_secs - self.start_secs >= f64::from(self.duration_secs)
    }
}
