//! Builds the columns of a mesh's targets, for [`Layout`](super::Layout).

use std::mem::take;

use glam::Vec3;
use rayon::prelude::*;

use super::column::{self, ATTRIBUTES, BLOCK_SIZE, place_in_column};
use super::shapes::{Shape, ShapeTable};
use super::tolerance::PackingTolerance;
use smirk_base::counting_sort::by_key;
use smirk_face::head::{Bounds, Mesh};

/// Blocks whose columns are built as one parallel task.
const BLOCKS_AT_ONCE: usize = 64;

/// A vertex of a block that is not among a shape's rows does not move, so every box of deltas contains zero.
const NO_DELTA: Bounds = Bounds { min: Vec3::ZERO, max: Vec3::ZERO };

/// The columns of neighbouring blocks.
#[derive(Default)]
pub(in crate::blend) struct ColumnRun {
    /// The number of columns of each block.
    pub column_counts: Vec<u32>,
    /// The target of each column.
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

/// A mesh whose columns are to be built.
pub(in crate::blend) struct ColumnBuilder<'a> {
    pub mesh: &'a Mesh,
    pub shapes: &'a ShapeTable,
    /// The place of each vertex, counted from the first of the mesh.
    pub places: &'a [u32],
    pub components: usize,
    /// The error that packing may cause; columns are exact if there is none.
    pub tolerance: Option<PackingTolerance>,
}

/// A row of a shape: the place of its vertex in the mesh, and its index in the shape.
type Row = (u32, u32);

/// A shape with its rows in the order of their blocks.
struct PlacedShape<'a> {
    shape: Shape<'a>,
    rows: Vec<Row>,
}

impl<'a> PlacedShape<'a> {
    /// `places` are those of the mesh's vertices.
    fn new(shape: Shape<'a>, places: &[u32]) -> Self {
        let row = |at: u32| (places[shape.deltas.rows[at as usize] as usize], at);
        let rows = (0..shape.deltas.rows.len() as u32).map(row);
        let block_count = places.len().div_ceil(BLOCK_SIZE);
        // The order of rows within a block does not matter, so that counting is enough where there are more rows than blocks.
        let rows = if rows.len() > block_count {
            by_key(block_count, rows.map(|row| (row.0 / BLOCK_SIZE as u32, row))).1
        } else {
            let mut rows: Vec<Row> = rows.collect();
            rows.sort_unstable();
            rows
        };
        Self { shape, rows }
    }

    /// The index of the first row in a block, or in one after it.
    fn first_row_from(&self, block: usize) -> usize {
        self.rows.partition_point(|(place, _)| (*place as usize) < block * BLOCK_SIZE)
    }
}

impl ColumnBuilder<'_> {
    /// The mesh's columns, in runs of neighbouring blocks.
    pub(super) fn build(&self) -> Vec<ColumnRun> {
        let shapes = self.shapes.of_mesh(self.mesh).into_par_iter().filter(|shape| !shape.deltas.rows.is_empty());
        let shapes: Vec<PlacedShape<'_>> = shapes.map(|shape| PlacedShape::new(shape, self.places)).collect();
        let block_count = self.mesh.vertices.len().div_ceil(BLOCK_SIZE);
        let run = |index: usize| {
            let first = index * BLOCKS_AT_ONCE;
            let mut run = ColumnRun::default();
            let mut next_rows: Vec<usize> = shapes.iter().map(|shape| shape.first_row_from(first)).collect();
            for block in first..block_count.min(first + BLOCKS_AT_ONCE) {
                self.build_block(&shapes, &mut next_rows, block, &mut run);
            }
            run
        };
        (0..block_count.div_ceil(BLOCKS_AT_ONCE)).into_par_iter().map(run).collect()
    }

    /// Adds the columns of a block. `next_rows` are the shapes' first rows in the block, and afterwards those in the next.
    fn build_block(&self, shapes: &[PlacedShape<'_>], next_rows: &mut [usize], block: usize, run: &mut ColumnRun) {
        let end = ((block + 1) * BLOCK_SIZE) as u32;
        let column_floats = self.components * BLOCK_SIZE;
        let (mut targets, mut boxes) = (Vec::new(), Vec::new());
        let (mut floats, mut gathered) = (Vec::new(), Vec::new());
        for (PlacedShape { shape, rows }, next_row) in shapes.iter().zip(next_rows) {
            let rows = &rows[*next_row..];
            let rows = &rows[..rows.iter().take_while(|(place, _)| *place < end).count()];
            *next_row += rows.len();
            if rows.is_empty() {
                continue;
            }
            let start = floats.len();
            floats.resize(start + column_floats, 0.0);
            boxes.push(self.fill(&mut floats[start..], shape, rows, &mut gathered));
            targets.push((shape.index as u32, shape.largest_weight));
        }
        match &self.tolerance {
            None => {
                run.column_counts.push(targets.len() as u32);
                run.targets.extend(targets.into_iter().map(|(target, _)| target));
                run.boxes.append(&mut boxes);
                run.floats.append(&mut floats);
            }
            Some(tolerance) => {
                let mut packed = column::pack(self.components, &targets, &floats, &tolerance.of_block(block));
                run.column_counts.push(packed.targets.len() as u32);
                // The second column of a target holds what the first one lacks.
                let mut boxes = boxes.into_iter();
                let mut last = None;
                let box_of = packed.targets.iter().map(|&target| match last.replace(target) == Some(target) {
                    true => NO_DELTA,
                    false => boxes.next().unwrap_or(NO_DELTA),
                });
                run.boxes.extend(box_of);
                run.targets.append(&mut packed.targets);
                run.scales.append(&mut packed.scales);
                run.words.append(&mut packed.words);
            }
        }
    }

    /// Writes the deltas of these rows of a shape to its column of a block, and returns the box of those of positions. The memory of
    /// `gathered` is used again.
    fn fill(&self, column: &mut [f32], shape: &Shape<'_>, rows: &[Row], gathered: &mut Vec<Vec3>) -> Bounds {
        let mut positions = NO_DELTA;
        let attributes = [shape.deltas.positions, shape.deltas.normals, shape.deltas.tangents];
        for (attribute, deltas) in attributes.into_iter().enumerate().take(self.components / 3) {
            if deltas.is_empty() {
                continue;
            }
            // They are anywhere in memory. A loop that does nothing else waits for several of them at the same time.
            gathered.clear();
            gathered.extend(rows.iter().map(|&(_, at)| deltas.get(at as usize).copied().unwrap_or_default()));
            let places = [0, 1, 2].map(|axis| {
                let place = |lane| place_in_column(self.components, attribute * 3 + axis, lane);
                (place(0), place(1) - place(0))
            });
            // A delta that is not finite would make the whole block infinite or NaN when it is packed.
            for (&(place, _), delta) in rows.iter().zip(&*gathered).filter(|(_, delta)| delta.is_finite()) {
                let lane = place as usize % BLOCK_SIZE;
                for ((first, step), value) in places.into_iter().zip(delta.to_array()) {
                    column[first + lane * step] = value;
                }
                if attribute == 0 {
                    positions = Bounds { min: positions.min.min(*delta), max: positions.max.max(*delta) };
                }
            }
        }
        positions
    }
}
