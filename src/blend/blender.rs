//! One head on one GPU, in all four modes, each ready to take over at the next frame.

use std::sync::Arc;
use std::time::Instant;

use super::active::Active;
use super::cpu::CpuBlend;
use super::gpu::{
    ComputeBlend, InShaderBlend, MorphTables, MultipassBlend, Support, VertexBuffers, find_support, morph_constants,
    sum_bytes,
};
use super::layout::{Layout, Precision};
use super::mode::BlendMode;
use super::normals::{Normals, RecomputeTables, Recomputing};
use super::reference::MorphedVertex;
use crate::gpu::Gpu;
use crate::head::Head;

/// Where the shape is: the one seam between blending and drawing.
#[derive(Clone, Copy, Debug)]
pub enum Blended<'a> {
    /// Vertex slot 0, written.
    Buffer(&'a wgpu::Buffer),
    /// Still to be summed by the vertex stage: bind as group 1, with the base in the slots. Where normals are
    /// [recomputed](Blender::is_recomputed) they are in [`Blender::buffer`] already, to be taken as they are.
    InShader(&'a wgpu::BindGroup),
}

/// What a head's blending takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// How exactly deltas are kept.
    pub precision: Precision,
    /// Bytes of deltas, on the GPU as in memory.
    pub delta_bytes: u64,
    /// Bytes of everything in memory.
    pub cpu_bytes: u64,
    /// Bytes of everything on the GPU.
    pub gpu_bytes: u64,
}

/// Turns weights into shape. Everything is made in [`Blender::new`]; while sliders move, only lists are written.
#[derive(Debug)]
pub struct Blender {
    gpu: Gpu,
    layout: Arc<Layout>,
    active: Active,
    vertices: VertexBuffers,
    cpu: CpuBlend,
    on_gpu: OnGpu,
    recomputing: Recomputing,
    /// The mode the buffers are written for.
    current: Option<BlendMode>,
    did_work: bool,
    cpu_ms: Option<f32>,
}

/// The modes on the GPU, or why there are none. Tables are there if any of them is.
#[derive(Debug)]
struct OnGpu {
    tables: Option<MorphTables>,
    vertex: Result<InShaderBlend, String>,
    compute: Result<ComputeBlend, String>,
    multipass: Result<MultipassBlend, String>,
}

impl OnGpu {
    /// What there is room for: all, or nothing but words.
    fn new(gpu: &Gpu, layout: &Layout, vertices: &VertexBuffers, page_limit: u64) -> Self {
        let support = find_support(&gpu.device.limits(), layout, page_limit);
        let made = gpu.attempt(|| {
            let made = Self::with_support(gpu, layout, vertices, support);
            made.warm_up(gpu);
            made
        });
        made.unwrap_or_else(|error| Self::none(&format!("this head's deltas are not on the adapter: {error}")))
    }

    fn none(reason: &str) -> Self {
        Self {
            tables: None,
            vertex: Err(reason.to_owned()),
            compute: Err(reason.to_owned()),
            multipass: Err(reason.to_owned()),
        }
    }

    fn with_support(gpu: &Gpu, layout: &Layout, vertices: &VertexBuffers, support: Support) -> Self {
        let Support { pages, vertex, compute } = support;
        let tables = pages.map(|pages| MorphTables::new(gpu, layout, pages));
        let with = |reason: Option<String>| match (&tables, reason) {
            (Some(tables), None) => Ok(tables),
            (_, reason) => Err(reason.unwrap_or_default()),
        };
        Self {
            vertex: with(vertex).map(|tables| InShaderBlend::new(gpu, layout, tables)),
            compute: with(compute.clone()).map(|tables| ComputeBlend::new(gpu, layout, vertices, tables)),
            multipass: with(compute).map(|tables| MultipassBlend::new(gpu, layout, vertices, tables)),
            tables,
        }
    }

    /// Before the first blend every run is empty, so this changes nothing but the first switch, which is quick.
    fn warm_up(&self, gpu: &Gpu) {
        let label = Some("warm-up");
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label, timestamp_writes: None });
        if let Ok(compute) = &self.compute {
            compute.warm_up(&mut pass);
        }
        if let Ok(multipass) = &self.multipass {
            multipass.warm_up(&mut pass);
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }
}

impl Blender {
    /// Uploads a head and compiles every mode's pipelines.
    pub fn new(gpu: &Gpu, layout: Arc<Layout>) -> Self {
        Self::with_page_limit(gpu, layout, u64::MAX)
    }

    /// The same as if the adapter could bind no more than `page_limit` bytes of deltas at once.
    pub fn with_page_limit(gpu: &Gpu, layout: Arc<Layout>, page_limit: u64) -> Self {
        let vertices = VertexBuffers::new(gpu, &layout);
        let on_gpu = OnGpu::new(gpu, &layout, &vertices, page_limit);
        Self {
            active: Active::new(&layout),
            cpu: CpuBlend::new(&layout),
            gpu: gpu.clone(),
            layout,
            vertices,
            on_gpu,
            recomputing: Recomputing::default(),
            current: None,
            did_work: false,
            cpu_ms: None,
        }
    }

    /// Gives it the head's surface, to recompute normals from. Without, they are the file's, whatever is asked for.
    pub fn with_surface(mut self, head: Arc<Head>) -> Self {
        self.recomputing = Recomputing::new(&self.gpu, head, &self.layout, &self.vertices, self.on_gpu.compute.is_ok());
        self
    }

    /// Whether the last [`Self::blend`] recomputed a mesh's normals.
    pub fn is_recomputed(&self, mesh: usize) -> bool {
        self.recomputing.is_recomputed(mesh)
    }

    /// Why this head cannot be blended that way on this adapter; none if it can.
    pub fn unavailable(&self, mode: BlendMode) -> Option<&str> {
        let reason = match mode {
            BlendMode::Cpu => None,
            BlendMode::Vertex => self.on_gpu.vertex.as_ref().err(),
            BlendMode::Compute => self.on_gpu.compute.as_ref().err(),
            BlendMode::Multipass => self.on_gpu.multipass.as_ref().err(),
        };
        reason.map(String::as_str)
    }

    /// Brings the shape up to `weights` (one per target; missing, infinite and NaN ones count as 0).
    ///
    /// A mode that is [unavailable](Self::unavailable) is blended on the CPU, and so is one whose normals the GPU has no room
    /// to recompute. Does nothing if all is as before. Otherwise writes lists and uploads through the queue and records what is left for the GPU into `encoder`,
    /// which must be submitted before the next call.
    pub fn blend(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        weights: &[f32],
        mode: BlendMode,
        normals: Normals,
        timestamps: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) -> Blended<'_> {
        (self.did_work, self.cpu_ms) = (false, None);
        let is_another_source = self.recomputing.switch(&self.gpu, &self.layout, &self.vertices, normals);
        let mode = if self.can_blend(mode) { mode } else { BlendMode::Cpu };
        let is_switch = self.current.replace(mode) != Some(mode) || is_another_source;
        if is_another_source {
            // What no delta moves is not written by a blend: it may still be what the source before made of it.
            self.cpu.restore_directions(&self.layout);
            self.vertices.restore_directions(&self.gpu.queue, &self.layout);
        }
        let is_changed = self.active.update(&self.layout, weights);
        if is_switch {
            // Each mode keeps its own account of what is done: whoever takes over starts from scratch.
            self.active.change_all(&self.layout);
        }
        if (is_switch || is_changed)
            && let Some(RecomputeTables { on_cpu, listed, .. }) = self.recomputing.tables()
        {
            // Those around are blended again as well, so that all starts from a fresh blend and nothing accumulates.
            on_cpu.list_after(self.active.changed_blocks(), listed);
            self.active.change_also(listed.blocks());
        }
        if (is_switch || is_changed) && !self.active.changed_blocks().is_empty() {
            self.blend_changed(encoder, mode, timestamps);
        }
        self.blended()
    }

    fn can_blend(&self, mode: BlendMode) -> bool {
        // The vertex stage cannot see the triangles around a vertex: a compute pass recomputes for it.
        let is_helped = mode != BlendMode::Vertex || self.on_gpu.compute.is_ok() || !self.recomputing.is_any();
        self.unavailable(mode).is_none() && is_helped && !self.recomputing.needs_cpu()
    }

    fn blend_changed(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        mode: BlendMode,
        timestamps: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        if mode == BlendMode::Cpu {
            let start = Instant::now();
            self.cpu.evaluate(&self.layout, &self.active);
            let tables = self.recomputing.tables();
            let are_recomputed = tables.is_some();
            if let Some(RecomputeTables { on_cpu, listed, .. }) = tables {
                self.cpu.recompute(&self.layout, on_cpu, listed.blocks());
            }
            self.vertices.upload(&self.gpu.queue, &self.layout, &self.active, &self.cpu, are_recomputed);
            self.cpu_ms = Some(start.elapsed().as_secs_f32() * 1000.0);
            return;
        }
        let OnGpu { tables: Some(tables), compute, multipass, .. } = &mut self.on_gpu else { return };
        tables.write(&self.gpu.queue, &self.layout, &self.active, mode);
        let recomputing = self.recomputing.tables();
        if mode == BlendMode::Vertex && recomputing.is_none() {
            return;
        }
        // In vertex mode this pass only makes normals, and is no time of the blend's.
        let timestamp_writes = timestamps.filter(|_| mode != BlendMode::Vertex);
        let mut pass =
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("blend"), timestamp_writes });
        match (mode, compute, multipass) {
            (BlendMode::Compute | BlendMode::Vertex, Ok(compute), _) => compute.record(&self.gpu, &mut pass, tables),
            (BlendMode::Multipass, _, Ok(multipass)) => {
                multipass.record(&self.gpu, &mut pass, tables, self.active.longest_list());
            }
            _ => {}
        }
        if let Some(RecomputeTables { on_gpu: Some(on_gpu), listed, .. }) = recomputing {
            on_gpu.record(&self.gpu, &mut pass, listed);
        }
        self.did_work = mode != BlendMode::Vertex;
    }

    /// Where the shape is after the last [`Self::blend`].
    pub fn blended(&self) -> Blended<'_> {
        match (&self.on_gpu.vertex, self.current) {
            (Ok(vertex), Some(BlendMode::Vertex)) => Blended::InShader(vertex.group()),
            _ => Blended::Buffer(&self.vertices.output),
        }
    }

    /// Whether the last [`Self::blend`] recorded a compute pass: only then are its timestamps written.
    pub fn did_work(&self) -> bool {
        self.did_work
    }

    /// How long the last [`Self::blend`] took on the CPU, upload included, in milliseconds; none if it did nothing there.
    pub fn cpu_ms(&self) -> Option<f32> {
        self.cpu_ms
    }

    /// The vertices as the last blend into a buffer left them, in sections as [`Layout::base`] has them: at rest at first, and
    /// always for meshes without targets.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.vertices.output
    }

    /// The vertices at rest, likewise: what vertex mode starts from.
    pub fn base(&self) -> &wgpu::Buffer {
        &self.vertices.base
    }

    /// Group 1 of a vertex-mode pipeline; none where that mode is unavailable.
    pub fn vertex_bind_group_layout(&self) -> Option<&wgpu::BindGroupLayout> {
        self.on_gpu.vertex.as_ref().ok().map(InShaderBlend::layout)
    }

    /// `morphed_vertex` and its bindings in group 1, to stand before the text of a mesh shader; none where vertex mode is
    /// unavailable.
    pub fn vertex_shader_source(&self) -> Option<String> {
        self.on_gpu.vertex.as_ref().ok().map(InShaderBlend::source)
    }

    /// Values of the `override`s in [`Self::vertex_shader_source`].
    pub fn constants(&self) -> Vec<(&'static str, f64)> {
        morph_constants(&self.layout)
    }

    /// What this head's blending takes.
    pub fn memory(&self) -> Memory {
        let layout = &self.layout;
        let tables = self.on_gpu.tables.as_ref().map_or(0, MorphTables::bytes);
        // One of what rests, two that the passes write by turns.
        let sums = u64::from(self.on_gpu.compute.is_ok()) + 2 * u64::from(self.on_gpu.multipass.is_ok());
        Memory {
            precision: layout.deltas().precision(),
            delta_bytes: layout.deltas().bytes(),
            cpu_bytes: layout.bytes() + self.cpu.bytes() + self.recomputing.bytes(),
            gpu_bytes: self.vertices.bytes() + tables + sums * sum_bytes(layout) + self.recomputing.gpu_bytes(),
        }
    }

    /// How the head lies in memory.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Blends, waits, and reads every vertex of the head back, mesh after mesh, without padding.
    ///
    /// Vertex mode is drawn as points through the same WGSL function that draws the head.
    pub fn read_back(&mut self, gpu: &Gpu, weights: &[f32], mode: BlendMode, normals: Normals) -> Vec<MorphedVertex> {
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("blend to read back") });
        self.blend(&mut encoder, weights, mode, normals, None);
        gpu.queue.submit([encoder.finish()]);
        let in_shader = match (&self.on_gpu.vertex, self.current) {
            (Ok(vertex), Some(BlendMode::Vertex)) => vertex.read_back(gpu, &self.layout, &self.vertices.base),
            _ => return self.output_vertices(gpu),
        };
        if self.recomputing.tables().is_none() {
            return in_shader;
        }
        // The stage takes recomputed directions as they are.
        let written = self.output_vertices(gpu);
        let rows = self.layout.mesh_of_vertices().zip(in_shader).zip(written);
        rows.map(|((mesh, in_shader), written)| {
            if self.is_recomputed(mesh) { MorphedVertex { position: in_shader.position, ..written } } else { in_shader }
        })
        .collect()
    }

    /// The vertices of the file as the last blend into a buffer left them.
    fn output_vertices(&self, gpu: &Gpu) -> Vec<MorphedVertex> {
        let bytes = gpu.read_buffer(&self.vertices.output);
        self.layout.vertices_of(&bytemuck::pod_collect_to_vec::<u8, f32>(&bytes))
    }
}
