//! The deltas and the lists of active targets on the GPU, shared by all modes. The buffers are made once per head;
//! while sliders move, only the lists are written.
//!
//! While the moving set ([`ActiveTargets::moving`]) stays the same, compute mode sums all other targets once and then
//! reads that cached sum. In this case the entries of the moving targets have weight 0 in the list of each block.
//! Further entries of the same targets with their actual weights are stored after the lists of all blocks, and only
//! these are uploaded from then on.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::on_gpu::upload_ranges;
use super::shaders::MAX_PAGES;
use super::unavailable::Unavailable;
use crate::blend::layout::ATTRIBUTES;
use crate::blend::{ActiveEntry, ActiveTargets, Layout};
use crate::gpu::Gpu;
use smirk_scene::BlendMode;

/// A row of `morph_blocks`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct MorphBlock {
    /// The index of the block's first entry.
    pub first_entry: u32,
    pub entry_count: u32,
    /// The page that holds the block's columns.
    pub page: u32,
    /// The first column of that page, counted over the whole head.
    pub first_column: u32,
}

/// A row of `morph_entries`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct MorphEntry {
    /// A column, counted over the whole head.
    pub column: u32,
    /// The weight of the target times the column's scale, for position, normal and tangent. It is not limited to 0..1.
    pub weights: [f32; ATTRIBUTES],
}

/// A row of `changed_blocks`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct ChangedBlock {
    pub index: u32,
    /// The index of the block's first entry of a moving target.
    pub first_moving: u32,
    /// The index after the block's last entry of a moving target.
    pub end_moving: u32,
    /// Fills the row up to four numbers, because the shader reads it as one vector.
    pub padding: u32,
}

/// Which of the changed blocks a dispatch works on.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Run {
    /// The index of the first block in the list of changed blocks.
    pub first: u32,
    pub count: u32,
    /// The use of the cached sums of the targets that are not moving, the number of a `CachedSums`.
    pub cached_sums: u32,
    /// Fills the row up to a multiple of 16 bytes.
    pub padding: u32,
}

/// What a dispatch does with the cached sums: the values of [`Run::cached_sums`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CachedSums {
    Unused = 0,
    Write = 1,
    Read = 2,
}

/// The largest possible number of entries: one per column, and after them those of the moving set, which
/// are at most a third as many.
pub(in crate::blend) fn entry_limit(layout: &Layout) -> usize {
    layout.column_count() + layout.column_count().div_ceil(3)
}

/// The buffers, and the rows that are written to them.
#[derive(Debug)]
pub(in crate::blend) struct MorphTables {
    pub pages: Vec<Page>,
    /// One buffer per page, with its columns.
    pub deltas: Vec<wgpu::Buffer>,
    pub blocks: wgpu::Buffer,
    pub entries: wgpu::Buffer,
    pub changed_blocks: wgpu::Buffer,
    /// One [`Run`] per page, then one over all changed blocks, each at a multiple of `run_stride` bytes.
    pub runs: wgpu::Buffer,
    pub run_stride: u32,
    block_rows: Vec<MorphBlock>,
    entry_rows: Vec<MorphEntry>,
    /// The value of [`ActiveTargets::rebuilds`] when the rows were last written.
    rebuilds: u64,
    /// The [`ActiveTargets::moving_set_version`] for which the cached sums are valid.
    cached_version: Option<u64>,
    changed_rows: Vec<ChangedBlock>,
    run_rows: Vec<Run>,
    run_bytes: Vec<u8>,
}

impl MorphTables {
    /// Uploads the deltas, and creates the other buffers with the size of the longest possible lists.
    pub(crate) fn new(gpu: &Gpu, layout: &Layout, pages: Vec<Page>) -> Self {
        let storage = wgpu::BufferUsages::STORAGE;
        let list = storage | wgpu::BufferUsages::COPY_DST;
        let deltas_of =
            |page: &Page| gpu.filled_buffer("morph deltas", layout.deltas().bytes_of(page.columns.clone()), storage);
        let deltas = pages.iter().map(deltas_of).collect();
        let mut block_rows = vec![MorphBlock::default(); layout.order.block_count()];
        for (index, page) in pages.iter().enumerate() {
            for row in &mut block_rows[page.blocks.clone()] {
                (row.page, row.first_column) = (index as u32, page.columns.start as u32);
            }
        }
        let run_stride = gpu.device.limits().min_uniform_buffer_offset_alignment.max(size_of::<Run>() as u32);
        let run_bytes = vec![0; (pages.len() + 1) * run_stride as usize];
        let list_buffer = |label, count: usize, row: usize| gpu.buffer(label, (count * row) as u64, list);
        Self {
            deltas,
            blocks: list_buffer("morph blocks", layout.order.block_count(), size_of::<MorphBlock>()),
            entries: list_buffer("morph entries", entry_limit(layout), size_of::<MorphEntry>()),
            changed_blocks: list_buffer("changed blocks", layout.order.block_count(), size_of::<ChangedBlock>()),
            runs: gpu.buffer(
                "runs of changed blocks",
                run_bytes.len() as u64,
                wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            ),
            run_stride,
            block_rows,
            entry_rows: Vec::with_capacity(layout.column_count()),
            rebuilds: u64::MAX,
            cached_version: None,
            changed_rows: Vec::with_capacity(layout.order.block_count()),
            run_rows: vec![Run::default(); pages.len() + 1],
            run_bytes,
            pages,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let lists = [&self.blocks, &self.entries, &self.changed_blocks, &self.runs];
        self.deltas.iter().chain(lists).map(wgpu::Buffer::size).sum()
    }

    /// Uploads the lists. They arrive before anything that is submitted later runs.
    pub(crate) fn write(&mut self, queue: &wgpu::Queue, layout: &Layout, active: &ActiveTargets, mode: BlendMode) {
        let moving = if mode.caches_sums() { active.moving() } else { &[] };
        let version = (!moving.is_empty()).then(|| active.moving_set_version());
        let cached_sums = match version {
            None => CachedSums::Unused,
            Some(_) if version == self.cached_version => CachedSums::Read,
            Some(_) => CachedSums::Write,
        };
        self.cached_version = version;
        if self.rebuilds != active.rebuilds() {
            self.rebuilds = active.rebuilds();
            for (block, row) in self.block_rows.iter_mut().enumerate() {
                let entries = active.entries_of(block);
                (row.first_entry, row.entry_count) = (entries.start as u32, entries.len() as u32);
            }
            queue.write_buffer(&self.blocks, 0, bytemuck::cast_slice(&self.block_rows));
            self.write_entries(queue, layout, active, 0..active.entries().len(), moving);
        } else if cached_sums != CachedSums::Read {
            for blocks in upload_ranges(active.changed_blocks()) {
                let entries = active.entries_of(blocks.start).start..active.entries_of(blocks.end - 1).end;
                self.write_entries(queue, layout, active, entries, moving);
            }
        }
        self.write_changed(queue, layout, active, moving);
        self.write_runs(queue, active, cached_sums);
    }

    /// Writes entries, with weight 0 for the moving targets.
    fn write_entries(
        &mut self,
        queue: &wgpu::Queue,
        layout: &Layout,
        active: &ActiveTargets,
        entries: Range<usize>,
        moving: &[u32],
    ) {
        let offset = (entries.start * size_of::<MorphEntry>()) as u64;
        self.entry_rows.clear();
        self.entry_rows.extend(active.entries()[entries].iter().map(|entry| {
            let weight = if moving.contains(&entry.target) { 0.0 } else { active.weights()[entry.target as usize] };
            entry_row(layout, entry, weight)
        }));
        queue.write_buffer(&self.entries, offset, bytemuck::cast_slice(&self.entry_rows));
    }

    /// Writes the changed blocks, each with its entries of moving targets.
    fn write_changed(&mut self, queue: &wgpu::Queue, layout: &Layout, active: &ActiveTargets, moving: &[u32]) {
        let first_row = layout.column_count();
        self.entry_rows.clear();
        self.changed_rows.clear();
        for &block in active.changed_blocks() {
            let first_moving = (first_row + self.entry_rows.len()) as u32;
            for &target in moving {
                let weight = active.weights()[target as usize];
                let rows =
                    active.entries_of_target(block as usize, target).map(|entry| entry_row(layout, entry, weight));
                self.entry_rows.extend(rows);
            }
            let end_moving = (first_row + self.entry_rows.len()) as u32;
            self.changed_rows.push(ChangedBlock { index: block, first_moving, end_moving, padding: 0 });
        }
        let offset = (first_row * size_of::<MorphEntry>()) as u64;
        queue.write_buffer(&self.entries, offset, bytemuck::cast_slice(&self.entry_rows));
        queue.write_buffer(&self.changed_blocks, 0, bytemuck::cast_slice(&self.changed_rows));
    }

    fn write_runs(&mut self, queue: &wgpu::Queue, active: &ActiveTargets, cached_sums: CachedSums) {
        let changed = active.changed_blocks();
        let first_in = |block: usize| changed.partition_point(|&changed| (changed as usize) < block) as u32;
        let run = |first: u32, end: u32| Run { first, count: end - first, cached_sums: cached_sums as u32, padding: 0 };
        for (row, page) in self.run_rows.iter_mut().zip(&self.pages) {
            *row = run(first_in(page.blocks.start), first_in(page.blocks.end));
        }
        *self.run_rows.last_mut().expect("a row over all blocks comes last") = run(0, changed.len() as u32);
        for (bytes, run) in self.run_bytes.chunks_exact_mut(self.run_stride as usize).zip(&self.run_rows) {
            bytes[..size_of::<Run>()].copy_from_slice(bytemuck::bytes_of(run));
        }
        queue.write_buffer(&self.runs, 0, &self.run_bytes);
    }

    /// The pages with changed blocks: the index of each, and its number of changed blocks.
    pub(crate) fn changed_pages(&self) -> impl Iterator<Item = (usize, u32)> {
        let runs = self.run_rows.iter().take(self.pages.len()).enumerate();
        runs.map(|(page, run)| (page, run.count)).filter(|(_, count)| *count > 0)
    }

    /// The dynamic offset of a page's run.
    pub(crate) fn run_offset(&self, page: usize) -> u32 {
        page as u32 * self.run_stride
    }

    /// The run over all changed blocks: dynamic offset, and number of blocks.
    pub(crate) fn whole_run(&self) -> (u32, u32) {
        (self.run_offset(self.pages.len()), self.run_rows[self.pages.len()].count)
    }
}

fn entry_row(layout: &Layout, entry: &ActiveEntry, weight: f32) -> MorphEntry {
    let scales = layout.deltas().scales_of(entry.column as usize);
    MorphEntry { column: entry.column, weights: scales.map(|scale| weight * scale) }
}

/// Whole blocks whose columns fit into one binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    pub blocks: Range<usize>,
    /// The columns of these blocks, counted over the whole head.
    pub columns: Range<usize>,
}

/// Splits the deltas so that no page takes more than `limit` bytes; an error if one block alone takes more. There is at
/// least one page, even for a head without targets.
pub(super) fn split(layout: &Layout, limit: u64) -> Result<Vec<Page>, Unavailable> {
    let bytes_of = |columns: &Range<usize>| (columns.len() * layout.deltas().column_bytes()) as u64;
    let mut pages = vec![Page { blocks: 0..0, columns: 0..0 }];
    for block in 0..layout.order.block_count() {
        let columns = layout.columns_of_block(block);
        if bytes_of(&columns) > limit {
            return Err(Unavailable::LargeBlock { columns: columns.len(), bytes: bytes_of(&columns), limit });
        }
        let page = pages.last_mut().expect("there is one page at least");
        if bytes_of(&(page.columns.start..columns.end)) > limit {
            pages.push(Page { blocks: block..block + 1, columns });
        } else {
            page.blocks.end = block + 1;
            page.columns.end = columns.end;
        }
    }
    Ok(pages)
}

/// The number of bindings for `page_count` pages of deltas.
pub(super) fn bound_pages(page_count: usize) -> usize {
    if page_count == 1 { 1 } else { MAX_PAGES }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::blend::Precision;
    use crate::blend::active::tests::six_targets_on_a_block;
    use crate::gpu::Prefer;
    use smirk_face::head::{Head, Mesh, Target, Vertices};

    use super::*;

    #[test]
    fn cached_sums_are_written_once_and_then_read() {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let layout = six_targets_on_a_block();
        let mut active = ActiveTargets::new(&layout);
        let mut tables = MorphTables::new(&gpu, &layout, split(&layout, u64::MAX).unwrap());
        let mut weights = [1.0; 6];
        let mut write = |target: usize, weight: f32, mode: BlendMode| {
            weights[target] = weight;
            active.update(&layout, &weights);
            tables.write(&gpu.queue, &layout, &active, mode);
            (tables.run_rows[0].cached_sums, tables.changed_rows[0].end_moving - tables.changed_rows[0].first_moving)
        };
        let (unused, write_sums, read_sums) =
            (CachedSums::Unused as u32, CachedSums::Write as u32, CachedSums::Read as u32);
        assert_eq!(write(0, 1.0, BlendMode::Compute), (unused, 0), "all at once are no moving set");
        assert_eq!(write(2, 0.5, BlendMode::Compute), (write_sums, 1));
        assert_eq!(write(2, 0.4, BlendMode::Compute), (read_sums, 1));
        assert_eq!(write(2, 0.3, BlendMode::Multipass), (unused, 0), "the other modes have no cached sums");
        assert_eq!(write(2, 0.2, BlendMode::Compute), (write_sums, 1), "another mode was in between");
        assert_eq!(write(3, 0.2, BlendMode::Compute), (write_sums, 1), "another moving set");
        assert_eq!(write(3, 0.1, BlendMode::Compute), (read_sums, 1));
    }

    /// Four blocks with 2, 1, 0 and 1 columns of 768 bytes.
    fn layout() -> Layout {
        let deltas = vec![Vec3::X; 64];
        let target = Target::from_dense("target".into(), 0.0, &deltas, &[], &[]);
        let mesh = |target_count| Mesh {
            name: "mesh".into(),
            vertices: Vertices { positions: vec![Vec3::ZERO; 64], ..Default::default() },
            targets: vec![target.clone(); target_count],
            ..Mesh::default()
        };
        let meshes = [2, 1, 0, 1].map(mesh).into();
        let head = Head::from_meshes(meshes);
        Layout::new(&head, Precision::Exact)
    }

    #[test]
    fn one_page_when_all_fits() {
        assert_eq!(split(&layout(), 4 * 768), Ok(vec![Page { blocks: 0..4, columns: 0..4 }]));
    }

    #[test]
    fn pages_hold_whole_blocks() {
        let cut = |block: usize, column: usize| {
            Ok(vec![Page { blocks: 0..block, columns: 0..column }, Page { blocks: block..4, columns: column..4 }])
        };
        assert_eq!(split(&layout(), 4 * 768 - 1), cut(3, 3));
        assert_eq!(split(&layout(), 2 * 768), cut(1, 2));
    }

    #[test]
    fn a_block_larger_than_a_page_is_an_error_with_numbers() {
        assert_eq!(split(&layout(), 1535), Err(Unavailable::LargeBlock { columns: 2, bytes: 1536, limit: 1535 }));
    }
}
