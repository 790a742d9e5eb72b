//! The sliders as a source of weights.

use super::{Moment, StackWeights, WeightSource};

/// The sliders of the manual channels: channels whose values the user sets.
#[derive(Debug)]
pub(super) struct BoundSliders {
    /// One per target of the head, then one per expression.
    weights: Vec<f32>,
    channels: Vec<usize>,
}

impl BoundSliders {
    pub(super) fn bind(weights: &[f32], is_manual: &[bool]) -> Option<Box<dyn WeightSource>> {
        let channels: Vec<usize> = (0..is_manual.len()).filter(|&channel| is_manual[channel]).collect();
        if channels.is_empty() {
            return None;
        }
        Some(Box::new(Self { weights: weights.to_vec(), channels }))
    }
}

impl WeightSource for BoundSliders {
    fn apply(&self, _: Moment, weights: &mut StackWeights<'_>) {
        for &channel in &self.channels {
            weights.set(channel, |target, _| self.weights[target]);
        }
    }
}
