//! What CPU mode does to one block: sum the columns, add the base, renormalise.
//!
//! Plain Rust over fixed-size arrays, shaped so that the compiler makes vector instructions of it. Everything is inlined into
//! [`cpu`](super::cpu)'s dispatch: what is not would be compiled for the least of the instruction sets.

use super::active::{Active, Entry};
use super::column::ATTRIBUTES;
use super::deltas::Columns;
use super::layout::{BLOCK_SIZE, Layout};
use super::reference::VANISHING_LENGTH;

/// Numbers in a plane of pairs.
const PLANE: usize = 2 * BLOCK_SIZE;

/// Floats of a block's positions, or normals.
pub const POSITIONS: usize = 3 * BLOCK_SIZE;

/// Floats of a block's tangents.
pub const TANGENTS: usize = 4 * BLOCK_SIZE;

/// How far ahead columns are asked for: the processor by itself loses the thread from one to the next (an eighth of the time).
const PREFETCHED_BYTES: usize = 4096;

/// One block's part of everything that is written.
pub(super) struct BlockOut<'a> {
    pub positions: &'a mut [f32],
    pub normals: &'a mut [f32],
    /// None where the head has no tangents.
    pub tangents: &'a mut [f32],
    /// As a column lies: what is added by targets that do not move under the hand.
    pub resting: &'a mut [f32],
    /// The [`Active::hand`] the resting sum is good for.
    pub hand: &'a mut u64,
}

/// Blends a block of columns of so many numbers.
#[inline(always)]
pub(super) fn blend_block<const NUMBERS: usize>(layout: &Layout, active: &Active, block: usize, out: BlockOut<'_>) {
    let mut sums = [0.0; NUMBERS];
    match layout.deltas().columns() {
        Columns::Exact(columns) => {
            sum_block(&mut sums, active, block, columns, |_| [1.0; ATTRIBUTES], out.resting, out.hand);
        }
        Columns::Packed(columns, scales) => {
            let scales_of = |column: usize| scales[column];
            sum_block(&mut sums, active, block, columns, scales_of, out.resting, out.hand);
        }
    }
    let places = layout.place_count();
    let (base_positions, rest) = layout.base().split_at(places * 3);
    let (base_normals, base_tangents) = rest.split_at(places * 3);
    let base_positions = &base_positions[block * POSITIONS..][..POSITIONS];
    let mut axes = Axes::ZERO;
    axes.take_pair_first(&sums, 0);
    write_positions(out.positions, base_positions, &axes);
    if NUMBERS > 3 * BLOCK_SIZE {
        let base_normals = &base_normals[block * POSITIONS..][..POSITIONS];
        axes.take_pair_last(&sums);
        write_directions::<3>(out.normals, base_normals, &mut axes);
    }
    if NUMBERS == 10 * BLOCK_SIZE {
        let base_tangents = &base_tangents[block * TANGENTS..][..TANGENTS];
        axes.take_pair_first(&sums, 3);
        write_directions::<4>(out.tangents, base_tangents, &mut axes);
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
    hand: &mut u64,
) {
    let entries = active.entries_of(block);
    let moving = active.moving();
    if moving.is_empty() {
        let ahead = (PREFETCHED_BYTES / (NUMBERS * size_of::<N>())).max(1);
        let entries = entries.map(|at| {
            // The next block's, where this one's are at their end.
            if let Some(coming) = active.entries().get(at + ahead) {
                prefetch(&columns[coming.column as usize * NUMBERS..][..NUMBERS]);
            }
            &active.entries()[at]
        });
        sum_columns(sums, entries, active.weights(), columns, scales_of);
        return;
    }
    let entries = &active.entries()[entries];
    let is_moving = |entry: &Entry| moving.contains(&entry.target);
    if *hand == active.hand() {
        sums.copy_from_slice(resting);
    } else {
        let still = entries.iter().filter(|entry| !is_moving(entry));
        sum_columns(sums, still, active.weights(), columns, &scales_of);
        resting.copy_from_slice(sums);
        *hand = active.hand();
    }
    for &target in moving {
        sum_columns(sums, active.entries_of_target(block, target), active.weights(), columns, &scales_of);
    }
}

/// Has a column brought nearer while others are summed.
#[inline(always)]
#[allow(unsafe_code, reason = "stable Rust has no safe prefetch")]
fn prefetch<N>(column: &[N]) {
    #[cfg(target_arch = "x86_64")]
    for line in column.chunks(64 / size_of::<N>()) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint; nothing is read, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
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

/// Adds weight · column for every entry, each column from end to end as it lies.
#[inline(always)]
fn sum_columns<'a, N: Copy + Into<f32>, const NUMBERS: usize>(
    sums: &mut [f32; NUMBERS],
    entries: impl Iterator<Item = &'a Entry>,
    weights: &[f32],
    columns: &[N],
    scales_of: impl Fn(usize) -> [f32; ATTRIBUTES],
) {
    for entry in entries {
        let column = &columns[entry.column as usize * NUMBERS..][..NUMBERS];
        let weight = weights[entry.target as usize];
        let [position, normal, tangent] = scales_of(entry.column as usize).map(|scale| weight * scale);
        if NUMBERS == 3 * BLOCK_SIZE {
            add_weighted(sums, column, position);
            continue;
        }
        // z of the position and x of the normal take turns in the second plane. Their weights are written out for it: with
        // two multiplications a step the compiler would shuffle.
        let in_turn = [[position, normal]; BLOCK_SIZE];
        let in_turn = in_turn.as_flattened();
        add_weighted(&mut sums[..PLANE], &column[..PLANE], position);
        for at in 0..PLANE {
            sums[PLANE + at] += in_turn[at] * column[PLANE + at].into();
        }
        add_weighted(&mut sums[2 * PLANE..3 * PLANE], &column[2 * PLANE..3 * PLANE], normal);
        add_weighted(&mut sums[3 * PLANE..], &column[3 * PLANE..], tangent);
    }
}

#[inline(always)]
fn add_weighted<N: Copy + Into<f32>>(sums: &mut [f32], numbers: &[N], weight: f32) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += weight * (*number).into());
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
