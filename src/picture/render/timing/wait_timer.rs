//! Measures blends on software adapters by waiting for them, because timestamp queries do not measure them there.
//!
//! A software adapter (lavapipe, Mesa 22.3) writes a timestamp when the triangles of a neighbouring draw are drawn, and not
//! when the compute pass before them has run, so that compute passes seem to take no time. Waiting costs little on such an adapter, since the same
//! processor does the work.

use std::time::Duration;

use smirk_graphics::gpu::Gpu;

/// Measures one blend in [`Self::EVERY`]: waiting for each would keep the program from preparing the next frame
/// meanwhile.
#[derive(Debug)]
pub(crate) struct WaitTimer {
    is_needed: bool,
    blends: u32,
    /// Whether a blend was measured since the last [`Self::forget`].
    is_warm: bool,
    ms: Option<f32>,
}

impl WaitTimer {
    const EVERY: u32 = 12;

    /// A timer for the adapter of `gpu`. It is needed on software adapters only.
    pub(crate) fn new(gpu: &Gpu) -> Self {
        Self { is_needed: gpu.is_software(), blends: 0, is_warm: false, ms: None }
    }

    /// Whether the adapter's timestamp queries cannot be trusted.
    pub(crate) fn is_needed(&self) -> bool {
        self.is_needed
    }

    /// Whether the next blend is to be measured. Call it once per blend.
    pub(crate) fn is_due(&mut self) -> bool {
        self.blends = self.blends.wrapping_add(1);
        self.is_needed && (self.ms.is_none() || self.blends.is_multiple_of(Self::EVERY))
    }

    /// Records the duration of a blend. The first one is ignored: it includes setting up and takes ten times as long.
    pub(crate) fn record(&mut self, took: Duration) {
        if std::mem::replace(&mut self.is_warm, true) {
            self.ms = Some(took.as_secs_f32() * 1000.0);
        }
    }

    /// Forgets the duration, because the mode or the head has changed.
    pub(crate) fn forget(&mut self) {
        (self.is_warm, self.ms) = (false, None);
    }

    /// The duration of the last measured blend in milliseconds.
    pub(crate) fn ms(&self) -> Option<f32> {
        self.ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_blend_is_ignored_and_the_second_measured() {
        let mut timer = WaitTimer { is_needed: true, blends: 0, is_warm: false, ms: None };
        for _ in 0..2 {
            assert!(timer.is_due());
            timer.record(Duration::from_millis(90));
            assert_eq!(timer.ms(), None, "setting up");
            assert!(timer.is_due());
            timer.record(Duration::from_millis(7));
            assert_eq!(timer.ms(), Some(7.0));
            timer.forget();
            assert_eq!(timer.ms(), None);
        }
    }
}
