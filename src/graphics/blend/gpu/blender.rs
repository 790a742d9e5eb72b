//! One head on one GPU, with every blend mode ready, so that the mode can change from one frame to the next.

use std::sync::Arc;
use std::time::Instant;

use super::normal_recompute::{NormalRecompute, RecomputeTables};
use super::on_gpu::{BlendPipelines, OnGpu};
use super::{InShaderBlend, MorphTables, Unavailable, VertexBuffers, morph_constants, sum_bytes};
use crate::blend::MorphedVertex;
use crate::blend::active::ActiveTargets;
use crate::blend::cpu::CpuBlend;
use crate::blend::layout::{Layout, Precision};
use crate::blend::normals::NormalTables;
use crate::gpu::{DeviceError, Gpu};
use smirk_face::head::Head;
use smirk_scene::{BlendMode, Normals};

/// Where the blended vertices are. Drawing depends on nothing else of the blend.
#[derive(Clone, Copy, Debug)]
pub enum Blended<'a> {
    Buffer(&'a wgpu::Buffer),
    /// The vertex stage sums the targets: bind this as group 1, and [`Blender::base`] as the vertex buffer. Normals
    /// that are [recomputed](Blender::is_recomputed) are read from [`Blender::buffer`].
    InShader(&'a wgpu::BindGroup),
}

/// The memory that blending a head takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    pub precision: Precision,
    /// There is one copy of the deltas in main memory and one on the GPU.
    pub delta_bytes: u64,
    pub cpu_bytes: u64,
    pub gpu_bytes: u64,
}

/// Blends a head. All buffers and pipelines are created in [`Blender::new`]; while sliders move, only lists are
/// written.
#[derive(Debug)]
pub struct Blender {
    gpu: Gpu,
    layout: Arc<Layout>,
    active: ActiveTargets,
    vertices: VertexBuffers,
    cpu: CpuBlend,
    on_gpu: OnGpu,
    recomputing: NormalRecompute,
    current: Option<BlendMode>,
    did_work: bool,
    cpu_ms: Option<f32>,
}

impl Blender {
    /// Uploads a head and compiles every mode's pipelines.
    pub fn new(gpu: &Gpu, layout: Arc<Layout>) -> Self {
        Self::with_page_limit(gpu, layout, u64::MAX)
    }

    /// Like [`Self::new`], with at most `page_limit` bytes of deltas in one binding, even if the adapter allows more.
    pub fn with_page_limit(gpu: &Gpu, layout: Arc<Layout>, page_limit: u64) -> Self {
        let pipelines = BlendPipelines::with_page_limit(gpu, &layout, page_limit);
        let vertices = VertexBuffers::new(gpu, &layout.order);
        Self::with_pipelines(gpu, layout, vertices, pipelines)
    }

    /// Like [`Self::new`], with the vertices at rest, which are uploaded already, and the pipelines for the same head.
    pub(in crate::blend) fn with_pipelines(
        gpu: &Gpu,
        layout: Arc<Layout>,
        vertices: VertexBuffers,
        pipelines: BlendPipelines,
    ) -> Self {
        let on_gpu = OnGpu::new(gpu, &layout, &vertices, pipelines);
        Self {
            active: ActiveTargets::new(&layout),
            cpu: CpuBlend::new(&layout),
            gpu: gpu.clone(),
            layout,
            vertices,
            on_gpu,
            recomputing: NormalRecompute::default(),
            current: None,
            did_work: false,
            cpu_ms: None,
        }
    }

    /// Adds the head's triangles, from which normals are recomputed. Without them normals are always those of the file.
    pub fn with_surface(self, head: Arc<Head>) -> Self {
        let tables = NormalTables::new(&head, &self.layout.order, Normals::default());
        self.with_tables(head, tables)
    }

    /// [`Self::with_surface`] with the tables of the head for the default source of normals.
    pub(crate) fn with_tables(mut self, head: Arc<Head>, tables: Option<NormalTables>) -> Self {
        let has_compute = self.on_gpu.compute.is_ok();
        self.recomputing = NormalRecompute::new(&self.gpu, head, tables, &self.layout, &self.vertices, has_compute);
        self
    }

    /// Whether the last [`Self::blend`] recomputed a mesh's normals.
    pub fn is_recomputed(&self, mesh: usize) -> bool {
        self.recomputing.is_recomputed(mesh)
    }

    /// Why this head cannot be blended in this mode on this adapter; `None` if it can.
    pub fn unavailable(&self, mode: BlendMode) -> Option<&Unavailable> {
        match mode {
            BlendMode::Cpu => None,
            BlendMode::Vertex => self.on_gpu.vertex.as_ref().err(),
            BlendMode::Compute => self.on_gpu.compute.as_ref().err(),
            BlendMode::Multipass => self.on_gpu.multipass.as_ref().err(),
        }
    }

    /// Blends under `weights` (one per target; missing, infinite and NaN ones count as 0).
    ///
    /// The CPU blends instead if the mode is [unavailable](Self::unavailable), or if the GPU has too little memory to
    /// recompute normals. If nothing changed since the last call, nothing is done. Otherwise lists and vertices are
    /// uploaded through the queue and passes are recorded into `encoder`, which must be submitted before the next call.
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
        // Before the first blend, the vertices are those at rest in every mode; but recomputing also makes tangents
        // perpendicular.
        let is_switch = match self.current.replace(mode) {
            Some(before) => before != mode,
            None => self.recomputing.turns_tangents(),
        } || is_another_source;
        if is_another_source {
            // A blend does not write directions that no delta changes. They may still be those of the previous source
            // of normals.
            self.cpu.restore_directions(&self.layout);
            self.vertices.restore_directions(&self.gpu.queue, &self.layout);
        }
        let is_changed = self.active.update(&self.layout, weights);
        if is_switch {
            // Another mode has blended since this one did, so all blocks are blended again.
            self.active.change_all(&self.layout);
        }
        if (is_switch || is_changed)
            && let Some(RecomputeTables { on_cpu, block_list, .. }) = self.recomputing.tables()
        {
            // Recomputing starts from freshly blended normals and tangents, so the neighbouring blocks are blended
            // again too.
            on_cpu.list_dependents(self.active.changed_blocks(), block_list);
            self.active.change_also(block_list.blocks());
        }
        if (is_switch || is_changed) && !self.active.changed_blocks().is_empty() {
            match mode {
                BlendMode::Cpu => self.blend_on_cpu(),
                BlendMode::Vertex | BlendMode::Compute | BlendMode::Multipass => {
                    self.blend_on_gpu(encoder, mode, timestamps);
                }
            }
        }
        self.blended()
    }

    fn can_blend(&self, mode: BlendMode) -> bool {
        // The vertex stage does not see the triangles around a vertex, so a compute pass recomputes normals for it.
        let can_recompute = !mode.blends_while_drawing() || self.on_gpu.compute.is_ok() || !self.recomputing.is_any();
        self.unavailable(mode).is_none() && can_recompute && !self.recomputing.needs_cpu()
    }

    fn blend_on_cpu(&mut self) {
        let start = Instant::now();
        self.cpu.evaluate(&self.layout, &self.active);
        let tables = self.recomputing.tables();
        let are_recomputed = tables.is_some();
        if let Some(RecomputeTables { on_cpu, block_list, .. }) = tables {
            self.cpu.recompute(&self.layout, on_cpu, block_list.blocks());
        }
        self.vertices.upload(&self.gpu.queue, &self.layout, &self.active, &self.cpu, are_recomputed);
        self.cpu_ms = Some(start.elapsed().as_secs_f32() * 1000.0);
    }

    fn blend_on_gpu(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        mode: BlendMode,
        timestamps: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        let OnGpu { tables: Some(tables), compute, multipass, .. } = &mut self.on_gpu else {
            unreachable!("without tables, every mode on the GPU is unavailable")
        };
        tables.write(&self.gpu.queue, &self.layout, &self.active, mode);
        let recomputing = self.recomputing.tables();
        let blends_while_drawing = mode.blends_while_drawing();
        if blends_while_drawing && recomputing.is_none() {
            return;
        }
        // In vertex mode this pass only recomputes normals; its time is not that of the blend.
        let timestamp_writes = timestamps.filter(|_| !blends_while_drawing);
        let mut pass =
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("blend"), timestamp_writes });
        match (mode, compute, multipass) {
            // In vertex mode, the pass that recomputes normals reads blended positions, which the vertex stage does not
            // write.
            (BlendMode::Vertex | BlendMode::Compute, Ok(compute), _) => compute.record(&self.gpu, &mut pass, tables),
            (BlendMode::Multipass, _, Ok(multipass)) => {
                multipass.record(&self.gpu, &mut pass, tables, self.active.longest_list());
            }
            (BlendMode::Cpu, ..) | (_, Err(_), _) | (_, _, Err(_)) => unreachable!("`can_blend` has said no"),
        }
        if let Some(RecomputeTables { on_gpu, block_list, .. }) = recomputing {
            let on_gpu = on_gpu.as_mut().expect("`can_blend` leaves it to the CPU where the GPU has no tables");
            on_gpu.record(&self.gpu, &mut pass, block_list);
        }
        self.did_work = !blends_while_drawing;
    }

    /// Where the vertices are after the last [`Self::blend`].
    pub fn blended(&self) -> Blended<'_> {
        let buffer = Blended::Buffer(&self.vertices.output);
        self.vertex_mode_in_use().map_or(buffer, |vertex| Blended::InShader(&vertex.group))
    }

    /// Vertex mode if the last blend used it, otherwise `None`.
    fn vertex_mode_in_use(&self) -> Option<&InShaderBlend> {
        let is_in_use = self.current.is_some_and(BlendMode::blends_while_drawing);
        self.on_gpu.vertex.as_ref().ok().filter(|_| is_in_use)
    }

    /// Whether the last [`Self::blend`] recorded a compute pass: only then are its timestamps written.
    pub fn did_work(&self) -> bool {
        self.did_work
    }

    /// How long the last [`Self::blend`] took on the CPU, upload included, in milliseconds; `None` if the GPU did the
    /// blend.
    pub fn cpu_ms(&self) -> Option<f32> {
        self.cpu_ms
    }

    /// The vertices that the last blend wrote, in the sections of
    /// [`VertexOrder::base`](crate::blend::VertexOrder::base). Before the first blend they are at rest; those of meshes
    /// without targets always are.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.vertices.output
    }

    /// The vertices at rest, in the same sections. Vertex mode adds the targets to them.
    pub fn base(&self) -> &wgpu::Buffer {
        &self.vertices.base
    }

    /// The layout of group 1 of a vertex-mode pipeline; `None` if that mode is unavailable.
    pub fn vertex_bind_group_layout(&self) -> Option<&wgpu::BindGroupLayout> {
        self.on_gpu.vertex.as_ref().ok().map(|vertex| &vertex.layout)
    }

    /// The WGSL function `morphed_vertex` and its bindings in group 1, to be joined with a mesh shader; `None` if
    /// vertex mode is unavailable.
    pub fn vertex_shader_source(&self) -> Option<String> {
        self.on_gpu.vertex.as_ref().ok().map(|vertex| vertex.source.clone())
    }

    /// Values of the `override`s in [`Self::vertex_shader_source`].
    pub fn constants(&self) -> Vec<(&'static str, f64)> {
        morph_constants(&self.layout)
    }

    pub fn memory(&self) -> Memory {
        let layout = &self.layout;
        let tables = self.on_gpu.tables.as_ref().map_or(0, MorphTables::bytes);
        // Compute mode caches one sum per block; multi-pass mode has two buffers of sums, written by turns.
        let sums = u64::from(self.on_gpu.compute.is_ok()) + 2 * u64::from(self.on_gpu.multipass.is_ok());
        Memory {
            precision: layout.deltas().precision(),
            delta_bytes: layout.deltas().bytes(),
            cpu_bytes: layout.bytes() + self.cpu.bytes() + self.recomputing.bytes(),
            gpu_bytes: self.vertices.bytes() + tables + sums * sum_bytes(layout) + self.recomputing.gpu_bytes(),
        }
    }

    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Blends, waits for the GPU and reads every vertex back, mesh after mesh, without padding. For tests and
    /// comparisons. An error if nothing can be read, as after the loss of the device.
    ///
    /// In vertex mode the vertices are drawn as points, by the same WGSL function that draws the head.
    pub fn read_back(
        &mut self,
        gpu: &Gpu,
        weights: &[f32],
        mode: BlendMode,
        normals: Normals,
    ) -> Result<Vec<MorphedVertex>, DeviceError> {
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("blend to read back") });
        self.blend(&mut encoder, weights, mode, normals, None);
        gpu.queue.submit([encoder.finish()]);
        let Some(vertex) = self.vertex_mode_in_use() else { return self.output_vertices(gpu) };
        let in_shader = vertex.read_back(gpu, &self.layout, &self.vertices.base)?;
        if self.recomputing.tables().is_none() {
            return Ok(in_shader);
        }
        // The vertex stage reads recomputed normals and tangents from the buffer.
        let written = self.output_vertices(gpu)?;
        let rows = self.layout.order.mesh_of_vertices().zip(in_shader).zip(written);
        let vertices = rows.map(|((mesh, in_shader), written)| {
            if self.is_recomputed(mesh) { MorphedVertex { position: in_shader.position, ..written } } else { in_shader }
        });
        Ok(vertices.collect())
    }

    /// The vertices that the last blend wrote, in the order of the file.
    fn output_vertices(&self, gpu: &Gpu) -> Result<Vec<MorphedVertex>, DeviceError> {
        let bytes = gpu.read_buffer(&self.vertices.output)?;
        Ok(self.layout.order.vertices_of(&bytemuck::pod_collect_to_vec::<u8, f32>(&bytes)))
    }
}
