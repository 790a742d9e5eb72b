//! Which of ARKit's shapes a head has. Asked only of heads that seem to mean them: those with half of the 52.

use super::finding::{Finding, Rule};
use crate::head::{Head, Level};

/// `ARFaceAnchor.BlendShapeLocation`, Apple.
const SHAPES: [&str; 52] = [
    "browDownLeft",
    "browDownRight",
    "browInnerUp",
    "browOuterUpLeft",
    "browOuterUpRight",
    "cheekPuff",
    "cheekSquintLeft",
    "cheekSquintRight",
    "eyeBlinkLeft",
    "eyeBlinkRight",
    "eyeLookDownLeft",
    "eyeLookDownRight",
    "eyeLookInLeft",
    "eyeLookInRight",
    "eyeLookOutLeft",
    "eyeLookOutRight",
    "eyeLookUpLeft",
    "eyeLookUpRight",
    "eyeSquintLeft",
    "eyeSquintRight",
    "eyeWideLeft",
    "eyeWideRight",
    "jawForward",
    "jawLeft",
    "jawOpen",
    "jawRight",
    "mouthClose",
    "mouthDimpleLeft",
    "mouthDimpleRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthFunnel",
    "mouthLeft",
    "mouthLowerDownLeft",
    "mouthLowerDownRight",
    "mouthPressLeft",
    "mouthPressRight",
    "mouthPucker",
    "mouthRight",
    "mouthRollLower",
    "mouthRollUpper",
    "mouthShrugLower",
    "mouthShrugUpper",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthUpperUpLeft",
    "mouthUpperUpRight",
    "noseSneerLeft",
    "noseSneerRight",
    "tongueOut",
];

/// One line, or nothing about a head that follows another scheme.
pub fn check(head: &Head) -> Option<Finding> {
    let missing: Vec<&str> = SHAPES.into_iter().filter(|shape| head.channel_alike(shape).is_empty()).collect();
    let found = SHAPES.len() - missing.len();
    let message = match missing.len() {
        0 => "52/52: all of them".to_owned(),
        few if few <= SHAPES.len() / 2 => {
            format!("{found}/52, missing {}; a capture that moves what is missing loses it here", missing.join(", "))
        }
        _ => return None,
    };
    let level = if missing.is_empty() { Level::Info } else { Level::Warning };
    Some(Finding { rule: Rule::Coverage, level, channels: Vec::new(), message })
}
