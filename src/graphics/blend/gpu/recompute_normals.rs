//! Recomputes normals on the GPU: a dispatch after the blend, over the blocks around those that moved.

use super::{VertexBuffers, bindings, shaders};
use crate::blend::Layout;
use crate::blend::normals::{BlockList, NormalTables};
use crate::gpu::Gpu;

/// The tables, the pipeline and the bind group, for one output buffer.
#[derive(Debug)]
pub(in crate::blend) struct NormalPass {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    /// The number of blocks, then the blocks.
    block_list: wgpu::Buffer,
    /// The contents of `block_list`; the memory is reused for each upload.
    words: Vec<u32>,
}

impl NormalPass {
    /// Uploads the tables. Returns `None` if one of them is larger than a binding of the adapter.
    pub(crate) fn new(gpu: &Gpu, layout: &Layout, tables: &NormalTables, vertices: &VertexBuffers) -> Option<Self> {
        if !fits(&gpu.device.limits(), tables) {
            return None;
        }
        let stage = wgpu::ShaderStages::COMPUTE;
        let label = Some("normals");
        let entries: Vec<_> = (0..6).map(|binding| bindings::storage(binding, stage, binding != 4)).collect();
        let group_layout =
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
        let buffer = |label, contents: &[u8]| gpu.filled_buffer(label, contents, wgpu::BufferUsages::STORAGE);
        let smooth_vertices = buffer("smooth vertices", bytemuck::cast_slice(tables.vertices()));
        let first_entries = buffer("first entries of rings", bytemuck::cast_slice(tables.first_entries()));
        let ring_entries = buffer("entries of rings", bytemuck::cast_slice(tables.entries()));
        let block_list = gpu.buffer(
            "blocks with new normals",
            (size_of::<u32>() * (1 + tables.block_count())) as u64,
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        );
        let bound = [&block_list, &smooth_vertices, &first_entries, &ring_entries, &vertices.output, &vertices.base];
        let entries: Vec<_> = (0..).zip(bound).map(|(binding, buffer)| bindings::whole(binding, buffer)).collect();
        let places = layout.place_count() as f64;
        let tangents_first = if layout.has_tangents() { places * 6.0 } else { 0.0 };
        let constants = [
            ("NORMALS_FIRST", places * 3.0),
            ("TANGENTS_FIRST", tangents_first),
            ("TANGENTS_BLENDED", f64::from(u8::from(layout.deltas().moves_tangents()))),
        ];
        Some(Self {
            pipeline: bindings::compute_pipeline(gpu, "normals", shaders::NORMALS, &[Some(&group_layout)], &constants),
            group: gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label,
                layout: &group_layout,
                entries: &entries,
            }),
            block_list,
            words: Vec::with_capacity(1 + tables.block_count()),
        })
    }

    /// Uploads the list and records the dispatch over it, which must come after the blend that wrote the positions.
    pub(crate) fn record(&mut self, gpu: &Gpu, pass: &mut wgpu::ComputePass<'_>, block_list: &BlockList) {
        self.words.clear();
        self.words.push(block_list.blocks().len() as u32);
        self.words.extend_from_slice(block_list.blocks());
        gpu.queue.write_buffer(&self.block_list, 0, bytemuck::cast_slice(&self.words));
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        bindings::dispatch(pass, gpu, block_list.blocks().len() as u32);
    }
}

fn fits(limits: &wgpu::Limits, tables: &NormalTables) -> bool {
    let largest = size_of_val(tables.vertices()).max(size_of_val(tables.entries())) as u64;
    largest <= limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
}
