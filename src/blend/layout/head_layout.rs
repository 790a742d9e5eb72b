//! The base vertices and deltas of a head in memory, in the same order for the CPU and the GPU.
//!
//! The vertices of all meshes are in one head-wide array of *places*, each mesh beginning at a multiple of [`BLOCK_SIZE`],
//! its vertices in [`vertex_order`]. A block of that many places stores one *column* for every
//! target that touches it, and nothing for those that do not; [`column`](super::column) describes a column. An in-between is a target
//! here ([`shapes`](super::shapes)).
//!
//! The alternatives, measured on a scanned face (26,719 vertices, 57 targets, all active, two threads): dense rows of every target
//! take 0.59 ms, lists of deltas per vertex 0.35 ms (however many targets are active), scattered lists per target 0.67 ms, and these
//! columns 0.29 ms, or half of that if packed. In the file's order 56 % of the vertices of a column have a delta, in this one 92 %.

use std::ops::Range;
use std::sync::OnceLock;

use glam::{Vec3, Vec4};

use super::build::{ColumnBuilder, ColumnRun};
use super::column::BLOCK_SIZE;
use super::deltas::{DeltaColumns, Precision, components_of};
use super::order::vertex_order;
use super::shapes::ShapeTable;
use super::tolerance::{PackingTolerance, turning};
use crate::blend::MorphedVertex;
use crate::blend::normals::Groups;
use crate::head::{Bounds, Head, Mesh};

/// The column that holds a target's deltas for one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetColumn {
    /// A block that the target touches.
    pub block: u32,
    /// The column, counted over the whole head.
    pub column: u32,
}

/// A mesh's vertices in the head-wide array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MeshSpan {
    first_place: usize,
    /// The index of the mesh's first vertex, counted over the vertices of all meshes in the order of the file.
    first_vertex: usize,
    vertex_count: usize,
}

/// The base vertices, the columns, and the tables to find them. Built once per head, on a worker thread.
#[derive(Clone, Debug)]
pub struct Layout {
    shapes: ShapeTable,
    spans: Vec<MeshSpan>,
    /// The place of each vertex of the file, mesh after mesh.
    place_of: Vec<u32>,
    /// The vertices of each mesh in the order of their places, mesh after mesh, without the padding.
    vertices_in_order: Vec<u32>,
    has_tangents: bool,
    is_skinned: bool,
    /// Positions `[place][3]`, normals `[place][3]`, tangents `[place][4]`; the padding is zero.
    base: Vec<f32>,
    /// The index at which each block's columns begin, and, as a last element, the end of the last block's columns.
    first_columns: Vec<u32>,
    deltas: DeltaColumns,
    /// The index in `places` at which each target's columns begin, and, as a last element, the end of the last target's.
    first_places: Vec<u32>,
    /// The box of each column's position deltas, which contains zero; of the second column of a target in a block it is that alone.
    boxes: Vec<Bounds>,
    /// The smoothing groups of each mesh, once someone has asked for them.
    groups: Vec<OnceLock<Groups>>,
    /// The columns of all targets, one target after the other; ascending within a target. A target has two columns in a block where 16 bits are not precise enough.
    places: Vec<TargetColumn>,
    /// `[target][word]`: one bit per block, set if the target touches the block.
    touched: Vec<u64>,
}

impl Layout {
    /// Builds the layout of a head.
    pub fn new(head: &Head, precision: Precision) -> Self {
        let mut spans = Vec::with_capacity(head.meshes.len());
        let (mut first_place, mut first_vertex) = (0, 0);
        for mesh in &head.meshes {
            let vertex_count = mesh.vertices.len();
            spans.push(MeshSpan { first_place, first_vertex, vertex_count });
            first_place += vertex_count.next_multiple_of(BLOCK_SIZE);
            first_vertex += vertex_count;
        }
        let (place_count, vertex_count) = (first_place, first_vertex);
        let groups: Vec<OnceLock<Groups>> = head.meshes.iter().map(|_| OnceLock::new()).collect();
        let turning_of = |(mesh, groups): (&Mesh, &OnceLock<Groups>)| {
            turning(mesh, groups.get_or_init(|| Groups::of(&mesh.vertices)))
        };
        let tolerances =
            || (precision == Precision::Packed).then(|| head.meshes.iter().zip(&groups).map(turning_of).collect());
        let order = || head.meshes.iter().flat_map(vertex_order).collect();
        let (vertices_in_order, turning): (Vec<u32>, Option<Vec<_>>) = rayon::join(order, tolerances);
        let mut place_of = vec![0; vertex_count];
        let shapes = ShapeTable::new(head);
        let mut runs = Vec::new();
        for (index, (mesh, span)) in head.meshes.iter().zip(&spans).enumerate() {
            let vertices = span.first_vertex..span.first_vertex + span.vertex_count;
            // Counted from the first place of the mesh until its columns are built.
            let places = &mut place_of[vertices.clone()];
            (0..).zip(&vertices_in_order[vertices]).for_each(|(place, &vertex)| places[vertex as usize] = place);
            let tolerance = turning.as_ref().map(|turning| PackingTolerance::new(head, mesh, places, &turning[index]));
            let components = components_of(head);
            runs.extend(ColumnBuilder { mesh, shapes: &shapes, places, components, tolerance }.build());
            places.iter_mut().for_each(|place| *place += span.first_place as u32);
        }
        let mut all = ColumnRun::join(runs);
        let mut layout = Self {
            shapes,
            spans,
            place_of,
            vertices_in_order,
            has_tangents: head.meshes.iter().any(|mesh| !mesh.vertices.tangents.is_empty()),
            is_skinned: head.meshes.iter().any(|mesh| mesh.skin.is_some()),
            base: Vec::new(),
            boxes: std::mem::take(&mut all.boxes),
            groups,
            first_columns: Vec::with_capacity(place_count / BLOCK_SIZE + 1),
            first_places: Vec::new(),
            places: Vec::new(),
            touched: Vec::new(),
            deltas: DeltaColumns::default(),
        };
        layout.list_places(&all.column_counts, &all.targets);
        layout.base = layout.build_base(head);
        layout.deltas = DeltaColumns::new(components_of(head), precision, all);
        layout
    }

    fn build_base(&self, head: &Head) -> Vec<f32> {
        let place_count = self.place_count();
        let mut base = vec![0.0; place_count * self.vertex_floats()];
        for (index, mesh) in head.meshes.iter().enumerate() {
            for (vertex, position) in mesh.vertices.positions.iter().enumerate() {
                let place = self.place_of(index, vertex);
                base[place * 3..][..3].copy_from_slice(&position.to_array());
                if let Some(normal) = mesh.vertices.normals.get(vertex) {
                    base[(place_count + place) * 3..][..3].copy_from_slice(&normal.to_array());
                }
                if let Some(tangent) = mesh.vertices.tangents.get(vertex) {
                    base[place_count * 6 + place * 4..][..4].copy_from_slice(&tangent.to_array());
                }
            }
        }
        base
    }

    /// Lists the columns of each target, given the target of each column.
    fn list_places(&mut self, column_counts: &[u32], targets: &[u32]) {
        let target_count = self.shapes.count();
        self.first_columns.push(0);
        self.first_places = vec![0; target_count + 1];
        for &target in targets {
            self.first_places[target as usize + 1] += 1;
        }
        for target in 0..target_count {
            self.first_places[target + 1] += self.first_places[target];
        }
        let mut next = self.first_places.clone();
        self.places = vec![TargetColumn { block: 0, column: 0 }; targets.len()];
        let mut column = 0;
        for (block, &count) in column_counts.iter().enumerate() {
            for _ in 0..count {
                let place = &mut next[targets[column as usize] as usize];
                self.places[*place as usize] = TargetColumn { block: block as u32, column };
                *place += 1;
                column += 1;
            }
            self.first_columns.push(column);
        }
        let words = self.block_words();
        self.touched = vec![0; target_count * words];
        for target in 0..target_count {
            for place in self.first_places[target]..self.first_places[target + 1] {
                let block = self.places[place as usize].block as usize;
                self.touched[target * words + block / 64] |= 1 << (block % 64);
            }
        }
    }

    /// The place of a mesh's vertex in the head-wide array.
    pub fn place_of(&self, mesh: usize, vertex: usize) -> usize {
        self.place_of[self.spans[mesh].first_vertex + vertex] as usize
    }

    /// The first place of a mesh, and its vertices in the order of their places, which follow each other.
    pub(crate) fn vertices_in_order(&self, mesh: usize) -> (usize, &[u32]) {
        let span = self.spans[mesh];
        (span.first_place, &self.vertices_in_order[span.first_vertex..][..span.vertex_count])
    }

    /// The length of the head-wide array, padding included.
    pub fn place_count(&self) -> usize {
        self.block_count() * BLOCK_SIZE
    }

    /// The smoothing groups of a mesh. `head` is the head of this layout.
    pub(in crate::blend) fn groups_of(&self, head: &Head, mesh: usize) -> &Groups {
        self.groups[mesh].get_or_init(|| Groups::of(&head.meshes[mesh].vertices))
    }

    /// The box of a column's position deltas, which contains zero; of the second column of a target in a block it is that alone.
    pub(in crate::blend) fn box_of(&self, column: usize) -> Bounds {
        self.boxes[column]
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

    /// The columns of all targets.
    #[inline]
    pub fn deltas(&self) -> &DeltaColumns {
        &self.deltas
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
        self.first_columns.len() - 1
    }

    /// The number of columns in all blocks.
    pub fn column_count(&self) -> usize {
        self.places.len()
    }

    /// The shapes of the head's targets. In what follows, each is a target.
    pub(in crate::blend) fn shapes(&self) -> &ShapeTable {
        &self.shapes
    }

    /// The number of shapes: of all targets of the head, and of their in-betweens.
    pub fn shape_count(&self) -> usize {
        self.first_places.len() - 1
    }

    /// A block's columns, counted over the whole head.
    pub fn columns_of_block(&self, block: usize) -> Range<usize> {
        self.first_columns[block] as usize..self.first_columns[block + 1] as usize
    }

    /// The columns of a target, block by block.
    pub fn columns_of_target(&self, target: usize) -> &[TargetColumn] {
        &self.places[self.first_places[target] as usize..self.first_places[target + 1] as usize]
    }

    /// The number of 64-bit words in a set of blocks, which has one bit per block.
    pub fn block_words(&self) -> usize {
        self.block_count().div_ceil(64)
    }

    /// The set of blocks that a target touches.
    pub fn blocks_of(&self, target: usize) -> &[u64] {
        &self.touched[target * self.block_words()..][..self.block_words()]
    }

    /// The bytes of the whole layout in main memory.
    pub fn bytes(&self) -> u64 {
        let tables = size_of_val(self.place_of.as_slice())
            + size_of_val(self.vertices_in_order.as_slice())
            + size_of_val(self.base.as_slice())
            + size_of_val(self.boxes.as_slice())
            + self.groups.iter().filter_map(OnceLock::get).map(Groups::bytes).sum::<usize>()
            + size_of_val(self.first_columns.as_slice())
            + size_of_val(self.first_places.as_slice())
            + size_of_val(self.places.as_slice())
            + size_of_val(self.touched.as_slice())
            + self.shapes.bytes();
        self.deltas.all_bytes() + tables as u64
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
}

#[cfg(test)]
mod tests {
    use super::super::deltas::ColumnData;
    use super::*;
    use crate::head::{Asset, Target, Vertices};

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
        Head::new(Asset { name: "head".into(), meshes, ..Asset::default() })
    }

    #[test]
    fn the_first_column_of_a_target_in_a_block_has_the_box_of_its_deltas() {
        let rows = [[0, 63, 64, 129], [1, 63, 70, 128], [2, 3, 4, 5]];
        let head = head(vec![mesh(130, rows.iter().map(|rows| target(rows)).collect())]);
        let [exact, packed] = [Precision::Exact, Precision::Packed].map(|precision| Layout::new(&head, precision));
        assert!(packed.column_count() > exact.column_count(), "no target has two columns in a block");
        for (index, target) in head.meshes[0].targets.iter().enumerate() {
            for layout in [&exact, &packed] {
                let columns = layout.columns_of_target(index);
                for columns in columns.chunk_by(|a, b| a.block == b.block) {
                    let is_here = |row: u32| layout.place_of(0, row as usize) / BLOCK_SIZE == columns[0].block as usize;
                    let deltas = target.rows.iter().zip(&target.positions).filter(|(row, _)| is_here(**row));
                    let expected = Bounds::of(deltas.map(|(_, delta)| *delta).chain([Vec3::ZERO]));
                    let boxes: Vec<Bounds> =
                        columns.iter().map(|column| layout.box_of(column.column as usize)).collect();
                    assert_eq!(boxes[0], expected, "{index}");
                    assert!(boxes[1..].iter().all(|second| *second == Bounds::of([Vec3::ZERO])), "{index}");
                }
            }
        }
    }

    #[test]
    fn only_touching_targets_have_columns() {
        // In their new order, 126 vertices that no target touches come first, then those of target 0, then those of target 2.
        let first = mesh(130, vec![target(&[0, 63]), target(&[]), target(&[1, 128])]);
        let layout = Layout::new(&head(vec![first, mesh(64, vec![target(&[5])])]), Precision::Exact);
        assert_eq!(layout.block_count(), 4);
        let places = [0, 63, 1, 128].map(|vertex| layout.place_of(0, vertex));
        assert_eq!(places, [126, 127, 128, 129]);
        let columns: Vec<_> = (0..4).map(|block| layout.columns_of_block(block)).collect();
        assert_eq!(columns, [0..0, 0..1, 1..2, 2..3]);
        assert_eq!(layout.columns_of_target(0), [TargetColumn { block: 1, column: 0 }]);
        assert_eq!(layout.columns_of_target(1), []);
        assert_eq!(layout.columns_of_target(2), [TargetColumn { block: 2, column: 1 }]);
        assert_eq!(layout.columns_of_target(3), [TargetColumn { block: 3, column: 2 }]);
    }

    #[test]
    fn positions_alone_take_three_numbers() {
        let layout = Layout::new(&head(vec![mesh(70, vec![target(&[3])])]), Precision::Exact);
        assert_eq!((layout.deltas().components(), layout.vertex_floats()), (3, 6));
        let ColumnData::Exact(column) = layout.deltas().columns() else { panic!() };
        let lane = layout.place_of(0, 3) % BLOCK_SIZE;
        assert_eq!((column[lane * 2], column[lane * 2 + 1], column[128 + lane]), (3.0, 0.5, -1.0));
        assert_eq!(column.iter().filter(|&&value| value != 0.0).count(), 3);
    }

    #[test]
    fn memory_is_what_the_touched_blocks_need() {
        let head = head(vec![mesh(1000, vec![target(&[0, 9]), target(&[5])])]);
        let layout = Layout::new(&head, Precision::Exact);
        assert_eq!(layout.deltas().bytes(), 2 * 3 * 64 * 4, "the last block holds all three");
        assert_eq!(layout.base().len(), 1024 * 6);
        let packed = Layout::new(&head, Precision::Packed);
        assert_eq!(packed.deltas().bytes(), layout.deltas().bytes() / 2);
        assert!(packed.bytes() > packed.deltas().bytes() + 1024 * 24);
    }

    #[test]
    fn tangents_cost_only_heads_that_have_and_morph_them() {
        let mut with_tangents = mesh(10, vec![target(&[1])]);
        with_tangents.targets[0].normals = vec![Vec3::X];
        with_tangents.vertices.tangents = vec![Vec4::ONE; 10];
        let layout = Layout::new(&head(vec![with_tangents.clone()]), Precision::Exact);
        assert_eq!((layout.vertex_floats(), layout.deltas().components()), (10, 6));
        with_tangents.targets[0].tangents = vec![Vec3::X];
        let layout = Layout::new(&head(vec![with_tangents]), Precision::Exact);
        assert_eq!((layout.vertex_floats(), layout.deltas().components()), (10, 10));
    }

    #[test]
    fn vertices_are_read_back_in_the_order_of_the_file() {
        let head = head(vec![mesh(3, vec![target(&[0])]), mesh(2, Vec::new())]);
        let layout = Layout::new(&head, Precision::Exact);
        let places: Vec<usize> = (0..128).collect();
        assert_eq!(layout.in_file_order(&places).copied().collect::<Vec<_>>(), [2, 0, 1, 64, 65]);
        let vertices = layout.vertices_of(layout.base());
        assert_eq!(vertices.iter().map(|vertex| vertex.position.x).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 0.0, 1.0]);
        assert!(vertices.iter().all(|vertex| vertex.normal == Vec3::Z));
    }
}
