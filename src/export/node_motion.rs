//! The nodes of a head that move while it plays, and how far they turn the head and the eyes.

use std::collections::BTreeMap;

use glam::{DMat3, DMat4, DQuat, Mat4, Quat};

use smirk_face::head::{FaceJoints, FaceTurns, Head, Rig, Trs, Turn};

/// A node that moves, and its transform relative to its parent at every frame.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeMotion {
    /// Index into [`Rig::nodes`].
    pub node: usize,
    /// One per frame.
    pub transforms: Vec<Trs>,
}

pub(super) struct NodeRecorder<'a> {
    rig: &'a Rig,
    moved: BTreeMap<usize, Vec<Trs>>,
    frames: usize,
}

impl<'a> NodeRecorder<'a> {
    pub(super) fn new(rig: &'a Rig) -> Self {
        Self { rig, moved: BTreeMap::new(), frames: 0 }
    }

    /// Adds a frame with the world transform of every node; an empty list if all are at rest.
    pub(super) fn push(&mut self, world_from_nodes: &[Mat4]) {
        for (index, (node, world_from_node)) in self.rig.nodes.iter().zip(world_from_nodes).enumerate() {
            let world_from_parent = node.parent.and_then(|parent| world_from_nodes.get(parent));
            let parent_from_node = world_from_parent.unwrap_or(&self.rig.world_from_file).inverse() * *world_from_node;
            let rest = node.rest.matrix();
            if !parent_from_node.is_finite() || is_about(&parent_from_node, &rest) {
                continue;
            }
            let frames = self.frames;
            let transforms = self.moved.entry(index).or_insert_with(|| vec![trs(rest, None); frames]);
            transforms.push(trs(parent_from_node, transforms.last()));
        }
        self.frames += 1;
        for (&node, transforms) in self.moved.iter_mut().filter(|(_, transforms)| transforms.len() < self.frames) {
            transforms.push(trs(self.rig.nodes[node].rest.matrix(), transforms.last()));
        }
    }

    pub(super) fn finish(self) -> Vec<NodeMotion> {
        self.moved.into_iter().map(|(node, transforms)| NodeMotion { node, transforms }).collect()
    }
}

/// The turns of the head and the eyes that clips and `turns` show together, where all nodes are at `world_from_nodes`.
/// The head is turned against its rest in the world, so that also what carries it counts; an eye against what carries
/// it. A part without a joint has the turn of `turns`.
pub(super) fn shown_turns(head: &Head, joints: &FaceJoints, turns: FaceTurns, world_from_nodes: &[Mat4]) -> FaceTurns {
    let rest = head.rest_pose.world_from_node();
    let moved = |node: usize| Some(linear_part(world_from_nodes.get(node)?) * linear_part(rest.get(node)?).inverse());
    // Without a joint, the whole head is turned, with the nodes that nothing carries.
    let of_head = joints.head.and_then(moved).and_then(turn_of);
    let eyes = [0, 1].map(|side| {
        let eye = joints.eyes[side]?;
        let carrier = match head.rig.nodes.get(eye)?.parent {
            Some(parent) => moved(parent)?,
            None if joints.head.is_none() => DMat3::from_quat(turns.head.rotation().as_dquat()),
            None => DMat3::IDENTITY,
        };
        turn_of(carrier.inverse() * moved(eye)?)
    });
    let eyes = [0, 1].map(|side| eyes[side].unwrap_or(turns.eyes[side]));
    FaceTurns { head: of_head.unwrap_or(turns.head), eyes }
}

fn linear_part(matrix: &Mat4) -> DMat3 {
    DMat3::from_mat4(matrix.as_dmat4())
}

pub(super) fn is_shown_by(head: &Head, joints: &FaceJoints, turns: &FaceTurns, world_from_nodes: &[Mat4]) -> bool {
    let shown = head.world_from_nodes([], None, &[], turns, joints);
    let shown = shown.as_deref().unwrap_or(head.rest_pose.world_from_node());
    world_from_nodes.iter().zip(shown).all(|(is, shown)| is_about(is, shown))
}

/// Whether two transforms are the same but for rounding, which is about the last digits of the largest number.
fn is_about(matrix: &Mat4, other: &Mat4) -> bool {
    let largest = other.to_cols_array().into_iter().fold(1.0, |largest: f32, value| largest.max(value.abs()));
    matrix.abs_diff_eq(*other, largest * 1e-5)
}

fn turn_of(map: DMat3) -> Option<Turn> {
    /// In radians: less than this is rounding.
    const LEAST: f64 = 1e-5;
    let (_, rotation, _): (_, DQuat, _) = DMat4::from_mat3(map).to_scale_rotation_translation();
    if !map.is_finite() || !rotation.is_finite() {
        return None;
    }
    let rotation = rotation.normalize();
    let is_still = rotation.angle_between(DQuat::IDENTITY) < LEAST;
    Some(if is_still { Turn::NONE } else { Turn::of_rotation(rotation.as_quat()) })
}

/// A matrix as translation, rotation and scale. Of the two quaternions of a rotation, the one nearer to that of the
/// frame before.
fn trs(matrix: Mat4, before: Option<&Trs>) -> Trs {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let rotation = if rotation.is_finite() { rotation.normalize() } else { Quat::IDENTITY };
    let is_far = before.is_some_and(|before| before.rotation.dot(rotation) < 0.0);
    Trs { translation, rotation: if is_far { -rotation } else { rotation }, scale }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use smirk_face::head::{LocalTransform, Node};

    #[test]
    fn nodes_that_move_are_recorded_from_the_first_frame_on() {
        let node = |name: &str, parent, translation| Node {
            name: name.into(),
            parent,
            rest: LocalTransform::Trs(Trs { translation, rotation: Quat::from_rotation_x(0.5), ..Trs::IDENTITY }),
        };
        let nodes = vec![node("neck", None, Vec3::Y), node("head", Some(0), Vec3::X), node("eye", Some(1), Vec3::Z)];
        let rig = Rig { nodes, world_from_file: Mat4::from_rotation_y(1.0), ..Rig::default() };
        let rest = rig.world_from_nodes_at_rest();
        let mut recorder = NodeRecorder::new(&rig);
        recorder.push(&[]);
        recorder.push(&rest);
        let turned = |angle: f32| {
            rig.world_from_nodes(|at| {
                let turn = if at == 1 { Mat4::from_rotation_y(angle) } else { Mat4::IDENTITY };
                rig.nodes[at].rest.matrix() * turn
            })
        };
        recorder.push(&turned(0.3));
        recorder.push(&[]);
        let motions = recorder.finish();
        assert_eq!((motions.len(), motions[0].node, motions[0].transforms.len()), (1, 1, 4), "only the head moves");
        let [first, .., last] = &motions[0].transforms[..] else { panic!("no frames") };
        assert!(first.rotation.abs_diff_eq(Quat::from_rotation_x(0.5), 1e-6) && first == last);
        let expected = Quat::from_rotation_x(0.5) * Quat::from_rotation_y(0.3);
        let found = motions[0].transforms[2];
        assert!(found.rotation.abs_diff_eq(expected, 1e-5) && found.translation.distance(Vec3::X) < 1e-5, "{found:?}");
    }
}
