//! The part of a vertex that blending never writes: texture coordinates, colour, and the position at rest.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::draws::position_mm;
use crate::ambient_occlusion::{AmbientOcclusion, VertexOcclusion};
use crate::render::surface::places_on_cards;
use smirk_face::head::{Head, UvSet};
use smirk_graphics::blend::{Blended, LateBlender, VertexOrder};

/// The vertices that are written as one parallel task.
const VERTICES_AT_ONCE: usize = 4096;

/// An element of vertex buffer 2.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct StaticVertex {
    /// The first and the second set of texture coordinates. Lash cards have no second set; it holds the place on the
    /// card.
    uvs: [[f32; 2]; 2],
    /// Linear RGBA, with 16 bits per channel, because 8 would show bands in dark colours.
    color: [u16; 4],
    /// The position in the world at rest, in millimetres of a head of human size.
    at_rest_mm: [f32; 3],
}

/// One vertex per place of the head-wide array; the padding between meshes is white. `mm_per_unit` is the size of a
/// human head.
pub(crate) fn static_vertices(head: &Head, order: &VertexOrder, mm_per_unit: f32) -> Vec<StaticVertex> {
    let blank = StaticVertex { uvs: [[0.0; 2]; 2], color: [u16::MAX; 4], at_rest_mm: [0.0; 3] };
    let mut vertices = vec![blank; order.place_count()];
    for (index, mesh) in head.meshes.iter().enumerate() {
        let (first_place, in_order) = order.vertices_in_order(index);
        let written = vertices[first_place..].par_iter_mut().zip(in_order).with_min_len(VERTICES_AT_ONCE);
        written.for_each(|(place, &vertex)| {
            let vertex = vertex as usize;
            let uvs = [UvSet::First, UvSet::Second]
                .map(|set| mesh.vertices.uv_set(set).get(vertex).copied().unwrap_or_default());
            let color = mesh.vertices.colors.get(vertex).copied().unwrap_or([1.0; 4]);
            *place = StaticVertex::new(uvs, color, position_mm(head, mesh, vertex, mm_per_unit));
        });
    }
    for on_card in places_on_cards(head, mm_per_unit) {
        vertices[order.place_of(on_card.mesh, on_card.vertex)].uvs[1] = on_card.place;
    }
    vertices
}

impl StaticVertex {
    fn new(uvs: [Vec2; 2], color: [f32; 4], at_rest_mm: Vec3) -> Self {
        let uvs = uvs.map(|uv| uv.to_array());
        Self { uvs, color: color.map(unorm), at_rest_mm: at_rest_mm.to_array() }
    }

    /// Replaces texture coordinates and linear colour.
    pub(super) fn set(&mut self, uvs: [Vec2; 2], color: [f32; 4]) {
        (self.uvs, self.color) = (uvs.map(|uv| uv.to_array()), color.map(unorm));
    }
}

fn unorm(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * f32::from(u16::MAX) + 0.5) as u16
}

/// One element per place of the head-wide array. Where it is not known, nothing blocks the light.
pub(crate) fn ambient_occlusion_vertices(
    order: &VertexOrder,
    ambient_occlusion: &AmbientOcclusion,
) -> Vec<VertexOcclusion> {
    let mut vertices = vec![VertexOcclusion::NONE; order.place_count()];
    for (mesh, of_mesh) in ambient_occlusion.meshes.iter().enumerate() {
        for (vertex, ambient_occlusion) in of_mesh.iter().enumerate() {
            vertices[order.place_of(mesh, vertex)] = *ambient_occlusion;
        }
    }
    vertices
}

/// The vertices of a head whose texture coordinates or colours are changed by targets. Most heads have none.
#[derive(Debug)]
pub(crate) struct MorphedUvColors {
    /// A copy of the head's static vertices on the GPU; empty if no target changes them.
    vertices: Vec<StaticVertex>,
    meshes: Vec<MorphedMesh>,
}

#[derive(Debug)]
struct MorphedMesh {
    /// Index into [`Asset::meshes`](smirk_face::head::Asset::meshes).
    mesh: usize,
    rows: Vec<u32>,
    /// The range of places that contains these vertices: the part of the buffer that is written.
    places: Range<usize>,
    /// The weights last written, one per target of the mesh.
    weights: Vec<f32>,
}

impl MorphedUvColors {
    /// Finds the changing vertices of a head. `vertices` are its static vertices when all weights are 0.
    pub(crate) fn new(head: &Head, order: &VertexOrder, vertices: Vec<StaticVertex>) -> Self {
        let meshes: Vec<MorphedMesh> = (head.meshes.iter().enumerate())
            .filter_map(|(index, mesh)| {
                let rows = mesh.uv_color_rows();
                let moved = rows.iter().map(|&row| order.place_of(index, row as usize));
                let (first, last) = (moved.clone().min()?, moved.max()?);
                Some(MorphedMesh { mesh: index, rows, places: first..last + 1, weights: vec![0.0; mesh.targets.len()] })
            })
            .collect();
        Self { vertices: if meshes.is_empty() { Vec::new() } else { vertices }, meshes }
    }

    /// Whether any target changes a vertex.
    pub(crate) fn is_any(&self) -> bool {
        !self.meshes.is_empty()
    }

    /// Writes the changed vertices to `buffer` if a weight has changed. `weights` has one element per target of the
    /// head.
    pub(crate) fn update(
        &mut self,
        queue: &wgpu::Queue,
        buffer: &wgpu::Buffer,
        head: &Head,
        order: &VertexOrder,
        weights: &[f32],
    ) {
        for morphed in &mut self.meshes {
            let mesh = &head.meshes[morphed.mesh];
            let Some(now) = weights.get(mesh.first_target..mesh.first_target + mesh.targets.len()) else { continue };
            let has_deltas = mesh.targets.iter().map(|target| !target.uv_color_deltas.rows.is_empty());
            let mut pairs = now.iter().zip(&morphed.weights).zip(has_deltas);
            if !pairs.any(|((now, then), has_deltas)| has_deltas && now.to_bits() != then.to_bits()) {
                continue;
            }
            morphed.weights.copy_from_slice(now);
            for (&row, (uvs, color)) in morphed.rows.iter().zip(mesh.uvs_and_colors(&morphed.rows, now)) {
                let place = order.place_of(morphed.mesh, row as usize);
                self.vertices[place].set(uvs, color.to_array());
            }
            let offset = morphed.places.start * size_of::<StaticVertex>();
            queue.write_buffer(buffer, offset as u64, bytemuck::cast_slice(&self.vertices[morphed.places.clone()]));
        }
    }
}

/// The source from which the vertex stage gets the blended shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum VertexSource {
    Buffer,
    /// The blender's WGSL in the vertex stage sums the targets, which are in bind group 1.
    MorphShader,
}

/// The buffers and the bind group that hold the shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeBuffers<'a> {
    /// Bind group 1, if the vertex stage sums the targets.
    pub morph: Option<&'a wgpu::BindGroup>,
    /// The blended shape; in vertex mode that of the meshes without targets only.
    pub buffer: &'a wgpu::Buffer,
    /// The shape at rest.
    pub base: &'a wgpu::Buffer,
    order: &'a VertexOrder,
}

impl<'a> ShapeBuffers<'a> {
    pub(crate) fn new(blender: &'a LateBlender) -> Self {
        let (morph, buffer) = match blender.blended() {
            Blended::Buffer(buffer) => (None, buffer),
            // Meshes without targets are not blended. The buffer holds them in every mode.
            Blended::InShader(group) => (Some(group), blender.buffer()),
        };
        Self { morph, buffer, base: blender.base(), order: blender.vertex_order() }
    }

    /// The source of the shape of a mesh; `morphs` is true if it has targets.
    pub(crate) fn source_of(&self, morphs: bool) -> VertexSource {
        if self.morph.is_some() && morphs { VertexSource::MorphShader } else { VertexSource::Buffer }
    }

    /// Binds the vertex buffers. Recomputed normals and tangents are in the blended buffer, whichever source the
    /// positions have.
    pub(crate) fn bind(&self, source: VertexSource, is_recomputed: bool, pass: &mut wgpu::RenderPass<'_>) {
        let vertices = match source {
            VertexSource::Buffer => self.buffer,
            VertexSource::MorphShader => {
                pass.set_bind_group(1, self.morph, &[]);
                self.base
            }
        };
        let [positions, normals, tangents] = self.order.section_bytes();
        pass.set_vertex_buffer(0, vertices.slice(positions));
        let directions = if is_recomputed { self.buffer } else { vertices };
        pass.set_vertex_buffer(1, directions.slice(normals));
        if self.order.has_tangents() {
            pass.set_vertex_buffer(4, directions.slice(tangents));
        }
    }
}
