//! Compute mode: one dispatch over the changed blocks (one per page if the deltas need several), which writes the vertex buffer.
//! A workgroup blends four blocks, an invocation four vertices. The sum of all targets that are not moving is cached.

use super::super::buffers::{VertexBuffers, sum_bytes};
use super::super::tables::MorphTables;
use super::super::{bindings, shaders};
use crate::blend::Layout;
use crate::gpu::Gpu;

/// The pipeline of compute mode and the layouts of its groups.
#[derive(Debug)]
pub(in crate::blend) struct ComputePipeline {
    run_layout: wgpu::BindGroupLayout,
    morph_layout: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

impl ComputePipeline {
    pub(crate) fn new(gpu: &Gpu, layout: &Layout) -> Self {
        let stage = wgpu::ShaderStages::COMPUTE;
        let read = |binding| bindings::storage(binding, stage, true);
        let write = |binding| bindings::storage(binding, stage, false);
        let run_layout = bindings::run_layout(gpu, "compute blend", &[read(2), write(3), write(4)]);
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

/// The pipeline and the bind groups of compute mode.
#[derive(Debug)]
pub(in crate::blend) struct ComputeBlend {
    pipeline: wgpu::ComputePipeline,
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
        let more = [
            bindings::whole(2, &vertices.base),
            bindings::whole(3, &vertices.output),
            bindings::whole(4, &cached_sums),
        ];
        Self {
            pipeline,
            group: bindings::run_group(gpu, "compute blend", &run_layout, tables, &more),
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
