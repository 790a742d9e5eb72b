//! Times blends where the GPU's own clock cannot: on the processor that plays the GPU.
//!
//! A software adapter (lavapipe, Mesa 22.3) stamps when the triangles around a stamp are drawn, not when a compute pass
//! before them ran: its passes seem to take no time. There, waiting costs little, for the waiting processor does the work.

use std::time::Duration;

use crate::gpu::Gpu;

/// Takes the time of every so-many-th blend, as waiting for each would keep the processor from going ahead.
#[derive(Debug)]
pub struct Stopwatch {
    is_needed: bool,
    blends: u32,
    ms: Option<f32>,
}

impl Stopwatch {
    const EVERY: u32 = 12;

    /// Needed on software adapters only.
    pub fn new(gpu: &Gpu) -> Self {
        Self { is_needed: gpu.is_software(), blends: 0, ms: None }
    }

    /// Whether the next blend is to be timed. To be asked once per blend.
    pub fn is_due(&mut self) -> bool {
        self.blends = self.blends.wrapping_add(1);
        self.is_needed && (self.ms.is_none() || self.blends.is_multiple_of(Self::EVERY))
    }

    /// Takes in what a blend took.
    pub fn note(&mut self, took: Duration) {
        self.ms = Some(took.as_secs_f32() * 1000.0);
    }

    /// Forgets it: another mode's time would be taken for this one's.
    pub fn forget(&mut self) {
        self.ms = None;
    }

    /// Of the last blend that was timed, in milliseconds.
    pub fn ms(&self) -> Option<f32> {
        self.ms
    }
}
