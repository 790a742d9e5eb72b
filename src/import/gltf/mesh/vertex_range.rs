//! The vertices of a mesh that primitives share: what of them the file brings, and what it lacks.

use gltf::json;

use super::uv_color_deltas::PaintTarget;
use crate::head::{Note, TextureRef, UvSet};
use crate::import::gltf::surface::UvSets;

/// Vertices of a mesh that one or more primitives share, and the targets that move them.
pub struct Range<'a> {
    /// First vertex in the mesh.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// Has base normals; without them, normal deltas mean nothing.
    pub has_normals: bool,
    /// Has base tangents.
    pub has_tangents: bool,
    /// Which sets of texture coordinates it has, by place.
    pub has_uvs: [bool; 2],
    /// How the first of its primitives with a normal map reads it.
    pub normal_map: Option<TextureRef>,
    /// Has colours.
    pub has_colors: bool,
    /// The numbers of the TEXCOORDs kept.
    pub uv_sets: UvSets,
    /// What its targets change beside the shape, in the file's order; empty if nothing.
    pub paint: &'a [PaintTarget],
    /// In the file's order.
    pub targets: &'a [json::mesh::MorphTarget],
    /// What the range is, for notes.
    pub object: String,
}

impl Range<'_> {
    /// Whether it has a set of texture coordinates.
    pub fn has_uv_set(&self, set: UvSet) -> bool {
        self.has_uvs[set as usize]
    }

    /// The normal map that its tangents must be made for: nobody brings them, and there is what they follow from.
    pub fn wants_tangents(&self) -> Option<TextureRef> {
        self.normal_map.filter(|map| self.has_normals && self.has_uv_set(map.uv_set) && !self.has_tangents)
    }
}

/// Says once per range what of its shape its targets change in vain.
pub fn note_baseless(range: &Range<'_>, notes: &mut Vec<Note>) {
    let turns_normals = range.targets.iter().any(|target| target.normals.is_some());
    let turns_tangents = range.targets.iter().any(|target| target.tangents.is_some());
    for (is_baseless, attribute) in
        [(turns_normals && !range.has_normals, "NORMAL"), (turns_tangents && !range.has_tangents, "TANGENT")]
    {
        if is_baseless {
            let message = format!("its targets change {attribute}, which it does not have; ignored");
            notes.push(Note::info(&*range.object, message));
        }
    }
}
