//! Builds the columns of a mesh's targets, for [`Layout`](super::Layout).

use rayon::prelude::*;

use super::column::{self, ATTRIBUTES, BLOCK_SIZE, place_in_column};
use super::shapes::{Shape, ShapeTable};
use super::tolerance::PackingTolerance;
use crate::head::Mesh;

/// Blocks whose columns are built as one parallel task.
const BLOCKS_AT_ONCE: usize = 64;

/// The columns of neighbouring blocks.
#[derive(Default)]
pub(in crate::blend) struct ColumnRun {
    /// The number of columns of each block.
    pub column_counts: Vec<u32>,
    /// The target of each column.
    pub targets: Vec<u32>,
    pub words: Vec<u32>,
    pub scales: Vec<[f32; ATTRIBUTES]>,
    pub floats: Vec<f32>,
}

impl ColumnRun {
    /// Appends the columns of the blocks that follow.
    pub(crate) fn append(&mut self, next: Self) {
        self.column_counts.extend(next.column_counts);
        self.targets.extend(next.targets);
        self.words.extend(next.words);
        self.scales.extend(next.scales);
        self.floats.extend(next.floats);
    }
}

/// A mesh whose columns are to be built.
pub(in crate::blend) struct ColumnBuilder<'a> {
    pub mesh: &'a Mesh,
    pub shapes: &'a ShapeTable,
    /// The place of each vertex in the head-wide array.
    pub places: &'a [u32],
    /// The place in the head-wide array at which the mesh begins.
    pub first_place: usize,
    pub components: usize,
    /// The error that packing may cause; columns are exact if there is none.
    pub tolerance: Option<PackingTolerance>,
}

/// A row of a shape: the place of its vertex in the mesh, and its index in the shape.
type Row = (u32, u32);

/// A shape with its rows in the order of the places.
type PlacedShape<'a> = (Shape<'a>, Vec<Row>);

impl ColumnBuilder<'_> {
    /// The mesh's columns, in runs of neighbouring blocks.
    pub(super) fn build(&self) -> Vec<ColumnRun> {
        let shapes = self.shapes.of_mesh(self.mesh).into_par_iter().filter(|shape| !shape.deltas.rows.is_empty());
        let shapes: Vec<PlacedShape<'_>> = shapes.map(|shape| (shape, self.rows_of(&shape))).collect();
        let block_count = self.mesh.vertices.len().div_ceil(BLOCK_SIZE);
        let run = |index: usize| {
            let first = index * BLOCKS_AT_ONCE;
            let mut run = ColumnRun::default();
            for block in first..block_count.min(first + BLOCKS_AT_ONCE) {
                self.build_block(&shapes, block, &mut run);
            }
            run
        };
        (0..block_count.div_ceil(BLOCKS_AT_ONCE)).into_par_iter().map(run).collect()
    }

    fn rows_of(&self, shape: &Shape<'_>) -> Vec<Row> {
        let place = |row: u32| self.places[row as usize] - self.first_place as u32;
        let mut rows: Vec<Row> = shape.deltas.rows.iter().zip(0..).map(|(&row, at)| (place(row), at)).collect();
        rows.sort_unstable();
        rows
    }

    fn build_block(&self, shapes: &[PlacedShape<'_>], block: usize, run: &mut ColumnRun) {
        let places = (block * BLOCK_SIZE) as u32..((block + 1) * BLOCK_SIZE) as u32;
        let column_floats = self.components * BLOCK_SIZE;
        let (mut targets, mut largest_weights) = (Vec::new(), Vec::new());
        let mut floats = Vec::new();
        for (shape, rows) in shapes {
            let first = rows.partition_point(|(place, _)| *place < places.start);
            let count = rows[first..].partition_point(|(place, _)| *place < places.end);
            if count == 0 {
                continue;
            }
            targets.push(shape.index as u32);
            largest_weights.push(shape.largest_weight);
            let start = floats.len();
            floats.resize(start + column_floats, 0.0);
            let column = &mut floats[start..];
            for &(place, at) in &rows[first..first + count] {
                let attributes = [shape.deltas.positions, shape.deltas.normals, shape.deltas.tangents];
                for (attribute, deltas) in attributes.into_iter().enumerate().take(self.components / 3) {
                    // A delta that is not finite would make the whole block infinite or NaN when it is packed.
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
                run.column_counts.push(targets.len() as u32);
                run.targets.append(&mut targets);
                run.floats.append(&mut floats);
            }
            Some(tolerance) => {
                let weighted: Vec<(u32, f32)> = targets.into_iter().zip(largest_weights).collect();
                let mut packed = column::pack(self.components, &weighted, &floats, &tolerance.of_block(block));
                run.column_counts.push(packed.targets.len() as u32);
                run.targets.append(&mut packed.targets);
                run.scales.append(&mut packed.scales);
                run.words.append(&mut packed.words);
            }
        }
    }
}
