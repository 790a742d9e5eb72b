//! Which meshes and which vertices of two heads are the same.

use super::by_name::by_name;
use crate::head::{Head, Matching, Mesh};

/// A mesh that two heads have.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedMesh {
    /// Its index in the old head.
    pub old: usize,
    /// Its index in the new head.
    pub new: usize,
    /// Which of its vertices are the same.
    pub vertices: MatchedVertices,
}

/// Which vertices of two meshes are the same.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchedVertices {
    /// It is not known.
    Unknown,
    /// Those of the same number.
    InOrder,
    /// They were found otherwise.
    Found {
        /// Per vertex of the new mesh, that of the old mesh; none for one that the old mesh has not.
        old_of_new: Vec<Option<u32>>,
        /// How they were found.
        by: Matching,
    },
}

impl MatchedMesh {
    /// The meshes of two heads: those of the same name, then those of the same number of vertices and triangles. Vertices are the same if
    /// there are equally many.
    pub fn in_order(old: &Head, new: &Head) -> Vec<Self> {
        let vertices = |[old, new]: [&Mesh; 2]| match old.vertices.len() == new.vertices.len() {
            true => MatchedVertices::InOrder,
            false => MatchedVertices::Unknown,
        };
        let matched =
            |[a, b]: [usize; 2]| Self { old: a, new: b, vertices: vertices([&old.meshes[a], &new.meshes[b]]) };
        paired_meshes(old, new).into_iter().map(matched).collect()
    }
}

/// The old and the new index of each mesh that both heads have.
pub fn paired_meshes(old: &Head, new: &Head) -> Vec<[usize; 2]> {
    let named = |head: &Head| -> Vec<(String, usize)> {
        head.meshes.iter().enumerate().map(|(index, mesh)| (mesh.name.clone(), index)).collect()
    };
    let (before, after) = (named(old), named(new));
    let mut after = by_name(&after, |mesh| &mesh.0);
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for (key, (_, index)) in by_name(&before, |mesh| &mesh.0) {
        match after.remove(&key) {
            Some((_, other)) => pairs.push([*index, *other]),
            None => left.push(*index),
        }
    }
    let size = |mesh: &Mesh| (mesh.vertices.len(), mesh.indices.len());
    for index in left {
        let is_same = |other: &&(String, usize)| size(&new.meshes[other.1]) == size(&old.meshes[index]);
        let found = after.iter().find(|(_, other)| is_same(other)).map(|(key, (_, other))| (key.clone(), *other));
        if let Some((key, other)) = found {
            after.remove(&key);
            pairs.push([index, other]);
        }
    }
    pairs.sort_unstable();
    pairs
}
