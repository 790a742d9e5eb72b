//! Skinned meshes moved to where their joints hold them at rest, once, for whoever draws no skins.

use glam::{Mat3, Mat4, Vec3};

use crate::head::{Influences, Mesh, Posture};

/// Puts every skinned mesh, deltas and all, where `posture` has it.
pub fn bake(meshes: &mut [Mesh], posture: &Posture) {
    for mesh in meshes.iter_mut().filter(|mesh| mesh.skin.is_some()) {
        let vertices = 0..mesh.vertices.len();
        let matrices: Vec<Mat4> = vertices.map(|vertex| posture.world_from_vertex(mesh, vertex)).collect();
        apply(&matrices, mesh);
        (mesh.node, mesh.skin, mesh.world_from_mesh) = (None, None, Mat4::IDENTITY);
        mesh.vertices.influences = Influences::default();
    }
}

fn apply(matrices: &[Mat4], mesh: &mut Mesh) {
    let linear: Vec<Mat3> = matrices.iter().map(|matrix| Mat3::from_mat4(*matrix)).collect();
    // What turns normals, scaled so that the base normal keeps its length: its deltas then keep their share.
    let mut normal_from_mesh: Vec<Mat3> = Vec::with_capacity(linear.len());
    for (vertex, matrix) in linear.iter().enumerate() {
        let inverse = matrix.inverse();
        let turned = if inverse.is_finite() { inverse.transpose() } else { *matrix };
        let normal = mesh.vertices.normals[vertex];
        let length = (turned * normal).length();
        let scale = if length > 0.0 { normal.length() / length } else { 1.0 };
        normal_from_mesh.push(turned * scale);
    }
    // Likewise for tangents.
    let mut tangent_from_mesh = linear.clone();
    for (matrix, tangent) in tangent_from_mesh.iter_mut().zip(&mut mesh.vertices.tangents) {
        let turned = *matrix * tangent.truncate();
        if turned.length() > 0.0 {
            *matrix *= tangent.truncate().length() / turned.length();
        }
        *tangent = (*matrix * tangent.truncate()).extend(tangent.w);
    }
    for (position, matrix) in mesh.vertices.positions.iter_mut().zip(matrices) {
        *position = matrix.transform_point3(*position);
    }
    for (normal, matrix) in mesh.vertices.normals.iter_mut().zip(&normal_from_mesh) {
        *normal = *matrix * *normal;
    }
    for target in &mut mesh.targets {
        let turn = |deltas: &mut [Vec3], by: &[Mat3]| {
            for (delta, &row) in deltas.iter_mut().zip(&target.rows) {
                *delta = by[row as usize] * *delta;
            }
        };
        turn(&mut target.positions, &linear);
        turn(&mut target.normals, &normal_from_mesh);
        turn(&mut target.tangents, &tangent_from_mesh);
    }
}
