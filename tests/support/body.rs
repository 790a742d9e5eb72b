//! The bones of a body as usual programs name them.

use glam::{Mat4, Vec3};
use smirk_face::head::{LocalTransform, Node, Rig};

/// Names of nodes, the index of the parent of each, and its place from there in metres.
const BONES: [(&str, usize, [f32; 3]); 17] = [
    ("Hips", 0, [0.0, 0.95, 0.0]),
    ("Spine", 0, [0.0, 0.1, 0.0]),
    ("Neck", 1, [0.0, 0.4, 0.0]),
    ("Head", 2, [0.0, 0.1, 0.0]),
    ("LeftUpLeg", 0, [0.09, -0.05, 0.0]),
    ("LeftLeg", 4, [0.0, -0.42, 0.0]),
    ("LeftFoot", 5, [0.0, -0.4, 0.0]),
    ("RightUpLeg", 0, [-0.09, -0.05, 0.0]),
    ("RightLeg", 7, [0.0, -0.42, 0.0]),
    ("RightFoot", 8, [0.0, -0.4, 0.0]),
    ("LeftShoulder", 1, [0.05, 0.35, 0.0]),
    ("LeftArm", 10, [0.13, 0.0, 0.0]),
    ("LeftForeArm", 11, [0.27, 0.0, 0.0]),
    ("LeftHand", 12, [0.25, 0.0, 0.0]),
    ("RightArm", 1, [-0.18, 0.35, 0.0]),
    ("RightForeArm", 14, [-0.27, 0.0, 0.0]),
    ("RightHand", 15, [-0.25, 0.0, 0.0]),
];

/// A body in its T-pose, 1.5 metres high up to the head.
pub fn rig() -> Rig {
    let nodes = BONES.iter().enumerate().map(|(at, (name, parent, place))| Node {
        name: (*name).into(),
        parent: (at > 0).then_some(*parent),
        rest: LocalTransform::Matrix(Mat4::from_translation(Vec3::from_array(*place))),
    });
    Rig { nodes: nodes.collect(), ..Rig::default() }
}
