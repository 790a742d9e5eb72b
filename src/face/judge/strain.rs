//! How far skin is stretched, and the volume under it.

use glam::Vec3;

use super::surface::Surface;

/// The edges of the skin, and the skin itself at rest.
pub(super) struct Skin {
    triangles: Vec<[u32; 3]>,
    /// Edges with their length at rest.
    edges: Vec<([u32; 2], f32)>,
    /// A point that volumes are measured from.
    middle: Vec3,
}

/// Shorter edges, in millimetres, are left out: rounding would stretch them.
const SHORTEST_MM: f32 = 0.5;

/// The most stretched edges whose mean is the stretch: one thin triangle is no fault.
const EDGES: usize = 20;

impl Skin {
    pub(super) fn of(surface: &Surface) -> Self {
        let triangles: Vec<[u32; 3]> = surface.skin().collect();
        let rest = surface.rest_mm();
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let length = |[a, b]: [u32; 2]| rest[a as usize].distance(rest[b as usize]);
        let edges = edges.into_iter().map(|edge| (edge, length(edge))).filter(|(_, length)| *length >= SHORTEST_MM);
        let used = || triangles.iter().flatten().map(|&point| rest[point as usize]);
        let middle = used().sum::<Vec3>() / used().count().max(1) as f32;
        Self { edges: edges.collect(), middle, triangles }
    }

    /// How many times as long as at rest the most stretched edges are; 1 without edges.
    pub(super) fn stretch(&self, points: &[Vec3]) -> f32 {
        let ratio = |&([a, b], rest): &([u32; 2], f32)| points[a as usize].distance(points[b as usize]) / rest;
        let mut ratios: Vec<f32> = self.edges.iter().map(ratio).filter(|ratio| ratio.is_finite()).collect();
        let count = EDGES.min(ratios.len());
        if count == 0 {
            return 1.0;
        }
        ratios.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a));
        ratios[..count].iter().sum::<f32>() / count as f32
    }

    /// The volume under the skin in cubic centimetres, up to a constant: of a surface with borders, differences mean something while these do
    /// not move.
    pub(super) fn volume_cm3(&self, points: &[Vec3]) -> f32 {
        let from_middle = |point: u32| (points[point as usize] - self.middle).as_dvec3();
        let six_times = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(from_middle);
            a.dot(b.cross(c))
        };
        (self.triangles.iter().map(six_times).sum::<f64>() / 6000.0) as f32
    }
}
