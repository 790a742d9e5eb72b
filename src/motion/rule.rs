//! What several expressions at once add up to.

use serde::{Deserialize, Serialize};

use crate::head::Head;

/// How weights become a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlendRule {
    /// Base plus the weighted deltas, as glTF has it (§3.7.2.2).
    #[default]
    Additive,
    /// A weighted average of whole shapes: the neutral one takes what is left to 1, and weights that sum up to more
    /// are divided by their sum.
    ///
    /// `(1 - Σw) · base + Σ w · (base + delta)` is `base + Σ w · delta`, so the average differs from the additive rule only
    /// in the division: every blend mode follows it by blending the divided weights. The sum is taken over channels, so
    /// teeth stay with lips that more expressions move; the size of a negative weight counts.
    Normalised,
}

impl BlendRule {
    /// In the order they are offered.
    pub const ALL: [Self; 2] = [Self::Additive, Self::Normalised];

    /// What to call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Additive => "Additive",
            Self::Normalised => "Normalised",
        }
    }

    /// Turns what the channels ask for ([`Head::default_weights`] says of what shape) into what is blended: one weight per
    /// target of the head. Expressions count by the targets they move.
    pub fn apply(self, head: &Head, weights: &mut Vec<f32>) {
        head.resolve_expressions(weights);
        if self == Self::Additive {
            return;
        }
        let largest = |targets: &[usize]| targets.iter().map(|&target| weights[target].abs()).fold(0.0, f32::max);
        let sum: f64 = head.target_channels().iter().map(|channel| f64::from(largest(&channel.targets))).sum();
        if sum > 1.0 {
            weights.iter_mut().for_each(|weight| *weight = (f64::from(*weight) / sum) as f32);
        }
    }
}
