//! A column: what one target adds to the vertices of one block, and how it is packed into 16 bits a number.
//!
//! A column is dense: planes of pairs of floats, `[pair][lane][2]`, so that vertices beside each other read what lies beside
//! each other, one by one or four at once. With an odd number of components (positions alone) the last plane is `[lane]`.
//!
//! Packed, a number is `scale · i`, `i` in -32767..=32767, with one scale per attribute and column. The error of a mix is at
//! most Σ|weight|·error; where that could exceed what [`Precision::Packed`](super::Precision) promises at weights of 1, the
//! columns that err most get a second column with what the first left over. It is summed like any other.

use super::BLOCK_SIZE;

/// Attributes a column may hold: position, normal, tangent.
pub const ATTRIBUTES: usize = 3;

const LEVELS: f32 = i16::MAX as f32;

/// Where in a column of so many `components` one of a vertex's is: position 0..3, normal 3..6, tangent 6..9.
pub fn place_in_column(components: usize, component: usize, lane: usize) -> usize {
    let pair = component / 2 * BLOCK_SIZE * 2;
    if component + 1 == components && components % 2 == 1 { pair + lane } else { pair + lane * 2 + component % 2 }
}

/// The attribute of the number at `place`: 0 position, 1 normal, 2 tangent.
fn attribute_at(components: usize, place: usize) -> usize {
    let plane = place / (BLOCK_SIZE * 2) * 2;
    let component = if components == 3 && plane == 2 { 2 } else { plane + place % 2 };
    (component / 3).min(ATTRIBUTES - 1)
}

/// Largest error the vertices of one block may have.
#[derive(Clone, Copy, Debug)]
pub struct Tolerances<'a> {
    /// Per lane.
    pub positions: &'a [f32],
    /// Of normals and tangents.
    pub directions: f32,
}

impl Tolerances<'_> {
    fn of(&self, attribute: usize, lane: usize) -> f32 {
        if attribute == 0 { self.positions[lane] } else { self.directions }
    }
}

/// Whose number is at `place`.
fn lane_at(components: usize, place: usize) -> usize {
    let (plane, at) = (place / (BLOCK_SIZE * 2) * 2, place % (BLOCK_SIZE * 2));
    if plane + 1 == components { at } else { at / 2 }
}

/// A block's columns, packed.
#[derive(Debug, Default)]
pub struct PackedColumns {
    /// Per column.
    pub targets: Vec<u32>,
    /// Per column.
    pub scales: Vec<[f32; ATTRIBUTES]>,
    /// `[column]`, as the exact ones lie.
    pub numbers: Vec<i16>,
}

/// One column rounded, and what that leaves over.
struct Rounded {
    scales: [f32; ATTRIBUTES],
    numbers: Vec<i16>,
    rest: Vec<f32>,
    /// Largest number left over, by what is tolerated.
    worst: f32,
}

impl Rounded {
    fn new(components: usize, column: &[f32], tolerances: &Tolerances<'_>) -> Self {
        let mut scales = [0.0_f32; ATTRIBUTES];
        for (place, number) in column.iter().enumerate() {
            let scale = &mut scales[attribute_at(components, place)];
            *scale = scale.max(number.abs());
        }
        let scales = scales.map(|largest| largest / LEVELS);
        let mut rounded = Self { scales, numbers: Vec::with_capacity(column.len()), rest: column.to_vec(), worst: 0.0 };
        for (place, rest) in rounded.rest.iter_mut().enumerate() {
            let attribute = attribute_at(components, place);
            let level = if scales[attribute] > 0.0 { (*rest / scales[attribute]).round() } else { 0.0 };
            rounded.numbers.push(level as i16);
            *rest -= level * scales[attribute];
            let tolerance = tolerances.of(attribute, lane_at(components, place));
            rounded.worst = rounded.worst.max(rest.abs() / tolerance);
        }
        rounded
    }
}

/// Packs a block's `columns` (one after the other, by target) so that no vertex errs by more than `tolerances` at any
/// weights in -1..1.
pub fn pack(components: usize, targets: &[u32], columns: &[f32], tolerances: &Tolerances<'_>) -> PackedColumns {
    let column_floats = components * BLOCK_SIZE;
    let rounded: Vec<Rounded> =
        columns.chunks_exact(column_floats).map(|column| Rounded::new(components, column, tolerances)).collect();
    // Per number: the sum of what all columns leave over.
    let mut errors = vec![0.0; column_floats];
    for column in &rounded {
        errors.iter_mut().zip(&column.rest).for_each(|(error, rest)| *error += rest.abs());
    }
    let mut by_error: Vec<usize> = (0..rounded.len()).collect();
    by_error.sort_by(|&a, &b| rounded[b].worst.total_cmp(&rounded[a].worst));
    let mut seconds: Vec<Option<Rounded>> = rounded.iter().map(|_| None).collect();
    for column in by_error {
        if is_within(components, &errors, tolerances) {
            break;
        }
        let second = Rounded::new(components, &rounded[column].rest, tolerances);
        let change = second.rest.iter().zip(&rounded[column].rest).map(|(after, before)| after.abs() - before.abs());
        errors.iter_mut().zip(change).for_each(|(error, change)| *error += change);
        seconds[column] = Some(second);
    }
    let mut packed = PackedColumns::default();
    for ((&target, first), second) in targets.iter().zip(rounded).zip(seconds) {
        for column in [Some(first), second].into_iter().flatten() {
            packed.targets.push(target);
            packed.scales.push(column.scales);
            packed.numbers.extend_from_slice(&column.numbers);
        }
    }
    packed
}

/// Whether the length of every vertex's error is tolerable, attribute by attribute.
fn is_within(components: usize, errors: &[f32], tolerances: &Tolerances<'_>) -> bool {
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
    fn every_number_has_a_place_of_its_own() {
        for components in [3, 6, 10] {
            let mut places: Vec<usize> = (0..components)
                .flat_map(|component| (0..BLOCK_SIZE).map(move |lane| place_in_column(components, component, lane)))
                .collect();
            for (component, places) in places.chunks_exact(BLOCK_SIZE).enumerate() {
                let attribute = (component / 3).min(ATTRIBUTES - 1);
                assert!(places.iter().all(|&place| attribute_at(components, place) == attribute));
            }
            places.sort_unstable();
            assert!(places.into_iter().eq(0..components * BLOCK_SIZE), "{components}");
        }
    }

    fn tolerances(positions: &[f32]) -> Tolerances<'_> {
        Tolerances { positions, directions: positions[0] }
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
                for (place, sum) in sum.iter_mut().enumerate() {
                    let number = f32::from(packed.numbers[at * column_floats + place]);
                    *sum += number * packed.scales[at][attribute_at(components, place)];
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
    fn what_is_tolerated_decides_who_needs_a_second_column() {
        let targets: Vec<u32> = (0..20).collect();
        for components in [3, 6] {
            let exact = columns(components, 20);
            for (tolerance, expected) in [(1e-3, 20..=20), (5e-6, 21..=39), (1e-8, 40..=40)] {
                let packed = pack(components, &targets, &exact, &tolerances(&[tolerance; BLOCK_SIZE]));
                assert!(expected.contains(&packed.targets.len()), "{} columns at {tolerance}", packed.targets.len());
                let error = worst_error(components, &targets, &exact, &packed);
                assert!(error <= tolerance * 1.001, "{error} at {tolerance}");
            }
        }
    }

    #[test]
    fn nothing_stays_nothing_and_the_largest_number_is_kept() {
        let mut column = vec![0.0; 6 * BLOCK_SIZE];
        column[5] = -0.25;
        let packed = pack(6, &[3], &column, &tolerances(&[1e-6; BLOCK_SIZE]));
        assert_eq!(packed.numbers.iter().filter(|&&number| number != 0).count(), 1);
        assert_eq!(packed.numbers[5], -32767);
        assert_eq!(packed.scales[0][1..], [0.0, 0.0]);
    }
}
