//! The work of laying a mesh's targets out in columns, for [`Layout`](super::Layout).

use rayon::prelude::*;

use super::column::{self, ATTRIBUTES, Tolerances, place_in_column};
use super::{BLOCK_SIZE, Normals};
use crate::head::{Head, Mesh, Target};

/// Blocks laid out as one piece of work.
const BLOCKS_AT_ONCE: usize = 64;

/// Of the head's size: how far packing may move a vertex at weights in -1..1. The rest of the 1e-5 is for the sum itself.
const PACKED_DISTANCE: f32 = 0.9e-5;

/// Likewise for directions of unit length, as a chord: 0.03°, for a blend may shorten a direction before it is renormalised.
const PACKED_CHORD: f32 = 5e-4;

/// The columns of some blocks while they are laid out.
#[derive(Default)]
pub(super) struct Piece {
    /// Per block.
    pub column_counts: Vec<u32>,
    /// Per column.
    pub targets: Vec<u32>,
    pub numbers: Vec<i16>,
    pub scales: Vec<[f32; ATTRIBUTES]>,
    pub floats: Vec<f32>,
}

impl Piece {
    /// Takes in the blocks that follow.
    pub fn append(&mut self, next: Self) {
        self.column_counts.extend(next.column_counts);
        self.targets.extend(next.targets);
        self.numbers.extend(next.numbers);
        self.scales.extend(next.scales);
        self.floats.extend(next.floats);
    }
}

/// A mesh to be laid out.
pub(super) struct Laying<'a> {
    pub mesh: &'a Mesh,
    /// Per vertex, head-wide.
    pub places: &'a [u32],
    /// Where the mesh begins, head-wide.
    pub first_place: usize,
    pub components: usize,
    /// Packed if there are any.
    pub tolerances: Option<Tolerances>,
}

/// Of an edge: where normals come from positions, an end that is off by so much turns them by less than 0.01°; short edges turn more.
const PACKED_TURN: f32 = 1e-4;

/// A target's row: its place in the mesh, its index in the target. Sorted.
type Row = (u32, u32);

impl Laying<'_> {
    /// The mesh's columns, in pieces of neighbouring blocks.
    pub fn pieces(&self) -> Vec<Piece> {
        let targets = self.mesh.targets.par_iter().enumerate().filter(|(_, target)| !target.rows.is_empty());
        let rows: Vec<(usize, Vec<Row>)> = targets.map(|(index, target)| (index, self.rows_of(target))).collect();
        let block_count = self.mesh.vertices.len().div_ceil(BLOCK_SIZE);
        let piece = |piece: usize| {
            let first = piece * BLOCKS_AT_ONCE;
            let mut laid_out = Piece::default();
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

    fn lay_out_block(&self, rows: &[(usize, Vec<Row>)], block: usize, piece: &mut Piece) {
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
        match &self.tolerances {
            None => {
                piece.column_counts.push(targets.len() as u32);
                piece.targets.append(&mut targets);
                piece.floats.append(&mut floats);
            }
            Some(tolerances) => {
                let mut packed = column::pack(self.components, &targets, &floats, tolerances);
                piece.column_counts.push(packed.targets.len() as u32);
                piece.targets.append(&mut packed.targets);
                piece.scales.append(&mut packed.scales);
                piece.numbers.append(&mut packed.numbers);
            }
        }
    }
}

/// Mean length of the edges at rest, mesh space; huge where there is none.
fn mean_edge(mesh: &Mesh) -> f32 {
    let at = |vertex: u32| mesh.vertices.positions.get(vertex as usize).copied().unwrap_or_default().as_dvec3();
    let edges = mesh.indices.as_chunks::<3>().0.iter().map(|[a, b, _]| at(*a).distance(at(*b)));
    let (count, sum) =
        edges.filter(|length| length.is_finite()).fold((0, 0.0), |(count, sum), one| (count + 1, sum + one));
    if count > 0 && sum > 0.0 { (sum / f64::from(count)) as f32 } else { f32::MAX }
}

/// What [`Precision::Packed`] promises, in the mesh's own space.
pub(super) fn tolerances_of(head: &Head, mesh: &Mesh) -> Tolerances {
    let distance = PACKED_DISTANCE * head.bounds.size().max_element() / head.rest.largest_scale(mesh);
    let distance = if distance.is_finite() { distance } else { 0.0 };
    let recomputes = Normals::Auto.recomputes(mesh);
    let distance = if recomputes { distance.min(PACKED_TURN * mean_edge(mesh)) } else { distance };
    [distance, PACKED_CHORD, PACKED_CHORD]
}
