//! The motion of a body as VRM describes it, independently of any skeleton: turns of named bones away from a T-pose.
//!
//! The rules are those of `VRMC_vrm_animation` 1.0: a bone is turned in the axes of the avatar, relative to the bone
//! above it, whatever its own axes are; the hips also move, in proportion to their height.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};

use super::clip::NodePose;
use super::{Curve, Head, LocalTransform, NodeTrack};

#[derive(Clone, Debug, PartialEq)]
pub struct BodyMotion {
    pub bones: Arc<[BoneMotion]>,
    /// The time of `bones` at each time, if some of it was stretched, inserted or deleted.
    pub clock: Option<Curve>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BoneMotion {
    /// VRM's name of the bone, such as `leftUpperArm`.
    pub name: String,
    /// The node that stands for it, at rest.
    pub rest: LocalTransform,
    pub tracks: Vec<NodeTrack>,
    /// The rotations of the node above it and of the node itself in the axes of the avatar, at rest.
    pub rotations_at_rest: [Quat; 2],
    /// From a translation in the space of the node above it, at rest, to the axes of the avatar, in heights of the bone
    /// above the ground: the node above may be turned and scaled. Zero for a bone that does not move from its place.
    pub heights_from_above: Mat3,
}

impl BoneMotion {
    /// The rotation away from rest at a time, in the axes of the avatar, relative to the bone above it.
    pub fn turned(&self, time_secs: f32) -> Quat {
        let [above, own] = self.rotations_at_rest;
        (above * self.rest.played(&self.tracks, time_secs).rotation * own.inverse()).normalize()
    }

    /// How far it has moved from its place at a time, as a part of its height, in the axes of the avatar.
    fn moved(&self, time_secs: f32) -> Vec3 {
        let moved = self.rest.played(&self.tracks, time_secs).translation - self.rest.trs().translation;
        self.heights_from_above * moved
    }
}

impl Head {
    /// Whether the body of the head can be moved: whether the file names its bones.
    pub fn has_body(&self) -> bool {
        self.avatar.as_ref().is_some_and(|avatar| !avatar.bones.is_empty())
    }

    /// Turns the bones of the avatar that a motion moves as they are at a time of it. The neck and the head are not
    /// among them: they turn by the angles of the take.
    pub(super) fn move_body(&self, pose: &mut NodePose<'_>, motion: &BodyMotion, time_secs: f32) {
        let Some(avatar) = &self.avatar else { return };
        let time_secs = motion.clock.as_ref().map_or(time_secs, |clock| clock.sample(time_secs, 0));
        let rest = self.rest_pose.world_from_node();
        // Of two bones with a name, the first counts.
        let nodes: HashMap<&str, usize> =
            avatar.bones.iter().rev().map(|(name, node)| (name.as_str(), *node)).collect();
        for bone in motion.bones.iter() {
            let Some(&node) = nodes.get(bone.name.as_str()) else { continue };
            let Some(parent) = self.rig.nodes.get(node).map(|node| node.parent) else { continue };
            let [above, own] = [parent, Some(node)]
                .map(|node| node.and_then(|node| rest.get(node)).copied().unwrap_or(self.rig.world_from_file));
            let [rotation_above, own_rotation] = [above, own].map(|world| world.to_scale_rotation_translation().1);
            let turned = rotation_above.inverse() * bone.turned(time_secs) * own_rotation;
            let moved = bone.moved(time_secs) * own.w_axis.y;
            pose.place(node, turned, above.inverse().transform_vector3(moved));
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec4};

    use super::*;
    use crate::head::{Asset, Avatar, FaceJoints, FaceTurns, Interpolation, Node, NodePath, Rig, Trs, VrmVersion};

    fn node(name: &str, parent: Option<usize>, rotation: Quat, translation: Vec3) -> Node {
        Node { name: name.into(), parent, rest: LocalTransform::Trs(Trs { translation, rotation, ..Trs::IDENTITY }) }
    }

    /// A skeleton of hips, a node that is no bone, and an arm, with axes of their own.
    fn avatar(axes: [Quat; 3], hips: Vec3) -> Head {
        let places = [hips, Vec3::Y * 0.1, Vec3::X * 0.2];
        let [hips, spare, arm] = axes;
        let nodes = vec![
            node("hips", None, hips, places[0]),
            node("spare", Some(0), hips.inverse() * spare, hips.inverse() * places[1]),
            node("arm", Some(1), spare.inverse() * arm, spare.inverse() * places[2]),
        ];
        let bones = vec![("hips".into(), 0), ("leftUpperArm".into(), 2)];
        let avatar = Some(Avatar {
            version: VrmVersion::V1,
            meta: serde_json::Map::new(),
            bones,
            look_at: None,
            first_person: Vec::new(),
        });
        Head::new(Asset { rig: Rig { nodes, ..Rig::default() }, avatar, ..Asset::default() })
    }

    fn motion(clock: Option<Curve>) -> BodyMotion {
        let track = |path, values: Vec<f32>, width| {
            let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], values, width).unwrap();
            NodeTrack { node: 0, path, curve }
        };
        let [above, own] = [Quat::from_rotation_z(0.3), Quat::from_rotation_x(1.1)];
        // The arm is lifted to the front by half a radian, and the hips go up by a tenth of their height.
        let rest = above.inverse() * own;
        let lifted = above.inverse() * Quat::from_rotation_y(-0.5) * own;
        let arm = BoneMotion {
            name: "leftUpperArm".into(),
            rest: LocalTransform::Trs(Trs { rotation: rest, ..Trs::IDENTITY }),
            tracks: vec![track(NodePath::Rotation, [rest, lifted].map(|it| it.to_array()).concat(), 4)],
            rotations_at_rest: [above, own],
            heights_from_above: Mat3::ZERO,
        };
        let hips = BoneMotion {
            name: "hips".into(),
            rest: LocalTransform::Trs(Trs { translation: Vec3::Y * 2.0, ..Trs::IDENTITY }),
            tracks: vec![track(NodePath::Translation, vec![0.0, 2.0, 0.0, 0.0, 2.2, 0.0], 3)],
            rotations_at_rest: [Quat::IDENTITY; 2],
            heights_from_above: Mat3::from_diagonal(Vec3::splat(0.5)),
        };
        let nobody = BoneMotion { name: "tail".into(), ..hips.clone() };
        BodyMotion { bones: [arm, hips, nobody].into(), clock }
    }

    fn worlds(head: &Head, motion: &BodyMotion, time_secs: f32) -> Vec<Mat4> {
        let body = Some((motion, time_secs));
        head.world_from_nodes([], body, &[], &FaceTurns::NONE, &FaceJoints::default()).unwrap()
    }

    #[test]
    fn bones_turn_in_the_axes_of_the_avatar_whatever_their_own_are() {
        let axes = [Quat::from_rotation_x(0.4), Quat::from_rotation_y(1.9), Quat::from_rotation_z(-0.8)];
        for (head, height) in [(avatar(axes, Vec3::Y), 1.0), (avatar([Quat::IDENTITY; 3], Vec3::Y * 3.0), 3.0)] {
            let (rest, moved) = (head.rest_pose.world_from_node().to_vec(), worlds(&head, &motion(None), 1.0));
            let up = moved[0].w_axis - rest[0].w_axis;
            assert!(up.abs_diff_eq(Vec4::Y * 0.1 * height, 1e-5), "{up}");
            let turned = (moved[2] * rest[2].inverse()).to_scale_rotation_translation().1;
            assert!(turned.angle_between(Quat::from_rotation_y(-0.5)) < 1e-3, "{turned}");
        }
    }

    #[test]
    fn what_was_edited_plays_at_the_time_of_the_recording() {
        let head = avatar([Quat::IDENTITY; 3], Vec3::Y);
        let clock = Curve::new(Interpolation::Linear, vec![0.0, 4.0], vec![0.0, 1.0], 1).unwrap();
        assert_eq!(worlds(&head, &motion(Some(clock)), 2.0), worlds(&head, &motion(None), 0.5));
    }
}
