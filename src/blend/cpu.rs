//! CPU mode: the morph sum on the processor's cores, changed vertices uploaded.

use std::ops::Range;

use rayon::prelude::*;

use super::active::Active;
use super::layout::{BLOCK_SIZE, Layout, place_in_column};
use super::reference::VANISHING_LENGTH;

/// Below so many columns to add, waking the other cores takes longer than doing it here.
const PARALLEL_ENTRIES: usize = 256;

/// Neighbours further apart than this many unchanged blocks are uploaded separately; closer ones travel together.
const UPLOAD_GAP: usize = 16;

/// The processor's copy of the blended vertices.
#[derive(Debug)]
pub struct CpuBlend {
    /// `[vertex][float]`, mesh space.
    vertices: Vec<f32>,
}

impl CpuBlend {
    /// At rest.
    pub fn new(layout: &Layout) -> Self {
        Self { vertices: layout.base().to_vec() }
    }

    /// Blends the changed blocks.
    pub fn evaluate(&mut self, layout: &Layout, active: &Active) {
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
    }

    /// Sends the changed blocks to `output`.
    pub(super) fn upload(&self, layout: &Layout, active: &Active, queue: &wgpu::Queue, output: &wgpu::Buffer) {
        let block_floats = BLOCK_SIZE * layout.vertex_floats() as usize;
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
    if layout.delta_floats() == 10 {
        write_block(layout, block, &sum_columns::<{ 10 * BLOCK_SIZE }>(layout, active, block), vertices);
    } else {
        write_block(layout, block, &sum_columns::<{ 6 * BLOCK_SIZE }>(layout, active, block), vertices);
    }
}

/// Σ weight · delta for a whole column, in the order it lies, so that the compiler makes vector instructions of it.
fn sum_columns<const COLUMN_FLOATS: usize>(layout: &Layout, active: &Active, block: usize) -> [f32; COLUMN_FLOATS] {
    let mut sums = [0.0; COLUMN_FLOATS];
    for entry in &active.entries()[active.entries_of(block)] {
        let column = entry.column as usize;
        for (sum, delta) in sums.iter_mut().zip(layout.columns(column..column + 1)) {
            *sum += entry.weight * delta;
        }
    }
    sums
}

/// Adds the base once the deltas are summed, and renormalises.
fn write_block(layout: &Layout, block: usize, sums: &[f32], vertices: &mut [f32]) {
    let floats = layout.vertex_floats() as usize;
    let base = &layout.base()[block * BLOCK_SIZE * floats..][..vertices.len()];
    let directions: &[usize] = if layout.delta_floats() == 10 { &[3, 6] } else { &[3] };
    let rows = vertices.chunks_exact_mut(floats).zip(base.chunks_exact(floats));
    for (lane, (vertex, base)) in rows.enumerate() {
        let sum = |component: usize| sums[place_in_column(component, lane)];
        for axis in 0..3 {
            vertex[axis] = base[axis] + sum(axis);
        }
        for &first in directions {
            let delta = [sum(first), sum(first + 1), sum(first + 2)];
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
