//! The vertex buffers and the bind group from which a draw reads the shape of the head.

use smirk_graphics::blend::{Blended, LateBlender, VertexPlaces};

/// The source from which the vertex stage gets the blended shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum VertexSource {
    /// The vertex buffer holds it.
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
    places: &'a VertexPlaces,
}

impl<'a> ShapeBuffers<'a> {
    /// The buffers of the last blend.
    pub(crate) fn of(blender: &'a LateBlender) -> Self {
        let (morph, buffer) = match blender.blended() {
            Blended::Buffer(buffer) => (None, buffer),
            // Meshes without targets are not blended. The buffer holds them in every mode.
            Blended::InShader(group) => (Some(group), blender.buffer()),
        };
        Self { morph, buffer, base: blender.base(), places: blender.places() }
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
        let [positions, normals, tangents] = self.places.section_bytes();
        pass.set_vertex_buffer(0, vertices.slice(positions));
        let directions = if is_recomputed { self.buffer } else { vertices };
        pass.set_vertex_buffer(1, directions.slice(normals));
        if self.places.has_tangents() {
            pass.set_vertex_buffer(4, directions.slice(tangents));
        }
    }
}
