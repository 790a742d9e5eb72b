//! The correctives of one head, bound to the indices of its targets, and the weights that they get.

use std::collections::{BTreeMap, BTreeSet};

use super::{Corrective, DriveRule, Driver};
use crate::head::{Note, ShapeMix};

/// The correctives of a head. Names are resolved once, when the head is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correctives {
    /// As they are declared, also those that this head cannot have.
    pub declared: Vec<Corrective>,
    /// Why this head cannot have some of them.
    pub problems: Vec<Note>,
    /// In an order in which every combination comes after those that drive it.
    pub(super) combinations: Vec<BoundCombination>,
    pub(super) bent: Vec<BentTarget>,
    /// The channels that are driven, ascending, each with the index of its declaration.
    pub(super) driven: Vec<(usize, usize)>,
}

/// A combination on one head.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoundCombination {
    pub channel: usize,
    pub rule: DriveRule,
    pub drivers: Vec<BoundDriver>,
    /// The driven target of each mesh that has one, with the targets that drive it: one per driver.
    pub targets: Vec<(usize, Vec<usize>)>,
}

/// A channel that drives a combination of one head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoundDriver {
    pub channel: usize,
    pub full_weight: f32,
}

/// A target on one mesh with in-betweens that are targets of their own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BentTarget {
    pub channel: usize,
    pub target: usize,
    /// In ascending order of their full weights.
    pub in_betweens: Vec<BoundInBetween>,
}

/// An in-between on one mesh of one head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoundInBetween {
    pub channel: usize,
    pub target: usize,
    pub full_weight: f32,
}

impl Correctives {
    /// Whether no channel is driven.
    pub fn is_empty(&self) -> bool {
        self.driven.is_empty()
    }

    /// The channels that are driven, ascending.
    pub fn driven(&self) -> impl Iterator<Item = usize> + Clone {
        self.driven.iter().map(|(channel, _)| *channel)
    }

    /// What drives a channel; none if nothing does.
    pub fn of_channel(&self, channel: usize) -> Option<&Corrective> {
        let at = self.driven.binary_search_by_key(&channel, |(channel, _)| *channel).ok()?;
        self.declared.get(self.driven[at].1)
    }

    /// Whether in-betweens change the weight of a channel's own shape.
    pub(crate) fn has_in_betweens(&self, channel: usize) -> bool {
        self.bent.iter().any(|bent| bent.channel == channel)
    }

    /// Sets the weights of the targets that are driven, one weight per target of the head. The correctives of the channels in
    /// `silent`, in ascending order, do not play: their targets keep the weights that they have, like those that nothing drives.
    pub fn drive(&self, weights: &mut [f32], silent: &[usize]) {
        let plays = |channel: usize| silent.binary_search(&channel).is_err();
        for combination in self.combinations.iter().filter(|combination| plays(combination.channel)) {
            for (target, driven_by) in &combination.targets {
                let drivers = combination.drivers.iter().zip(driven_by);
                let parts = drivers.map(|(driver, &by)| {
                    Driver::part_at(driver.full_weight, weights.get(by).copied().unwrap_or_default())
                });
                let weight = combination.rule.weight(parts);
                if let Some(driven) = weights.get_mut(*target) {
                    *driven = weight;
                }
            }
        }
        // In-betweens come last, because they change the weight of the target that they belong to, which drives combinations.
        for bent in &self.bent {
            let playing = bent.in_betweens.iter().filter(|each| plays(each.channel));
            let Some(weight) = weights.get(bent.target).copied().filter(|weight| weight.is_finite()) else { continue };
            let mix = ShapeMix::new(playing.clone().map(|each| each.full_weight), weight);
            let shares = playing.map(|each| (each.target, mix.of(each.full_weight)));
            // Far outside of the corners, a share may be beyond the largest number.
            for (target, share) in shares.chain([(bent.target, mix.of_own_shape())]) {
                if let Some(weight) = weights.get_mut(target) {
                    *weight = share.clamp(f32::MIN, f32::MAX);
                }
            }
        }
    }

    /// The channels that show a driven channel at a weight while everything else is at rest, with their weights; the channel
    /// itself if nothing drives it, or its corrective is in `silent`.
    pub(crate) fn shown_by(&self, channel: usize, weight: f32, silent: &[usize]) -> Vec<(usize, f32)> {
        let mut shown: BTreeMap<usize, f32> = BTreeMap::new();
        // Drivers that are driven themselves are followed down to channels that an artist moves, each once.
        let (mut open, mut followed) = (vec![(channel, weight)], BTreeSet::new());
        while let Some((channel, weight)) = open.pop() {
            if self.of_channel(channel).is_some() && silent.binary_search(&channel).is_err() {
                let drivers = self.drivers_of(channel).into_iter().map(|(driver, at)| (driver, at * weight));
                if followed.insert(channel) {
                    open.extend(drivers);
                }
            } else {
                let before = shown.entry(channel).or_default();
                if weight.abs() > before.abs() {
                    *before = weight;
                }
            }
        }
        shown.into_iter().collect()
    }

    /// The channels that drive a channel directly, each with the weight at which the driven one is shown fully.
    pub fn drivers_of(&self, channel: usize) -> Vec<(usize, f32)> {
        let combination = self.combinations.iter().find(|combination| combination.channel == channel);
        let drivers = combination.iter().flat_map(|combination| &combination.drivers);
        let in_between = self.bent.iter().find_map(|bent| {
            let in_between = bent.in_betweens.iter().find(|each| each.channel == channel)?;
            Some((bent.channel, in_between.full_weight))
        });
        drivers.map(|driver| (driver.channel, driver.full_weight)).chain(in_between).collect()
    }
}
