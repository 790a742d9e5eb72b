//! A sequence: poses that are played one after the other.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::sum::{BoundPose, PoseSum, bind_pose};
use super::{Pose, PoseId};
use crate::head::Head;
use crate::motion::{Moment, StackWeights, WeightSource};

/// What happens at the end of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SequenceWrap {
    /// The last pose blends into the first.
    #[default]
    Loop,
    /// The sequence plays backwards, then forwards again.
    PingPong,
    /// The sequence stops at the last pose.
    Clamp,
}

impl SequenceWrap {
    /// All choices, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::Loop, Self::PingPong, Self::Clamp];

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Loop => "Loop",
            Self::PingPong => "Ping-pong",
            Self::Clamp => "Stop at the end",
        }
    }
}

/// A list of poses and how they are played. Position 0 is the first pose; 0.5 is half of the first and half of the
/// second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sequence {
    /// Whether the sequence drives the channels that its poses name.
    pub enabled: bool,
    /// The poses in playback order. A pose may occur more than once.
    pub poses: Vec<PoseId>,
    /// The time for all poses; for [`SequenceWrap::PingPong`], forwards and backwards.
    pub loop_secs: f32,
    /// What happens at the end.
    pub wrap: SequenceWrap,
}

impl Default for Sequence {
    fn default() -> Self {
        Self { enabled: false, poses: Vec::new(), loop_secs: 4.0, wrap: SequenceWrap::Loop }
    }
}

impl Sequence {
    /// Why the sequence cannot play, as a text for the screen.
    pub fn problem(&self) -> Option<&'static str> {
        match self.poses.len() {
            0 => Some("A sequence needs at least two poses; it has none."),
            1 => Some("A sequence needs at least two poses; it has one."),
            _ => None,
        }
    }

    /// Whether the sequence is enabled and can play.
    pub fn is_on(&self) -> bool {
        self.enabled && self.problem().is_none()
    }

    /// Whether the sequence has reached its end and stays there.
    pub fn is_over(&self, time_secs: f64) -> bool {
        self.wrap == SequenceWrap::Clamp && time_secs >= self.length_secs()
    }

    /// The position at a time. While the last of `n` poses of a loop blends into the first, it is between `n - 1` and
    /// `n`.
    pub fn position(&self, time_secs: f64) -> f32 {
        let (count, turns) = (self.poses.len() as f64, time_secs / self.length_secs());
        if !turns.is_finite() || count < 2.0 {
            return 0.0;
        }
        let last = count - 1.0;
        (match self.wrap {
            SequenceWrap::Loop => turns.rem_euclid(1.0) * count,
            SequenceWrap::PingPong => last - ((turns.rem_euclid(1.0) * 2.0 - 1.0).abs() * last),
            SequenceWrap::Clamp => turns.clamp(0.0, 1.0) * last,
        }) as f32
    }

    /// A time at which the sequence is at a position: the inverse of [`Self::position`].
    pub fn time_at(&self, position: f32) -> f64 {
        let (count, position) = (self.poses.len() as f64, f64::from(position));
        if count < 2.0 || !position.is_finite() {
            return 0.0;
        }
        let last = count - 1.0;
        let turns = match self.wrap {
            SequenceWrap::Loop => position.clamp(0.0, count) / count,
            SequenceWrap::PingPong => position.clamp(0.0, last) / last * 0.5,
            SequenceWrap::Clamp => position.clamp(0.0, last) / last,
        };
        turns * self.length_secs()
    }

    /// The one or two poses at a position, with their amounts, which add up to 1.
    pub fn amounts(&self, position: f32) -> Vec<(PoseId, f32)> {
        let count = self.poses.len();
        if count == 0 {
            return Vec::new();
        }
        let position = if position.is_finite() { position.clamp(0.0, count as f32) } else { 0.0 };
        let (index, part) = (position.floor() as usize, position.fract());
        let mut amounts = vec![(self.poses[index % count], 1.0 - part)];
        if part > 0.0 {
            amounts.push((self.poses[(index + 1) % count], part));
        }
        amounts
    }

    fn length_secs(&self) -> f64 {
        // `max` returns the shortest length for NaN.
        f64::from(self.loop_secs.max(0.05))
    }
}

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
        let bound = sequence.poses.iter().filter_map(|&id| Some((id, bind_pose(head, poses, id)?)));
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
        for (id, amount) in self.sequence.amounts(self.sequence.position(moment.sequence_secs)) {
            let pose = self.poses.iter().find(|(other, _)| *other == id);
            pose.iter().for_each(|(_, pose)| sum.add(pose, amount));
        }
        for (channel, rest_part, value) in sum.channels() {
            weights.set(channel, |target, _| self.rest[target] * rest_part + value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(wrap: SequenceWrap) -> Sequence {
        Sequence { enabled: true, poses: [7, 8, 9].map(PoseId).to_vec(), loop_secs: 6.0, wrap }
    }

    #[test]
    fn halfway_is_half_of_each() {
        let sequence = sequence(SequenceWrap::Loop);
        assert_eq!(sequence.amounts(0.5), [(PoseId(7), 0.5), (PoseId(8), 0.5)]);
        assert_eq!(sequence.amounts(1.0), [(PoseId(8), 1.0)]);
        assert_eq!(sequence.amounts(2.5), [(PoseId(9), 0.5), (PoseId(7), 0.5)]);
        assert_eq!(sequence.amounts(3.0), [(PoseId(7), 1.0)]);
    }

    #[test]
    fn every_wrap_has_its_positions() {
        let positions = |wrap| [0.0, 1.0, 3.0, 5.0, 6.0, 7.0].map(|time| sequence(wrap).position(time));
        assert_eq!(positions(SequenceWrap::Loop), [0.0, 0.5, 1.5, 2.5, 0.0, 0.5]);
        assert_eq!(positions(SequenceWrap::Clamp), [0.0, 1.0 / 3.0, 1.0, 5.0 / 3.0, 2.0, 2.0]);
        let ping_pong = positions(SequenceWrap::PingPong);
        for (found, expected) in ping_pong.into_iter().zip([0.0, 2.0 / 3.0, 2.0, 2.0 / 3.0, 0.0, 2.0 / 3.0]) {
            assert!((found - expected).abs() < 1e-6, "{ping_pong:?}");
        }
        assert!(sequence(SequenceWrap::Clamp).is_over(6.0) && !sequence(SequenceWrap::Loop).is_over(600.0));
    }

    #[test]
    fn no_wrap_makes_the_face_jump() {
        for wrap in SequenceWrap::ALL {
            let sequence = sequence(wrap);
            let part_of_first = |time: f64| -> f32 {
                let amounts = sequence.amounts(sequence.position(time));
                amounts.iter().filter(|(pose, _)| *pose == PoseId(7)).map(|(_, amount)| amount).sum()
            };
            let values: Vec<f32> = (0..20_000).map(|step| part_of_first(f64::from(step) * 0.001)).collect();
            assert!(values.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.001), "{wrap:?}");
        }
    }

    #[test]
    fn a_position_has_a_time() {
        for wrap in SequenceWrap::ALL {
            for position in [0.0, 0.25, 1.0, 1.75] {
                let sequence = sequence(wrap);
                assert!((sequence.position(sequence.time_at(position)) - position).abs() < 1e-5, "{wrap:?}");
            }
        }
    }

    #[test]
    fn a_sequence_of_fewer_than_two_poses_is_a_problem() {
        let one = Sequence { poses: vec![PoseId(1)], enabled: true, ..Sequence::default() };
        assert!(!one.is_on() && one.problem().unwrap().contains("two") && one.position(3.0) == 0.0);
        assert!(Sequence::default().problem().is_some() && Sequence::default().amounts(0.5).is_empty());
        assert!(sequence(SequenceWrap::Loop).is_on());
    }

    #[test]
    fn invalid_numbers_give_the_first_pose() {
        let sequence = Sequence { loop_secs: f32::NAN, ..sequence(SequenceWrap::Loop) };
        assert!(sequence.position(1.0).is_finite() && sequence.position(f64::NAN) == 0.0);
        assert_eq!(sequence.amounts(f32::NAN), [(PoseId(7), 1.0)]);
    }
}
