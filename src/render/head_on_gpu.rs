//! One head on the GPU: what never changes while it is open, and the blender that changes the rest.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2};

use crate::blend::{Blended, Blender, DeformedBounds, Layout};
use crate::gpu::{Gpu, Trouble};
use crate::head::{Head, Posture, UvSet};

use super::draw_list::DrawList;
use super::draws::{Alpha, Draw};
use super::materials;
use super::mesh_table::MeshTable;
use super::painted::Painted;
use super::pipelines::{Pipelines, Source};
use super::transparency::{Layer, TextureAlphas};

/// Vertex slot 2: what no target moves.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct StaticVertex {
    /// Both sets, one after the other.
    uvs: [[f32; 2]; 2],
    /// Linear RGBA; 16 bits, since 8 linear ones would band in the dark.
    color: [u16; 4],
}

/// A head ready to be drawn. Making one takes a while (textures, pipelines): make it on a worker thread.
#[derive(Debug)]
pub struct HeadOnGpu {
    pub(super) head: Arc<Head>,
    pub(super) blender: Blender,
    pub(super) bounds: DeformedBounds,
    pub(super) pipelines: Pipelines,
    /// Where its nodes are.
    posture: Posture,
    draws: DrawList,
    alphas: TextureAlphas,
    static_vertices: wgpu::Buffer,
    painted: Painted,
    meshes: MeshTable,
    materials: Vec<wgpu::BindGroup>,
}

impl HeadOnGpu {
    /// Uploads `head`, if there is room for it. `layout` is [`Layout::new`] of the same head.
    pub fn new(gpu: &Gpu, head: Arc<Head>, layout: Arc<Layout>) -> Result<Self, Trouble> {
        gpu.attempt(|| Self::upload(gpu, head, layout))
    }

    fn upload(gpu: &Gpu, head: Arc<Head>, layout: Arc<Layout>) -> Self {
        let posture = head.rest.clone();
        let mut alphas = TextureAlphas::default();
        let draws = DrawList::new(gpu, &head, &layout, &posture, None, &mut alphas);
        let vertices = static_vertices(&head, &layout);
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let static_vertices = gpu.filled_buffer("static vertices", bytemuck::cast_slice(&vertices), usage);
        let painted = Painted::new(&head, &layout, vertices);
        let meshes = MeshTable::new(gpu, &head, &layout, &posture);
        let materials = materials::bind_groups(gpu, &head);
        // Last, since it can do with less: without room for deltas the processor blends.
        let blender = Blender::new(gpu, layout.clone()).with_surface(head.clone());
        let pipelines = Pipelines::new(&gpu.device, &blender, &head, &mut alphas);
        Self {
            static_vertices,
            painted,
            materials,
            bounds: DeformedBounds::new(&head, &layout),
            head,
            blender,
            pipelines,
            posture,
            draws,
            alphas,
            meshes,
        }
    }

    /// The head it shows.
    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// Moves nodes, and all that hangs on them, to where a scene has them; what it leaves out, or has nowhere, rests.
    pub(super) fn stand(&mut self, queue: &wgpu::Queue, world_from_nodes: &[Mat4]) {
        let rest = self.head.rest.world_from_node().iter().enumerate();
        let wanted: Vec<Mat4> = rest
            .map(|(node, rest)| world_from_nodes.get(node).filter(|world| world.is_finite()).unwrap_or(rest))
            .copied()
            .collect();
        if wanted == self.posture.world_from_node() {
            return;
        }
        self.posture = Posture::new(&self.head.rig, wanted);
        self.bounds.stand(&self.head, &self.posture);
        self.meshes.pose(queue, &self.head, &self.posture);
        self.draws.recenter(&self.head, &self.posture);
    }

    /// Tells the vertex stage where meshes stand, and whose normals come recomputed.
    pub(super) fn update_meshes(&mut self, queue: &wgpu::Queue) {
        let blender = &self.blender;
        self.meshes.update(queue, &self.head, &self.posture, |mesh| blender.is_recomputed(mesh));
    }

    /// Texture coordinates and colours as targets of these weights change them.
    pub(super) fn repaint(&mut self, queue: &wgpu::Queue, weights: &[f32]) {
        if self.painted.is_any() {
            self.painted.repaint(queue, &self.static_vertices, &self.head, self.blender.layout(), weights);
        }
    }

    /// Puts a variant's materials on, and sorts what is transparent back to front, by where it is at those weights.
    pub(super) fn dress(&mut self, gpu: &Gpu, variant: Option<usize>, eye_in_world: glam::Vec3, weights: &[f32]) {
        if !self.draws.is_for(variant) {
            let layout = self.blender.layout();
            self.draws = DrawList::new(gpu, &self.head, layout, &self.posture, variant, &mut self.alphas);
        }
        self.draws.sort_from(eye_in_world, weights);
    }

    /// Depth as the key light sees it. Only what is opaque casts a shadow: cut-out hair would cast blocks.
    pub(super) fn draw_shadow(&self, pass: &mut wgpu::RenderPass<'_>, shape: Shape<'_>) {
        if !self.draws.bind(pass) {
            return;
        }
        let mut bound = None;
        for draw in self.draws.solid().filter(|draw| draw.surface.alpha == Alpha::Opaque) {
            let (source, is_skinned) = (shape.source_of(draw), draw.surface.skinned);
            if bound != Some((source, is_skinned)) {
                let Some(pipeline) = self.pipelines.shadow(source, is_skinned) else { continue };
                pass.set_pipeline(pipeline);
                shape.bind(source, false, pass);
                bound = Some((source, is_skinned));
            }
            self.meshes.bind(draw, pass);
            pass.draw_indexed(draw.indices.clone(), 0, 0..1);
        }
    }

    /// What hides what is behind it.
    pub(super) fn draw_opaque(&self, pass: &mut wgpu::RenderPass<'_>, shape: Shape<'_>, samples: u32) {
        self.draw_surfaces(pass, shape, samples, self.draws.solid().map(|draw| (draw, Layer::Solid)));
    }

    /// What lets it shine through, in the order of [`Self::dress`].
    pub(super) fn draw_blended(&self, pass: &mut wgpu::RenderPass<'_>, shape: Shape<'_>, samples: u32) {
        self.draw_surfaces(pass, shape, samples, self.draws.blended());
    }

    fn draw_surfaces<'d>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        shape: Shape<'_>,
        samples: u32,
        draws: impl Iterator<Item = (&'d Draw, Layer)>,
    ) {
        if !self.draws.bind(pass) {
            return;
        }
        pass.set_vertex_buffer(2, self.static_vertices.slice(..));
        let mut bound = None;
        for (draw, layer) in draws {
            let (source, is_recomputed) = (shape.source_of(draw), self.blender.is_recomputed(draw.mesh));
            if bound != Some((draw.surface, layer, source, is_recomputed)) {
                let Some(pipeline) = self.pipelines.surface(draw.surface, layer, source, samples) else { continue };
                pass.set_pipeline(pipeline);
                shape.bind(source, is_recomputed, pass);
                bound = Some((draw.surface, layer, source, is_recomputed));
            }
            self.meshes.bind(draw, pass);
            pass.set_bind_group(3, &self.materials[draw.material], &[]);
            pass.draw_indexed(draw.indices.clone(), 0, 0..1);
        }
    }
}

/// The blender's answer, together with the buffers that always hold something drawable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    /// Bind group 1, where the vertex stage sums the targets.
    pub morph: Option<&'a wgpu::BindGroup>,
    /// The shape, or that of what never moves.
    pub buffer: &'a wgpu::Buffer,
    /// The shape at rest.
    pub base: &'a wgpu::Buffer,
    layout: &'a Layout,
}

impl<'a> Shape<'a> {
    /// The shape as the blender left it.
    pub fn of(blender: &'a Blender) -> Self {
        let (morph, buffer) = match blender.blended() {
            Blended::Buffer(buffer) => (None, buffer),
            // Meshes without targets never enter the blend; the buffer holds them whatever the mode.
            Blended::InShader(group) => (Some(group), blender.buffer()),
        };
        Self { morph, buffer, base: blender.base(), layout: blender.layout() }
    }

    fn source_of(&self, draw: &Draw) -> Source {
        if self.morph.is_some() && draw.morphs { Source::Morph } else { Source::Buffer }
    }

    /// Recomputed normals and tangents are in the buffer whoever sums positions.
    fn bind(&self, source: Source, is_recomputed: bool, pass: &mut wgpu::RenderPass<'_>) {
        let vertices = match source {
            Source::Buffer => self.buffer,
            Source::Morph => {
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

/// One entry per place of the head-wide array; padding between meshes stays white.
fn static_vertices(head: &Head, layout: &Layout) -> Vec<StaticVertex> {
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
pub(super) fn static_vertex(uvs: [Vec2; 2], color: [f32; 4]) -> StaticVertex {
    StaticVertex {
        uvs: uvs.map(|uv| uv.to_array()),
        color: color.map(|value| (value.clamp(0.0, 1.0) * f32::from(u16::MAX) + 0.5) as u16),
    }
}
