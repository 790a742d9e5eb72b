//! Nodes that follow other nodes: the constraints of VRM 1.0 (`VRMC_node_constraint`, which gives the formulas).

use glam::{Mat4, Quat, Vec3};

use super::{Rig, Trs};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeConstraint {
    /// The node that follows: an index into [`Rig::nodes`].
    pub node: usize,
    /// The node that is followed.
    pub source: usize,
    /// 0..1: how far it follows.
    pub weight: f32,
    pub kind: ConstraintKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstraintKind {
    /// It turns about an axis of its own as far as the source does.
    Roll { axis: Vec3 },
    /// An axis of its own points to the source.
    Aim { axis: Vec3 },
    /// It turns as the source does, each relative to its parent.
    Rotation,
}

impl NodeConstraint {
    /// The rotation that it gives its node, where `local` has the transform of each node relative to its parent.
    fn rotation(&self, rig: &Rig, local: &[Mat4]) -> Option<Quat> {
        let rest = rig.nodes.get(self.node)?.rest.trs().rotation;
        let source_rest = rig.nodes.get(self.source)?.rest.trs().rotation;
        let source = rotation_of(local.get(self.source)?);
        let target = match self.kind {
            ConstraintKind::Rotation => rest * source_rest.inverse() * source,
            ConstraintKind::Roll { axis } => {
                // The turn of the source, in the space of their parent and then in that of the node.
                let in_parent = source * source_rest.inverse();
                let in_node = rest.inverse() * in_parent * rest;
                let aside = Quat::from_rotation_arc(axis, (in_node * axis).normalize_or(axis));
                rest * aside.inverse() * in_node
            }
            ConstraintKind::Aim { axis } => {
                let parent =
                    rig.nodes[self.node].parent.map_or(rig.world_from_file, |parent| world(rig, local, parent));
                let parent_rotation = rotation_of(&parent);
                let own = (parent * *local.get(self.node)?).w_axis.truncate();
                let away = world(rig, local, self.source).w_axis.truncate() - own;
                let from = parent_rotation * rest * axis;
                let turn = Quat::from_rotation_arc(from.normalize_or(axis), away.try_normalize()?);
                parent_rotation.inverse() * turn * parent_rotation * rest
            }
        };
        let turned = rest.slerp(target.normalize(), self.weight);
        turned.is_finite().then_some(turned)
    }
}

fn rotation_of(matrix: &Mat4) -> Quat {
    matrix.to_scale_rotation_translation().1
}

/// The transform of a node into the world. Parents come before their children.
fn world(rig: &Rig, local: &[Mat4], node: usize) -> Mat4 {
    let (mut transform, mut at) = (local[node], node);
    while let Some(parent) = rig.nodes[at].parent.filter(|&parent| parent < at) {
        transform = local[parent] * transform;
        at = parent;
    }
    rig.world_from_file * transform
}

impl Rig {
    /// Turns the nodes that follow others. `local` has the transform of each node relative to its parent.
    pub(crate) fn follow_constraints(&self, local: &mut [Mat4]) {
        for constraint in &self.constraints {
            if let Some(rotation) = constraint.rotation(self, local) {
                let (scale, _, translation) = local[constraint.node].to_scale_rotation_translation();
                local[constraint.node] = Trs { translation, rotation, scale }.matrix();
            }
        }
    }

    /// Whether a node is elsewhere than at rest because of a constraint, although all others are at rest.
    pub(crate) fn aims(&self) -> bool {
        self.constraints.iter().any(|constraint| matches!(constraint.kind, ConstraintKind::Aim { .. }))
    }

    /// Takes constraints in an order in which each comes after those that move what it follows. Returns those that
    /// follow each other in a circle, or that refer to nodes that do not exist: they are left out.
    pub fn set_constraints(&mut self, constraints: Vec<NodeConstraint>) -> Vec<NodeConstraint> {
        let count = self.nodes.len();
        let (mut pending, mut left_out): (Vec<_>, Vec<_>) = constraints.into_iter().partition(|constraint| {
            constraint.node < count && constraint.source < count && constraint.node != constraint.source
        });
        self.constraints.clear();
        loop {
            let waiting: Vec<usize> = pending.iter().map(|constraint| constraint.node).collect();
            let is_ready = |constraint: &NodeConstraint| {
                let of_source = self.with_parents(Some(constraint.source));
                let of_parent = self.with_parents(self.nodes[constraint.node].parent);
                of_source.chain(of_parent).all(|node| !waiting.contains(&node))
            };
            let (ready, rest): (Vec<_>, Vec<_>) = pending.into_iter().partition(is_ready);
            pending = rest;
            if ready.is_empty() {
                break;
            }
            self.constraints.extend(ready);
        }
        left_out.extend(pending);
        left_out
    }

    /// A node and its parents.
    fn with_parents(&self, node: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(node, |&node| self.nodes[node].parent.filter(|&parent| parent < node))
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::*;
    use crate::head::{LocalTransform, Node};

    /// A chain of four nodes, each one unit above its parent.
    fn rig() -> Rig {
        let node = |parent| Node {
            name: String::new(),
            parent,
            rest: LocalTransform::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY }),
        };
        Rig { nodes: vec![node(None), node(Some(0)), node(Some(0)), node(Some(1))], ..Rig::default() }
    }

    fn constraint(node: usize, source: usize, kind: ConstraintKind) -> NodeConstraint {
        NodeConstraint { node, source, weight: 1.0, kind }
    }

    /// The axes of a node after node 1 was turned.
    fn axes(constraint: NodeConstraint, turn: Quat) -> [Vec3; 3] {
        let mut rig = rig();
        assert!(rig.set_constraints(vec![constraint]).is_empty());
        let mut local: Vec<Mat4> = rig.nodes.iter().map(|node| node.rest.matrix()).collect();
        local[1] *= Mat4::from_quat(turn);
        rig.follow_constraints(&mut local);
        let rotation = rotation_of(&local[constraint.node]);
        [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| rotation * axis)
    }

    #[test]
    fn a_node_turns_as_another_does_or_about_one_axis_alone() {
        let about_x = Quat::from_rotation_x(FRAC_PI_2);
        let [_, up, _] = axes(constraint(2, 1, ConstraintKind::Rotation), about_x);
        assert!(up.abs_diff_eq(Vec3::Z, 1e-5), "{up}");
        let half = NodeConstraint { weight: 0.5, ..constraint(2, 1, ConstraintKind::Rotation) };
        assert!(axes(half, about_x)[1].abs_diff_eq(Vec3::new(0.0, 1.0, 1.0).normalize_or_zero(), 1e-5));
        let roll = constraint(2, 1, ConstraintKind::Roll { axis: Vec3::X });
        assert!(axes(roll, about_x)[1].abs_diff_eq(Vec3::Z, 1e-5));
        assert!(axes(roll, Quat::from_rotation_z(1.0))[0].abs_diff_eq(Vec3::X, 1e-5), "that is no roll about x");
    }

    #[test]
    fn an_axis_points_to_what_it_aims_at() {
        let aim = constraint(2, 3, ConstraintKind::Aim { axis: Vec3::X });
        // The child of node 1, which lies on its side, is beside node 2.
        let [right, ..] = axes(aim, Quat::from_rotation_z(FRAC_PI_2));
        assert!(right.abs_diff_eq(Vec3::NEG_X, 1e-5), "{right}");
        // Where both are at one place, no direction is better than another.
        assert!(axes(constraint(2, 1, ConstraintKind::Aim { axis: Vec3::X }), Quat::IDENTITY)[0].is_finite());
    }

    #[test]
    fn circles_are_left_out_and_the_others_come_in_their_order() {
        let mut rig = rig();
        let follow = |node, source| constraint(node, source, ConstraintKind::Rotation);
        let left_out = rig.set_constraints(vec![follow(3, 2), follow(2, 1), follow(0, 0), follow(1, 99)]);
        assert_eq!(left_out.len(), 2);
        assert_eq!(rig.constraints.iter().map(|of| of.node).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(
            rig.set_constraints(vec![follow(1, 2), follow(2, 1), follow(3, 1)]).len(),
            3,
            "one waits for the circle"
        );
        assert!(rig.constraints.is_empty());
    }
}
