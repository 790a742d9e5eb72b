//! CPU mode: the morph sum on all cores of the CPU.
//!
//! `pulp` compiles the [kernel](blend_block) once per instruction set (SSE2, AVX2, AVX-512, NEON) and selects one at
//! run time; threads share the blocks. An evaluation allocates nothing.
//!
//! The kernel blends one block: it sums the columns, adds the base and renormalises. It is plain Rust over arrays of
//! fixed size, written so that the compiler turns the loops into vector instructions. Everything is inlined into the
//! dispatch of [`CpuBlend`]: what is not inlined is compiled for the baseline instruction set.

use crate::blend::layout::{ATTRIBUTES, HALF_STEP, Halves, Woven};
use crate::blend::{ActiveTargets, BLOCK_SIZE, ColumnData, Layout, MorphedVertex, NormalTables, VANISHING_LENGTH};

/// If fewer bytes than this are read and written, one thread is quicker than several, because starting work on another
/// core takes longer than the work.
const PARALLEL_BYTES: u64 = 256 * 1024;

/// The blended vertices in main memory.
#[derive(Debug)]
pub struct CpuBlend {
    arch: pulp::Arch,
    /// `[place][3]`, in mesh space.
    positions: Vec<f32>,
    normals: Vec<f32>,
    /// `[place][4]`; empty if the head has no tangents.
    tangents: Vec<f32>,
    /// Per block, the sum of all active targets that are not moving. It is computed again whenever the moving set
    /// changes, so that rounding errors do not accumulate.
    cached_sums: Vec<f32>,
    /// Per block, the [`ActiveTargets::moving_set_version`] for which the cached sum is valid.
    cached_versions: Vec<u64>,
}

/// The parts of all outputs that belong to some blocks.
struct Written<'a> {
    positions: &'a mut [f32],
    normals: &'a mut [f32],
    tangents: &'a mut [f32],
    cached_sums: &'a mut [f32],
    cached_versions: &'a mut [u64],
}

impl<'a> Written<'a> {
    fn split_at(self, blocks: usize, column_numbers: usize) -> (Self, Self) {
        let (positions, right_positions) = self.positions.split_at_mut(blocks * POSITIONS);
        let (normals, right_normals) = self.normals.split_at_mut(blocks * POSITIONS);
        let (tangents, right_tangents) = self.tangents.split_at_mut((blocks * TANGENTS).min(self.tangents.len()));
        let (cached_sums, right_cached_sums) = self.cached_sums.split_at_mut(blocks * column_numbers);
        let (cached_versions, right_cached_versions) = self.cached_versions.split_at_mut(blocks);
        let right = Written {
            positions: right_positions,
            normals: right_normals,
            tangents: right_tangents,
            cached_sums: right_cached_sums,
            cached_versions: right_cached_versions,
        };
        (Written { positions, normals, tangents, cached_sums, cached_versions }, right)
    }

    #[inline(always)]
    fn block(&mut self, at: usize, column_numbers: usize) -> BlockOut<'_> {
        BlockOut {
            positions: &mut self.positions[at * POSITIONS..][..POSITIONS],
            normals: &mut self.normals[at * POSITIONS..][..POSITIONS],
            tangents: self.tangents.get_mut(at * TANGENTS..(at + 1) * TANGENTS).unwrap_or_default(),
            cached_sums: &mut self.cached_sums[at * column_numbers..][..column_numbers],
            cached_version: &mut self.cached_versions[at],
        }
    }
}

impl CpuBlend {
    /// The vertices at rest.
    pub fn new(layout: &Layout) -> Self {
        let places = layout.order.place_count();
        let (positions, rest) = layout.order.base().split_at(places * 3);
        let (normals, tangents) = rest.split_at(places * 3);
        Self {
            arch: pulp::Arch::new(),
            positions: positions.to_vec(),
            normals: normals.to_vec(),
            tangents: tangents.to_vec(),
            cached_sums: vec![0.0; layout.order.block_count() * layout.deltas().column_numbers()],
            cached_versions: vec![0; layout.order.block_count()],
        }
    }

    /// Blends the changed blocks from the base, so that no rounding error accumulates from one evaluation to the next.
    pub fn evaluate(&mut self, layout: &Layout, active: &ActiveTargets) {
        let threads =
            if active.bytes_with_cached_sums(layout) < PARALLEL_BYTES { 1 } else { rayon::current_num_threads() };
        let written = Written {
            positions: &mut self.positions,
            normals: &mut self.normals,
            tangents: &mut self.tangents,
            cached_sums: &mut self.cached_sums,
            cached_versions: &mut self.cached_versions,
        };
        BlockRange { layout, active, first_block: 0, written }.blend(self.arch, threads);
    }

    /// Recomputes the normals of some of the blocks that were blended last.
    pub fn recompute(&mut self, layout: &Layout, tables: &NormalTables, blocks: &[u32]) {
        if !layout.deltas().moves_tangents() {
            // The blend does not write tangents that no delta changes: they are still those of the last recomputation.
            self.restore_tangents(layout, blocks);
        }
        tables.recompute(blocks, &self.positions, &mut self.normals, &mut self.tangents);
    }

    fn restore_tangents(&mut self, layout: &Layout, blocks: &[u32]) {
        let base = &layout.order.base()[layout.order.place_count() * 6..];
        for block in blocks.iter().map(|&block| block as usize * TANGENTS..(block as usize + 1) * TANGENTS) {
            if let (Some(tangents), Some(base)) = (self.tangents.get_mut(block.clone()), base.get(block)) {
                tangents.copy_from_slice(base);
            }
        }
    }

    /// Puts normals and tangents back to rest.
    pub fn restore_directions(&mut self, layout: &Layout) {
        let (normals, tangents) = layout.order.directions().split_at(self.normals.len());
        self.normals.copy_from_slice(normals);
        self.tangents.copy_from_slice(tangents);
    }

    /// Bytes of all vertices and cached sums.
    pub fn bytes(&self) -> u64 {
        let vertices: u64 = self.sections().into_iter().map(|section| size_of_val(section) as u64).sum();
        vertices + (size_of_val(self.cached_sums.as_slice()) + size_of_val(self.cached_versions.as_slice())) as u64
    }

    pub fn vertices(&self, layout: &Layout) -> Vec<MorphedVertex> {
        layout.order.vertices_of(&self.sections().concat())
    }

    /// The blended positions `[place][3]`, normals `[place][3]` and tangents, `[place][4]` or empty.
    pub fn sections(&self) -> [&[f32]; 3] {
        [&self.positions, &self.normals, &self.tangents]
    }
}

/// Neighbouring blocks that one thread blends. Everything that `with_simd` calls must be inlined into it: what is not
/// inlined is compiled for the baseline instruction set.
struct BlockRange<'a> {
    layout: &'a Layout,
    active: &'a ActiveTargets,
    first_block: usize,
    written: Written<'a>,
}

impl BlockRange<'_> {
    /// Blends on `threads` threads. The cuts are the same each time, so that a thread finds its blocks in its core's
    /// cache.
    fn blend(self, arch: pulp::Arch, threads: usize) {
        if threads < 2 {
            arch.dispatch(self);
            return;
        }
        let BlockRange { layout, active, first_block, written } = self;
        let blocks = first_block..first_block + written.cached_versions.len();
        let left_threads = threads / 2;
        let cut = active.cut(blocks, left_threads, threads);
        let (left, right) = written.split_at(cut - first_block, layout.deltas().column_numbers());
        rayon::join(
            || BlockRange { layout, active, first_block, written: left }.blend(arch, left_threads),
            || BlockRange { layout, active, first_block: cut, written: right }.blend(arch, threads - left_threads),
        );
    }
}

impl pulp::WithSimd for BlockRange<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _simd: S) {
        for at in 0..self.written.cached_versions.len() {
            let block = self.first_block + at;
            if self.active.is_changed(block) {
                let out = self.written.block(at, self.layout.deltas().column_numbers());
                match self.layout.deltas().components() {
                    3 => blend_block::<{ 3 * BLOCK_SIZE }>(self.layout, self.active, block, out),
                    6 => blend_block::<{ 6 * BLOCK_SIZE }>(self.layout, self.active, block, out),
                    _ => blend_block::<{ 10 * BLOCK_SIZE }>(self.layout, self.active, block, out),
                }
            }
        }
    }
}

/// The number of numbers in a plane of pairs: two per vertex of a block.
const PLANE: usize = 2 * BLOCK_SIZE;

const POSITIONS: usize = 3 * BLOCK_SIZE;

const TANGENTS: usize = 4 * BLOCK_SIZE;

/// How far ahead columns are prefetched. The CPU's own prefetcher does not follow from one column to the next;
/// prefetching saves a seventh to a quarter of the time.
const PREFETCHED_BYTES: usize = 4096;

struct BlockOut<'a> {
    pub positions: &'a mut [f32],
    pub normals: &'a mut [f32],
    /// Empty if the head has no tangents.
    pub tangents: &'a mut [f32],
    /// The sum of all active targets that are not moving.
    pub cached_sums: &'a mut [f32],
    /// The [`ActiveTargets::moving_set_version`] for which the cached sum is valid.
    pub cached_version: &'a mut u64,
}

/// The columns of one precision. A trait and not closures, because closures are not reliably inlined.
trait Summed {
    /// A float, or a word of two packed numbers.
    type Item;

    /// Bytes that one number of a delta takes.
    const NUMBER_BYTES: usize;

    /// The numbers of the column with the head-wide index `at`.
    fn column<const NUMBERS: usize>(&self, at: usize) -> &[Self::Item];

    /// Adds a column times `weight`. Each precision has its own order of sums.
    fn add<const NUMBERS: usize>(&self, sums: &mut [f32; NUMBERS], at: usize, weight: f32);
}

/// Exact columns. Their sums are in the order of the columns, `[pair][lane][2]`.
struct Exact<'a>(&'a [f32]);

/// Packed columns and their scales. If a column has positions alone, the sums are in the order of the columns;
/// otherwise their order is `[component][lane]`.
struct Packed<'a>(&'a [u32], &'a [[f32; ATTRIBUTES]]);

impl Summed for Exact<'_> {
    type Item = f32;
    const NUMBER_BYTES: usize = size_of::<f32>();

    #[inline(always)]
    fn column<const NUMBERS: usize>(&self, at: usize) -> &[f32] {
        &self.0[at * NUMBERS..][..NUMBERS]
    }

    #[inline(always)]
    fn add<const NUMBERS: usize>(&self, sums: &mut [f32; NUMBERS], at: usize, weight: f32) {
        let column = self.column::<NUMBERS>(at);
        for at in 0..NUMBERS {
            sums[at] += weight * column[at];
        }
    }
}

impl Summed for Packed<'_> {
    type Item = u32;
    const NUMBER_BYTES: usize = size_of::<u32>() / 2;

    #[inline(always)]
    fn column<const NUMBERS: usize>(&self, at: usize) -> &[u32] {
        &self.0[at * (NUMBERS / 2)..][..NUMBERS / 2]
    }

    #[inline(always)]
    fn add<const NUMBERS: usize>(&self, sums: &mut [f32; NUMBERS], at: usize, weight: f32) {
        let words = self.column::<NUMBERS>(at);
        let [position, normal, tangent] = self.1[at];
        let [position, normal, tangent] = [weight * position, weight * normal, weight * tangent];
        if NUMBERS == POSITIONS {
            let (halves, position) = (&bytemuck::cast_slice::<u32, i16>(words)[..NUMBERS], position * HALF_STEP);
            for at in 0..NUMBERS {
                sums[at] += position * f32::from(halves[at]);
            }
            return;
        }
        let (positions, rest) = sums.split_at_mut(POSITIONS);
        let (normals, tangents) = rest.split_at_mut(POSITIONS);
        let (woven, halves) = words.split_at(POSITIONS);
        for at in 0..POSITIONS {
            positions[at] += position * Woven(woven[at]).position();
            normals[at] += normal * Woven(woven[at]).normal();
        }
        for (sums, words) in tangents.chunks_exact_mut(PLANE).zip(halves.chunks_exact(BLOCK_SIZE)) {
            let (first, second) = sums.split_at_mut(BLOCK_SIZE);
            for lane in 0..BLOCK_SIZE {
                first[lane] += tangent * Halves(words[lane]).first();
                second[lane] += tangent * Halves(words[lane]).second();
            }
        }
    }
}

/// Blends a block whose columns have `NUMBERS` numbers.
#[inline(always)]
fn blend_block<const NUMBERS: usize>(layout: &Layout, active: &ActiveTargets, block: usize, out: BlockOut<'_>) {
    let mut sums = [0.0; NUMBERS];
    let are_pairs = match layout.deltas().columns() {
        ColumnData::Exact(columns) => {
            sum_block(&mut sums, active, block, &Exact(columns), out.cached_sums, out.cached_version);
            true
        }
        ColumnData::Packed(columns, scales) => {
            sum_block(&mut sums, active, block, &Packed(columns, scales), out.cached_sums, out.cached_version);
            NUMBERS == POSITIONS
        }
    };
    if are_pairs {
        sums = separated(&sums);
    }
    let places = layout.order.place_count();
    let (base_positions, rest) = layout.order.base().split_at(places * 3);
    let (base_normals, base_tangents) = rest.split_at(places * 3);
    write_positions(out.positions, &base_positions[block * POSITIONS..][..POSITIONS], &sums[..POSITIONS]);
    if NUMBERS > POSITIONS {
        let base_normals = &base_normals[block * POSITIONS..][..POSITIONS];
        write_directions::<3>(out.normals, base_normals, &sums[POSITIONS..][..POSITIONS]);
    }
    if NUMBERS == 10 * BLOCK_SIZE {
        let base_tangents = &base_tangents[block * TANGENTS..][..TANGENTS];
        write_directions::<4>(out.tangents, base_tangents, &sums[2 * POSITIONS..][..POSITIONS]);
    }
}

/// Sums all active targets of a block. The sum of those that are not moving is cached.
#[inline(always)]
fn sum_block<S: Summed, const NUMBERS: usize>(
    sums: &mut [f32; NUMBERS],
    active: &ActiveTargets,
    block: usize,
    columns: &S,
    cached_sums: &mut [f32],
    cached_version: &mut u64,
) {
    let (entries, weights, moving) = (active.entries(), active.weights(), active.moving());
    if moving.is_empty() {
        let ahead = (PREFETCHED_BYTES / (NUMBERS * S::NUMBER_BYTES)).max(1);
        for at in active.entries_of(block) {
            // At the end of this block's entries, those of the next block follow.
            if let Some(coming) = entries.get(at + ahead) {
                prefetch(columns.column::<NUMBERS>(coming.column as usize));
            }
            columns.add(sums, entries[at].column as usize, weights[entries[at].target as usize]);
        }
        return;
    }
    if *cached_version == active.moving_set_version() {
        sums.copy_from_slice(cached_sums);
    } else {
        for entry in &entries[active.entries_of(block)] {
            if !moving.contains(&entry.target) {
                columns.add(sums, entry.column as usize, weights[entry.target as usize]);
            }
        }
        cached_sums.copy_from_slice(sums);
        *cached_version = active.moving_set_version();
    }
    for &target in moving {
        for entry in active.entries_of_target(block, target) {
            columns.add(sums, entry.column as usize, weights[target as usize]);
        }
    }
}

/// Loads a column into the cache while others are summed.
#[inline(always)]
#[allow(unsafe_code, reason = "stable Rust has no safe prefetch")]
fn prefetch<N>(column: &[N]) {
    #[cfg(target_arch = "x86_64")]
    for line in column.chunks(64 / size_of::<N>()) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is a hint. It reads nothing and is valid for any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

/// Reorders sums from `[pair][lane][2]` to `[component][lane]`.
#[inline(always)]
fn separated<const NUMBERS: usize>(pairs: &[f32; NUMBERS]) -> [f32; NUMBERS] {
    let mut sums = *pairs;
    if NUMBERS == POSITIONS {
        for lane in 0..BLOCK_SIZE {
            sums[lane] = pairs[2 * lane];
            sums[BLOCK_SIZE + lane] = pairs[2 * lane + 1];
        }
        return sums;
    }
    let (positions, rest) = sums.split_at_mut(POSITIONS);
    let (normals, tangents) = rest.split_at_mut(POSITIONS);
    let (woven, halves) = pairs.split_at(2 * POSITIONS);
    for at in 0..POSITIONS {
        positions[at] = woven[2 * at];
        normals[at] = woven[2 * at + 1];
    }
    for (sums, pairs) in tangents.chunks_exact_mut(PLANE).zip(halves.chunks_exact(PLANE)) {
        for lane in 0..BLOCK_SIZE {
            sums[lane] = pairs[2 * lane];
            sums[BLOCK_SIZE + lane] = pairs[2 * lane + 1];
        }
    }
    sums
}

/// Adds the base to the summed deltas, whose order is `[axis][lane]`.
///
/// Here and below, several simple loops over all lanes follow each other: the compiler turns each into vector
/// instructions, but not a single loop that does everything. This saves a third of the time.
#[inline(always)]
fn write_positions(positions: &mut [f32], base: &[f32], deltas: &[f32]) {
    let (positions, base, deltas) = (&mut positions[..POSITIONS], &base[..POSITIONS], &deltas[..POSITIONS]);
    let mut rows = [0.0; POSITIONS];
    for lane in 0..BLOCK_SIZE {
        rows[3 * lane] = deltas[lane];
        rows[3 * lane + 1] = deltas[BLOCK_SIZE + lane];
        rows[3 * lane + 2] = deltas[2 * BLOCK_SIZE + lane];
    }
    for at in 0..POSITIONS {
        positions[at] = base[at] + rows[at];
    }
}

/// Adds the base to summed deltas of directions, and renormalises. Where the result vanishes, the base is used. If a
/// direction has a fourth number, it is not written.
#[inline(always)]
fn write_directions<const STRIDE: usize>(directions: &mut [f32], base: &[f32], deltas: &[f32]) {
    let (directions, base) = (&mut directions[..STRIDE * BLOCK_SIZE], &base[..STRIDE * BLOCK_SIZE]);
    let deltas = &deltas[..POSITIONS];
    let mut blended = [[0.0; BLOCK_SIZE]; 3];
    for lane in 0..BLOCK_SIZE {
        blended[0][lane] = base[STRIDE * lane];
        blended[1][lane] = base[STRIDE * lane + 1];
        blended[2][lane] = base[STRIDE * lane + 2];
    }
    for lane in 0..BLOCK_SIZE {
        let base = [blended[0][lane], blended[1][lane], blended[2][lane]];
        let delta = [deltas[lane], deltas[BLOCK_SIZE + lane], deltas[2 * BLOCK_SIZE + lane]];
        [blended[0][lane], blended[1][lane], blended[2][lane]] = renormalised(base, delta);
    }
    for lane in 0..BLOCK_SIZE {
        directions[STRIDE * lane] = blended[0][lane];
        directions[STRIDE * lane + 1] = blended[1][lane];
        directions[STRIDE * lane + 2] = blended[2][lane];
    }
}

#[inline(always)]
fn renormalised(base: [f32; 3], delta: [f32; 3]) -> [f32; 3] {
    let sum = [base[0] + delta[0], base[1] + delta[1], base[2] + delta[2]];
    let squared = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    let is_direction = squared > (VANISHING_LENGTH * VANISHING_LENGTH) as f32;
    let scale = 1.0 / squared.sqrt();
    [0, 1, 2].map(|axis| if is_direction { sum[axis] * scale } else { base[axis] })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::blend::Precision;
    use smirk_face::head::{Head, Mesh, Target, Vertices};

    use super::*;

    /// Three blocks, and a target that moves each alone.
    fn layout() -> Layout {
        let target = |first: u32| Target {
            rows: (first..first + 64).collect(),
            positions: vec![Vec3::X; 64],
            normals: vec![Vec3::Y; 64],
            ..Target::default()
        };
        let mesh = Mesh {
            vertices: Vertices { positions: vec![Vec3::ZERO; 192], normals: vec![Vec3::Z; 192], ..Vertices::default() },
            targets: [0, 64, 128].map(target).into(),
            ..Mesh::default()
        };
        Layout::new(&Head::from_meshes(vec![mesh]), Precision::Exact)
    }

    #[test]
    fn only_blocks_of_changed_targets_are_written() {
        let layout = layout();
        let (mut active, mut cpu) = (ActiveTargets::new(&layout), CpuBlend::new(&layout));
        let mut weights = [0.5; 3];
        active.update(&layout, &weights);
        cpu.evaluate(&layout, &active);
        let moved = layout.columns_of_target(1)[0].block as usize;
        for weight in [0.25, 0.75, 0.0] {
            cpu.positions.fill(f32::NAN);
            cpu.normals.fill(f32::NAN);
            weights[1] = weight;
            assert!(active.update(&layout, &weights));
            cpu.evaluate(&layout, &active);
            for floats in [&cpu.positions, &cpu.normals] {
                let is_written =
                    |block: usize| floats[block * POSITIONS..][..POSITIONS].iter().all(|it| it.is_finite());
                let written: Vec<usize> = (0..3).filter(|&block| is_written(block)).collect();
                assert_eq!(written, [moved], "at {weight}");
            }
        }
        assert!(!active.update(&layout, &weights), "nothing changed, so nothing is to be blended");
    }

    #[test]
    fn a_head_without_columns_stays_at_rest() {
        let vertices = Vertices { positions: vec![Vec3::ONE; 70], normals: vec![Vec3::Z; 70], ..Vertices::default() };
        let mesh = Mesh { vertices, targets: vec![Target::default()], ..Mesh::default() };
        let head = Head::from_meshes(vec![mesh]);
        for precision in [Precision::Exact, Precision::Packed] {
            let layout = Layout::new(&head, precision);
            let (mut active, mut cpu) = (ActiveTargets::new(&layout), CpuBlend::new(&layout));
            active.update(&layout, &[1.0]);
            active.change_also(&[0, 1]);
            cpu.evaluate(&layout, &active);
            assert!(cpu.sections().concat() == layout.order.base());
        }
    }

    #[test]
    fn a_direction_that_vanishes_keeps_the_base() {
        assert_eq!(renormalised([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]), [0.0, 0.0, 1.0]);
        assert_eq!(renormalised([0.0; 3], [0.0; 3]), [0.0; 3]);
        assert_eq!(renormalised([0.0, 0.0, 1.0], [0.0, 0.0, 3.0]), [0.0, 0.0, 1.0]);
    }
}
