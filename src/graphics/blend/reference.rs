//! The reference: the morph sum in f64, straight from the head (glTF 2.0 §3.7.2.2), and the comparison of a blend with
//! it.
//!
//! It uses neither the layout nor the GPU, nor what they use to divide weights among in-betweens, so that a mistake in
//! those is never part of the reference as well.
//!
//! Where normals are recomputed ([`Normals::recomputes`]), the normal of a vertex `v` of the deformed surface is
//!
//! ```text
//! computed(v) = normalised Σ (a − v) × (b − v)      over the triangles of all vertices of v's group, a and b the other two
//! normal(v)   = normalised base(v) + side(v) · shown(v) · (computed(v), deformed − computed(v), at rest)
//! ```
//!
//! A group ([`Groups`]) holds the vertices that a file splits although they shade as one. The sum weighs triangles by
//! their area. Because only the difference to the computed normal at rest is added, the file's normals are unchanged at
//! rest, however they were made; `side` is −1 where they point to the back of the triangles. `shown` is 1 as long as
//! the deformed area is at least the part [`FADING_AREA`] of the area at rest; below that it falls to 0 with the square
//! of the area, because the direction of a surface that is folded up is only rounding noise. Where the sum at rest
//! vanishes, the base's normal stays. Tangents are blended as usual, then made perpendicular to the normal
//! (Gram-Schmidt).

use glam::{DVec3, DVec4, Vec3};
use rayon::prelude::*;

use super::{FADING_AREA, MorphedVertex, VANISHING_AREA, VANISHING_LENGTH, usable_weight};
use smirk_face::head::{Groups, Head, Mesh, ShapeDeltas, Target};
use smirk_scene::Normals;

/// A vertex in mesh space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceVertex {
    /// Base + Σ weight · delta, in the file's unit; with in-betweens (see [`smirk_face::head::InBetween`]), a target
    /// adds what is on the line between two of its shapes.
    pub position: DVec3,
    /// The same sum for the normal, at unit length; the base's where the sum vanishes, zero if the file has no normals.
    pub normal: DVec3,
    /// xyz: the same for the tangent; w: that of the base. Zero if the file has no tangents.
    pub tangent: DVec4,
}

/// Every vertex of the head, mesh after mesh, under `weights` (one per target; missing, infinite and NaN ones count as
/// 0, and so do such deltas).
pub fn reference(head: &Head, weights: &[f32], normals: Normals) -> Vec<ReferenceVertex> {
    let meshes = head.meshes.par_iter().flat_map_iter(|mesh| {
        let mut vertices = blend_mesh(mesh, weights);
        if normals.recomputes(mesh) {
            recompute(mesh, &mut vertices);
        }
        vertices
    });
    meshes.collect()
}

fn blend_mesh(mesh: &Mesh, weights: &[f32]) -> Vec<ReferenceVertex> {
    let base = &mesh.vertices;
    let mut positions = vec![DVec3::ZERO; base.len()];
    let mut normals = positions.clone();
    let mut tangents = positions.clone();
    for (index, target) in mesh.targets.iter().enumerate() {
        let weight = f64::from(usable_weight(weights, mesh.first_target + index));
        for (shape, factor) in shapes_at(target, weight) {
            let add = |sums: &mut [DVec3], deltas: &[Vec3]| {
                for (&row, delta) in shape.rows.iter().zip(deltas).filter(|(_, delta)| delta.is_finite()) {
                    sums[row as usize] += factor * delta.as_dvec3();
                }
            };
            add(&mut positions, shape.positions);
            add(&mut normals, shape.normals);
            add(&mut tangents, shape.tangents);
        }
    }
    let vertices = (0..base.len()).map(|index| {
        let normal = base.normals.get(index).copied().unwrap_or_default().as_dvec3();
        // Without a tangent at rest the sign of the bitangent is unknown, and a morphed tangent would be meaningless.
        let tangent = base.tangents.get(index).map_or(DVec4::ZERO, |tangent| {
            let tangent = tangent.as_dvec4();
            direction(tangent.truncate(), tangents[index]).extend(tangent.w)
        });
        ReferenceVertex {
            position: base.positions[index].as_dvec3() + positions[index],
            normal: direction(normal, normals[index]),
            tangent,
        }
    });
    vertices.collect()
}

/// The shapes that a target adds at a weight, each with its factor.
///
/// The corners of the piecewise linear function are in a list here, the base among them. On the pair of corners that
/// the weight is between, or on the outermost pair, lies the straight line that is evaluated.
fn shapes_at(target: &Target, weight: f64) -> Vec<(ShapeDeltas<'_>, f64)> {
    if target.in_betweens.is_empty() {
        return if weight == 0.0 { Vec::new() } else { vec![(target.deltas(), weight)] };
    }
    let mut corners: Vec<(f64, Option<ShapeDeltas<'_>>)> = vec![(0.0, None), (1.0, Some(target.deltas()))];
    corners.extend(target.in_betweens.iter().map(|it| (f64::from(it.full_weight), Some(it.deltas()))));
    corners.sort_by(|a, b| a.0.total_cmp(&b.0));
    let last = corners.len() - 2;
    let mut pairs = corners.windows(2).enumerate();
    let on_line = pairs.find(|(at, pair)| weight < pair[1].0 || *at == last);
    let Some((_, [(from, before), (to, after)])) = on_line else { unreachable!("there are two corners at least") };
    let slope = (to - from).recip();
    let factors = [(before, (to - weight) * slope), (after, (weight - from) * slope)];
    factors.into_iter().filter_map(|(shape, factor)| Some(((*shape)?, factor))).collect()
}

/// Replaces blended normals by recomputed ones, and makes tangents perpendicular to them.
fn recompute(mesh: &Mesh, vertices: &mut [ReferenceVertex]) {
    let groups = Groups::new(&mesh.vertices);
    let at_rest: Vec<DVec3> = mesh.vertices.positions.iter().map(|position| position.as_dvec3()).collect();
    let deformed: Vec<DVec3> = vertices.iter().map(|vertex| vertex.position).collect();
    let (at_rest, deformed) = (areas(mesh, &groups, &at_rest), areas(mesh, &groups, &deformed));
    for (index, vertex) in vertices.iter_mut().enumerate() {
        let base = mesh.vertices.normals.get(index).map_or(DVec3::ZERO, |normal| normal.as_dvec3().normalize_or_zero());
        let ((area_at_rest, total_at_rest), (area, _)) = (at_rest[index], deformed[index]);
        // The comparison is false for NaN as well.
        let is_defined = area_at_rest.length() > VANISHING_AREA * total_at_rest;
        if base == DVec3::ZERO || !is_defined {
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

/// Per vertex, for the triangles around its group: twice the sum of the area vectors, and of their lengths.
fn areas(mesh: &Mesh, groups: &Groups, positions: &[DVec3]) -> Vec<(DVec3, f64)> {
    let mut sums = vec![(DVec3::ZERO, 0.0); positions.len()];
    for [a, b, c] in mesh.valid_triangles() {
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

/// How far a blend is from the reference: the largest error of all vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// Largest distance between positions, in world units. Infinite if a number is missing or is NaN.
    pub max_distance: f64,
    /// Largest angle between normals. A wrong length counts as the angle that would move the tip as far.
    pub max_normal_degrees: f64,
    /// The same for tangents; a wrong sign of the bitangent counts as 180.
    pub max_tangent_degrees: f64,
    /// Largest extent of the head at rest, in world units.
    pub head_size: f64,
    /// Largest extent of the reference under these weights, in world units: beyond the head's when deltas are huge.
    pub blended_size: f64,
    /// The vertex (head-wide, without padding) with the largest distance.
    pub worst_vertex: usize,
}

/// Compares the vertices that a mode blended under `weights` with the reference.
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

/// Turns NaN into infinity, because `f64::max` ignores NaN.
fn finite(distance: f64) -> f64 {
    if distance.is_nan() { f64::INFINITY } else { distance }
}

/// The angle whose chord on the unit circle is the difference. It is exact for small angles, and a difference in length
/// counts.
fn degrees(a: DVec3, b: DVec3) -> f64 {
    let chord = finite((a - b).length());
    2.0 * (chord / 2.0).min(1.0).asin().to_degrees()
}
