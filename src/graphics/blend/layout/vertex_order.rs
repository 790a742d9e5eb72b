//! The order of a head's vertices in memory, and the vertices at rest, the same for the CPU and the GPU.
//!
//! The vertices of all meshes are in one head-wide array, in which the index of a vertex is its *place*, each mesh
//! beginning at a multiple of [`BLOCK_SIZE`], its vertices in [`vertex_order`]. This is all that the picture of a head
//! at rest needs; the deltas are in a [`Layout`](super::Layout).
//!
//! The order of a mesh's vertices in memory: vertices that the same targets touch are neighbours, so that a target
//! touches few blocks, and nearly all vertices of each.
//!
//! Vertices are sorted by the *set* of targets that touch them, the sets by a tour in which neighbours differ by few
//! targets (nearest neighbour first), and within a set along a Morton curve (G. M. Morton, 1966), so that the corners
//! of a triangle stay close together in memory. On a scanned face with 57 expressions, a target then moves on average
//! 92 % of the 64 vertices of a block that it touches. In the file's order this is 56 %, and along the Morton curve
//! alone 46 %.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::column::BLOCK_SIZE;
use crate::blend::MorphedVertex;
use smirk_base::random;
use smirk_face::head::{Bounds, Groups, Head, Mesh, Target};

/// Places that are written as one parallel task, at least.
const PLACES_AT_ONCE: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MeshSpan {
    first_place: usize,
    /// The index of the mesh's first vertex, counted over the vertices of all meshes in the order of the file.
    first_vertex: usize,
    vertex_count: usize,
}

/// The order of a head's vertices, and the vertices at rest. Found once per head, on a worker thread.
#[derive(Clone, Debug)]
pub struct VertexOrder {
    spans: Vec<MeshSpan>,
    /// The place of each vertex of the file, mesh after mesh.
    place_of: Vec<u32>,
    /// The vertices of each mesh in the order of their places, mesh after mesh, without the padding.
    vertices_in_order: Vec<u32>,
    place_count: usize,
    has_tangents: bool,
    is_skinned: bool,
    /// Positions `[place][3]`, normals `[place][3]`, tangents `[place][4]`; the padding is zero.
    base: Vec<f32>,
    /// The smoothing groups of each mesh, once someone has asked for them.
    groups: Arc<[OnceLock<Groups>]>,
}

impl VertexOrder {
    /// Finds the order of a head's vertices.
    pub fn new(head: &Head) -> Self {
        Self::with_groups(head, Self::groups_of_meshes(head))
    }

    /// The smoothing groups of the meshes, none of them found yet. Whoever needs some first finds them.
    pub(super) fn groups_of_meshes(head: &Head) -> Arc<[OnceLock<Groups>]> {
        head.meshes.iter().map(|_| OnceLock::new()).collect()
    }

    /// [`Self::new`] with the smoothing groups, which others find meanwhile.
    pub(super) fn with_groups(head: &Head, groups: Arc<[OnceLock<Groups>]>) -> Self {
        let mut spans = Vec::with_capacity(head.meshes.len());
        let (mut place_count, mut first_vertex) = (0, 0);
        for mesh in &head.meshes {
            let vertex_count = mesh.vertices.len();
            spans.push(MeshSpan { first_place: place_count, first_vertex, vertex_count });
            place_count += vertex_count.next_multiple_of(BLOCK_SIZE);
            first_vertex += vertex_count;
        }
        let vertices_in_order: Vec<u32> = head.meshes.iter().flat_map(vertex_order).collect();
        let mut place_of = vec![0; vertices_in_order.len()];
        for span in &spans {
            let of_mesh = span.first_vertex..span.first_vertex + span.vertex_count;
            let places = &mut place_of[of_mesh.clone()];
            let in_order = (span.first_place as u32..).zip(&vertices_in_order[of_mesh]);
            in_order.for_each(|(place, &vertex)| places[vertex as usize] = place);
        }
        let mut order = Self {
            spans,
            place_of,
            vertices_in_order,
            place_count,
            has_tangents: head.meshes.iter().any(|mesh| !mesh.vertices.tangents.is_empty()),
            is_skinned: head.meshes.iter().any(|mesh| mesh.skin.is_some()),
            base: Vec::new(),
            groups,
        };
        order.base = order.build_base(head);
        order
    }

    fn build_base(&self, head: &Head) -> Vec<f32> {
        let mut base = vec![0.0; self.place_count * self.vertex_floats()];
        let (positions, directions) = base.split_at_mut(self.place_count * 3);
        let (normals, tangents) = directions.split_at_mut(self.place_count * 3);
        for (index, mesh) in head.meshes.iter().enumerate() {
            let (first_place, in_order) = self.vertices_in_order(index);
            let vertices = &mesh.vertices;
            place(positions, first_place, in_order, |vertex| vertices.positions.get(vertex).map(Vec3::to_array));
            place(normals, first_place, in_order, |vertex| vertices.normals.get(vertex).map(Vec3::to_array));
            place(tangents, first_place, in_order, |vertex| vertices.tangents.get(vertex).map(Vec4::to_array));
        }
        base
    }

    /// The place of a mesh's vertex in the head-wide array.
    pub fn place_of(&self, mesh: usize, vertex: usize) -> usize {
        self.place_of[self.spans[mesh].first_vertex + vertex] as usize
    }

    /// The first place of a mesh, and its vertices in the order of their places, which follow each other.
    pub fn vertices_in_order(&self, mesh: usize) -> (usize, &[u32]) {
        let span = self.spans[mesh];
        (span.first_place, &self.vertices_in_order[span.first_vertex..][..span.vertex_count])
    }

    /// The number of vertices of this head, in the order of its meshes, is that of `head`.
    pub(super) fn is_of(&self, head: &Head) -> bool {
        self.spans.iter().map(|span| span.vertex_count).eq(head.meshes.iter().map(|mesh| mesh.vertices.len()))
    }

    /// The length of the head-wide array, padding included.
    pub fn place_count(&self) -> usize {
        self.place_count
    }

    /// The smoothing groups of a mesh. `head` is the head of this order.
    pub(in crate::blend) fn groups_of(&self, head: &Head, mesh: usize) -> &Groups {
        self.groups[mesh].get_or_init(|| Groups::new(&head.meshes[mesh].vertices))
    }

    /// Whether any mesh has tangents at rest.
    pub fn has_tangents(&self) -> bool {
        self.has_tangents
    }

    /// Whether any mesh is skinned: then the vertex stage reads two more buffers.
    pub fn is_skinned(&self) -> bool {
        self.is_skinned
    }

    /// Floats per vertex: 6 (position, normal), or 10 (and tangent) if any mesh has tangents.
    pub fn vertex_floats(&self) -> usize {
        if self.has_tangents { 10 } else { 6 }
    }

    /// The vertices at rest, mesh space: positions `[place][3]`, then normals `[place][3]`, then, if there are any,
    /// tangents `[place][4]`.
    pub fn base(&self) -> &[f32] {
        &self.base
    }

    /// The normals and tangents of [`Self::base`].
    pub fn directions(&self) -> &[f32] {
        &self.base[self.place_count() * 3..]
    }

    /// The ranges of positions, normals and tangents in [`Self::base`] and in buffers of the same order, in bytes.
    pub fn section_bytes(&self) -> [Range<u64>; 3] {
        let places = self.place_count() as u64;
        let number = size_of::<f32>() as u64;
        let end = places * self.vertex_floats() as u64 * number;
        [0..places * 3 * number, places * 3 * number..places * 6 * number, places * 6 * number..end]
    }

    pub fn block_count(&self) -> usize {
        self.place_count / BLOCK_SIZE
    }

    /// The number of 64-bit words in a set of blocks, which has one bit per block.
    pub fn block_words(&self) -> usize {
        self.block_count().div_ceil(64)
    }

    /// The mesh of every vertex of the file, in its order.
    pub fn mesh_of_vertices(&self) -> impl Iterator<Item = usize> {
        self.spans.iter().enumerate().flat_map(|(mesh, span)| std::iter::repeat_n(mesh, span.vertex_count))
    }

    /// The elements of a head-wide array that belong to vertices, without the padding, in the order of the file.
    pub fn in_file_order<'a, T>(&'a self, places: &'a [T]) -> impl Iterator<Item = &'a T> {
        self.place_of.iter().filter_map(|&place| places.get(place as usize))
    }

    /// The vertices of the file, in its order, from floats in the order of [`Self::base`].
    pub fn vertices_of(&self, floats: &[f32]) -> Vec<MorphedVertex> {
        let places = self.place_count();
        let vertices = self.place_of.iter().map(|&place| {
            let place = place as usize;
            MorphedVertex {
                position: Vec3::from_slice(&floats[place * 3..]),
                normal: Vec3::from_slice(&floats[(places + place) * 3..]),
                tangent: if self.has_tangents {
                    Vec4::from_slice(&floats[places * 6 + place * 4..])
                } else {
                    Vec4::ZERO
                },
            }
        });
        vertices.collect()
    }

    /// The smoothing groups of each mesh, as far as they are known.
    pub(super) fn groups(&self) -> &[OnceLock<Groups>] {
        &self.groups
    }

    /// The places of a mesh's vertices, counted from the first of the mesh.
    pub(super) fn places_in_mesh(&self, mesh: usize) -> Vec<u32> {
        let MeshSpan { first_place, first_vertex, vertex_count } = self.spans[mesh];
        let places = &self.place_of[first_vertex..first_vertex + vertex_count];
        places.iter().map(|place| place - first_place as u32).collect()
    }

    /// Bytes in main memory.
    pub(in crate::blend) fn bytes(&self) -> u64 {
        let lists = size_of_val(self.place_of.as_slice())
            + size_of_val(self.vertices_in_order.as_slice())
            + size_of_val(self.base.as_slice())
            + self.groups.iter().filter_map(OnceLock::get).map(Groups::bytes).sum::<usize>();
        lists as u64
    }
}

/// Writes an attribute of vertices to places that follow each other; nothing where a vertex does not have it.
fn place<const FLOATS: usize>(
    section: &mut [f32],
    first_place: usize,
    vertices: &[u32],
    value_of: impl Fn(usize) -> Option<[f32; FLOATS]> + Sync,
) {
    let places = section.as_chunks_mut().0.get_mut(first_place..).unwrap_or_default();
    places.par_iter_mut().with_min_len(PLACES_AT_ONCE).zip(vertices).for_each(|(place, &vertex)| {
        if let Some(value) = value_of(vertex as usize) {
            *place = value;
        }
    });
}

/// The seed of the random keys. Any seed works.
const SEED: u32 = 1;

/// The largest number of 64-bit words that all sets together may take: 128 MiB.
const MOST_MEMBERS: usize = 1 << 24;

/// The vertices whose sets are found as one parallel task.
const VERTICES_AT_ONCE: usize = 1 << 14;

/// The number of words that the tour may compare, about a tenth of a second. Larger tours are divided into stages.
const TOUR_BUDGET: usize = 200_000_000;

/// The mesh's vertices in the order in which they are stored in memory. If the mesh has no targets, this is the order
/// of the file.
fn vertex_order(mesh: &Mesh) -> Vec<u32> {
    let order: Vec<u32> = (0..mesh.vertices.len() as u32).collect();
    if mesh.targets.is_empty() || order.is_empty() {
        return order;
    }
    let sets = Sets::new(mesh);
    let rank = sets.ranks();
    let bounds = Bounds::around(mesh.vertices.positions.iter().copied());
    let places = sets.set_of.par_iter().zip(&mesh.vertices.positions).zip(order);
    let mut places: Vec<(u32, u64, u32)> =
        places.map(|((&set, &position), vertex)| (rank[set as usize], morton_code(position, bounds), vertex)).collect();
    places.par_sort_unstable();
    places.into_iter().map(|(.., vertex)| vertex).collect()
}

/// The distinct sets of targets that touch a mesh's vertices.
struct Sets {
    set_of: Vec<u32>,
    /// `[set][word]`, one bit per target.
    members: Vec<u64>,
    words: usize,
}

impl Sets {
    fn new(mesh: &Mesh) -> Self {
        let shapes = || mesh.targets.iter().flat_map(Target::shapes);
        // A set is identified by the exclusive or of its members' random keys, so that no set has to be stored per
        // vertex.
        let mut key_of = vec![0_u64; mesh.vertices.len()];
        let keys: Vec<_> = shapes().zip((0..).map(|index| random::bits(SEED, index))).collect();
        key_of.par_chunks_mut(VERTICES_AT_ONCE).enumerate().for_each(|(index, key_of)| {
            let first = (index * VERTICES_AT_ONCE) as u32;
            for (shape, key) in &keys {
                for row in &shape.rows[shape.rows.partition_point(|row| *row < first)..] {
                    let Some(of_vertex) = key_of.get_mut((row - first) as usize) else { break };
                    *of_vertex ^= key;
                }
            }
        });
        let mut sets = HashMap::new();
        let mut first_of = Vec::new();
        let mut set_of: Vec<u32> = Vec::with_capacity(key_of.len());
        let mut last_key = None;
        for (vertex, key) in key_of.into_iter().enumerate() {
            // Neighbours in the file often have the same set.
            let set = match set_of.last() {
                Some(&set) if last_key == Some(key) => set,
                _ => *sets.entry(key).or_insert_with(|| {
                    first_of.push(vertex);
                    first_of.len() as u32 - 1
                }),
            };
            last_key = Some(key);
            set_of.push(set);
        }
        let targets: Vec<_> = shapes().filter(|shape| !shape.rows.is_empty()).collect();
        // If a hostile file has too many sets to store, they are distinguished by the first targets only.
        let most = (MOST_MEMBERS / first_of.len()).max(1) * 64;
        let words = targets.len().min(most).div_ceil(64).max(1);
        let mut members = vec![0; first_of.len() * words];
        for (index, target) in targets.into_iter().take(most).enumerate() {
            for &row in target.rows {
                let set = set_of[row as usize] as usize;
                if first_of[set] == row as usize {
                    members[set * words + index / 64] |= 1 << (index % 64);
                }
            }
        }
        Self { set_of, members, words }
    }

    fn members_of(&self, set: u32) -> &[u64] {
        &self.members[set as usize * self.words..][..self.words]
    }

    fn distance(&self, a: u32, b: u32) -> u32 {
        self.members_of(a).iter().zip(self.members_of(b)).map(|(a, b)| (a ^ b).count_ones()).sum()
    }

    /// The position of each set in the tour, which starts at the smallest set, that of vertices that no target touches.
    fn ranks(&self) -> Vec<u32> {
        let count = self.members.len() / self.words;
        let mut waiting: Vec<u32> = (0..count as u32).collect();
        waiting
            .sort_by_cached_key(|&set| (self.members_of(set).iter().map(|word| word.count_ones()).sum::<u32>(), set));
        let stage = (TOUR_BUDGET / (count * self.words)).max(64);
        let mut rank = vec![0; count];
        let mut visited = 0;
        let mut at = None;
        for stage in waiting.chunks(stage) {
            let mut left = stage.to_vec();
            while let Some(next) = self.nearest(at, &left) {
                let set = left.remove(next);
                (rank[set as usize], at) = (visited, Some(set));
                visited += 1;
            }
        }
        rank
    }

    fn nearest(&self, from: Option<u32>, sets: &[u32]) -> Option<usize> {
        let Some(from) = from else { return (!sets.is_empty()).then_some(0) };
        let mut nearest = None;
        let mut least = u32::MAX;
        for (index, &set) in sets.iter().enumerate() {
            let distance = self.distance(from, set);
            if distance < least {
                (nearest, least) = (Some(index), distance);
                // Different sets differ by at least one target.
                if least == 1 {
                    break;
                }
            }
        }
        nearest
    }
}

/// The Morton code of a point: the bits of its three coordinates, interleaved.
fn morton_code(point: Vec3, bounds: Bounds) -> u64 {
    let size = bounds.size().max_element().max(f32::MIN_POSITIVE);
    let cells = ((point - bounds.min) / size * ((1 << 21) - 1) as f32).to_array();
    let spread = |cell: f32| {
        // `as` turns NaN into 0.
        let mut bits = u64::from(cell as u32 & ((1 << 21) - 1));
        bits = (bits | bits << 32) & 0x001f_0000_0000_ffff;
        bits = (bits | bits << 16) & 0x001f_0000_ff00_00ff;
        bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f;
        bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3;
        (bits | bits << 2) & 0x1249_2492_4924_9249
    };
    spread(cells[0]) | spread(cells[1]) << 1 | spread(cells[2]) << 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::Vertices;

    fn mesh(vertex_count: usize, targets: &[&[u32]]) -> Mesh {
        let target =
            |rows: &&[u32]| Target { rows: rows.to_vec(), positions: vec![Vec3::X; rows.len()], ..Default::default() };
        let positions = (0..vertex_count).map(|index| Vec3::X * index as f32).collect();
        Mesh {
            vertices: Vertices { positions, ..Default::default() },
            targets: targets.iter().map(target).collect(),
            ..Mesh::default()
        }
    }

    #[test]
    fn vertices_of_one_set_are_neighbours_and_neighbouring_sets_are_similar() {
        // Sets: {} for 6, 7; {0} for 0, 3; {0, 1} for 1, 4; {1} for 2, 5.
        let order = vertex_order(&mesh(8, &[&[0, 1, 3, 4], &[1, 2, 4, 5]]));
        assert_eq!(order, [6, 7, 0, 3, 1, 4, 2, 5]);
    }

    #[test]
    fn without_targets_the_order_is_that_of_the_file() {
        assert_eq!(vertex_order(&mesh(3, &[])), [0, 1, 2]);
    }

    #[test]
    fn many_sets_go_in_stages_and_none_is_lost() {
        let rows = |target: u64| {
            (0..5000).filter(move |row| random::bits(SEED, row * 70 + target).is_multiple_of(3)).map(|row| row as u32)
        };
        let rows: Vec<Vec<u32>> = (0..70).map(|target| rows(target).collect()).collect();
        let targets: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let mut order = vertex_order(&mesh(5000, &targets));
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..5000));
    }

    #[test]
    fn points_close_by_have_codes_close_by() {
        let bounds = Bounds { min: Vec3::ZERO, max: Vec3::ONE };
        assert_eq!(morton_code(Vec3::ZERO, bounds), 0);
        assert_eq!(morton_code(Vec3::ONE, bounds), (1 << 63) - 1);
        assert!(morton_code(Vec3::splat(0.1), bounds) < morton_code(Vec3::splat(0.2), bounds));
        assert_eq!(morton_code(Vec3::NAN, bounds), 0);
    }
}
