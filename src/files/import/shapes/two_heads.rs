//! Which vertices of two versions of a head are the same.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use super::control_points::ControlPoints;
use super::correspondence::{Correspondence, MeshPair};
use smirk_face::head::{Head, MatchedMesh, MatchedVertices, Matching, Version, change_of_unit, paired_meshes};

/// The meshes that two versions of a head have, and the vertices that are the same: in order if the topology is the same, else by texture
/// coordinates and position, or as `matching` says.
pub fn match_heads(old: &Head, new: &Head, matching: Matching) -> Vec<MatchedMesh> {
    // A head in another unit would be of another size.
    let in_old_unit = Mat4::from_scale(Vec3::splat(change_of_unit(old, new).unwrap_or(1.0).recip()));
    let matched = |[a, b]: [usize; 2]| {
        let (of_old, of_new) = (&old.meshes[a], &new.meshes[b]);
        let pair = MeshPair {
            neutral: ControlPoints::welded(of_new, in_old_unit * of_new.world_from_mesh),
            shape: ControlPoints::welded(of_old, of_old.world_from_mesh),
        };
        let vertices = pair.match_by(matching).map_or(MatchedVertices::Unknown, found);
        MatchedMesh { old: a, new: b, vertices }
    };
    paired_meshes(old, new).into_iter().map(matched).collect()
}

/// Another version of a head, with its vertices matched by [`Matching::Auto`].
pub fn version_of(this: &Arc<Head>, other: Arc<Head>) -> Version {
    let meshes = match_heads(this, &other, Matching::Auto);
    let is_in_order = |matched: &MatchedMesh| matched.vertices == MatchedVertices::InOrder;
    let back = if meshes.iter().all(is_in_order) {
        let turned = |matched: &MatchedMesh| MatchedMesh { old: matched.new, new: matched.old, ..matched.clone() };
        meshes.iter().map(turned).collect()
    } else {
        match_heads(&other, this, Matching::Auto)
    };
    Version::new(this, other, meshes, back)
}

fn found(correspondence: Correspondence) -> MatchedVertices {
    let Correspondence { of_vertex, by_order, by_uv, by_position, .. } = correspondence;
    if of_vertex.iter().zip(0..).all(|(old, new)| *old == Some(new)) {
        return MatchedVertices::InOrder;
    }
    let by = match (by_order, by_uv, by_position) {
        (order, ..) if order > 0 => Matching::Order,
        (_, uv, position) if uv >= position => Matching::Uv,
        _ => Matching::Position,
    };
    MatchedVertices::Found { old_of_new: of_vertex, by }
}
