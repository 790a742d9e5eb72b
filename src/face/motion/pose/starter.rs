//! Starter poses: the poses that a head with ARKit's channel names has when it is opened. The weights were chosen by
//! eye. The emotions use the muscles that the Facial Action Coding System lists for them (Ekman, Friesen); the mouth
//! shapes are the visemes of Oculus Lipsync, whose silence is the neutral face.

use super::{Pose, PoseId};
use crate::head::Head;
use crate::motion::Blink;

/// `LR` at the end of a name stands for the channels of both sides.
const POSES: [(&str, &[(&str, f32)]); 26] = [
    (
        "Smile",
        &[
            ("mouthSmileLR", 0.75),
            ("cheekSquintLR", 0.6),
            ("eyeSquintLR", 0.35),
            ("mouthDimpleLR", 0.12),
            ("mouthUpperUpLR", 0.26),
            ("jawOpen", 0.07),
        ],
    ),
    (
        "Surprise",
        &[("browInnerUp", 0.9), ("browOuterUpLR", 0.85), ("eyeWideLR", 0.75), ("jawOpen", 0.45), ("mouthFunnel", 0.12)],
    ),
    (
        "Anger",
        &[
            ("browDownLR", 1.0),
            ("eyeWideLR", 0.25),
            ("eyeSquintLR", 0.4),
            ("cheekSquintLR", 0.2),
            ("noseSneerLR", 0.5),
            ("mouthUpperUpLR", 0.3),
            ("mouthLowerDownLR", 0.35),
            ("mouthStretchLR", 0.15),
            ("mouthFrownLR", 0.25),
            ("jawOpen", 0.1),
        ],
    ),
    (
        "Sadness",
        &[
            ("browInnerUp", 1.0),
            ("browDownLR", 0.25),
            ("mouthFrownLR", 0.7),
            ("mouthShrugLower", 0.4),
            ("mouthPressLR", 0.1),
            ("cheekSquintLR", 0.2),
            ("eyeSquintLR", 0.2),
            ("eyeBlinkLR", 0.18),
            ("eyeLookDownLR", 0.25),
        ],
    ),
    (
        "Disgust",
        &[
            ("noseSneerLR", 0.9),
            ("browDownLR", 0.55),
            ("mouthUpperUpLR", 0.5),
            ("cheekSquintLR", 0.5),
            ("eyeSquintLR", 0.5),
            ("mouthFrownLR", 0.35),
            ("mouthShrugLower", 0.3),
            ("mouthLowerDownLR", 0.15),
            ("jawOpen", 0.06),
        ],
    ),
    (
        "Fear",
        &[
            ("browInnerUp", 1.0),
            ("browOuterUpLR", 0.4),
            ("browDownLR", 0.3),
            ("eyeWideLR", 0.95),
            ("mouthStretchLR", 0.6),
            ("mouthFrownLR", 0.2),
            ("mouthLowerDownLR", 0.3),
            ("jawOpen", 0.22),
        ],
    ),
    (
        "Wink",
        &[
            ("eyeBlinkLeft", 1.0),
            ("cheekSquintLeft", 0.7),
            ("browDownLeft", 0.2),
            ("mouthSmileLeft", 0.5),
            ("mouthDimpleLeft", 0.2),
            ("mouthSmileRight", 0.2),
            ("browOuterUpRight", 0.25),
        ],
    ),
    ("PP", &[("mouthPressLR", 0.45), ("mouthRollUpper", 0.3), ("mouthRollLower", 0.35)]),
    ("FF", &[("mouthRollLower", 0.5), ("mouthUpperUpLR", 0.3), ("jawOpen", 0.05)]),
    ("TH", &[("jawOpen", 0.16), ("tongueOut", 0.3), ("mouthLowerDownLR", 0.15), ("mouthUpperUpLR", 0.12)]),
    ("DD", &[("jawOpen", 0.14), ("mouthLowerDownLR", 0.25), ("mouthUpperUpLR", 0.12)]),
    ("kk", &[("jawOpen", 0.2), ("mouthLowerDownLR", 0.12), ("mouthStretchLR", 0.1)]),
    ("CH", &[("jawOpen", 0.1), ("mouthFunnel", 0.5), ("mouthUpperUpLR", 0.15)]),
    ("SS", &[("jawOpen", 0.04), ("mouthStretchLR", 0.3), ("mouthLowerDownLR", 0.25), ("mouthUpperUpLR", 0.12)]),
    ("nn", &[("jawOpen", 0.1), ("mouthLowerDownLR", 0.15)]),
    ("RR", &[("jawOpen", 0.12), ("mouthFunnel", 0.3), ("mouthPucker", 0.15)]),
    ("aa", &[("jawOpen", 0.55), ("mouthLowerDownLR", 0.15)]),
    ("E", &[("jawOpen", 0.25), ("mouthStretchLR", 0.3), ("mouthSmileLR", 0.2), ("mouthLowerDownLR", 0.15)]),
    ("ih", &[("jawOpen", 0.16), ("mouthStretchLR", 0.25), ("mouthSmileLR", 0.15), ("mouthUpperUpLR", 0.1)]),
    ("oh", &[("jawOpen", 0.35), ("mouthFunnel", 0.45)]),
    ("ou", &[("jawOpen", 0.16), ("mouthPucker", 0.65), ("mouthFunnel", 0.2)]),
    (
        "Laugh",
        &[
            ("mouthSmileLR", 0.85),
            ("cheekSquintLR", 0.85),
            ("eyeSquintLR", 0.55),
            ("mouthUpperUpLR", 0.35),
            ("mouthLowerDownLR", 0.2),
            ("jawOpen", 0.32),
            ("browInnerUp", 0.15),
            ("noseSneerLR", 0.12),
        ],
    ),
    (
        "Contempt",
        &[
            ("mouthDimpleLeft", 0.7),
            ("mouthSmileLeft", 0.45),
            ("mouthPressLeft", 0.4),
            ("mouthPressRight", 0.25),
            ("cheekSquintLeft", 0.3),
            ("noseSneerLeft", 0.2),
            ("eyeSquintLR", 0.25),
            ("eyeBlinkLR", 0.12),
            ("browDownRight", 0.25),
            ("browOuterUpLeft", 0.3),
        ],
    ),
    (
        "Kiss",
        &[
            ("mouthPucker", 0.95),
            ("mouthFunnel", 0.12),
            ("eyeBlinkLR", 0.22),
            ("eyeSquintLR", 0.15),
            ("cheekSquintLR", 0.15),
            ("browInnerUp", 0.2),
        ],
    ),
    (
        "Doubt",
        &[
            ("browDownRight", 0.7),
            ("browOuterUpLeft", 0.8),
            ("eyeSquintRight", 0.4),
            ("mouthShrugUpper", 0.3),
            ("mouthPressLR", 0.3),
            ("mouthLeft", 0.25),
            ("mouthFrownRight", 0.2),
        ],
    ),
    (
        "Pain",
        &[
            ("browDownLR", 0.8),
            ("browInnerUp", 0.5),
            ("eyeBlinkLR", 0.55),
            ("eyeSquintLR", 0.8),
            ("cheekSquintLR", 0.9),
            ("noseSneerLR", 0.5),
            ("mouthUpperUpLR", 0.5),
            ("mouthStretchLR", 0.5),
            ("mouthLowerDownLR", 0.3),
            ("jawOpen", 0.08),
        ],
    ),
];

/// The ids of the mouth shapes; those before and after them are emotions. An id stays what it is, because projects keep it, so that
/// emotions which came later follow the mouth shapes.
const MOUTH_SHAPES: std::ops::RangeInclusive<u32> = 8..=21;

/// What kind of pose a pose is. A starter pose stays what it is under another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoseGroup {
    /// The user's own poses.
    Mine,
    /// The neutral face and the emotions.
    Emotions,
    /// The visemes.
    MouthShapes,
}

impl PoseGroup {
    /// All groups, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Mine, Self::Emotions, Self::MouthShapes];

    /// The group of a pose.
    pub fn of(pose: PoseId) -> Self {
        match pose.0 {
            FIRST_OWN_POSE.. => Self::Mine,
            id if MOUTH_SHAPES.contains(&id) => Self::MouthShapes,
            _ => Self::Emotions,
        }
    }

    /// Its name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Emotions => "Emotions",
            Self::MouthShapes => "Mouth shapes",
            Self::Mine => "Mine",
        }
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
    for (index, (name, weights)) in (1..).zip(&POSES) {
        let names: Vec<(String, f32)> = weights.iter().flat_map(|&(name, weight)| both_sides(name, weight)).collect();
        let known = names.iter().filter(|(name, _)| !head.channel_alike(name).is_empty());
        let weights: std::collections::BTreeMap<String, f32> = known.cloned().collect();
        if weights.len() as f32 >= names.len() as f32 * LEAST_KNOWN_PART {
            poses.push(Pose { id: PoseId(index), name: (*name).to_owned(), weights });
        }
    }
    poses.sort_by_key(|pose| PoseGroup::of(pose.id) == PoseGroup::MouthShapes);
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

    #[test]
    fn the_starter_poses_are_emotions_then_mouth_shapes_and_own_poses_are_neither() {
        let group_of = |name: &str| {
            let place = POSES.iter().position(|(other, _)| *other == name);
            PoseGroup::of(PoseId(place.map_or(0, |place| place as u32 + 1)))
        };
        for name in ["Neutral", "Smile", "Wink", "Laugh", "Pain"] {
            assert_eq!(group_of(name), PoseGroup::Emotions, "{name}");
        }
        for name in ["PP", "aa", "ou"] {
            assert_eq!(group_of(name), PoseGroup::MouthShapes, "{name}");
        }
        assert_eq!(PoseGroup::of(PoseId(FIRST_OWN_POSE)), PoseGroup::Mine);
    }
}
