//! Which mesh is a shape of which.

use glam::Mat4;

use super::points::Points;
use crate::head::{Head, Mesh};

/// Which mesh of the head each mesh of a shape is for: the one of its name and size, else of its size, else of its name, else,
/// for a shape of one mesh, the largest, which is a guess where there are several.
pub fn pairs_of_meshes(head: &Head, shape: &Head) -> Vec<(usize, usize, bool)> {
    let count = |mesh: &Mesh| Points::joined(mesh, Mat4::IDENTITY).count;
    let own: Vec<usize> = head.meshes.iter().map(count).collect();
    let others: Vec<usize> = shape.meshes.iter().map(count).collect();
    let mut is_taken = vec![false; own.len()];
    let mut pairs = Vec::new();
    let mut left: Vec<usize> = (0..others.len()).collect();
    let same_count = |mesh: usize, other: usize| {
        own[mesh] == others[other] || head.meshes[mesh].vertices.len() == shape.meshes[other].vertices.len()
    };
    let same_name = |mesh: usize, other: usize| head.meshes[mesh].name.eq_ignore_ascii_case(&shape.meshes[other].name);
    let ways: [&dyn Fn(usize, usize) -> bool; 3] =
        [&|mesh, other| same_count(mesh, other) && same_name(mesh, other), &same_count, &same_name];
    for is_it in ways {
        left.retain(|&other| {
            let found = (0..own.len()).find(|&mesh| !is_taken[mesh] && is_it(mesh, other));
            if let Some(mesh) = found {
                is_taken[mesh] = true;
                pairs.push((mesh, other, false));
            }
            found.is_none()
        });
    }
    let largest = (0..own.len()).max_by_key(|&mesh| (own[mesh], std::cmp::Reverse(mesh)));
    if let ([other], [_], Some(largest)) = (&left[..], &others[..], largest) {
        pairs.push((largest, *other, own.len() > 1));
    }
    pairs
}
