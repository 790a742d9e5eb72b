//! What the shapes of a head do to the points that frames have of it: sparse columns of displacements, in world space.

use std::collections::HashMap;

use glam::{DMat3, DVec3, Mat3, Vec3};
use rayon::prelude::*;

use super::MatchedPoints;
use super::bounded::Matrix;
use super::rigid::{PointPairs, RigidMotion, outer};
use smirk_face::head::{Head, Region, Target};

/// How many frames are worked on together, so that a column is read once for all of them.
pub(super) const FRAMES_AT_ONCE: usize = 8;

/// In 32 bits, so many products are added up before they go to a sum in 64 bits.
const ADDED_AT_ONCE: usize = 32;

/// A number for each of these frames.
type Lanes = [f32; FRAMES_AT_ONCE];

/// A vertex of the head that a point of the frames is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub point: u32,
    pub mesh: u32,
    pub vertex: u32,
}

/// A shape that has the same part in the face on every mesh: its full displacement of the places it moves.
#[derive(Clone, Debug, Default)]
struct Column {
    /// Indices of places, ascending.
    rows: Vec<u32>,
    deltas: Vec<Vec3>,
    /// The deltas times the weights of the places.
    weighted: Vec<Vec3>,
}

/// Which target shows a column: its index in the head, and the weight at which that shape of it is shown fully.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ColumnOf {
    pub target: usize,
    pub full_weight: f32,
}

/// The places of a head, and the columns of its shapes on them.
#[derive(Debug)]
pub(super) struct Basis {
    pub places: Vec<Place>,
    /// Per place, its position at rest.
    pub rest: Vec<DVec3>,
    /// Per place, how much its distance counts.
    pub weights: Vec<f32>,
    /// Per place, how far the shape moves it that moves it farthest.
    moved: Vec<f32>,
    columns: Vec<Column>,
    pub columns_of: Vec<ColumnOf>,
    /// All places at rest, paired with themselves.
    pub rest_pairs: PointPairs,
    /// The weighted products of every two columns.
    pub products: Matrix,
    /// Per column, the weighted sum of its deltas, and that of `rest · deltaᵀ`.
    pub sums: Vec<DVec3>,
    pub with_rest: Vec<DMat3>,
}

/// The parts of a shape's weight that come from channels and expressions: shapes with the same have the same weight.
#[derive(Clone, PartialEq, Eq, Hash)]
struct WeightOf {
    channel: usize,
    binds: Vec<(usize, u32)>,
    full_weights: Vec<u32>,
    slot: usize,
}

impl Basis {
    /// The columns of `head` on those of its vertices that `is_solved`; `factors` has how much the shapes of regions
    /// count.
    pub(super) fn new(
        head: &Head,
        matched: &MatchedPoints,
        is_solved: impl Fn(usize, usize) -> bool,
        factors: &[(Region, f32)],
    ) -> Self {
        let mut basis = Self {
            places: Vec::new(),
            rest: Vec::new(),
            weights: Vec::new(),
            moved: Vec::new(),
            columns: Vec::new(),
            columns_of: Vec::new(),
            rest_pairs: PointPairs::default(),
            products: Matrix::default(),
            sums: Vec::new(),
            with_rest: Vec::new(),
        };
        let mut is_known = vec![false; matched.point_count()];
        // Per mesh and vertex, its place.
        let mut place_of: Vec<Vec<Option<u32>>> = Vec::with_capacity(head.meshes.len());
        let mut world_from_place: Vec<Mat3> = Vec::new();
        for (mesh_index, mesh) in head.meshes.iter().enumerate() {
            let mut of_mesh = vec![None; mesh.vertices.len()];
            for (vertex, place) in of_mesh.iter_mut().enumerate() {
                let Some(point) = matched.point_of(mesh_index, vertex).filter(|_| is_solved(mesh_index, vertex)) else {
                    continue;
                };
                // Vertices that a file splits at a seam are one point.
                if std::mem::replace(&mut is_known[point as usize], true) {
                    continue;
                }
                *place = Some(basis.places.len() as u32);
                let world = head.rest_pose.world_from_vertex(mesh, vertex);
                basis.places.push(Place { point, mesh: mesh_index as u32, vertex: vertex as u32 });
                basis.rest.push(world.as_dmat4().transform_point3(mesh.vertices.positions[vertex].as_dvec3()));
                world_from_place.push(Mat3::from_mat4(world));
            }
            place_of.push(of_mesh);
        }
        basis.weights = vec![1.0; basis.places.len()];
        basis.add_columns(head, &place_of, &world_from_place);
        basis.weigh(head, factors);
        basis.multiply();
        basis
    }

    fn add_columns(&mut self, head: &Head, place_of: &[Vec<Option<u32>>], world_from_place: &[Mat3]) {
        let mut channel_of = vec![usize::MAX; head.target_count()];
        for (channel, of) in head.target_channels().iter().enumerate() {
            of.targets.iter().for_each(|&target| channel_of[target] = channel);
        }
        let mut binds_of: Vec<Vec<(usize, u32)>> = vec![Vec::new(); head.target_count()];
        for (expression, of) in head.expressions.iter().enumerate() {
            for bind in &of.binds {
                binds_of.get_mut(bind.target).into_iter().for_each(|it| it.push((expression, bind.weight.to_bits())));
            }
        }
        let mut known: HashMap<WeightOf, usize> = HashMap::new();
        for (mesh, places) in head.meshes.iter().zip(place_of) {
            for (target, at) in mesh.targets.iter().zip(mesh.first_target..) {
                let full_weights: Vec<u32> = target.in_betweens.iter().map(|it| it.full_weight.to_bits()).collect();
                for (slot, (shape, full_weight)) in shapes_of(target).enumerate() {
                    let entries = shape.rows.iter().zip(shape.positions).filter(|(_, delta)| delta.is_finite());
                    let entries = entries.filter_map(|(&row, &delta)| {
                        let place = (*places.get(row as usize)?)?;
                        Some((place, world_from_place[place as usize] * delta)).filter(|it| it.1 != Vec3::ZERO)
                    });
                    let entries: Vec<(u32, Vec3)> = entries.collect();
                    if entries.is_empty() {
                        continue;
                    }
                    let weight_of = WeightOf {
                        channel: channel_of[at],
                        binds: binds_of[at].clone(),
                        full_weights: full_weights.clone(),
                        slot,
                    };
                    let column = *known.entry(weight_of).or_insert_with(|| {
                        self.columns.push(Column::default());
                        self.columns_of.push(ColumnOf { target: at, full_weight });
                        self.columns.len() - 1
                    });
                    self.columns[column].add(entries);
                }
            }
        }
        self.moved = vec![0.0; self.places.len()];
        for column in &self.columns {
            for (&row, delta) in column.rows.iter().zip(&column.deltas) {
                let moved = &mut self.moved[row as usize];
                *moved = moved.max(delta.length());
            }
        }
    }

    /// Gives the places their weights. A region with a factor of 3 makes the place that its shapes move farthest count
    /// three times as much, and a place that they move half as far twice as much.
    fn weigh(&mut self, head: &Head, factors: &[(Region, f32)]) {
        let region_of_target: HashMap<usize, Region> = head
            .target_channels()
            .iter()
            .flat_map(|channel| channel.targets.iter().map(|&target| (target, channel.region)))
            .collect();
        for (column, of) in self.columns.iter().zip(&self.columns_of) {
            let region = region_of_target.get(&of.target);
            let Some(&(_, factor)) = factors.iter().find(|(of, _)| Some(of) == region) else { continue };
            let largest = column.deltas.iter().map(|delta| delta.length()).fold(f32::MIN_POSITIVE, f32::max);
            for (&row, delta) in column.rows.iter().zip(&column.deltas) {
                let weight = 1.0 + (factor - 1.0) * delta.length() / largest;
                let known = &mut self.weights[row as usize];
                if (weight - 1.0).abs() > (*known - 1.0).abs() {
                    *known = weight;
                }
            }
        }
        for (&rest, &weight) in self.rest.iter().zip(&self.weights) {
            self.rest_pairs.add(weight.into(), rest, rest);
        }
    }

    fn multiply(&mut self) {
        let (weights, rest) = (&self.weights, &self.rest);
        for column in &mut self.columns {
            column.weighted =
                column.rows.iter().zip(&column.deltas).map(|(&row, delta)| *delta * weights[row as usize]).collect();
        }
        self.sums =
            self.columns.iter().map(|column| column.weighted.iter().map(|delta| delta.as_dvec3()).sum()).collect();
        self.with_rest = self.columns.par_iter().map(|column| column.with_rest(rest)).collect();
        let columns = &self.columns;
        let rows: Vec<Vec<f64>> = (0..columns.len())
            .into_par_iter()
            .map_init(
                || vec![DVec3::ZERO; rest.len()],
                |dense, at| {
                    let own = &columns[at];
                    own.entries().for_each(|(row, delta)| dense[row as usize] = delta.as_dvec3());
                    let products = columns[..=at].iter().map(|other| other.product_with_dense(dense)).collect();
                    own.rows.iter().for_each(|&row| dense[row as usize] = DVec3::ZERO);
                    products
                },
            )
            .collect();
        self.products = Matrix::of_lower_rows(&rows);
    }

    /// The places that no shape moves, if they are enough and spread enough to tell how the whole head moves.
    pub(super) fn still_places(&self) -> Option<Vec<u32>> {
        /// A place that all shapes move less than this part of the head is still.
        const STILL: f32 = 1e-5;
        const FEWEST: usize = 30;
        /// The least extent of still places along two directions, as a part of that of all.
        const SPREAD: f64 = 0.1;
        let most = STILL * extent(self.rest.iter().copied())[0] as f32;
        let still: Vec<u32> = (0..self.places.len() as u32).filter(|&it| self.moved[it as usize] <= most).collect();
        let own = extent(still.iter().map(|&place| self.rest[place as usize]));
        let whole = extent(self.rest.iter().copied());
        (still.len() >= FEWEST && own[1] >= SPREAD * whole[1]).then_some(still)
    }

    /// The deltas of all columns that move a place.
    pub(super) fn at_place(&self, place: u32) -> impl Iterator<Item = (usize, DVec3)> {
        self.columns.iter().enumerate().filter_map(move |(index, column)| {
            let at = column.rows.binary_search(&place).ok()?;
            Some((index, column.deltas[at].as_dvec3()))
        })
    }

    /// Subtracts columns at their factors from what a block of frames has left.
    pub(super) fn subtract(&self, factors: &[Vec<f64>], block: &mut Block) {
        pulp::Arch::new().dispatch(|| {
            for (index, column) in self.columns.iter().enumerate() {
                let of_frames: Lanes =
                    std::array::from_fn(|frame| factors[frame].get(index).copied().unwrap_or(0.0) as f32);
                if of_frames == [0.0; FRAMES_AT_ONCE] {
                    continue;
                }
                for (&row, delta) in column.rows.iter().zip(&column.deltas) {
                    let [x, y, z] = &mut block.left[row as usize];
                    add_scaled(x, -delta.x, &of_frames);
                    add_scaled(y, -delta.y, &of_frames);
                    add_scaled(z, -delta.z, &of_frames);
                }
            }
        });
    }

    /// Per column, its weighted product with what each frame has left.
    pub(super) fn products_with(&self, block: &Block) -> Vec<[f64; FRAMES_AT_ONCE]> {
        pulp::Arch::new().dispatch(|| {
            let mut products = Vec::with_capacity(self.columns.len());
            for column in &self.columns {
                products.push(column.product_with(block));
            }
            products
        })
    }

    /// The weighted sum of the squares of what one frame has left.
    pub(super) fn square(&self, block: &Block, lane: usize) -> f64 {
        let of_place =
            |(place, &weight): (usize, &f32)| f64::from(weight * block.left_at(place, lane).length_squared());
        self.weights.iter().enumerate().map(of_place).sum()
    }

    /// Per column and frame, the weighted sum of `left · deltaᵀ`.
    pub(super) fn outer_products_with(&self, block: &Block) -> Vec<[DMat3; FRAMES_AT_ONCE]> {
        pulp::Arch::new().dispatch(|| {
            let mut products = Vec::with_capacity(self.columns.len());
            for column in &self.columns {
                products.push(column.outer_product_with(block));
            }
            products
        })
    }

    /// The moments of each frame.
    pub(super) fn moments_of(&self, block: &Block) -> [Moments; FRAMES_AT_ONCE] {
        pulp::Arch::new().dispatch(|| {
            let mut sums = [[0.0_f64; FRAMES_AT_ONCE]; 3];
            let (mut with_rest, mut squares) = ([sums; 3], [sums; 3]);
            for ((left, rest), &weight) in block.left.iter().zip(&self.rest).zip(&self.weights) {
                let left = left.map(|of_axis| of_axis.map(f64::from));
                let weighted = left.map(|of_axis| of_axis.map(|left| left * f64::from(weight)));
                for axis in 0..3 {
                    for frame in 0..FRAMES_AT_ONCE {
                        sums[axis][frame] += weighted[axis][frame];
                    }
                    for (along, rest) in rest.to_array().into_iter().enumerate() {
                        for frame in 0..FRAMES_AT_ONCE {
                            with_rest[along][axis][frame] += weighted[axis][frame] * rest;
                            squares[along][axis][frame] += weighted[axis][frame] * left[along][frame];
                        }
                    }
                }
            }
            std::array::from_fn(|frame| Moments {
                left: DVec3::from_array(sums.map(|of_axis| of_axis[frame])),
                with_rest: matrix_of(&with_rest, frame),
                square: matrix_of(&squares, frame),
            })
        })
    }
}

impl Column {
    /// Adds entries of another mesh, or of another target of the same one.
    fn add(&mut self, entries: Vec<(u32, Vec3)>) {
        let is_after = self.rows.last().is_none_or(|last| *last < entries[0].0);
        for (row, delta) in entries {
            self.rows.push(row);
            self.deltas.push(delta);
        }
        if !is_after {
            let mut all: Vec<(u32, Vec3)> = self.rows.iter().copied().zip(self.deltas.iter().copied()).collect();
            all.sort_by_key(|(row, _)| *row);
            all.dedup_by(|next, first| {
                let is_same = next.0 == first.0;
                if is_same {
                    first.1 += next.1;
                }
                is_same
            });
            (self.rows, self.deltas) = all.into_iter().unzip();
        }
    }

    /// Per frame, the weighted sum of `left · delta`.
    #[inline(always)]
    fn product_with(&self, block: &Block) -> [f64; FRAMES_AT_ONCE] {
        let mut sums = [0.0_f64; FRAMES_AT_ONCE];
        for (rows, deltas) in self.rows.chunks(ADDED_AT_ONCE).zip(self.weighted.chunks(ADDED_AT_ONCE)) {
            let mut part: Lanes = [0.0; FRAMES_AT_ONCE];
            for (&row, delta) in rows.iter().zip(deltas) {
                let [x, y, z] = &block.left[row as usize];
                for frame in 0..FRAMES_AT_ONCE {
                    part[frame] += delta.x * x[frame] + delta.y * y[frame] + delta.z * z[frame];
                }
            }
            for frame in 0..FRAMES_AT_ONCE {
                sums[frame] += f64::from(part[frame]);
            }
        }
        sums
    }

    /// Per frame, the weighted sum of `left · deltaᵀ`.
    #[inline(always)]
    fn outer_product_with(&self, block: &Block) -> [DMat3; FRAMES_AT_ONCE] {
        let mut sums = [[[0.0_f64; FRAMES_AT_ONCE]; 3]; 3];
        for (rows, deltas) in self.rows.chunks(ADDED_AT_ONCE).zip(self.weighted.chunks(ADDED_AT_ONCE)) {
            let mut part = [[[0.0_f32; FRAMES_AT_ONCE]; 3]; 3];
            for (&row, delta) in rows.iter().zip(deltas) {
                let ([x, y, z], delta) = (&block.left[row as usize], delta.to_array());
                for along in 0..3 {
                    let [sums_x, sums_y, sums_z] = &mut part[along];
                    add_scaled(sums_x, delta[along], x);
                    add_scaled(sums_y, delta[along], y);
                    add_scaled(sums_z, delta[along], z);
                }
            }
            for along in 0..3 {
                for axis in 0..3 {
                    for frame in 0..FRAMES_AT_ONCE {
                        sums[along][axis][frame] += f64::from(part[along][axis][frame]);
                    }
                }
            }
        }
        std::array::from_fn(|frame| matrix_of(&sums, frame))
    }

    /// The weighted sum of `rest · deltaᵀ`.
    fn with_rest(&self, rest: &[DVec3]) -> DMat3 {
        let mut sum = DMat3::ZERO;
        for (row, delta) in self.entries() {
            sum += outer(rest[row as usize], delta.as_dvec3());
        }
        sum
    }

    /// The product with a column that has an entry for each place.
    fn product_with_dense(&self, dense: &[DVec3]) -> f64 {
        self.rows.iter().zip(&self.deltas).map(|(&row, delta)| dense[row as usize].dot(delta.as_dvec3())).sum()
    }

    /// The weighted deltas with their places.
    fn entries(&self) -> impl Iterator<Item = (u32, Vec3)> {
        self.rows.iter().copied().zip(self.weighted.iter().copied())
    }
}

/// Adds numbers of all frames times a factor.
#[inline(always)]
fn add_scaled(sums: &mut Lanes, factor: f32, lanes: &Lanes) {
    for frame in 0..FRAMES_AT_ONCE {
        sums[frame] += factor * lanes[frame];
    }
}

/// Of the columns of matrices, of which each entry has a number for each frame, those of one frame.
fn matrix_of(columns: &[[[f64; FRAMES_AT_ONCE]; 3]; 3], frame: usize) -> DMat3 {
    DMat3::from_cols_array_2d(&columns.map(|column| column.map(|of_frames| of_frames[frame])))
}

/// The shapes of a target with the weight at which each is shown fully: its own, then its in-betweens.
fn shapes_of(target: &Target) -> impl Iterator<Item = (smirk_face::head::ShapeDeltas<'_>, f32)> {
    target.shapes().zip(std::iter::once(1.0).chain(target.in_betweens.iter().map(|it| it.full_weight)))
}

/// The longest and the middle of the three standard deviations of points along the axes of the world.
fn extent(points: impl Iterator<Item = DVec3> + Clone) -> [f64; 2] {
    let count = points.clone().count().max(1) as f64;
    let mean = points.clone().sum::<DVec3>() / count;
    let variance = points.map(|point| (point - mean) * (point - mean)).sum::<DVec3>() / count;
    let mut sizes = variance.to_array().map(f64::sqrt);
    sizes.sort_by(|a, b| b.total_cmp(a));
    [sizes[0], sizes[1]]
}

/// Weighted sums over the places of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    /// Of what is left of the displacements.
    pub left: DVec3,
    /// Of `left · restᵀ`.
    pub with_rest: DMat3,
    /// Of `left · leftᵀ`.
    pub square: DMat3,
}

/// Some frames while they are solved: what is left of the displacements of their places.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Per place and axis, a number for each frame.
    pub left: Vec<[Lanes; 3]>,
    /// Per frame, the places that are not finite there, ascending; none for a frame without a face.
    pub missing: Vec<Option<Vec<u32>>>,
    /// Per frame, how the whole head has moved, which is taken out of `left`.
    pub motions: Vec<RigidMotion>,
}

impl Block {
    /// Sets the places of one frame, with the motion of the whole head taken out.
    pub(super) fn set(&mut self, basis: &Basis, lane: usize, places: &[Vec3], motion: MotionOf<'_>) {
        let missing: Vec<u32> =
            places.iter().zip(0..).filter(|(position, _)| !position.is_finite()).map(|(_, place)| place).collect();
        let is_missing = |place: u32| missing.binary_search(&place).is_ok();
        let fit = |places_of_fit: &mut dyn Iterator<Item = u32>| {
            let mut pairs = PointPairs::default();
            for place in places_of_fit.filter(|&place| !is_missing(place)) {
                let (rest, found) = (basis.rest[place as usize], places[place as usize].as_dvec3());
                pairs.add(basis.weights[place as usize].into(), rest, found);
            }
            pairs.motion()
        };
        let motion = match motion {
            MotionOf::Known(motion) => motion,
            MotionOf::Anchors(anchors) => fit(&mut anchors.iter().copied()),
            MotionOf::AllPlaces => fit(&mut (0..places.len() as u32)),
        };
        let is_moved = motion != RigidMotion::NONE;
        for ((left, position), rest) in self.left.iter_mut().zip(places).zip(&basis.rest) {
            let position = position.as_dvec3();
            let moved = if is_moved { motion.back(position) } else { position };
            let by = (moved - *rest).as_vec3();
            let by = if by.is_finite() { by } else { Vec3::ZERO };
            (0..3).for_each(|axis| left[axis][lane] = by[axis]);
        }
        self.motions[lane] = motion;
        self.missing[lane] = Some(missing);
    }

    /// Takes one more motion out of one frame.
    pub(super) fn move_back(&mut self, basis: &Basis, lane: usize, motion: RigidMotion) {
        let missing = self.missing[lane].clone().unwrap_or_default();
        for (place, rest) in basis.rest.iter().enumerate() {
            if missing.binary_search(&(place as u32)).is_err() {
                let by = motion.back(*rest + self.left_at(place, lane).as_dvec3()) - *rest;
                (0..3).for_each(|axis| self.left[place][axis][lane] = by[axis] as f32);
            }
        }
        self.motions[lane] = self.motions[lane].after(&motion);
    }

    /// Clears the frames, for the places of a basis.
    pub(super) fn clear(&mut self, basis: &Basis) {
        self.left.clear();
        self.left.resize(basis.places.len(), Default::default());
        self.missing = vec![None; FRAMES_AT_ONCE];
        self.motions = vec![RigidMotion::NONE; FRAMES_AT_ONCE];
    }

    /// What is left at a place in one frame.
    pub(super) fn left_at(&self, place: usize, lane: usize) -> Vec3 {
        let [x, y, z] = &self.left[place];
        Vec3::new(x[lane], y[lane], z[lane])
    }
}

/// How the whole head has moved in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum MotionOf<'a> {
    /// As these places have, which no shape moves.
    Anchors(&'a [u32]),
    AllPlaces,
    Known(RigidMotion),
}
