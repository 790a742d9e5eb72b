//! How far packing may move what: [`Precision::Packed`](super::Precision)'s promise, vertex by vertex.
//!
//! A position that is off turns the normals that are recomputed from it. The fan of triangles around a vertex shows the area
//! `A = Σ a × b` over the edges of its rim; with every position off by ε at most, `A` is off by less than ε times the length of
//! the rim. So a vertex may err by as much of the smallest `|A| ÷ rim` of all fans it is in as one may turn.

use glam::DVec3;

use super::BLOCK_SIZE;
use super::column::Tolerances;
use super::smoothing::{Groups, triangles};
use crate::head::{Head, Mesh};

/// Of the head's size: how far packing may move a vertex at weights in -1..1. The rest of the 1e-5 is for the sum itself.
const DISTANCE: f32 = 0.9e-5;

/// Likewise for directions of unit length, as a chord: 0.02°, for a blend may shorten a direction before it is renormalised.
const CHORD: f32 = 3e-4;

/// Likewise for the normals that are recomputed.
const TURN: f64 = 5e-4;

/// A mesh's.
pub(super) struct Tolerance {
    /// Per place of the mesh, in its own space.
    distances: Vec<f32>,
}

impl Tolerance {
    /// For a mesh whose vertices are at those `places`, the first of all at `first_place`.
    pub fn new(head: &Head, mesh: &Mesh, places: &[u32], first_place: usize) -> Self {
        let distance = DISTANCE * head.bounds.size().max_element() / head.rest.largest_scale(mesh);
        let distance = if distance.is_finite() { distance } else { 0.0 };
        let mut distances = vec![distance; places.len().next_multiple_of(BLOCK_SIZE)];
        for (place, turned) in places.iter().zip(turning(mesh)) {
            let tolerated = &mut distances[*place as usize - first_place];
            *tolerated = tolerated.min(turned);
        }
        Self { distances }
    }

    /// A block's, counted in the mesh.
    pub fn of_block(&self, block: usize) -> Tolerances<'_> {
        Tolerances { positions: &self.distances[block * BLOCK_SIZE..][..BLOCK_SIZE], directions: CHORD }
    }
}

/// Per vertex: how far it may be off for the sake of the normals around it.
fn turning(mesh: &Mesh) -> Vec<f32> {
    let groups = Groups::of(&mesh.vertices);
    let at = |vertex: u32| mesh.vertices.positions[vertex as usize].as_dvec3();
    let mut fans = vec![(DVec3::ZERO, 0.0); groups.count()];
    for [a, b, c] in triangles(mesh) {
        let cross = (at(b) - at(a)).cross(at(c) - at(a));
        for [corner, second, third] in [[a, b, c], [b, c, a], [c, a, b]] {
            let (area, rim) = &mut fans[groups.of_vertex(corner as usize)];
            *area += cross;
            *rim += at(second).distance(at(third));
        }
    }
    let tolerated: Vec<f64> = fans.into_iter().map(|(area, rim)| TURN * area.length() / rim).collect();
    let mut smallest = vec![f64::INFINITY; groups.count()];
    for corners in triangles(mesh) {
        let groups = corners.map(|corner| groups.of_vertex(corner as usize));
        // A fan without area says nothing: its normal stays as it is.
        let least = groups.iter().map(|&group| tolerated[group]).filter(|it| *it > 0.0).fold(f64::INFINITY, f64::min);
        groups.into_iter().for_each(|group| smallest[group] = smallest[group].min(least));
    }
    (0..mesh.vertices.len()).map(|vertex| smallest[groups.of_vertex(vertex)] as f32).collect()
}
