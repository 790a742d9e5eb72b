//! The blend modes of one head that run on the GPU, and their pipelines.

use std::ops::Range;

use super::{
    ComputeBlend, ComputePipeline, InShaderBlend, MorphTables, MultipassBlend, MultipassPipelines, Support,
    Unavailable, find_support,
};
use crate::blend::{ActiveTargets, CpuBlend, Layout, VertexOrder};
use crate::gpu::{DeviceError, Gpu};

/// The modes that run on the GPU; for an unavailable mode, the reason why. `tables` exists if any of the modes is
/// available.
#[derive(Debug)]
pub(super) struct OnGpu {
    pub tables: Option<MorphTables>,
    pub vertex: Result<InShaderBlend, Unavailable>,
    pub compute: Result<ComputeBlend, Unavailable>,
    pub multipass: Result<MultipassBlend, Unavailable>,
}

/// What the adapter can blend of a head, with the pipelines for it. They take little memory and long to compile, so
/// that they can be compiled while the rest of the head is uploaded.
#[derive(Debug)]
pub struct BlendPipelines {
    support: Support,
    /// Those of compute mode and of multi-pass mode, if these are available.
    made: Result<Option<(ComputePipeline, MultipassPipelines)>, DeviceError>,
}

impl BlendPipelines {
    pub fn new(gpu: &Gpu, layout: &Layout) -> Self {
        Self::with_page_limit(gpu, layout, u64::MAX)
    }

    pub(super) fn with_page_limit(gpu: &Gpu, layout: &Layout, page_limit: u64) -> Self {
        let support = find_support(&gpu.device.limits(), layout, page_limit);
        let made = gpu.attempt(|| {
            let is_available = support.compute.is_none();
            is_available.then(|| (ComputePipeline::new(gpu, layout), MultipassPipelines::new(gpu, layout)))
        });
        Self { support, made }
    }
}

impl OnGpu {
    /// Creates all modes that the adapter supports, or none if the adapter has too little memory for their buffers.
    pub(super) fn new(gpu: &Gpu, layout: &Layout, vertices: &VertexBuffers, pipelines: BlendPipelines) -> Self {
        let BlendPipelines { support, made } = pipelines;
        let made = made.and_then(|pipelines| {
            gpu.attempt(|| {
                let made = Self::with_support(gpu, layout, vertices, support, pipelines);
                made.warm_up(gpu);
                made
            })
        });
        made.unwrap_or_else(|error| {
            let unavailable = Unavailable::NotOnAdapter(error);
            Self {
                tables: None,
                vertex: Err(unavailable.clone()),
                compute: Err(unavailable.clone()),
                multipass: Err(unavailable),
            }
        })
    }

    fn with_support(
        gpu: &Gpu,
        layout: &Layout,
        vertices: &VertexBuffers,
        support: Support,
        pipelines: Option<(ComputePipeline, MultipassPipelines)>,
    ) -> Self {
        let Support { pages, vertex, compute } = support;
        let tables = pages.map(|pages| MorphTables::new(gpu, layout, pages));
        let in_shader = match (&tables, vertex) {
            (Some(tables), None) => Ok(InShaderBlend::new(gpu, layout, tables)),
            (_, reason) => Err(reason.expect("what lacks its tables has a reason")),
        };
        let (compute, multipass) = match (&tables, pipelines) {
            (Some(tables), Some((compute, multipass))) => (
                Ok(ComputeBlend::new(gpu, layout, vertices, tables, compute)),
                Ok(MultipassBlend::new(gpu, layout, vertices, tables, multipass)),
            ),
            _ => {
                let reason = compute.expect("what lacks its pipelines has a reason");
                (Err(reason.clone()), Err(reason))
            }
        };
        Self { tables, vertex: in_shader, compute, multipass }
    }

    /// Runs every pipeline once over no blocks, so that the first switch to a mode is quick. Writes nothing.
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

/// Changed blocks with at most this many unchanged blocks between them are uploaded together, others separately.
const UPLOAD_GAP: usize = 16;

/// Joins changed blocks into ranges to be uploaded together.
pub(in crate::blend) fn upload_ranges(changed_blocks: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let runs = changed_blocks.chunk_by(|before, after| (after - before) as usize <= UPLOAD_GAP + 1);
    runs.map(|run| run[0] as usize..run[run.len() - 1] as usize + 1)
}

/// The vertices at rest and the blended vertices, in the sections of [`VertexOrder::base`]. Drawing binds the sections
/// as vertex buffers. The buffers are created once per head.
#[derive(Clone, Debug)]
pub(in crate::blend) struct VertexBuffers {
    pub base: wgpu::Buffer,
    pub output: wgpu::Buffer,
}

impl VertexBuffers {
    pub(crate) fn new(gpu: &Gpu, order: &VertexOrder) -> Self {
        // The compute modes bind the buffers as storage. A buffer that is too large for that can still be drawn.
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE;
        let written = usage | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Self {
            base: gpu.filled_buffer("vertices at rest", bytemuck::cast_slice(order.base()), usage),
            output: gpu.filled_buffer("blended vertices", bytemuck::cast_slice(order.base()), written),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.base.size() + self.output.size()
    }

    /// Resets normals and tangents to those at rest, before anything that is submitted later runs.
    pub(crate) fn restore_directions(&self, queue: &wgpu::Queue, layout: &Layout) {
        let [_, normals, _] = layout.order.section_bytes();
        queue.write_buffer(&self.output, normals.start, bytemuck::cast_slice(layout.order.directions()));
    }

    /// Uploads the changed blocks that the CPU blended. If `are_recomputed` is true, directions
    /// are uploaded even if no delta changes them.
    pub(crate) fn upload(
        &self,
        queue: &wgpu::Queue,
        layout: &Layout,
        active: &ActiveTargets,
        blended: &CpuBlend,
        are_recomputed: bool,
    ) {
        let moved = if are_recomputed { 3 } else { layout.deltas().components() / 3 };
        let mut first_float = 0;
        for (index, section) in blended.sections().into_iter().enumerate() {
            let block_floats = section.len() / layout.order.block_count().max(1);
            if index < moved {
                for blocks in upload_ranges(active.changed_blocks()) {
                    let floats = blocks.start * block_floats..blocks.end * block_floats;
                    let offset = ((first_float + floats.start) * size_of::<f32>()) as u64;
                    queue.write_buffer(&self.output, offset, bytemuck::cast_slice(&section[floats]));
                }
            }
            first_float += section.len();
        }
    }
}

/// Bytes of the sums that are stored between dispatches: `[block][component][lane]`. At most as many as the vertices
/// take.
pub(in crate::blend) fn sum_bytes(layout: &Layout) -> u64 {
    (layout.order.place_count() * layout.deltas().components() * size_of::<f32>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_blocks_are_uploaded_together() {
        let ranges: Vec<_> = upload_ranges(&[0, 1, 18, 36, 100]).collect();
        assert_eq!(ranges, [0..19, 36..37, 100..101]);
        assert_eq!(upload_ranges(&[]).count(), 0);
    }
}
