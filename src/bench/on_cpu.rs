//! Evaluations on the processor, in memory.

use std::sync::Arc;
use std::time::Instant;

use super::sampler;
use crate::blend::{ActiveTargets, CpuBlend, Layout, MorphedVertex};

/// Lists and vertices of their own.
#[derive(Debug)]
pub struct OnCpu {
    layout: Arc<Layout>,
    active: ActiveTargets,
    blend: CpuBlend,
}

impl OnCpu {
    /// At rest.
    pub fn new(layout: Arc<Layout>) -> Self {
        Self { active: ActiveTargets::new(&layout), blend: CpuBlend::new(&layout), layout }
    }

    /// Brings lists and vertices up to the weights, on the threads of the pool it is called in; milliseconds.
    pub fn evaluate(&mut self, weights: &[f32]) -> f64 {
        let began = Instant::now();
        if self.active.update(&self.layout, weights) {
            self.blend.evaluate(&self.layout, &self.active);
        }
        sampler::ms_since(began)
    }

    /// What becomes of the head under the weights.
    pub fn vertices(&mut self, weights: &[f32]) -> Vec<MorphedVertex> {
        self.evaluate(weights);
        self.blend.vertices(&self.layout)
    }
}
