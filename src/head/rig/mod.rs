//! The tree of nodes that meshes stand on and joints belong to (glTF 2.0 §3.5), at rest.

mod bake;
mod rig_pose;

use glam::{Mat4, Quat, Vec3};
pub use rig_pose::{RigPose, normal_matrix};

/// A place given by its parts: scaled, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// The file's unit.
    pub translation: Vec3,
    /// Unit length.
    pub rotation: Quat,
    /// Per axis; 0 and below are legal.
    pub scale: Vec3,
}

impl Trs {
    /// Where nothing is moved.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The same as a matrix.
    pub fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// Where a node stands under its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    /// In parts, which clips can move.
    Trs(Trs),
    /// As a matrix, which no clip moves (glTF 2.0 §3.11).
    Matrix(Mat4),
}

impl LocalTransform {
    /// From the node's space to its parent's.
    pub fn matrix(&self) -> Mat4 {
        match self {
            Self::Trs(trs) => trs.matrix(),
            Self::Matrix(matrix) => *matrix,
        }
    }
}

/// One node of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The file's name for it, or `node N`.
    pub name: String,
    /// Index into [`Rig::nodes`], below its own; none for a root.
    pub parent: Option<usize>,
    /// Where it stands at rest.
    pub rest: LocalTransform,
}

/// All nodes of a file, shown or not, and the skins that hang on them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// What stands under all roots: which way the file's kind faces.
    pub world_from_file: Mat4,
    /// Parents come before their children.
    pub nodes: Vec<Node>,
    /// [`super::Mesh::skin`] points here.
    pub skins: Vec<Skin>,
}

impl Rig {
    /// Where every node stands in the world, given where each stands under its parent.
    pub fn world_from_nodes(&self, parent_from_node: impl Fn(usize) -> Mat4) -> Vec<Mat4> {
        let mut world_from_node: Vec<Mat4> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let world_from_parent = node.parent.and_then(|parent| world_from_node.get(parent));
            world_from_node.push(*world_from_parent.unwrap_or(&self.world_from_file) * parent_from_node(index));
        }
        world_from_node
    }

    /// The same at rest.
    pub fn world_from_nodes_at_rest(&self) -> Vec<Mat4> {
        self.world_from_nodes(|node| self.nodes[node].rest.matrix())
    }
}

/// A node as a skin uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Index into [`super::Rig::nodes`].
    pub node: usize,
    /// From mesh space to the joint's own, as they were when the mesh was bound: glTF's inverse bind matrix.
    pub joint_from_mesh: Mat4,
}

/// Joints that pull together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// The file's name for it, or `skin N`.
    pub name: String,
    /// [`super::Influence::joint`] points here.
    pub joints: Vec<Joint>,
}

impl Skin {
    /// What each joint makes of a vertex that hangs on it alone: mesh space to world.
    pub fn palette<'a>(&'a self, world_from_node: &'a [Mat4]) -> impl Iterator<Item = Mat4> + 'a {
        self.joints
            .iter()
            .map(|joint| world_from_node.get(joint.node).copied().unwrap_or(Mat4::IDENTITY) * joint.joint_from_mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_stand_on_their_parents() {
        let node = |parent, translation, scale| Node {
            name: String::new(),
            parent,
            rest: LocalTransform::Trs(Trs { translation, scale: Vec3::splat(scale), ..Trs::IDENTITY }),
        };
        let matrix =
            Node { rest: LocalTransform::Matrix(Mat4::from_rotation_z(1.0)), ..node(Some(1), Vec3::ZERO, 1.0) };
        let nodes = vec![node(None, Vec3::X, 2.0), node(Some(0), Vec3::Y, 3.0), matrix, node(None, Vec3::Z, 1.0)];
        let mut rig = Rig { nodes, ..Rig::default() };
        let worlds = rig.world_from_nodes_at_rest();
        assert_eq!(worlds[1].transform_point3(Vec3::Z), Vec3::new(1.0, 2.0, 6.0));
        assert_eq!(worlds[2], worlds[1] * Mat4::from_rotation_z(1.0));
        assert_eq!(worlds[3], Mat4::from_translation(Vec3::Z));
        rig.world_from_file = Mat4::from_scale(Vec3::splat(2.0));
        assert_eq!(rig.world_from_nodes_at_rest()[1], rig.world_from_file * worlds[1]);
    }
}
