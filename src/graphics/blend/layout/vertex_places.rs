//! The places of a head's vertices in memory, and the vertices at rest, in the same order for the CPU and the GPU.
//!
//! The vertices of all meshes are in one head-wide array of *places*, each mesh beginning at a multiple of [`BLOCK_SIZE`],
//! its vertices in [`vertex_order`]. This is all that the picture of a head at rest needs; the deltas are in a [`Layout`](super::Layout).

use std::ops::Range;
use std::sync::OnceLock;

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::column::BLOCK_SIZE;
use super::order::vertex_order;
use crate::blend::MorphedVertex;
use crate::blend::normals::Groups;
use smirk_face::head::Head;

/// Places that are written as one parallel task, at least.
const PLACES_AT_ONCE: usize = 4096;

/// A mesh's vertices in the head-wide array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MeshSpan {
    first_place: usize,
    /// The index of the mesh's first vertex, counted over the vertices of all meshes in the order of the file.
    first_vertex: usize,
    vertex_count: usize,
}

/// The places of a head's vertices, and the vertices at rest. Found once per head, on a worker thread.
#[derive(Clone, Debug)]
pub struct VertexPlaces {
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
    groups: Vec<OnceLock<Groups>>,
}

impl VertexPlaces {
    /// Finds the places of a head's vertices.
    pub fn new(head: &Head) -> Self {
        Self::beside(head, |_| ()).0
    }

    /// [`Self::new`], while something else is done on another core, which may ask for the smoothing groups of the meshes.
    pub(super) fn beside<T: Send>(head: &Head, work: impl FnOnce(&[OnceLock<Groups>]) -> T + Send) -> (Self, T) {
        let mut spans = Vec::with_capacity(head.meshes.len());
        let (mut place_count, mut first_vertex) = (0, 0);
        for mesh in &head.meshes {
            let vertex_count = mesh.vertices.len();
            spans.push(MeshSpan { first_place: place_count, first_vertex, vertex_count });
            place_count += vertex_count.next_multiple_of(BLOCK_SIZE);
            first_vertex += vertex_count;
        }
        let groups: Vec<OnceLock<Groups>> = head.meshes.iter().map(|_| OnceLock::new()).collect();
        let order = || head.meshes.iter().flat_map(vertex_order).collect();
        let (vertices_in_order, done): (Vec<u32>, T) = rayon::join(order, || work(&groups));
        let mut place_of = vec![0; vertices_in_order.len()];
        for span in &spans {
            let of_mesh = span.first_vertex..span.first_vertex + span.vertex_count;
            let places = &mut place_of[of_mesh.clone()];
            let in_order = (span.first_place as u32..).zip(&vertices_in_order[of_mesh]);
            in_order.for_each(|(place, &vertex)| places[vertex as usize] = place);
        }
        let mut places = Self {
            spans,
            place_of,
            vertices_in_order,
            place_count,
            has_tangents: head.meshes.iter().any(|mesh| !mesh.vertices.tangents.is_empty()),
            is_skinned: head.meshes.iter().any(|mesh| mesh.skin.is_some()),
            base: Vec::new(),
            groups,
        };
        places.base = places.build_base(head);
        (places, done)
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

    /// The length of the head-wide array, padding included.
    pub fn place_count(&self) -> usize {
        self.place_count
    }

    /// The smoothing groups of a mesh. `head` is the head of these places.
    pub(in crate::blend) fn groups_of(&self, head: &Head, mesh: usize) -> &Groups {
        self.groups[mesh].get_or_init(|| Groups::of(&head.meshes[mesh].vertices))
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

    /// The vertices at rest, mesh space: positions `[place][3]`, then normals `[place][3]`, then, if there are any, tangents
    /// `[place][4]`.
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

    /// The number of blocks of the head.
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
        let vertex = |&place: &u32| {
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
        };
        self.place_of.iter().map(vertex).collect()
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
