//! Multi-pass mode: passes over four targets each, with two buffers of sums that are read and written by turns.
//!
//! It reproduces Dawn's Stream Out method (GPU Gems 3, chapter 3), where the vertex stage wrote the result of each pass to
//! a buffer that the next pass read. WebGPU has no stream out, but the memory traffic is the same: each pass reads and writes
//! every changed vertex once, even the vertices that its targets do not touch.

use super::super::buffers::{VertexBuffers, sum_bytes};
use super::super::tables::MorphTables;
use super::super::{bindings, shaders};
use crate::blend::Layout;
use crate::gpu::Gpu;

/// The number of targets that one pass adds. It is the same as in the demo, where the attributes of the base and of four targets
/// filled the sixteen attributes of a vertex. A target with a second column for its rounding errors counts twice.
pub(crate) const TARGETS_PER_PASS: usize = 4;

/// The pipelines of multi-pass mode and the layouts of their groups.
#[derive(Debug)]
pub(in crate::blend) struct MultipassPipelines {
    add_layout: wgpu::BindGroupLayout,
    resolve_layout: wgpu::BindGroupLayout,
    morph_layout: wgpu::BindGroupLayout,
    add: wgpu::ComputePipeline,
    resolve: wgpu::ComputePipeline,
}

impl MultipassPipelines {
    pub(crate) fn new(gpu: &Gpu, layout: &Layout) -> Self {
        let stage = wgpu::ShaderStages::COMPUTE;
        let read = |binding| bindings::storage(binding, stage, true);
        let write = |binding| bindings::storage(binding, stage, false);
        let pass = bindings::uniform_row(4, size_of::<u32>());
        let add_layout = bindings::run_layout(gpu, "multi-pass blend", &[read(2), write(3), pass]);
        let resolve_layout = bindings::run_layout(gpu, "multi-pass resolve", &[read(2), write(3), read(4)]);
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

/// The pipelines and bind groups of multi-pass mode.
#[derive(Debug)]
pub(in crate::blend) struct MultipassBlend {
    add: wgpu::ComputePipeline,
    resolve: wgpu::ComputePipeline,
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
            let more = [bindings::whole(2, before), bindings::whole(3, after), bindings::row(4, &passes, row_bytes)];
            bindings::run_group(gpu, "multi-pass blend", &add_layout, tables, &more)
        };
        let resolve_group = |sums: &wgpu::Buffer| {
            let more =
                [bindings::whole(2, &vertices.base), bindings::whole(3, &vertices.output), bindings::whole(4, sums)];
            bindings::run_group(gpu, "multi-pass resolve", &resolve_layout, tables, &more)
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

/// A buffer of the numbers 0, 1, 2 …, one per dynamic offset, for as many passes as the block with the most columns needs.
fn pass_numbers(gpu: &Gpu, layout: &Layout, stride: u32) -> wgpu::Buffer {
    let most_columns = (0..layout.block_count()).map(|block| layout.columns_of_block(block).len()).max().unwrap_or(0);
    let pass_count = most_columns.div_ceil(TARGETS_PER_PASS).max(1);
    let mut bytes = vec![0; pass_count * stride as usize];
    for (index, row) in bytes.chunks_exact_mut(stride as usize).enumerate() {
        row[..size_of::<u32>()].copy_from_slice(bytemuck::bytes_of(&(index as u32)));
    }
    gpu.filled_buffer("pass numbers", &bytes, wgpu::BufferUsages::UNIFORM)
}
