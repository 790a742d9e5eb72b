//! Lids and lips that meet: the gap between the two margins changes on the target as it does on the source.

use std::collections::BTreeSet;

use glam::DVec3;

use super::landmarks::interpolated;
use super::registration::Similarity;
use super::skin::{Side, Skin};
use super::sparse::{Factor, Factors, Laplacian};

/// The margins of the mouth and of both eyes.
pub(super) struct Contact {
    zones: Vec<Zone>,
}

/// The two margins of an opening.
struct Zone {
    is_mouth: bool,
    /// Points of the source and of the target, upper and lower, in pairs.
    source: [Vec<u32>; 2],
    target: [Vec<u32>; 2],
    /// The gap from upper to lower at rest: of the source and of the target.
    rest_gaps: [Vec<DVec3>; 2],
    /// The points that are corrected with the margins.
    patch: Vec<u32>,
    /// Upper and lower, per pair: the rows of the patch that are corrected as the margin is there. They are the point
    /// of the margin and, of lids, those near it.
    rows: [Vec<Vec<u32>>; 2],
    factor: Factor,
    /// How firmly a margin takes what it is given.
    firmness: f64,
}

/// The edge of a lid is this wide, in units along the surface. It moves as one: where the margin alone is corrected,
/// the lashes that are painted beside it are stretched over the closed eye.
const LID_EDGE: f64 = 0.04;

/// Margins are compared at this many places from one corner to the other.
const PLACES: usize = 23;

impl Contact {
    /// `laplacian` is that of the target.
    pub(super) fn new(source: &Skin, target: &Skin, laplacian: &Laplacian) -> Self {
        let zones = (0..3).filter_map(|opening| Zone::new(opening, source, target, laplacian));
        Self { zones: zones.collect() }
    }

    /// Corrects displacements of the target, so that its gaps change as those of the source by its own displacements.
    pub(super) fn correct(&self, own: &[DVec3], similarity: &Similarity, target: &Skin, displacements: &mut [DVec3]) {
        for zone in &self.zones {
            zone.correct(own, similarity, target.landmarks.unit, displacements);
        }
    }

    /// How far the lips part in their middle, of the source (turned and scaled) and of the target, in the world of the
    /// target, downward.
    pub(super) fn lip_gaps(&self, own: &[DVec3], similarity: &Similarity, displacements: &[DVec3]) -> Option<[f64; 2]> {
        let zone = self.zones.iter().find(|zone| zone.is_mouth)?;
        let middle = zone.target[0].len() / 2 - 2..zone.target[0].len() / 2 + 3;
        let mean = |of: &[Vec<u32>; 2], displacement: &dyn Fn(u32) -> DVec3| {
            let gaps = middle.clone().map(|at| displacement(of[0][at]).y - displacement(of[1][at]).y);
            gaps.sum::<f64>() / middle.len() as f64
        };
        Some([
            mean(&zone.source, &|point| similarity.delta(own[point as usize])),
            mean(&zone.target, &|point| displacements[point as usize]),
        ])
    }
}

impl Zone {
    fn new(opening: usize, source: &Skin, target: &Skin, laplacian: &Laplacian) -> Option<Self> {
        let is_mouth = opening == 2;
        let [of_source, of_target] = [source, target].map(|skin| margins(skin, opening));
        let ([source_margins, target_margins], unit) = ([of_source?, of_target?], target.landmarks.unit);
        let reach = if is_mouth { 0.28 } else { 0.22 } * unit;
        let seeds = target_margins.iter().flatten().copied();
        let distances = target.graph.distances(seeds, reach * 1.01);
        let patch: Vec<u32> = (0..distances.len() as u32).filter(|&at| distances[at as usize] < reach).collect();
        let mut number = vec![None; distances.len()];
        (0..).zip(&patch).for_each(|(at, &point)| number[point as usize] = Some(at));
        let mean = laplacian.diagonal_mean();
        let firmness = 40.0 * mean;
        let rows = [Side::Above, Side::Below].map(|side| {
            let margin = &target_margins[usize::from(side == Side::Below)];
            let mut rows = vec![Vec::new(); margin.len()];
            for (row, &point) in (0..).zip(&patch) {
                let is_at_edge = !is_mouth
                    && target.sides[point as usize].lid == side
                    && distances[point as usize] < LID_EDGE * unit;
                let distance =
                    |other: u32| target.points[other as usize].distance_squared(target.points[point as usize]);
                let nearest = margin.iter().copied().min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
                let nearest = nearest.filter(|nearest| is_at_edge || *nearest == point);
                let places = rows.iter_mut().zip(margin).filter(|(_, at)| Some(**at) == nearest);
                places.for_each(|(rows, _)| rows.push(row));
            }
            rows
        });
        let is_firm: BTreeSet<u32> = rows.iter().flatten().flatten().copied().collect();
        let diagonal = (0..).zip(&patch).map(|(row, &at)| {
            let fade = (distances[at as usize] / reach).powi(4) * mean * 0.5 + 1e-9 * mean;
            fade + if is_firm.contains(&row) { firmness } else { 0.0 }
        });
        let diagonal: Vec<f64> = diagonal.collect();
        let factor = Factors::new(laplacian.between(&patch, &number)).with_diagonal(&diagonal)?;
        let gaps = |skin: &Skin, [upper, lower]: &[Vec<u32>; 2]| -> Vec<DVec3> {
            let pairs = upper.iter().zip(lower);
            pairs.map(|(&upper, &lower)| skin.points[lower as usize] - skin.points[upper as usize]).collect()
        };
        Some(Self {
            is_mouth,
            rest_gaps: [gaps(source, &source_margins), gaps(target, &target_margins)],
            source: source_margins,
            target: target_margins,
            patch,
            rows,
            factor,
            firmness,
        })
    }

    fn correct(&self, own: &[DVec3], similarity: &Similarity, unit: f64, displacements: &mut [DVec3]) {
        let [upper, lower] =
            self.source.each_ref().map(|points| points.iter().map(|&point| similarity.delta(own[point as usize])));
        let moves: Vec<(DVec3, DVec3)> = upper.zip(lower).collect();
        if moves.iter().all(|(upper, lower)| upper.abs().max_element().max(lower.abs().max_element()) < 0.004 * unit) {
            return;
        }
        let mut goals = vec![(DVec3::ZERO, 0.0); self.patch.len()];
        let pairs = self.target[0].iter().zip(&self.target[1]);
        for (((&upper, &lower), (of_upper, of_lower)), at) in pairs.zip(&moves).zip(0..) {
            let have = displacements[lower as usize] - displacements[upper as usize];
            let mut error = *of_lower - *of_upper - have;
            if !self.is_mouth {
                // Lids by the part of the gap at rest that closes, and along the gap alone: the way about the eyeball
                // is kept.
                let [source_gap, gap] = self.rest_gaps.each_ref().map(|gaps| gaps[at]);
                let source_gap = similarity.delta(source_gap);
                let part =
                    (*of_lower - *of_upper).dot(source_gap) / source_gap.length_squared().max((0.01 * unit).powi(2));
                let along = gap.normalize_or_zero();
                error = (part * gap - have).dot(along) * along;
            }
            let lengths = [of_upper.length(), of_lower.length()];
            let share = lengths[0] / (lengths[0] + lengths[1]).max(1e-12 * unit);
            for (rows, goal) in self.rows.iter().zip([-error * share, error * (1.0 - share)]) {
                for &row in &rows[at] {
                    let (sum, count) = &mut goals[row as usize];
                    (*sum, *count) = (*sum + goal, *count + 1.0);
                }
            }
        }
        let right: Vec<DVec3> = goals.iter().map(|(sum, count)| self.firmness * *sum / f64::max(*count, 1.0)).collect();
        for (&point, change) in self.patch.iter().zip(self.factor.solve(&right)) {
            displacements[point as usize] += change;
        }
    }
}

/// The points of the upper and of the lower margin at places from one corner to the other; none if a side has no
/// points.
fn margins(skin: &Skin, opening: usize) -> Option<[Vec<u32>; 2]> {
    let landmarks = &skin.landmarks;
    let [start, end] = landmarks.corners(opening);
    let axis = end - start;
    let margin = |edge: &[DVec3], side: Side| {
        let line: Vec<DVec3> = std::iter::once(start).chain(edge.iter().copied()).chain([end]).collect();
        let mut along: Vec<(f64, DVec3)> =
            line.iter().map(|&place| ((place - start).dot(axis) / axis.length_squared(), place)).collect();
        along.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (places, line): (Vec<f64>, Vec<DVec3>) = along.into_iter().unzip();
        let middle = edge.iter().sum::<DVec3>() / edge.len().max(1) as f64;
        let own_side = |at: &u32| {
            let sides = skin.sides[*at as usize];
            let own = if opening == 2 { sides.lip } else { sides.lid };
            own == side && skin.points[*at as usize].distance(middle) < 0.9 * landmarks.unit
        };
        let candidates: Vec<u32> = (0..skin.points.len() as u32).filter(own_side).collect();
        let nearest = |number: usize| {
            let place = interpolated(&places, &line, 0.06 + 0.88 * number as f64 / (PLACES - 1) as f64);
            candidates.iter().copied().min_by(|&a, &b| {
                let [a, b] = [a, b].map(|point| skin.points[point as usize].distance_squared(place));
                a.total_cmp(&b)
            })
        };
        (0..PLACES).map(nearest).collect::<Option<Vec<u32>>>()
    };
    let edges = landmarks.edges(opening);
    Some([margin(&edges.upper, Side::Above)?, margin(&edges.lower, Side::Below)?])
}

/// Lid points that were outside the eyeballs stay outside.
pub(super) fn keep_off_eyeballs(skin: &Skin, displacements: &mut [DVec3]) {
    let unit = skin.landmarks.unit;
    for eye in &skin.landmarks.eyes {
        for (at, displacement) in displacements.iter_mut().enumerate() {
            let before = skin.points[at].distance(eye.center);
            let is_lid = skin.sides[at].lid != Side::Either && skin.is_seen[at] && before < 1.8 * eye.radius;
            let place = skin.points[at] + *displacement - eye.center;
            let least = (eye.radius + 0.006 * unit).min(before);
            if is_lid && place.length() < least && displacement.length() > 1e-4 * unit {
                *displacement += place.normalize_or_zero() * (least - place.length());
            }
        }
    }
}
