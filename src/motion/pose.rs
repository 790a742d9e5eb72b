//! A face by name: channel names and their weights.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::head::Head;

/// What a pose is known by, whatever its name and place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PoseId(pub u32);

/// A named mix of expressions. Channels it does not name are none of its business.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Unique within a session.
    pub id: PoseId,
    /// What the artist calls it.
    pub name: String,
    /// Channel names and weights. Names the head on screen does not have are kept: another head may have them.
    pub weights: BTreeMap<String, f32>,
}

impl Pose {
    /// The mix on screen: the channels that are not at rest. `weights` are one per target of the head.
    pub fn of_mix(id: PoseId, name: String, head: &Head, weights: &[f32]) -> Self {
        let rest = head.default_weights();
        let moved = head.channels.iter().filter_map(|channel| {
            let &target = channel.targets.iter().find(|&&target| weights[target] != rest[target])?;
            Some((channel.full_name.clone(), weights[target]))
        });
        Self { id, name, weights: moved.collect() }
    }

    /// Channels of a head and what the pose wants of them. A name can stand for more than one channel; of names that mean
    /// the same one (two halves of a brow that is one here), their mean.
    pub fn channels_of(&self, head: &Head) -> Vec<(usize, f32)> {
        let mut sums: BTreeMap<usize, (f32, f32)> = BTreeMap::new();
        for (name, &weight) in self.weights.iter().filter(|(_, weight)| weight.is_finite()) {
            for channel in head.channel_alike(name) {
                let (sum, count) = sums.entry(channel).or_default();
                *sum += weight;
                *count += 1.0;
            }
        }
        sums.into_iter().map(|(channel, (sum, count))| (channel, sum / count)).collect()
    }

    /// The pose alone on a head: one weight per target.
    pub fn weights_on(&self, head: &Head) -> Vec<f32> {
        let mut weights = head.default_weights();
        for (channel, weight) in self.channels_of(head) {
            head.channels[channel].targets.iter().for_each(|&target| weights[target] = weight);
        }
        weights
    }

    /// The names a head does not have.
    pub fn unknown_names<'a>(&'a self, head: &Head) -> Vec<&'a str> {
        self.weights.keys().map(String::as_str).filter(|name| head.channel_alike(name).is_empty()).collect()
    }

    /// The same face in the mirror. Names that stand for none of the head's channels, or for both sides, stay as they are.
    pub fn mirrored(&self, head: &Head) -> BTreeMap<String, f32> {
        let mirror = |name: &String| match head.channel_alike(name)[..] {
            [channel] if head.mirror_of(channel) != channel => head.channels[head.mirror_of(channel)].full_name.clone(),
            _ => name.clone(),
        };
        self.weights.iter().map(|(name, &weight)| (mirror(name), weight)).collect()
    }
}
