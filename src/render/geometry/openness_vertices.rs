//! The openness of the vertices, in a vertex buffer of its own, because it arrives after the first picture.

use crate::blend::Layout;
use crate::openness::{Openness, VertexOpenness};

/// One element per place of the head-wide array. Vertices without a known openness are fully open.
pub(crate) fn openness_vertices(layout: &Layout, openness: &Openness) -> Vec<VertexOpenness> {
    let mut vertices = vec![VertexOpenness::FULL; layout.place_count()];
    for (mesh, of_mesh) in openness.meshes.iter().enumerate() {
        for (vertex, openness) in of_mesh.iter().enumerate() {
            vertices[layout.place_of(mesh, vertex)] = *openness;
        }
    }
    vertices
}
