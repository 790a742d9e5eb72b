//! The edges of the triangles, each as one line.

use std::ops::Range;

use crate::render::geometry::Choices;
use smirk_face::head::Head;
use smirk_graphics::blend::VertexPlaces;
use smirk_graphics::gpu::Gpu;

/// The edges of one mesh.
#[derive(Debug)]
pub(crate) struct EdgesOfMesh {
    pub mesh: usize,
    pub is_skinned: bool,
    /// Whether it has targets.
    pub morphs: bool,
    /// Places in the head-wide array, two for each line: a range of the index buffer.
    pub indices: Range<u32>,
}

/// The edges of all meshes that are shown.
#[derive(Debug)]
pub(crate) struct Edges {
    pub indices: wgpu::Buffer,
    pub meshes: Vec<EdgesOfMesh>,
}

impl Edges {
    /// Those of the parts that are chosen.
    pub(super) fn new(gpu: &Gpu, head: &Head, places: &VertexPlaces, choices: Choices<'_>) -> Self {
        let (mut indices, mut meshes) = (Vec::<u32>::new(), Vec::new());
        for (index, mesh) in head.meshes.iter().enumerate() {
            let mut edges = Vec::new();
            for (part_index, part) in mesh.parts.iter().enumerate() {
                let role = choices.roles[head.material_of(index, part_index, choices.variant)];
                if choices.shows(index, role) {
                    edges.extend(mesh.triangles_of(part).as_chunks::<3>().0.iter().flat_map(sides));
                }
            }
            edges.sort_unstable();
            edges.dedup();
            let first = indices.len() as u32;
            indices.extend(edges.iter().flatten().map(|&vertex| places.place_of(index, vertex as usize) as u32));
            let (is_skinned, morphs) = (mesh.skin.is_some(), !mesh.targets.is_empty());
            meshes.push(EdgesOfMesh { mesh: index, is_skinned, morphs, indices: first..indices.len() as u32 });
        }
        meshes.retain(|edges| !edges.indices.is_empty());
        // A buffer is not empty.
        indices.resize(indices.len().max(2), 0);
        let indices = gpu.filled_buffer("edges", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX);
        Self { indices, meshes }
    }
}

/// The edges of a triangle, the lower vertex first.
fn sides(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
}
