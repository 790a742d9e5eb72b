//! The GPU's copy of the layout and of the active lists, shared by all modes. Made once per head; while sliders move,
//! only the lists are written.

use bytemuck::{Pod, Zeroable};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use super::Layout;
use super::active::{Active, Entry};
use super::pages::Page;
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

/// Which of the changed blocks a dispatch works on.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Run {
    /// Where it begins in the list of changed blocks.
    pub first: u32,
    /// How many blocks.
    pub count: u32,
}

/// Slot 0: the vertices at rest, and as the last blend left them. `[vertex][float]`, mesh space.
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
            base: filled_buffer(gpu, "vertices at rest", layout.base(), usage),
            output: filled_buffer(gpu, "blended vertices", layout.base(), written),
        }
    }
}

/// Deltas and lists.
#[derive(Debug)]
pub(super) struct MorphTables {
    pub pages: Vec<Page>,
    /// One buffer per page, `[column][pair][lane]`.
    pub deltas: Vec<wgpu::Buffer>,
    pub blocks: wgpu::Buffer,
    pub entries: wgpu::Buffer,
    pub changed_blocks: wgpu::Buffer,
    /// One [`Run`] per page, then one over all, each at a multiple of `run_stride`.
    pub runs: wgpu::Buffer,
    pub run_stride: u32,
    block_rows: Vec<MorphBlock>,
    run_rows: Vec<Run>,
    run_bytes: Vec<u8>,
}

impl MorphTables {
    /// Uploads the deltas and makes room for the longest lists there can be.
    pub fn new(gpu: &Gpu, layout: &Layout, pages: Vec<Page>) -> Self {
        let storage = wgpu::BufferUsages::STORAGE;
        let list = storage | wgpu::BufferUsages::COPY_DST;
        let deltas_of = |page: &Page| filled_buffer(gpu, "morph deltas", layout.columns(page.columns.clone()), storage);
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
            entries: list_buffer("morph entries", layout.column_count(), size_of::<Entry>()),
            changed_blocks: list_buffer("changed blocks", layout.block_count(), size_of::<u32>()),
            runs: empty_buffer(
                gpu,
                "runs of changed blocks",
                run_bytes.len() as u64,
                wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            ),
            run_stride,
            block_rows,
            run_rows: vec![Run::default(); pages.len() + 1],
            run_bytes,
            pages,
        }
    }

    /// Sends the lists; they arrive before anything submitted later runs.
    pub fn write(&mut self, queue: &wgpu::Queue, active: &Active) {
        for (block, row) in self.block_rows.iter_mut().enumerate() {
            let entries = active.entries_of(block);
            (row.first_entry, row.entry_count) = (entries.start as u32, entries.len() as u32);
        }
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
        queue.write_buffer(&self.blocks, 0, bytemuck::cast_slice(&self.block_rows));
        queue.write_buffer(&self.entries, 0, bytemuck::cast_slice(active.entries()));
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

/// Bytes of the multi-pass mode's sums: `[block][pair][lane]`.
pub(super) fn sum_bytes(layout: &Layout) -> u64 {
    (layout.block_count() * layout.column_floats() * size_of::<f32>()) as u64
}

/// A buffer of at least one row of anything, so that it can be bound even when a head has nothing to put in it.
pub(super) fn empty_buffer(gpu: &Gpu, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let size = size.max(16).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
    gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}

fn filled_buffer(gpu: &Gpu, label: &str, floats: &[f32], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    if floats.is_empty() {
        return empty_buffer(gpu, label, 0, usage);
    }
    let contents = bytemuck::cast_slice(floats);
    gpu.device.create_buffer_init(&BufferInitDescriptor { label: Some(label), contents, usage })
}
