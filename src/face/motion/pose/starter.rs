//! Starter poses: the poses that a head with ARKit's channel names has when it is opened. The weights were chosen by
//! eye. The emotions use the muscles that the Facial Action Coding System lists for them (Ekman, Friesen); the mouth
//! shapes are the visemes of Oculus Lipsync, whose silence is the neutral face.

use strum::{IntoStaticStr, VariantArray};

use super::{Pose, PoseId};
use crate::head::Head;
use crate::motion::Blink;

/// The table: in each line the name of a pose and its weights. `LR` at the end of a name stands for the channels of
/// both sides.
const TABLE: &str = include_str!("starter.csv");

/// The poses of the table, with the weights of channels.
fn table() -> impl Iterator<Item = (&'static str, Vec<(String, f32)>)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(','));
    lines.map(|(pose, terms)| {
        let weights = terms.split(" + ").filter_map(|term| {
            let (name, weight) = term.split_once('*')?;
            Some(both_sides(name, weight.parse().ok()?))
        });
        (pose, weights.flatten().collect())
    })
}

/// The ids of the mouth shapes; those before and after them are emotions. An id stays what it is, because projects keep
/// it, so that emotions which came later follow the mouth shapes.
const MOUTH_SHAPES: std::ops::RangeInclusive<u32> = 8..=21;

/// What kind of pose a pose is. A starter pose stays what it is under another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray, IntoStaticStr)]
pub enum PoseGroup {
    /// The user's own poses.
    Mine,
    /// The neutral face and the emotions.
    Emotions,
    #[strum(serialize = "Mouth shapes")]
    MouthShapes,
}

impl PoseGroup {
    /// All groups, in the order in which they are listed.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn of_pose(pose: PoseId) -> Self {
        match pose.0 {
            FIRST_OWN_POSE.. => Self::Mine,
            id if MOUTH_SHAPES.contains(&id) => Self::MouthShapes,
            _ => Self::Emotions,
        }
    }

    pub fn label(self) -> &'static str {
        self.into()
    }
}

/// A pose is left out if the head has less than this part of its channels, because it would show a different
/// expression.
const LEAST_KNOWN_PART: f32 = 0.6;

/// The first id of the user's own poses. Smaller ids identify the same starter pose on every head.
pub const FIRST_OWN_POSE: u32 = 1000;

/// The starter poses that a head has the channels for: neutral first, then emotions, then mouth shapes. Empty if the
/// head has no ARKit names.
pub fn starter_poses(head: &Head) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::new();
    for (index, (name, names)) in (1..).zip(table()) {
        let known = names.iter().filter(|(name, _)| !head.channel_alike(name).is_empty());
        let weights: std::collections::BTreeMap<String, f32> = known.cloned().collect();
        if weights.len() as f32 >= names.len() as f32 * LEAST_KNOWN_PART {
            poses.push(Pose { id: PoseId(index), name: name.to_owned(), weights });
        }
    }
    poses.sort_by_key(|pose| PoseGroup::of_pose(pose.id) == PoseGroup::MouthShapes);
    if !poses.is_empty() {
        poses.insert(0, neutral(head));
    }
    poses
}

/// The neutral pose: every channel at rest except those that blink, so that automatic blinking continues.
fn neutral(head: &Head) -> Pose {
    let blinks = Blink::default().channels_of(head);
    let channels = head.channels.iter().enumerate().filter(|(index, _)| !blinks.contains(index));
    let rest = head.default_weights();
    let weights =
        channels.filter_map(|(_, channel)| Some((channel.full_name.clone(), rest[*channel.targets.first()?])));
    Pose { id: PoseId(0), name: "Neutral".into(), weights: weights.collect() }
}

fn both_sides(name: &str, weight: f32) -> Vec<(String, f32)> {
    match name.strip_suffix("LR") {
        Some(stem) => ["Left", "Right"].map(|side| (format!("{stem}{side}"), weight)).to_vec(),
        None => vec![(name.to_owned(), weight)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::ARKIT_NAMES;

    #[test]
    fn every_weight_of_the_table_is_that_of_a_channel_of_arkit() {
        assert_eq!(table().count(), 26);
        for (line, (pose, weights)) in TABLE.lines().skip(2).zip(table()) {
            assert_eq!(weights.len(), line.matches('*').count() + line.matches("LR*").count(), "{pose}");
            for (name, weight) in weights {
                assert!(
                    ARKIT_NAMES.contains(&name.as_str()) && weight > 0.0 && weight <= 1.0,
                    "{pose}: {name} {weight}"
                );
            }
        }
    }

    #[test]
    fn the_starter_poses_are_emotions_then_mouth_shapes_and_own_poses_are_neither() {
        let group_of = |name: &str| {
            let place = table().position(|(other, _)| other == name);
            PoseGroup::of_pose(PoseId(place.map_or(0, |place| place as u32 + 1)))
        };
        for name in ["Neutral", "Smile", "Wink", "Laugh", "Pain"] {
            assert_eq!(group_of(name), PoseGroup::Emotions, "{name}");
        }
        for name in ["PP", "aa", "ou"] {
            assert_eq!(group_of(name), PoseGroup::MouthShapes, "{name}");
        }
        assert_eq!(PoseGroup::of_pose(PoseId(FIRST_OWN_POSE)), PoseGroup::Mine);
    }
}
