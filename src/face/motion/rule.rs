//! The blend rule: how the weights of several expressions are combined.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::head::Head;

/// How weights are combined into a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
pub enum BlendRule {
    /// Base plus the weighted deltas, as glTF defines it (§3.7.2.2).
    #[default]
    Additive,
    /// A weighted average of whole shapes. If the sum of the weights is less than 1, the neutral shape gets the rest;
    /// if it is more than 1, all weights are divided by it.
    ///
    /// `(1 - Σw) · base + Σ w · (base + delta)` is `base + Σ w · delta`, so the average differs from the additive rule
    /// only in the division: every blend mode supports it by blending the divided weights. The sum is taken over
    /// channels and not over targets: otherwise the teeth, which fewer expressions move, would no longer follow the
    /// lips. Negative weights are counted with their absolute values.
    Normalised,
}

impl BlendRule {
    /// Both rules, in the order of the menu.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        self.into()
    }

    /// Converts a mix (in the order of [`Head::default_weights`]) to the weights that are blended, one per target of
    /// the head. Expressions are counted through the targets that they move. Correctives follow the weights that the
    /// rule leaves, but for those of the channels in `silent`, which are in ascending order. Returns the output of each
    /// expression.
    pub fn apply(self, head: &Head, weights: &mut Vec<f32>, silent: &[usize]) -> Vec<f32> {
        let outputs = head.resolve_expressions(weights);
        let divisor = self.divisor_of_resolved(head, weights, silent);
        if divisor != 1.0 {
            weights.iter_mut().for_each(|weight| *weight = (f64::from(*weight) / divisor) as f32);
        }
        head.correctives.drive(weights, silent);
        outputs
    }

    /// The number by which [`Self::apply`] divides the weights of targets.
    pub fn divisor(self, head: &Head, mix: &[f32], silent: &[usize]) -> f64 {
        if self == Self::Additive {
            return 1.0;
        }
        let mut weights = mix.to_vec();
        head.resolve_expressions(&mut weights);
        self.divisor_of_resolved(head, &weights, silent)
    }

    fn divisor_of_resolved(self, head: &Head, weights: &[f32], silent: &[usize]) -> f64 {
        if self == Self::Additive {
            return 1.0;
        }
        let channels = head.target_channels().iter().enumerate().filter(|(channel, _)| {
            // A driven channel is no whole shape, and the average is one of whole shapes.
            silent.binary_search(channel).is_ok() || head.correctives.of_channel(*channel).is_none()
        });
        let largest = channels
            .map(|(_, channel)| channel.targets.iter().map(|&target| weights[target].abs()).fold(0.0, f32::max));
        largest.map(f64::from).sum::<f64>().max(1.0)
    }
}
