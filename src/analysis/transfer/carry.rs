//! Displacements of the source's skin copied to the target's, and filled in smoothly where the source has nothing.

use glam::DVec3;
use rayon::prelude::*;

use super::closest::Surface;
use super::registration::Registration;
use super::sheet::{outer_border, smooth_step};
use super::skin::Skin;
use super::sparse::{Factor, Factors, Laplacian};
use crate::solve::RigidMotion;

pub(super) struct Carrier<'a> {
    source: &'a Skin,
    target: &'a Skin,
    registration: &'a Registration,
    /// Per point of the target.
    counterparts: Vec<Counterpart>,
    prepared: PreparedTarget,
    factor: Factor,
}

/// What is known of the skin of a target before anything is laid onto it.
pub(super) struct PreparedTarget {
    /// Per point, how much the jaw's motion counts: inside of the mouth.
    jaw_weight: Vec<f64>,
    /// Per point, the seen skin that it is the back of, if it is.
    backs: Vec<Option<Back>>,
    pub laplacian: Laplacian,
    /// Those of the smoothness of a displacement.
    factors: Factors,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counterpart {
    /// A triangle of the source's skin, and shares of its corners.
    on: Option<(u32, [f64; 3])>,
    /// How much what is copied counts, 0 to 1.
    trust: f64,
    /// Whether the point must not move: nothing of the source is there.
    stays: bool,
}

/// The seen skin on the other side of a lip or a cheek.
struct Back {
    /// Points and their shares.
    of: Vec<(u32, f64)>,
    /// How much it moves with them, 0 to 1, and not with the jaw.
    share: f64,
}

/// Where a lip is thinner than this many units, its back moves as its front; from the second on, as the jaw.
const LIP: [f64; 2] = [0.08, 0.25];

/// Movements that are shorter than this many units are smoothed; more takes size away from the shapes.
const SMOOTHED: f64 = 0.010;

impl PreparedTarget {
    pub(super) fn new(target: &Skin) -> Self {
        let unit = target.landmarks.unit;
        let seen = (0..).zip(&target.is_seen).filter(|(_, seen)| **seen).map(|(at, _)| at);
        let from_seen = target.graph.distances(seen, 2.0 * unit);
        let jaw_weight: Vec<f64> = target
            .in_mouth
            .iter()
            .zip(&from_seen)
            .map(|(&in_mouth, &way)| {
                let way = if way.is_finite() { way } else { unit };
                if in_mouth { 0.5 * (1.0 - (-(way / (0.12 * unit)).powi(2)).exp()) } else { 0.0 }
            })
            .collect();
        let laplacian = Laplacian::new(&target.points, &target.triangles);
        let length = SMOOTHED * unit;
        let factors = Factors::new(laplacian.energy(length.powi(4), 0.02 * length.powi(2)));
        Self { jaw_weight, backs: backs(target), laplacian, factors }
    }
}

impl<'a> Carrier<'a> {
    /// None if the surface of the target is so broken that no field on it is smooth.
    pub(super) fn new(
        source: &'a Skin,
        target: &'a Skin,
        registration: &'a Registration,
        prepared: PreparedTarget,
    ) -> Option<Self> {
        let counterparts = counterparts(source, target, registration);
        let jaw_weights = counterparts.iter().zip(&prepared.jaw_weight);
        let diagonal: Vec<f64> = jaw_weights
            .zip(&prepared.laplacian.areas)
            .map(|((counterpart, &of_jaw), area)| area * (weight(counterpart, of_jaw) + of_jaw + 1e-6))
            .collect();
        let factor = prepared.factors.with_diagonal(&diagonal)?;
        Some(Self { source, target, registration, counterparts, prepared, factor })
    }

    /// The displacement of each point of the target for those of the source: what is copied, inside of the mouth the
    /// jaw's motion, smooth between.
    pub(super) fn carry(&self, displacements: &[DVec3], jaw: RigidMotion) -> Vec<DVec3> {
        let PreparedTarget { jaw_weight, backs, laplacian, .. } = &self.prepared;
        let right: Vec<DVec3> = (0..self.target.points.len())
            .map(|at| {
                let own = self.weight(at) * self.copied(at, displacements);
                let of_jaw = self.target.jaw_share[at] * jaw.movement(self.target.points[at]);
                let inside = match &backs[at] {
                    Some(Back { of, share }) => {
                        let front = of.iter().map(|&(point, share)| self.copied(point as usize, displacements) * share);
                        of_jaw.lerp(front.sum(), *share)
                    }
                    None => of_jaw,
                };
                laplacian.areas[at] * (own + jaw_weight[at] * inside)
            })
            .collect();
        self.factor.solve(&right)
    }

    fn copied(&self, at: usize, displacements: &[DVec3]) -> DVec3 {
        let Some((triangle, shares)) = self.counterparts[at].on.filter(|_| !self.counterparts[at].stays) else {
            return DVec3::ZERO;
        };
        let corners = self.source.triangles[triangle as usize];
        let own = corners.iter().zip(shares).map(|(&corner, share)| displacements[corner as usize] * share).sum();
        self.registration.similarity.delta(own)
    }

    fn weight(&self, at: usize) -> f64 {
        weight(&self.counterparts[at], self.prepared.jaw_weight[at])
    }
}

/// Of the points inside of the mouth, the skin that they are the back of: near, facing the other way, of the same lip.
fn backs(skin: &Skin) -> Vec<Option<Back>> {
    const CANDIDATES: usize = 8;
    let unit = skin.landmarks.unit;
    let [thin, thick] = LIP.map(|length| length * unit);
    let nearest = skin.nearest_seen();
    let of_point = |at: usize| {
        let mut around = nearest.several(skin.points[at], CANDIDATES);
        around.retain(|(front, distance)| {
            let front = *front as usize;
            let is_opposite = skin.normals[front].dot(skin.normals[at]) < -0.2;
            *distance < thick && is_opposite && skin.sides[front].meet(skin.sides[at])
        });
        let (_, first) = *around.first()?;
        let weights: Vec<f64> = around.iter().map(|(_, distance)| (distance + 0.01 * unit).powi(-2)).collect();
        let sum: f64 = weights.iter().sum();
        let of = around.iter().zip(weights).map(|((front, _), weight)| (*front, weight / sum)).collect();
        Some(Back { of, share: 1.0 - smooth_step((first - thin) / (thick - thin)) })
    };
    (0..skin.points.len()).into_par_iter().map(|at| if skin.in_mouth[at] { of_point(at) } else { None }).collect()
}

fn weight(counterpart: &Counterpart, jaw_weight: f64) -> f64 {
    match counterpart.stays {
        true if jaw_weight == 0.0 => 1.0,
        true => 0.0,
        false if counterpart.on.is_some() => counterpart.trust,
        false => 0.0,
    }
}

/// Where each point of the target is on the warped source.
fn counterparts(source: &Skin, target: &Skin, registration: &Registration) -> Vec<Counterpart> {
    let unit = target.landmarks.unit;
    let warped = &registration.warped;
    let seen = Surface::new(warped, &source.triangles, &source.sides, |it| source.is_seen_triangle[it]);
    let all = Surface::new(warped, &source.triangles, &source.sides, |_| true);
    let border = outer_border(&source.points, &source.triangles);
    let seeds = (0..).zip(&border).filter(|(_, is)| **is).map(|(at, _)| at);
    let from_border = source.graph.distances(seeds, 0.2 * source.landmarks.unit);
    let near = Surface::new(warped, &source.triangles, &vec![Default::default(); warped.len()], |it| {
        source.is_seen_triangle[it]
    });
    let of_point = |at: usize| {
        let (place, normal, sides) = (target.points[at], target.normals[at], target.sides[at]);
        let is_seen = target.is_seen[at];
        let (surface, least_cosine, far) = if is_seen { (&seen, 0.2, 0.25) } else { (&all, -0.2, 0.12) };
        let found = surface.nearest(place, normal, sides, least_cosine, far * unit);
        let is_near = near.nearest(place, DVec3::ZERO, Default::default(), -2.0, 0.3 * unit).is_some();
        let is_at_border = found.as_ref().is_some_and(|on| {
            let corners = source.triangles[on.triangle as usize];
            let way = corners.iter().map(|&it| from_border[it as usize]).fold(f64::INFINITY, f64::min);
            way < 0.02 * source.landmarks.unit && on.distance > 0.02 * unit
        });
        let trust = found
            .as_ref()
            .map_or(0.0, |on| (-(on.distance / (0.045 * unit)).powi(2)).exp() * if is_seen { 1.0 } else { 0.3 });
        Counterpart { on: found.map(|on| (on.triangle, on.shares)), trust, stays: is_at_border || !is_near }
    };
    (0..target.points.len()).into_par_iter().map(of_point).collect()
}
