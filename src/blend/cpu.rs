//! CPU mode: the morph sum on the processor's cores.
//!
//! The loops are plain Rust over fixed-size arrays, shaped so that the compiler makes vector instructions of them; `pulp`
//! compiles them once per instruction set (SSE2, AVX2, AVX-512, NEON) and picks at run time. Nothing is allocated.

use super::active::{Active, Entry};
use super::column::ATTRIBUTES;
use super::layout::{BLOCK_SIZE, Columns, Layout};
use super::reference::VANISHING_LENGTH;
use super::{MorphedVertex, Recompute};

/// Below so many bytes to move, waking another core takes longer than doing it here.
const PARALLEL_BYTES: u64 = 256 * 1024;

/// Numbers in a plane of pairs.
const PLANE: usize = 2 * BLOCK_SIZE;

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
    /// Per block, as a column lies: what the targets add that do not move under the hand. Summed from scratch whenever
    /// others begin to move, so that nothing drifts.
    resting: Vec<f32>,
    /// Per block: the [`Active::hand`] its resting sum is good for.
    hands: Vec<u64>,
}

/// Some blocks' part of everything that is written.
struct Written<'a> {
    positions: &'a mut [f32],
    normals: &'a mut [f32],
    tangents: &'a mut [f32],
    resting: &'a mut [f32],
    hands: &'a mut [u64],
}

impl<'a> Written<'a> {
    fn split_at(self, blocks: usize, column_numbers: usize) -> (Self, Self) {
        let (positions, right_positions) = self.positions.split_at_mut(blocks * POSITIONS);
        let (normals, right_normals) = self.normals.split_at_mut(blocks * POSITIONS);
        let (tangents, right_tangents) = self.tangents.split_at_mut((blocks * TANGENTS).min(self.tangents.len()));
        let (resting, right_resting) = self.resting.split_at_mut(blocks * column_numbers);
        let (hands, right_hands) = self.hands.split_at_mut(blocks);
        let right = Written {
            positions: right_positions,
            normals: right_normals,
            tangents: right_tangents,
            resting: right_resting,
            hands: right_hands,
        };
        (Written { positions, normals, tangents, resting, hands }, right)
    }

    #[inline(always)]
    fn block(&mut self, at: usize, column_numbers: usize) -> Written<'_> {
        Written {
            positions: &mut self.positions[at * POSITIONS..][..POSITIONS],
            normals: &mut self.normals[at * POSITIONS..][..POSITIONS],
            tangents: self.tangents.get_mut(at * TANGENTS..(at + 1) * TANGENTS).unwrap_or_default(),
            resting: &mut self.resting[at * column_numbers..][..column_numbers],
            hands: &mut self.hands[at..at + 1],
        }
    }
}

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
            resting: vec![0.0; layout.block_count() * layout.column_floats()],
            hands: vec![0; layout.block_count()],
        }
    }

    /// Blends the changed blocks from scratch: nothing accumulates from one evaluation to the next.
    pub fn evaluate(&mut self, layout: &Layout, active: &Active) {
        let threads = if active.cpu_bytes(layout) < PARALLEL_BYTES { 1 } else { rayon::current_num_threads() };
        let written = Written {
            positions: &mut self.positions,
            normals: &mut self.normals,
            tangents: &mut self.tangents,
            resting: &mut self.resting,
            hands: &mut self.hands,
        };
        Piece { layout, active, first_block: 0, written }.blend(self.arch, threads);
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

    /// Bytes of all that is kept here.
    pub fn bytes(&self) -> u64 {
        let vertices: u64 = self.sections().into_iter().map(|section| size_of_val(section) as u64).sum();
        vertices + (size_of_val(self.resting.as_slice()) + size_of_val(self.hands.as_slice())) as u64
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

/// Neighbouring blocks. Everything that `with_simd` calls must be inlined there, or it is compiled for the least of the
/// instruction sets.
struct Piece<'a> {
    layout: &'a Layout,
    active: &'a Active,
    first_block: usize,
    written: Written<'a>,
}

impl Piece<'_> {
    /// On so many threads. A thread is given the same blocks again and again: they are still in its cache.
    fn blend(self, arch: pulp::Arch, threads: usize) {
        if threads < 2 {
            arch.dispatch(self);
            return;
        }
        let Piece { layout, active, first_block, written } = self;
        let blocks = first_block..first_block + written.hands.len();
        let left_threads = threads / 2;
        let cut = active.cut(blocks, left_threads, threads);
        let (left, right) = written.split_at(cut - first_block, layout.column_floats());
        rayon::join(
            || Piece { layout, active, first_block, written: left }.blend(arch, left_threads),
            || Piece { layout, active, first_block: cut, written: right }.blend(arch, threads - left_threads),
        );
    }
}

impl pulp::WithSimd for Piece<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _simd: S) {
        for at in 0..self.written.hands.len() {
            let block = self.first_block + at;
            if self.active.is_changed(block) {
                let written = self.written.block(at, self.layout.column_floats());
                match self.layout.components() {
                    3 => blend_block::<{ 3 * BLOCK_SIZE }>(self.layout, self.active, block, written),
                    6 => blend_block::<{ 6 * BLOCK_SIZE }>(self.layout, self.active, block, written),
                    _ => blend_block::<{ 10 * BLOCK_SIZE }>(self.layout, self.active, block, written),
                }
            }
        }
    }
}

#[inline(always)]
fn blend_block<const NUMBERS: usize>(layout: &Layout, active: &Active, block: usize, written: Written<'_>) {
    let mut sums = [0.0; NUMBERS];
    match layout.columns() {
        Columns::Exact(columns) => {
            sum_block(&mut sums, active, block, columns, |_| [1.0; ATTRIBUTES], written.resting, written.hands);
        }
        Columns::Packed(columns, scales) => {
            let scales_of = |column: usize| scales[column];
            sum_block(&mut sums, active, block, columns, scales_of, written.resting, written.hands);
        }
    }
    let places = layout.place_count();
    let (base_positions, rest) = layout.base().split_at(places * 3);
    let (base_normals, base_tangents) = rest.split_at(places * 3);
    let base_positions = &base_positions[block * POSITIONS..][..POSITIONS];
    let mut axes = Axes::ZERO;
    axes.take_pair_first(&sums, 0);
    write_positions(written.positions, base_positions, &axes);
    if NUMBERS > 3 * BLOCK_SIZE {
        let base_normals = &base_normals[block * POSITIONS..][..POSITIONS];
        axes.take_pair_last(&sums);
        write_directions::<3>(written.normals, base_normals, &mut axes);
    }
    if NUMBERS == 10 * BLOCK_SIZE {
        let base_tangents = &base_tangents[block * TANGENTS..][..TANGENTS];
        axes.take_pair_first(&sums, 3);
        write_directions::<4>(written.tangents, base_tangents, &mut axes);
    }
}

/// All that is added in a block. Under a hand, what rests is summed once and then only copied.
#[inline(always)]
fn sum_block<N: Copy + Into<f32>, const NUMBERS: usize>(
    sums: &mut [f32; NUMBERS],
    active: &Active,
    block: usize,
    columns: &[N],
    scales_of: impl Fn(usize) -> [f32; ATTRIBUTES],
    resting: &mut [f32],
    hands: &mut [u64],
) {
    let entries = &active.entries()[active.entries_of(block)];
    let moving = active.moving();
    if moving.is_empty() {
        sum_columns(sums, entries.iter(), active.weights(), columns, scales_of);
        return;
    }
    let is_moving = |entry: &Entry| moving.contains(&entry.target);
    if hands[0] == active.hand() {
        sums.copy_from_slice(resting);
    } else {
        let still = entries.iter().filter(|entry| !is_moving(entry));
        sum_columns(sums, still, active.weights(), columns, &scales_of);
        resting.copy_from_slice(sums);
        hands[0] = active.hand();
    }
    for &target in moving {
        let first = entries.partition_point(|entry| entry.target < target);
        let of_target = entries[first..].iter().take_while(|entry| entry.target == target);
        sum_columns(sums, of_target, active.weights(), columns, &scales_of);
    }
}

/// Three components of all lanes' sums, axis by axis.
struct Axes {
    x: [f32; BLOCK_SIZE],
    y: [f32; BLOCK_SIZE],
    z: [f32; BLOCK_SIZE],
}

impl Axes {
    const ZERO: Self = Self { x: [0.0; BLOCK_SIZE], y: [0.0; BLOCK_SIZE], z: [0.0; BLOCK_SIZE] };

    /// From components 0, 1, 2 or 6, 7, 8: a pair, and half of the next one or a plane of its own.
    #[inline(always)]
    fn take_pair_first(&mut self, sums: &[f32], first_plane: usize) {
        let pairs = &sums[first_plane * PLANE..][..PLANE];
        let rest = &sums[(first_plane + 1) * PLANE..];
        for lane in 0..BLOCK_SIZE {
            self.x[lane] = pairs[2 * lane];
            self.y[lane] = pairs[2 * lane + 1];
        }
        if rest.len() < PLANE {
            self.z.copy_from_slice(&rest[..BLOCK_SIZE]);
        } else {
            let rest = &rest[..PLANE];
            for lane in 0..BLOCK_SIZE {
                self.z[lane] = rest[2 * lane];
            }
        }
    }

    /// From components 3, 4, 5: half of a pair, and the next.
    #[inline(always)]
    fn take_pair_last(&mut self, sums: &[f32]) {
        let pairs = &sums[PLANE..3 * PLANE];
        for lane in 0..BLOCK_SIZE {
            self.x[lane] = pairs[2 * lane + 1];
        }
        for lane in 0..BLOCK_SIZE {
            self.y[lane] = pairs[PLANE + 2 * lane];
            self.z[lane] = pairs[PLANE + 2 * lane + 1];
        }
    }
}

/// Adds weight · column for every entry, plane by plane in the order the numbers lie: a plane's sums stay in registers.
#[inline(always)]
fn sum_columns<'a, N: Copy + Into<f32>, const NUMBERS: usize>(
    sums: &mut [f32; NUMBERS],
    entries: impl Iterator<Item = &'a Entry> + Clone,
    weights: &[f32],
    columns: &[N],
    scales_of: impl Fn(usize) -> [f32; ATTRIBUTES],
) {
    let column_of = |entry: &Entry| &columns[entry.column as usize * NUMBERS..][..NUMBERS];
    let weight_of =
        |entry: &Entry, attribute: usize| weights[entry.target as usize] * scales_of(entry.column as usize)[attribute];
    if NUMBERS == 3 * BLOCK_SIZE {
        for entry in entries {
            let weight = weight_of(entry, 0);
            sums.iter_mut().zip(column_of(entry)).for_each(|(sum, number)| *sum += weight * (*number).into());
        }
        return;
    }
    for (plane, plane_sums) in sums.as_chunks_mut::<PLANE>().0.iter_mut().enumerate() {
        let mut registers = *plane_sums;
        for entry in entries.clone() {
            let numbers = &column_of(entry)[plane * PLANE..][..PLANE];
            if plane == 1 {
                // z of the position, x of the normal, and so on.
                let (even, odd) = (weight_of(entry, 0), weight_of(entry, 1));
                for lane in 0..BLOCK_SIZE {
                    registers[2 * lane] += even * numbers[2 * lane].into();
                    registers[2 * lane + 1] += odd * numbers[2 * lane + 1].into();
                }
            } else {
                let weight = weight_of(entry, plane.div_ceil(2));
                registers.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += weight * (*number).into());
            }
        }
        *plane_sums = registers;
    }
}

/// Adds the base once the deltas are summed.
///
/// Here and below, one simple loop after the other over all lanes: each becomes vector instructions, which one loop that does
/// everything would not (a third of the time).
#[inline(always)]
fn write_positions(positions: &mut [f32], base: &[f32], deltas: &Axes) {
    let (positions, base) = (&mut positions[..POSITIONS], &base[..POSITIONS]);
    let mut rows = [0.0; POSITIONS];
    for lane in 0..BLOCK_SIZE {
        rows[3 * lane] = deltas.x[lane];
        rows[3 * lane + 1] = deltas.y[lane];
        rows[3 * lane + 2] = deltas.z[lane];
    }
    for at in 0..POSITIONS {
        positions[at] = base[at] + rows[at];
    }
}

/// The same, renormalised; the base where the sum vanishes. A fourth number stays as it is.
#[inline(always)]
fn write_directions<const STRIDE: usize>(directions: &mut [f32], base: &[f32], deltas: &mut Axes) {
    let (directions, base) = (&mut directions[..STRIDE * BLOCK_SIZE], &base[..STRIDE * BLOCK_SIZE]);
    let mut at_rest = Axes::ZERO;
    for lane in 0..BLOCK_SIZE {
        at_rest.x[lane] = base[STRIDE * lane];
        at_rest.y[lane] = base[STRIDE * lane + 1];
        at_rest.z[lane] = base[STRIDE * lane + 2];
    }
    for lane in 0..BLOCK_SIZE {
        let base = [at_rest.x[lane], at_rest.y[lane], at_rest.z[lane]];
        let blended = renormalised(base, [deltas.x[lane], deltas.y[lane], deltas.z[lane]]);
        deltas.x[lane] = blended[0];
        deltas.y[lane] = blended[1];
        deltas.z[lane] = blended[2];
    }
    for lane in 0..BLOCK_SIZE {
        directions[STRIDE * lane] = deltas.x[lane];
        directions[STRIDE * lane + 1] = deltas.y[lane];
        directions[STRIDE * lane + 2] = deltas.z[lane];
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
