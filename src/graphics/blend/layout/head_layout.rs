//! The deltas of a head in memory, in the same order for the CPU and the GPU.
//!
//! The vertices have the order of [`VertexOrder`]. A block of [`BLOCK_SIZE`] places stores
//! one *column* for every target that touches it, and nothing for those that do not; [`column`](super::column)
//! describes a column. An in-between is a target here ([`shapes`](super::shapes)).
//!
//! The alternatives, measured on a scanned face (26,719 vertices, 57 targets, all active, two threads): dense rows of
//! every target take 0.59 ms, lists of deltas per vertex 0.35 ms (however many targets are active), scattered lists per
//! target 0.67 ms, and these columns 0.29 ms, or half of that if packed. In the file's order 56 % of the vertices of a
//! column have a delta, in this one 92 %.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::build::{ColumnBuilder, KeptColumns, PackingTolerance, turning};
use super::column::{BLOCK_SIZE, ColumnRun, DeltaColumns, Precision, components_of};
use super::shapes::ShapeTable;
use super::vertex_order::VertexOrder;
use smirk_face::head::{Bounds, Groups, Head, Mesh};

/// The column that holds a target's deltas for one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetColumn {
    /// A block that the target touches.
    pub block: u32,
    /// The column, counted over the whole head.
    pub column: u32,
}

/// The columns of a head, and the tables to find them, with the order of its vertices. Built once per head, on a worker
/// thread.
#[derive(Clone, Debug)]
pub struct Layout {
    pub order: Arc<VertexOrder>,
    shapes: ShapeTable,
    /// The index at which each block's columns begin, and, as a last element, the end of the last block's columns.
    first_columns: Vec<u32>,
    deltas: DeltaColumns,
    /// The index in `target_columns` at which each target's columns begin, and, as a last element, the end of the last
    /// target's.
    first_target_columns: Vec<u32>,
    /// The box of each column's position deltas, which contains zero; of the second column of a target in a block it is
    /// that alone.
    boxes: Vec<Bounds>,
    /// The columns of all targets, one target after the other; ascending within a target. A target has two columns in a
    /// block where 16 bits are not precise enough.
    target_columns: Vec<TargetColumn>,
    /// `[target][word]`: one bit per block, set if the target touches the block.
    touched: Vec<u64>,
}

/// A head that is laid out, of which the same head with other deltas takes columns over.
#[derive(Clone, Debug)]
pub struct LaidOut {
    pub head: Arc<Head>,
    pub layout: Arc<Layout>,
}

/// For each mesh of a head that is to be packed, the errors that [`turning`] tolerates.
type Turning = Option<Vec<Vec<f32>>>;

fn turning_of(head: &Head, groups: &[OnceLock<Groups>], precision: Precision) -> Turning {
    let meshes = head.meshes.iter().zip(groups);
    let turning = meshes.map(|(mesh, groups)| turning(mesh, groups.get_or_init(|| Groups::new(&mesh.vertices))));
    (precision == Precision::Packed).then(|| turning.collect())
}

/// Whether two heads are equal at rest, with as many targets on each mesh, and have no in-betweens.
fn have_same_shapes(head: &Head, other: &Head) -> bool {
    let mut pairs = head.meshes.iter().zip(&other.meshes);
    head.meshes.len() == other.meshes.len()
        && pairs.all(|(mesh, other)| {
            let mut all = mesh.targets.iter().chain(&other.targets);
            // How exactly deltas are packed depends on the surface at rest.
            mesh.vertices.positions == other.vertices.positions
                && mesh.vertices.normals == other.vertices.normals
                && mesh.indices == other.indices
                && mesh.targets.len() == other.targets.len()
                && all.all(|target| target.in_betweens.is_empty())
        })
}

/// Per block of a mesh, whether a target has other deltas there than on the same mesh of another head.
fn changed_blocks(mesh: &Mesh, other: &Mesh, places: &[u32]) -> Vec<bool> {
    let mut is_changed = vec![false; mesh.vertices.len().div_ceil(BLOCK_SIZE)];
    let changed = mesh.targets.par_iter().zip(&other.targets).filter(|(target, other)| {
        let is_same = target.rows == other.rows
            && target.positions == other.positions
            && target.normals == other.normals
            && target.tangents == other.tangents;
        !is_same
    });
    for (target, other) in changed.collect::<Vec<_>>() {
        let rows = target.rows.iter().chain(&other.rows);
        rows.for_each(|&row| is_changed[places[row as usize] as usize / BLOCK_SIZE] = true);
    }
    is_changed
}

impl Layout {
    pub fn new(head: &Head, precision: Precision) -> Self {
        let groups = VertexOrder::groups_of_meshes(head);
        let (order, turning) =
            rayon::join(|| VertexOrder::with_groups(head, groups.clone()), || turning_of(head, &groups, precision));
        Self::with_turning(head, Arc::new(order), &turning, precision, None)
    }

    /// Builds the layout of a head whose vertices are ordered already. It takes the columns that the same head with other
    /// deltas has too from the layout `before`, if that has the same order.
    pub fn with_order(head: &Head, order: Arc<VertexOrder>, precision: Precision, before: Option<&LaidOut>) -> Self {
        let turning = turning_of(head, order.groups(), precision);
        let before = before.filter(|before| {
            let LaidOut { head: other, layout } = before;
            let (kind, other_kind) =
                ((components_of(head), precision), (components_of(other), layout.deltas.precision()));
            Arc::ptr_eq(&layout.order, &order) && kind == other_kind && have_same_shapes(head, other)
        });
        Self::with_turning(head, order, &turning, precision, before)
    }

    fn with_turning(
        head: &Head,
        order: Arc<VertexOrder>,
        turning: &Turning,
        precision: Precision,
        before: Option<&LaidOut>,
    ) -> Self {
        debug_assert!(order.is_of(head), "the order is of another head");
        let shapes = ShapeTable::new(head);
        let components = components_of(head);
        let mut runs = Vec::new();
        let targets_before = before.map(|before| before.layout.targets_of_columns());
        let mut first_block = 0;
        for (index, mesh) in head.meshes.iter().enumerate() {
            let in_mesh = order.places_in_mesh(index);
            let kept = before.zip(targets_before.as_ref()).map(|(LaidOut { head: other, layout }, targets)| {
                let is_built = changed_blocks(mesh, &other.meshes[index], &in_mesh);
                let Self { deltas, boxes, first_columns, .. } = &**layout;
                KeptColumns { deltas, boxes, targets, first_columns, first_block, is_built }
            });
            first_block += mesh.vertices.len().div_ceil(BLOCK_SIZE);
            let tolerance =
                turning.as_ref().map(|turning| PackingTolerance::new(head, mesh, &in_mesh, &turning[index]));
            runs.extend(ColumnBuilder { mesh, shapes: &shapes, places: &in_mesh, components, tolerance, kept }.build());
        }
        let mut all = ColumnRun::join(runs);
        let mut layout = Self {
            shapes,
            boxes: std::mem::take(&mut all.boxes),
            first_columns: Vec::with_capacity(order.block_count() + 1),
            first_target_columns: Vec::new(),
            target_columns: Vec::new(),
            touched: Vec::new(),
            deltas: DeltaColumns::default(),
            order,
        };
        layout.list_columns(&all.column_counts, &all.targets);
        layout.deltas = DeltaColumns::new(components, precision, all);
        layout
    }

    /// The target of each column.
    fn targets_of_columns(&self) -> Vec<u32> {
        let mut targets = vec![0; self.column_count()];
        for target in 0..self.shape_count() {
            let columns = self.columns_of_target(target);
            columns.iter().for_each(|column| targets[column.column as usize] = target as u32);
        }
        targets
    }

    fn list_columns(&mut self, column_counts: &[u32], targets: &[u32]) {
        let target_count = self.shapes.count();
        self.first_columns.push(0);
        self.first_target_columns = vec![0; target_count + 1];
        for &target in targets {
            self.first_target_columns[target as usize + 1] += 1;
        }
        for target in 0..target_count {
            self.first_target_columns[target + 1] += self.first_target_columns[target];
        }
        let mut next = self.first_target_columns.clone();
        self.target_columns = vec![TargetColumn { block: 0, column: 0 }; targets.len()];
        let mut column = 0;
        for (block, &count) in column_counts.iter().enumerate() {
            for _ in 0..count {
                let place = &mut next[targets[column as usize] as usize];
                self.target_columns[*place as usize] = TargetColumn { block: block as u32, column };
                *place += 1;
                column += 1;
            }
            self.first_columns.push(column);
        }
        let words = self.order.block_words();
        self.touched = vec![0; target_count * words];
        for target in 0..target_count {
            for place in self.first_target_columns[target]..self.first_target_columns[target + 1] {
                let block = self.target_columns[place as usize].block as usize;
                self.touched[target * words + block / 64] |= 1 << (block % 64);
            }
        }
    }

    /// The box of a column's position deltas, which contains zero; of the second column of a target in a block it is
    /// that alone.
    pub(in crate::blend) fn box_of(&self, column: usize) -> Bounds {
        self.boxes[column]
    }

    #[inline]
    pub fn deltas(&self) -> &DeltaColumns {
        &self.deltas
    }

    /// The number of columns in all blocks.
    pub fn column_count(&self) -> usize {
        self.target_columns.len()
    }

    /// The shapes of the head's targets. In what follows, each is a target.
    pub(in crate::blend) fn shapes(&self) -> &ShapeTable {
        &self.shapes
    }

    /// The number of shapes: of all targets of the head, and of their in-betweens.
    pub fn shape_count(&self) -> usize {
        self.first_target_columns.len() - 1
    }

    /// A block's columns, counted over the whole head.
    pub fn columns_of_block(&self, block: usize) -> Range<usize> {
        self.first_columns[block] as usize..self.first_columns[block + 1] as usize
    }

    /// The columns of a target, block by block.
    pub fn columns_of_target(&self, target: usize) -> &[TargetColumn] {
        &self.target_columns[self.first_target_columns[target] as usize..self.first_target_columns[target + 1] as usize]
    }

    /// The set of blocks that a target touches.
    pub fn blocks_of(&self, target: usize) -> &[u64] {
        &self.touched[target * self.order.block_words()..][..self.order.block_words()]
    }

    pub fn bytes(&self) -> u64 {
        let tables = size_of_val(self.boxes.as_slice())
            + size_of_val(self.first_columns.as_slice())
            + size_of_val(self.first_target_columns.as_slice())
            + size_of_val(self.target_columns.as_slice())
            + size_of_val(self.touched.as_slice())
            + self.shapes.bytes();
        self.deltas.all_bytes() + tables as u64 + self.order.bytes()
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec3, Vec4};

    use super::super::column::ColumnData;
    use super::*;
    use smirk_face::head::{Target, Vertices};

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
        Head::from_meshes(meshes)
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
                    let is_here =
                        |row: u32| layout.order.place_of(0, row as usize) / BLOCK_SIZE == columns[0].block as usize;
                    let deltas = target.rows.iter().zip(&target.positions).filter(|(row, _)| is_here(**row));
                    let expected = Bounds::around(deltas.map(|(_, delta)| *delta).chain([Vec3::ZERO]));
                    let boxes: Vec<Bounds> =
                        columns.iter().map(|column| layout.box_of(column.column as usize)).collect();
                    assert_eq!(boxes[0], expected, "{index}");
                    assert!(boxes[1..].iter().all(|second| *second == Bounds::around([Vec3::ZERO])), "{index}");
                }
            }
        }
    }

    #[test]
    fn only_touching_targets_have_columns() {
        // In their new order, 126 vertices that no target touches come first, then those of target 0, then those of
        // target 2.
        let first = mesh(130, vec![target(&[0, 63]), target(&[]), target(&[1, 128])]);
        let layout = Layout::new(&head(vec![first, mesh(64, vec![target(&[5])])]), Precision::Exact);
        assert_eq!(layout.order.block_count(), 4);
        let places = [0, 63, 1, 128].map(|vertex| layout.order.place_of(0, vertex));
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
        assert_eq!((layout.deltas().components(), layout.order.vertex_floats()), (3, 6));
        let ColumnData::Exact(column) = layout.deltas().columns() else { panic!() };
        let lane = layout.order.place_of(0, 3) % BLOCK_SIZE;
        assert_eq!((column[lane * 2], column[lane * 2 + 1], column[128 + lane]), (3.0, 0.5, -1.0));
        assert_eq!(column.iter().filter(|&&value| value != 0.0).count(), 3);
    }

    #[test]
    fn memory_is_what_the_touched_blocks_need() {
        let head = head(vec![mesh(1000, vec![target(&[0, 9]), target(&[5])])]);
        let layout = Layout::new(&head, Precision::Exact);
        assert_eq!(layout.deltas().bytes(), 2 * 3 * 64 * 4, "the last block holds all three");
        assert_eq!(layout.order.base().len(), 1024 * 6);
        let packed = Layout::new(&head, Precision::Packed);
        assert_eq!(packed.deltas().bytes(), layout.deltas().bytes() / 2);
        assert!(packed.bytes() > packed.deltas().bytes() + 1024 * 24);
    }

    #[test]
    fn a_head_with_other_deltas_takes_over_the_columns_that_are_the_same() {
        let random = |seed: u32, index: usize| smirk_base::random::signed(seed, index as u64);
        let bump = |seed: u32, from: usize, count: usize| {
            let rows: Vec<u32> = (from..from + count).map(|row| row as u32).collect();
            let positions = rows.iter().map(|&row| Vec3::new(random(seed, row as usize), 0.5, 1e-5)).collect();
            let normals = rows.iter().map(|&row| Vec3::splat(random(seed + 9, row as usize) * 0.1)).collect();
            Target { rows, positions, normals, ..Target::default() }
        };
        let of = |targets: Vec<Target>| Arc::new(head(vec![mesh(900, targets), mesh(70, vec![bump(7, 0, 70)])]));
        let all = vec![bump(1, 0, 300), bump(2, 200, 600), bump(3, 640, 90)];
        let first = of(all.clone());
        for precision in [Precision::Exact, Precision::Packed] {
            let order = Arc::new(VertexOrder::new(&first));
            let layout = Arc::new(Layout::with_order(&first, order.clone(), precision, None));
            let before = LaidOut { head: first.clone(), layout };
            let mut other = all.clone();
            for change in [bump(4, 100, 70), bump(3, 640, 90), Target::default(), bump(5, 0, 900)] {
                other[2] = change;
                let next = of(other.clone());
                let like = Layout::with_order(&next, order.clone(), precision, Some(&before));
                let anew = Layout::with_order(&next, order.clone(), precision, None);
                assert_eq!(format!("{like:?}"), format!("{anew:?}"), "{precision:?}");
                let is_built = changed_blocks(&next.meshes[0], &first.meshes[0], &order.places_in_mesh(0));
                let built = is_built.iter().filter(|is_built| **is_built).count();
                assert!(other[2].rows.len() == 900 || built < is_built.len() / 2, "{built} of {}", is_built.len());
            }
            // A far smaller surface is packed far more exactly.
            let mut smaller = first.to_asset();
            let places = smaller.meshes.iter_mut().flat_map(|mesh| &mut mesh.vertices.positions);
            places.for_each(|place| *place *= 1e-6);
            let more = of([&all[..], &all[..1]].concat());
            for (other, what) in [(Arc::new(Head::new(smaller)), "another rest"), (more, "more targets")] {
                let like = Layout::with_order(&other, order.clone(), precision, Some(&before));
                let anew = Layout::with_order(&other, order.clone(), precision, None);
                assert_eq!(format!("{like:?}"), format!("{anew:?}"), "{what}");
            }
        }
    }

    #[test]
    fn tangents_cost_only_heads_that_have_and_morph_them() {
        let mut with_tangents = mesh(10, vec![target(&[1])]);
        with_tangents.targets[0].normals = vec![Vec3::X];
        with_tangents.vertices.tangents = vec![Vec4::ONE; 10];
        let layout = Layout::new(&head(vec![with_tangents.clone()]), Precision::Exact);
        assert_eq!((layout.order.vertex_floats(), layout.deltas().components()), (10, 6));
        with_tangents.targets[0].tangents = vec![Vec3::X];
        let layout = Layout::new(&head(vec![with_tangents]), Precision::Exact);
        assert_eq!((layout.order.vertex_floats(), layout.deltas().components()), (10, 10));
    }

    #[test]
    fn vertices_are_read_back_in_the_order_of_the_file() {
        let head = head(vec![mesh(3, vec![target(&[0])]), mesh(2, Vec::new())]);
        let layout = Layout::new(&head, Precision::Exact);
        let places: Vec<usize> = (0..128).collect();
        assert_eq!(layout.order.in_file_order(&places).copied().collect::<Vec<_>>(), [2, 0, 1, 64, 65]);
        let vertices = layout.order.vertices_of(layout.order.base());
        assert_eq!(vertices.iter().map(|vertex| vertex.position.x).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 0.0, 1.0]);
        assert!(vertices.iter().all(|vertex| vertex.normal == Vec3::Z));
    }
}
