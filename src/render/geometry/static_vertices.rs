//! The part of a vertex that blending never writes: texture coordinates and colour.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use crate::blend::Layout;
use crate::head::{Head, UvSet};

/// An element of vertex buffer 2.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct StaticVertex {
    /// The first and the second set of texture coordinates.
    uvs: [[f32; 2]; 2],
    /// Linear RGBA, with 16 bits per channel, because 8 would show bands in dark colours.
    color: [u16; 4],
}

/// One vertex per place of the head-wide array; the padding between meshes is white.
pub(crate) fn static_vertices(head: &Head, layout: &Layout) -> Vec<StaticVertex> {
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

/// A vertex with these texture coordinates and this linear colour.
pub(super) fn static_vertex(uvs: [Vec2; 2], color: [f32; 4]) -> StaticVertex {
    StaticVertex {
        uvs: uvs.map(|uv| uv.to_array()),
        color: color.map(|value| (value.clamp(0.0, 1.0) * f32::from(u16::MAX) + 0.5) as u16),
    }
}
