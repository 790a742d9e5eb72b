//! Correctives: targets whose weight follows from the weights of other targets. The artist does not move them.
//!
//! A **combination** is shown where several targets are on at once, such as a shape that mends what `jawOpen` and `mouthClose` do
//! together. An **in-between** that the file has as a target of its own is shown while another target passes a weight. Both are
//! declared by the names of channels, in a file beside the head; [`Correctives`] are the same bound to the indices of one head.
//!
//! The rules are those of Maya's combination targets (the methods *Multiplication* and *Lowest Weighting* of `combinationShape`)
//! and of the correctives of MetaHumans (RigLogic's `PSDNet`, which limits a product to 0 to 1).

mod binding;
mod correctives;

pub use correctives::Correctives;

/// A target that follows others, as it is declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Corrective {
    /// The channel that is driven, by its full name or the name on the screen.
    pub target: String,
    /// What drives it.
    pub drive: Drive,
}

/// What drives a corrective.
#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// Several channels that are on at once.
    Combination(DriveRule, Vec<Driver>),
    /// Another channel on its way to its own shape.
    InBetween {
        /// The name of that channel.
        of: String,
        /// The weight of that channel at which the in-between is shown fully. See [`super::InBetween::full_weight`].
        at: f32,
    },
}

/// A channel that drives a combination.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    /// Its full name or the name on the screen.
    pub name: String,
    /// The weight at which it counts as fully on. Finite, and at least [`Driver::SMALLEST_FULL_WEIGHT`] from 0 to either side.
    pub full_weight: f32,
}

impl Driver {
    /// The smallest distance of a full weight to 0. Below it, a corrective would be switched rather than moved.
    pub const SMALLEST_FULL_WEIGHT: f32 = 1e-3;

    /// How far a driver is on at a weight: from 0 at weight 0 to 1 at its full weight, and neither less nor more beyond these.
    fn part_at(full_weight: f32, weight: f32) -> f32 {
        let part = weight / full_weight;
        // NaN compares as not greater, and becomes 0.
        if part > 0.0 { part.min(1.0) } else { 0.0 }
    }
}

/// How the weight of a combination follows from how far each of its drivers is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DriveRule {
    /// The product. Maya calls it *Multiplication*.
    #[default]
    Product,
    /// The smallest. Maya calls it *Lowest Weighting*.
    Lowest,
}

impl DriveRule {
    /// The weight of a combination.
    fn weight(self, parts: impl Iterator<Item = f32>) -> f32 {
        match self {
            Self::Product => parts.product(),
            Self::Lowest => parts.fold(1.0, f32::min),
        }
    }
}

impl Corrective {
    /// What drives it, in a few words: `jawOpen × mouthClose`, `lowest of jawOpen and mouthClose at 0.8`, `smile at 0.5`.
    pub fn drive_in_words(&self) -> String {
        match &self.drive {
            Drive::Combination(rule, drivers) => {
                let driver = |driver: &Driver| match driver.full_weight {
                    1.0 => driver.name.clone(),
                    full_weight => format!("{} at {full_weight}", driver.name),
                };
                let drivers: Vec<String> = drivers.iter().map(driver).collect();
                match rule {
                    DriveRule::Product => drivers.join(" × "),
                    DriveRule::Lowest => format!("lowest of {}", drivers.join(" and ")),
                }
            }
            Drive::InBetween { of, at } => format!("{of} at {at}"),
        }
    }
}

#[cfg(test)]
mod tests;
