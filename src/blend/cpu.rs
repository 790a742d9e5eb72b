//! CPU mode: the morph sum on the processor's cores.
//!
//! The loops are plain Rust over fixed-size arrays, shaped so that the compiler makes vector instructions of them; `pulp`
//! compiles them once per instruction set (SSE2, AVX2, AVX-512, NEON) and picks at run time. Nothing is allocated.

use rayon::prelude::*;

use super::active::{Active, Entry};
use super::column::ATTRIBUTES;
use super::layout::{BLOCK_SIZE, Columns, Layout};
use super::reference::VANISHING_LENGTH;
use super::{MorphedVertex, Recompute};

/// Blocks a core takes at once.
const BLOCKS_AT_ONCE: usize = 8;

/// Below so many bytes to move, waking another core takes longer than doing it here.
const PARALLEL_BYTES: u64 = 256 * 1024;

/// Entries summed in one go: what is known of them fits the stack.
const ENTRIES_AT_ONCE: usize = 16;

/// Numbers summed in one go: they stay in vector registers.
const RUN: usize = 64;

const POSITIONS: usize = 3 * BLOCK_SIZE;
const TANGENTS: usize = 4 * BLOCK_SIZE;

/// The processor's copy of the blended vertices.
#[derive(Debug)]
pub struct CpuBlend {
    arch: pulp::Arch,
    /// `[place][3]`, mesh space.
    positions: Vec<f32>,
    /// `[place][3]`.
    normals: Vec<f32>,
    /// `[place][4]`, or none.
    tangents: Vec<f32>,
}

/// Some blocks' part of each section.
type Sections<'a> = (&'a mut [f32], &'a mut [f32], &'a mut [f32]);

impl CpuBlend {
    /// At rest.
    pub fn new(layout: &Layout) -> Self {
        let places = layout.place_count();
        let (positions, rest) = layout.base().split_at(places * 3);
        let (normals, tangents) = rest.split_at(places * 3);
        Self {
            arch: pulp::Arch::new(),
            positions: positions.to_vec(),
            normals: normals.to_vec(),
            tangents: tangents.to_vec(),
        }
    }

    /// Blends the changed blocks from scratch: nothing accumulates from one evaluation to the next.
    pub fn evaluate(&mut self, layout: &Layout, active: &Active) {
        let arch = self.arch;
        let blend = |(piece, sections): (usize, Sections<'_>)| {
            let first = piece * BLOCKS_AT_ONCE;
            arch.dispatch(|| blend_blocks(layout, active, first, sections));
        };
        let pieces = self.positions.len().div_ceil(POSITIONS * BLOCKS_AT_ONCE);
        // A piece that is never cut is done here, without waking anyone.
        let least = if active.bytes(layout) < PARALLEL_BYTES { pieces.max(1) } else { 1 };
        let positions = self.positions.par_chunks_mut(POSITIONS * BLOCKS_AT_ONCE);
        let normals = self.normals.par_chunks_mut(POSITIONS * BLOCKS_AT_ONCE);
        let both = positions.zip(normals);
        if self.tangents.is_empty() {
            both.enumerate().with_min_len(least).for_each(|(piece, (positions, normals))| {
                blend((piece, (positions, normals, &mut [])));
            });
        } else {
            let tangents = self.tangents.par_chunks_mut(TANGENTS * BLOCKS_AT_ONCE);
            both.zip(tangents).enumerate().with_min_len(least).for_each(|(piece, ((positions, normals), tangents))| {
                blend((piece, (positions, normals, tangents)));
            });
        }
    }

    /// Recomputes the normals of some of the blocks that were blended last.
    pub fn recompute(&mut self, layout: &Layout, tables: &Recompute, blocks: &[u32]) {
        if !layout.morphs_tangents() {
            // The blend left them as they were made to stand upright before.
            self.restore_tangents(layout, blocks);
        }
        tables.recompute(blocks, &self.positions, &mut self.normals, &mut self.tangents);
    }

    fn restore_tangents(&mut self, layout: &Layout, blocks: &[u32]) {
        let base = &layout.base()[layout.place_count() * 6..];
        for block in blocks.iter().map(|&block| block as usize * TANGENTS..(block as usize + 1) * TANGENTS) {
            if let (Some(tangents), Some(base)) = (self.tangents.get_mut(block.clone()), base.get(block)) {
                tangents.copy_from_slice(base);
            }
        }
    }

    /// Puts normals and tangents back to rest.
    pub fn restore_directions(&mut self, layout: &Layout) {
        let (normals, tangents) = layout.directions().split_at(self.normals.len());
        self.normals.copy_from_slice(normals);
        self.tangents.copy_from_slice(tangents);
    }

    /// Bytes of the vertices.
    pub fn bytes(&self) -> u64 {
        self.sections().into_iter().map(|section| size_of_val(section) as u64).sum()
    }

    /// The blended vertices of the file, in its order.
    pub fn vertices(&self, layout: &Layout) -> Vec<MorphedVertex> {
        layout.vertices_of(&self.sections().concat())
    }

    /// Positions, normals and tangents as they were blended last: `[place][3]`, `[place][3]`, `[place][4]` or none.
    pub fn sections(&self) -> [&[f32]; 3] {
        [&self.positions, &self.normals, &self.tangents]
    }
}

#[inline(always)]
fn blend_blocks(layout: &Layout, active: &Active, first: usize, (positions, normals, tangents): Sections<'_>) {
    let blocks = positions.len() / POSITIONS;
    for at in 0..blocks {
        let block = first + at;
        if !active.is_changed(block) {
            continue;
        }
        let entries = &active.entries()[active.entries_of(block)];
        let tangents = tangents.get_mut(at * TANGENTS..(at + 1) * TANGENTS).unwrap_or_default();
        let sections =
            (&mut positions[at * POSITIONS..][..POSITIONS], &mut normals[at * POSITIONS..][..POSITIONS], tangents);
        match layout.columns() {
            Columns::Exact(columns) => {
                let scales_of = |_| [1.0; ATTRIBUTES];
                blend_block(layout, block, entries, active.weights(), columns, scales_of, sections);
            }
            Columns::Packed(columns, scales) => {
                let scales_of = |column: usize| scales[column];
                blend_block(layout, block, entries, active.weights(), columns, scales_of, sections);
            }
        }
    }
}

#[inline(always)]
fn blend_block<N: Copy + Into<f32>>(
    layout: &Layout,
    block: usize,
    entries: &[Entry],
    weights: &[f32],
    columns: &[N],
    scales_of: impl Fn(usize) -> [f32; ATTRIBUTES],
    (positions, normals, tangents): Sections<'_>,
) {
    let places = layout.place_count();
    let (base_positions, rest) = layout.base().split_at(places * 3);
    let (base_normals, base_tangents) = rest.split_at(places * 3);
    let base_positions = &base_positions[block * POSITIONS..][..POSITIONS];
    let base_normals = &base_normals[block * POSITIONS..][..POSITIONS];
    match layout.components() {
        3 => {
            let mut sums = [0.0; 3 * BLOCK_SIZE];
            sum_columns(&mut sums, entries, weights, columns, scales_of);
            let (xy, z) = sums.split_at(2 * BLOCK_SIZE);
            write_positions(positions, base_positions, |lane| [xy[lane * 2], xy[lane * 2 + 1], z[lane]]);
        }
        6 => {
            let mut sums = [0.0; 6 * BLOCK_SIZE];
            sum_columns(&mut sums, entries, weights, columns, scales_of);
            let planes = Planes(&sums);
            write_positions(positions, base_positions, |lane| planes.triple(0, lane));
            write_directions::<3>(normals, base_normals, |lane| planes.triple(3, lane));
        }
        _ => {
            let mut sums = [0.0; 10 * BLOCK_SIZE];
            sum_columns(&mut sums, entries, weights, columns, scales_of);
            let planes = Planes(&sums);
            write_positions(positions, base_positions, |lane| planes.triple(0, lane));
            write_directions::<3>(normals, base_normals, |lane| planes.triple(3, lane));
            let base_tangents = &base_tangents[block * TANGENTS..][..TANGENTS];
            write_directions::<4>(tangents, base_tangents, |lane| planes.triple(6, lane));
        }
    }
}

/// Sums as they lie in a column of an even number of components.
struct Planes<'a>(&'a [f32]);

impl Planes<'_> {
    #[inline(always)]
    fn at(&self, component: usize, lane: usize) -> f32 {
        self.0[component / 2 * (2 * BLOCK_SIZE) + lane * 2 + component % 2]
    }

    #[inline(always)]
    fn triple(&self, first: usize, lane: usize) -> [f32; 3] {
        [self.at(first, lane), self.at(first + 1, lane), self.at(first + 2, lane)]
    }
}

/// Adds weight · column for every entry, run by run, in the order the numbers lie.
#[inline(always)]
fn sum_columns<N: Copy + Into<f32>>(
    sums: &mut [f32],
    entries: &[Entry],
    weights: &[f32],
    columns: &[N],
    scales_of: impl Fn(usize) -> [f32; ATTRIBUTES],
) {
    let column_numbers = sums.len();
    for entries in entries.chunks(ENTRIES_AT_ONCE) {
        let mut first = [0; ENTRIES_AT_ONCE];
        let mut scaled = [[0.0; ATTRIBUTES]; ENTRIES_AT_ONCE];
        for (at, entry) in entries.iter().enumerate() {
            first[at] = entry.column as usize * column_numbers;
            let weight = weights[entry.target as usize];
            scaled[at] = scales_of(entry.column as usize).map(|scale| weight * scale);
        }
        for (run, sums) in sums.chunks_exact_mut(RUN).enumerate() {
            let [even, odd] = attributes_of(run, column_numbers);
            let mut registers = [0.0; RUN];
            registers.copy_from_slice(sums);
            for (first, scaled) in first.iter().zip(&scaled).take(entries.len()) {
                let numbers = &columns[first + run * RUN..][..RUN];
                let (even, odd) = (scaled[even], scaled[odd]);
                for (pair, numbers) in registers.as_chunks_mut::<2>().0.iter_mut().zip(numbers.as_chunks::<2>().0) {
                    pair[0] += even * numbers[0].into();
                    pair[1] += odd * numbers[1].into();
                }
            }
            sums.copy_from_slice(&registers);
        }
    }
}

/// The attributes of a run's even and odd numbers: position xyz, normal xyz, tangent xyz and a zero, in planes of pairs.
#[inline(always)]
fn attributes_of(run: usize, column_numbers: usize) -> [usize; 2] {
    match run * RUN / (2 * BLOCK_SIZE) {
        0 => [0, 0],
        1 if column_numbers == 3 * BLOCK_SIZE => [0, 0],
        1 => [0, 1],
        2 => [1, 1],
        _ => [2, 2],
    }
}

/// Adds the base once the deltas are summed.
#[inline(always)]
fn write_positions(positions: &mut [f32], base: &[f32], sum: impl Fn(usize) -> [f32; 3]) {
    let rows = positions.as_chunks_mut::<3>().0.iter_mut().zip(base.as_chunks::<3>().0);
    for (lane, (position, base)) in rows.enumerate().take(BLOCK_SIZE) {
        let sum = sum(lane);
        *position = [base[0] + sum[0], base[1] + sum[1], base[2] + sum[2]];
    }
}

/// The same, renormalised; the base where the sum vanishes. A fourth number stays as it is.
#[inline(always)]
fn write_directions<const STRIDE: usize>(directions: &mut [f32], base: &[f32], sum: impl Fn(usize) -> [f32; 3]) {
    let rows = directions.as_chunks_mut::<STRIDE>().0.iter_mut().zip(base.as_chunks::<STRIDE>().0);
    for (lane, (direction, base)) in rows.enumerate().take(BLOCK_SIZE) {
        let delta = sum(lane);
        let blended = renormalised([base[0], base[1], base[2]], delta);
        direction[..3].copy_from_slice(&blended);
    }
}

#[inline(always)]
fn renormalised(base: [f32; 3], delta: [f32; 3]) -> [f32; 3] {
    let sum = [base[0] + delta[0], base[1] + delta[1], base[2] + delta[2]];
    let squared = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    let is_direction = squared > (VANISHING_LENGTH * VANISHING_LENGTH) as f32;
    let scale = 1.0 / squared.sqrt();
    let pick = |axis: usize| if is_direction { sum[axis] * scale } else { base[axis] };
    [pick(0), pick(1), pick(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_that_vanishes_keeps_the_base() {
        assert_eq!(renormalised([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]), [0.0, 0.0, 1.0]);
        assert_eq!(renormalised([0.0; 3], [0.0; 3]), [0.0; 3]);
        assert_eq!(renormalised([0.0, 0.0, 1.0], [0.0, 0.0, 3.0]), [0.0, 0.0, 1.0]);
    }
}
