//! The rig: the tree of nodes at rest (glTF 2.0 §3.5), and the skins whose joints are nodes (§3.7.3).

mod constraint;
mod face_joints;
mod rig_pose;

pub use constraint::{ConstraintKind, NodeConstraint};
pub use face_joints::{EyeRange, FaceJoints, FaceTurns, Humanoid, Turn};
pub use rig_pose::{RigPose, normal_matrix};

use glam::{Mat4, Quat, Vec3};

use super::{NodeTrack, Standing};

/// A transform given by translation, rotation and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// In the file's unit.
    pub translation: Vec3,
    /// Unit length.
    pub rotation: Quat,
    /// Per axis; may be 0 or negative.
    pub scale: Vec3,
}

impl Trs {
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    pub fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// The transform of a node relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    /// By translation, rotation and scale, which clips can animate.
    Trs(Trs),
    /// By a matrix, which no clip animates (glTF 2.0 §3.11).
    Matrix(Mat4),
}

impl LocalTransform {
    pub fn matrix(&self) -> Mat4 {
        match self {
            Self::Trs(trs) => trs.matrix(),
            Self::Matrix(matrix) => *matrix,
        }
    }

    pub fn trs(&self) -> Trs {
        match self {
            Self::Trs(trs) => *trs,
            Self::Matrix(matrix) => {
                let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
                Trs { translation, rotation, scale }
            }
        }
    }

    pub fn played<'t>(&self, tracks: impl IntoIterator<Item = &'t NodeTrack>, time_secs: f32) -> Trs {
        let mut place = self.trs();
        tracks.into_iter().for_each(|track| track.apply(time_secs, &mut place));
        place
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The file's name for it, or `node N`.
    pub name: String,
    /// Index into [`Rig::nodes`], lower than its own; none for a root.
    pub parent: Option<usize>,
    pub rest: LocalTransform,
}

/// All nodes of a file, with or without a mesh, and the skins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// The transform above all roots: it turns the head to the front.
    pub world_from_file: Mat4,
    /// The same where the format of the file says which way a head looks, as avatars do.
    pub world_from_format: Option<Mat4>,
    /// How the head stands in its file although its format does not say so. [`Self::world_from_file`] turns it upright;
    /// what is written of it is as in its file.
    pub stands: Standing,
    /// How it was found to stand; `None` if nothing tells.
    pub found: Option<Standing>,
    /// Parents come before their children.
    pub nodes: Vec<Node>,
    /// Per node its index in the file, where meshes, cameras and lights are listed in the order of their nodes; empty
    /// if that is the order of `nodes`.
    pub file_indices: Vec<usize>,
    /// [`super::Mesh::skin`] points here.
    pub skins: Vec<Skin>,
    /// The bones of the head that the file names itself.
    pub humanoid: Humanoid,
    /// Nodes that follow others; those that are followed come first. [`Self::set_constraints`] sets them.
    pub constraints: Vec<NodeConstraint>,
}

impl Rig {
    /// Whether it is shown otherwise than it stands in its file.
    pub fn is_turned(&self) -> bool {
        self.stands != Standing::UPRIGHT
    }

    /// World transforms of nodes as they are in the file.
    pub fn turned_back(&self, world_from_nodes: &[Mat4]) -> Vec<Mat4> {
        if !self.is_turned() {
            return world_from_nodes.to_vec();
        }
        let file_from_upright = self.stands.upright_from_file().transpose();
        world_from_nodes.iter().map(|world| file_from_upright * *world).collect()
    }

    /// The world transform of every node, given the transform of each relative to its parent.
    pub fn world_from_nodes(&self, parent_from_node: impl Fn(usize) -> Mat4) -> Vec<Mat4> {
        let mut world_from_node: Vec<Mat4> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let world_from_parent = node.parent.and_then(|parent| world_from_node.get(parent));
            world_from_node.push(*world_from_parent.unwrap_or(&self.world_from_file) * parent_from_node(index));
        }
        world_from_node
    }

    /// Gives every mesh without a node a root node of its own, so that it can be turned. It stays where it is.
    pub fn add_nodes_for(&mut self, meshes: &mut [super::Mesh]) {
        let file_from_world = self.world_from_file.inverse();
        for mesh in meshes.iter_mut().filter(|mesh| mesh.node.is_none()) {
            mesh.node = Some(self.nodes.len());
            if !self.file_indices.is_empty() {
                self.file_indices.push(self.nodes.len());
            }
            let rest = LocalTransform::Matrix(file_from_world * mesh.world_from_mesh);
            self.nodes.push(Node { name: mesh.name.clone(), parent: None, rest });
        }
    }

    /// The nodes in the order of the file, as indices into [`Self::nodes`].
    pub fn in_order_of_file(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        // The sort is stable, and nodes without an index come last.
        order.sort_by_key(|&node| match self.file_indices.is_empty() {
            true => node,
            false => self.file_indices.get(node).copied().unwrap_or(usize::MAX),
        });
        order
    }

    pub fn world_from_nodes_at_rest(&self) -> Vec<Mat4> {
        self.world_from_nodes(|node| self.nodes[node].rest.matrix())
    }
}

/// A node that is a joint of a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Index into [`super::Rig::nodes`].
    pub node: usize,
    /// The transform from mesh space to the joint's space in the bind pose: glTF's inverse bind matrix.
    pub joint_from_mesh: Mat4,
}

/// The joints that deform a mesh. Vertices are morphed first, then transformed by their joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// The file's name for it, or `skin N`.
    pub name: String,
    /// [`super::Influence::joint`] points here.
    pub joints: Vec<Joint>,
}

impl Skin {
    /// The joint matrices: per joint, the transform from mesh space to world of a vertex with weight 1 on it. Each
    /// joint is a node of the rig.
    pub fn palette<'a>(&'a self, world_from_node: &'a [Mat4]) -> impl Iterator<Item = Mat4> + 'a {
        self.joints.iter().map(|joint| world_from_node[joint.node] * joint.joint_from_mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_of_parents_apply_to_children() {
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
