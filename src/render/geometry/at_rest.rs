//! Where the vertices are at rest, in millimetres of a head of human size: what is drawn from noise on the skin, such as pores, keeps
//! its size on every head and moves with the skin.

use glam::Vec3;

use crate::head::{Head, Mesh};

/// The positions of all vertices of a mesh in the world at rest, times [`Head::mm_per_unit`], from the middle of the face.
pub(super) fn positions_mm<'a>(head: &'a Head, mesh: &'a Mesh, mm_per_unit: f32) -> impl Iterator<Item = Vec3> + 'a {
    let middle = head.focus.center();
    head.rest_pose.positions_in_world(mesh).map(move |point| (point - middle) * mm_per_unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Target, Vertices};

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
        let positions: Vec<Vec3> = positions_mm(&head, &head.meshes[0], head.mm_per_unit()).collect();
        assert!(positions[0].abs_diff_eq(Vec3::new(-70.0, -70.0, 0.0), 1e-3), "{}", positions[0]);
    }
}
