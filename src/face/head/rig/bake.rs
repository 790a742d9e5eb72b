//! Baking: the transforms of joints and nodes at rest are applied to vertices and deltas. Exports use it whose formats hold
//! neither skins nor nodes as Smirk has them.

use glam::{Mat3, Mat4, Vec3};

use super::rig_pose::{RigPose, normal_matrix};
use crate::head::{Head, Influences, Mesh, Target};

impl Head {
    /// A copy of the head whose meshes are all in world space, in the rest pose, without nodes and skins.
    pub fn in_world_space(&self) -> Self {
        let mut asset = self.to_asset();
        asset.meshes.iter_mut().for_each(|mesh| bake(mesh, &self.rest_pose));
        asset.rig.skins.clear();
        Self::new(asset)
    }
}

/// Transforms a mesh's vertices and deltas into the world at rest.
fn bake(mesh: &mut Mesh, rest: &RigPose) {
    let matrices: Vec<Mat4> = (0..mesh.vertices.len()).map(|vertex| rest.world_from_vertex(mesh, vertex)).collect();
    let linear: Vec<Mat3> = matrices.iter().map(|matrix| Mat3::from_mat4(*matrix)).collect();
    let is_mirrored: Vec<bool> = matrices.iter().map(RigPose::mirrors).collect();
    let normals = matrices.iter().zip(&mesh.vertices.normals);
    let normal_from_mesh: Vec<Mat3> =
        normals.map(|(matrix, normal)| keeping_length(normal_matrix(*matrix), *normal)).collect();
    let vertices = &mut mesh.vertices;
    for (position, matrix) in vertices.positions.iter_mut().zip(&matrices) {
        *position = matrix.transform_point3(*position);
    }
    for (normal, matrix) in vertices.normals.iter_mut().zip(&normal_from_mesh) {
        *normal = *matrix * *normal;
    }
    let mut tangent_from_mesh = Vec::with_capacity(vertices.tangents.len());
    for ((tangent, matrix), is_mirrored) in vertices.tangents.iter_mut().zip(&linear).zip(&is_mirrored) {
        let matrix = keeping_length(*matrix, tangent.truncate());
        let side = if *is_mirrored { -tangent.w } else { tangent.w };
        *tangent = (matrix * tangent.truncate()).extend(side);
        tangent_from_mesh.push(matrix);
    }
    for (rows, [positions, normals, tangents]) in mesh.targets.iter_mut().flat_map(Target::shapes_mut) {
        let turn = |deltas: &mut [Vec3], by: &[Mat3]| {
            for (delta, &row) in deltas.iter_mut().zip(rows) {
                *delta = by.get(row as usize).map_or(*delta, |matrix| *matrix * *delta);
            }
        };
        turn(positions, &linear);
        turn(normals, &normal_from_mesh);
        turn(tangents, &tangent_from_mesh);
    }
    // Mirrored triangles have the other winding.
    for triangle in mesh.indices.as_chunks_mut::<3>().0 {
        if triangle.iter().filter(|&&vertex| is_mirrored[vertex as usize]).count() > 1 {
            triangle.swap(1, 2);
        }
    }
    vertices.influences = Influences::default();
    (mesh.skin, mesh.node, mesh.world_from_mesh) = (None, None, Mat4::IDENTITY);
}

/// `matrix`, scaled so that a direction keeps its length: deltas of the direction then keep their ratio to it.
fn keeping_length(matrix: Mat3, direction: Vec3) -> Mat3 {
    let length = (matrix * direction).length();
    if length > 0.0 { matrix * (direction.length() / length) } else { matrix }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::head::{Asset, InBetween, Influence, Joint, LocalTransform, Node, Rig, Skin, Trs, Vertices};

    /// A slanted triangle bound to a joint, with tangents along its first side.
    fn skinned(rest: LocalTransform) -> Head {
        let node = Node { name: "jaw".into(), parent: None, rest };
        let joint = Joint { node: 0, joint_from_mesh: Mat4::from_translation(Vec3::Y) };
        let rig =
            Rig { nodes: vec![node], skins: vec![Skin { name: String::new(), joints: vec![joint] }], ..Rig::default() };
        let mut influences = Influences::default();
        for _ in 0..3 {
            influences.push([Influence { joint: 0, weight: 1.0 }], 0);
        }
        let normal = Vec3::new(1.0, 1.0, 1.0).normalize_or_zero();
        let vertices = Vertices {
            positions: vec![Vec3::X, Vec3::Y, Vec3::Z],
            normals: vec![normal; 3],
            tangents: vec![(Vec3::Y - Vec3::X).normalize_or_zero().extend(1.0); 3],
            influences,
            ..Vertices::default()
        };
        let deltas = [Vec3::ZERO, Vec3::X, Vec3::ZERO];
        let mut target = Target::from_dense("open".into(), 0.0, &deltas, &[Vec3::X; 3], &[Vec3::Z; 3]);
        let half = InBetween::from_dense("half".into(), 0.5, &deltas, &[Vec3::X; 3], &[Vec3::Z; 3]);
        target.set_in_betweens(vec![half]);
        let mesh = Mesh { skin: Some(0), vertices, indices: vec![0, 1, 2], targets: vec![target], ..Mesh::default() };
        Head::new(Asset { meshes: vec![mesh], rig, ..Asset::default() })
    }

    /// Checks that a baked head has the same positions, and the normals and tangents that follow from `matrix`.
    fn check_baked(head: &Head, matrix: Mat4) {
        let baked = head.in_world_space();
        let (mesh, own) = (&baked.meshes[0], &head.meshes[0]);
        assert!(baked.rig.skins.is_empty() && mesh.skin.is_none() && mesh.world_from_mesh == Mat4::IDENTITY);
        for (before, after) in head.rest_pose.positions_in_world(own).zip(&mesh.vertices.positions) {
            assert!(before.distance(*after) < 1e-5, "{before} {after}");
        }
        let corner = |at: usize| mesh.vertices.positions[mesh.indices[at] as usize];
        let facing = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalize_or_zero();
        let normal = mesh.vertices.normals[0];
        assert!(normal.distance(facing) < 1e-5, "{normal} is not upright on the triangle, {facing}");
        let tangent = mesh.vertices.tangents[0];
        let along = matrix.transform_vector3(Vec3::Y - Vec3::X).normalize_or_zero();
        assert!(tangent.truncate().distance(along) < 1e-5, "{tangent}");
        // The bitangent is transformed by the matrix: it stays on the same side of the tangent.
        let bitangent = normal.cross(tangent.truncate()) * tangent.w;
        let own_bitangent = own.vertices.normals[0].cross(own.vertices.tangents[0].truncate());
        assert!(bitangent.dot(matrix.transform_vector3(own_bitangent)) > 0.0, "{tangent}");
        let (target, own_target) = (&mesh.targets[0], &own.targets[0]);
        assert!(target.positions[1].distance(matrix.transform_vector3(Vec3::X)) < 1e-5);
        let in_between = &target.in_betweens[0];
        assert_eq!((&in_between.positions, &in_between.normals), (&target.positions, &target.normals));
        assert_eq!(in_between.tangents, target.tangents);
        let turned = (normal_matrix(matrix) * (own.vertices.normals[0] + own_target.normals[0])).normalize_or_zero();
        assert!((normal + target.normals[0]).normalize_or_zero().distance(turned) < 1e-5);
        let turned =
            matrix.transform_vector3(own.vertices.tangents[0].truncate() + own_target.tangents[0]).normalize_or_zero();
        assert!((tangent.truncate() + target.tangents[0]).normalize_or_zero().distance(turned) < 1e-5);
    }

    #[test]
    fn a_baked_skin_has_the_same_positions_and_normals() {
        for scale in [Vec3::new(2.0, 1.0, 1.0), Vec3::new(-1.0, 3.0, 1.0)] {
            let rest = Trs { translation: Vec3::X, rotation: Quat::from_rotation_z(0.5), scale };
            check_baked(&skinned(LocalTransform::Trs(rest)), rest.matrix());
        }
    }

    #[test]
    fn a_mesh_on_a_shearing_node_is_baked() {
        let sheared = Mat4::from_scale(Vec3::new(-2.0, 1.0, 1.0)) * Mat4::from_rotation_z(0.5);
        let on_node = |matrix: Mat4| {
            let mut asset = skinned(LocalTransform::Matrix(matrix)).to_asset();
            (asset.meshes[0].skin, asset.meshes[0].node) = (None, Some(0));
            asset.meshes[0].vertices.influences = Influences::default();
            Head::new(asset)
        };
        check_baked(&on_node(sheared), sheared);
    }
}
