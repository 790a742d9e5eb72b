//! Least squares with a lower and an upper bound for each unknown.
//!
//! The unknowns `u` that minimise `½ uᵀQu − hᵀu` with `low ≤ u ≤ high`, for a symmetric positive semidefinite `Q`. Projected coordinate
//! descent finds which unknowns are at their bounds; the others are then the exact solution of their equations, by Cholesky's
//! factorisation. An unknown that is wrongly at a bound is released, one that leaves its bounds is stopped there, until none is wrong
//! (bounded-variable least squares: Stark and Parker, "Bounded-Variable Least-Squares: an Algorithm and Applications", 1995). Coordinate
//! descent alone needs thousands of rounds where shapes are alike.

/// A square matrix in the order of its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size] }
    }

    /// A symmetric matrix of the rows of its lower half.
    pub(super) fn of_lower_rows(rows: &[Vec<f64>]) -> Self {
        let mut matrix = Self::zero(rows.len());
        for (at, row) in rows.iter().enumerate() {
            for (other, &value) in row.iter().enumerate() {
                *matrix.at_mut(at, other) = value;
                *matrix.at_mut(other, at) = value;
            }
        }
        matrix
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn row(&self, at: usize) -> &[f64] {
        &self.values[at * self.size..][..self.size]
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    pub(super) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.values[row * self.size + column]
    }

    pub(super) fn scale(&mut self, factor: f64) {
        self.values.iter_mut().for_each(|value| *value *= factor);
    }

    pub(super) fn add_to_diagonal(&mut self, value: f64) {
        (0..self.size).for_each(|at| *self.at_mut(at, at) += value);
    }

    /// The product with a vector.
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Rounds of coordinate descent before the exact solution.
const ROUNDS: usize = 24;
/// An unknown that a round changes less than this is where descent leads.
const SETTLED: f64 = 1e-6;
/// By how much an unknown may be off where its slope is not 0.
const TOLERANCE: f64 = 1e-9;
/// A pivot below this part of the diagonal is 0 but for rounding: the unknown is a sum of others, and stays where it is.
const DEPENDENT: f64 = 1e-12;

/// Replaces `unknowns`, where the search begins, by the solution.
pub(super) fn solve(matrix: &Matrix, right: &[f64], bounds: &[[f64; 2]], unknowns: &mut [f64]) {
    for (unknown, [low, high]) in unknowns.iter_mut().zip(bounds) {
        *unknown = unknown.clamp(*low, *high);
    }
    descend(matrix, right, bounds, unknowns);
    let size = matrix.size();
    let is_usable: Vec<bool> = (0..size).map(|at| matrix.at(at, at) > 0.0).collect();
    let mut is_free: Vec<bool> =
        (0..size).map(|at| is_usable[at] && unknowns[at] > bounds[at][0] && unknowns[at] < bounds[at][1]).collect();
    // Each round but the last one lowers the sum, so that no set of free unknowns comes twice; rounding could let them.
    for _ in 0..8 * size + 8 {
        let free: Vec<usize> = (0..size).filter(|&at| is_free[at]).collect();
        let wanted = solve_free(matrix, right, &free, unknowns);
        // How far the way leads until the first unknown is at a bound.
        let mut stop: Option<(f64, usize)> = None;
        for (&at, &to) in free.iter().zip(&wanted) {
            let (from, [low, high]) = (unknowns[at], bounds[at]);
            let bound = if to < low { low } else { high };
            if to < low || to > high {
                let part = ((bound - from) / (to - from)).clamp(0.0, 1.0);
                if stop.is_none_or(|(least, _)| part < least) {
                    stop = Some((part, at));
                }
            }
        }
        let part = stop.map_or(1.0, |(part, _)| part);
        for (&at, &to) in free.iter().zip(&wanted) {
            unknowns[at] = (unknowns[at] + part * (to - unknowns[at])).clamp(bounds[at][0], bounds[at][1]);
        }
        if let Some((_, at)) = stop {
            let [low, high] = bounds[at];
            unknowns[at] = if unknowns[at] - low < high - unknowns[at] { low } else { high };
            is_free[at] = false;
            continue;
        }
        let worst = (0..size)
            .filter(|&at| is_usable[at] && !is_free[at])
            .map(|at| (at, violation(matrix, right, bounds, unknowns, at)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        match worst {
            Some((at, error)) if error > TOLERANCE => is_free[at] = true,
            _ => return,
        }
    }
}

/// How far an unknown would move alone if its bounds let it; 0 if they do not.
pub(super) fn violation(matrix: &Matrix, right: &[f64], bounds: &[[f64; 2]], unknowns: &[f64], at: usize) -> f64 {
    let (row, diagonal) = (matrix.row(at), matrix.at(at, at));
    if diagonal <= 0.0 {
        return 0.0;
    }
    let to = unknowns[at] + (right[at] - dot(row, unknowns)) / diagonal;
    (to.clamp(bounds[at][0], bounds[at][1]) - unknowns[at]).abs()
}

/// Moves one unknown after the other to its best place within its bounds.
fn descend(matrix: &Matrix, right: &[f64], bounds: &[[f64; 2]], unknowns: &mut [f64]) {
    let product = matrix.times(unknowns);
    let mut slope: Vec<f64> = right.iter().zip(&product).map(|(right, product)| right - product).collect();
    for _ in 0..ROUNDS {
        let mut largest = 0.0_f64;
        for at in 0..matrix.size() {
            let diagonal = matrix.at(at, at);
            if diagonal <= 0.0 {
                continue;
            }
            let to = (unknowns[at] + slope[at] / diagonal).clamp(bounds[at][0], bounds[at][1]);
            let step = to - unknowns[at];
            if step != 0.0 {
                unknowns[at] = to;
                slope.iter_mut().zip(matrix.row(at)).for_each(|(slope, value)| *slope -= step * value);
                largest = largest.max(step.abs());
            }
        }
        if largest < SETTLED {
            return;
        }
    }
}

/// The values of the free unknowns that solve their equations while the others stay. One that is a sum of free ones before it stays too.
fn solve_free(matrix: &Matrix, right: &[f64], free: &[usize], unknowns: &[f64]) -> Vec<f64> {
    let count = free.len();
    // In terms of steps from where they are, so that a dependent one, whose step is 0, stays.
    let mut steps: Vec<f64> = free.iter().map(|&at| right[at] - dot(matrix.row(at), unknowns)).collect();
    let mut lower = Matrix::zero(count);
    let mut is_dependent = vec![false; count];
    for row in 0..count {
        for column in 0..=row {
            let known = dot(&lower.row(row)[..column], &lower.row(column)[..column]);
            let value = matrix.at(free[row], free[column]) - known;
            if row != column {
                *lower.at_mut(row, column) = if is_dependent[column] { 0.0 } else { value / lower.at(column, column) };
            } else if value > DEPENDENT * matrix.at(free[row], free[row]) {
                *lower.at_mut(row, row) = value.sqrt();
            } else {
                is_dependent[row] = true;
            }
        }
    }
    for row in 0..count {
        let known = dot(&lower.row(row)[..row], &steps[..row]);
        steps[row] = if is_dependent[row] { 0.0 } else { (steps[row] - known) / lower.at(row, row) };
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|later| lower.at(later, row) * steps[later]).sum();
        steps[row] = if is_dependent[row] { 0.0 } else { (steps[row] - known) / lower.at(row, row) };
    }
    free.iter().zip(steps).map(|(&at, step)| unknowns[at] + step).collect()
}

/// Which unknowns are sums of earlier ones: `matrix` is that of their products, and an unknown is such a sum if no more than the part
/// `rest` of its length is left. Each with the weights of the earlier ones that are no sums themselves.
pub(super) fn dependent(matrix: &Matrix, rest: f64) -> Vec<(usize, Vec<(usize, f64)>)> {
    let mut kept: Vec<usize> = Vec::new();
    let mut lower: Vec<Vec<f64>> = Vec::new();
    let mut found = Vec::new();
    for at in (0..matrix.size()).filter(|&at| matrix.at(at, at) > 0.0) {
        let mut row: Vec<f64> = Vec::with_capacity(kept.len() + 1);
        for (index, &other) in kept.iter().enumerate() {
            let known = dot(&row, &lower[index][..index]);
            row.push((matrix.at(at, other) - known) / lower[index][index]);
        }
        let left = matrix.at(at, at) - dot(&row, &row);
        if left > rest * rest * matrix.at(at, at) {
            row.push(left.sqrt());
            lower.push(row);
            kept.push(at);
            continue;
        }
        // Back substitution gives the weights of the sum.
        let mut weights = row;
        for index in (0..kept.len()).rev() {
            let known: f64 = (index + 1..kept.len()).map(|later| lower[later][index] * weights[later]).sum();
            weights[index] = (weights[index] - known) / lower[index][index];
        }
        found.push((at, kept.iter().copied().zip(weights).collect()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random;

    /// The products of random vectors of which later ones contain earlier ones, so that they are alike.
    fn products(size: usize, alike: f64, seed: u32) -> (Matrix, Vec<Vec<f64>>) {
        let number = |index: usize| f64::from(random::signed(seed, index as u64));
        let mut vectors: Vec<Vec<f64>> = Vec::new();
        for at in 0..size {
            let own = (0..3 * size).map(|index| number(at * 3 * size + index));
            let own: Vec<f64> = match vectors.last() {
                Some(last) => own.zip(last).map(|(own, last)| last + own * alike).collect(),
                None => own.collect(),
            };
            vectors.push(own);
        }
        let rows: Vec<Vec<f64>> =
            (0..size).map(|row| (0..=row).map(|column| dot(&vectors[row], &vectors[column])).collect()).collect();
        (Matrix::of_lower_rows(&rows), vectors)
    }

    #[test]
    fn the_weights_that_a_sum_was_made_of_are_found_also_where_shapes_are_alike() {
        for (alike, seed) in [(1.0, 1), (0.1, 2), (0.02, 3)] {
            let (matrix, _) = products(40, alike, seed);
            let weights: Vec<f64> =
                (0..40).map(|at| f64::from(random::signed(seed + 9, at)).max(0.0)).map(|it| it.min(1.0)).collect();
            let mut found = vec![0.0; 40];
            solve(&matrix, &matrix.times(&weights), &[[0.0, 1.0]; 40], &mut found);
            let largest = found.iter().zip(&weights).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(largest < 1e-6, "{alike}: {largest}");
        }
    }

    #[test]
    fn at_the_solution_no_unknown_could_be_better_within_its_bounds() {
        for seed in 0..20 {
            let (matrix, _) = products(25, 0.2, seed);
            let right: Vec<f64> = (0..25).map(|at| f64::from(random::signed(seed + 100, at)) * 3.0).collect();
            let bounds: Vec<[f64; 2]> = (0..25).map(|at| [[0.0, 1.0], [-0.5, 2.0]][at % 2]).collect();
            let mut found = vec![0.0; 25];
            solve(&matrix, &right, &bounds, &mut found);
            for at in 0..25 {
                let error = violation(&matrix, &right, &bounds, &found, at);
                assert!(error <= TOLERANCE, "{seed}, {at}: {error}");
            }
            let mut again = vec![1.0; 25];
            solve(&matrix, &right, &bounds, &mut again);
            let largest = found.iter().zip(&again).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(largest < 1e-6, "{seed}: the solution does not depend on where the search begins: {largest}");
        }
    }

    #[test]
    fn sums_of_others_are_found_with_their_weights_and_do_not_stop_the_search() {
        let (_, mut vectors) = products(4, 1.0, 5);
        vectors.insert(3, vectors[0].iter().zip(&vectors[2]).map(|(a, b)| 0.5 * a - 2.0 * b).collect());
        vectors.push(vec![0.0; vectors[0].len()]);
        let rows: Vec<Vec<f64>> =
            (0..6).map(|row| (0..=row).map(|column| dot(&vectors[row], &vectors[column])).collect()).collect();
        let matrix = Matrix::of_lower_rows(&rows);
        let found = dependent(&matrix, 1e-3);
        assert_eq!(found.len(), 1);
        let (at, weights) = &found[0];
        assert_eq!((*at, weights.len()), (3, 3));
        for ((other, weight), expected) in weights.iter().zip([(0, 0.5), (1, 0.0), (2, -2.0)]) {
            assert!(*other == expected.0 && (weight - expected.1).abs() < 1e-6, "{weights:?}");
        }
        let mut found = vec![0.0; 6];
        let right = matrix.times(&[0.2, 0.3, 0.4, 0.0, 0.5, 0.0]);
        solve(&matrix, &right, &[[0.0, 1.0]; 6], &mut found);
        let largest = matrix.times(&found).iter().zip(&right).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(largest < 1e-6 && found[5] == 0.0, "{found:?}");
    }
}
