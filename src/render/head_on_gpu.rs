//! One head on the GPU: what never changes while it is open, and the blender that changes the rest.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::blend::{Blended, Blender, DeformedBounds, Layout};
use crate::gpu::Gpu;
use crate::head::{Head, Mesh, UvSet};

use super::draws::{self, Alpha, Draw};
use super::materials;
use super::mesh_table::MeshTable;
use super::pipelines::{Pipelines, Source};
use super::transparency::Layer;

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
    draws: Vec<Draw>,
    static_vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    meshes: MeshTable,
    materials: Vec<wgpu::BindGroup>,
    /// The blended draws back to front, and how far away each is (squared); kept between frames so that none is
    /// allocated.
    sorted: Vec<(usize, f32)>,
}

impl HeadOnGpu {
    /// Uploads `head`. `layout` is [`Layout::new`] of the same head.
    pub fn new(gpu: &Gpu, head: Arc<Head>, layout: Arc<Layout>) -> Self {
        let blender = Blender::new(gpu, layout.clone()).with_surface(head.clone());
        let (indices, draws) = draws::indices_and_draws(&head, |mesh, vertex| layout.place_of(mesh, vertex) as u32);
        let pipelines = Pipelines::new(&gpu.device, &blender, &draws);
        let buffer = |label, contents, usage| {
            gpu.device.create_buffer_init(&BufferInitDescriptor { label: Some(label), contents, usage })
        };
        let vertices = static_vertices(&head, &layout);
        let meshes = MeshTable::new(gpu, &head);
        Self {
            static_vertices: buffer("static vertices", bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX),
            indices: buffer("indices", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            materials: materials::bind_groups(gpu, &head),
            bounds: DeformedBounds::new(&head, &layout),
            sorted: (0..draws.len())
                .filter(|&index| draws[index].surface.alpha == Alpha::Blended)
                .map(|index| (index, 0.0))
                .collect(),
            head,
            blender,
            pipelines,
            draws,
            meshes,
        }
    }

    /// The head it shows.
    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// Tells the vertex stage whose normals come recomputed.
    pub(super) fn note_recomputed(&mut self, queue: &wgpu::Queue) {
        let blender = &self.blender;
        self.meshes.note_recomputed(queue, &self.head, |mesh| blender.is_recomputed(mesh));
    }

    /// Sorts what is transparent back to front, by where it is at those weights.
    pub(super) fn sort_from(&mut self, eye_in_world: glam::Vec3, weights: &[f32]) {
        for (index, distance) in &mut self.sorted {
            let draw = &self.draws[*index];
            let center = self.head.meshes[draw.mesh].world_from_mesh.transform_point3(draw.center.under(weights));
            *distance = center.distance_squared(eye_in_world);
        }
        self.sorted.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    }

    /// Depth as the key light sees it. Only what is opaque casts a shadow: cut-out hair would cast blocks.
    pub(super) fn draw_shadow(&self, pass: &mut wgpu::RenderPass<'_>, shape: Shape<'_>) {
        if self.draws.is_empty() {
            return;
        }
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        let mut bound = None;
        for draw in self.draws.iter().filter(|draw| draw.surface.alpha == Alpha::Opaque) {
            let source = shape.source_of(draw);
            if bound != Some(source) {
                pass.set_pipeline(self.pipelines.shadow(source));
                shape.bind(source, false, pass);
                bound = Some(source);
            }
            self.meshes.bind(draw.mesh, pass);
            pass.draw_indexed(draw.indices.clone(), 0, 0..1);
        }
    }

    /// What hides what is behind it.
    pub(super) fn draw_opaque(&self, pass: &mut wgpu::RenderPass<'_>, shape: Shape<'_>, samples: u32) {
        let solid = self.draws.iter().filter(|draw| draw.surface.alpha != Alpha::Blended);
        self.draw_surfaces(pass, shape, samples, solid.map(|draw| (draw, Layer::Solid)));
    }

    /// What lets it shine through, in the order of [`Self::sort_from`].
    pub(super) fn draw_blended(&self, pass: &mut wgpu::RenderPass<'_>, shape: Shape<'_>, samples: u32) {
        let sorted = || self.sorted.iter().map(|&(index, _)| &self.draws[index]);
        let has = |draw: &&Draw, layer| draw.layers.contains(&layer);
        let cores = sorted().filter(|draw| has(draw, Layer::Core)).map(|draw| (draw, Layer::Core));
        self.draw_surfaces(pass, shape, samples, cores);
        let thin = sorted().flat_map(|draw| [(draw, Layer::Back), (draw, Layer::Front)]);
        self.draw_surfaces(pass, shape, samples, thin.filter(|(draw, layer)| has(draw, *layer)));
    }

    fn draw_surfaces<'d>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        shape: Shape<'_>,
        samples: u32,
        draws: impl Iterator<Item = (&'d Draw, Layer)>,
    ) {
        if self.draws.is_empty() {
            return;
        }
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
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
            self.meshes.bind(draw.mesh, pass);
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
            vertices[layout.place_of(index, vertex)] = static_vertex(mesh, vertex);
        }
    }
    vertices
}

fn static_vertex(mesh: &Mesh, vertex: usize) -> StaticVertex {
    let uv = |set| mesh.vertices.uv_set(set).get(vertex).copied().unwrap_or_default().to_array();
    let color = mesh.vertices.colors.get(vertex).copied().unwrap_or([1.0; 4]);
    let uvs = [uv(UvSet::First), uv(UvSet::Second)];
    StaticVertex { uvs, color: color.map(|value| (value.clamp(0.0, 1.0) * f32::from(u16::MAX) + 0.5) as u16) }
}
