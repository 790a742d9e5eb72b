//! Skins: joints that pull on vertices (glTF 2.0 §3.7.3). A vertex is morphed first, then pulled.

use glam::Mat4;

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
    /// [`super::Pull::joint`] points here.
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
