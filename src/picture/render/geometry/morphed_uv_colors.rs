//! Targets that change texture coordinates or colours. The vertices that they change are written only when a weight changes.

use std::ops::Range;

use smirk_face::head::Head;
use smirk_graphics::blend::VertexPlaces;

use super::static_vertices::StaticVertex;

/// The vertices of a head whose texture coordinates or colours are changed by targets. Most heads have none.
#[derive(Debug)]
pub(crate) struct MorphedUvColors {
    /// A copy of the head's static vertices on the GPU; empty if no target changes them.
    vertices: Vec<StaticVertex>,
    meshes: Vec<MorphedMesh>,
}

/// A mesh with such targets.
#[derive(Debug)]
struct MorphedMesh {
    /// Index into [`Head::meshes`].
    mesh: usize,
    /// The vertices that change.
    rows: Vec<u32>,
    /// The range of places that contains these vertices: the part of the buffer that is written.
    places: Range<usize>,
    /// The weights last written, one per target of the mesh.
    weights: Vec<f32>,
}

impl MorphedUvColors {
    /// Finds the changing vertices of a head. `vertices` are its static vertices when all weights are 0.
    pub(crate) fn new(head: &Head, places: &VertexPlaces, vertices: Vec<StaticVertex>) -> Self {
        let of_mesh = |(index, mesh): (usize, &smirk_face::head::Mesh)| {
            let rows = mesh.uv_color_rows();
            let moved = rows.iter().map(|&row| places.place_of(index, row as usize));
            let (first, last) = (moved.clone().min()?, moved.max()?);
            Some(MorphedMesh { mesh: index, rows, places: first..last + 1, weights: vec![0.0; mesh.targets.len()] })
        };
        let meshes: Vec<MorphedMesh> = head.meshes.iter().enumerate().filter_map(of_mesh).collect();
        Self { vertices: if meshes.is_empty() { Vec::new() } else { vertices }, meshes }
    }

    /// Whether any target changes a vertex.
    pub(crate) fn is_any(&self) -> bool {
        !self.meshes.is_empty()
    }

    /// Writes the changed vertices to `buffer` if a weight has changed. `weights` has one element per target of the head.
    pub(crate) fn update(
        &mut self,
        queue: &wgpu::Queue,
        buffer: &wgpu::Buffer,
        head: &Head,
        places: &VertexPlaces,
        weights: &[f32],
    ) {
        for morphed in &mut self.meshes {
            let mesh = &head.meshes[morphed.mesh];
            let Some(now) = weights.get(mesh.first_target..mesh.first_target + mesh.targets.len()) else { continue };
            let has_deltas = mesh.targets.iter().map(|target| !target.uv_color_deltas.rows.is_empty());
            let differs =
                |((now, then), has_deltas): ((&f32, &f32), bool)| has_deltas && now.to_bits() != then.to_bits();
            if !now.iter().zip(&morphed.weights).zip(has_deltas).any(differs) {
                continue;
            }
            morphed.weights.copy_from_slice(now);
            for (&row, (uvs, color)) in morphed.rows.iter().zip(mesh.uvs_and_colors(&morphed.rows, now)) {
                let place = places.place_of(morphed.mesh, row as usize);
                self.vertices[place].set(uvs, color.to_array());
            }
            let offset = morphed.places.start * size_of::<StaticVertex>();
            queue.write_buffer(buffer, offset as u64, bytemuck::cast_slice(&self.vertices[morphed.places.clone()]));
        }
    }
}
