//! Times blends where the GPU's own clock cannot: on the processor that plays the GPU.
//!
//! A software adapter (lavapipe, Mesa 22.3) stamps when the triangles around a stamp are drawn, not when a compute pass
//! before them ran: its passes seem to take no time. There, waiting costs little, for the waiting processor does the work.

use std::time::Duration;

use crate::gpu::Gpu;

/// Takes the time of every so-many-th blend, as waiting for each would keep the processor from going ahead.
#[derive(Debug)]
pub struct WaitTimer {
    is_needed: bool,
    blends: u32,
    /// A blend was timed since the last [`Self::forget`].
    is_warm: bool,
    ms: Option<f32>,
}

impl WaitTimer {
    const EVERY: u32 = 12;

    /// Needed on software adapters only.
    pub fn new(gpu: &Gpu) -> Self {
        Self { is_needed: gpu.is_software(), blends: 0, is_warm: false, ms: None }
    }

    /// Whether the GPU's own clock is no good.
    pub fn is_needed(&self) -> bool {
        self.is_needed
    }

    /// Whether the next blend is to be timed. To be asked once per blend.
    pub fn is_due(&mut self) -> bool {
        self.blends = self.blends.wrapping_add(1);
        self.is_needed && (self.ms.is_none() || self.blends.is_multiple_of(Self::EVERY))
    }

    /// Takes in what a blend took. The first one's time is that of setting up, ten times a blend's: nobody is told of it.
    pub fn note(&mut self, took: Duration) {
        if std::mem::replace(&mut self.is_warm, true) {
            self.ms = Some(took.as_secs_f32() * 1000.0);
        }
    }

    /// Forgets it: another mode's time, or another head's, would be taken for this one's.
    pub fn forget(&mut self) {
        (self.is_warm, self.ms) = (false, None);
    }

    /// Of the last blend that was timed, in milliseconds.
    pub fn ms(&self) -> Option<f32> {
        self.ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_blend_is_told_to_nobody_and_the_second_at_once() {
        let mut watch = WaitTimer { is_needed: true, blends: 0, is_warm: false, ms: None };
        for _ in 0..2 {
            assert!(watch.is_due());
            watch.note(Duration::from_millis(90));
            assert_eq!(watch.ms(), None, "setting up");
            assert!(watch.is_due());
            watch.note(Duration::from_millis(7));
            assert_eq!(watch.ms(), Some(7.0));
            watch.forget();
            assert_eq!(watch.ms(), None);
        }
    }
}
