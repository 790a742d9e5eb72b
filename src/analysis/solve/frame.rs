//! One frame: its sums over all places, and the values that follow from them.

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::basis::{Basis, Block, Moments, MotionOf};
use super::bounded::{self, Matrix, dot};
use super::model::{Model, Tangent, Unknown};
use super::rigid::{PointPairs, RigidMotion, outer};
use super::settings::SolveSettings;
use super::{Outcome, Solved};
use smirk_base::progress::{Cancelled, Progress};

/// How the motion of the whole head is found.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rigid {
    None,
    /// By places that no shape moves, before anything else.
    Still(Vec<u32>),
    /// Together with the values, because shapes move all places.
    Joint,
}

impl Rigid {
    pub(super) fn find(basis: &Basis) -> Self {
        basis.still_places().map_or(Self::Joint, Self::Still)
    }

    /// The motion that is taken out of a frame when it is read.
    pub(super) fn motion_of(&self) -> MotionOf<'_> {
        match self {
            Self::None => MotionOf::Known(RigidMotion::NONE),
            Self::Still(places) => MotionOf::Anchors(places),
            Self::Joint => MotionOf::AllPlaces,
        }
    }
}

/// What the equations of a frame need of its places.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameSums {
    /// Per column, its product with the displacements, in mm² of the mean over all places.
    right: Vec<f64>,
    /// The square of the displacements, in mm² of the mean over all places.
    square: f64,
    /// The products of every two columns without the places that are missing; none if no place is.
    products: Option<Matrix>,
    /// From which `right` and `square` follow for any motion of the head; none where the motion is known.
    joint: Option<JointSums>,
}

/// The sums from which the motion of the head and the values follow together. "Found" is where a place is once `base`
/// is taken out.
#[derive(Clone, Debug)]
struct JointSums {
    /// The motion that was taken out before.
    base: RigidMotion,
    /// Per column, the weighted sums of `found · deltaᵀ`, of deltas, and of the product of deltas with positions at
    /// rest.
    with_found: Vec<DMat3>,
    sums: Vec<DVec3>,
    with_rest: Vec<f64>,
    pairs: PointPairs,
    /// The weighted sums of `found · foundᵀ`, and of the squares of positions at rest.
    found_square: DMat3,
    rest_square: f64,
}

/// Values that may be the solution of a frame.
#[derive(Clone, Debug)]
struct Candidate {
    values: Vec<f64>,
    /// The motion of the head besides the one that is taken out already.
    motion: RigidMotion,
    factors: Vec<f64>,
    /// Per column, its product with the displacements once the motion is taken out.
    right: Vec<f64>,
    /// The mean square of what is left, in mm².
    left_mm2: f64,
    cost: f64,
}

/// The values that equations lead to.
struct Wanted {
    values: Vec<f64>,
    /// Whether they show the same as those at which the equations were set up.
    is_settled: bool,
}

/// What all frames have in common.
pub(super) struct Context<'a> {
    basis: &'a Basis,
    model: &'a Model<'a>,
    settings: &'a SolveSettings,
    rigid: &'a Rigid,
    unknowns: &'a [Unknown],
    bounds: Vec<[f64; 2]>,
    /// From sums over places to mm² of their mean.
    scale: f64,
    products: Matrix,
    /// The tangent of a linear model; of another one, the straight way with which the search begins. With the products
    /// of every two unknowns.
    chord: (Tangent, Matrix),
}

/// The values of the frames before and after.
#[derive(Default)]
struct Neighbours<'a>(Vec<&'a [f64]>);

impl<'a> Context<'a> {
    pub(super) fn new(
        basis: &'a Basis,
        model: &'a Model<'a>,
        unknowns: &'a [Unknown],
        rigid: &'a Rigid,
        settings: &'a SolveSettings,
        mm_per_unit: f64,
    ) -> Self {
        let scale = mm_per_unit * mm_per_unit / basis.rest_pairs.weight.max(f64::MIN_POSITIVE);
        let mut products = basis.products.clone();
        products.scale(scale);
        let chord = model.chord();
        let of_unknowns = chord.products(&products);
        let bounds = unknowns.iter().map(|unknown| unknown.bounds).collect();
        Self { basis, model, settings, rigid, unknowns, bounds, scale, products, chord: (chord, of_unknowns) }
    }

    /// Finds the values of the frames of a block.
    pub(super) fn solve_block(&self, block: &mut Block, solved: &mut [Outcome]) {
        let is_joint = *self.rigid == Rigid::Joint;
        let outer_products = if is_joint { self.basis.outer_products_with(block) } else { Vec::new() };
        let products = if is_joint { Vec::new() } else { self.basis.products_with(block) };
        let moments = is_joint.then(|| self.basis.moments_of(block));
        let mut before: Option<Vec<f64>> = None;
        for (lane, of_frame) in solved.iter_mut().enumerate() {
            let Ok(of_frame) = of_frame else { continue };
            let sums = FrameSums {
                right: products.iter().map(|of_frames| of_frames[lane] * self.scale).collect(),
                square: if is_joint || self.is_exact() { 0.0 } else { self.basis.square(block, lane) * self.scale },
                products: self.products_without(block, lane),
                joint: moments.as_ref().map(|moments| self.joint_sums(block, lane, &moments[lane], &outer_products)),
            };
            let found = self.search(&sums, before.as_deref());
            if let Some(joint) = &sums.joint {
                block.move_back(self.basis, lane, found.motion);
                of_frame.motion = joint.base.after(&found.motion);
            }
            of_frame.sums = sums;
            of_frame.values.clone_from(&found.values);
            before = Some(found.values);
        }
    }

    /// Whether the equations of a frame are linear, so that solving them once is exact.
    fn is_exact(&self) -> bool {
        self.model.is_linear && *self.rigid != Rigid::Joint
    }

    /// The solution of a frame: of several searches, the one with the least cost. They begin on the straight way from
    /// the face at rest and, where the head is not linear or much is left, at the values of the frame before. Where a
    /// head is not linear and much is left, they also begin on the other sides of corners.
    fn search(&self, sums: &FrameSums, before: Option<&[f64]>) -> Candidate {
        let none = Neighbours::default();
        let mut best = self.search_from_rest(sums);
        if self.is_exact() {
            return best;
        }
        if let Some(before) = before.filter(|_| !self.model.is_linear || best.is_much_left()) {
            best.keep_less(self.search_from(sums, &none, before.to_vec()));
        }
        let mut is_better = !self.model.is_linear && best.is_much_left();
        while is_better {
            is_better = false;
            for (at, unknown) in self.unknowns.iter().enumerate().filter(|(_, unknown)| unknown.corners.len() > 2) {
                for part in unknown.corners.windows(2) {
                    if (part[0]..=part[1]).contains(&best.values[at]) {
                        continue;
                    }
                    let mut from = best.values.clone();
                    from[at] = 0.5 * (part[0] + part[1]);
                    is_better |= best.keep_less(self.search_from(sums, &none, from));
                }
            }
            is_better &= best.is_much_left();
        }
        best
    }

    /// The solution to which a search leads that begins at some values.
    fn search_from(&self, sums: &FrameSums, neighbours: &Neighbours<'_>, values: Vec<f64>) -> Candidate {
        let is_straight = self.model.is_linear;
        let from = self.candidate(sums, neighbours, is_straight, values, None);
        self.descend(sums, neighbours, is_straight, from)
    }

    /// The solution to which a search leads that begins at rest, on the straight way, with the motion that is taken out
    /// already.
    fn search_from_rest(&self, sums: &FrameSums) -> Candidate {
        let none = Neighbours::default();
        let rest = vec![0.0; self.unknowns.len()];
        let at_rest = self.candidate(sums, &none, true, rest, Some(RigidMotion::NONE));
        let wanted = self.next_values(sums, &none, true, &at_rest, None);
        let mut found = self.candidate(sums, &none, true, wanted.values, None);
        if sums.joint.is_some() {
            found = self.descend(sums, &none, true, found);
        }
        if !self.model.is_linear {
            found = self.search_from(sums, &none, found.values);
        }
        found
    }

    /// The products of the columns without the places that a frame lacks; none if it has all.
    fn products_without(&self, block: &Block, lane: usize) -> Option<Matrix> {
        let missing = block.missing[lane].as_ref().filter(|missing| !missing.is_empty())?;
        let mut products = self.products.clone();
        for &place in missing {
            let weight = f64::from(self.basis.weights[place as usize]) * self.scale;
            let deltas: Vec<(usize, DVec3)> = self.basis.at_place(place).collect();
            for &(a, of_a) in &deltas {
                for &(b, of_b) in &deltas {
                    *products.at_mut(a, b) -= weight * of_a.dot(of_b);
                }
            }
        }
        Some(products)
    }

    fn joint_sums(
        &self,
        block: &Block,
        lane: usize,
        moments: &Moments,
        with_left: &[[DMat3; super::FRAMES_AT_ONCE]],
    ) -> JointSums {
        let basis = self.basis;
        let (mut with_rest, mut sums, mut at_rest) = (basis.with_rest.clone(), basis.sums.clone(), basis.rest_pairs);
        for &place in block.missing[lane].iter().flatten() {
            let (rest, weight) = (basis.rest[place as usize], f64::from(basis.weights[place as usize]));
            at_rest.add(-weight, rest, rest);
            for (column, delta) in basis.at_place(place) {
                with_rest[column] -= outer(rest, delta * weight);
                sums[column] -= delta * weight;
            }
        }
        let with_found = with_rest.iter().zip(with_left).map(|(rest, left)| *rest + left[lane]).collect();
        let with_rest = with_rest.iter().map(trace).collect();
        let PointPairs { rest, products, .. } = at_rest;
        let pairs = PointPairs { found: rest + moments.left, products: products + moments.with_rest, ..at_rest };
        let found_square = pairs.products + moments.with_rest.transpose() + moments.square;
        JointSums {
            base: block.motions[lane],
            with_found,
            sums,
            with_rest,
            pairs,
            found_square,
            rest_square: trace(&products),
        }
    }

    /// Values with what they cost. Without a motion of the head, it is the one that fits them best. A model
    /// `is_straight` that is linear, or taken for it.
    fn candidate(
        &self,
        sums: &FrameSums,
        neighbours: &Neighbours<'_>,
        is_straight: bool,
        values: Vec<f64>,
        motion: Option<RigidMotion>,
    ) -> Candidate {
        let factors = if is_straight { self.chord.0.factors_after(&values) } else { self.model.factors(&values) };
        let (motion, right, square) = match &sums.joint {
            Some(joint) => {
                let motion = motion.unwrap_or_else(|| joint.motion(&factors));
                (motion, joint.right(&motion, self.scale), joint.square(&motion) * self.scale)
            }
            None => (RigidMotion::NONE, sums.right.clone(), sums.square),
        };
        let shown = dot(&factors, &self.columns(sums).times(&factors));
        let left_mm2 = shown - 2.0 * dot(&factors, &right) + square;
        let cost = 0.5 * (left_mm2 + self.penalty(neighbours, &values));
        Candidate { values, motion, factors, right, left_mm2, cost }
    }

    fn columns<'s>(&'s self, sums: &'s FrameSums) -> &'s Matrix {
        sums.products.as_ref().unwrap_or(&self.products)
    }

    /// The solution to which a search leads from some values: the steps of Gauss and Newton, each of them shortened
    /// until it costs less.
    fn descend(&self, sums: &FrameSums, neighbours: &Neighbours<'_>, is_straight: bool, from: Candidate) -> Candidate {
        const MOST_ROUNDS: usize = 60;
        let mut at = from;
        for _ in 0..MOST_ROUNDS {
            let wanted = self.next_values(sums, neighbours, is_straight, &at, sums.joint.as_ref());
            if is_straight && sums.joint.is_none() {
                return self.candidate(sums, neighbours, true, wanted.values, None);
            }
            let next = self.step(sums, neighbours, is_straight, &at, wanted.values);
            let is_stopped = next.values == at.values;
            at = next;
            if wanted.is_settled || is_stopped {
                break;
            }
        }
        at
    }

    /// The values that the equations at a candidate lead to. With `joint`, the motion of the head changes with them.
    fn next_values(
        &self,
        sums: &FrameSums,
        neighbours: &Neighbours<'_>,
        is_straight: bool,
        at: &Candidate,
        joint: Option<&JointSums>,
    ) -> Wanted {
        /// A solution changes by less than this when it is looked for again.
        const SETTLED: f64 = 1e-7;
        /// Or it moves places by less than this part of what shapes do at 1, by squares: where shapes are sums of
        /// others, many values show the same, and rounding chooses among them.
        const SETTLED_SQUARE: f64 = 1e-13;
        let columns = self.columns(sums);
        let (chord, chord_products) = &self.chord;
        let (own_tangent, own_bounds);
        let (tangent, bounds) = if is_straight {
            (chord, &self.bounds)
        } else {
            (own_tangent, own_bounds) = self.tangent_at(&at.values, columns, &at.right);
            (&own_tangent, &own_bounds)
        };
        let mut matrix = match sums.products {
            None if is_straight => chord_products.clone(),
            _ => tangent.products(columns),
        };
        if let Some(joint) = joint {
            joint.without_motion(tangent, &at.motion, self.scale, &mut matrix);
        }
        let left: Vec<f64> =
            at.right.iter().zip(columns.times(&at.factors)).map(|(right, shown)| right - shown).collect();
        let product = matrix.times(&at.values);
        let mut right: Vec<f64> =
            tangent.of_unknowns(&left).iter().zip(product).map(|(left, product)| left + product).collect();
        self.add_penalties(&mut matrix, &mut right, neighbours, &at.values);
        let mut values = at.values.clone();
        bounded::solve(&matrix, &right, bounds, &mut values);
        let change: Vec<f64> = values.iter().zip(&at.values).map(|(to, from)| to - from).collect();
        let largest = change.iter().fold(0.0_f64, |largest, change| largest.max(change.abs()));
        // Without the ridge, which only chooses among what shows the same.
        let square = dot(&change, &matrix.times(&change)) - self.settings.ridge_mm2 * dot(&change, &change);
        let of_one = (0..matrix.size()).map(|at| matrix.at(at, at)).sum::<f64>() / matrix.size() as f64;
        Wanted { values, is_settled: largest < SETTLED || square < SETTLED_SQUARE * of_one }
    }

    /// The tangent at some values, and how far it reaches. At a corner it is that of the side to which the unknown
    /// moves by itself.
    fn tangent_at(&self, values: &[f64], columns: &Matrix, right: &[f64]) -> (Tangent, Vec<[f64; 2]>) {
        let mut parts: Vec<[f64; 2]> =
            self.unknowns.iter().zip(values).map(|(unknown, &value)| unknown.part_above(value)).collect();
        let mut tangent = self.model.tangent(values, &parts);
        let left: Vec<f64> =
            right.iter().zip(columns.times(&tangent.factors)).map(|(right, shown)| right - shown).collect();
        let pull = |slopes: &[(usize, f64)]| slopes.iter().map(|&(at, slope)| slope * left[at]).sum::<f64>();
        for (at, unknown) in self.unknowns.iter().enumerate() {
            let Some(below) = unknown.part_below(values[at]).filter(|_| pull(&tangent.slopes[at]) <= 0.0) else {
                continue;
            };
            let slopes = self.model.slopes(values, &tangent.factors, at, below);
            if pull(&slopes) < 0.0 {
                (parts[at], tangent.slopes[at]) = (below, slopes);
            }
        }
        (tangent, parts)
    }

    /// Adds what values cost besides distances.
    fn add_penalties(&self, matrix: &mut Matrix, right: &mut [f64], neighbours: &Neighbours<'_>, values: &[f64]) {
        let SolveSettings { ridge_mm2, temporal_mm2, sparse_mm2, .. } = *self.settings;
        matrix.add_to_diagonal(ridge_mm2 + temporal_mm2 * neighbours.0.len() as f64);
        for (at, right) in right.iter_mut().enumerate() {
            *right += temporal_mm2 * neighbours.0.iter().map(|values| values[at]).sum::<f64>();
            // The cost of a value is linear on either side of 0.
            let is_above = self.bounds[at][0] >= 0.0 || values[at] > 0.0;
            let sign = if is_above { 1.0 } else { values[at].signum() * f64::from(u8::from(values[at] != 0.0)) };
            *right -= 0.5 * sparse_mm2 * sign;
        }
    }

    /// What values cost besides distances.
    fn penalty(&self, neighbours: &Neighbours<'_>, values: &[f64]) -> f64 {
        let SolveSettings { ridge_mm2, temporal_mm2, sparse_mm2, .. } = *self.settings;
        let pairs = neighbours.0.iter().flat_map(|other| values.iter().zip(*other));
        let of_changes: f64 = pairs.map(|(a, b)| (a - b) * (a - b)).sum();
        let sum: f64 = values.iter().map(|value| value.abs()).sum();
        ridge_mm2 * dot(values, values) + temporal_mm2 * of_changes + sparse_mm2 * sum
    }

    /// A step to other values, halved until they cost no more than before: where the head turns or is not linear, a
    /// whole one may lead too far.
    fn step(
        &self,
        sums: &FrameSums,
        neighbours: &Neighbours<'_>,
        is_straight: bool,
        from: &Candidate,
        mut to: Vec<f64>,
    ) -> Candidate {
        const MOST_HALVES: usize = 12;
        /// The part of a sum of squares that 64 bits do not tell.
        const ROUNDING: f64 = 1e-13;
        let rounding = sums.joint.as_ref().map_or(0.0, |joint| ROUNDING * self.scale * joint.rest_square);
        for _ in 0..MOST_HALVES {
            let next = self.candidate(sums, neighbours, is_straight, to, None);
            if next.cost <= from.cost + rounding {
                return next;
            }
            to = next.values.iter().zip(&from.values).map(|(to, from)| 0.5 * (to + from)).collect();
        }
        from.clone()
    }

    /// Solves all frames again with what a change between frames costs: every second frame, between those beside it as
    /// they are, then the others, until nothing changes. The result does not depend on the number of cores.
    pub(super) fn pass(&self, solved: &mut [Outcome], progress: Progress<'_>) -> Result<(), Cancelled> {
        const SETTLED: f64 = 1e-6;
        const MOST_PASSES: usize = 200;
        for pass in 0..MOST_PASSES {
            progress.report("smoothing", pass as f32 / MOST_PASSES as f32)?;
            let mut largest = 0.0_f64;
            for first in 0..2 {
                let values_of = |frame: usize| solved.get(frame)?.as_ref().ok().map(|it| it.values.as_slice());
                let again = |frame: usize| {
                    let of_frame = solved[frame].as_ref().ok()?;
                    let beside = [frame.checked_sub(1), Some(frame + 1)].into_iter().flatten();
                    let neighbours = Neighbours(beside.filter_map(values_of).collect());
                    Some((frame, self.search_from(&of_frame.sums, &neighbours, of_frame.values.clone())))
                };
                let frames: Vec<usize> = (first..solved.len()).step_by(2).collect();
                let changed: Vec<(usize, Candidate)> = frames.into_par_iter().filter_map(again).collect();
                for (frame, found) in changed {
                    if let Ok(of_frame) = &mut solved[frame] {
                        let pairs = of_frame.values.iter().zip(&found.values);
                        largest = pairs.map(|(a, b)| (a - b).abs()).fold(largest, f64::max);
                        of_frame.take(found);
                    }
                }
            }
            if largest < SETTLED {
                break;
            }
        }
        Ok(())
    }
}

/// The mean square that is much: what files round is less.
const MUCH_MM2: f64 = 1e-4;

/// A solution is better if it costs less by more than this part: less is rounding.
const LEAST_GAIN: f64 = 1e-6;

impl Candidate {
    fn is_much_left(&self) -> bool {
        self.left_mm2 > MUCH_MM2
    }

    /// Takes another candidate that costs less, and tells whether it does.
    fn keep_less(&mut self, other: Self) -> bool {
        let is_less = other.cost < self.cost - LEAST_GAIN * self.cost.abs();
        if is_less {
            *self = other;
        }
        is_less
    }
}

impl Solved {
    fn take(&mut self, found: Candidate) {
        if let Some(joint) = &self.sums.joint {
            self.motion = joint.base.after(&found.motion);
        }
        self.values = found.values;
    }
}

impl JointSums {
    /// Per column, its product with the displacements once a motion is taken out.
    fn right(&self, motion: &RigidMotion, scale: f64) -> Vec<f64> {
        let turned = motion.rotation.transpose() * motion.translation;
        let column = |((with_found, sum), with_rest): ((&DMat3, &DVec3), &f64)| {
            let rotation = motion.rotation.to_cols_array();
            let found = dot(&rotation, &with_found.to_cols_array());
            (found - turned.dot(*sum) - with_rest) * scale
        };
        self.with_found.iter().zip(&self.sums).zip(&self.with_rest).map(column).collect()
    }

    /// The weighted sum of the squares of the displacements once a motion is taken out.
    fn square(&self, motion: &RigidMotion) -> f64 {
        let RigidMotion { rotation, translation } = *motion;
        let of_found = trace(&self.found_square) - 2.0 * translation.dot(self.pairs.found)
            + self.pairs.weight * translation.length_squared();
        let of_both = dot(&rotation.to_cols_array(), &self.pairs.products.to_cols_array())
            - translation.dot(rotation * self.pairs.rest);
        of_found - 2.0 * of_both + self.rest_square
    }

    /// The motion from where the head has its places, with columns at these factors, to where they are found.
    fn motion(&self, factors: &[f64]) -> RigidMotion {
        let mut pairs = self.pairs;
        for ((factor, with_found), sum) in factors.iter().zip(&self.with_found).zip(&self.sums) {
            pairs.rest += *factor * *sum;
            pairs.products += *with_found * *factor;
        }
        pairs.motion()
    }

    /// Takes out of the products of the unknowns what a small motion of the whole head besides `motion` does as well:
    /// then a step of the values does not have to wait for the motion that belongs to it.
    fn without_motion(&self, tangent: &Tangent, motion: &RigidMotion, scale: f64, matrix: &mut Matrix) {
        let back = motion.rotation.transpose();
        let found = self.pairs.found / self.pairs.weight;
        // The moments of the places about their centre, where they are found once the motion is taken out.
        let second = back * (self.found_square - outer(self.pairs.found, found)) * motion.rotation;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace(&second))) - second;
        if !(inertia.determinant() > 0.0 && inertia.is_finite()) {
            return;
        }
        let inverse = inertia.inverse();
        let of_column = |column: usize| {
            let with = back * (self.with_found[column] - outer(found, self.sums[column]));
            // The sum of `place × delta`.
            let [x, y, z] = [with.x_axis, with.y_axis, with.z_axis];
            (self.sums[column], DVec3::new(z.y - y.z, x.z - z.x, y.x - x.y))
        };
        let of_unknown = |slopes: &Vec<(usize, f64)>| {
            slopes.iter().fold((DVec3::ZERO, DVec3::ZERO), |(along, about), &(column, slope)| {
                let (own_along, own_about) = of_column(column);
                (along + slope * own_along, about + slope * own_about)
            })
        };
        let motions: Vec<(DVec3, DVec3)> = tangent.slopes.iter().map(of_unknown).collect();
        for (row, (along, about)) in motions.iter().enumerate() {
            let about = inverse * *about;
            for (column, (other_along, other_about)) in motions.iter().enumerate() {
                let same = along.dot(*other_along) / self.pairs.weight + about.dot(*other_about);
                *matrix.at_mut(row, column) -= scale * same;
            }
        }
        // Rounding must not make a movement negative that is nothing but a motion of the head.
        for at in 0..matrix.size() {
            let own = matrix.at(at, at);
            *matrix.at_mut(at, at) = own.max(0.0);
        }
    }
}

fn trace(matrix: &DMat3) -> f64 {
    matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z
}
