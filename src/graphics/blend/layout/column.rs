//! A column: the deltas that one target adds to the vertices of one block, and how they are packed into half as many
//! bits.
//!
//! A column is dense: planes of pairs, `[pair][lane][2]`, so that neighbouring vertices read neighbouring numbers, one
//! vertex or four at once. A lane is a vertex of the block. Positions alone are a plane of (x, y) and one of z alone;
//! with normals, every axis has a plane of (position, normal), and tangents have planes (x, y) and (z, 0) behind them.
//!
//! In a packed column, a pair is a word of 32 bits, and each column has one scale per attribute. A number is the
//! integer that is read from the word, times the scale.
//!
//! The error of a mix is at most Σ|weight|·error. Where that could exceed the bound of [`Precision::Packed`] at
//! weights of 1, the columns with the largest errors get a second column with the rounding errors of the first. It is
//! summed like any other.
//!
//! A word is laid out so that reading its two numbers takes few instructions. Two numbers of one kind are its halves,
//! the first in the lower half. A position and a normal share it unequally, since a normal needs fewer bits: the
//! position is the whole word read as an integer, and the normal is what remains when the position's [`POSITION_BITS`]
//! are shifted out. The bits of the normal change the position by less than a step, and the rounding of the position
//! takes this into account. Numbers are in units of the word; the lower half is shifted to the upper one to be read.

use std::mem::take;

use std::ops::Range;
use strum::IntoStaticStr;

use rayon::prelude::*;

use smirk_face::head::{Bounds, Head, Mesh, ShapeDeltas, Target};

/// The number of vertices in a block.
pub const BLOCK_SIZE: usize = 64;

/// The number of attributes that a column can hold: position, normal, tangent.
pub(crate) const ATTRIBUTES: usize = 3;

/// The index of one number in a column of `components` numbers per delta: `lane` is the vertex, `component` the number
/// of its delta (position 0..3, normal 3..6, tangent 6..9).
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

/// The difference between neighbouring packed numbers of an attribute, in units of the integer that is read from the
/// word.
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
    fn of_number(&self, attribute: usize, lane: usize) -> f32 {
        if attribute == 0 { self.positions[lane] } else { self.directions }
    }
}

#[derive(Debug, Default)]
pub(super) struct PackedColumns {
    pub targets: Vec<u32>,
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

/// Rounds a column with the widest instructions that the processor has. What is not inlined into `with_simd` is
/// compiled without them, and so is a closure.
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

/// The largest of the first numbers of some pairs, and of the second ones, which are not negative; or 0. NaN is left
/// out. Of several maxima, each is of every so many numbers, so that the compiler can look at several numbers at once.
/// There are whole [`LANES`] of numbers.
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
/// any weights up to the largest of each target. `targets` are the targets of the columns, each with its largest
/// weight.
pub(super) fn pack(
    components: usize,
    targets: &[(u32, f32)],
    columns: &[f32],
    tolerances: &BlockTolerance<'_>,
) -> PackedColumns {
    let column_floats = components * BLOCK_SIZE;
    let tolerated: Vec<f32> = (0..column_floats)
        .map(|place| number_at(components, place))
        .map(|number| tolerances.of_number(number.attribute, number.lane))
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
        (0..components / 3).all(|attribute| {
            let components_of_attribute = (attribute * 3..).take(3);
            let errors = components_of_attribute.map(|at| errors[place_in_column(components, at, lane)]);
            let squares: f32 = errors.map(|error| error.powi(2)).sum();
            squares <= tolerances.of_number(attribute, lane).powi(2)
        })
    })
}

/// The columns of neighbouring blocks.
#[derive(Default)]
pub(in crate::blend) struct ColumnRun {
    /// The number of columns of each block.
    pub column_counts: Vec<u32>,
    pub targets: Vec<u32>,
    /// The box of each column's position deltas, which contains zero.
    pub boxes: Vec<Bounds>,
    pub words: Vec<u32>,
    pub scales: Vec<[f32; ATTRIBUTES]>,
    pub floats: Vec<f32>,
}

impl ColumnRun {
    /// The columns of all blocks of several runs that follow each other.
    pub(super) fn join(mut runs: Vec<Self>) -> Self {
        Self {
            column_counts: joined(&mut runs, |run| &mut run.column_counts),
            targets: joined(&mut runs, |run| &mut run.targets),
            boxes: runs.iter_mut().flat_map(|run| take(&mut run.boxes)).collect(),
            words: joined(&mut runs, |run| &mut run.words),
            scales: joined(&mut runs, |run| &mut run.scales),
            floats: joined(&mut runs, |run| &mut run.floats),
        }
    }
}

/// Moves one list of each run into a common list, on all cores: the columns of a large head are hundreds of megabytes.
fn joined<T: bytemuck::Pod + Send + Sync>(
    runs: &mut [ColumnRun],
    list_of: impl Fn(&mut ColumnRun) -> &mut Vec<T>,
) -> Vec<T> {
    let lists: Vec<Vec<T>> = runs.iter_mut().map(|run| take(list_of(run))).collect();
    let mut all = bytemuck::zeroed_vec(lists.iter().map(Vec::len).sum());
    let mut left = all.as_mut_slice();
    let places = lists.into_iter().map(|list| (left.split_off_mut(..list.len()), list)).collect::<Vec<_>>();
    places.into_par_iter().for_each(|(place, list)| place.into_iter().for_each(|place| place.copy_from_slice(&list)));
    all
}

/// The number of bits for the position in a word that holds a position and a normal. `POSITION_BITS` in
/// `morph/sum.wgsl`.
pub(in crate::blend) const POSITION_BITS: u32 = 18;

/// The number of bits of each of two numbers of one kind.
pub(in crate::blend) const HALF_BITS: u32 = u32::BITS / 2;

/// The difference between neighbouring values of such a number, in units of the word.
pub(in crate::blend) const HALF_STEP: f32 = (1_u32 << HALF_BITS) as f32;

/// A position and a normal in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blend) struct Woven(pub u32);

impl Woven {
    /// The word whose numbers are nearest to these, which must be within the range of their bits.
    #[inline(always)]
    pub(crate) fn new(position: f32, normal: f32) -> Self {
        const NORMAL_BITS: u32 = u32::BITS - POSITION_BITS;
        const LIMIT: i32 = 1 << (POSITION_BITS - 1);
        const NORMAL_LIMIT: i32 = 1 << (NORMAL_BITS - 1);
        let low = rounded(normal / (1_u32 << POSITION_BITS) as f32, NORMAL_LIMIT) as u32;
        let low = low & ((1 << NORMAL_BITS) - 1);
        let high = rounded_f64((f64::from(position) - f64::from(low)) / f64::from(1_u32 << NORMAL_BITS), LIMIT);
        Self((high as u32) << NORMAL_BITS | low)
    }

    #[inline(always)]
    pub(crate) fn position(self) -> f32 {
        self.0 as i32 as f32
    }

    #[inline(always)]
    pub(crate) fn normal(self) -> f32 {
        (self.0 << POSITION_BITS) as i32 as f32
    }
}

/// Two numbers of one kind in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blend) struct Halves(pub u32);

impl Halves {
    /// The word whose numbers are nearest to these, which must be within the range of their bits.
    #[inline(always)]
    pub(crate) fn new(numbers: [f32; 2]) -> Self {
        const LIMIT: i32 = 1 << (HALF_BITS - 1);
        let [first, second] = numbers.map(|number| rounded(number / HALF_STEP, LIMIT) as u32);
        Self(second << HALF_BITS | first & ((1 << HALF_BITS) - 1))
    }

    #[inline(always)]
    pub(crate) fn first(self) -> f32 {
        (self.0 << HALF_BITS) as i32 as f32
    }

    #[inline(always)]
    pub(crate) fn second(self) -> f32 {
        (self.0 >> HALF_BITS << HALF_BITS) as i32 as f32
    }
}

/// The nearest integer in `-limit..limit`, halves away from zero as [`f64::round`] rounds them. Unlike that, it
/// compiles to a few instructions on every processor, and to those that work on several numbers at once. `limit` is at
/// most 2^23.
#[inline(always)]
fn rounded(number: f32, limit: i32) -> i32 {
    let whole = (number as i32).clamp(-limit, limit - 1);
    let rest = number - whole as f32;
    (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)).clamp(-limit, limit - 1)
}

/// [`rounded`] of numbers with more digits than an `f32` has.
#[inline(always)]
fn rounded_f64(number: f64, limit: i32) -> i32 {
    let whole = (number as i32).clamp(-limit, limit - 1);
    let rest = number - f64::from(whole);
    (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)).clamp(-limit, limit - 1)
}

/// The numbers that deltas are stored as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Precision {
    /// 16 bits a number; where there are normals, a position has 18 bits and the normal 14. This takes half the memory,
    /// and half the time where blending is limited by memory bandwidth. At any mix of weights in -1..1 the error of a
    /// position is at most 1e-5 of the head's size, and that of a direction, blended or recomputed, at most 0.1°,
    /// unless the sum is much shorter than the directions it blends.
    #[default]
    Packed,
    /// The file's 32-bit floats.
    Exact,
}

impl Precision {
    /// The precision that the flag `--exact` selects.
    pub fn exact_if(exact: bool) -> Self {
        if exact { Self::Exact } else { Self::Packed }
    }

    /// The name on the Readout page.
    pub fn label(self) -> &'static str {
        match self {
            Self::Packed => "packed, 16 bit",
            Self::Exact => "exact, 32 bit",
        }
    }

    /// The name in tables and reports of `smirk bench`.
    pub fn keyword(self) -> &'static str {
        self.into()
    }
}

/// The numbers of all columns, column after column.
#[derive(Clone, Copy, Debug)]
pub enum ColumnData<'a> {
    /// The file's floats.
    Exact(&'a [f32]),
    /// Words of two numbers each, to be multiplied by a scale per column and attribute (position, normal, tangent).
    Packed(&'a [u32], &'a [[f32; ATTRIBUTES]]),
}

/// The columns of all targets of a head. The order within one column is described in `column.rs`.
#[derive(Clone, Debug, Default)]
pub struct DeltaColumns {
    components: usize,
    precision: Precision,
    floats: Vec<f32>,
    words: Vec<u32>,
    scales: Vec<[f32; ATTRIBUTES]>,
}

impl DeltaColumns {
    pub(in crate::blend) fn new(components: usize, precision: Precision, run: ColumnRun) -> Self {
        Self { components, precision, floats: run.floats, words: run.words, scales: run.scales }
    }

    /// The number of numbers per delta: 3 (position), 6 (position, normal) or 10 (position, normal, tangent and a
    /// zero); as few as the head's targets need.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Whether any target changes tangents; otherwise a blend has the tangents at rest.
    pub fn moves_tangents(&self) -> bool {
        self.components == 10
    }

    pub fn precision(&self) -> Precision {
        self.precision
    }

    pub fn column_numbers(&self) -> usize {
        self.components * BLOCK_SIZE
    }

    pub fn column_bytes(&self) -> usize {
        match self.precision {
            Precision::Exact => self.column_numbers() * size_of::<f32>(),
            Precision::Packed => self.column_numbers() / 2 * size_of::<u32>(),
        }
    }

    #[inline]
    pub fn columns(&self) -> ColumnData<'_> {
        match self.precision {
            Precision::Exact => ColumnData::Exact(&self.floats),
            Precision::Packed => ColumnData::Packed(&self.words, &self.scales),
        }
    }

    pub fn bytes_of(&self, columns: Range<usize>) -> &[u8] {
        let bytes: &[u8] = match self.precision {
            Precision::Exact => bytemuck::cast_slice(&self.floats),
            Precision::Packed => bytemuck::cast_slice(&self.words),
        };
        &bytes[columns.start * self.column_bytes()..columns.end * self.column_bytes()]
    }

    /// The scales of a column: what a weight is multiplied by, per attribute. 1 if deltas are exact.
    pub fn scales_of(&self, column: usize) -> [f32; ATTRIBUTES] {
        self.scales.get(column).copied().unwrap_or([1.0; ATTRIBUTES])
    }

    /// The largest rounding error of a column's positions: half a step if packed, 0 if exact.
    pub fn rounding_of(&self, column: usize) -> f32 {
        self.scales.get(column).map_or(0.0, |[position, ..]| 0.5 * position * step_of(self.components, 0))
    }

    /// Bytes of all columns, without their scales.
    pub fn bytes(&self) -> u64 {
        (size_of_val(self.floats.as_slice()) + size_of_val(self.words.as_slice())) as u64
    }

    /// Bytes of all columns, with their scales.
    pub fn all_bytes(&self) -> u64 {
        self.bytes() + size_of_val(self.scales.as_slice()) as u64
    }
}

fn shapes(mesh: &Mesh) -> impl Iterator<Item = ShapeDeltas<'_>> {
    mesh.targets.iter().flat_map(Target::shapes)
}

/// See [`DeltaColumns::components`].
pub(in crate::blend) fn components_of(head: &Head) -> usize {
    let moves_tangents = head
        .meshes
        .iter()
        .any(|mesh| !mesh.vertices.tangents.is_empty() && shapes(mesh).any(|shape| !shape.tangents.is_empty()));
    if moves_tangents {
        10
    } else if head.meshes.iter().flat_map(shapes).any(|shape| !shape.normals.is_empty()) {
        6
    } else {
        3
    }
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

    #[test]
    fn numbers_are_rounded_as_the_standard_library_does() {
        let numbers = [0.0, 0.499_999_999, 0.5, 0.500_000_1, 1.5, 2.5, 6.999, 7.49, 7.5, 7.6, 8.0, 8.5, 9.0, 1e9, 1e30];
        for number in numbers.into_iter().flat_map(|number: f64| [number, -number]) {
            assert_eq!(rounded_f64(number, 8), (number.round() as i32).clamp(-8, 7), "{number}");
            let number = number as f32;
            assert_eq!(rounded(number, 8), (number.round() as i32).clamp(-8, 7), "{number}");
        }
        assert_eq!((rounded(f32::NAN, 8), rounded_f64(f64::NAN, 8)), (0, 0));
    }

    #[test]
    fn a_word_reads_as_the_numbers_it_was_made_from() {
        let steps = [(1_u32 << (u32::BITS - POSITION_BITS)) as f32, (1_u32 << POSITION_BITS) as f32];
        let largest = [steps[0], steps[1], HALF_STEP].map(|step| 2.0_f32.powi(31) - step);
        for (first, second) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (0.3, -0.7), (-1e-9, 0.5)] {
            let woven = Woven::new(first * largest[0], second * largest[1]);
            // An f32 holds 24 of the word's 31 bits.
            assert!((woven.position() - first * largest[0]).abs() <= 0.5 * steps[0] + 128.0, "{first}, {second}");
            assert!((woven.normal() - second * largest[1]).abs() <= 0.5 * steps[1], "{first}, {second}");
            let halves = Halves::new([first * largest[2], second * largest[2]]);
            assert!((halves.first() - first * largest[2]).abs() <= 0.5 * HALF_STEP, "{first}, {second}");
            assert!((halves.second() - second * largest[2]).abs() <= 0.5 * HALF_STEP, "{first}, {second}");
            assert_eq!(bytemuck::cast::<_, [i16; 2]>(halves.0)[0], (halves.first() / HALF_STEP) as i16);
        }
        assert_eq!((Woven::new(0.0, 0.0), Halves::new([0.0; 2])), (Woven(0), Halves(0)));
    }
}
