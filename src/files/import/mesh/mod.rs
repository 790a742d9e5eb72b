//! What the readers of several formats do with meshes: triangles of polygons, normals and tangents that a file lacks,
//! unusual sizes, colours that hide textures, and the skins of a file.

use std::collections::HashMap;
use std::hash::Hash;

mod checks;
mod polygon;
mod skins;
mod tangents;

pub(crate) use self::checks::{note_black_colors, note_unusual_size, note_unusual_sizes};
pub(crate) use self::polygon::{MOST_TO_CLIP, triangulate};
pub(crate) use self::skins::{Skins, joint_problem, with_finite_joints};
pub(crate) use self::tangents::{GeneratedTangents, TangentRange, smooth_normals};

/// Roughly the memory of a target without deltas: its name in several lists, its share of a channel, and its row in the
/// window.
pub(crate) const TARGET_BYTES: usize = 1024;
/// The memory of a vertex: its attributes, and its place in a map while they are collected.
pub(crate) const VERTEX_BYTES: usize = size_of::<[f32; 36]>();
/// The memory of a corner of a triangle: its index in the list of its part and in that of the mesh.
pub(crate) const INDEX_BYTES: usize = 2 * size_of::<u32>();

/// Per value the index of the first equal one, because some exporters write the same one for every corner; `u32::MAX`
/// for values without a key.
pub(crate) fn first_equals<T, K: Hash + Eq>(values: &[T], key: impl Fn(&T) -> Option<K>) -> Vec<u32> {
    let mut first: HashMap<K, u32> = HashMap::new();
    let keys = values.iter().map(key).zip(0..);
    keys.map(|(key, index)| key.map_or(u32::MAX, |key| *first.entry(key).or_insert(index))).collect()
}
