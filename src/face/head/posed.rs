//! The nodes of a head at one moment: clips that animate them, expressions that move them, and turns of the head and
//! the eyes on top.

use glam::Mat4;

use super::clip::NodePose;
use super::{BodyMotion, Clip, FaceJoints, FaceTurns, Head, Turn};

impl Head {
    /// The world transforms of all nodes while clips play, each at a time of its own, and the head and the eyes are
    /// turned; none if all nodes are at rest. Of two clips that animate a node, the later one counts; both come after
    /// `body`, the motion of a body at a time of it. Expressions add to that by their `outputs`. Without a joint for
    /// the head, the whole head turns about [`Head::neck`]. An eye without a joint is not turned, and one whose joint
    /// the file names turns only as far as the file allows.
    pub fn world_from_nodes<'c>(
        &self,
        clips: impl IntoIterator<Item = (&'c Clip, f32)>,
        body: Option<(&BodyMotion, f32)>,
        outputs: &[f32],
        turns: &FaceTurns,
        joints: &FaceJoints,
    ) -> Option<Vec<Mat4>> {
        let mut pose = NodePose::at_rest(&self.rig);
        clips.into_iter().for_each(|(clip, time_secs)| pose.play(&clip.node_tracks, time_secs));
        body.into_iter().for_each(|(motion, time_secs)| self.move_body(&mut pose, motion, time_secs));
        for (expression, &output) in self.expressions.iter().zip(outputs).filter(|(_, output)| **output > 0.0) {
            if let Some(response) = &expression.response {
                pose.add(&response.clip.node_tracks, output * response.clip.duration_secs);
            }
        }
        if turns.head != Turn::NONE {
            match self.at_rest(joints.head) {
                Some((joint, world)) => pose.turn(joint, world, turns.head),
                None => pose.turn_whole(self.neck, turns.head),
            }
        }
        let bones = &self.rig.humanoid;
        for (side, turn) in turns.eyes.into_iter().enumerate().filter(|(_, turn)| *turn != Turn::NONE) {
            let range =
                bones.eye_range.filter(|_| joints.eyes[side].is_some() && joints.eyes[side] == bones.eyes[side]);
            let turn = range.map_or(turn, |range| range.limited(side, turn));
            if let Some((joint, world)) = self.at_rest(joints.eyes[side]) {
                pose.turn(joint, world, turn);
            }
        }
        pose.world_from_nodes()
    }

    /// The world transforms of all nodes where expressions alone move them, by their outputs; empty if they move none.
    pub fn world_from_nodes_under(&self, outputs: &[f32]) -> Vec<Mat4> {
        self.world_from_nodes([], None, outputs, &FaceTurns::NONE, &self.face_joints).unwrap_or_default()
    }

    /// A node and its world transform at rest; none for a node that does not exist.
    fn at_rest(&self, node: Option<usize>) -> Option<(usize, &Mat4)> {
        node.and_then(|node| Some((node, self.rest_pose.world_from_node().get(node)?)))
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use glam::{Quat, Vec3};

    use super::*;
    use crate::head::{
        Asset, Curve, EyeRange, Humanoid, Interpolation, LocalTransform, Mesh, Node, NodePath, NodeTrack, Rig, Trs,
        Vertices,
    };

    const LEFT: Turn = Turn { yaw: FRAC_PI_2, ..Turn::NONE };

    /// A neck that lies on its side and is scaled, with a head and two eyes before it.
    fn head() -> Head {
        let node = |name: &str, parent, translation, rotation, scale| Node {
            name: name.into(),
            parent,
            rest: LocalTransform::Trs(Trs { translation, rotation, scale: Vec3::splat(scale) }),
        };
        let on_its_side = Quat::from_rotation_z(FRAC_PI_2);
        let nodes = vec![
            node("Neck", None, Vec3::Y, on_its_side, 0.5),
            node("Head", Some(0), Vec3::X, on_its_side.inverse(), 1.0),
            node("LeftEye", Some(1), Vec3::new(1.0, 0.0, 2.0), Quat::from_rotation_x(1.0), 1.0),
        ];
        let rig = Rig { nodes, ..Rig::default() };
        let positions = vec![Vec3::ZERO, Vec3::ONE];
        let vertices = Vertices { positions, ..Vertices::default() };
        let mesh = Mesh { node: Some(1), vertices, ..Mesh::default() };
        Head::new(Asset { meshes: vec![mesh], rig, ..Asset::default() })
    }

    fn joints(head: Option<usize>) -> FaceJoints {
        FaceJoints { head, eyes: [Some(2), None] }
    }

    fn near(a: Vec3, b: Vec3) {
        assert!(a.distance(b) < 1e-5, "{a} is not {b}");
    }

    #[test]
    fn a_joint_turns_about_itself_in_the_axes_of_the_actor_and_carries_the_eyes() {
        let head = head();
        let rest = head.rest_pose.world_from_node().to_vec();
        near(rest[2].w_axis.truncate(), Vec3::new(0.5, 1.5, 1.0));
        let turns = FaceTurns { head: LEFT, ..FaceTurns::NONE };
        let worlds = head.world_from_nodes([], None, &[], &turns, &joints(Some(1))).unwrap();
        assert_eq!(worlds[0], rest[0], "the neck stays");
        near(worlds[1].w_axis.truncate(), rest[1].w_axis.truncate());
        near(worlds[1].transform_vector3(Vec3::Z), Vec3::X * 0.5);
        // From the head, the eye is at (0.5, 0, 1): a quarter turn to the left takes it to (1, 0, -0.5).
        near(worlds[2].w_axis.truncate(), Vec3::new(1.0, 1.5, -0.5));
    }

    #[test]
    fn an_eye_turns_in_the_axes_of_the_head() {
        let head = head();
        let turns = FaceTurns { eyes: [LEFT, LEFT], ..FaceTurns::NONE };
        let worlds = head.world_from_nodes([], None, &[], &turns, &joints(Some(1))).unwrap();
        let rest = head.rest_pose.world_from_node();
        assert_eq!(worlds[..2], rest[..2]);
        near(worlds[2].w_axis.truncate(), rest[2].w_axis.truncate());
        let forward_at_rest = rest[2].inverse().transform_vector3(Vec3::Z);
        near(worlds[2].transform_vector3(forward_at_rest), Vec3::X);
        let both = FaceTurns { head: LEFT, ..turns };
        let worlds = head.world_from_nodes([], None, &[], &both, &joints(Some(1))).unwrap();
        near(worlds[2].transform_vector3(forward_at_rest), Vec3::NEG_Z);
    }

    #[test]
    fn without_a_joint_the_whole_head_turns_about_its_neck() {
        let head = head();
        let turns = FaceTurns { head: LEFT, ..FaceTurns::NONE };
        let worlds = head.world_from_nodes([], None, &[], &turns, &joints(None)).unwrap();
        for (world, rest) in worlds.iter().zip(head.rest_pose.world_from_node()) {
            let from_neck = rest.w_axis.truncate() - head.neck;
            near(world.w_axis.truncate(), head.neck + Vec3::new(from_neck.z, from_neck.y, -from_neck.x));
        }
    }

    #[test]
    fn a_turn_comes_on_top_of_a_clip_and_nothing_moves_at_rest() {
        let head = head();
        let values = Quat::from_rotation_x(0.25).to_array().to_vec();
        let curve = Curve::new(Interpolation::Linear, vec![0.0], values, 4).unwrap();
        let track = NodeTrack { node: 1, path: NodePath::Rotation, curve };
        let clip = Clip::new("nod".into(), Vec::new()).with_node_tracks(vec![track]);
        assert_eq!(head.world_from_nodes([], None, &[], &FaceTurns::NONE, &joints(Some(1))), None);
        let moved = head.world_from_nodes([(&clip, 0.0)], None, &[], &FaceTurns::NONE, &joints(Some(1))).unwrap();
        let turns = FaceTurns { head: LEFT, ..FaceTurns::NONE };
        let turned = head.world_from_nodes([(&clip, 0.0)], None, &[], &turns, &joints(Some(1))).unwrap();
        // The clip lays the joint down, and the turn goes about the axis that the clip has moved.
        let up = head.rest_pose.world_from_node()[1].inverse().transform_vector3(Vec3::Y);
        near(turned[1].transform_vector3(up), moved[1].transform_vector3(up));
        assert!(turned[1].transform_vector3(Vec3::Z).distance(moved[1].transform_vector3(Vec3::Z)) > 0.1);
    }

    #[test]
    fn a_joint_without_extent_is_not_turned() {
        let mut flat = head().to_asset();
        flat.rig.nodes[1].rest = LocalTransform::Matrix(Mat4::ZERO);
        let head = Head::new(flat);
        let turns = FaceTurns { head: LEFT, eyes: [LEFT; 2] };
        let far = FaceJoints { head: Some(1), eyes: [Some(99), None] };
        assert_eq!(head.world_from_nodes([], None, &[], &turns, &far), None);
    }

    #[test]
    fn an_eye_of_a_humanoid_turns_as_far_as_the_file_allows() {
        let mut asset = head().to_asset();
        let eye_range = Some(EyeRange { inwards: 0.1, outwards: 0.25, down: 0.1, up: 0.1 });
        asset.rig.humanoid = Humanoid { eyes: [Some(2), None], eye_range, ..Humanoid::default() };
        let head = Head::new(asset);
        let turned = |yaw: f32, joint: usize| {
            let turns = FaceTurns { eyes: [Turn { yaw, ..Turn::NONE }, Turn::NONE], ..FaceTurns::NONE };
            head.world_from_nodes([], None, &[], &turns, &FaceJoints { head: None, eyes: [Some(joint), None] }).unwrap()
        };
        assert_eq!(turned(1.0, 2), turned(0.25, 2));
        assert_eq!(turned(-1.0, 2), turned(-0.1, 2));
        assert_ne!(turned(1.0, 1), turned(0.25, 1), "another node that was chosen for the eye has no limit");
    }
}
