//! The vertices that primitives of a mesh share: which attributes the file has for them, and the targets that move
//! them.

use gltf::json;

use crate::import::gltf::read::UvColorTarget;
use crate::import::gltf::surface::UvSets;
use smirk_face::head::{Notes, Subject, TextureRef, UvSet};

/// Consecutive vertices of a mesh that one or more primitives share.
pub(super) struct VertexRange<'a> {
    pub first: usize,
    pub count: usize,
    /// The file has normals for them. Without those, deltas of normals mean nothing.
    pub has_normals: bool,
    pub has_tangents: bool,
    /// The file has texture coordinates for them, by [`UvSet`].
    pub has_uvs: [bool; 2],
    /// How the first of its primitives with a normal map reads it.
    pub normal_map: Option<TextureRef>,
    pub has_colors: bool,
    pub uv_sets: UvSets,
    /// Per target, its deltas of texture coordinates and colours; empty if no target has any.
    pub uv_color_targets: &'a [UvColorTarget],
    /// Per target, its deltas of positions, normals and tangents.
    pub targets: &'a [json::mesh::MorphTarget],
    /// The primitive the vertices were read from, for notes.
    pub subject: Subject,
}

impl VertexRange<'_> {
    /// Whether the file has a set of texture coordinates for these vertices.
    pub(super) fn has_uv_set(&self, set: UvSet) -> bool {
        self.has_uvs[set as usize]
    }

    /// The normal map to generate tangents for: there is one, the file has no tangents, and it has what they follow
    /// from.
    pub(super) fn needs_tangents_for(&self) -> Option<TextureRef> {
        self.normal_map.filter(|map| self.has_normals && self.has_uv_set(map.uv_set) && !self.has_tangents)
    }

    /// Notes deltas of normals and tangents that have no base to be added to.
    pub(super) fn note_deltas_without_base(&self, notes: &mut Notes) {
        let has_normal_deltas = self.targets.iter().any(|target| target.normals.is_some());
        let has_tangent_deltas = self.targets.iter().any(|target| target.tangents.is_some());
        for (lacks_base, attribute) in
            [(has_normal_deltas && !self.has_normals, "NORMAL"), (has_tangent_deltas && !self.has_tangents, "TANGENT")]
        {
            if lacks_base {
                notes.inform(&self.subject, format!("its targets change {attribute}, which it does not have; ignored"));
            }
        }
    }
}
