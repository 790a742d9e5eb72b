//! How base vertices and deltas lie in memory, the same for the processor and the GPU. Knows no wgpu.
//!
//! The vertices of all meshes stand in one head-wide array, each mesh beginning at a multiple of [`BLOCK_SIZE`]. A block
//! of that many vertices stores a *column* for every target that touches it, and nothing for those that do not: a
//! column is dense, `[pair][lane]`, so that 64 neighbours read neighbouring pairs of floats.

use std::ops::Range;

use glam::Vec3;

use super::{MorphedVertex, Precision};
use crate::head::{Head, Mesh};

/// Vertices per block: one workgroup.
pub const BLOCK_SIZE: usize = 64;

/// Where a target's deltas for one block are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The block it touches.
    pub block: u32,
    /// Its column there, counted over the whole head.
    pub column: u32,
}

/// A mesh's vertices in the head-wide array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    first_vertex: usize,
    vertex_count: usize,
}

/// The tables. Build once per head, off the main thread.
#[derive(Clone, Debug)]
pub struct Layout {
    spans: Vec<Span>,
    vertex_floats: usize,
    delta_floats: usize,
    /// `[vertex][float]`, padding zero.
    base: Vec<f32>,
    /// Where each block's columns begin, and where the last one's end.
    first_columns: Vec<u32>,
    /// `[column][pair][lane]`; columns by block, then by target.
    deltas: Vec<f32>,
    /// Where each target's places begin, and where the last one's end.
    first_places: Vec<u32>,
    places: Vec<Place>,
}

impl Layout {
    /// Lays out a head.
    pub fn new(head: &Head, _precision: Precision) -> Self {
        let mut spans = Vec::with_capacity(head.meshes.len());
        let mut padded_count = 0;
        for mesh in &head.meshes {
            spans.push(Span { first_vertex: padded_count, vertex_count: mesh.vertices.len() });
            padded_count += mesh.vertices.len().next_multiple_of(BLOCK_SIZE);
        }
        let has_tangents = head.meshes.iter().any(|mesh| !mesh.vertices.tangents.is_empty());
        let morphs_tangents = head.meshes.iter().any(morphs_tangents);
        let mut layout = Self {
            spans,
            vertex_floats: if has_tangents { 10 } else { 6 },
            delta_floats: if morphs_tangents { 10 } else { 6 },
            base: Vec::new(),
            first_columns: Vec::new(),
            deltas: Vec::new(),
            first_places: Vec::new(),
            places: Vec::new(),
        };
        layout.base = layout.lay_out_base(head, padded_count);
        layout.find_places(head, padded_count / BLOCK_SIZE);
        layout.deltas = layout.lay_out_deltas(head);
        layout
    }

    fn lay_out_base(&self, head: &Head, padded_count: usize) -> Vec<f32> {
        let mut base = vec![0.0; padded_count * self.vertex_floats];
        for (mesh, span) in head.meshes.iter().zip(&self.spans) {
            let rows = base.chunks_exact_mut(self.vertex_floats).skip(span.first_vertex);
            for (index, (row, position)) in rows.zip(&mesh.vertices.positions).enumerate() {
                row[..3].copy_from_slice(&position.to_array());
                if let Some(normal) = mesh.vertices.normals.get(index) {
                    row[3..6].copy_from_slice(&normal.to_array());
                }
                if let Some(tangent) = mesh.vertices.tangents.get(index) {
                    row[6..10].copy_from_slice(&tangent.to_array());
                }
            }
        }
        base
    }

    /// Gives every target a column in each block it touches.
    fn find_places(&mut self, head: &Head, block_count: usize) {
        self.first_places.push(0);
        let mut column_counts = vec![0_u32; block_count];
        for (mesh, span) in head.meshes.iter().zip(&self.spans) {
            let first_block = span.first_vertex / BLOCK_SIZE;
            for target in &mesh.targets {
                let mut last_block = None;
                for &row in &target.rows {
                    let block = first_block + row as usize / BLOCK_SIZE;
                    if last_block.replace(block) != Some(block) {
                        self.places.push(Place { block: block as u32, column: column_counts[block] });
                        column_counts[block] += 1;
                    }
                }
                self.first_places.push(self.places.len() as u32);
            }
        }
        let mut first_column = 0;
        self.first_columns.push(first_column);
        for count in column_counts {
            first_column += count;
            self.first_columns.push(first_column);
        }
        for place in &mut self.places {
            place.column += self.first_columns[place.block as usize];
        }
    }

    fn lay_out_deltas(&self, head: &Head) -> Vec<f32> {
        let column_floats = self.column_floats();
        let mut deltas = vec![0.0; self.column_count() * column_floats];
        for (mesh, span) in head.meshes.iter().zip(&self.spans) {
            let has_tangents = !mesh.vertices.tangents.is_empty();
            for (index, target) in mesh.targets.iter().enumerate() {
                let mut places = self.places_of(mesh.first_target + index).iter();
                let mut place = None;
                for (at, &row) in target.rows.iter().enumerate() {
                    let vertex = span.first_vertex + row as usize;
                    let block = (vertex / BLOCK_SIZE) as u32;
                    if place.is_none_or(|place: &Place| place.block != block) {
                        place = places.next();
                    }
                    let Some(place) = place else { break };
                    let column = &mut deltas[place.column as usize * column_floats..][..column_floats];
                    let mut write = |component: usize, deltas: &[Vec3]| {
                        let delta = deltas.get(at).copied().unwrap_or_default();
                        for (axis, value) in delta.to_array().into_iter().enumerate() {
                            column[place_in_column(component + axis, vertex % BLOCK_SIZE)] = value;
                        }
                    };
                    write(0, &target.positions);
                    write(3, &target.normals);
                    if has_tangents && self.delta_floats == 10 {
                        write(6, &target.tangents);
                    }
                }
            }
        }
        deltas
    }

    /// Where a mesh begins in the head-wide array; a multiple of [`BLOCK_SIZE`].
    pub fn first_vertex(&self, mesh: usize) -> u32 {
        self.spans[mesh].first_vertex as u32
    }

    /// Where a mesh's vertex is in the head-wide array.
    pub fn place_of(&self, mesh: usize, vertex: usize) -> usize {
        self.spans[mesh].first_vertex + vertex
    }

    /// Length of the head-wide array, padding included.
    pub fn vertex_count(&self) -> u32 {
        (self.block_count() * BLOCK_SIZE) as u32
    }

    /// Floats per vertex in slot 0: 6 (position, normal), or 10 (and tangent) if any mesh has tangents.
    pub fn vertex_floats(&self) -> u32 {
        self.vertex_floats as u32
    }

    /// Floats per delta: 6 (position, normal), or 10 (and tangent, and a zero) if any target morphs tangents.
    pub fn delta_floats(&self) -> usize {
        self.delta_floats
    }

    /// Floats per column.
    pub fn column_floats(&self) -> usize {
        self.delta_floats * BLOCK_SIZE
    }

    /// The vertices at rest, `[vertex][float]`, mesh space.
    pub fn base(&self) -> &[f32] {
        &self.base
    }

    /// Number of blocks.
    pub fn block_count(&self) -> usize {
        self.first_columns.len() - 1
    }

    /// Number of columns in all blocks.
    pub fn column_count(&self) -> usize {
        self.places.len()
    }

    /// Number of targets.
    pub fn target_count(&self) -> usize {
        self.first_places.len() - 1
    }

    /// A block's columns, counted over the whole head.
    pub fn columns_of(&self, block: usize) -> Range<usize> {
        self.first_columns[block] as usize..self.first_columns[block + 1] as usize
    }

    /// Where a target's deltas are, block by block.
    pub fn places_of(&self, target: usize) -> &[Place] {
        &self.places[self.first_places[target] as usize..self.first_places[target + 1] as usize]
    }

    /// The deltas of some columns, `[column][pair][lane]`; [`place_in_column`] finds a component.
    pub fn columns(&self, columns: Range<usize>) -> &[f32] {
        &self.deltas[columns.start * self.column_floats()..columns.end * self.column_floats()]
    }

    /// Bytes of all deltas.
    pub fn delta_bytes(&self) -> u64 {
        (self.deltas.len() * size_of::<f32>()) as u64
    }

    /// Picks the vertices of the file out of a head-wide array, padding dropped.
    pub fn without_padding<'a, T>(&'a self, padded: &'a [T]) -> impl Iterator<Item = &'a T> {
        self.spans.iter().flat_map(|span| padded.iter().skip(span.first_vertex).take(span.vertex_count))
    }

    /// Reads a vertex buffer's contents, padding dropped.
    pub fn vertices_of(&self, floats: &[f32]) -> Vec<MorphedVertex> {
        let padded: Vec<MorphedVertex> = floats
            .chunks_exact(self.vertex_floats)
            .map(|row| MorphedVertex {
                position: Vec3::from_slice(row),
                normal: Vec3::from_slice(&row[3..]),
                tangent: row.get(6..10).map(glam::Vec4::from_slice).unwrap_or_default(),
            })
            .collect();
        self.without_padding(&padded).copied().collect()
    }
}

/// Where in a column a component of a vertex's delta is: position 0..3, normal 3..6, tangent 6..9.
pub fn place_in_column(component: usize, lane: usize) -> usize {
    (component / 2 * BLOCK_SIZE + lane) * 2 + component % 2
}

fn morphs_tangents(mesh: &Mesh) -> bool {
    !mesh.vertices.tangents.is_empty() && mesh.targets.iter().any(|target| !target.tangents.is_empty())
}

#[cfg(test)]
mod tests {
    use glam::Vec4;

    use super::*;
    use crate::head::{Target, Vertices};

    fn mesh(vertex_count: usize, targets: Vec<Target>) -> Mesh {
        let vertices = Vertices {
            positions: (0..vertex_count).map(|index| Vec3::splat(index as f32)).collect(),
            normals: vec![Vec3::Z; vertex_count],
            ..Default::default()
        };
        Mesh { name: "mesh".into(), vertices, targets, ..Mesh::default() }
    }

    fn target(rows: &[u32]) -> Target {
        let positions = rows.iter().map(|&row| Vec3::new(row as f32, 0.5, -1.0)).collect();
        Target { rows: rows.to_vec(), positions, ..Default::default() }
    }

    fn head(meshes: Vec<Mesh>) -> Head {
        Head::new("head".into(), meshes, Vec::new(), Vec::new(), Vec::new(), Vec::new())
    }

    #[test]
    fn only_touching_targets_have_columns() {
        let first = mesh(130, vec![target(&[0, 63]), target(&[]), target(&[1, 128])]);
        let layout = Layout::new(&head(vec![first, mesh(64, vec![target(&[5])])]), Precision::Exact);
        assert_eq!(layout.block_count(), 4);
        assert_eq!(layout.first_vertex(1), 192);
        let columns: Vec<_> = (0..4).map(|block| layout.columns_of(block)).collect();
        assert_eq!(columns, [0..2, 2..2, 2..3, 3..4]);
        assert_eq!(layout.places_of(0), [Place { block: 0, column: 0 }]);
        assert_eq!(layout.places_of(1), []);
        assert_eq!(layout.places_of(2), [Place { block: 0, column: 1 }, Place { block: 2, column: 2 }]);
        assert_eq!(layout.places_of(3), [Place { block: 3, column: 3 }]);
    }

    #[test]
    fn a_column_is_made_of_pairs() {
        let layout = Layout::new(&head(vec![mesh(70, vec![target(&[3, 66])])]), Precision::Exact);
        let second = layout.columns(1..2);
        assert_eq!((second[4], second[5], second[128 + 4]), (66.0, 0.5, -1.0));
        assert_eq!(second.iter().filter(|&&value| value != 0.0).count(), 3);
    }

    #[test]
    fn memory_is_what_the_touched_blocks_need() {
        let layout = Layout::new(&head(vec![mesh(1000, vec![target(&[0, 999]), target(&[500])])]), Precision::Exact);
        assert_eq!(layout.delta_bytes(), 3 * 6 * 64 * 4);
        assert_eq!(layout.base().len(), 1024 * 6);
    }

    #[test]
    fn tangents_cost_only_heads_that_have_and_morph_them() {
        let mut with_tangents = mesh(10, vec![target(&[1])]);
        with_tangents.vertices.tangents = vec![Vec4::ONE; 10];
        let layout = Layout::new(&head(vec![with_tangents.clone()]), Precision::Exact);
        assert_eq!((layout.vertex_floats(), layout.delta_floats()), (10, 6));
        with_tangents.targets[0].tangents = vec![Vec3::X];
        let layout = Layout::new(&head(vec![with_tangents]), Precision::Exact);
        assert_eq!((layout.vertex_floats(), layout.delta_floats()), (10, 10));
    }

    #[test]
    fn padding_is_dropped() {
        let layout = Layout::new(&head(vec![mesh(3, Vec::new()), mesh(2, Vec::new())]), Precision::Exact);
        let padded: Vec<usize> = (0..128).collect();
        assert_eq!(layout.without_padding(&padded).copied().collect::<Vec<_>>(), [0, 1, 2, 64, 65]);
        assert_eq!(layout.vertices_of(layout.base())[4].position, Vec3::ONE);
    }
}
