//! Weighted sums of poses. The applied poses are a source of weights; the sequence uses the same sum.

use std::sync::Arc;

use super::{Pose, PoseId};
use crate::head::Head;
use crate::motion::{Moment, StackWeights, WeightSource};

/// The channels of one pose on a head, and the pose's weight for each.
pub(super) type BoundPose = Vec<(usize, f32)>;

/// Finds a pose by its id and binds it to the channels of a head.
pub(super) fn bind_pose(head: &Head, poses: &[Arc<Pose>], id: PoseId) -> Option<BoundPose> {
    poses.iter().find(|pose| pose.id == id).map(|pose| pose.channels_of(head))
}

/// A weighted sum of poses, channel by channel.
#[derive(Debug)]
pub(super) struct PoseSum {
    /// Per channel that any pose names: the sum of the amounts of these poses, and the sum of amount times weight.
    sums: Vec<Option<(f32, f32)>>,
}

impl PoseSum {
    pub(super) fn new(channel_count: usize) -> Self {
        Self { sums: vec![None; channel_count] }
    }

    pub(super) fn add(&mut self, pose: &BoundPose, amount: f32) {
        for &(channel, weight) in pose {
            let (amounts, values) = self.sums[channel].get_or_insert_default();
            *amounts += amount;
            *values += amount * weight;
        }
    }

    /// The channels that any pose names. For each: the part of the value below that remains, 0 to 1, and the sum of
    /// amount times weight.
    pub(super) fn channels(&self) -> impl Iterator<Item = (usize, f32, f32)> + '_ {
        let named = self.sums.iter().enumerate().filter_map(|(channel, sum)| Some((channel, (*sum)?)));
        named.map(|(channel, (amount, value))| (channel, 1.0 - amount.clamp(0.0, 1.0), value))
    }
}

/// The applied poses, bound to the channels of a head.
#[derive(Debug)]
pub(in crate::motion) struct BoundPoses {
    sum: PoseSum,
}

impl BoundPoses {
    pub(in crate::motion) fn bind(
        head: &Head,
        applied_poses: &[(PoseId, f32)],
        poses: &[Arc<Pose>],
    ) -> Option<Box<dyn WeightSource>> {
        if applied_poses.is_empty() {
            return None;
        }
        let mut sum = PoseSum::new(head.channels.len());
        for &(id, amount) in applied_poses.iter().filter(|(_, amount)| *amount != 0.0) {
            bind_pose(head, poses, id).iter().for_each(|pose| sum.add(pose, amount));
        }
        Some(Box::new(Self { sum }))
    }
}

impl WeightSource for BoundPoses {
    fn apply(&self, _: Moment, weights: &mut StackWeights<'_>) {
        for (channel, below_part, value) in self.sum.channels() {
            weights.set(channel, |_, below| below * below_part + value);
        }
    }
}
