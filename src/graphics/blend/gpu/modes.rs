//! The blend modes that run on the GPU: what each has besides the tables that all share.
//!
//! **Compute mode** is one dispatch over the changed blocks (one per page if the deltas need several), which writes the
//! vertex buffer. A workgroup blends four blocks, an invocation four vertices. The sum of all targets that are not
//! moving is cached.
//!
//! **Multi-pass mode** is passes over four targets each, with two buffers of sums that are read and written by turns.
//! It reproduces Dawn's Stream Out method (GPU Gems 3, chapter 3), where the vertex stage wrote the result of each pass
//! to a buffer that the next pass read. WebGPU has no stream out, but the memory traffic is the same: each pass reads
//! and writes every changed vertex once, even the vertices that its targets do not touch.
//!
//! **Vertex mode**: the vertex stage of the draw sums the targets (Dawn's "buffer template" method) by calling
//! `morphed_vertex`. This file has the bindings of that function, and reads the blended vertices back.

use std::ops::Range;
use std::sync::Arc;

use super::on_gpu::{VertexBuffers, sum_bytes};
use super::tables::{MorphTables, bound_pages};
use super::{bindings, shaders};
use crate::blend::{Layout, MorphedVertex};
use crate::gpu::{Binding, DeviceError, Gpu, row, shader_module, view};

/// The pipeline of compute mode and the layouts of its groups.
#[derive(Debug)]
pub(in crate::blend) struct ComputePipeline {
    run_layout: wgpu::BindGroupLayout,
    morph_layout: wgpu::BindGroupLayout,
    pipeline: Arc<wgpu::ComputePipeline>,
}

impl ComputePipeline {
    pub(crate) fn new(gpu: &Gpu, layout: &Layout) -> Self {
        let bound = [Binding::StorageRead, Binding::StorageWritten, Binding::StorageWritten];
        let run_layout = bindings::run_layout(gpu, "compute blend", &bound);
        let morph_layout = bindings::morph_layout(gpu, 1);
        let pipeline = bindings::compute_pipeline(
            gpu,
            "compute blend",
            &shaders::compute(layout.deltas().precision()),
            &[Some(&run_layout), Some(&morph_layout)],
            &bindings::output_constants(layout),
        );
        Self { run_layout, morph_layout, pipeline }
    }
}

#[derive(Debug)]
pub(in crate::blend) struct ComputeBlend {
    pipeline: Arc<wgpu::ComputePipeline>,
    group: wgpu::BindGroup,
    page_groups: Vec<wgpu::BindGroup>,
}

impl ComputeBlend {
    pub(crate) fn new(
        gpu: &Gpu,
        layout: &Layout,
        vertices: &VertexBuffers,
        tables: &MorphTables,
        pipeline: ComputePipeline,
    ) -> Self {
        let ComputePipeline { run_layout, morph_layout, pipeline } = pipeline;
        let cached_sums = gpu.buffer("cached sums", sum_bytes(layout), wgpu::BufferUsages::STORAGE);
        let more = [&vertices.base, &vertices.output, &cached_sums].map(wgpu::Buffer::as_entire_binding);
        Self {
            pipeline,
            group: bindings::run_group(gpu, "compute blend", &run_layout, tables, more),
            page_groups: bindings::page_groups(gpu, &morph_layout, tables),
        }
    }

    /// Runs the shader over no blocks, because software drivers compile a pipeline at its first dispatch.
    pub(crate) fn warm_up(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[0]);
        pass.set_bind_group(1, &self.page_groups[0], &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }

    /// Blends the changed blocks, page by page.
    pub(crate) fn record(&self, gpu: &Gpu, pass: &mut wgpu::ComputePass<'_>, tables: &MorphTables) {
        pass.set_pipeline(&self.pipeline);
        for (page, block_count) in tables.changed_pages() {
            pass.set_bind_group(0, &self.group, &[tables.run_offset(page)]);
            pass.set_bind_group(1, &self.page_groups[page], &[]);
            bindings::dispatch(pass, gpu, block_count.div_ceil(shaders::BLOCKS_PER_WORKGROUP));
        }
    }
}

/// The number of targets that one pass adds. It is the same as in the demo, where the attributes of the base and of
/// four targets filled the sixteen attributes of a vertex. A target with a second column for its rounding errors counts
/// twice.
pub(crate) const TARGETS_PER_PASS: usize = 4;

/// The pipelines of multi-pass mode and the layouts of their groups.
#[derive(Debug)]
pub(in crate::blend) struct MultipassPipelines {
    add_layout: wgpu::BindGroupLayout,
    resolve_layout: wgpu::BindGroupLayout,
    morph_layout: wgpu::BindGroupLayout,
    add: Arc<wgpu::ComputePipeline>,
    resolve: Arc<wgpu::ComputePipeline>,
}

impl MultipassPipelines {
    pub(crate) fn new(gpu: &Gpu, layout: &Layout) -> Self {
        let bound = [Binding::StorageRead, Binding::StorageWritten, Binding::UniformRow(size_of::<u32>())];
        let add_layout = bindings::run_layout(gpu, "multi-pass blend", &bound);
        let bound = [Binding::StorageRead, Binding::StorageWritten, Binding::StorageRead];
        let resolve_layout = bindings::run_layout(gpu, "multi-pass resolve", &bound);
        let morph_layout = bindings::morph_layout(gpu, 1);
        let add = bindings::compute_pipeline(
            gpu,
            "multi-pass blend",
            &shaders::multipass(layout.deltas().precision()),
            &[Some(&add_layout), Some(&morph_layout)],
            &bindings::morph_constants(layout),
        );
        let resolve = bindings::compute_pipeline(
            gpu,
            "multi-pass resolve",
            &shaders::resolve(layout.deltas().precision()),
            &[Some(&resolve_layout)],
            &bindings::output_constants(layout),
        );
        Self { add_layout, resolve_layout, morph_layout, add, resolve }
    }
}

#[derive(Debug)]
pub(in crate::blend) struct MultipassBlend {
    add: Arc<wgpu::ComputePipeline>,
    resolve: Arc<wgpu::ComputePipeline>,
    /// `[0]` writes the first buffer of sums from the second, `[1]` the other way round.
    add_groups: [wgpu::BindGroup; 2],
    /// `[0]` reads the first buffer of sums, `[1]` the second.
    resolve_groups: [wgpu::BindGroup; 2],
    page_groups: Vec<wgpu::BindGroup>,
    pass_stride: u32,
}

impl MultipassBlend {
    pub(crate) fn new(
        gpu: &Gpu,
        layout: &Layout,
        vertices: &VertexBuffers,
        tables: &MorphTables,
        pipelines: MultipassPipelines,
    ) -> Self {
        let MultipassPipelines { add_layout, resolve_layout, morph_layout, add, resolve } = pipelines;
        let row_bytes = size_of::<u32>();
        let sums = ["sums, even passes", "sums, odd passes"]
            .map(|label| gpu.buffer(label, sum_bytes(layout), wgpu::BufferUsages::STORAGE));
        let pass_stride = gpu.device.limits().min_uniform_buffer_offset_alignment.max(row_bytes as u32);
        let passes = pass_numbers(gpu, layout, pass_stride);
        let add_group = |before: &wgpu::Buffer, after: &wgpu::Buffer| {
            let more = [before.as_entire_binding(), after.as_entire_binding(), row(&passes, row_bytes)];
            bindings::run_group(gpu, "multi-pass blend", &add_layout, tables, more)
        };
        let resolve_group = |sums: &wgpu::Buffer| {
            let more = [&vertices.base, &vertices.output, sums].map(wgpu::Buffer::as_entire_binding);
            bindings::run_group(gpu, "multi-pass resolve", &resolve_layout, tables, more)
        };
        Self {
            add,
            resolve,
            add_groups: [add_group(&sums[1], &sums[0]), add_group(&sums[0], &sums[1])],
            resolve_groups: [resolve_group(&sums[0]), resolve_group(&sums[1])],
            page_groups: bindings::page_groups(gpu, &morph_layout, tables),
            pass_stride,
        }
    }

    /// Runs both shaders over no blocks, because software drivers compile a pipeline at its first dispatch.
    pub(crate) fn warm_up(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.add);
        pass.set_bind_group(0, &self.add_groups[0], &[0, 0]);
        pass.set_bind_group(1, &self.page_groups[0], &[]);
        pass.dispatch_workgroups(1, 1, 1);
        pass.set_pipeline(&self.resolve);
        pass.set_bind_group(0, &self.resolve_groups[0], &[0]);
        pass.dispatch_workgroups(1, 1, 1);
    }

    /// Records the passes over the changed blocks, the longest list of which has `longest_list` entries.
    pub(crate) fn record(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass<'_>,
        tables: &MorphTables,
        longest_list: usize,
    ) {
        // Without any active target, one pass writes the zeros that the last step reads.
        let pass_count = longest_list.div_ceil(TARGETS_PER_PASS).max(1);
        pass.set_pipeline(&self.add);
        for index in 0..pass_count {
            for (page, block_count) in tables.changed_pages() {
                let offsets = [tables.run_offset(page), index as u32 * self.pass_stride];
                pass.set_bind_group(0, &self.add_groups[index % 2], &offsets);
                pass.set_bind_group(1, &self.page_groups[page], &[]);
                bindings::dispatch(pass, gpu, block_count.div_ceil(shaders::BLOCKS_PER_WORKGROUP));
            }
        }
        let (run_offset, block_count) = tables.whole_run();
        pass.set_pipeline(&self.resolve);
        pass.set_bind_group(0, &self.resolve_groups[(pass_count - 1) % 2], &[run_offset]);
        bindings::dispatch(pass, gpu, block_count.div_ceil(shaders::BLOCKS_PER_WORKGROUP));
    }
}

/// A buffer of the numbers 0, 1, 2 …, one per dynamic offset, for as many passes as the block with the most columns
/// needs.
fn pass_numbers(gpu: &Gpu, layout: &Layout, stride: u32) -> wgpu::Buffer {
    let most_columns =
        (0..layout.order.block_count()).map(|block| layout.columns_of_block(block).len()).max().unwrap_or(0);
    let pass_count = most_columns.div_ceil(TARGETS_PER_PASS).max(1);
    let mut bytes = vec![0; pass_count * stride as usize];
    for (index, row) in bytes.chunks_exact_mut(stride as usize).enumerate() {
        row[..size_of::<u32>()].copy_from_slice(bytemuck::bytes_of(&(index as u32)));
    }
    gpu.filled_buffer("pass numbers", &bytes, wgpu::BufferUsages::UNIFORM)
}

/// The number of points in a row of the read-back texture; the same constant as in `morph/read_back.wgsl`.
pub(in crate::blend) const READ_BACK_WIDTH: usize = 256;

/// The largest number of rows per attribute in one draw. Three times this many fit in a texture of every adapter.
const MAX_READ_BACK_ROWS: usize = 2048;

/// The bind group and the shader text of vertex mode.
#[derive(Debug)]
pub(in crate::blend) struct InShaderBlend {
    pub layout: wgpu::BindGroupLayout,
    pub group: wgpu::BindGroup,
    pub source: String,
}

impl InShaderBlend {
    pub(crate) fn new(gpu: &Gpu, layout: &Layout, tables: &MorphTables) -> Self {
        let page_count = tables.pages.len();
        let source = shaders::morph_one(layout.deltas().precision(), page_count);
        let layout = bindings::morph_layout(gpu, bound_pages(page_count));
        let group = bindings::all_pages_group(gpu, &layout, tables);
        Self { layout, group, source }
    }

    /// Draws every vertex as a point that writes its position, normal and tangent to a texture, and reads that back.
    pub(crate) fn read_back(
        &self,
        gpu: &Gpu,
        layout: &Layout,
        base: &wgpu::Buffer,
    ) -> Result<Vec<MorphedVertex>, DeviceError> {
        let vertex_count = layout.order.place_count();
        let rows = vertex_count.div_ceil(READ_BACK_WIDTH).clamp(1, MAX_READ_BACK_ROWS);
        let pipeline = self.read_back_pipeline(gpu, layout, rows);
        let target = gpu.texture(
            "vertex mode read back",
            [READ_BACK_WIDTH as u32, 3 * rows as u32],
            wgpu::TextureFormat::Rgba32Float,
            wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        );
        let mut vertices = Vec::with_capacity(vertex_count);
        for first in (0..vertex_count).step_by(rows * READ_BACK_WIDTH) {
            let end = vertex_count.min(first + rows * READ_BACK_WIDTH);
            self.draw_points(gpu, layout, &pipeline, &target, base, first as u32..end as u32);
            let texels: Vec<f32> = bytemuck::pod_collect_to_vec(&gpu.read_texture(&target)?);
            let vector = |index: usize, point: usize| {
                let first = (index * rows * READ_BACK_WIDTH + point) * 4;
                glam::Vec4::from_slice(&texels[first..])
            };
            vertices.extend((0..end - first).map(|point| MorphedVertex {
                position: vector(0, point).truncate(),
                normal: vector(1, point).truncate(),
                tangent: if layout.order.has_tangents() { vector(2, point) } else { glam::Vec4::ZERO },
            }));
        }
        Ok(layout.order.in_file_order(&vertices).copied().collect())
    }

    fn draw_points(
        &self,
        gpu: &Gpu,
        layout: &Layout,
        pipeline: &wgpu::RenderPipeline,
        target: &wgpu::Texture,
        base: &wgpu::Buffer,
        vertices: Range<u32>,
    ) {
        let label = Some("vertex mode read back");
        let view = view(target, "vertex mode read back");
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, &self.group, &[]);
        for (slot, section) in read_sections(layout).into_iter().enumerate() {
            pass.set_vertex_buffer(slot as u32, base.slice(section));
        }
        pass.draw(vertices, 0..3);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }

    fn read_back_pipeline(&self, gpu: &Gpu, layout: &Layout, rows: usize) -> wgpu::RenderPipeline {
        let label = Some("vertex mode read back");
        let source = [&self.source, smirk_shaders::morph::READ_BACK].concat();
        let module = shader_module(&gpu.device, "vertex mode read back", source);
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[None, Some(&self.layout)],
            immediate_size: 0,
        });
        let mut constants = bindings::morph_constants(layout);
        constants.push(("READ_BACK_ROWS", rows as f64));
        let compilation_options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
        let attributes = [
            wgpu::vertex_attr_array![0 => Float32x3],
            wgpu::vertex_attr_array![1 => Float32x3],
            wgpu::vertex_attr_array![2 => Float32x4],
        ];
        let buffers = attributes.each_ref().map(|attributes| {
            Some(wgpu::VertexBufferLayout {
                array_stride: attributes[0].format.size(),
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes,
            })
        });
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label,
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("read_back_vertex"),
                compilation_options: compilation_options.clone(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::PointList, ..Default::default() },
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("read_back_fragment"),
                compilation_options,
                targets: &[Some(wgpu::TextureFormat::Rgba32Float.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The sections that the three vertex buffers are bound to. If the head has no tangents, the third buffer is bound to
/// other data, which the shader does not use.
fn read_sections(layout: &Layout) -> [Range<u64>; 3] {
    let [positions, normals, tangents] = layout.order.section_bytes();
    let tangents = if layout.order.has_tangents() { tangents } else { 0..normals.end };
    [positions, normals, tangents]
}
