//! Directions of unit length. Quantised ones are up to a hundredth longer or shorter, and a renderer that blends part of a
//! mesh and copies the rest must not show where one ends and the other begins.

use glam::{Vec3, Vec4};

use crate::head::Mesh;

/// Directions off by less are as good as whole.
const TOLERANCE: f64 = 1e-6;

/// Makes normals and tangents whole, and what targets add to them by as much larger: every blend keeps its direction
/// (glTF 2.0 §3.7.2.2: summed, then normalised).
pub fn make_whole(mesh: &mut Mesh) {
    let vertices = &mut mesh.vertices;
    let normals = vertices.normals.iter_mut().map(whole_normal).collect::<Vec<f32>>();
    let tangents = vertices.tangents.iter_mut().map(whole_tangent).collect::<Vec<f32>>();
    let scale = |deltas: &mut [Vec3], rows: &[u32], factors: &[f32]| {
        for (delta, &row) in deltas.iter_mut().zip(rows) {
            let scaled = *delta * factors.get(row as usize).copied().unwrap_or(1.0);
            *delta = if scaled.is_finite() { scaled } else { Vec3::ZERO };
        }
    };
    for target in &mut mesh.targets {
        scale(&mut target.normals, &target.rows, &normals);
        scale(&mut target.tangents, &target.rows, &tangents);
    }
}

/// Makes a direction whole; what it became times as long. One that is next to nothing becomes nothing.
fn whole_normal(normal: &mut Vec3) -> f32 {
    // f64: squares of any f32 are finite there.
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

fn whole_tangent(tangent: &mut Vec4) -> f32 {
    let mut along = tangent.truncate();
    let factor = whole_normal(&mut along);
    *tangent = along.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 });
    factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Target, Vertices};

    #[test]
    fn what_is_added_grows_with_what_it_is_added_to() {
        let vertices = Vertices {
            positions: vec![Vec3::ZERO; 3],
            normals: vec![Vec3::Z * 0.5, Vec3::ZERO, Vec3::X],
            tangents: vec![Vec4::new(0.0, 4.0, 0.0, -0.25); 3],
            ..Vertices::default()
        };
        let (rows, moved) = (vec![0, 2], vec![Vec3::X, Vec3::Y]);
        let target = Target { rows, normals: moved.clone(), tangents: moved, ..Target::default() };
        let mut mesh = Mesh { vertices, targets: vec![target], ..Mesh::default() };
        make_whole(&mut mesh);
        assert_eq!(mesh.vertices.normals, [Vec3::Z, Vec3::ZERO, Vec3::X]);
        assert_eq!(mesh.vertices.tangents[1], Vec4::new(0.0, 1.0, 0.0, -1.0));
        assert_eq!(mesh.targets[0].normals, [Vec3::X * 2.0, Vec3::Y]);
        assert_eq!(mesh.targets[0].tangents, [Vec3::X * 0.25, Vec3::Y * 0.25]);
    }

    #[test]
    fn vast_and_tiny_directions_stay_finite() {
        let vertices = Vertices {
            positions: vec![Vec3::ZERO; 3],
            normals: vec![Vec3::Z * 1e30, Vec3::X * 1e-30, Vec3::Y * f32::from_bits(1)],
            tangents: vec![Vec4::ZERO; 3],
            ..Vertices::default()
        };
        let target = Target { rows: vec![0, 1], normals: vec![Vec3::X * 1e30; 2], ..Target::default() };
        let mut mesh = Mesh { vertices, targets: vec![target], ..Mesh::default() };
        make_whole(&mut mesh);
        assert_eq!(mesh.vertices.normals, [Vec3::Z, Vec3::X, Vec3::ZERO]);
        assert_eq!(mesh.vertices.tangents, [Vec4::W; 3], "a side, even without a direction");
        assert!(mesh.targets[0].normals[0].distance(Vec3::X) < 1e-6 && mesh.targets[0].normals[1] == Vec3::ZERO);
    }
}
