//! Smoothness of fields on a surface as sparse matrices, and their factors.

use faer::prelude::Solve;
use faer::sparse::linalg::solvers::{Llt, SymbolicLlt};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Mat, Side};
use glam::DVec3;

use super::sheet::{Triangle, corners};

/// The Laplacian of a surface with cotangent weights (Pinkall and Polthier, "Computing discrete minimal surfaces and
/// their conjugates", 1993), which are kept within bounds, so that thin triangles do no harm; and the area of each
/// point.
pub(super) struct Laplacian {
    /// Per row, the columns and values, ascending; each row sums up to 0.
    rows: Vec<Vec<(u32, f64)>>,
    pub areas: Vec<f64>,
}

impl Laplacian {
    pub(super) fn new(points: &[DVec3], triangles: &[Triangle]) -> Self {
        let mut areas = vec![0.0; points.len()];
        let mut weights: Vec<(u32, u32, f64)> = Vec::with_capacity(triangles.len() * 6);
        for &triangle in triangles {
            let places = corners(points, triangle);
            for at in 0..3 {
                let [i, j, k] = [at, (at + 1) % 3, (at + 2) % 3];
                let (a, b) = (places[i] - places[k], places[j] - places[k]);
                let cross = a.cross(b).length();
                let cotangent = (a.dot(b) / cross.max(1e-20)).clamp(-4.0, 4.0) / 2.0;
                weights.push((triangle[i], triangle[j], cotangent));
                weights.push((triangle[j], triangle[i], cotangent));
                areas[triangle[i] as usize] += cross / 6.0;
            }
        }
        weights.sort_unstable_by_key(|&(row, column, _)| (row, column));
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); points.len()];
        for equal in weights.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            // The order of equal ones is not given, that of their values is.
            let mut values: Vec<f64> = equal.iter().map(|weight| weight.2).collect();
            values.sort_unstable_by(f64::total_cmp);
            rows[equal[0].0 as usize].push((equal[0].1, -values.iter().sum::<f64>().max(1e-3)));
        }
        for (index, row) in rows.iter_mut().enumerate() {
            let sum: f64 = row.iter().map(|(_, value)| value).sum();
            let place = row.partition_point(|(column, _)| (*column as usize) < index);
            row.insert(place, (index as u32, -sum));
        }
        Self { rows, areas: areas.into_iter().map(|area| area.max(1e-20)).collect() }
    }

    pub(super) fn diagonal_mean(&self) -> f64 {
        let of_row = |(index, row): (usize, &Vec<(u32, f64)>)| {
            row.iter().find(|(column, _)| *column as usize == index).map_or(0.0, |(_, value)| value.abs())
        };
        self.rows.iter().enumerate().map(of_row).sum::<f64>() / self.rows.len().max(1) as f64
    }

    /// `bending · L M⁻¹ L + stretching · L`, the lower triangle.
    pub(super) fn energy(&self, bending: f64, stretching: f64) -> Lower {
        let mut lower = Lower::default();
        let mut sums = vec![0.0; self.rows.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut is_touched = vec![false; self.rows.len()];
        for column in 0..self.rows.len() as u32 {
            // L is symmetric: its columns are its rows.
            let add = |row: u32, value: f64, sums: &mut [f64], is_touched: &mut [bool], touched: &mut Vec<u32>| {
                if row >= column {
                    sums[row as usize] += value;
                    if !std::mem::replace(&mut is_touched[row as usize], true) {
                        touched.push(row);
                    }
                }
            };
            for &(middle, value) in &self.rows[column as usize] {
                add(middle, stretching * value, &mut sums, &mut is_touched, &mut touched);
                let value = bending * value / self.areas[middle as usize];
                for &(row, other) in &self.rows[middle as usize] {
                    add(row, value * other, &mut sums, &mut is_touched, &mut touched);
                }
            }
            touched.sort_unstable();
            lower.push_column(touched.drain(..).map(|row| {
                is_touched[row as usize] = false;
                (row, std::mem::take(&mut sums[row as usize]))
            }));
        }
        lower
    }

    /// The part of the Laplacian between these points alone, the lower triangle: `number` gives the row of each point,
    /// in the order of the points.
    pub(super) fn between(&self, points: &[u32], number: &[Option<u32>]) -> Lower {
        let mut lower = Lower::default();
        for (column, &point) in (0..).zip(points) {
            let numbered = self.rows[point as usize].iter().filter_map(|&(other, value)| {
                number[other as usize].filter(|row| *row >= column).map(|row| (row, value))
            });
            lower.push_column(numbered);
        }
        lower
    }
}

/// The lower triangle of a symmetric matrix, by columns. The first entry of each column is that of the diagonal.
pub(super) struct Lower {
    /// Where each column starts among the entries, and where the last one ends.
    starts: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Default for Lower {
    fn default() -> Self {
        Self { starts: vec![0], rows: Vec::new(), values: Vec::new() }
    }
}

impl Lower {
    /// Adds a column of its rows and values, ascending, the diagonal first.
    fn push_column(&mut self, entries: impl Iterator<Item = (u32, f64)>) {
        for (row, value) in entries {
            self.rows.push(row);
            self.values.push(value);
        }
        self.starts.push(self.rows.len() as u32);
    }

    fn shape(&self) -> SymbolicSparseColMatRef<'_, u32> {
        let size = self.starts.len() - 1;
        SymbolicSparseColMatRef::new_checked(size, size, &self.starts, None, &self.rows)
    }
}

/// A matrix that is factored with several diagonals added, one after the other: the order of elimination is found once.
pub(super) struct Factors {
    matrix: Lower,
    symbolic: Option<SymbolicLlt<u32>>,
}

impl Factors {
    pub(super) fn new(matrix: Lower) -> Self {
        let symbolic = SymbolicLlt::try_new(matrix.shape(), Side::Lower).ok();
        Self { matrix, symbolic }
    }

    /// The solution of (matrix + diagonal) x = right; none if the matrix is not positive definite.
    pub(super) fn with_diagonal(&self, diagonal: &[f64]) -> Option<Factor> {
        let Lower { starts, values, .. } = &self.matrix;
        let mut values = values.clone();
        starts.iter().zip(diagonal).for_each(|(&start, added)| values[start as usize] += added);
        let matrix = SparseColMatRef::new(self.matrix.shape(), &values);
        let factor = Llt::try_new_with_symbolic(self.symbolic.clone()?, matrix, Side::Lower).ok()?;
        Some(Factor(factor))
    }
}

pub(super) struct Factor(Llt<u32, f64>);

impl Factor {
    pub(super) fn solve(&self, right: &[DVec3]) -> Vec<DVec3> {
        let mut columns = Mat::from_fn(right.len(), 3, |row, column| right[row][column]);
        self.0.solve_in_place(columns.as_mut());
        (0..right.len()).map(|row| DVec3::from_array([0, 1, 2].map(|column| columns[(row, column)]))).collect()
    }
}

/// The solution of a small dense system with three right sides, by elimination with pivots; none if it has none.
pub(super) fn solve_dense(mut matrix: Vec<Vec<f64>>, mut right: Vec<DVec3>) -> Option<Vec<DVec3>> {
    let size = matrix.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let own = matrix[column].clone();
        if own[column] == 0.0 || !own[column].is_finite() {
            return None;
        }
        for row in column + 1..size {
            let factor = matrix[row][column] / own[column];
            matrix[row].iter_mut().zip(&own).skip(column).for_each(|(value, own)| *value -= factor * own);
            right[row] = right[row] - right[column] * factor;
        }
    }
    for row in (0..size).rev() {
        let known: DVec3 = (row + 1..size).map(|column| right[column] * matrix[row][column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}
