//! A sequence as a source of weights.

use std::sync::Arc;

use super::sum::{BoundPose, PoseSum, bind_pose};
use super::{Pose, PoseId, Sequence};
use crate::head::Head;
use crate::motion::{Moment, StackWeights, WeightSource};

/// An enabled sequence, bound to the channels of a head.
#[derive(Debug)]
pub(in crate::motion) struct BoundSequence {
    sequence: Sequence,
    poses: Vec<(PoseId, BoundPose)>,
    /// The rest weights of the head.
    rest: Vec<f32>,
    channel_count: usize,
}

impl BoundSequence {
    pub(in crate::motion) fn bind(
        head: &Head,
        sequence: &Sequence,
        poses: &[Arc<Pose>],
        rest: &[f32],
    ) -> Option<Box<dyn WeightSource>> {
        if !sequence.is_on() {
            return None;
        }
        let bound = sequence.steps.iter().filter_map(|step| Some((step.pose, bind_pose(head, poses, step.pose)?)));
        Some(Box::new(Self {
            poses: bound.collect(),
            sequence: sequence.clone(),
            rest: rest.to_vec(),
            channel_count: head.channels.len(),
        }))
    }
}

impl WeightSource for BoundSequence {
    fn apply(&self, moment: Moment, weights: &mut StackWeights<'_>) {
        let mut sum = PoseSum::new(self.channel_count);
        // Every pose of the sequence is included at every position: a channel that only one of them names is at rest in
        // the others.
        self.poses.iter().for_each(|(_, pose)| sum.add(pose, 0.0));
        for (id, amount) in self.sequence.amounts(self.sequence.position(self.sequence.time_at_moment(moment))) {
            let pose = self.poses.iter().find(|(other, _)| *other == id);
            pose.iter().for_each(|(_, pose)| sum.add(pose, amount));
        }
        for (channel, rest_part, value) in sum.channels() {
            weights.set(channel, |target, _| self.rest[target] * rest_part + value);
        }
    }
}
