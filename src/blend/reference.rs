//! The definition of correct: the morph sum in f64, straight from the head, and the yardstick for everything else.
//!
//! Knows neither the layout nor the GPU, so that a mistake there cannot hide here. glTF 2.0 §3.7.2.2.
//!
//! Where normals are recomputed ([`Normals::recomputes`]), a vertex `v` of the deformed surface says
//!
//! ```text
//! computed(v) = normalised Σ (a − v) × (b − v)      over the triangles of all vertices of v's group, a and b the other two
//! normal(v)   = normalised base(v) + side(v) · shown(v) · (computed(v), deformed − computed(v), at rest)
//! ```
//!
//! A group ([`Groups`]) holds what the file splits but shades as one. The sum weighs triangles by their area. The difference
//! leaves the file's normals as they are at rest, whatever made them; side is −1 where they stand on the triangles' backs.
//! shown is 1 down to [`FADING_AREA`] of the area at rest and falls to 0 with its square: of a surface that is folded up,
//! rounding alone says where it faces. Where the sum at rest says nothing, the base's normal stays. Tangents are blended as ever, then
//! made to stand upright on the normal (Gram-Schmidt).

use glam::{DVec3, DVec4, Vec3, Vec4};
use rayon::prelude::*;

use super::normals::{Groups, Normals, triangles};
use crate::head::{Head, Mesh};

/// Below this length a blended direction says nothing, and the base's is kept.
pub(super) const VANISHING_LENGTH: f64 = 1e-6;

/// Triangles whose areas at rest add up to less than this part of their sum without direction say nothing of where the
/// surface faces.
pub(super) const VANISHING_AREA: f64 = 1e-4;

/// Of the area at rest: deformed triangles that show less of it say less and less of where the surface faces.
pub(super) const FADING_AREA: f64 = 0.1;

/// A vertex as it should be, in mesh space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceVertex {
    /// Base + Σ weight · delta, in the file's unit.
    pub position: DVec3,
    /// The same, unit length; the base's where the sum vanishes, zero where the file has none.
    pub normal: DVec3,
    /// Likewise in xyz; w is the base's. Zero where the file has none.
    pub tangent: DVec4,
}

/// What a mode made of one vertex, in mesh space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MorphedVertex {
    /// Mesh space, the file's unit.
    pub position: Vec3,
    /// Unit length, or zero where the file has none.
    pub normal: Vec3,
    /// xyz unit length, w the bitangent's side; zero where the file has none.
    pub tangent: Vec4,
}

/// Every vertex of the head, mesh after mesh, under `weights` (one per target; missing, infinite and NaN ones count as 0, and
/// so do such deltas).
pub fn reference(head: &Head, weights: &[f32], normals: Normals) -> Vec<ReferenceVertex> {
    let blend = |mesh: &Mesh| {
        let mut vertices = blend_mesh(mesh, weights);
        if normals.recomputes(mesh) {
            recompute(mesh, &mut vertices);
        }
        vertices
    };
    head.meshes.par_iter().flat_map_iter(blend).collect()
}

/// A target's weight as the modes use it: missing and non-finite ones are 0, so that no vertex is ever lost to them.
pub(super) fn usable_weight(weights: &[f32], target: usize) -> f32 {
    weights.get(target).copied().filter(|weight| weight.is_finite()).unwrap_or(0.0)
}

fn blend_mesh(mesh: &Mesh, weights: &[f32]) -> Vec<ReferenceVertex> {
    let base = &mesh.vertices;
    let mut positions = vec![DVec3::ZERO; base.len()];
    let mut normals = positions.clone();
    let mut tangents = positions.clone();
    for (index, target) in mesh.targets.iter().enumerate() {
        let weight = f64::from(usable_weight(weights, mesh.first_target + index));
        let add = |sums: &mut [DVec3], deltas: &[Vec3]| {
            for (&row, delta) in target.rows.iter().zip(deltas).filter(|(_, delta)| delta.is_finite()) {
                sums[row as usize] += weight * delta.as_dvec3();
            }
        };
        if weight != 0.0 {
            add(&mut positions, &target.positions);
            add(&mut normals, &target.normals);
            add(&mut tangents, &target.tangents);
        }
    }
    let vertex = |index: usize| {
        let normal = base.normals.get(index).copied().unwrap_or_default().as_dvec3();
        // Without a base there is no bitangent's side: a morphed tangent would mean nothing.
        let tangent = base.tangents.get(index).map_or(DVec4::ZERO, |tangent| {
            let tangent = tangent.as_dvec4();
            direction(tangent.truncate(), tangents[index]).extend(tangent.w)
        });
        ReferenceVertex {
            position: base.positions[index].as_dvec3() + positions[index],
            normal: direction(normal, normals[index]),
            tangent,
        }
    };
    (0..base.len()).map(vertex).collect()
}

/// Puts recomputed normals in the place of blended ones, and tangents upright on them.
fn recompute(mesh: &Mesh, vertices: &mut [ReferenceVertex]) {
    let groups = Groups::of(&mesh.vertices);
    let at_rest: Vec<DVec3> = mesh.vertices.positions.iter().map(|position| position.as_dvec3()).collect();
    let deformed: Vec<DVec3> = vertices.iter().map(|vertex| vertex.position).collect();
    let (at_rest, deformed) = (areas(mesh, &groups, &at_rest), areas(mesh, &groups, &deformed));
    for (index, vertex) in vertices.iter_mut().enumerate() {
        let base = mesh.vertices.normals.get(index).map_or(DVec3::ZERO, |normal| normal.as_dvec3().normalize_or_zero());
        let ((area_at_rest, total_at_rest), (area, _)) = (at_rest[index], deformed[index]);
        // A NaN says nothing either.
        let says_something = area_at_rest.length() > VANISHING_AREA * total_at_rest;
        if base == DVec3::ZERO || !says_something {
            continue;
        }
        let side = if area_at_rest.dot(base) < 0.0 { -1.0 } else { 1.0 };
        let shown = (area.length() / (FADING_AREA * area_at_rest.length())).min(1.0).powi(2);
        let turned = area.normalize_or_zero() - area_at_rest / area_at_rest.length();
        vertex.normal = direction(base, side * shown * turned);
        let tangent = vertex.tangent.truncate();
        let upright = tangent - vertex.normal * vertex.normal.dot(tangent);
        if upright.length() > VANISHING_LENGTH {
            vertex.tangent = (upright / upright.length()).extend(vertex.tangent.w);
        }
    }
}

/// Per vertex, of the triangles around its group: the areas' sum, twice, and the same without direction.
fn areas(mesh: &Mesh, groups: &Groups, positions: &[DVec3]) -> Vec<(DVec3, f64)> {
    let mut sums = vec![(DVec3::ZERO, 0.0); positions.len()];
    for [a, b, c] in triangles(mesh) {
        for [corner, second, third] in [[a, b, c], [b, c, a], [c, a, b]].map(|corners| corners.map(|at| at as usize)) {
            for &vertex in groups.members(groups.of_vertex(corner)) {
                let vertex = vertex as usize;
                let cross = (positions[second] - positions[vertex]).cross(positions[third] - positions[vertex]);
                sums[vertex].0 += cross;
                sums[vertex].1 += cross.length();
            }
        }
    }
    sums
}

fn direction(base: DVec3, delta: DVec3) -> DVec3 {
    let sum = base + delta;
    let length = sum.length();
    if length > VANISHING_LENGTH { sum / length } else { base }
}

/// How far a blend is from the reference: the worst of all vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// Largest distance between positions, in world units. Infinite where a number is missing or not one.
    pub max_distance: f64,
    /// Largest difference of normals as an angle; a wrong length counts like a turn that moves the tip as far.
    pub max_normal_degrees: f64,
    /// The same for tangents; a wrong side of the bitangent counts 180.
    pub max_tangent_degrees: f64,
    /// Largest extent of the head at rest, in world units.
    pub head_size: f64,
    /// Largest extent of the reference under these weights, in world units: beyond the head's when deltas are huge.
    pub blended_size: f64,
    /// The vertex (head-wide, without padding) with the largest distance.
    pub worst_vertex: usize,
}

/// Compares what a mode made of `weights` with the reference.
pub fn compare(head: &Head, weights: &[f32], normals: Normals, morphed: &[MorphedVertex]) -> Deviation {
    let expected = reference(head, weights, normals);
    let mut deviation = Deviation {
        max_distance: 0.0,
        max_normal_degrees: 0.0,
        max_tangent_degrees: 0.0,
        head_size: f64::from(head.bounds.size().max_element()),
        blended_size: 0.0,
        worst_vertex: 0,
    };
    if expected.len() != morphed.len() {
        deviation.max_distance = f64::INFINITY;
        return deviation;
    }
    let world_of = head.meshes.iter().flat_map(|mesh| {
        (0..mesh.vertices.len()).map(|vertex| head.rest_pose.world_from_vertex(mesh, vertex).as_dmat4())
    });
    let (mut lowest, mut highest) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for (index, ((expected, morphed), world_from_vertex)) in expected.iter().zip(morphed).zip(world_of).enumerate() {
        let place = world_from_vertex.transform_point3(expected.position);
        (lowest, highest) = (lowest.min(place), highest.max(place));
        let apart = morphed.position.as_dvec3() - expected.position;
        let distance = finite(world_from_vertex.transform_vector3(apart).length());
        if distance > deviation.max_distance {
            deviation.max_distance = distance;
            deviation.worst_vertex = index;
        }
        let normal = degrees(morphed.normal.as_dvec3(), expected.normal);
        deviation.max_normal_degrees = deviation.max_normal_degrees.max(normal);
        let tangent = morphed.tangent.as_dvec4();
        let same_side = tangent.w == expected.tangent.w;
        let tangent = if same_side { degrees(tangent.truncate(), expected.tangent.truncate()) } else { 180.0 };
        deviation.max_tangent_degrees = deviation.max_tangent_degrees.max(tangent);
    }
    deviation.blended_size = (highest - lowest).max_element().max(0.0);
    deviation
}

/// `f64::max` ignores NaN; infinity it does not.
fn finite(distance: f64) -> f64 {
    if distance.is_nan() { f64::INFINITY } else { distance }
}

/// The angle whose chord on the unit circle is the difference: exact for small angles, blind to nothing.
fn degrees(a: DVec3, b: DVec3) -> f64 {
    let chord = finite((a - b).length());
    2.0 * (chord / 2.0).min(1.0).asin().to_degrees()
}
