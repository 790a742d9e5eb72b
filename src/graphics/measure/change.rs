//! How a surface differs from what it was: each function gives a value per point. `from_mm` and `to_mm` are the points in millimetres.

use glam::Vec3;

use super::curvature::normals;
use super::measured_mesh::MeasuredMesh;

/// Lengths and areas that are smaller than this, in millimetres or their squares, have no measurable change.
const VANISHING: f32 = 1e-6;

/// How far the points have moved, in millimetres.
pub(super) fn displacement(from_mm: &[Vec3], to_mm: &[Vec3]) -> Vec<f32> {
    from_mm.iter().zip(to_mm).map(|(from, to)| from.distance(*to)).collect()
}

/// The change of length, in percent, of the edge at each point that has changed most.
pub(super) fn edge_length(mesh: &MeasuredMesh, from_mm: &[Vec3], to_mm: &[Vec3]) -> Vec<f32> {
    let mut values = vec![0.0_f32; from_mm.len()];
    for &[a, b] in &mesh.edges {
        let length = |at_mm: &[Vec3]| at_mm[a as usize].distance(at_mm[b as usize]);
        let (before, after) = (length(from_mm), length(to_mm));
        if before > VANISHING {
            let change = (after / before - 1.0) * 100.0;
            for point in [a, b] {
                let value = &mut values[point as usize];
                *value = if change.abs() > value.abs() { change } else { *value };
            }
        }
    }
    values
}

/// The change of the area of the triangles around each point, in percent.
pub(super) fn area(mesh: &MeasuredMesh, from_mm: &[Vec3], to_mm: &[Vec3]) -> Vec<f32> {
    let areas = |at_mm: &[Vec3]| {
        let mut areas = vec![0.0_f32; at_mm.len()];
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|point| at_mm[point as usize]);
            let area = (b - a).cross(c - a).length() * 0.5;
            triangle.iter().for_each(|&point| areas[point as usize] += area);
        }
        areas
    };
    let change = |(before, after): (f32, f32)| if before > VANISHING { (after / before - 1.0) * 100.0 } else { 0.0 };
    areas(from_mm).into_iter().zip(areas(to_mm)).map(change).collect()
}

/// How far the normals of the surface have turned, in degrees.
pub(super) fn normal(mesh: &MeasuredMesh, from_mm: &[Vec3], to_mm: &[Vec3]) -> Vec<f32> {
    // The arc tangent is exact for small angles too.
    let angle = |(a, b): (Vec3, Vec3)| a.cross(b).length().atan2(a.dot(b)).to_degrees();
    normals(mesh, from_mm).into_iter().zip(normals(mesh, to_mm)).map(angle).collect()
}
