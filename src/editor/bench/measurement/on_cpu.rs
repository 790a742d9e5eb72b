//! Evaluations in CPU mode.

use std::sync::Arc;
use std::time::Instant;

use super::sampler;
use smirk_graphics::blend::{ActiveTargets, CpuBlend, Layout, MorphedVertex};

/// A CPU blend with its own lists of active targets and its own vertices.
#[derive(Debug)]
pub(super) struct OnCpu {
    layout: Arc<Layout>,
    active: ActiveTargets,
    blend: CpuBlend,
}

impl OnCpu {
    pub(super) fn new(layout: Arc<Layout>) -> Self {
        Self { active: ActiveTargets::new(&layout), blend: CpuBlend::new(&layout), layout }
    }

    /// Blends with these weights on the threads of the current pool, and returns the time in milliseconds.
    pub(super) fn evaluate(&mut self, weights: &[f32]) -> f64 {
        let began = Instant::now();
        if self.active.update(&self.layout, weights) {
            self.blend.evaluate(&self.layout, &self.active);
        }
        sampler::ms_since(began)
    }

    pub(super) fn vertices(&mut self, weights: &[f32]) -> Vec<MorphedVertex> {
        self.evaluate(weights);
        self.blend.vertices(&self.layout)
    }
}
