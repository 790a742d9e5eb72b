//! The vertex buffers of a head: the vertices at rest and the blended vertices.

use std::ops::Range;

use crate::blend::{ActiveTargets, CpuBlend, Layout, VertexOrder};
use crate::gpu::Gpu;

/// Changed blocks with at most this many unchanged blocks between them are uploaded together, others separately.
const UPLOAD_GAP: usize = 16;

/// Joins changed blocks into ranges to be uploaded together.
pub(in crate::blend) fn upload_ranges(changed_blocks: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let close = |a: &u32, b: &u32| (b - a) as usize <= UPLOAD_GAP + 1;
    changed_blocks.chunk_by(close).map(|run| run[0] as usize..run[run.len() - 1] as usize + 1)
}

/// The vertices at rest and the blended vertices, in the sections of [`VertexOrder::base`]. Drawing binds the sections as vertex
/// buffers. The buffers are created once per head.
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
        let [_, normals, _] = layout.section_bytes();
        queue.write_buffer(&self.output, normals.start, bytemuck::cast_slice(layout.directions()));
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
            let block_floats = section.len() / layout.block_count().max(1);
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

/// Bytes of the sums that are stored between dispatches: `[block][component][lane]`. At most as many as the vertices take.
pub(in crate::blend) fn sum_bytes(layout: &Layout) -> u64 {
    (layout.place_count() * layout.deltas().components() * size_of::<f32>()) as u64
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
