//! Left and right shapes that are not mirror images of each other: by mistake, or because the face is not symmetric.
//!
//! The measure of a pair is the length of the difference, as one vector over all vertices, divided by the mean length of both
//! sides' displacements. Only heads whose moving vertices are symmetric at rest are checked.

use std::collections::HashSet;

use glam::Vec3;

use crate::head::{Level, PairKind};
use crate::lint::displacements::Displacements;
use crate::lint::finding::{Finding, Measure};
use crate::lint::mirror::Mirror;
use crate::lint::rule::Rule;

/// A difference of less, in millimetres, is not visible.
const LEAST_MM: f32 = 0.1;

/// The most that vertices without a mirror image may move, as a part of the movement of the others.
const MOST_UNMATCHED: f64 = 0.3;

/// The difference of a pair of channels from mirror symmetry.
struct Unevenness {
    left: usize,
    right: usize,
    /// The difference as a part of the movement.
    share: f32,
    /// The largest difference at a vertex, in world units.
    most: f32,
}

/// One finding for all uneven pairs, the worst first.
pub(in crate::lint) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    let pairs = displacements.head.pairs.iter().filter(|pair| pair.kind == PairKind::Sides);
    let examined: HashSet<usize> = displacements.examined(Rule::Asymmetry).collect();
    let pairs: Vec<(usize, usize)> = pairs
        .filter_map(|pair| Some((pair.first, pair.second?)))
        .filter(|&(left, right)| {
            [left, right].iter().all(|side| displacements.is_visible(*side) && examined.contains(side))
        })
        .collect();
    let mut is_moved = vec![false; displacements.vertex_count()];
    for channel in pairs.iter().flat_map(|&(left, right)| [left, right]) {
        displacements.deltas(channel).for_each(|(vertex, _)| is_moved[vertex] = true);
    }
    let moved: Vec<usize> = (0..is_moved.len()).filter(|&vertex| is_moved[vertex]).collect();
    let mirror = Mirror::of(displacements, &moved)?;
    let mut scratch = Scratch { left: vec![Vec3::ZERO; is_moved.len()], right: vec![Vec3::ZERO; is_moved.len()] };
    let measured = pairs.iter().filter_map(|&(left, right)| scratch.measure(displacements, &mirror, left, right));
    let threshold = displacements.settings.limit(Rule::Asymmetry) / 100.0;
    let least = displacements.in_world(LEAST_MM);
    let is_uneven = |pair: &Unevenness| pair.share > threshold && pair.most > least;
    let mut uneven: Vec<Unevenness> = measured.filter(is_uneven).collect();
    uneven.sort_by(|a, b| b.share.total_cmp(&a.share));
    let worst = uneven.first()?;
    let measure = Measure::Asymmetry { share: worst.share, threshold, largest: worst.most, pairs: pairs.len() };
    let channels = uneven.iter().flat_map(|pair| [pair.left, pair.right]).collect();
    Some(displacements.finding(Level::Info, channels, measure))
}

/// Deltas by vertex; all zero between the measurements of two pairs.
struct Scratch {
    left: Vec<Vec3>,
    right: Vec<Vec3>,
}

impl Scratch {
    /// The difference of a pair; none if too much of the movement is in vertices without a mirror image: eyes may be copies and
    /// not mirror images.
    fn measure(
        &mut self,
        displacements: &Displacements<'_>,
        mirror: &Mirror,
        left: usize,
        right: usize,
    ) -> Option<Unevenness> {
        displacements.deltas(left).for_each(|(vertex, delta)| self.left[vertex] = delta);
        displacements.deltas(right).for_each(|(vertex, delta)| self.right[vertex] = delta);
        let (mut differs, mut moves, mut unmatched, mut most) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f32);
        for &(vertex, image) in &mirror.images {
            let Some(image) = image else {
                unmatched += f64::from(self.left[vertex].length_squared() + self.right[vertex].length_squared()) * 0.5;
                continue;
            };
            let (own, mirrored) = (self.left[vertex], self.right[image] * mirror.flip);
            let distance = own.distance(mirrored);
            differs += f64::from(distance).powi(2);
            moves += f64::from(own.length_squared() + mirrored.length_squared()) * 0.5;
            most = most.max(distance);
        }
        displacements.deltas(left).for_each(|(vertex, _)| self.left[vertex] = Vec3::ZERO);
        displacements.deltas(right).for_each(|(vertex, _)| self.right[vertex] = Vec3::ZERO);
        let share = if moves > 0.0 { (differs / moves).sqrt() as f32 } else { 0.0 };
        (unmatched < MOST_UNMATCHED * moves).then_some(Unevenness { left, right, share, most })
    }
}
