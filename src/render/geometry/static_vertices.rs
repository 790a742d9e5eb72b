//! What no target moves of a vertex: texture coordinates and colour.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use crate::blend::Layout;
use crate::head::{Head, UvSet};

/// Vertex slot 2: what no target moves.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct StaticVertex {
    /// Both sets, one after the other.
    uvs: [[f32; 2]; 2],
    /// Linear RGBA; 16 bits, since 8 linear ones would band in the dark.
    color: [u16; 4],
}

/// One entry per place of the head-wide array; padding between meshes stays white.
pub fn static_vertices(head: &Head, layout: &Layout) -> Vec<StaticVertex> {
    let blank = StaticVertex { uvs: [[0.0; 2]; 2], color: [u16::MAX; 4] };
    let mut vertices = vec![blank; layout.place_count()];
    for (index, mesh) in head.meshes.iter().enumerate() {
        for vertex in 0..mesh.vertices.len() {
            let uv = |set| mesh.vertices.uv_set(set).get(vertex).copied().unwrap_or_default();
            let color = mesh.vertices.colors.get(vertex).copied().unwrap_or([1.0; 4]);
            vertices[layout.place_of(index, vertex)] = static_vertex([uv(UvSet::First), uv(UvSet::Second)], color);
        }
    }
    vertices
}

/// A vertex as the shaders read it.
pub fn static_vertex(uvs: [Vec2; 2], color: [f32; 4]) -> StaticVertex {
    StaticVertex {
        uvs: uvs.map(|uv| uv.to_array()),
        color: color.map(|value| (value.clamp(0.0, 1.0) * f32::from(u16::MAX) + 0.5) as u16),
    }
}
