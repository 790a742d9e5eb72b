//! The definition of correct: the morph sum in f64, straight from the head, and the yardstick for everything else.
//!
//! Knows neither the layout nor the GPU, so that a mistake there cannot hide here. glTF 2.0 §3.7.2.2.

use glam::{DMat4, DVec3, DVec4, Vec3};
use rayon::prelude::*;

use super::{MorphedVertex, Normals, usable_weight};
use crate::head::{Head, Mesh};

/// Below this length a blended direction says nothing, and the base's is kept.
pub(super) const VANISHING_LENGTH: f64 = 1e-6;

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

/// Every vertex of the head, mesh after mesh, under `weights` (one per target; missing, infinite and NaN ones count as 0).
pub fn reference(head: &Head, weights: &[f32], _normals: Normals) -> Vec<ReferenceVertex> {
    head.meshes.par_iter().flat_map_iter(|mesh| blend_mesh(mesh, weights)).collect()
}

fn blend_mesh(mesh: &Mesh, weights: &[f32]) -> Vec<ReferenceVertex> {
    let base = &mesh.vertices;
    let mut positions = vec![DVec3::ZERO; base.len()];
    let mut normals = positions.clone();
    let mut tangents = positions.clone();
    for (index, target) in mesh.targets.iter().enumerate() {
        let weight = f64::from(usable_weight(weights, mesh.first_target + index));
        let add = |sums: &mut [DVec3], deltas: &[Vec3]| {
            for (&row, delta) in target.rows.iter().zip(deltas) {
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
        let world_from_mesh: DMat4 = mesh.world_from_mesh.as_dmat4();
        std::iter::repeat_n(world_from_mesh, mesh.vertices.len())
    });
    let (mut lowest, mut highest) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for (index, ((expected, morphed), world_from_mesh)) in expected.iter().zip(morphed).zip(world_of).enumerate() {
        let place = world_from_mesh.transform_point3(expected.position);
        (lowest, highest) = (lowest.min(place), highest.max(place));
        let apart = morphed.position.as_dvec3() - expected.position;
        let distance = finite(world_from_mesh.transform_vector3(apart).length());
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
