//! A column: the deltas that one target adds to the vertices of one block, and how they are packed into half as many bits.
//!
//! A column is dense: planes of pairs, `[pair][lane][2]`, so that neighbouring vertices read neighbouring numbers, one vertex or
//! four at once. A lane is a vertex of the block. Positions alone are a plane of (x, y) and one of z alone; with normals, every
//! axis has a plane of (position, normal), and tangents have planes (x, y) and (z, 0) behind them.
//!
//! In a packed column, a pair is a [`word`](super::word), and each column has one scale per attribute. A number is the integer that
//! is read from the word, times the scale.
//!
//! The error of a mix is at most Σ|weight|·error. Where that could exceed the bound of [`Precision::Packed`](super::deltas::Precision) at
//! weights of 1, the columns with the largest errors get a second column with the rounding errors of the first. It is summed
//! like any other.

use super::word::{HALF_BITS, Halves, POSITION_BITS, Woven};

/// The number of vertices in a block.
pub const BLOCK_SIZE: usize = 64;

/// The number of attributes that a column can hold: position, normal, tangent.
pub(crate) const ATTRIBUTES: usize = 3;

/// The index of one number in a column of `components` numbers per delta: `lane` is the vertex, `component` the number of its delta
/// (position 0..3, normal 3..6, tangent 6..9).
pub(crate) fn place_in_column(components: usize, component: usize, lane: usize) -> usize {
    let (pair, half) = match (components, component) {
        (3, 2) => return BLOCK_SIZE * 2 + lane,
        (3, _) => (0, component),
        (_, 0..6) => (component % 3, component / 3),
        _ => (component / 2, component % 2),
    };
    (pair * BLOCK_SIZE + lane) * 2 + half
}

/// So many numbers are compared at once. Every plane has a multiple of them.
const LANES: usize = 16;

/// The number of numbers in a plane. The plane of z alone has half as many.
const PLANE_NUMBERS: usize = 2 * BLOCK_SIZE;

/// The attributes of the two numbers of each pair of a plane: 0 position, 1 normal, 2 tangent.
fn attributes_of(components: usize, plane: usize) -> [usize; 2] {
    match (components, plane) {
        (3, _) => [0, 0],
        (_, 0..3) => [0, 1],
        _ => [2, 2],
    }
}

/// The meaning of the number at one index of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    attribute: usize,
    lane: usize,
}

fn number_at(components: usize, place: usize) -> Number {
    let (plane, at) = (place / PLANE_NUMBERS, place % PLANE_NUMBERS);
    let attribute = attributes_of(components, plane)[at % 2];
    Number { attribute, lane: if (components, plane) == (3, 1) { at } else { at / 2 } }
}

/// The number of bits of each packed number of an attribute.
fn bits_of(components: usize, attribute: usize) -> u32 {
    match attribute {
        0 if components > 3 => POSITION_BITS,
        1 => u32::BITS - POSITION_BITS,
        _ => HALF_BITS,
    }
}

/// The difference between neighbouring packed numbers of an attribute, in units of the integer that is read from the word.
pub(in crate::blend) fn step_of(components: usize, attribute: usize) -> f32 {
    (1_u32 << (u32::BITS - bits_of(components, attribute))) as f32
}

/// The largest errors that packing may cause in one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockTolerance<'a> {
    /// For positions: one per lane.
    pub positions: &'a [f32],
    /// For normals and tangents of all lanes.
    pub directions: f32,
}

impl BlockTolerance<'_> {
    fn of(&self, attribute: usize, lane: usize) -> f32 {
        if attribute == 0 { self.positions[lane] } else { self.directions }
    }
}

/// The packed columns of a block.
#[derive(Debug, Default)]
pub(super) struct PackedColumns {
    /// The target of each column.
    pub targets: Vec<u32>,
    /// The scales of each column.
    pub scales: Vec<[f32; ATTRIBUTES]>,
    /// The columns, one after the other, with their pairs in the order of exact columns.
    pub words: Vec<u32>,
}

/// A column after rounding, with its rounding errors.
struct Rounded {
    scales: [f32; ATTRIBUTES],
    words: Vec<u32>,
    rest: Vec<f32>,
    /// The largest rounding error, divided by the tolerated error.
    worst: f32,
}

impl Rounded {
    /// Rounds a column. `tolerated` is the tolerated error of each of its numbers.
    #[inline(always)]
    fn new(components: usize, column: &[f32], tolerated: &[f32]) -> Self {
        let scales = scales_of(components, column);
        let (mut words, mut rest) = (vec![0; column.len() / 2], column.to_vec());
        let planes = rest.chunks_mut(PLANE_NUMBERS).zip(words.chunks_mut(PLANE_NUMBERS / 2));
        for (plane, (numbers, words)) in planes.enumerate() {
            match attributes_of(components, plane) {
                [position, normal] if position != normal => {
                    round_woven([scales[position], scales[normal]], numbers, words)
                }
                [attribute, _] => round_halves(scales[attribute], numbers, words),
            }
        }
        let parts = rest.as_chunks::<LANES>().0.iter().zip(tolerated.as_chunks::<LANES>().0);
        let parts = parts.map(|(rest, tolerated)| std::array::from_fn(|lane| rest[lane].abs() / tolerated[lane]));
        let [first, second] = largest(parts);
        let worst = first.max(second);
        Self { scales, words, rest, worst }
    }
}

/// Rounds a column with the widest instructions that the processor has. What is not inlined into `with_simd` is compiled without them,
/// and so is a closure.
struct Rounding<'a> {
    components: usize,
    column: &'a [f32],
    tolerated: &'a [f32],
}

impl pulp::WithSimd for Rounding<'_> {
    type Output = Rounded;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) -> Rounded {
        Rounded::new(self.components, self.column, self.tolerated)
    }
}

/// The scale of each attribute, with which its largest number still fits into its bits.
#[inline(always)]
fn scales_of(components: usize, column: &[f32]) -> [f32; ATTRIBUTES] {
    let mut scales = [0.0_f32; ATTRIBUTES];
    for (plane, numbers) in column.chunks(PLANE_NUMBERS).enumerate() {
        let attributes = attributes_of(components, plane);
        let largest = largest(numbers.as_chunks().0.iter().map(|numbers| numbers.map(f32::abs)));
        for (attribute, largest) in attributes.into_iter().zip(largest) {
            scales[attribute] = scales[attribute].max(largest);
        }
    }
    for (attribute, scale) in scales.iter_mut().enumerate() {
        let levels = (1_u32 << (bits_of(components, attribute) - 1)) - 1;
        *scale /= levels as f32 * step_of(components, attribute);
    }
    scales
}

/// The largest of the first numbers of some pairs, and of the second ones, which are not negative; or 0. NaN is left out. Of several
/// maxima, each is of every so many numbers, so that the compiler can look at several numbers at once. There are whole [`LANES`] of numbers.
#[inline(always)]
fn largest(numbers: impl Iterator<Item = [f32; LANES]>) -> [f32; 2] {
    let mut largest = [0.0_f32; LANES];
    for numbers in numbers {
        for (largest, number) in largest.iter_mut().zip(numbers) {
            *largest = if number > *largest { number } else { *largest };
        }
    }
    [0, 1].map(|half| largest.iter().skip(half).step_by(2).copied().fold(0.0, f32::max))
}

/// Rounds pairs of one attribute to words, and leaves the rounding errors in `numbers`.
#[inline(always)]
fn round_halves(scale: f32, numbers: &mut [f32], words: &mut [u32]) {
    for (pair, word) in numbers.as_chunks_mut::<2>().0.iter_mut().zip(words) {
        let halves = Halves::new([in_units(pair[0], scale), in_units(pair[1], scale)]);
        *word = halves.0;
        pair[0] -= halves.first() * scale;
        pair[1] -= halves.second() * scale;
    }
}

/// Rounds pairs of a position and a normal to words, and leaves the rounding errors in `numbers`.
#[inline(always)]
fn round_woven([position, normal]: [f32; 2], numbers: &mut [f32], words: &mut [u32]) {
    for (pair, word) in numbers.as_chunks_mut::<2>().0.iter_mut().zip(words) {
        let woven = Woven::new(in_units(pair[0], position), in_units(pair[1], normal));
        *word = woven.0;
        pair[0] -= woven.position() * position;
        pair[1] -= woven.normal() * normal;
    }
}

#[inline(always)]
fn in_units(number: f32, scale: f32) -> f32 {
    if scale > 0.0 { number / scale } else { 0.0 }
}

/// Packs a block's `columns` (one after the other, by target) so that the error of no vertex exceeds `tolerances` at
/// any weights up to the largest of each target. `targets` are the targets of the columns, each with its largest weight.
pub(super) fn pack(
    components: usize,
    targets: &[(u32, f32)],
    columns: &[f32],
    tolerances: &BlockTolerance<'_>,
) -> PackedColumns {
    let column_floats = components * BLOCK_SIZE;
    let tolerated: Vec<f32> = (0..column_floats)
        .map(|place| number_at(components, place))
        .map(|number| tolerances.of(number.attribute, number.lane))
        .collect();
    let arch = pulp::Arch::new();
    let round = |column: &[f32]| arch.dispatch(Rounding { components, column, tolerated: &tolerated });
    let rounded: Vec<Rounded> = columns.chunks_exact(column_floats).map(round).collect();
    // For every number of a column, the sum of its rounding errors in all columns.
    let mut errors = vec![0.0; column_floats];
    for (column, (_, weight)) in rounded.iter().zip(targets) {
        errors.iter_mut().zip(&column.rest).for_each(|(error, rest)| *error += weight * rest.abs());
    }
    let mut by_error: Vec<usize> = (0..rounded.len()).collect();
    let worst = |column: usize| rounded[column].worst * targets[column].1;
    by_error.sort_by(|&a, &b| worst(b).total_cmp(&worst(a)));
    let mut seconds: Vec<Option<Rounded>> = rounded.iter().map(|_| None).collect();
    for column in by_error {
        if is_within(components, &errors, tolerances) {
            break;
        }
        let second = round(&rounded[column].rest);
        let weight = targets[column].1;
        let change = second.rest.iter().zip(&rounded[column].rest).map(|(after, before)| after.abs() - before.abs());
        let change = change.map(|change| weight * change);
        errors.iter_mut().zip(change).for_each(|(error, change)| *error += change);
        seconds[column] = Some(second);
    }
    let mut packed = PackedColumns::default();
    for ((&(target, _), first), second) in targets.iter().zip(rounded).zip(seconds) {
        for column in [Some(first), second].into_iter().flatten() {
            packed.targets.push(target);
            packed.scales.push(column.scales);
            packed.words.extend_from_slice(&column.words);
        }
    }
    packed
}

/// Whether the length of every vertex's error is within the tolerance, for each attribute.
fn is_within(components: usize, errors: &[f32], tolerances: &BlockTolerance<'_>) -> bool {
    (0..BLOCK_SIZE).all(|lane| {
        let error = |component: usize| errors[place_in_column(components, component, lane)];
        (0..components / 3).all(|attribute| {
            let squares: f32 = (0..3).map(|axis| error(attribute * 3 + axis).powi(2)).sum();
            squares <= tolerances.of(attribute, lane).powi(2)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_an_index_of_its_own() {
        for components in [3, 6, 10] {
            let mut places: Vec<usize> = Vec::new();
            for component in 0..components {
                for lane in 0..BLOCK_SIZE {
                    let place = place_in_column(components, component, lane);
                    let attribute = (component / 3).min(ATTRIBUTES - 1);
                    assert_eq!(number_at(components, place), Number { attribute, lane }, "{components}, {component}");
                    places.push(place);
                }
            }
            places.sort_unstable();
            assert!(places.into_iter().eq(0..components * BLOCK_SIZE), "{components}");
        }
    }

    #[test]
    fn a_column_is_rounded_number_by_number() {
        for components in [3, 6, 10] {
            let column = columns(components, 1);
            let tolerated: Vec<f32> = (0..column.len()).map(|at| 1.0 + (at % 7) as f32).collect();
            let rounded = Rounded::new(components, &column, &tolerated);
            let mut worst = 0.0_f32;
            for (place, &number) in column.iter().enumerate() {
                let attribute = number_at(components, place).attribute;
                let of_attribute = |at: &usize| number_at(components, *at).attribute == attribute;
                let largest = (0..column.len()).filter(of_attribute).map(|at| column[at].abs()).fold(0.0, f32::max);
                let levels = ((1_u32 << (bits_of(components, attribute) - 1)) - 1) as f32;
                let scale = largest / (levels * step_of(components, attribute));
                assert_eq!(rounded.scales[attribute], scale);
                let word = rounded.words[place / 2];
                let read = match (attributes_of(components, place / PLANE_NUMBERS), place % 2) {
                    ([0, 1], 0) => Woven(word).position(),
                    ([0, 1], _) => Woven(word).normal(),
                    (_, 0) => Halves(word).first(),
                    _ => Halves(word).second(),
                };
                assert_eq!(rounded.rest[place], number - read * scale, "{components}, {place}");
                let (step, bits) = (step_of(components, attribute), 24.0);
                let tolerated_error = scale * (0.5 * step + (2.0_f32).powi(31) / 2.0_f32.powf(bits));
                assert!(rounded.rest[place].abs() <= tolerated_error, "{components}, {place}");
                worst = worst.max(rounded.rest[place].abs() / tolerated[place]);
            }
            assert_eq!(rounded.worst, worst);
        }
    }

    fn tolerances(positions: &[f32]) -> BlockTolerance<'_> {
        BlockTolerance { positions, directions: positions[0] }
    }

    fn columns(components: usize, count: usize) -> Vec<f32> {
        (0..count * components * BLOCK_SIZE).map(|at| ((at * 7919 % 10_007) as f32 / 10_007.0 - 0.4) * 0.03).collect()
    }

    fn worst_error(components: usize, targets: &[u32], exact: &[f32], packed: &PackedColumns) -> f32 {
        let column_floats = components * BLOCK_SIZE;
        let mut worst = vec![0.0_f32; column_floats];
        for (target, column) in targets.iter().zip(exact.chunks_exact(column_floats)) {
            let mut sum = vec![0.0; column_floats];
            for (at, _) in packed.targets.iter().enumerate().filter(|(_, of)| *of == target) {
                let words = &packed.words[at * column_floats / 2..][..column_floats / 2];
                for (place, sum) in sum.iter_mut().enumerate() {
                    let word = words[place / 2];
                    let is_woven = components > 3 && place < 6 * BLOCK_SIZE;
                    let read = match (is_woven, place % 2) {
                        (true, 0) => Woven(word).position(),
                        (true, _) => Woven(word).normal(),
                        (false, 0) => Halves(word).first(),
                        (false, _) => Halves(word).second(),
                    };
                    *sum += read * packed.scales[at][number_at(components, place).attribute];
                }
            }
            for ((worst, exact), sum) in worst.iter_mut().zip(column).zip(sum) {
                *worst += (exact - sum).abs();
            }
        }
        (0..BLOCK_SIZE)
            .map(|lane| (0..3).map(|axis| worst[place_in_column(components, axis, lane)].powi(2)).sum::<f32>().sqrt())
            .fold(0.0, f32::max)
    }

    #[test]
    fn a_smaller_tolerance_adds_second_columns() {
        let targets: Vec<u32> = (0..20).collect();
        for components in [3, 6] {
            let exact = columns(components, 20);
            for (tolerance, expected) in [(1e-3, 20..=20), (5e-6, 21..=39), (1e-8, 40..=40)] {
                let weighted: Vec<(u32, f32)> = targets.iter().map(|&target| (target, 1.0)).collect();
                let packed = pack(components, &weighted, &exact, &tolerances(&[tolerance; BLOCK_SIZE]));
                assert!(expected.contains(&packed.targets.len()), "{} columns at {tolerance}", packed.targets.len());
                let error = worst_error(components, &targets, &exact, &packed);
                assert!(error <= tolerance * 1.001, "{error} at {tolerance}");
            }
        }
    }

    #[test]
    fn a_larger_weight_leaves_less_error_to_a_column() {
        let exact = columns(6, 2);
        let columns_at =
            |weight: f32| pack(6, &[(0, weight), (1, weight)], &exact, &tolerances(&[2e-6; BLOCK_SIZE])).targets.len();
        assert_eq!((columns_at(0.01), columns_at(100.0)), (2, 4));
    }

    #[test]
    fn zero_stays_zero_and_the_largest_number_is_exact() {
        let mut column = vec![0.0; 6 * BLOCK_SIZE];
        column[5] = -0.25;
        let packed = pack(6, &[(3, 1.0)], &column, &tolerances(&[1e-6; BLOCK_SIZE]));
        assert_eq!(packed.words.iter().filter(|&&word| word != 0).count(), 1);
        let normal = Woven(packed.words[2]).normal() * packed.scales[0][1];
        assert!((normal + 0.25).abs() < 1e-7, "{normal}");
        assert_eq!([packed.scales[0][0], packed.scales[0][2]], [0.0, 0.0]);
    }
}
