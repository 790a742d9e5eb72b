//! A sequence: poses that are played one after the other.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::{BoundPose, Pose, PoseId, PoseSum, bind_pose};
use crate::head::Head;
use crate::motion::{Moment, StackWeights, TimeChange, WeightSource, limited_secs};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequenceStep {
    pub pose: PoseId,
    pub hold_secs: f32,
    /// How long it blends into the next pose.
    pub transition_secs: f32,
}

impl SequenceStep {
    pub fn new(pose: PoseId) -> Self {
        Self { pose, hold_secs: 0.5, transition_secs: 0.5 }
    }

    fn hold(&self) -> f64 {
        limited_secs(self.hold_secs).into()
    }

    fn transition(&self) -> f64 {
        limited_secs(self.transition_secs).into()
    }
}

/// A list of poses and how they are played. Position 0 is the first pose; 0.5 is half of the first and half of the
/// second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredSequence", into = "StoredSequence")]
pub struct Sequence {
    /// Whether the sequence drives the channels that its poses name.
    pub enabled: bool,
    /// The poses in playback order. A pose may occur more than once.
    pub steps: Vec<SequenceStep>,
    pub wrap: SequenceWrap,
    /// Whether the sequence plays and stops on its own. Otherwise it is part of the timeline: it plays, stops and is
    /// scrubbed with the clip, the take and the keys.
    pub has_own_clock: bool,
}

impl Sequence {
    /// Why the sequence cannot play, as a text for the screen.
    pub fn problem(&self) -> Option<&'static str> {
        match self.steps.len() {
            0 => Some("A sequence needs at least two poses; it has none."),
            1 => Some("A sequence needs at least two poses; it has one."),
            _ => None,
        }
    }

    /// Whether the sequence is enabled and can play.
    pub fn is_on(&self) -> bool {
        self.enabled && self.problem().is_none()
    }

    /// The part of the timeline that it takes up, in seconds; 0 if it is not on or has a clock of its own.
    pub fn timeline_secs(&self) -> f32 {
        if self.is_on() && !self.has_own_clock { self.length_secs() as f32 } else { 0.0 }
    }

    /// The time that it plays by.
    pub fn time_at_moment(&self, moment: &Moment) -> f64 {
        if self.has_own_clock { moment.sequence_secs } else { f64::from(moment.timeline_secs) }
    }

    /// Whether the sequence has reached its end and stays there.
    pub fn is_over(&self, time_secs: f64) -> bool {
        self.wrap == SequenceWrap::Clamp && time_secs >= self.length_secs()
    }

    /// The time for all poses; for [`SequenceWrap::PingPong`], forwards and backwards.
    pub fn length_secs(&self) -> f64 {
        let Some((last, others)) = self.steps.split_last() else { return 0.0 };
        let forwards: f64 = others.iter().map(|step| step.hold() + step.transition()).sum::<f64>() + last.hold();
        match self.wrap {
            SequenceWrap::Loop => forwards + last.transition(),
            SequenceWrap::Clamp => forwards,
            SequenceWrap::PingPong => {
                let between = others.get(1..).unwrap_or_default();
                forwards
                    + others.iter().map(SequenceStep::transition).sum::<f64>()
                    + between.iter().map(SequenceStep::hold).sum::<f64>()
            }
        }
    }

    /// Makes all times longer or shorter by one factor, so that the whole takes `length_secs`.
    pub fn set_length(&mut self, length_secs: f32) {
        let factor = (f64::from(length_secs) / self.length_secs()) as f32;
        if factor.is_finite() && factor > 0.0 {
            for step in &mut self.steps {
                step.hold_secs *= factor;
                step.transition_secs *= factor;
            }
        }
    }

    /// The sequence after a change of the time of its first pass: the hold or the transition in which time is inserted
    /// gets longer, and those from which it is deleted get shorter. A sequence that is not on the timeline stays as it
    /// is.
    #[must_use]
    pub fn rippled(&self, change: TimeChange) -> Self {
        let mut result = self.clone();
        if !self.is_on() || self.has_own_clock {
            return result;
        }
        let count = result.steps.len();
        let mut start = 0.0;
        for (index, step) in result.steps.iter_mut().enumerate() {
            let has_transition = index + 1 < count || self.wrap == SequenceWrap::Loop;
            let lengths = [step.hold(), if has_transition { step.transition() } else { 0.0 }];
            for (length, secs) in lengths.into_iter().zip([&mut step.hold_secs, &mut step.transition_secs]) {
                let end = start + length;
                *secs += match change {
                    TimeChange::Insert { at_secs, secs } if (start..end).contains(&f64::from(at_secs)) => secs,
                    TimeChange::Insert { .. } => 0.0,
                    TimeChange::Delete { from_secs, to_secs } => {
                        (start.max(from_secs.into()) - end.min(to_secs.into())).min(0.0) as f32
                    }
                };
                start = end;
            }
        }
        result
    }

    /// The position at a time. While the last of `n` poses of a loop blends into the first, it is between `n - 1` and
    /// `n`.
    pub fn position(&self, time_secs: f64) -> f32 {
        let (count, length_secs) = (self.steps.len(), self.length_secs());
        if count < 2 || length_secs <= 0.0 || !time_secs.is_finite() {
            return 0.0;
        }
        let mut left = match self.wrap {
            SequenceWrap::Clamp => time_secs.clamp(0.0, length_secs),
            SequenceWrap::Loop | SequenceWrap::PingPong => time_secs.rem_euclid(length_secs),
        };
        let last = count - 1;
        for (index, step) in self.steps.iter().enumerate() {
            if left < step.hold() {
                return index as f32;
            }
            left -= step.hold();
            let blends = index < last || self.wrap == SequenceWrap::Loop;
            if blends && left < step.transition() {
                return (index as f64 + left / step.transition()) as f32;
            }
            left -= if blends { step.transition() } else { 0.0 };
        }
        match self.wrap {
            // Rounding may leave a little of the last transition.
            SequenceWrap::Loop => count as f32,
            SequenceWrap::Clamp => last as f32,
            SequenceWrap::PingPong => self.position_backwards(left),
        }
    }

    /// The position after `left` seconds of the way back.
    fn position_backwards(&self, mut left: f64) -> f32 {
        for (index, step) in self.steps.iter().enumerate().rev().skip(1) {
            if left < step.transition() {
                return (index as f64 + 1.0 - left / step.transition()) as f32;
            }
            left -= step.transition();
            if left < step.hold() {
                return index as f32;
            }
            left -= step.hold();
        }
        0.0
    }

    /// A time at which the sequence is at a position: the inverse of [`Self::position`].
    pub fn time_at(&self, position: f32) -> f64 {
        let count = self.steps.len();
        if count < 2 || !position.is_finite() {
            return 0.0;
        }
        let end = if self.wrap == SequenceWrap::Loop { count } else { count - 1 };
        let position = position.clamp(0.0, end as f32);
        let (index, part) = (position.floor() as usize, f64::from(position.fract()));
        let before: f64 = self.steps[..index].iter().map(|step| step.hold() + step.transition()).sum();
        match self.steps.get(index).filter(|_| part > 0.0) {
            Some(step) => before + step.hold() + part * step.transition(),
            None => before,
        }
    }

    /// The one or two poses at a position, with their amounts, which add up to 1.
    pub fn amounts(&self, position: f32) -> Vec<(PoseId, f32)> {
        let count = self.steps.len();
        if count == 0 {
            return Vec::new();
        }
        let position = if position.is_finite() { position.clamp(0.0, count as f32) } else { 0.0 };
        let (index, part) = (position.floor() as usize, position.fract());
        let mut amounts = vec![(self.steps[index % count].pose, 1.0 - part)];
        if part > 0.0 {
            amounts.push((self.steps[(index + 1) % count].pose, part));
        }
        amounts
    }
}

impl From<StoredSequence> for Sequence {
    fn from(stored: StoredSequence) -> Self {
        let count = stored.poses.len();
        let transitions = match stored.wrap {
            SequenceWrap::Loop => count,
            SequenceWrap::PingPong => 2 * count.saturating_sub(1),
            SequenceWrap::Clamp => count.saturating_sub(1),
        };
        // `max` returns the shortest length for NaN.
        let equal_times = [0.0, stored.loop_secs.max(0.05) / transitions.max(1) as f32];
        let times = stored.times_secs.filter(|times| times.len() == count);
        let is_early = times.is_none() && count > 0;
        let times = times.unwrap_or_else(|| vec![equal_times; count]);
        let steps = stored.poses.into_iter().zip(times);
        Self {
            enabled: stored.enabled,
            steps: steps
                .map(|(pose, [hold_secs, transition_secs])| SequenceStep { pose, hold_secs, transition_secs })
                .collect(),
            wrap: stored.wrap,
            has_own_clock: stored.own_clock.unwrap_or(is_early),
        }
    }
}

impl From<Sequence> for StoredSequence {
    fn from(sequence: Sequence) -> Self {
        Self {
            enabled: sequence.enabled,
            poses: sequence.steps.iter().map(|step| step.pose).collect(),
            times_secs: Some(sequence.steps.iter().map(|step| [step.hold_secs, step.transition_secs]).collect()),
            loop_secs: sequence.length_secs() as f32,
            wrap: sequence.wrap,
            own_clock: Some(sequence.has_own_clock),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
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
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::Loop => "Loop",
            Self::PingPong => "Ping-pong",
            Self::Clamp => "Stop at the end",
        }
    }
}

/// The stored form. Versions that know no times of single poses read the length.
#[derive(Deserialize, Serialize)]
#[serde(default)]
struct StoredSequence {
    enabled: bool,
    pub(super) poses: Vec<PoseId>,
    /// For each pose, how long it is held and how long it blends into the next. Absent in earlier versions.
    times_secs: Option<Vec<[f32; 2]>>,
    loop_secs: f32,
    wrap: SequenceWrap,
    /// Absent in earlier versions, in which every sequence had a clock of its own.
    own_clock: Option<bool>,
}

impl Default for StoredSequence {
    fn default() -> Self {
        Self {
            enabled: false,
            poses: Vec::new(),
            times_secs: None,
            loop_secs: 4.0,
            wrap: SequenceWrap::default(),
            own_clock: None,
        }
    }
}

#[derive(Debug)]
struct BoundSequence {
    sequence: Sequence,
    poses: Vec<(PoseId, BoundPose)>,
    /// The rest weights of the head.
    rest: Vec<f32>,
    channel_count: usize,
}

impl Sequence {
    /// The sequence as a source of weights, if it is on. `rest` has the weights at rest.
    pub fn source(&self, head: &Head, poses: &[Arc<Pose>], rest: &[f32]) -> Option<Box<dyn WeightSource>> {
        if !self.is_on() {
            return None;
        }
        let bound = self.steps.iter().filter_map(|step| Some((step.pose, bind_pose(head, poses, step.pose)?)));
        Some(Box::new(BoundSequence {
            poses: bound.collect(),
            sequence: self.clone(),
            rest: rest.to_vec(),
            channel_count: head.channels.len(),
        }))
    }
}

impl WeightSource for BoundSequence {
    fn apply(&self, moment: &Moment, weights: &mut StackWeights<'_>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Three poses in six seconds, without holds.
    fn sequence(wrap: SequenceWrap) -> Sequence {
        let step = |pose| SequenceStep { pose: PoseId(pose), hold_secs: 0.0, transition_secs: 2.0 };
        let mut sequence = Sequence { enabled: true, steps: [7, 8, 9].map(step).to_vec(), wrap, has_own_clock: false };
        sequence.set_length(6.0);
        sequence
    }

    /// The same with holds and transitions of different lengths.
    fn uneven(wrap: SequenceWrap) -> Sequence {
        let step = |(pose, hold_secs, transition_secs)| SequenceStep { pose: PoseId(pose), hold_secs, transition_secs };
        let steps = [(7, 1.0, 0.5), (8, 0.0, 2.0), (9, 0.25, 1.0)].map(step).to_vec();
        Sequence { enabled: true, steps, wrap, has_own_clock: true }
    }

    #[test]
    fn every_pose_has_a_hold_and_a_transition_of_its_own() {
        let at = |wrap, times: &[f64]| times.iter().map(|&time| uneven(wrap).position(time)).collect::<Vec<_>>();
        let forwards = [0.0, 0.99, 1.25, 1.5, 2.5, 3.5, 3.7];
        let expected = [0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.0];
        for &wrap in SequenceWrap::ALL {
            assert_eq!(at(wrap, &forwards), expected, "{wrap:?}");
        }
        assert_eq!(at(SequenceWrap::Loop, &[4.25, 4.75, 5.5]), [2.5, 0.0, 0.0]);
        assert_eq!(at(SequenceWrap::Clamp, &[4.25, 99.0]), [2.0, 2.0]);
        assert_eq!(at(SequenceWrap::PingPong, &[4.75, 5.75, 6.0, 6.25, 7.2]), [1.5, 1.0, 0.5, 0.0, 0.0]);
        let lengths = SequenceWrap::ALL.iter().map(|&wrap| uneven(wrap).length_secs());
        assert!(lengths.eq([4.75, 6.25, 3.75]));
        for &wrap in SequenceWrap::ALL {
            let mut longer = uneven(wrap);
            longer.set_length(2.0 * longer.length_secs() as f32);
            assert!((longer.position(2.5) - uneven(wrap).position(1.25)).abs() < 1e-5);
        }
    }

    #[test]
    fn without_a_clock_of_its_own_a_sequence_is_part_of_the_timeline() {
        let moment = Moment { timeline_secs: 1.0, sequence_secs: 3.0, ..Moment::default() };
        assert_eq!(uneven(SequenceWrap::Loop).time_at_moment(&moment), 3.0);
        let on_timeline = Sequence { has_own_clock: false, ..uneven(SequenceWrap::Loop) };
        assert_eq!((on_timeline.time_at_moment(&moment), on_timeline.timeline_secs()), (1.0, 4.75));
        assert_eq!(uneven(SequenceWrap::Loop).timeline_secs(), 0.0);
        assert_eq!(Sequence { enabled: false, ..on_timeline }.timeline_secs(), 0.0);
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
        for sequence in SequenceWrap::ALL.iter().copied().flat_map(|wrap| [sequence(wrap), uneven(wrap)]) {
            let part_of_first = |time: f64| -> f32 {
                let amounts = sequence.amounts(sequence.position(time));
                amounts.iter().filter(|(pose, _)| *pose == PoseId(7)).map(|(_, amount)| amount).sum()
            };
            let values: Vec<f32> = (0..20_000).map(|step| part_of_first(f64::from(step) * 0.001)).collect();
            assert!(values.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.0021), "{sequence:?}");
        }
    }

    #[test]
    fn a_position_has_a_time() {
        for sequence in SequenceWrap::ALL.iter().copied().flat_map(|wrap| [sequence(wrap), uneven(wrap)]) {
            for position in [0.0, 0.25, 1.0, 1.75] {
                assert!((sequence.position(sequence.time_at(position)) - position).abs() < 1e-5, "{sequence:?}");
            }
        }
    }

    #[test]
    fn a_sequence_of_fewer_than_two_poses_is_a_problem() {
        let one = Sequence { steps: vec![SequenceStep::new(PoseId(1))], enabled: true, ..Sequence::default() };
        assert!(!one.is_on() && one.problem().unwrap().contains("two") && one.position(3.0) == 0.0);
        assert!(Sequence::default().problem().is_some() && Sequence::default().amounts(0.5).is_empty());
        assert!(sequence(SequenceWrap::Loop).is_on());
    }

    #[test]
    fn invalid_numbers_give_the_first_pose() {
        for &wrap in SequenceWrap::ALL {
            let mut sequence = sequence(wrap);
            assert!(sequence.position(f64::NAN) == 0.0 && sequence.time_at(f32::NAN) == 0.0);
            assert_eq!(sequence.amounts(f32::NAN), [(PoseId(7), 1.0)]);
            for secs in [f32::NAN, f32::INFINITY, -1.0, 0.0, f32::MAX] {
                sequence.steps.iter_mut().for_each(|step| (step.hold_secs, step.transition_secs) = (secs, secs));
                for time in [-1.0, 0.0, 1.0, 1e9, f64::MAX] {
                    assert!((0.0..=3.0).contains(&sequence.position(time)), "{wrap:?} {secs} {time}");
                }
                sequence.set_length(1.0);
            }
        }
    }

    #[test]
    fn a_sequence_of_an_earlier_version_plays_as_it_did() {
        for (wrap, expected) in [
            ("loop", [0.0, 0.5, 1.5, 2.5, 0.0, 0.5]),
            ("clamp", [0.0, 1.0 / 3.0, 1.0, 5.0 / 3.0, 2.0, 2.0]),
            ("ping_pong", [0.0, 2.0 / 3.0, 2.0, 2.0 / 3.0, 0.0, 2.0 / 3.0]),
        ] {
            let text = format!(r#"{{"enabled":true,"poses":[7,8,9],"loop_secs":6.0,"wrap":"{wrap}"}}"#);
            let sequence: Sequence = serde_json::from_str(&text).unwrap();
            assert!(sequence.has_own_clock && sequence.enabled);
            for (time, expected) in [0.0, 1.0, 3.0, 5.0, 6.0, 7.0].into_iter().zip(expected) {
                let found = sequence.position(time);
                assert!((found - expected).abs() < 1e-5, "{wrap} at {time}: {found}");
            }
            let stored = serde_json::to_string(&sequence).unwrap();
            assert_eq!(serde_json::from_str::<Sequence>(&stored).unwrap(), sequence);
            assert!(stored.contains(r#""poses":[7,8,9]"#) && stored.contains(r#""loop_secs":6.0"#), "{stored}");
        }
        let none: Sequence = serde_json::from_str("{}").unwrap();
        assert_eq!(none, Sequence::default());
    }

    #[test]
    fn times_that_do_not_belong_to_the_poses_are_left_out() {
        let text = r#"{"poses":[7,8],"times_secs":[[1.0,2.0]],"loop_secs":3.0,"own_clock":false}"#;
        let sequence: Sequence = serde_json::from_str(text).unwrap();
        assert!(sequence.steps.iter().all(|step| (step.hold_secs, step.transition_secs) == (0.0, 1.5)));
        assert!(!sequence.has_own_clock);
    }
}
