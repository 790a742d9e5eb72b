//! The content of an OBJ file as lists, before a mesh is built from it.

use glam::{Vec2, Vec3};

/// Stands for the texture coordinate or normal of a corner that has none.
pub(super) const NONE: u32 = u32::MAX;

/// A corner of a face. Indices into the lists of [`Model`], checked; or [`NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    /// Into [`Model::positions`].
    pub point: u32,
    /// Into [`Model::uvs`].
    pub uv: u32,
    /// Into [`Model::normals`].
    pub normal: u32,
}

/// A polygon. Its corners end where those of the next face begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    /// Into [`Model::corners`].
    pub first_corner: u32,
    /// Into [`Model::parts`].
    pub part: u32,
    /// Its smoothing group: edges between faces of one group are smooth; 0 is no group.
    pub smoothing: u32,
    /// Its line in the file.
    pub line: u32,
}

/// What the faces of one part have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PartKey {
    /// Into [`Model::objects`].
    pub object: Option<u32>,
    /// Into [`Model::materials`].
    pub material: Option<u32>,
}

/// An OBJ file's content.
#[derive(Debug, Default)]
pub(super) struct Model {
    /// `v`, unchecked: some may not be finite.
    pub positions: Vec<Vec3>,
    /// sRGB colours, one per position; empty if no vertex has a colour.
    pub colors: Vec<[f32; 3]>,
    /// `vt`, v upwards.
    pub uvs: Vec<Vec2>,
    /// `vn`.
    pub normals: Vec<Vec3>,
    /// The corners of all faces.
    pub corners: Vec<Corner>,
    /// Each has at least three corners.
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
    pub(super) fn corners_of(&self, face: usize) -> &[Corner] {
        let first = self.faces[face].first_corner as usize;
        let end = self.faces.get(face + 1).map_or(self.corners.len(), |next| next.first_corner as usize);
        &self.corners[first..end]
    }
}
