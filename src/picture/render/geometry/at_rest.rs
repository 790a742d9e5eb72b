//! Where the vertices are at rest, in millimetres of a head of human size: what is drawn from noise on the skin, such as pores, keeps
//! its size on every head and moves with the skin.

use glam::Vec3;

use smirk_face::head::{Head, Mesh};

/// The position of a vertex of a mesh in the world at rest, times [`Head::mm_per_unit`], from the middle of the face.
pub(super) fn position_mm(head: &Head, mesh: &Mesh, vertex: usize, mm_per_unit: f32) -> Vec3 {
    let world_from_vertex = head.rest_pose.world_from_vertex(mesh, vertex);
    (world_from_vertex.transform_point3(mesh.vertices.positions[vertex]) - head.focus.center()) * mm_per_unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Target, Vertices};

    #[test]
    fn positions_are_measured_from_the_middle_of_the_face() {
        // A face 2 units wide without eyes: 140 millimetres.
        let positions = vec![Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
        let up = Target::from_dense("up".into(), 0.0, &[Vec3::Y; 3], &[], &[]);
        let vertices = Vertices { positions, ..Vertices::default() };
        let head = Head::new(Asset {
            meshes: vec![Mesh { vertices, targets: vec![up], ..Mesh::default() }],
            ..Asset::default()
        });
        let position = position_mm(&head, &head.meshes[0], 0, head.mm_per_unit());
        assert!(position.abs_diff_eq(Vec3::new(-70.0, -70.0, 0.0), 1e-3), "{position}");
    }
}
