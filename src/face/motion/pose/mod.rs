//! Poses: named sets of channel weights.

mod sequence;
mod starter;

pub use sequence::{Sequence, SequenceStep, SequenceWrap};
pub use starter::{FIRST_OWN_POSE, PoseGroup, starter_poses};

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::head::Head;
use crate::motion::{Moment, StackWeights, WeightSource};

/// Identifies a pose independently of its name and its position in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PoseId(pub u32);

/// How much of a pose is applied.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoseAmount {
    pub pose: PoseId,
    /// 1 is the pose as it was saved.
    pub amount: f32,
}

impl PoseId {
    /// The id of a pose whose own could not be read. It is replaced when the pose comes into a session.
    fn unknown() -> Self {
        Self(u32::MAX)
    }
}

/// Format version of pose files: the version that the export writes, and the newest version that can
/// be read.
pub const POSES_FILE_VERSION: u32 = 1;

/// A named set of channel weights. It has no effect on channels that it does not name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Unique within a session.
    #[serde(default = "PoseId::unknown")]
    pub id: PoseId,
    #[serde(default = "unnamed")]
    pub name: String,
    /// Channel names and weights. Names that the current head lacks are kept, because another head may have them.
    #[serde(default)]
    pub weights: BTreeMap<String, f32>,
}

fn unnamed() -> String {
    "Unnamed".into()
}

impl Pose {
    /// A pose of the channels that are not at rest. `rest` and `weights` have one entry per target of the head.
    pub fn of_mix(id: PoseId, name: String, head: &Head, rest: &[f32], weights: &[f32]) -> Self {
        let moved = head.channels.iter().filter_map(|channel| {
            let &target = channel.targets.iter().find(|&&target| weights[target] != rest[target])?;
            Some((channel.full_name.clone(), weights[target]))
        });
        Self { id, name, weights: moved.collect() }
    }

    /// The channels of a head that the pose names, with their weights. One name can mean several channels. If several
    /// names mean the same channel (for example the two halves of a brow that is one channel of this head), the channel
    /// gets the mean of their weights.
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

    /// The weights of a head with only this pose applied, and those at rest: one per target.
    pub fn weights_on(&self, head: &Head, rest: &[f32]) -> Vec<f32> {
        let mut weights = rest.to_vec();
        for (channel, weight) in self.channels_of(head) {
            head.channels[channel].targets.iter().for_each(|&target| weights[target] = weight);
        }
        weights
    }

    pub fn unknown_names<'a>(&'a self, head: &Head) -> Vec<&'a str> {
        self.weights.keys().map(String::as_str).filter(|name| head.channel_alike(name).is_empty()).collect()
    }

    /// The weights with left and right swapped. Names that match no channel of the head, or several, are not changed.
    pub fn mirrored(&self, head: &Head) -> BTreeMap<String, f32> {
        let mirrored = self.weights.iter().map(|(name, &weight)| match head.channel_alike(name)[..] {
            [channel] if head.mirror_of(channel) != channel => {
                (head.channels[head.mirror_of(channel)].full_name.clone(), weight)
            }
            _ => (name.clone(), weight),
        });
        mirrored.collect()
    }
}

/// The channels of one pose on a head, and the pose's weight for each.
type BoundPose = Vec<(usize, f32)>;

/// Finds a pose by its id and binds it to the channels of a head.
fn bind_pose(head: &Head, poses: &[Arc<Pose>], id: PoseId) -> Option<BoundPose> {
    poses.iter().find(|pose| pose.id == id).map(|pose| pose.channels_of(head))
}

#[derive(Debug)]
struct PoseSum {
    /// Per channel that any pose names: the sum of the amounts of these poses, and the sum of amount times weight.
    sums: Vec<Option<(f32, f32)>>,
}

impl PoseSum {
    fn new(channel_count: usize) -> Self {
        Self { sums: vec![None; channel_count] }
    }

    fn add(&mut self, pose: &BoundPose, amount: f32) {
        for &(channel, weight) in pose {
            let (amounts, values) = self.sums[channel].get_or_insert_default();
            *amounts += amount;
            *values += amount * weight;
        }
    }

    /// The channels that any pose names. For each: the part of the value below that remains, 0 to 1, and the sum of
    /// amount times weight.
    fn channels(&self) -> impl Iterator<Item = (usize, f32, f32)> + '_ {
        let named = self.sums.iter().enumerate().filter_map(|(channel, sum)| Some((channel, (*sum)?)));
        named.map(|(channel, (amount, value))| (channel, 1.0 - amount.clamp(0.0, 1.0), value))
    }
}

#[derive(Debug)]
struct BoundPoses {
    sum: PoseSum,
}

impl PoseAmount {
    /// Applied poses of a list as a source of weights, if there are any.
    pub fn source(applied: &[Self], poses: &[Arc<Pose>], head: &Head) -> Option<Box<dyn WeightSource>> {
        if applied.is_empty() {
            return None;
        }
        let mut sum = PoseSum::new(head.channels.len());
        for &Self { pose, amount } in applied.iter().filter(|applied| applied.amount != 0.0) {
            bind_pose(head, poses, pose).iter().for_each(|pose| sum.add(pose, amount));
        }
        Some(Box::new(BoundPoses { sum }))
    }
}

impl WeightSource for BoundPoses {
    fn apply(&self, _: &Moment, weights: &mut StackWeights<'_>) {
        for (channel, below_part, value) in self.sum.channels() {
            weights.set(channel, |_, below| below * below_part + value);
        }
    }
}
