//! Builds the columns of a mesh's targets, for [`Layout`](super::Layout), with an error that keeps the bounds of
//! [`Precision::Packed`](super::Precision).
//!
//! An error of a position turns the normals that are recomputed from it. The fan of triangles around a vertex has the
//! area `A = Σ a × b` over the edges of its rim; if the error of every position is at most ε, that of `A` is less than
//! ε times the length of the rim. So the error of a vertex may be the tolerated angle times the smallest `|A| ÷ rim` of
//! all fans it is part of.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::column::{self, BLOCK_SIZE, BlockTolerance, ColumnData, ColumnRun, DeltaColumns, place_in_column};
use super::shapes::{Shape, ShapeTable};
use smirk_base::counting_sort::by_key;
use smirk_face::head::{Bounds, Groups, Head, Mesh};

/// Blocks whose columns are built as one parallel task.
const BLOCKS_AT_ONCE: usize = 64;

/// A vertex of a block that is not among a shape's rows does not move, so every box of deltas contains zero.
const NO_DELTA: Bounds = Bounds { min: Vec3::ZERO, max: Vec3::ZERO };

/// A mesh whose columns are to be built.
pub(in crate::blend) struct ColumnBuilder<'a> {
    pub mesh: &'a Mesh,
    pub shapes: &'a ShapeTable,
    /// The place of each vertex, counted from the first of the mesh.
    pub places: &'a [u32],
    pub components: usize,
    /// The error that packing may cause; columns are exact if there is none.
    pub tolerance: Option<PackingTolerance>,
    pub kept: Option<KeptColumns<'a>>,
}

/// The columns of the same head with other deltas.
pub(in crate::blend) struct KeptColumns<'a> {
    pub deltas: &'a DeltaColumns,
    /// The box and the target of each column.
    pub boxes: &'a [Bounds],
    pub targets: &'a [u32],
    /// The index at which each block's columns begin, and, as a last element, the end of the last block's columns.
    pub first_columns: &'a [u32],
    /// The first block of the mesh.
    pub first_block: usize,
    /// Per block of the mesh, whether it has other deltas now, so that its columns are built anew.
    pub is_built: Vec<bool>,
}

impl KeptColumns<'_> {
    /// Adds the columns of a block.
    fn copy_block(&self, block: usize, run: &mut ColumnRun) {
        let [first, end] = [block, block + 1].map(|block| self.first_columns[self.first_block + block] as usize);
        let (columns, numbers) = (first..end, self.deltas.column_numbers());
        run.column_counts.push(columns.len() as u32);
        run.targets.extend(&self.targets[columns.clone()]);
        run.boxes.extend(&self.boxes[columns.clone()]);
        match self.deltas.columns() {
            ColumnData::Exact(floats) => run.floats.extend(&floats[columns.start * numbers..columns.end * numbers]),
            ColumnData::Packed(words, scales) => {
                run.words.extend(&words[columns.start * numbers / 2..columns.end * numbers / 2]);
                run.scales.extend(&scales[columns]);
            }
        }
    }
}

/// A row of a shape: the place of its vertex in the mesh, and its index in the shape.
type Row = (u32, u32);

/// A shape with its rows in the order of their blocks.
struct PlacedShape<'a> {
    shape: Shape<'a>,
    rows: Vec<Row>,
}

impl<'a> PlacedShape<'a> {
    /// `places` are those of the mesh's vertices. Of `is_built`, per block, only what is in these blocks is placed.
    fn new(shape: Shape<'a>, places: &[u32], is_built: Option<&[bool]>) -> Self {
        let all = shape.deltas.rows;
        let rows = (0..all.len() as u32).map(|at| (places[all[at as usize] as usize], at));
        let rows = rows.filter(|row| is_built.is_none_or(|is_built| is_built[row.0 as usize / BLOCK_SIZE]));
        let mut rows: Vec<Row> = rows.collect();
        let block_count = places.len().div_ceil(BLOCK_SIZE);
        // The order of rows within a block does not matter, so that counting is enough where there are more rows than
        // blocks.
        let rows = if rows.len() > block_count {
            by_key(block_count, rows.into_iter().map(|row| (row.0 / BLOCK_SIZE as u32, row))).1
        } else {
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
        let is_built = self.kept.as_ref().map(|kept| &kept.is_built[..]);
        let shapes: Vec<PlacedShape<'_>> = shapes.map(|shape| PlacedShape::new(shape, self.places, is_built)).collect();
        let block_count = self.mesh.vertices.len().div_ceil(BLOCK_SIZE);
        let runs = (0..block_count.div_ceil(BLOCKS_AT_ONCE)).into_par_iter().map(|index| {
            let first = index * BLOCKS_AT_ONCE;
            let mut run = ColumnRun::default();
            let mut next_rows: Vec<usize> = shapes.iter().map(|shape| shape.first_row_from(first)).collect();
            for block in first..block_count.min(first + BLOCKS_AT_ONCE) {
                match self.kept.as_ref().filter(|kept| !kept.is_built[block]) {
                    Some(kept) => kept.copy_block(block, &mut run),
                    None => self.build_block(&shapes, &mut next_rows, block, &mut run),
                }
            }
            run
        });
        runs.collect()
    }

    /// Adds the columns of a block. `next_rows` are the shapes' first rows in the block, and afterwards those in the
    /// next.
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

    /// Writes the deltas of these rows of a shape to its column of a block, and returns the box of those of positions.
    /// The memory of `gathered` is used again.
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

/// How far packing may move a vertex at weights in -1..1, as a part of the head's size. The rest of the 1e-5 is for the
/// rounding of the sum itself.
const DISTANCE: f32 = 0.9e-5;

/// How far packing may move the tip of a direction of unit length. It corresponds to 0.02° and not 0.1°, because a
/// blend may shorten a direction before it is renormalised.
const CHORD: f32 = 3e-4;

/// How far packing may turn a recomputed normal, in radians.
const TURN: f64 = 1e-3;

pub(super) struct PackingTolerance {
    /// The tolerated distance for each place of the mesh, in mesh space.
    distances: Vec<f32>,
}

impl PackingTolerance {
    /// The tolerance of a mesh whose vertices are at `places`, counted from the first of the mesh; `turning` is
    /// [`turning`] of the mesh.
    pub(super) fn new(head: &Head, mesh: &Mesh, places: &[u32], turning: &[f32]) -> Self {
        let distance = DISTANCE * head.bounds.size().max_element() / head.rest_pose.largest_scale(mesh);
        let distance = if distance.is_finite() { distance } else { 0.0 };
        let mut distances = vec![distance; places.len().next_multiple_of(BLOCK_SIZE)];
        for (place, turned) in places.iter().zip(turning) {
            let tolerated = &mut distances[*place as usize];
            *tolerated = tolerated.min(*turned);
        }
        Self { distances }
    }

    /// The tolerance of a block; `block` counts the blocks of the mesh.
    fn of_block(&self, block: usize) -> BlockTolerance<'_> {
        BlockTolerance { positions: &self.distances[block * BLOCK_SIZE..][..BLOCK_SIZE], directions: CHORD }
    }
}

/// For each vertex, the largest error of its position that turns no normal around it by more than [`TURN`]. `groups`
/// are those of the mesh.
pub(super) fn turning(mesh: &Mesh, groups: &Groups) -> Vec<f32> {
    let at = |vertex: u32| mesh.vertices.positions[vertex as usize].as_dvec3();
    let mut fans = vec![(DVec3::ZERO, 0.0); groups.count()];
    for [a, b, c] in mesh.valid_triangles() {
        let cross = (at(b) - at(a)).cross(at(c) - at(a));
        for [corner, second, third] in [[a, b, c], [b, c, a], [c, a, b]] {
            let (area, rim) = &mut fans[groups.of_vertex(corner as usize)];
            *area += cross;
            *rim += at(second).distance(at(third));
        }
    }
    let tolerated = fans.iter().enumerate().map(|(group, (area, rim))| {
        let normal = mesh.vertices.normals.get(groups.members(group)[0] as usize);
        // Normals of zero are not recomputed, nor is a normal whose fan has no area.
        let is_turned = normal.is_some_and(|normal| *normal != Vec3::ZERO) && area.length() > 0.0;
        if is_turned { TURN * area.length() / rim } else { f64::INFINITY }
    });
    let tolerated: Vec<f64> = tolerated.collect();
    let mut smallest = vec![f64::INFINITY; groups.count()];
    for corners in mesh.valid_triangles() {
        let corners = corners.map(|corner| groups.of_vertex(corner as usize));
        let least = corners.iter().map(|&group| tolerated[group]).fold(f64::INFINITY, f64::min);
        corners.into_iter().for_each(|group| smallest[group] = smallest[group].min(least));
    }
    (0..mesh.vertices.len()).map(|vertex| smallest[groups.of_vertex(vertex)] as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::Vertices;

    /// Two strips of triangles apart from each other, the second a hundred times narrower.
    fn strips(normal: Vec3) -> Mesh {
        let strip =
            |width: f32| (0..20).map(move |at| Vec3::new(width, (at / 2) as f32 * 0.1, width * (at % 2) as f32));
        let quads = (0..9).chain(10..19).flat_map(|quad| [0, 1, 2, 1, 3, 2].map(|corner| 2 * quad + corner));
        Mesh {
            vertices: Vertices {
                positions: strip(0.1).chain(strip(0.001)).collect(),
                normals: vec![normal; 40],
                ..Vertices::default()
            },
            indices: quads.collect(),
            ..Mesh::default()
        }
    }

    fn tolerated(mesh: Mesh) -> Vec<f32> {
        let head = Head::from_meshes(vec![mesh]);
        let places: Vec<u32> = (0..40).collect();
        let mesh = &head.meshes[0];
        PackingTolerance::new(&head, mesh, &places, &turning(mesh, &Groups::new(&mesh.vertices))).distances
    }

    fn is_about(distance: f32, expected: f32) -> bool {
        (distance / expected - 1.0).abs() < 1e-2
    }

    #[test]
    fn vertices_of_narrow_triangles_have_smaller_tolerances() {
        let distances = tolerated(strips(Vec3::X));
        let whole = DISTANCE * 0.9;
        assert!(distances[..20].iter().all(|&distance| is_about(distance, whole)), "{distances:?}");
        // Twice the area of a triangle is 0.1 · 0.001. The fan at each end has two triangles and a rim of length 0.2,
        // and the neighbouring vertices are part of that fan; a fan in the middle has three triangles and a rim of
        // length 0.2 as well.
        let [ends, between] = [1.0, 1.5].map(|areas| TURN as f32 * areas * 0.001);
        assert!(distances[20..23].iter().all(|&distance| is_about(distance, ends)), "{distances:?}");
        assert!(distances[23..37].iter().all(|&distance| is_about(distance, between)), "{distances:?}");
        assert!(distances[37..40].iter().all(|&distance| is_about(distance, ends)), "{distances:?}");
        assert!(distances[40..].iter().all(|&distance| is_about(distance, whole)), "{distances:?}");
    }

    #[test]
    fn without_normals_only_the_distance_limits_the_tolerance() {
        let mut pointless = strips(Vec3::X);
        pointless.vertices.positions.iter_mut().for_each(|at| at.z = 0.0);
        for mesh in [strips(Vec3::ZERO), pointless] {
            assert!(tolerated(mesh).iter().all(|&distance| is_about(distance, DISTANCE * 0.9)));
        }
    }
}
