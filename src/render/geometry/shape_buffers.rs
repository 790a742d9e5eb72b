//! The vertex buffers and the bind group that a draw reads the head's shape from.

use crate::blend::{Blended, Blender, Layout};

use super::draws::DrawCall;

/// Where the vertex stage gets the blended shape from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VertexSource {
    /// From the vertex buffer.
    Buffer,
    /// From the blender's own vertex shader, which sums the targets (bind group 1).
    MorphShader,
}

/// The buffers and the bind group that hold the shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeBuffers<'a> {
    /// Bind group 1, where the vertex stage sums the targets.
    pub morph: Option<&'a wgpu::BindGroup>,
    /// The blended shape; in vertex mode that of the meshes without targets only.
    pub buffer: &'a wgpu::Buffer,
    /// The shape at rest.
    pub base: &'a wgpu::Buffer,
    layout: &'a Layout,
}

impl<'a> ShapeBuffers<'a> {
    /// The shape as the blender left it.
    pub(crate) fn of(blender: &'a Blender) -> Self {
        let (morph, buffer) = match blender.blended() {
            Blended::Buffer(buffer) => (None, buffer),
            // Meshes without targets never enter the blend; the buffer holds them whatever the mode.
            Blended::InShader(group) => (Some(group), blender.buffer()),
        };
        Self { morph, buffer, base: blender.base(), layout: blender.layout() }
    }

    /// Where a draw's vertices get their shape from.
    pub(crate) fn source_of(&self, draw: &DrawCall) -> VertexSource {
        if self.morph.is_some() && draw.morphs { VertexSource::MorphShader } else { VertexSource::Buffer }
    }

    /// Binds the vertex buffers. Recomputed normals and tangents are in the blended buffer whatever sums the positions.
    pub(crate) fn bind(&self, source: VertexSource, is_recomputed: bool, pass: &mut wgpu::RenderPass<'_>) {
        let vertices = match source {
            VertexSource::Buffer => self.buffer,
            VertexSource::MorphShader => {
                pass.set_bind_group(1, self.morph, &[]);
                self.base
            }
        };
        let [positions, normals, tangents] = self.layout.section_bytes();
        pass.set_vertex_buffer(0, vertices.slice(positions));
        let directions = if is_recomputed { self.buffer } else { vertices };
        pass.set_vertex_buffer(1, directions.slice(normals));
        if self.layout.has_tangents() {
            pass.set_vertex_buffer(3, directions.slice(tangents));
        }
    }
}
