//! What an OBJ file says, as lists, before it is made into a mesh.

use glam::{Vec2, Vec3};

/// In the place of a texture coordinate or a normal that a corner does not have.
pub const NONE: u32 = u32::MAX;

/// Where a face meets one of its vertices. Indices into the lists of [`Model`], checked; or [`NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// Into [`Model::positions`].
    pub point: u32,
    /// Into [`Model::uvs`].
    pub uv: u32,
    /// Into [`Model::normals`].
    pub normal: u32,
}

/// A polygon: its corners end where those of the next face begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Into [`Model::corners`].
    pub first_corner: u32,
    /// Into [`Model::parts`].
    pub part: u32,
    /// Faces of one number are smooth against each other; 0 is smooth against none.
    pub smoothing: u32,
    /// Where in the file it is.
    pub line: u32,
}

/// Faces that are drawn together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartKey {
    /// Into [`Model::objects`].
    pub object: Option<u32>,
    /// Into [`Model::materials`].
    pub material: Option<u32>,
}

/// An OBJ file's content.
#[derive(Debug, Default)]
pub struct Model {
    /// `v`, as they are: some may not be finite.
    pub positions: Vec<Vec3>,
    /// sRGB, where some vertex has a colour: one per position.
    pub colors: Vec<[f32; 3]>,
    /// `vt`, v upwards.
    pub uvs: Vec<Vec2>,
    /// `vn`.
    pub normals: Vec<Vec3>,
    /// Of all faces.
    pub corners: Vec<Corner>,
    /// Three corners each at least.
    pub faces: Vec<Face>,
    /// In order of first use.
    pub parts: Vec<PartKey>,
    /// Names of objects.
    pub objects: Vec<String>,
    /// Names of materials.
    pub materials: Vec<String>,
    /// Names of material files.
    pub libraries: Vec<String>,
}

impl Model {
    /// The corners of a face.
    pub fn corners_of(&self, face: usize) -> &[Corner] {
        let first = self.faces[face].first_corner as usize;
        let end = self.faces.get(face + 1).map_or(self.corners.len(), |next| next.first_corner as usize);
        &self.corners[first..end]
    }
}
