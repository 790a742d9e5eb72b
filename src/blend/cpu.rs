//! CPU mode: the morph sum on the processor's cores, changed vertices uploaded.

use std::ops::Range;

use rayon::prelude::*;

use super::active::Active;
use super::reference::VANISHING_LENGTH;
use super::{BLOCK_SIZE, Layout};

/// Below so many columns to add, waking the other cores takes longer than doing it here.
const PARALLEL_ENTRIES: usize = 256;

/// Neighbours further apart than this many unchanged blocks are uploaded separately; closer ones travel together.
const UPLOAD_GAP: usize = 16;

/// The processor's copy of the blended vertices.
#[derive(Debug)]
pub(super) struct CpuBlend {
    /// `[vertex][float]`, mesh space.
    vertices: Vec<f32>,
}

impl CpuBlend {
    pub fn new(layout: &Layout) -> Self {
        Self { vertices: layout.base().to_vec() }
    }

    /// Blends the changed blocks and sends them to `output`.
    pub fn blend(&mut self, layout: &Layout, active: &Active, queue: &wgpu::Queue, output: &wgpu::Buffer) {
        let block_floats = BLOCK_SIZE * layout.vertex_floats() as usize;
        let blend = |(block, vertices): (usize, &mut [f32])| {
            if active.is_changed(block) {
                blend_block(layout, active, block, vertices);
            }
        };
        let work: usize = active.changed_blocks().iter().map(|&block| active.entries_of(block as usize).len()).sum();
        if work < PARALLEL_ENTRIES {
            self.vertices.chunks_exact_mut(block_floats).enumerate().for_each(blend);
        } else {
            self.vertices.par_chunks_exact_mut(block_floats).enumerate().for_each(blend);
        }
        for blocks in upload_ranges(active.changed_blocks()) {
            let floats = blocks.start * block_floats..blocks.end * block_floats;
            let offset = (floats.start * size_of::<f32>()) as u64;
            queue.write_buffer(output, offset, bytemuck::cast_slice(&self.vertices[floats]));
        }
    }
}

/// Joins changed blocks into ranges worth a transfer each.
fn upload_ranges(changed_blocks: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let close = |a: &u32, b: &u32| (b - a) as usize <= UPLOAD_GAP + 1;
    changed_blocks.chunk_by(close).map(|run| run[0] as usize..run[run.len() - 1] as usize + 1)
}

/// From scratch: nothing accumulates from frame to frame. `vertices`: the block's, `[lane][float]`.
fn blend_block(layout: &Layout, active: &Active, block: usize, vertices: &mut [f32]) {
    if layout.components() == 9 {
        let sums = sum_columns::<9>(layout, active, block);
        write_block(layout, block, &sums, vertices);
    } else {
        let sums = sum_columns::<6>(layout, active, block);
        write_block(layout, block, &sums, vertices);
    }
}

/// Σ weight · delta for every lane; lanes innermost, so that the compiler makes vector instructions of them.
fn sum_columns<const COMPONENTS: usize>(
    layout: &Layout,
    active: &Active,
    block: usize,
) -> [[f32; BLOCK_SIZE]; COMPONENTS] {
    let mut sums = [[0.0; BLOCK_SIZE]; COMPONENTS];
    for entry in &active.entries()[active.entries_of(block)] {
        let column = entry.column as usize;
        let deltas = layout.columns(column..column + 1);
        for (sums, deltas) in sums.iter_mut().zip(deltas.chunks_exact(BLOCK_SIZE)) {
            for (sum, delta) in sums.iter_mut().zip(deltas) {
                *sum += entry.weight * delta;
            }
        }
    }
    sums
}

/// Adds the base once the deltas are summed, and renormalises.
fn write_block(layout: &Layout, block: usize, sums: &[[f32; BLOCK_SIZE]], vertices: &mut [f32]) {
    let floats = layout.vertex_floats() as usize;
    let base = &layout.base()[block * BLOCK_SIZE * floats..][..vertices.len()];
    let rows = vertices.chunks_exact_mut(floats).zip(base.chunks_exact(floats));
    for (lane, (vertex, base)) in rows.enumerate() {
        for axis in 0..3 {
            vertex[axis] = base[axis] + sums[axis][lane];
        }
        for first in (3..sums.len()).step_by(3) {
            let delta = [sums[first][lane], sums[first + 1][lane], sums[first + 2][lane]];
            let direction = direction([base[first], base[first + 1], base[first + 2]], delta);
            vertex[first..first + 3].copy_from_slice(&direction);
        }
    }
}

fn direction(base: [f32; 3], delta: [f32; 3]) -> [f32; 3] {
    let sum: [f32; 3] = std::array::from_fn(|axis| base[axis] + delta[axis]);
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > VANISHING_LENGTH as f32 { sum.map(|value| value / length) } else { base }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_neighbours_travel_together() {
        let ranges: Vec<_> = upload_ranges(&[0, 1, 18, 36, 100]).collect();
        assert_eq!(ranges, [0..19, 36..37, 100..101]);
        assert_eq!(upload_ranges(&[]).count(), 0);
    }

    #[test]
    fn a_direction_that_vanishes_keeps_the_base() {
        assert_eq!(direction([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]), [0.0, 0.0, 1.0]);
        assert_eq!(direction([0.0; 3], [0.0; 3]), [0.0; 3]);
        assert_eq!(direction([0.0, 0.0, 1.0], [0.0, 0.0, 3.0]), [0.0, 0.0, 1.0]);
    }
}
