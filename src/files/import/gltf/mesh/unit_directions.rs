//! Normalises normals and tangents. Quantised ones are up to 1 % longer or shorter than 1. The renderer normalises the
//! vertices that it blends and copies the others as they are; without this the border between the two would be visible.

use glam::{Vec3, Vec4};

use smirk_face::head::Mesh;

/// Directions whose length differs from 1 by no more than this are left as they are.
const TOLERANCE: f64 = 1e-6;

/// Scales normals and tangents to length 1, and their deltas by the same factors: glTF sums first and normalises then
/// (§3.7.2.2), so every blend keeps its direction.
pub(super) fn normalize_directions(mesh: &mut Mesh) {
    let vertices = &mut mesh.vertices;
    let normal_factors = vertices.normals.iter_mut().map(normalize_normal).collect::<Vec<f32>>();
    let tangent_factors = vertices.tangents.iter_mut().map(normalize_tangent).collect::<Vec<f32>>();
    for target in &mut mesh.targets {
        scale(&mut target.normals, &target.rows, &normal_factors);
        scale(&mut target.tangents, &target.rows, &tangent_factors);
    }
}

fn scale(deltas: &mut [Vec3], rows: &[u32], factors: &[f32]) {
    for (delta, &row) in deltas.iter_mut().zip(rows) {
        let scaled = *delta * factors.get(row as usize).copied().unwrap_or(1.0);
        *delta = if scaled.is_finite() { scaled } else { Vec3::ZERO };
    }
}

/// Normalises a direction and returns the factor it was scaled by. A direction too short to normalise becomes zero.
fn normalize_normal(normal: &mut Vec3) -> f32 {
    // In f64 the square of any f32 is finite.
    let length = normal.as_dvec3().length();
    let factor = length.recip() as f32;
    if !factor.is_finite() {
        *normal = Vec3::ZERO;
        return 1.0;
    }
    if (length - 1.0).abs() <= TOLERANCE {
        return 1.0;
    }
    *normal = (normal.as_dvec3() / length).as_vec3();
    factor
}

fn normalize_tangent(tangent: &mut Vec4) -> f32 {
    let mut direction = tangent.truncate();
    let factor = normalize_normal(&mut direction);
    *tangent = direction.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 });
    factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Target, Vertices};

    #[test]
    fn deltas_are_scaled_like_their_base() {
        let vertices = Vertices {
            positions: vec![Vec3::ZERO; 3],
            normals: vec![Vec3::Z * 0.5, Vec3::ZERO, Vec3::X],
            tangents: vec![Vec4::new(0.0, 4.0, 0.0, -0.25); 3],
            ..Vertices::default()
        };
        let (rows, moved) = (vec![0, 2], vec![Vec3::X, Vec3::Y]);
        let target = Target { rows, normals: moved.clone(), tangents: moved, ..Target::default() };
        let mut mesh = Mesh { vertices, targets: vec![target], ..Mesh::default() };
        normalize_directions(&mut mesh);
        assert_eq!(mesh.vertices.normals, [Vec3::Z, Vec3::ZERO, Vec3::X]);
        assert_eq!(mesh.vertices.tangents[1], Vec4::new(0.0, 1.0, 0.0, -1.0));
        assert_eq!(mesh.targets[0].normals, [Vec3::X * 2.0, Vec3::Y]);
        assert_eq!(mesh.targets[0].tangents, [Vec3::X * 0.25, Vec3::Y * 0.25]);
    }

    #[test]
    fn very_long_and_short_directions_stay_finite() {
        let vertices = Vertices {
            positions: vec![Vec3::ZERO; 3],
            normals: vec![Vec3::Z * 1e30, Vec3::X * 1e-30, Vec3::Y * f32::from_bits(1)],
            tangents: vec![Vec4::ZERO; 3],
            ..Vertices::default()
        };
        let target = Target { rows: vec![0, 1], normals: vec![Vec3::X * 1e30; 2], ..Target::default() };
        let mut mesh = Mesh { vertices, targets: vec![target], ..Mesh::default() };
        normalize_directions(&mut mesh);
        assert_eq!(mesh.vertices.normals, [Vec3::Z, Vec3::X, Vec3::ZERO]);
        assert_eq!(mesh.vertices.tangents, [Vec4::W; 3], "a tangent without direction still has a handedness");
        assert!(mesh.targets[0].normals[0].distance(Vec3::X) < 1e-6 && mesh.targets[0].normals[1] == Vec3::ZERO);
    }
}
