//! The GPU's copy of the layout and of the active lists, shared by all modes. Made once per head; while sliders move,
//! only the lists are written.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use super::active::Active;
use super::column::ATTRIBUTES;
use super::pages::Page;
use super::{CpuBlend, Layout};
use crate::gpu::Gpu;

/// A row of `morph_blocks`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct MorphBlock {
    /// Where its active entries begin.
    pub first_entry: u32,
    /// How many they are.
    pub entry_count: u32,
    /// The page its columns are in.
    pub page: u32,
    /// The column, head-wide, that page begins with.
    pub first_column: u32,
}

/// A row of `morph_entries`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct MorphEntry {
    /// A column, counted over the whole head.
    pub column: u32,
    /// Its target's weight times the column's scale, for position, normal and tangent. Unbounded.
    pub weights: [f32; ATTRIBUTES],
}

/// Neighbours further apart than this many unchanged blocks are uploaded separately; closer ones travel together.
const UPLOAD_GAP: usize = 16;

/// Joins changed blocks into ranges worth a transfer each.
fn upload_ranges(changed_blocks: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let close = |a: &u32, b: &u32| (b - a) as usize <= UPLOAD_GAP + 1;
    changed_blocks.chunk_by(close).map(|run| run[0] as usize..run[run.len() - 1] as usize + 1)
}

/// Which of the changed blocks a dispatch works on.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Run {
    /// Where it begins in the list of changed blocks.
    pub first: u32,
    /// How many blocks.
    pub count: u32,
}

/// The vertices at rest, and as the last blend left them, in sections as [`Layout::base`] has them. Vertex slots are
/// slices of them.
#[derive(Debug)]
pub(super) struct VertexBuffers {
    pub base: wgpu::Buffer,
    pub output: wgpu::Buffer,
}

impl VertexBuffers {
    pub fn new(gpu: &Gpu, layout: &Layout) -> Self {
        // Storage lets the compute modes bind it; a buffer too large to bind is still drawn and uploaded to.
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE;
        let written = usage | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Self {
            base: filled_buffer(gpu, "vertices at rest", bytemuck::cast_slice(layout.base()), usage),
            output: filled_buffer(gpu, "blended vertices", bytemuck::cast_slice(layout.base()), written),
        }
    }

    pub fn bytes(&self) -> u64 {
        self.base.size() + self.output.size()
    }

    /// Puts normals and tangents back to rest, before anything submitted later runs.
    pub fn restore_directions(&self, queue: &wgpu::Queue, layout: &Layout) {
        let [_, normals, _] = layout.section_bytes();
        queue.write_buffer(&self.output, normals.start, bytemuck::cast_slice(layout.directions()));
    }

    /// Sends what the processor made of the changed blocks. `are_recomputed`: there are directions that no delta moved.
    pub fn upload(
        &self,
        queue: &wgpu::Queue,
        layout: &Layout,
        active: &Active,
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

/// Deltas and lists.
#[derive(Debug)]
pub(super) struct MorphTables {
    pub pages: Vec<Page>,
    /// One buffer per page: columns as they lie.
    pub deltas: Vec<wgpu::Buffer>,
    pub blocks: wgpu::Buffer,
    pub entries: wgpu::Buffer,
    pub changed_blocks: wgpu::Buffer,
    /// One [`Run`] per page, then one over all, each at a multiple of `run_stride`.
    pub runs: wgpu::Buffer,
    pub run_stride: u32,
    block_rows: Vec<MorphBlock>,
    entry_rows: Vec<MorphEntry>,
    /// [`Active::rebuilds`] when the rows were last written.
    rebuilds: u64,
    run_rows: Vec<Run>,
    run_bytes: Vec<u8>,
}

impl MorphTables {
    /// Uploads the deltas and makes room for the longest lists there can be.
    pub fn new(gpu: &Gpu, layout: &Layout, pages: Vec<Page>) -> Self {
        let storage = wgpu::BufferUsages::STORAGE;
        let list = storage | wgpu::BufferUsages::COPY_DST;
        let deltas_of =
            |page: &Page| filled_buffer(gpu, "morph deltas", layout.deltas().bytes_of(page.columns.clone()), storage);
        let deltas = pages.iter().map(deltas_of).collect();
        let mut block_rows = vec![MorphBlock::default(); layout.block_count()];
        for (index, page) in pages.iter().enumerate() {
            for row in &mut block_rows[page.blocks.clone()] {
                (row.page, row.first_column) = (index as u32, page.columns.start as u32);
            }
        }
        let run_stride = gpu.device.limits().min_uniform_buffer_offset_alignment.max(size_of::<Run>() as u32);
        let run_bytes = vec![0; (pages.len() + 1) * run_stride as usize];
        let list_buffer = |label, count: usize, row: usize| empty_buffer(gpu, label, (count * row) as u64, list);
        Self {
            deltas,
            blocks: list_buffer("morph blocks", layout.block_count(), size_of::<MorphBlock>()),
            entries: list_buffer("morph entries", layout.column_count(), size_of::<MorphEntry>()),
            changed_blocks: list_buffer("changed blocks", layout.block_count(), size_of::<u32>()),
            runs: empty_buffer(
                gpu,
                "runs of changed blocks",
                run_bytes.len() as u64,
                wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            ),
            run_stride,
            block_rows,
            entry_rows: Vec::with_capacity(layout.column_count()),
            rebuilds: u64::MAX,
            run_rows: vec![Run::default(); pages.len() + 1],
            run_bytes,
            pages,
        }
    }

    pub fn bytes(&self) -> u64 {
        let lists = [&self.blocks, &self.entries, &self.changed_blocks, &self.runs];
        self.deltas.iter().chain(lists).map(wgpu::Buffer::size).sum()
    }

    /// Sends the lists; they arrive before anything submitted later runs.
    pub fn write(&mut self, queue: &wgpu::Queue, layout: &Layout, active: &Active) {
        if self.rebuilds == active.rebuilds() {
            for blocks in upload_ranges(active.changed_blocks()) {
                let entries = active.entries_of(blocks.start).start..active.entries_of(blocks.end - 1).end;
                self.write_entries(queue, layout, active, entries);
            }
        } else {
            self.rebuilds = active.rebuilds();
            for (block, row) in self.block_rows.iter_mut().enumerate() {
                let entries = active.entries_of(block);
                (row.first_entry, row.entry_count) = (entries.start as u32, entries.len() as u32);
            }
            queue.write_buffer(&self.blocks, 0, bytemuck::cast_slice(&self.block_rows));
            self.write_entries(queue, layout, active, 0..active.entries().len());
        }
        self.write_runs(queue, active);
    }

    fn write_entries(&mut self, queue: &wgpu::Queue, layout: &Layout, active: &Active, entries: Range<usize>) {
        let offset = (entries.start * size_of::<MorphEntry>()) as u64;
        self.entry_rows.clear();
        self.entry_rows.extend(active.entries()[entries].iter().map(|entry| {
            let weight = active.weights()[entry.target as usize];
            MorphEntry {
                column: entry.column,
                weights: layout.deltas().scales_of(entry.column as usize).map(|scale| weight * scale),
            }
        }));
        queue.write_buffer(&self.entries, offset, bytemuck::cast_slice(&self.entry_rows));
    }

    fn write_runs(&mut self, queue: &wgpu::Queue, active: &Active) {
        let changed = active.changed_blocks();
        let first_in = |block: usize| changed.partition_point(|&changed| (changed as usize) < block) as u32;
        for (run, page) in self.run_rows.iter_mut().zip(&self.pages) {
            run.first = first_in(page.blocks.start);
            run.count = first_in(page.blocks.end) - run.first;
        }
        if let Some(all) = self.run_rows.last_mut() {
            *all = Run { first: 0, count: changed.len() as u32 };
        }
        for (bytes, run) in self.run_bytes.chunks_exact_mut(self.run_stride as usize).zip(&self.run_rows) {
            bytes[..size_of::<Run>()].copy_from_slice(bytemuck::bytes_of(run));
        }
        queue.write_buffer(&self.changed_blocks, 0, bytemuck::cast_slice(changed));
        queue.write_buffer(&self.runs, 0, &self.run_bytes);
    }

    /// The pages that hold changed blocks: index, and number of blocks.
    pub fn changed_pages(&self) -> impl Iterator<Item = (usize, u32)> {
        let runs = self.run_rows.iter().take(self.pages.len()).enumerate();
        runs.map(|(page, run)| (page, run.count)).filter(|(_, count)| *count > 0)
    }

    /// The dynamic offset of a page's run.
    pub fn run_offset(&self, page: usize) -> u32 {
        page as u32 * self.run_stride
    }

    /// The run over all changed blocks: dynamic offset, and number of blocks.
    pub fn whole_run(&self) -> (u32, u32) {
        (self.run_offset(self.pages.len()), self.run_rows.last().map_or(0, |run| run.count))
    }
}

/// Bytes of the multi-pass mode's sums: `[block][pair][lane]`, pairs of floats.
pub(super) fn sum_bytes(layout: &Layout) -> u64 {
    (layout.place_count() * layout.deltas().components().next_multiple_of(2) * size_of::<f32>()) as u64
}

/// A buffer of at least one row of anything, so that it can be bound even when a head has nothing to put in it.
pub(super) fn empty_buffer(gpu: &Gpu, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let size = size.max(16).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
    gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}

fn filled_buffer(gpu: &Gpu, label: &str, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    if contents.is_empty() {
        return empty_buffer(gpu, label, 0, usage);
    }
    gpu.device.create_buffer_init(&BufferInitDescriptor { label: Some(label), contents, usage })
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
}
