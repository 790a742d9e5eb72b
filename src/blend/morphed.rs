//! A vertex as a blend mode left it.

use glam::{Vec3, Vec4};

/// What a mode made of one vertex, in mesh space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MorphedVertex {
    /// Mesh space, the file's unit.
    pub position: Vec3,
    /// Unit length, or zero where the file has none.
    pub normal: Vec3,
    /// xyz unit length, w the bitangent's side; zero where the file has none.
    pub tangent: Vec4,
}
