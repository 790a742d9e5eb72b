//! Easing curves.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// The shape of a transition from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum Ease {
    /// Slow at both ends, as facial muscles move.
    #[default]
    InOut,
    /// Slow at the start.
    In,
    /// Slow at the end.
    Out,
    /// Constant speed.
    Linear,
}

impl Ease {
    /// All easing curves, in the order of the menu.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::Linear => "Linear",
            Self::In => "Ease in",
            Self::Out => "Ease out",
            Self::InOut => "Ease in-out",
        }
    }

    /// The part of the change that is done after `fraction` of the time; 0 before the start, 1 after the end.
    pub fn at(self, fraction: f32) -> f32 {
        let s = if fraction.is_nan() { 1.0 } else { fraction.clamp(0.0, 1.0) };
        match self {
            Self::Linear => s,
            Self::In => s * s,
            Self::Out => s * (2.0 - s),
            Self::InOut => s * s * (3.0 - 2.0 * s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ease_rises_from_0_to_1_without_turning_back() {
        for &ease in Ease::ALL {
            assert_eq!((ease.at(-1.0), ease.at(0.0), ease.at(1.0), ease.at(9.0)), (0.0, 0.0, 1.0, 1.0));
            let values: Vec<f32> = (0..=100).map(|step| ease.at(step as f32 / 100.0)).collect();
            assert!(values.windows(2).all(|pair| pair[1] > pair[0]), "{ease:?}");
        }
        assert_eq!(Ease::InOut.at(f32::NAN), 1.0, "a transition of no length is over");
    }
}
