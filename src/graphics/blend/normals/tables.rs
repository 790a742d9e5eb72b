//! The tables from which normals are recomputed, the same for the CPU and the GPU. Nothing here uses wgpu.
//!
//! They speed up the computation that [`reference`](crate::blend::reference()) defines: the part that depends only on
//! the surface at rest is computed beforehand ([`SmoothVertex::correction`]), vertices are identified by their places
//! in the head-wide array, and only the blocks around those that moved are recomputed
//! ([`NormalTables::list_dependents`]).

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use rayon::prelude::*;

use super::rings::{FAN, Rings};
use crate::blend::{BLOCK_SIZE, VANISHING_AREA, VertexOrder};
use smirk_base::counting_sort::by_key;
use smirk_face::head::{Groups, Head, Mesh};
use smirk_scene::Normals;

/// The groups whose rings are placed as one parallel task.
const GROUPS_AT_ONCE: usize = 4096;

/// The blocks whose dependents are found as one parallel task.
const BLOCKS_AT_ONCE: usize = 64;

/// The ring of a vertex whose normal is not recomputed.
pub(in crate::blend) const NO_RING: u32 = u32::MAX;

/// What is precomputed for a vertex. `SmoothVertex` in `normals.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SmoothVertex {
    /// The file's normal, unit length, mesh space.
    pub base_normal: [f32; 3],
    /// 1 ÷ twice the area of the fan around it at rest; negative if the file's normal points to the back of the fan.
    pub per_area: f32,
    /// The file's normal minus the normal computed from the surface at rest.
    pub correction: [f32; 3],
    /// The index of the ring around it; `u32::MAX` if its normal is not recomputed.
    pub ring: u32,
}

impl SmoothVertex {
    pub(in crate::blend) const NOT_RECOMPUTED: Self =
        Self { base_normal: [0.0; 3], per_area: 0.0, correction: [0.0; 3], ring: NO_RING };
}

/// The tables for the meshes that are recomputed.
#[derive(Clone, Debug)]
pub struct NormalTables {
    vertices: Vec<SmoothVertex>,
    first_entries: Vec<u32>,
    entries: Vec<u32>,
    /// The index in `dependents` at which each block's list begins, and, as a last element, the end of the last list.
    first_dependents: Vec<u32>,
    /// For each block, the blocks with vertices whose rings reach into it, itself included; ascending.
    dependents: Vec<u32>,
    /// One per mesh.
    is_recomputed: Vec<bool>,
}

impl NormalTables {
    /// The tables of `head`; `None` if the normals of none of its meshes are recomputed.
    pub fn new(head: &Head, order: &VertexOrder, normals: Normals) -> Option<Self> {
        let recomputed = head.meshes.par_iter().enumerate().filter(|(_, mesh)| normals.recomputes(mesh));
        let surrounded = recomputed.map(|(index, mesh)| {
            let groups = order.groups_of(head, index);
            Surrounded { index, groups, rings: Rings::new(mesh, groups) }
        });
        let surrounded: Vec<_> = surrounded.collect();
        if surrounded.is_empty() {
            return None;
        }
        let mut tables = Self {
            vertices: vec![SmoothVertex::NOT_RECOMPUTED; order.block_count() * BLOCK_SIZE],
            first_entries: vec![0],
            entries: Vec::with_capacity(surrounded.iter().map(|mesh| mesh.rings.entry_count()).sum()),
            first_dependents: Vec::new(),
            dependents: Vec::new(),
            is_recomputed: head.meshes.iter().map(|mesh| normals.recomputes(mesh)).collect(),
        };
        surrounded.iter().for_each(|mesh| tables.place(order, head, mesh));
        tables.find_dependents(order.block_count());
        Some(tables)
    }

    /// Adds a mesh's vertices and rings. The rings are in the order of the vertices, because they are read in that
    /// order.
    fn place(&mut self, order: &VertexOrder, head: &Head, surrounded: &Surrounded<'_>) {
        let Surrounded { index, groups, rings } = surrounded;
        let (first_place, in_order) = order.vertices_in_order(*index);
        let vertices = &mut self.vertices[first_place..first_place + in_order.len()];
        vertices.par_iter_mut().zip(in_order).for_each(|(place, &vertex)| {
            *place = smooth_vertex(&head.meshes[*index], vertex as usize, groups.of_vertex(vertex as usize), rings);
        });
        let mut ring_of = vec![NO_RING; groups.count()];
        let mut groups_in_order = Vec::with_capacity(groups.count());
        let (first_ring, mut end) = (self.first_entries.len() as u32 - 1, self.entries.len() as u32);
        for smooth in vertices.iter_mut().filter(|smooth| smooth.ring != NO_RING) {
            let group = smooth.ring as usize;
            let ring = &mut ring_of[group];
            if *ring == NO_RING {
                *ring = first_ring + groups_in_order.len() as u32;
                groups_in_order.push(group);
                end += rings.of_group(group).len() as u32;
                self.first_entries.push(end);
            }
            smooth.ring = *ring;
        }
        let entries = groups_in_order.par_chunks(GROUPS_AT_ONCE).map(|groups| {
            let entries = groups.iter().flat_map(|&group| rings.of_group(group));
            entries.map(|entry| order.place_of(*index, (entry & !FAN) as usize) as u32 | (entry & FAN)).collect()
        });
        entries.collect::<Vec<Vec<u32>>>().iter().for_each(|entries| self.entries.extend_from_slice(entries));
    }

    fn find_dependents(&mut self, block_count: usize) {
        let runs = self.vertices.par_chunks(BLOCK_SIZE * BLOCKS_AT_ONCE).enumerate().map_init(
            || vec![u32::MAX; block_count],
            |last_reader, (run, vertices)| {
                let mut pairs = Vec::new();
                for (reader, vertices) in (run * BLOCKS_AT_ONCE..).zip(vertices.chunks_exact(BLOCK_SIZE)) {
                    let reader = reader as u32;
                    let mut add = |read: u32| {
                        if std::mem::replace(&mut last_reader[read as usize], reader) != reader {
                            pairs.push((read, reader));
                        }
                    };
                    for vertex in vertices.iter().filter(|vertex| vertex.ring != NO_RING) {
                        add(reader);
                        self.ring(vertex.ring).iter().for_each(|entry| add((entry & !FAN) / BLOCK_SIZE as u32));
                    }
                }
                pairs
            },
        );
        let runs: Vec<Vec<(u32, u32)>> = runs.collect();
        // The readers are ascending, and remain so for each block that they read.
        (self.first_dependents, self.dependents) = by_key(block_count, runs.iter().flatten().copied());
    }

    pub fn is_recomputed(&self, mesh: usize) -> bool {
        self.is_recomputed[mesh]
    }

    /// What is precomputed for the vertices, one element per place of the head-wide array.
    pub fn vertices(&self) -> &[SmoothVertex] {
        &self.vertices
    }

    /// The index in [`Self::entries`] at which each ring begins, and, as a last element, the end of the last ring.
    pub fn first_entries(&self) -> &[u32] {
        &self.first_entries
    }

    /// All rings one after the other: places, the top bit set where a fan begins.
    pub fn entries(&self) -> &[u32] {
        &self.entries
    }

    pub fn block_count(&self) -> usize {
        self.vertices.len() / BLOCK_SIZE
    }

    pub fn bytes(&self) -> u64 {
        let lists = [&self.first_entries, &self.entries, &self.first_dependents, &self.dependents];
        (size_of_val(self.vertices()) + lists.map(|list| size_of_val(list.as_slice())).iter().sum::<usize>()) as u64
    }

    pub fn ring(&self, ring: u32) -> &[u32] {
        &self.entries[self.first_entries[ring as usize] as usize..self.first_entries[ring as usize + 1] as usize]
    }

    /// Lists the blocks whose normals change when positions change in `changed` blocks.
    pub fn list_dependents(&self, changed: &[u32], block_list: &mut BlockList) {
        block_list.clear();
        for &block in changed {
            let block = block as usize;
            let range = self.first_dependents[block] as usize..self.first_dependents[block + 1] as usize;
            self.dependents[range].iter().for_each(|&dependent| block_list.add(dependent));
        }
        block_list.blocks.sort_unstable();
    }
}

/// A list of blocks, each at most once. Refilling it allocates nothing.
#[derive(Clone, Debug)]
pub struct BlockList {
    is_listed: Vec<bool>,
    blocks: Vec<u32>,
}

impl BlockList {
    /// An empty list with room for all blocks of a head.
    pub fn new(block_count: usize) -> Self {
        Self { is_listed: vec![false; block_count], blocks: Vec::with_capacity(block_count) }
    }

    /// The blocks, ascending.
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    fn clear(&mut self) {
        for block in self.blocks.drain(..) {
            self.is_listed[block as usize] = false;
        }
    }

    fn add(&mut self, block: u32) {
        if !std::mem::replace(&mut self.is_listed[block as usize], true) {
            self.blocks.push(block);
        }
    }
}

/// The rings around a mesh's vertices, numbered by group.
struct Surrounded<'a> {
    /// Index into [`Asset::meshes`](smirk_face::head::Asset::meshes).
    index: usize,
    groups: &'a Groups,
    rings: Rings,
}

/// What is precomputed for a vertex of a group, whose ring is numbered by group as well.
fn smooth_vertex(mesh: &Mesh, vertex: usize, group: usize, rings: &Rings) -> SmoothVertex {
    let positions = &mesh.vertices.positions;
    let base = mesh.vertices.normals.get(vertex).copied().unwrap_or_default().as_dvec3().normalize_or_zero();
    let center = positions[vertex].as_dvec3();
    let (mut area, mut total) = (DVec3::ZERO, 0.0);
    let mut before = DVec3::ZERO;
    for &entry in rings.of_group(group) {
        let edge = positions[(entry & !FAN) as usize].as_dvec3() - center;
        if entry & FAN == 0 {
            let cross = before.cross(edge);
            area += cross;
            total += cross.length();
        }
        before = edge;
    }
    let side = if area.dot(base) < 0.0 { -1.0 } else { 1.0 };
    let per_area = side / area.length();
    let is_defined = area.length() > total * VANISHING_AREA && (per_area as f32).is_finite();
    if base == DVec3::ZERO || !is_defined {
        return SmoothVertex::NOT_RECOMPUTED;
    }
    SmoothVertex {
        base_normal: base.as_vec3().to_array(),
        per_area: per_area as f32,
        correction: (base - area * per_area).as_vec3().to_array(),
        ring: group as u32,
    }
}
