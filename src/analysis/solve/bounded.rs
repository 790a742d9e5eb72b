//! Least squares with a lower and an upper bound for each unknown.
//!
//! The unknowns `u` that minimise `½ uᵀQu − hᵀu` with `low ≤ u ≤ high`, for a symmetric positive semidefinite `Q`.
//! Projected coordinate descent finds which unknowns are at their bounds; the others are then the exact solution of
//! their equations, by Cholesky's factorisation, which follows every change of which they are. An unknown that is
//! wrongly at a bound is released, one that leaves its bounds is stopped there, until none is wrong (bounded-variable
//! least squares: Stark and Parker, "Bounded-Variable Least-Squares: an Algorithm and Applications", 1995). Coordinate
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

    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    /// Sums that do not wait for each other.
    const SUMS: usize = 8;
    let count = a.len().min(b.len());
    let ((a, a_rest), (b, b_rest)) = (a[..count].as_chunks::<SUMS>(), b[..count].as_chunks::<SUMS>());
    let mut sums = [0.0; SUMS];
    for (a, b) in a.iter().zip(b) {
        (0..SUMS).for_each(|at| sums[at] += a[at] * b[at]);
    }
    sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f64>()
}

/// Rounds of coordinate descent before the exact solution.
const ROUNDS: usize = 24;
/// An unknown that a round changes less than this is where descent leads.
const SETTLED: f64 = 1e-6;
/// By how much an unknown may be off where its slope is not 0.
const TOLERANCE: f64 = 1e-9;
/// A pivot below this part of the diagonal is 0 but for rounding: the unknown is a sum of others, and stays where it
/// is.
const DEPENDENT: f64 = 1e-12;

/// Replaces `unknowns`, where the search begins, by the solution.
pub(super) fn solve(matrix: &Matrix, right: &[f64], bounds: &[[f64; 2]], unknowns: &mut [f64]) {
    for (unknown, [low, high]) in unknowns.iter_mut().zip(bounds) {
        *unknown = unknown.clamp(*low, *high);
    }
    descend(matrix, right, bounds, unknowns);
    let size = matrix.size();
    let is_usable: Vec<bool> = (0..size).map(|at| matrix.at(at, at) > 0.0).collect();
    let mut factor = Factor::default();
    for at in (0..size).filter(|&at| is_usable[at] && unknowns[at] > bounds[at][0] && unknowns[at] < bounds[at][1]) {
        factor.add(matrix, at);
    }
    let slope_at = |unknowns: &[f64]| -> Vec<f64> {
        right.iter().zip(matrix.times(unknowns)).map(|(right, product)| right - product).collect()
    };
    let mut slope = slope_at(unknowns);
    // Each round but the last one lowers the sum, so that no set of free unknowns comes twice; rounding could let them.
    for _ in 0..8 * size + 8 {
        let steps = factor.solve(&slope);
        // How far the way leads until the first unknown is at a bound.
        let mut stop: Option<(f64, usize)> = None;
        for (&at, step) in factor.free.iter().zip(&steps) {
            let (from, to, [low, high]) = (unknowns[at], unknowns[at] + step, bounds[at]);
            let bound = if to < low { low } else { high };
            if to < low || to > high {
                let part = ((bound - from) / (to - from)).clamp(0.0, 1.0);
                if stop.is_none_or(|(least, _)| part < least) {
                    stop = Some((part, at));
                }
            }
        }
        let part = stop.map_or(1.0, |(part, _)| part);
        for (&at, step) in factor.free.iter().zip(&steps) {
            unknowns[at] = (unknowns[at] + part * step).clamp(bounds[at][0], bounds[at][1]);
        }
        if let Some((_, at)) = stop {
            let [low, high] = bounds[at];
            unknowns[at] = if unknowns[at] - low < high - unknowns[at] { low } else { high };
            factor.remove(matrix, at);
            // The steps lead to slopes of 0, so that a part of the way leaves the rest of them.
            slope.iter_mut().for_each(|slope| *slope *= 1.0 - part);
            continue;
        }
        slope = slope_at(unknowns);
        let is_free = factor.are_free(size);
        let worst = (0..size)
            .filter(|&at| is_usable[at] && !is_free[at])
            .map(|at| (at, violation(slope[at] / matrix.at(at, at), bounds[at], unknowns[at])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let largest_step = steps.iter().fold(0.0_f64, |largest, step| largest.max(step.abs()));
        match worst {
            Some((at, error)) if error > TOLERANCE => factor.add(matrix, at),
            // A factor that was changed many times is rounded; another step takes what that leaves.
            _ if largest_step > TOLERANCE && factor.is_changed => factor.is_changed = false,
            _ => return,
        }
    }
}

/// Cholesky's factor of the products of the free unknowns. It follows when one is freed or stopped, which takes the
/// square of their number, where a new factor would take the third power (Golub and Van Loan, "Matrix Computations",
/// 4th edition, 6.5).
#[derive(Debug, Default)]
struct Factor {
    /// The free unknowns, in the order of the rows.
    free: Vec<usize>,
    /// The rows of the lower triangle.
    rows: Vec<Vec<f64>>,
    /// Free unknowns that are sums of those of the rows, and stay where they are, each with its row, which has no
    /// diagonal.
    dependent: Vec<(usize, Vec<f64>)>,
    /// Whether an unknown was stopped since the last solution was looked at.
    is_changed: bool,
}

impl Factor {
    /// Which of so many unknowns are free.
    fn are_free(&self, size: usize) -> Vec<bool> {
        let mut are_free = vec![false; size];
        let dependent = self.dependent.iter().map(|(at, _)| at);
        self.free.iter().chain(dependent).for_each(|&at| are_free[at] = true);
        are_free
    }

    /// Frees an unknown.
    fn add(&mut self, matrix: &Matrix, at: usize) {
        let products = matrix.row(at);
        let mut row: Vec<f64> = Vec::with_capacity(self.free.len() + 1);
        for (other, known) in self.free.iter().zip(&self.rows) {
            let end = row.len();
            row.push((products[*other] - dot(&row, &known[..end])) / known[end]);
        }
        if own_part(matrix, at, &row) > DEPENDENT {
            self.add_row(matrix, at, row);
        } else {
            self.dependent.push((at, row));
        }
    }

    /// Adds the row of an unknown that is no sum of the others.
    fn add_row(&mut self, matrix: &Matrix, at: usize, mut row: Vec<f64>) {
        let diagonal = (matrix.at(at, at) - dot(&row, &row)).sqrt();
        for (other, of_other) in &mut self.dependent {
            of_other.push((matrix.at(at, *other) - dot(&row, of_other)) / diagonal);
        }
        row.push(diagonal);
        self.rows.push(row);
        self.free.push(at);
    }

    /// Stops a free unknown.
    fn remove(&mut self, matrix: &Matrix, at: usize) {
        self.dependent.retain(|(other, _)| *other != at);
        let Some(index) = self.free.iter().position(|&other| other == at) else { return };
        self.is_changed = true;
        self.free.remove(index);
        self.rows.remove(index);
        // What the column of the unknown had taken from the rows after it goes back to them, by a rotation for each.
        let mut rotations: Vec<[f64; 2]> = Vec::with_capacity(self.rows.len() - index);
        for row in &mut self.rows[index..] {
            let taken = take_back(row, index, &rotations);
            let diagonal = row.last_mut().unwrap_or_else(|| unreachable!("a row has its diagonal"));
            let length = diagonal.hypot(taken);
            rotations.push([*diagonal / length, taken / length]);
            *diagonal = length;
        }
        for (_, row) in &mut self.dependent {
            take_back(row, index, &rotations);
        }
        // At most one of those that were sums with it is none any more.
        let parts = self.dependent.iter().map(|(at, row)| own_part(matrix, *at, row)).enumerate();
        if let Some((freed, part)) = parts.max_by(|a, b| a.1.total_cmp(&b.1))
            && part > DEPENDENT
        {
            let (at, row) = self.dependent.remove(freed);
            self.add_row(matrix, at, row);
        }
    }

    /// The steps of the free unknowns after which their slopes are 0.
    fn solve(&self, slope: &[f64]) -> Vec<f64> {
        let mut steps: Vec<f64> = Vec::with_capacity(self.free.len());
        for (&at, row) in self.free.iter().zip(&self.rows) {
            let end = steps.len();
            steps.push((slope[at] - dot(&steps, &row[..end])) / row[end]);
        }
        for (index, row) in self.rows.iter().enumerate().rev() {
            let step = steps[index] / row[index];
            steps[index] = step;
            steps[..index].iter_mut().zip(row).for_each(|(other, value)| *other -= value * step);
        }
        steps
    }
}

/// The part of the square of an unknown that is no sum of those of the rows.
fn own_part(matrix: &Matrix, at: usize, row: &[f64]) -> f64 {
    1.0 - dot(row, row) / matrix.at(at, at)
}

/// Takes the entry of a column that is stopped out of a row, and gives what the column had taken back to those after
/// it. Returns what is left of it for the diagonal.
fn take_back(row: &mut Vec<f64>, index: usize, rotations: &[[f64; 2]]) -> f64 {
    let mut taken = row.remove(index);
    for (value, &[cosine, sine]) in row[index..].iter_mut().zip(rotations) {
        (*value, taken) = (cosine * *value + sine * taken, cosine * taken - sine * *value);
    }
    taken
}

/// How far an unknown would move alone if its bounds let it; `step` is how far without them.
fn violation(step: f64, [low, high]: [f64; 2], unknown: f64) -> f64 {
    ((unknown + step).clamp(low, high) - unknown).abs()
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

/// Which unknowns are sums of earlier ones: `matrix` is that of their products, and an unknown is such a sum if no more
/// than the part `rest` of its length is left. Each with the weights of the earlier ones that are no sums themselves.
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
            let product = matrix.times(&found);
            for at in 0..25 {
                let error = violation((right[at] - product[at]) / matrix.at(at, at), bounds[at], found[at]);
                assert!(error <= TOLERANCE, "{seed}, {at}: {error}");
            }
            let mut again = vec![1.0; 25];
            solve(&matrix, &right, &bounds, &mut again);
            let largest = found.iter().zip(&again).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(largest < 1e-6, "{seed}: the solution does not depend on where the search begins: {largest}");
        }
    }

    /// Free unknowns come and go in any order, and some are sums of others.
    #[test]
    fn a_factor_that_follows_changes_solves_as_a_new_one_does() {
        let (_, mut vectors) = products(12, 1.0, 7);
        for at in [3, 8] {
            vectors[at] = vectors[0].iter().zip(&vectors[at + 1]).map(|(a, b)| 2.0 * a - b).collect();
        }
        let rows: Vec<Vec<f64>> =
            (0..12).map(|row| (0..=row).map(|column| dot(&vectors[row], &vectors[column])).collect()).collect();
        let matrix = Matrix::of_lower_rows(&rows);
        // A slope that is a sum of the vectors, so that every set of them has a solution.
        let slope = matrix.times(&[0.3, -0.2, 0.5, 0.1, 0.9, -0.4, 0.2, 0.6, -0.1, 0.7, 0.4, -0.3]);
        let shown = |factor: &Factor| {
            let mut steps = vec![0.0; 12];
            factor.free.iter().zip(factor.solve(&slope)).for_each(|(&at, step)| steps[at] = step);
            matrix.times(&steps)
        };
        let (mut factor, mut is_free) = (Factor::default(), [false; 12]);
        for change in 0..400_u64 {
            let at = (random::signed(11, change).abs() * 12.0) as usize % 12;
            is_free[at] = !is_free[at];
            if is_free[at] {
                factor.add(&matrix, at);
            } else {
                factor.remove(&matrix, at);
            }
            assert_eq!(factor.are_free(12), is_free);
            let mut new = Factor::default();
            (0..12).filter(|&at| is_free[at]).for_each(|at| new.add(&matrix, at));
            assert_eq!(factor.free.len(), new.free.len(), "as many are sums of others");
            for at in (0..12).filter(|&at| is_free[at]) {
                let [own, expected] = [&factor, &new].map(|factor| shown(factor)[at]);
                assert!((own - expected).abs() < 1e-6 * expected.abs().max(1.0), "{change}: {own} {expected}");
            }
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
