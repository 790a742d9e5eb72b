//! Tracks of nodes (glTF 2.0 §3.11, appendix C): translation, rotation or scale over time.

use glam::{DMat3, Mat3, Mat4, Quat, Vec3, Vec4};

use super::{Curve, Interpolation};
use crate::head::{LocalTransform, Rig, Trs, Turn};

/// The part of a node's transform that a track animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodePath {
    /// Three numbers per key, in the file's unit.
    Translation,
    /// Four numbers per key: a quaternion, x y z w.
    Rotation,
    /// Three numbers per key.
    Scale,
}

impl NodePath {
    /// The number of values per key.
    pub fn width(self) -> usize {
        match self {
            Self::Translation | Self::Scale => 3,
            Self::Rotation => 4,
        }
    }
}

/// A curve and the part of a node's transform that it animates.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeTrack {
    /// Index into [`crate::head::Rig::nodes`].
    pub node: usize,
    /// What it animates.
    pub path: NodePath,
    /// As wide as [`NodePath::width`].
    pub curve: Curve,
}

impl NodeTrack {
    /// Sets the animated part of a transform to the value at a time. Values that are not finite are ignored.
    pub fn apply(&self, time_secs: f32, place: &mut Trs) {
        match self.path {
            NodePath::Translation => replace(&mut place.translation, vector(&self.curve, time_secs)),
            NodePath::Scale => replace(&mut place.scale, vector(&self.curve, time_secs)),
            NodePath::Rotation => place.rotation = rotation(&self.curve, time_secs).unwrap_or(place.rotation),
        }
    }
}

fn replace(place: &mut Vec3, new: Vec3) {
    if new.is_finite() {
        *place = new;
    }
}

fn vector(curve: &Curve, time_secs: f32) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|element| curve.sample(time_secs, element)))
}

/// Interpolates between two keys: spherically; a spline by its four components, normalised afterwards.
fn rotation(curve: &Curve, time_secs: f32) -> Option<Quat> {
    let quaternion = |numbers: [f32; 4]| {
        let length = Vec4::from_array(numbers).as_dvec4().length();
        let unit = Vec4::from_array(numbers).as_dvec4() / length;
        unit.is_finite().then(|| Quat::from_vec4(unit.as_vec4()))
    };
    if curve.interpolation() != Interpolation::Linear {
        return quaternion([0, 1, 2, 3].map(|element| curve.sample(time_secs, element)));
    }
    let (from, to, share) = curve.keys_around(time_secs);
    let key = |key: usize| quaternion([0, 1, 2, 3].map(|element| curve.key_value(key, element)));
    Some(key(from)?.slerp(key(to)?, share))
}

/// The nodes of a rig, each relative to its parent.
#[derive(Debug)]
pub(crate) struct NodePose<'r> {
    rig: &'r Rig,
    locals: Vec<LocalTransform>,
    /// Applied before the local transform of a node: the rotation of a joint in its own space.
    turned: Vec<(usize, Mat4)>,
    /// Applied after everything else.
    world_from_whole: Option<Mat4>,
    is_at_rest: bool,
}

impl<'r> NodePose<'r> {
    /// All nodes at rest.
    pub(crate) fn at_rest(rig: &'r Rig) -> Self {
        let locals = rig.nodes.iter().map(|node| node.rest).collect();
        Self { rig, locals, turned: Vec::new(), world_from_whole: None, is_at_rest: true }
    }

    /// Moves nodes to where the tracks of a clip have them at a time of the clip.
    pub(crate) fn play(&mut self, tracks: &[NodeTrack], time_secs: f32) {
        self.is_at_rest &= tracks.is_empty();
        for track in tracks {
            if let Some(LocalTransform::Trs(trs)) = self.locals.get_mut(track.node) {
                track.apply(time_secs, trs);
            }
        }
    }

    /// Turns a joint about its own origin. `world_from_joint` is its transform at rest, which tells how the axes of the actor
    /// lie in the joint. Tracks of the joint, and of its parents, carry the turn along.
    pub(crate) fn turn(&mut self, joint: usize, world_from_joint: &Mat4, turn: Turn) {
        // In f64, because the axes of a head in micrometres are short.
        let axes = Mat3::from_mat4(*world_from_joint).as_dmat3();
        let turned = axes.inverse() * DMat3::from_quat(turn.rotation().as_dquat()) * axes;
        if turned.is_finite() {
            self.turned.push((joint, Mat4::from_mat3(turned.as_mat3())));
            self.is_at_rest = false;
        }
    }

    /// Turns everything about a point in world space, after all else.
    pub(crate) fn turn_whole(&mut self, center: Vec3, turn: Turn) {
        let turned = Mat4::from_quat(turn.rotation());
        self.world_from_whole = Some(Mat4::from_translation(center) * turned * Mat4::from_translation(-center));
        self.is_at_rest = false;
    }

    /// The world transforms of all nodes; none if all are at rest. A node whose transform is not finite stays at rest.
    pub(crate) fn world_from_nodes(self) -> Option<Vec<Mat4>> {
        if self.is_at_rest {
            return None;
        }
        let parent_from_node = |node: usize| {
            let turns = self.turned.iter().filter(|(joint, _)| *joint == node);
            turns.fold(self.locals[node].matrix(), |local, (_, turned)| local * *turned)
        };
        let mut worlds = self.rig.world_from_nodes(parent_from_node);
        if let Some(whole) = self.world_from_whole {
            worlds.iter_mut().for_each(|world| *world = whole * *world);
        }
        if worlds.iter().any(|world| !world.is_finite()) {
            for (world, rest) in worlds.iter_mut().zip(self.rig.world_from_nodes_at_rest()) {
                if !world.is_finite() {
                    *world = rest;
                }
            }
        }
        Some(worlds)
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use glam::Mat4;

    use super::*;
    use crate::head::{Clip, LocalTransform, Node, Rig};

    fn track(path: NodePath, interpolation: Interpolation, times: &[f32], values: &[f32]) -> NodeTrack {
        NodeTrack {
            node: 0,
            path,
            curve: Curve::new(interpolation, times.to_vec(), values.to_vec(), path.width()).unwrap(),
        }
    }

    fn turned(track: &NodeTrack, time_secs: f32) -> Quat {
        let mut place = Trs::IDENTITY;
        track.apply(time_secs, &mut place);
        place.rotation
    }

    #[test]
    fn a_linear_turn_is_even_and_takes_the_shorter_way() {
        let to = Quat::from_rotation_y(FRAC_PI_2);
        for sign in [1.0, -1.0] {
            let values = [Quat::IDENTITY.to_array(), (to * sign).to_array()].concat();
            let track = track(NodePath::Rotation, Interpolation::Linear, &[1.0, 3.0], &values);
            for (time_secs, degrees) in [(0.0, 0.0), (1.5, 22.5), (2.5, 67.5), (9.0, 90.0_f32)] {
                let expected = Quat::from_rotation_y(degrees.to_radians());
                assert!(turned(&track, time_secs).angle_between(expected) < 1e-3, "{sign}, {time_secs} s");
            }
        }
    }

    #[test]
    fn a_spline_of_turns_stays_a_turn_and_a_step_holds() {
        let (from, to) = (Quat::from_rotation_x(0.1).to_array(), Quat::from_rotation_x(2.9).to_array());
        let still = [0.0; 4];
        let spline = track(
            NodePath::Rotation,
            Interpolation::CubicSpline,
            &[0.0, 1.0],
            &[still, from, [0.5; 4], [0.5; 4], to, still].concat(),
        );
        assert!((0..=10).all(|tenth| turned(&spline, tenth as f32 * 0.1).is_normalized()));
        assert!(turned(&spline, 0.0).angle_between(Quat::from_rotation_x(0.1)) < 1e-3);
        let step = track(NodePath::Rotation, Interpolation::Step, &[0.0, 1.0], &[from, to].concat());
        assert_eq!(turned(&step, 0.99), turned(&step, 0.0));
    }

    #[test]
    fn values_that_are_not_finite_leave_the_transform_at_rest() {
        let nothing = track(NodePath::Rotation, Interpolation::Linear, &[0.0], &[0.0; 4]);
        assert_eq!(turned(&nothing, 0.0), Quat::IDENTITY);
        let huge = [0.0, f32::MAX, f32::MAX, f32::MAX, f32::MAX, 0.0].map(|value| [value; 3]).concat();
        let spline = track(NodePath::Translation, Interpolation::CubicSpline, &[0.0, 9.0], &huge);
        let mut place = Trs { translation: Vec3::X, ..Trs::IDENTITY };
        spline.apply(4.0, &mut place);
        assert!(place.translation.is_finite());
    }

    #[test]
    fn a_clip_moves_the_nodes_it_names_and_their_children_and_lasts_as_long_as_its_longest_track() {
        let node = |parent, rest| Node { name: String::new(), parent, rest };
        let rest = LocalTransform::Trs(Trs { translation: Vec3::X, ..Trs::IDENTITY });
        let rig = Rig { nodes: vec![node(None, rest), node(Some(0), rest), node(None, rest)], ..Rig::default() };
        let turn = [Quat::IDENTITY, Quat::from_rotation_z(PI * 0.5)].map(|turn| turn.to_array()).concat();
        let scale = [[1.0; 3], [0.0; 3]].concat();
        let tracks = vec![
            track(NodePath::Rotation, Interpolation::Linear, &[0.0, 1.0], &turn),
            track(NodePath::Scale, Interpolation::Step, &[0.0, 2.0], &scale),
        ];
        let clip = Clip::new("turn".into(), Vec::new()).with_node_tracks(tracks);
        assert_eq!(clip.duration_secs, 2.0);
        let at = |time_secs| clip.world_from_nodes(&rig, time_secs).unwrap();
        let child = at(1.0)[1].transform_point3(Vec3::ZERO);
        assert!(child.distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-6, "{child}");
        assert_eq!(at(1.0)[2], Mat4::from_translation(Vec3::X), "a node without a track is at rest");
        assert_eq!(at(2.0)[1].transform_point3(Vec3::ONE), Vec3::X, "a scale of 0 is legal");
        assert_eq!(Clip::new("still".into(), Vec::new()).world_from_nodes(&rig, 0.0), None);
        let huge = track(NodePath::Scale, Interpolation::Step, &[0.0], &[f32::MAX; 3]);
        let twice = vec![huge.clone(), NodeTrack { node: 1, ..huge }];
        let clip = Clip::new("huge".into(), Vec::new()).with_node_tracks(twice);
        assert_eq!(clip.world_from_nodes(&rig, 0.0).unwrap()[1], rig.world_from_nodes_at_rest()[1]);
    }
}
