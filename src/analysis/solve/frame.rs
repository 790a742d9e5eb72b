//! One frame: its sums over all places, and the values that follow from them.

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::basis::{Basis, Block, MotionOf};
use super::bounded::{self, Matrix, dot};
use super::model::{Model, Tangent, Unknown};
use super::rigid::{PointPairs, RigidMotion, outer};
use super::settings::SolveSettings;
use super::{Outcome, Solved};
use smirk_base::progress::{Cancelled, Progress};

/// How the motion of the whole head is found.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rigid {
    /// It does not move.
    None,
    /// By places that no shape moves, before anything else.
    Still(Vec<u32>),
    /// Together with the values, beginning with these places, which shapes move least.
    Joint(Vec<u32>),
}

impl Rigid {
    pub(super) fn of(basis: &Basis) -> Self {
        basis.still_places().map_or_else(|| Self::Joint(basis.least_moved()), Self::Still)
    }

    pub(super) fn motion_of(&self) -> MotionOf<'_> {
        match self {
            Self::None => MotionOf::Known(RigidMotion::NONE),
            Self::Still(places) | Self::Joint(places) => MotionOf::Anchors(places),
        }
    }
}

/// What the equations of a frame need of its places.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameSums {
    /// Per column, its product with the displacements, in mm² of the mean over all places.
    pub right: Vec<f64>,
    /// The products of every two columns without the places that are missing; none if no place is.
    pub products: Option<Matrix>,
    /// The square of the displacements, in mm² of the mean over all places.
    square: f64,
}

/// The sums from which the motion of the head and the values follow together.
struct JointSums {
    /// Per column, the weighted sums of `found · deltaᵀ`, of deltas, and of the product of deltas with positions at rest.
    with_found: Vec<DMat3>,
    sums: Vec<DVec3>,
    with_rest: Vec<f64>,
    pairs: PointPairs,
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
    /// The tangent of a linear model; of another one, the straight way with which the search begins. With the products of every two
    /// unknowns.
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
        let scale = mm_per_unit * mm_per_unit / basis.weight.max(f64::MIN_POSITIVE);
        let mut products = basis.products.clone();
        products.scale(scale);
        let chord = model.chord();
        let of_unknowns = chord.products(&products);
        let bounds = unknowns.iter().map(|unknown| unknown.bounds).collect();
        Self { basis, model, settings, rigid, unknowns, bounds, scale, products, chord: (chord, of_unknowns) }
    }

    /// Finds the values of the frames of a block, each beginning with those of the one before.
    pub(super) fn solve_block(&self, block: &mut Block, solved: &mut [Outcome]) {
        let is_joint = matches!(self.rigid, Rigid::Joint(_));
        let outer_products = if is_joint { self.basis.outer_products_with(block) } else { Vec::new() };
        let products = if is_joint { Vec::new() } else { self.basis.products_with(block) };
        let mut before: Option<Vec<f64>> = None;
        for (lane, of_frame) in solved.iter_mut().enumerate() {
            let Ok(of_frame) = of_frame else { continue };
            let joint = is_joint.then(|| self.joint_sums(block, lane, &outer_products));
            let right = products.iter().map(|of_frames| of_frames[lane] * self.scale).collect();
            let square = if self.model.is_linear { 0.0 } else { self.basis.square(block, lane) * self.scale };
            let mut sums = FrameSums { right, products: self.products_without(block, lane), square };
            let (values, motion) = self.search(&mut sums, joint.as_ref(), before.as_deref());
            if is_joint {
                block.move_back(self.basis, lane, motion);
                of_frame.motion = block.motions[lane];
            }
            of_frame.sums = sums;
            of_frame.values.clone_from(&values);
            before = Some(values);
        }
    }

    /// The solution of a frame. Where a head is not linear, the search begins on the straight way, and once more at the values of the
    /// frame before; where much is left, it also begins on the other sides of corners.
    fn search(
        &self,
        sums: &mut FrameSums,
        joint: Option<&JointSums>,
        before: Option<&[f64]>,
    ) -> (Vec<f64>, RigidMotion) {
        /// The mean square that is much.
        const MUCH_MM2: f64 = 1e-4;
        let none = Neighbours::default();
        let mut values = vec![0.0; self.unknowns.len()];
        let mut motion = self.solve_values(sums, &none, joint, true, &mut values);
        if self.model.is_linear {
            return (values, motion);
        }
        motion = self.solve_values(sums, &none, joint, false, &mut values);
        let cost_of = |sums: &FrameSums, values: &[f64]| {
            self.cost(sums.products.as_ref().unwrap_or(&self.products), &sums.right, &none, values)
        };
        let mut least = cost_of(sums, &values);
        let at_rest = vec![0.0; self.unknowns.len()];
        let mut begin = |from: Vec<f64>, values: &mut Vec<f64>, sums: &mut FrameSums| {
            let (mut other, mut other_sums) = (from, sums.clone());
            let other_motion = self.solve_values(&mut other_sums, &none, joint, false, &mut other);
            let cost = cost_of(&other_sums, &other);
            let is_less = cost < least - 1e-9 * least.abs();
            if is_less {
                (least, *values, *sums, motion) = (cost, other, other_sums, other_motion);
            }
            is_less
        };
        if let Some(before) = before {
            begin(before.to_vec(), &mut values, sums);
        }
        // Costs are below 0 by half of what is explained.
        let is_much = |sums: &FrameSums, values: &[f64]| {
            let explained = cost_of(sums, &at_rest) - cost_of(sums, values);
            sums.square - 2.0 * explained > MUCH_MM2
        };
        let mut is_better = is_much(sums, &values);
        while is_better {
            is_better = false;
            for (at, unknown) in self.unknowns.iter().enumerate().filter(|(_, unknown)| unknown.corners.len() > 2) {
                for part in unknown.corners.windows(2) {
                    if (part[0]..=part[1]).contains(&values[at]) {
                        continue;
                    }
                    let mut from = values.clone();
                    from[at] = 0.5 * (part[0] + part[1]);
                    is_better |= begin(from, &mut values, sums);
                }
            }
            is_better &= is_much(sums, &values);
        }
        (values, motion)
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

    fn joint_sums(&self, block: &Block, lane: usize, with_left: &[[DMat3; super::FRAMES_AT_ONCE]]) -> JointSums {
        let basis = self.basis;
        let mut with_rest = basis.with_rest.clone();
        let mut sums = basis.sums.clone();
        let missing = block.missing[lane].as_deref().unwrap_or_default();
        let mut pairs = PointPairs::default();
        for (place, (&rest, &weight)) in basis.rest.iter().zip(&basis.weights).enumerate() {
            if missing.binary_search(&(place as u32)).is_err() {
                pairs.add(weight.into(), rest, rest + block.left_at(place, lane).as_dvec3());
            }
        }
        for &place in missing {
            let (rest, weight) = (basis.rest[place as usize], f64::from(basis.weights[place as usize]));
            for (column, delta) in basis.at_place(place) {
                with_rest[column] -= outer(rest, delta * weight);
                sums[column] -= delta * weight;
            }
        }
        let with_found = with_rest.iter().zip(with_left).map(|(rest, left)| *rest + left[lane]).collect();
        let trace = |matrix: &DMat3| matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z;
        JointSums { with_found, sums, with_rest: with_rest.iter().map(trace).collect(), pairs }
    }

    /// Replaces `values` by the solution, beginning there. Returns the motion of the head besides the one that is taken out already. A
    /// model `is_straight` that is linear, or taken for it.
    fn solve_values(
        &self,
        sums: &mut FrameSums,
        neighbours: &Neighbours<'_>,
        joint: Option<&JointSums>,
        is_straight: bool,
        values: &mut Vec<f64>,
    ) -> RigidMotion {
        /// A solution changes by less than this when it is looked for again.
        const SETTLED: f64 = 1e-7;
        const MOST_ROUNDS: usize = 60;
        let mut motion = RigidMotion::NONE;
        let (chord, chord_products) = &self.chord;
        for _ in 0..MOST_ROUNDS {
            if let Some(joint) = joint {
                sums.right = joint.right(&motion, self.scale);
            }
            let columns = sums.products.as_ref().unwrap_or(&self.products);
            let (own_tangent, own_bounds);
            let (tangent, bounds, factors) = if is_straight {
                (chord, &self.bounds, chord.factors_after(values))
            } else {
                (own_tangent, own_bounds) = self.tangent_at(values, columns, &sums.right);
                (&own_tangent, &own_bounds, own_tangent.factors.clone())
            };
            let mut matrix = match sums.products {
                None if is_straight => chord_products.clone(),
                _ => tangent.products(columns),
            };
            if let Some(joint) = joint {
                joint.without_motion(tangent, self.scale, &mut matrix);
            }
            let left: Vec<f64> =
                sums.right.iter().zip(columns.times(&factors)).map(|(right, shown)| right - shown).collect();
            let product = matrix.times(values);
            let mut right: Vec<f64> =
                tangent.of_unknowns(&left).iter().zip(product).map(|(left, product)| left + product).collect();
            self.add_penalties(&mut matrix, &mut right, neighbours, values);
            let mut next = values.clone();
            bounded::solve(&matrix, &right, bounds, &mut next);
            if !is_straight {
                self.step_back(columns, &sums.right, neighbours, values, &mut next);
            }
            let change = values.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            *values = next;
            match joint {
                None if is_straight => break,
                None => {}
                Some(joint) => {
                    let factors = if is_straight { chord.factors_after(values) } else { self.model.factors(values) };
                    motion = joint.motion(&factors);
                }
            }
            if change < SETTLED {
                break;
            }
        }
        if let Some(joint) = joint {
            sums.right = joint.right(&motion, self.scale);
        }
        motion
    }

    /// The tangent at some values, and how far it reaches. At a corner it is that of the side to which the unknown moves by itself.
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

    /// Half of what the values cost, without what no values change.
    fn cost(&self, columns: &Matrix, right: &[f64], neighbours: &Neighbours<'_>, values: &[f64]) -> f64 {
        let SolveSettings { ridge_mm2, temporal_mm2, sparse_mm2, .. } = *self.settings;
        let factors = self.model.factors(values);
        let of_places = 0.5 * dot(&factors, &columns.times(&factors)) - dot(&factors, right);
        let change = |other: &&[f64]| values.iter().zip(*other).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let of_changes: f64 = neighbours.0.iter().map(change).sum();
        let sum: f64 = values.iter().map(|value| value.abs()).sum();
        of_places + 0.5 * (ridge_mm2 * dot(values, values) + temporal_mm2 * of_changes + sparse_mm2 * sum)
    }

    /// Halves a step until the values cost less than before: where a head is not linear, a whole one may lead too far.
    fn step_back(&self, columns: &Matrix, right: &[f64], neighbours: &Neighbours<'_>, from: &[f64], to: &mut [f64]) {
        const MOST_HALVES: usize = 12;
        let before = self.cost(columns, right, neighbours, from);
        for _ in 0..MOST_HALVES {
            if self.cost(columns, right, neighbours, to) <= before {
                return;
            }
            to.iter_mut().zip(from).for_each(|(to, from)| *to = 0.5 * (*to + from));
        }
        to.copy_from_slice(from);
    }

    /// Solves all frames again with what a change between frames costs: every second frame, between those beside it as they are, then
    /// the others, until nothing changes. The result does not depend on the number of cores.
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
                    let (mut values, mut sums) = (of_frame.values.clone(), of_frame.sums.clone());
                    self.solve_values(&mut sums, &neighbours, None, self.model.is_linear, &mut values);
                    Some((frame, values))
                };
                let frames: Vec<usize> = (first..solved.len()).step_by(2).collect();
                let changed: Vec<(usize, Vec<f64>)> = frames.into_par_iter().filter_map(again).collect();
                for (frame, values) in changed {
                    if let Ok(Solved { values: known, .. }) = &mut solved[frame] {
                        let change = known.iter().zip(&values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                        largest = largest.max(change);
                        *known = values;
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

    /// The motion from where the head has its places, with columns at these factors, to where they are found.
    fn motion(&self, factors: &[f64]) -> RigidMotion {
        let mut pairs = self.pairs;
        for ((factor, with_found), sum) in factors.iter().zip(&self.with_found).zip(&self.sums) {
            pairs.rest += *factor * *sum;
            pairs.products += *with_found * *factor;
        }
        pairs.motion()
    }

    /// Takes out of the products of the unknowns what a small motion of the whole head does as well: then a step of the values does not
    /// have to wait for the motion that belongs to it.
    fn without_motion(&self, tangent: &Tangent, scale: f64, matrix: &mut Matrix) {
        let center = self.pairs.rest / self.pairs.weight;
        // The moments of the places at rest about their centre.
        let found = self.pairs.found / self.pairs.weight;
        let second = self.pairs.products - outer(self.pairs.weight * found, center);
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - 0.5 * (second + second.transpose());
        if !(inertia.determinant().abs() > 0.0 && inertia.is_finite()) {
            return;
        }
        let inverse = inertia.inverse();
        let of_column = |column: usize| {
            let with = self.with_found[column] - outer(center, self.sums[column]);
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
