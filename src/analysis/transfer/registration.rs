//! The skin of the source laid onto that of the target: turned and scaled, warped by the landmarks, then pulled to the
//! nearest points of the target's skin while it stays smooth.

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::TransferError;
use super::closest::{OnSurface, Surface};
use super::landmarks::{FIRM, LOOSE, Landmarks};
use super::sheet::{Triangle, area_vector, corners, edges, normals, outer_border};
use super::skin::{Sides, Skin};
use super::sparse::{Factors, Laplacian, solve_dense};
use crate::solve::RigidMotion;
use smirk_base::progress::Progress;
use smirk_face::head::Landmark;

/// `scale · rotation · point + translation`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Similarity {
    pub scale: f64,
    pub rotation: DMat3,
    pub translation: DVec3,
}

impl Similarity {
    /// That which takes places closest to others (Umeyama, "Least-squares estimation of transformation parameters
    /// between two point patterns", 1991): weight, place, other.
    fn between(pairs: &[(f64, DVec3, DVec3)]) -> Self {
        let weight: f64 = pairs.iter().map(|pair| pair.0).sum();
        let mean_from = pairs.iter().map(|pair| pair.1 * pair.0).sum::<DVec3>() / weight;
        let mean_to = pairs.iter().map(|pair| pair.2 * pair.0).sum::<DVec3>() / weight;
        let rotation = RigidMotion::between_weighted(pairs.iter().copied()).rotation;
        let turned = |pair: &(f64, DVec3, DVec3)| rotation * (pair.1 - mean_from);
        let along = pairs.iter().map(|pair| pair.0 * turned(pair).dot(pair.2 - mean_to)).sum::<f64>();
        let spread = pairs.iter().map(|pair| pair.0 * turned(pair).length_squared()).sum::<f64>();
        let scale = along / spread;
        Self { scale, rotation, translation: mean_to - scale * (rotation * mean_from) }
    }

    pub(super) fn place(&self, place: DVec3) -> DVec3 {
        self.delta(place) + self.translation
    }

    pub(super) fn delta(&self, delta: DVec3) -> DVec3 {
        self.scale * (self.rotation * delta)
    }
}

/// How good a registration is. Lengths are in millimetres where the eyeballs are 63 mm apart.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Quality {
    /// The distance that 95 of 100 points of the moving skin stay below, of those that found a counterpart.
    pub distance_mm: f64,
    /// The share of the moving skin that found no counterpart.
    pub without_counterpart: f64,
    /// The natural logarithm of the stretch that 95 of 100 edges stay below.
    pub stretch: f64,
    /// The same beyond what the whole face is longer, wider or deeper.
    pub stretch_in_places: f64,
    /// How far the landmarks are apart after turning and scaling alone, as the root of the mean square.
    pub landmarks_mm: f64,
    /// Whether a pair of landmarks on both sides is far from symmetric.
    pub is_lopsided: bool,
    /// How deep the slit of the mouth is.
    pub slit: f64,
}

pub(super) struct Registration {
    pub similarity: Similarity,
    /// The points of the source's skin, where they are on the target.
    pub warped: Vec<DVec3>,
    pub quality: Quality,
}

/// Where the eyeballs are so far apart, a unit is so many millimetres.
pub(super) const UNIT_MM: f64 = 63.0;

/// The stiffness of each stage, and how far a counterpart may be, in units.
const STAGES: [(f64, f64); 5] = [(30.0, 0.35), (10.0, 0.25), (3.0, 0.18), (1.0, 0.12), (0.3, 0.08)];
const PASSES: usize = 2;

/// Lengths of bending and stretching, in units: what is shorter is kept.
const STIFF_LENGTH: f64 = 0.05;

/// The share of the nearest point in what a point is pulled to; the rest is the nearest one of the plane of the
/// surface there, along which it may slide.
const FIRM_SHARE: f64 = 0.3;

impl Registration {
    /// `moves` says of each point of the source's skin whether some shape moves it.
    pub(super) fn new(
        source: &Skin,
        target: &Skin,
        moves: &[bool],
        progress: Progress<'_>,
    ) -> Result<Self, TransferError> {
        let unit = target.landmarks.unit;
        let lopsided = target.landmarks.lopsided();
        let is_firm = |landmark: &Landmark| !lopsided.is_some_and(|pair| pair.contains(landmark));
        let firm: Vec<Landmark> = FIRM.into_iter().filter(is_firm).collect();
        let pairs = pairs(&source.landmarks, &target.landmarks, &firm);
        let similarity = Similarity::between(&pairs);
        let aligned: Vec<DVec3> = source.points.iter().map(|&point| similarity.place(point)).collect();
        let hard: Vec<(DVec3, DVec3)> =
            pairs.iter().filter(|pair| pair.0 > 0.5).map(|pair| (similarity.place(pair.1), pair.2)).collect();
        let landmarks_mm = {
            let squared = pairs.iter().map(|pair| similarity.place(pair.1).distance_squared(pair.2)).sum::<f64>();
            (squared / pairs.len() as f64).sqrt() * UNIT_MM / unit
        };
        let warp = Warp::new(&hard, unit).ok_or(TransferError::Landmarks)?;
        let start: Vec<DVec3> = aligned.par_iter().map(|&point| warp.place(point)).collect();
        let (fit, smoothness) = rayon::join(
            || Fit::new(source, target, &firm, start.clone()),
            || Smoothness::new(&start, &source.triangles, unit),
        );
        let warped = fit.run(smoothness, progress)?;
        let (found, pulls) = (fit.counterparts(&warped, 0.35 * unit, &[]), &fit.pulls);
        // What counts is the skin that moves, but for what the target has not at all.
        let (mut distances, mut lost) = (Vec::new(), 0);
        let counts = pulls.iter().zip(moves).map(|(&pulls, &moves)| pulls && moves);
        for (found, _) in found.iter().zip(counts).filter(|(_, counts)| *counts) {
            match found {
                Some(on) if fit.is_on_rim(on) => {}
                Some(on) => distances.push(on.distance * UNIT_MM / unit),
                None => lost += 1,
            }
        }
        let wanted = distances.len() + lost;
        // What no shape moves, such as the back of the skull, may be as large as it likes.
        let counts = |point: u32| pulls[point as usize] && moves[point as usize];
        let moving = edges(&source.triangles).into_iter().filter(|([a, b], _)| counts(*a) && counts(*b));
        let ends = moving.map(|([a, b], _)| [&aligned, &warped].map(|at| at[b as usize] - at[a as usize]));
        let [plain, in_places] = stretches(&ends.collect::<Vec<_>>());
        let quality = Quality {
            distance_mm: quantile(distances, 0.95),
            without_counterpart: lost as f64 / wanted.max(1) as f64,
            stretch: quantile(plain, 0.95),
            stretch_in_places: quantile(in_places, 0.95),
            landmarks_mm,
            is_lopsided: lopsided.is_some(),
            slit: target.landmarks.slit_strength,
        };
        Ok(Self { similarity, warped, quality })
    }
}

/// Per edge, before and after, the absolute logarithm of its stretch; and of that beyond the linear map which fits all
/// edges best, as one face is longer, wider or deeper than the other.
pub(super) fn stretches(edges: &[[DVec3; 2]]) -> [Vec<f64>; 2] {
    let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
    let sum = |a: usize, b: usize| edges.iter().fold(DMat3::ZERO, |sum, edge| sum + outer(edge[a], edge[b]));
    let linear = sum(1, 0) * sum(0, 0).inverse();
    let linear = if linear.is_finite() { linear } else { DMat3::IDENTITY };
    [DMat3::IDENTITY, linear].map(|linear| {
        let lengths =
            edges.iter().map(|&[before, after]| [linear * before, after].map(|edge| edge.length().max(1e-12)));
        lengths.map(|[before, after]| (after / before).ln().abs()).collect()
    })
}

fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let at = (values.len() as f64 * share) as usize;
    values.get(at.min(values.len().saturating_sub(1))).copied().unwrap_or(f64::INFINITY)
}

/// The places of the source and those of the target, with their weights. Of curves every second point.
fn pairs(source: &Landmarks, target: &Landmarks, firm: &[Landmark]) -> Vec<(f64, DVec3, DVec3)> {
    let weighted = firm.iter().map(|&it| (it, 1.0)).chain(LOOSE.map(|it| (it, 0.15)));
    let points = weighted.filter_map(|(it, weight)| Some((weight, source.point(it)?, target.point(it)?)));
    let curves = (0..3).flat_map(|opening| {
        let [from, to] = [source, target].map(|of| of.edges(opening));
        let both = from.both().into_iter().zip(to.both());
        both.flat_map(|(from, to)| from.iter().zip(to).skip(1).step_by(2)).map(|(&from, &to)| (1.0, from, to))
    });
    points.chain(curves).collect()
}

/// A smooth warp that takes places near others: a sum of distances to them, with a linear part.
struct Warp {
    centers: Vec<DVec3>,
    weights: Vec<DVec3>,
}

/// How much smoother than exact the warp is, in units. Less lets one bad landmark swing the jaw.
const SMOOTHING: f64 = 1.0;

impl Warp {
    fn new(pairs: &[(DVec3, DVec3)], unit: f64) -> Option<Self> {
        let count = pairs.len();
        let mut matrix = vec![vec![0.0; count + 4]; count + 4];
        let mut right = vec![DVec3::ZERO; count + 4];
        for (row, (from, to)) in pairs.iter().enumerate() {
            for (column, (other, _)) in pairs.iter().enumerate() {
                matrix[row][column] = from.distance(*other) - if row == column { SMOOTHING * unit } else { 0.0 };
            }
            for (at, value) in [1.0, from.x, from.y, from.z].into_iter().enumerate() {
                (matrix[row][count + at], matrix[count + at][row]) = (value, value);
            }
            right[row] = *to - *from;
        }
        let weights = solve_dense(matrix, right)?;
        Some(Self { centers: pairs.iter().map(|pair| pair.0).collect(), weights })
    }

    fn place(&self, place: DVec3) -> DVec3 {
        let count = self.centers.len();
        let bent: DVec3 =
            self.centers.iter().zip(&self.weights).map(|(center, weight)| *weight * place.distance(*center)).sum();
        let [constant, x, y, z] = [0, 1, 2, 3].map(|at| self.weights[count + at]);
        place + bent + constant + x * place.x + y * place.y + z * place.z
    }
}

/// How much it costs to bend and to stretch the source's skin.
struct Smoothness {
    /// Per point.
    areas: Vec<f64>,
    factors: Factors,
}

impl Smoothness {
    fn new(points: &[DVec3], triangles: &[Triangle], unit: f64) -> Self {
        let laplacian = Laplacian::new(points, triangles);
        let length = STIFF_LENGTH * unit;
        let factors = Factors::new(laplacian.energy(length.powi(4), length.powi(2)));
        Self { areas: laplacian.areas, factors }
    }
}

/// The source's skin while it is fitted.
struct Fit<'a> {
    source: &'a Skin,
    target: &'a Skin,
    surface: Surface<'a>,
    /// Per point of the target, whether it is on its outer border.
    is_rim: Vec<bool>,
    /// Per point of the source, whether a counterpart may pull it: it is seen, and not at the rim of its skin.
    pulls: Vec<bool>,
    start: Vec<DVec3>,
    /// Points of the source's skin that are landmarks, and where those of the target are.
    landmarks: Vec<(u32, DVec3)>,
}

impl<'a> Fit<'a> {
    fn new(source: &'a Skin, target: &'a Skin, firm: &[Landmark], start: Vec<DVec3>) -> Self {
        let unit = source.landmarks.unit;
        let border = outer_border(&source.points, &source.triangles);
        let seeds = (0..).zip(&border).filter(|(_, is)| **is).map(|(at, _)| at);
        let from_border = source.graph.distances(seeds, 0.1 * unit);
        let pulls = source.is_seen.iter().zip(&from_border).map(|(&seen, &way)| seen && way > 0.06 * unit).collect();
        let nearest = source.nearest_seen();
        let [from, to] = [source, target].map(|skin| &skin.landmarks);
        let points = firm.iter().filter_map(|&it| Some((from.point(it)?, to.point(it)?)));
        let curves = (0..3).flat_map(|opening| {
            let both = from.edges(opening).both().into_iter().zip(to.edges(opening).both());
            both.flat_map(|(from, to)| from.iter().copied().zip(to.iter().copied()))
        });
        let landmarks = points.chain(curves);
        let landmarks = landmarks.filter_map(|(from, to)| Some((nearest.find(from, f64::INFINITY)?, to))).collect();
        Self {
            source,
            surface: Surface::new(&target.points, &target.triangles, &target.sides, |it| target.is_seen_triangle[it]),
            is_rim: outer_border(&target.points, &target.triangles),
            pulls,
            start,
            landmarks,
            target,
        }
    }

    /// Whether the nearest point is on the rim of the target: it has nothing there.
    fn is_on_rim(&self, on: &OnSurface) -> bool {
        let corners = self.target.triangles[on.triangle as usize];
        let inner = corners.iter().zip(on.shares).filter(|(corner, _)| !self.is_rim[**corner as usize]);
        inner.map(|(_, share)| share).sum::<f64>() < 1e-6
    }

    /// Per point, its counterpart on the target; none for one that must not be pulled. `known` are those of places
    /// near by, if there are some.
    fn counterparts(&self, places: &[DVec3], far: f64, known: &[Option<OnSurface>]) -> Vec<Option<OnSurface>> {
        let normals = normals(places, &self.source.triangles);
        let found = (0..places.len()).into_par_iter().map(|at| {
            let sides: Sides = self.source.sides[at];
            let known = known.get(at).and_then(Option::as_ref);
            let found = || self.surface.nearest_from(known, places[at], normals[at], sides, 0.5, far);
            self.pulls[at].then(found).flatten()
        });
        found.collect()
    }

    fn run(&self, smoothness: Smoothness, progress: Progress<'_>) -> Result<Vec<DVec3>, TransferError> {
        let unit = self.target.landmarks.unit;
        let Smoothness { areas: own_areas, factors } = smoothness;
        let mut areas = own_areas.clone();
        areas.sort_unstable_by(f64::total_cmp);
        let median = areas[areas.len() / 2];
        let mut places = self.start.clone();
        let mut found = Vec::new();
        for (stage, (stiffness, far)) in STAGES.into_iter().enumerate() {
            let far = far * unit;
            for pass in 0..PASSES {
                progress.step("fitting the faces to each other", stage * PASSES + pass, STAGES.len() * PASSES)?;
                // Divided by the stiffness, the matrix of smoothness is the same at each stage.
                let mut weights = vec![1e-9 * median / stiffness; places.len()];
                let mut right = vec![DVec3::ZERO; places.len()];
                found = self.counterparts(&places, far, &found);
                for (at, on) in found.iter().enumerate() {
                    let Some(on) = on.as_ref().filter(|on| !self.is_on_rim(on)) else { continue };
                    let in_plane = places[at] - on.normal * (places[at] - on.place).dot(on.normal);
                    let goal = in_plane.lerp(on.place, FIRM_SHARE);
                    let weight = own_areas[at] * (1.0 - (on.distance / far).powi(2)).powi(2) / stiffness;
                    weights[at] += weight;
                    right[at] += weight * (goal - self.start[at]);
                }
                let weight = 6.0 * median * if stage < 3 { 1.0 } else { 0.3 } / stiffness;
                for &(at, place) in &self.landmarks {
                    weights[at as usize] += weight;
                    right[at as usize] += weight * (place - self.start[at as usize]);
                }
                let factor = factors.with_diagonal(&weights).ok_or(TransferError::Landmarks)?;
                places =
                    factor.solve(&right).into_iter().zip(&self.start).map(|(moved, start)| moved + *start).collect();
            }
        }
        let is_finite = places.iter().all(|place| place.is_finite());
        is_finite.then_some(places).ok_or(TransferError::Landmarks)
    }
}

/// The share of the triangles that are seen and near the face of which a displacement turns the normals by more than
/// 100 degrees.
pub(super) fn flipped(skin: &Skin, moved: &[DVec3]) -> f64 {
    let Landmarks { origin, unit, .. } = skin.landmarks;
    let after: Vec<DVec3> = skin.points.iter().zip(moved).map(|(point, delta)| *point + *delta).collect();
    let (mut near, mut flipped) = (0_u32, 0_u32);
    for (&triangle, _) in skin.triangles.iter().zip(&skin.is_seen_triangle).filter(|(_, seen)| **seen) {
        let [a, b, c] = corners(&skin.points, triangle);
        if ((a + b + c) / 3.0 - origin).abs().max_element() < 2.2 * unit {
            near += 1;
            let [before, after] =
                [&skin.points, &after].map(|places| area_vector(corners(places, triangle)).normalize_or_zero());
            flipped += u32::from(before.dot(after) < -0.17);
        }
    }
    f64::from(flipped) / f64::from(near).max(1.0)
}
