//! Heads whose skinned meshes are moved, once and for all, to where their joints hold them at rest: for whoever knows morph
//! targets and no skins.

use glam::{Mat3, Mat4, Vec3};

use super::{Head, Influences, Mesh, Posture};

impl Head {
    /// The same head without skins: vertices and deltas are where the joints have them at rest.
    pub fn unskinned(&self) -> Self {
        let mut asset = self.to_asset();
        for mesh in asset.meshes.iter_mut().filter(|mesh| mesh.skin.is_some()) {
            unskin(mesh, &self.rest);
        }
        asset.rig.skins.clear();
        Self::new(asset)
    }
}

fn unskin(mesh: &mut Mesh, rest: &Posture) {
    let matrices: Vec<Mat4> = (0..mesh.vertices.len()).map(|vertex| rest.world_from_vertex(mesh, vertex)).collect();
    let linear: Vec<Mat3> = matrices.iter().map(|matrix| Mat3::from_mat4(*matrix)).collect();
    let normal_from_mesh: Vec<Mat3> =
        linear.iter().zip(&mesh.vertices.normals).map(|(matrix, normal)| turning(upright(matrix), *normal)).collect();
    let vertices = &mut mesh.vertices;
    for (position, matrix) in vertices.positions.iter_mut().zip(&matrices) {
        *position = matrix.transform_point3(*position);
    }
    for (normal, matrix) in vertices.normals.iter_mut().zip(&normal_from_mesh) {
        *normal = *matrix * *normal;
    }
    let mut tangent_from_mesh = Vec::with_capacity(vertices.tangents.len());
    for (tangent, matrix) in vertices.tangents.iter_mut().zip(&linear) {
        let matrix = turning(*matrix, tangent.truncate());
        *tangent = (matrix * tangent.truncate()).extend(tangent.w);
        tangent_from_mesh.push(matrix);
    }
    for target in &mut mesh.targets {
        let turn = |deltas: &mut [Vec3], by: &[Mat3]| {
            for (delta, &row) in deltas.iter_mut().zip(&target.rows) {
                *delta = by.get(row as usize).map_or(*delta, |matrix| *matrix * *delta);
            }
        };
        turn(&mut target.positions, &linear);
        turn(&mut target.normals, &normal_from_mesh);
        turn(&mut target.tangents, &tangent_from_mesh);
    }
    vertices.influences = Influences::default();
    (mesh.skin, mesh.node, mesh.world_from_mesh) = (None, None, Mat4::IDENTITY);
}

/// What keeps normals upright under uneven scale.
fn upright(matrix: &Mat3) -> Mat3 {
    let inverse = matrix.inverse();
    if inverse.is_finite() { inverse.transpose() } else { *matrix }
}

/// `matrix`, scaled so that a direction keeps its length: its deltas then keep their share.
fn turning(matrix: Mat3, direction: Vec3) -> Mat3 {
    let length = (matrix * direction).length();
    if length > 0.0 { matrix * (direction.length() / length) } else { matrix }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::head::{Asset, Joint, Local, Node, Pull, Rig, Skin, Target, Trs, Vertices};

    #[test]
    fn what_hangs_on_a_joint_stays_where_it_is_without_it() {
        let rest = Trs { translation: Vec3::X, rotation: Quat::from_rotation_z(0.5), scale: Vec3::new(2.0, 1.0, 1.0) };
        let node = Node { name: "jaw".into(), parent: None, rest: Local::Trs(rest) };
        let joint = Joint { node: 0, joint_from_mesh: Mat4::from_translation(Vec3::Y) };
        let rig =
            Rig { nodes: vec![node], skins: vec![Skin { name: String::new(), joints: vec![joint] }], ..Rig::default() };
        let mut influences = Influences::default();
        for _ in 0..3 {
            influences.push([Pull { joint: 0, weight: 1.0 }], 0);
        }
        let vertices = Vertices {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            influences,
            ..Vertices::default()
        };
        let target = Target::from_dense("open".into(), 0.0, &[Vec3::ZERO, Vec3::X, Vec3::ZERO], &[], &[]);
        let mesh = Mesh { skin: Some(0), vertices, targets: vec![target], ..Mesh::default() };
        let head = Head::new(Asset { meshes: vec![mesh], rig, ..Asset::default() });
        let bare = head.unskinned();
        assert!(bare.rig.skins.is_empty() && bare.meshes[0].skin.is_none());
        for (before, after) in head.rest.points_in_world(&head.meshes[0]).zip(&bare.meshes[0].vertices.positions) {
            assert!(before.distance(*after) < 1e-6, "{before} {after}");
        }
        let expected = Mat3::from_mat4(rest.matrix()) * Vec3::X;
        assert!(bare.meshes[0].targets[0].positions[0].distance(expected) < 1e-6);
        assert!(bare.meshes[0].vertices.normals.iter().all(|normal| normal.distance(Vec3::Z) < 1e-6));
    }
}
