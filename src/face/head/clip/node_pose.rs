//! The transforms of all nodes at one moment: tracks that animate them, and turns of joints on top.

use glam::{DMat3, Mat3, Mat4, Vec3};

use super::NodeTrack;
use crate::head::{LocalTransform, Rig, Turn};

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
