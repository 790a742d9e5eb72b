//! The work of laying a mesh's targets out in columns, for [`Layout`](super::Layout).

use rayon::prelude::*;

use super::column::{self, ATTRIBUTES, BLOCK_SIZE, place_in_column};
use super::tolerance::PackingTolerance;
use crate::head::{Mesh, Target};

/// Blocks laid out as one piece of work.
const BLOCKS_AT_ONCE: usize = 64;

/// The columns of some blocks while they are laid out.
#[derive(Default)]
pub(in crate::blend) struct ColumnRun {
    /// Per block.
    pub column_counts: Vec<u32>,
    /// Per column.
    pub targets: Vec<u32>,
    pub words: Vec<u32>,
    pub scales: Vec<[f32; ATTRIBUTES]>,
    pub floats: Vec<f32>,
}

impl ColumnRun {
    /// Takes in the blocks that follow.
    pub fn append(&mut self, next: Self) {
        self.column_counts.extend(next.column_counts);
        self.targets.extend(next.targets);
        self.words.extend(next.words);
        self.scales.extend(next.scales);
        self.floats.extend(next.floats);
    }
}

/// A mesh to be laid out.
pub(in crate::blend) struct ColumnBuilder<'a> {
    pub mesh: &'a Mesh,
    /// Per vertex, head-wide.
    pub places: &'a [u32],
    /// Where the mesh begins, head-wide.
    pub first_place: usize,
    pub components: usize,
    /// Packed if there is one.
    pub tolerance: Option<PackingTolerance>,
}

/// A target's row: its place in the mesh, its index in the target. Sorted.
type Row = (u32, u32);

impl ColumnBuilder<'_> {
    /// The mesh's columns, in pieces of neighbouring blocks.
    pub fn pieces(&self) -> Vec<ColumnRun> {
        let targets = self.mesh.targets.par_iter().enumerate().filter(|(_, target)| !target.rows.is_empty());
        let rows: Vec<(usize, Vec<Row>)> = targets.map(|(index, target)| (index, self.rows_of(target))).collect();
        let block_count = self.mesh.vertices.len().div_ceil(BLOCK_SIZE);
        let piece = |piece: usize| {
            let first = piece * BLOCKS_AT_ONCE;
            let mut laid_out = ColumnRun::default();
            for block in first..block_count.min(first + BLOCKS_AT_ONCE) {
                self.lay_out_block(&rows, block, &mut laid_out);
            }
            laid_out
        };
        (0..block_count.div_ceil(BLOCKS_AT_ONCE)).into_par_iter().map(piece).collect()
    }

    fn rows_of(&self, target: &Target) -> Vec<Row> {
        let place = |row: u32| self.places[row as usize] - self.first_place as u32;
        let mut rows: Vec<Row> = target.rows.iter().zip(0..).map(|(&row, at)| (place(row), at)).collect();
        rows.sort_unstable();
        rows
    }

    fn lay_out_block(&self, rows: &[(usize, Vec<Row>)], block: usize, piece: &mut ColumnRun) {
        let places = (block * BLOCK_SIZE) as u32..((block + 1) * BLOCK_SIZE) as u32;
        let column_floats = self.components * BLOCK_SIZE;
        let mut targets = Vec::new();
        let mut floats = Vec::new();
        for (index, rows) in rows {
            let target = &self.mesh.targets[*index];
            let first = rows.partition_point(|(place, _)| *place < places.start);
            let count = rows[first..].partition_point(|(place, _)| *place < places.end);
            if count == 0 {
                continue;
            }
            targets.push((self.mesh.first_target + index) as u32);
            let start = floats.len();
            floats.resize(start + column_floats, 0.0);
            let column = &mut floats[start..];
            for &(place, at) in &rows[first..first + count] {
                let attributes = [&target.positions, &target.normals, &target.tangents];
                for (attribute, deltas) in attributes.into_iter().enumerate().take(self.components / 3) {
                    // One delta beyond all numbers must not spoil the block.
                    let delta = deltas.get(at as usize).copied().filter(|delta| delta.is_finite()).unwrap_or_default();
                    for (axis, value) in delta.to_array().into_iter().enumerate() {
                        let lane = place as usize % BLOCK_SIZE;
                        column[place_in_column(self.components, attribute * 3 + axis, lane)] = value;
                    }
                }
            }
        }
        match &self.tolerance {
            None => {
                piece.column_counts.push(targets.len() as u32);
                piece.targets.append(&mut targets);
                piece.floats.append(&mut floats);
            }
            Some(tolerance) => {
                let mut packed = column::pack(self.components, &targets, &floats, &tolerance.of_block(block));
                piece.column_counts.push(packed.targets.len() as u32);
                piece.targets.append(&mut packed.targets);
                piece.scales.append(&mut packed.scales);
                piece.words.append(&mut packed.words);
            }
        }
    }
}
