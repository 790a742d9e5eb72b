//! The openness of the vertices, in a vertex buffer of its own, because it arrives after the first picture.

use crate::openness::{Openness, VertexOpenness};
use smirk_graphics::blend::VertexPlaces;

/// One element per place of the head-wide array. Vertices without a known openness are fully open.
pub(crate) fn openness_vertices(places: &VertexPlaces, openness: &Openness) -> Vec<VertexOpenness> {
    let mut vertices = vec![VertexOpenness::FULL; places.place_count()];
    for (mesh, of_mesh) in openness.meshes.iter().enumerate() {
        for (vertex, openness) in of_mesh.iter().enumerate() {
            vertices[places.place_of(mesh, vertex)] = *openness;
        }
    }
    vertices
}
