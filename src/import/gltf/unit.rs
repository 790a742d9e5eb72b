//! Directions of unit length. Quantised ones are up to a hundredth longer or shorter, and a renderer that blends part of a
//! mesh and copies the rest must not show where one ends and the other begins.

use glam::{Vec3, Vec4};

use crate::head::Mesh;

/// Directions off by less are as good as whole.
const TOLERANCE: f32 = 1e-6;

/// Makes normals and tangents whole, and what targets add to them by as much larger: every blend keeps its direction
/// (glTF 2.0 §3.7.2.2: summed, then normalised).
pub fn make_whole(mesh: &mut Mesh) {
    let vertices = &mut mesh.vertices;
    let normals = vertices.normals.iter_mut().map(whole_normal).collect::<Vec<f32>>();
    let tangents = vertices.tangents.iter_mut().map(whole_tangent).collect::<Vec<f32>>();
    let scale = |deltas: &mut [Vec3], rows: &[u32], factors: &[f32]| {
        for (delta, &row) in deltas.iter_mut().zip(rows) {
            *delta *= factors.get(row as usize).copied().unwrap_or(1.0);
        }
    };
    for target in &mut mesh.targets {
        scale(&mut target.normals, &target.rows, &normals);
        scale(&mut target.tangents, &target.rows, &tangents);
    }
}

fn whole_normal(normal: &mut Vec3) -> f32 {
    let factor = factor(*normal);
    *normal *= factor;
    factor
}

fn whole_tangent(tangent: &mut Vec4) -> f32 {
    let factor = factor(tangent.truncate());
    *tangent = (tangent.truncate() * factor).extend(tangent.w);
    factor
}

/// What makes a direction whole; 1 for what is whole, and for what has none.
fn factor(direction: Vec3) -> f32 {
    let factor = direction.length().recip();
    if factor.is_finite() && (factor - 1.0).abs() > TOLERANCE { factor } else { 1.0 }
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
            tangents: vec![Vec4::new(0.0, 4.0, 0.0, -1.0); 3],
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
}
