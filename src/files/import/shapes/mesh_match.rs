//! Which mesh of a shape file belongs to which mesh of the head.

use glam::{Mat4, Vec3};

use super::control_points::ControlPoints;
use smirk_face::head::{Head, Mesh};

/// A mesh of the head and the mesh of a shape that belongs to it.
pub(super) struct MeshMatch {
    /// Index into the head's meshes.
    pub of_head: usize,
    /// Index into the shape's meshes.
    pub of_shape: usize,
    /// Whether it was chosen only because it is the largest of several.
    pub is_guess: bool,
}

/// Matches the meshes of a shape with those of the head: by name and number of vertices, else by number of vertices, else by
/// name. Of several that fit equally well the nearest is taken: two eyes differ in nothing else. The only mesh of a shape that is still without a match belongs to the largest, which is a guess where the head has
/// several.
pub(super) fn match_meshes(head: &Head, shape: &Head) -> Vec<MeshMatch> {
    let count = |mesh: &Mesh| ControlPoints::welded(mesh, Mat4::IDENTITY).count;
    let own: Vec<usize> = head.meshes.iter().map(count).collect();
    let others: Vec<usize> = shape.meshes.iter().map(count).collect();
    let mut is_taken = vec![false; own.len()];
    let mut matches = Vec::new();
    let mut left: Vec<usize> = (0..others.len()).collect();
    let same_count = |mesh: usize, other: usize| {
        own[mesh] == others[other] || head.meshes[mesh].vertices.len() == shape.meshes[other].vertices.len()
    };
    let same_name = |mesh: usize, other: usize| head.meshes[mesh].name.eq_ignore_ascii_case(&shape.meshes[other].name);
    let centers = |head: &Head| -> Vec<Vec3> {
        head.meshes.iter().map(|mesh| head.rest_pose.bounds_in_world(mesh).center()).collect()
    };
    let (own_centers, other_centers) = (centers(head), centers(shape));
    let distance = |mesh: usize, other: usize| own_centers[mesh].distance(other_centers[other]);
    let criteria: [&dyn Fn(usize, usize) -> bool; 3] =
        [&|mesh, other| same_count(mesh, other) && same_name(mesh, other), &same_count, &same_name];
    for belongs in criteria {
        left.retain(|&other| {
            let fitting = (0..own.len()).filter(|&mesh| !is_taken[mesh] && belongs(mesh, other));
            let found = fitting.min_by(|&a, &b| distance(a, other).total_cmp(&distance(b, other)));
            if let Some(mesh) = found {
                is_taken[mesh] = true;
                matches.push(MeshMatch { of_head: mesh, of_shape: other, is_guess: false });
            }
            found.is_none()
        });
    }
    let largest = (0..own.len()).max_by_key(|&mesh| (own[mesh], std::cmp::Reverse(mesh)));
    if let ([other], [_], Some(largest)) = (&left[..], &others[..], largest) {
        matches.push(MeshMatch { of_head: largest, of_shape: *other, is_guess: own.len() > 1 });
    }
    matches
}
