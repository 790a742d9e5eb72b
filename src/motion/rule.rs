//! How several expressions are combined.

use serde::{Deserialize, Serialize};

use crate::head::Head;

/// How weights are combined into a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlendRule {
    /// Base plus the weighted deltas, as glTF defines it (§3.7.2.2).
    #[default]
    Additive,
    /// A weighted average of whole shapes. The neutral shape gets what the weights lack to 1; weights whose sum is more than 1
    /// are divided by it.
    ///
    /// `(1 - Σw) · base + Σ w · (base + delta)` is `base + Σ w · delta`, so the average differs from the additive rule only
    /// in the division: every blend mode supports it by blending the divided weights. The sum is taken over channels and not
    /// over targets, so that teeth, which fewer expressions move, stay with the lips. Negative weights count by their size.
    Normalised,
}

impl BlendRule {
    /// In the order of the menu.
    pub const ALL: [Self; 2] = [Self::Additive, Self::Normalised];

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Additive => "Additive",
            Self::Normalised => "Normalised",
        }
    }

    /// Turns a mix (laid out as [`Head::default_weights`]) into what is blended: one weight per target of the head. Expressions
    /// count by the targets they move.
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
