//! A sequence as projects store it. Projects of earlier versions have one length for all poses and a clock of its own.

use serde::{Deserialize, Serialize};

use super::{PoseId, Sequence, SequenceStep, SequenceWrap};

/// The stored form. Versions that know no times of single poses read the length.
#[derive(Deserialize, Serialize)]
#[serde(default)]
pub(super) struct StoredSequence {
    enabled: bool,
    poses: Vec<PoseId>,
    /// For each pose, how long it is held and how long it blends into the next. Absent in earlier versions.
    times_secs: Option<Vec<[f32; 2]>>,
    /// The time for all poses.
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

#[cfg(test)]
mod tests {
    use super::*;

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
