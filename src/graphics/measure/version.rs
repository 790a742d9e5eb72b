//! A head measured against another version of it.

use glam::{Mat4, Vec3};
use rayon::prelude::*;

use super::deformed::deformed_positions;
use super::kind::Measure;
use super::measured_head::MeasuredHead;
use smirk_face::head::{Head, Mesh, RigPose, Version};

impl MeasuredHead {
    /// What changes from the other version to the head, at these weights of the head and at those of the same channels of the version: for
    /// each mesh, a value per vertex. It is NaN where the version lacks the vertex. `plays_correctives` as for [`Version::weights`].
    pub fn against_version(
        &self,
        head: &Head,
        measure: Measure,
        version: &Version,
        (weights, plays_correctives): (&[f32], bool),
    ) -> Vec<Vec<f32>> {
        let now: Vec<Vec<Vec3>> = head.meshes.par_iter().map(|mesh| deformed_positions(mesh, weights)).collect();
        let other = in_version(head, version, &version.weights(weights, plays_correctives));
        let or_now = |(other, now): (&Vec<Option<Vec3>>, &Vec<Vec3>)| -> Vec<Vec3> {
            other.iter().zip(now).map(|(other, now)| other.unwrap_or(*now)).collect()
        };
        let from: Vec<Vec<Vec3>> = other.iter().zip(&now).map(or_now).collect();
        let mut values = self.between(head, measure, &from, &now);
        let places = values.iter_mut().flatten().zip(other.iter().flatten());
        places.filter(|(_, other)| other.is_none()).for_each(|(value, _)| *value = f32::NAN);
        values
    }
}

/// Where the vertices of each mesh are in the other version, as positions in the space of the head's own mesh; none for a vertex that the
/// version lacks. `weights` are those of the version.
fn in_version(head: &Head, version: &Version, weights: &[f32]) -> Vec<Vec<Option<Vec3>>> {
    let other = &*version.head;
    let deformed: Vec<Vec<Vec3>> = other.meshes.par_iter().map(|mesh| deformed_positions(mesh, weights)).collect();
    let unit = version.unit();
    // Without a skin, all vertices of a mesh have one transform.
    let of_whole = |mesh: &Mesh, pose: &RigPose| mesh.skin.is_none().then(|| pose.world_from_vertex(mesh, 0));
    let others: Vec<Option<Mat4>> = other.meshes.iter().map(|mesh| of_whole(mesh, &other.rest_pose)).collect();
    let of_mesh = |index: usize| {
        let mesh = &head.meshes[index];
        let own_of_whole = of_whole(mesh, &head.rest_pose).map(|world| world.inverse());
        let place = |vertex: usize| {
            let (other_mesh, other_vertex) = version.counterpart(index, vertex)?;
            let position = *deformed.get(other_mesh)?.get(other_vertex)?;
            let of_vertex = || other.rest_pose.world_from_vertex(&other.meshes[other_mesh], other_vertex);
            let world = others.get(other_mesh).copied().flatten().unwrap_or_else(of_vertex);
            let own_of_vertex = || head.rest_pose.world_from_vertex(mesh, vertex).inverse();
            let own = own_of_whole.unwrap_or_else(own_of_vertex);
            Some(own.transform_point3(world.transform_point3(position) * unit)).filter(|place| place.is_finite())
        };
        (0..mesh.vertices.len()).map(place).collect()
    };
    (0..head.meshes.len()).into_par_iter().map(of_mesh).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use smirk_face::head::{Asset, MatchedMesh, MatchedVertices, Matching, Target, Vertices};

    /// A face 140 units wide, one unit of which is a millimetre, whose jaw moves one corner down by so much.
    fn head(down: f32, at: Mat4, scale: f32) -> Arc<Head> {
        let corners = [Vec3::ZERO, Vec3::X * 140.0, Vec3::new(70.0, 140.0, 0.0)];
        let deltas = [Vec3::NEG_Y * down, Vec3::NEG_Y * 5.0, Vec3::ZERO];
        let to_mesh = at.inverse();
        let mesh = Mesh {
            name: "face".into(),
            world_from_mesh: at,
            vertices: Vertices {
                positions: corners.map(|corner| to_mesh.transform_point3(corner * scale)).into(),
                ..Vertices::default()
            },
            indices: vec![0, 1, 2],
            targets: vec![Target::from_dense(
                "jawOpen".into(),
                0.0,
                &deltas.map(|delta| to_mesh.transform_vector3(delta * scale)),
                &[],
                &[],
            )],
            ..Mesh::default()
        };
        Arc::new(Head::new(Asset { meshes: vec![mesh], ..Asset::default() }))
    }

    fn distances(this: &Arc<Head>, version: &Version, weight: f32) -> Vec<f32> {
        MeasuredHead::new(this).against_version(this, Measure::Displacement, version, (&[weight], true)).remove(0)
    }

    fn in_order(this: &Arc<Head>, other: Arc<Head>) -> Version {
        let (meshes, back) = (MatchedMesh::in_order(this, &other), MatchedMesh::in_order(&other, this));
        Version::new(this, other, meshes, back)
    }

    #[test]
    fn a_planted_move_is_measured_at_the_present_weight_whatever_the_node_and_the_unit() {
        let this = head(10.0, Mat4::IDENTITY, 1.0);
        let turned = Mat4::from_rotation_z(0.5) * Mat4::from_translation(Vec3::new(3.0, 1.0, 2.0));
        for other in [head(13.0, Mat4::IDENTITY, 1.0), head(13.0, turned, 1.0), head(13.0, Mat4::IDENTITY, 0.001)] {
            let version = in_order(&this, other);
            for weight in [0.0, 0.5, 1.0, -1.0] {
                let found = distances(&this, &version, weight);
                let expected = [3.0 * f32::abs(weight), 0.0, 0.0];
                let is_near = |(found, expected): (&f32, f32)| (found - expected).abs() < 1e-3;
                assert!(found.iter().zip(expected).all(is_near), "{weight}: {found:?} is not {expected:?}");
            }
        }
    }

    #[test]
    fn a_vertex_that_the_version_lacks_has_no_value() {
        let (this, other) = (head(10.0, Mat4::IDENTITY, 1.0), head(13.0, Mat4::IDENTITY, 1.0));
        let meshes = MatchedMesh::in_order(&this, &other);
        let vertices = MatchedVertices::Found { old_of_new: vec![Some(0), None, Some(2)], by: Matching::Uv };
        let version = Version::new(&this, other, meshes, vec![MatchedMesh { old: 0, new: 0, vertices }]);
        let found = distances(&this, &version, 1.0);
        assert!((found[0] - 3.0).abs() < 1e-3 && found[1].is_nan() && found[2] == 0.0, "{found:?}");
    }
}
