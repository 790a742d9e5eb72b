//! Bounding boxes of the deformed head, under any weights.
//!
//! They are computed with interval arithmetic: a block's box is its box at rest plus, for every active target, the
//! weight times the box of the target's deltas in that block. Between two shapes of a target with in-betweens, both
//! boxes count by their share. No vertex is read, so this takes a fraction of the time of a blend. The box contains
//! every vertex, and is larger than necessary when targets move in different directions. The boxes of deltas are
//! widened by the rounding errors of packing and of sums in f32. Sums are in f64 and rounded outwards. Nothing here
//! uses wgpu.
//!
//! The position of a skinned vertex is the weighted mean of the positions that each of its joints alone would give it.
//! So it is inside the union of these boxes: for every joint and block, the box of the vertices that the joint
//! influences, transformed by the joint. The nodes and joints that transform vertices to world space are the *sources*
//! of the bounds.

use glam::{DVec3, Mat4, Vec3};
use rayon::prelude::*;

use super::layout::{BLOCK_SIZE, Layout, ShapeTable, VertexOrder};
use super::usable_weight;
use smirk_face::head::{Bounds, Head, Mesh, RigPose};

/// The rounding error of a sum of f32 numbers, as a part of what a target adds. One addition has an error of at most
/// 6e-8 of the sum; this covers a thousand additions with errors of the same sign.
const SUM_ERROR: f32 = 6e-5;

/// The box of one target's deltas in one block, widened by rounding errors.
#[derive(Clone, Copy, Debug)]
struct TargetBox {
    block: u32,
    deltas: Bounds,
}

/// The boxes of one head under the weights of the last call. Updating them allocates nothing.
#[derive(Clone, Debug)]
pub struct DeformedBounds {
    /// One weight per target, then one per in-between: in-betweens count as targets here.
    weights: Vec<f32>,
    shapes: ShapeTable,
    /// The weights of the last call if the head has in-betweens; else empty.
    of_shapes: Vec<f32>,
    rest: Vec<BlockBox>,
    /// The box of each block under `weights`.
    deformed: Vec<BlockBox>,
    /// The index at which each target's boxes begin, and, as a last element, the end of the last target's boxes.
    first_target_boxes: Vec<u32>,
    target_boxes: Vec<TargetBox>,
    /// Per block, whether its box is to be updated.
    is_changed: Vec<bool>,
    sources: Vec<BoundsSource>,
    head: Bounds,
}

impl DeformedBounds {
    /// The boxes of `head` under weights of its targets, which are 0 at first.
    pub fn new(head: &Head, layout: &Layout) -> Self {
        let mut bounds = Self::at_rest(head, &layout.order);
        bounds.add_targets(layout);
        bounds
    }

    /// The boxes of `head` at rest. It stays at rest under all weights until [`Self::add_targets`].
    pub fn at_rest(head: &Head, order: &VertexOrder) -> Self {
        let mut rest = vec![BlockBox::EMPTY; order.block_count()];
        for (index, mesh) in head.meshes.iter().enumerate() {
            let (first_place, vertices) = order.vertices_in_order(index);
            let blocks = vertices.par_chunks(BLOCK_SIZE).zip(&mut rest[first_place / BLOCK_SIZE..]);
            blocks.for_each(|(vertices, block)| {
                vertices.iter().for_each(|&vertex| block.include(mesh.vertices.positions[vertex as usize]));
            });
        }
        let sources = (0..head.meshes.len()).into_par_iter().flat_map_iter(|mesh| sources_of_mesh(head, order, mesh));
        let mut bounds = Self {
            weights: Vec::new(),
            shapes: ShapeTable::default(),
            of_shapes: Vec::new(),
            deformed: rest.clone(),
            is_changed: vec![false; rest.len()],
            rest,
            first_target_boxes: Vec::new(),
            target_boxes: Vec::new(),
            sources: sources.collect(),
            head: Bounds::EMPTY,
        };
        bounds.head = bounds.measure();
        bounds
    }

    /// Adds what the targets of the head move.
    pub fn add_targets(&mut self, layout: &Layout) {
        let boxes: Vec<Vec<TargetBox>> =
            (0..layout.shape_count()).into_par_iter().map(|target| target_boxes(layout, target)).collect();
        self.first_target_boxes = vec![0];
        let mut end = 0;
        for boxes in &boxes {
            end += boxes.len() as u32;
            self.first_target_boxes.push(end);
        }
        self.target_boxes = boxes.concat();
        self.weights = vec![0.0; layout.shape_count()];
        self.shapes = layout.shapes().clone();
    }

    /// A box in world space around the whole head under `weights` (one per target; missing, infinite and NaN ones count
    /// as 0). It contains every vertex with the rounding errors of the layout. At rest it equals [`Head::bounds`] if no
    /// mesh is rotated.
    pub fn under(&mut self, weights: &[f32]) -> Bounds {
        if self.mark_changed(weights) {
            for (block, (deformed, rest)) in self.deformed.iter_mut().zip(&self.rest).enumerate() {
                if self.is_changed[block] {
                    *deformed = *rest;
                }
            }
            for (target, &weight) in self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                let target_boxes =
                    self.first_target_boxes[target] as usize..self.first_target_boxes[target + 1] as usize;
                for target_box in &self.target_boxes[target_boxes] {
                    if self.is_changed[target_box.block as usize] {
                        self.deformed[target_box.block as usize].add_scaled(f64::from(weight), &target_box.deltas);
                    }
                }
            }
            self.head = self.measure();
        }
        self.head
    }

    /// Boxes in world space that together contain every vertex under the weights of the last call of [`Self::under`]:
    /// one for each block and each node or joint that moves vertices of it. They are closer to the surface than the box
    /// around all of them.
    pub fn boxes(&self) -> impl Iterator<Item = Bounds> + Clone {
        self.sources
            .iter()
            .flat_map(|source| source.boxes(&self.rest, &self.deformed).map(move |span| source.in_world(span)))
    }

    /// Moves the nodes and joints to `rig_pose`.
    pub fn set_rig_pose(&mut self, head: &Head, rig_pose: &RigPose) {
        for source in &mut self.sources {
            source.world_from_mesh = source.transform_source.world_from_mesh(head, rig_pose);
        }
        self.head = self.measure();
    }

    /// Sets the weights and marks the blocks of targets with a new weight. Returns false if no weight is new.
    fn mark_changed(&mut self, weights: &[f32]) -> bool {
        let weights = self.shapes.weights(weights, &mut self.of_shapes);
        self.is_changed.fill(false);
        let mut is_any = false;
        for target in 0..self.weights.len() {
            let weight = usable_weight(weights, target);
            if self.weights[target] != weight {
                self.weights[target] = weight;
                is_any = true;
                let target_boxes =
                    self.first_target_boxes[target] as usize..self.first_target_boxes[target + 1] as usize;
                for target_box in &self.target_boxes[target_boxes] {
                    self.is_changed[target_box.block as usize] = true;
                }
            }
        }
        is_any
    }

    fn measure(&self) -> Bounds {
        Bounds::union(self.sources.iter().map(|source| source.bounds(&self.rest, &self.deformed)))
    }
}

/// The boxes of a target's deltas, one per block that it moves, ascending, widened by the rounding errors of a blend.
fn target_boxes(layout: &Layout, target: usize) -> Vec<TargetBox> {
    let columns = layout.columns_of_target(target).chunk_by(|a, b| a.block == b.block);
    let boxes = columns.filter_map(|columns| {
        let boxes = columns.iter().map(|column| layout.box_of(column.column as usize));
        let Bounds { min, max } = Bounds::union(boxes);
        // If a target has two columns in a block, the second holds the rounding errors of the first, so that only the
        // errors of the second remain.
        let last = columns.last().filter(|_| min != Vec3::ZERO || max != Vec3::ZERO)?;
        let loose =
            Vec3::splat(layout.deltas().rounding_of(last.column as usize)) + min.abs().max(max.abs()) * SUM_ERROR;
        Some(TargetBox { block: last.block, deltas: Bounds { min: min - loose, max: max + loose } })
    });
    boxes.collect()
}

/// Boxes are clamped to this distance from the origin, whose square is still finite in f32.
const FARTHEST: f32 = 1e15;

/// A box in a mesh's own space, in f64.
#[derive(Clone, Copy, Debug)]
struct BlockBox {
    pub min: DVec3,
    pub max: DVec3,
}

impl BlockBox {
    const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    fn include(&mut self, point: Vec3) {
        if point.is_finite() {
            (self.min, self.max) = (self.min.min(point.as_dvec3()), self.max.max(point.as_dvec3()));
        }
    }

    fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// This box, enlarged on each side as much as `deformed` is larger than `rest`.
    fn grown_like(self, rest: Self, deformed: Self) -> Self {
        if self.min == rest.min && self.max == rest.max {
            return deformed;
        }
        Self { min: self.min + (deformed.min - rest.min), max: self.max + (deformed.max - rest.max) }
    }

    /// Adds `weight` times any point of `deltas` to any point.
    fn add_scaled(&mut self, weight: f64, deltas: &Bounds) {
        let (low, high) = (deltas.min.as_dvec3() * weight, deltas.max.as_dvec3() * weight);
        self.min += low.min(high);
        self.max += low.max(high);
    }
}

/// The vertices that one node or joint transforms to world space.
#[derive(Clone, Debug)]
struct BoundsSource {
    transform_source: TransformSource,
    world_from_mesh: Mat4,
    /// The blocks with such vertices, and the box of these vertices at rest.
    blocks: Vec<(u32, BlockBox)>,
}

#[derive(Clone, Copy, Debug)]
enum TransformSource {
    /// The node of a mesh, if it has one.
    Mesh(usize),
    Joint {
        skin: usize,
        joint: usize,
    },
}

impl TransformSource {
    fn world_from_mesh(self, head: &Head, rig_pose: &RigPose) -> Mat4 {
        match self {
            Self::Mesh(mesh) => rig_pose.world_from_mesh(&head.meshes[mesh]),
            Self::Joint { skin, joint } => rig_pose.palette(skin).get(joint).copied().unwrap_or(Mat4::IDENTITY),
        }
    }
}

impl BoundsSource {
    /// The box of the vertices in world space, given the box of every block at rest and deformed.
    fn bounds(&self, rest: &[BlockBox], deformed: &[BlockBox]) -> Bounds {
        self.in_world(self.boxes(rest, deformed).fold(BlockBox::EMPTY, BlockBox::union))
    }

    /// The box of the vertices of each block in the space of the mesh.
    fn boxes(&self, rest: &[BlockBox], deformed: &[BlockBox]) -> impl Iterator<Item = BlockBox> + Clone {
        self.blocks.iter().map(|(block, span)| span.grown_like(rest[*block as usize], deformed[*block as usize]))
    }

    /// The box around a transformed box, rounded outwards.
    fn in_world(&self, span: BlockBox) -> Bounds {
        /// The largest deviation of the sum of a vertex's joint weights from 1.
        const SUM_ERROR: f64 = 1e-6;
        if span.min.cmpgt(span.max).any() {
            return Bounds::EMPTY;
        }
        let matrix = self.world_from_mesh.as_dmat4();
        let (center, half) = ((span.min + span.max) * 0.5, (span.max - span.min) * 0.5);
        let center = matrix.transform_point3(center);
        let half = matrix.x_axis.truncate().abs() * half.x
            + matrix.y_axis.truncate().abs() * half.y
            + matrix.z_axis.truncate().abs() * half.z;
        let half = match self.transform_source {
            TransformSource::Mesh(_) => half,
            TransformSource::Joint { .. } => half + (center.abs() + half) * SUM_ERROR,
        };
        let limit = Vec3::splat(FARTHEST);
        Bounds {
            min: round(center - half, f32::next_down).clamp(-limit, limit),
            max: round(center + half, f32::next_up).clamp(-limit, limit),
        }
    }
}

/// The bounds sources of a mesh: its joints, and its node for vertices without joints.
fn sources_of_mesh(head: &Head, order: &VertexOrder, index: usize) -> Vec<BoundsSource> {
    let mesh: &Mesh = &head.meshes[index];
    let joint_count = mesh.skin.map_or(0, |skin| head.rest_pose.palette(skin).len());
    // One list per joint, and a last one for vertices without joints.
    let mut blocks: Vec<Vec<(u32, BlockBox)>> = vec![Vec::new(); joint_count + 1];
    let (first_place, vertices) = order.vertices_in_order(index);
    for (place, vertex) in (first_place..).zip(vertices.iter().map(|&vertex| vertex as usize)) {
        let (block, position) = ((place / BLOCK_SIZE) as u32, mesh.vertices.positions[vertex]);
        let influences = if joint_count > 0 { mesh.vertices.influences.of_vertex(vertex) } else { &[] };
        let joints = influences.iter().map(|influence| influence.joint as usize);
        let none = influences.is_empty().then_some(joint_count);
        for transform_source in joints.chain(none).filter(|&transform_source| transform_source <= joint_count) {
            let blocks = &mut blocks[transform_source];
            if blocks.last().is_none_or(|(last, _)| *last != block) {
                blocks.push((block, BlockBox::EMPTY));
            }
            if let Some((_, span)) = blocks.last_mut() {
                span.include(position);
            }
        }
    }
    let blocks = blocks.into_iter().enumerate().filter(|(_, blocks)| !blocks.is_empty());
    let sources = blocks.map(|(joint, blocks)| {
        let transform_source = match mesh.skin {
            Some(skin) if joint < joint_count => TransformSource::Joint { skin, joint },
            _ => TransformSource::Mesh(index),
        };
        let world_from_mesh = transform_source.world_from_mesh(head, &head.rest_pose);
        BoundsSource { transform_source, world_from_mesh, blocks }
    });
    sources.collect()
}

/// Rounds to f32 and applies `outwards` to each number.
fn round(point: DVec3, outwards: impl Fn(f32) -> f32) -> Vec3 {
    Vec3::from(point.as_vec3().to_array().map(outwards))
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use super::*;
    use crate::blend::active::ActiveTargets;
    use crate::blend::{CpuBlend, Precision, reference};
    use smirk_face::head::{
        Asset, Influence, Influences, Joint, LocalTransform, Mesh, Node, Rig, Skin, Target, Trs, Vertices,
    };
    use smirk_scene::Normals;

    /// Four blocks in a row along x; each target moves every vertex of two of them in a direction of its own.
    fn head(world_from_mesh: Mat4) -> Head {
        let positions = (0..256).map(|at| Vec3::new(at as f32 * 0.01, (at as f32).sin() * 0.1, 0.0)).collect();
        let target = |first: u32| {
            let delta = |row: u32| Vec3::new((row * first) as f32 % 0.7 - 0.2, (row as f32).cos() * 0.1, 0.3);
            let rows: Vec<u32> = (first..first + 128).collect();
            Target { positions: rows.iter().map(|&row| delta(row)).collect(), rows, ..Target::default() }
        };
        let mesh = Mesh {
            world_from_mesh,
            vertices: Vertices { positions, ..Default::default() },
            targets: vec![target(0), target(64), target(100)],
            ..Mesh::default()
        };
        Head::from_meshes(vec![mesh])
    }

    fn contains_all(head: &Head, weights: &[f32], bounds: Bounds) -> bool {
        let world_from_mesh = head.meshes[0].world_from_mesh.as_dmat4();
        reference(head, weights, Normals::Authored).iter().all(|vertex| {
            let place = world_from_mesh.transform_point3(vertex.position);
            place.cmpge(bounds.min.as_dvec3()).all() && place.cmple(bounds.max.as_dvec3()).all()
        })
    }

    #[test]
    fn every_vertex_is_inside_after_any_sequence_of_weights() {
        for world_from_mesh in
            [Mat4::IDENTITY, Mat4::from_rotation_z(0.7) * Mat4::from_scale(Vec3::new(-2.0, 1.0, 0.5))]
        {
            let head = head(world_from_mesh);
            let mut bounds = DeformedBounds::new(&head, &Layout::new(&head, Precision::Exact));
            for weights in [[0.0; 3], [3.0, -1.0, 0.5], [3.0, -1.0, 0.0], [0.0, 0.0, -8.0], [1e6, 0.0, -1e6], [0.1; 3]]
            {
                let under = bounds.under(&weights);
                assert!(contains_all(&head, &weights, under), "{weights:?}: {under:?}");
                let mut anew = DeformedBounds::new(&head, &Layout::new(&head, Precision::Exact));
                assert_eq!(anew.under(&weights), under, "{weights:?}: the same as after a fresh start");
            }
            let rest = bounds.under(&[]);
            assert!(!contains_all(&head, &[3.0, -1.0, 0.5], rest), "a box that is too small is noticed");
        }
    }

    #[test]
    fn every_vertex_is_in_one_of_the_boxes_which_are_closer_to_the_surface() {
        let head = head(Mat4::from_rotation_z(0.7));
        let mut bounds = DeformedBounds::new(&head, &Layout::new(&head, Precision::Exact));
        for weights in [[0.0; 3], [3.0, -1.0, 0.5]] {
            let around_all = bounds.under(&weights);
            let boxes: Vec<Bounds> = bounds.boxes().collect();
            assert_eq!(Bounds::union(boxes.iter().copied()).size().max(around_all.size()), around_all.size());
            for vertex in reference(&head, &weights, Normals::Authored) {
                let place =
                    head.rest_pose.world_from_mesh(&head.meshes[0]).as_dmat4().transform_point3(vertex.position);
                let is_in = |bounds: &Bounds| {
                    place.cmpge(bounds.min.as_dvec3()).all() && place.cmple(bounds.max.as_dvec3()).all()
                };
                assert!(boxes.iter().any(is_in), "{place}");
            }
            let area = |bounds: &Bounds| bounds.size().x * bounds.size().y;
            assert!(boxes.len() > 1 && boxes.iter().all(|bounds| area(bounds) < area(&around_all)), "{boxes:?}");
        }
    }

    /// All vertices of a block move alike, so that the box is exact except for the widening.
    #[test]
    fn blended_vertices_are_inside_in_both_precisions() {
        let rigid = |index: usize| {
            let delta = Vec3::new(0.1, -0.03, 0.07) * (1.0 + index as f32 * 0.37) + Vec3::splat(1e-3 * index as f32);
            Target::from_dense(format!("target {index}"), 0.0, &[delta; 64], &[], &[])
        };
        let mesh = Mesh {
            vertices: Vertices { positions: vec![Vec3::splat(0.1); 64], ..Default::default() },
            targets: (0..40).map(rigid).collect(),
            ..Mesh::default()
        };
        let head = Head::from_meshes(vec![mesh]);
        let weights: Vec<f32> = (0..40).map(|index| 0.1 + (index as f32 * 0.61) % 0.9).collect();
        for precision in [Precision::Exact, Precision::Packed] {
            let layout = Layout::new(&head, precision);
            let (mut active, mut cpu) = (ActiveTargets::new(&layout), CpuBlend::new(&layout));
            for sign in [1.0, -1.0] {
                let weights: Vec<f32> = weights.iter().map(|weight| weight * sign).collect();
                active.update(&layout, &weights);
                cpu.evaluate(&layout, &active);
                let bounds = DeformedBounds::new(&head, &layout).under(&weights);
                let blended = cpu.vertices(&layout);
                let is_inside = |place: Vec3| place.cmpge(bounds.min).all() && place.cmple(bounds.max).all();
                assert!(blended.iter().all(|vertex| is_inside(vertex.position)), "{}", precision.label());
                let reach = blended[0].position.abs().max_element();
                assert!(
                    bounds.max.max(-bounds.min).max_element() < reach * 1.0001,
                    "no larger than it must be: {bounds:?}"
                );
            }
        }
    }

    /// The same row of blocks, skinned to five joints; two joints influence each vertex.
    fn skinned_head() -> Head {
        let mut mesh = head(Mat4::IDENTITY).asset.meshes.remove(0);
        (mesh.node, mesh.skin) = (Some(0), Some(0));
        let mut influences = Influences::default();
        for vertex in 0..mesh.vertices.len() as u32 {
            let share = vertex as f32 * 0.37 % 1.0;
            let pulls = [(vertex / 64, share), (vertex / 64 + 1, 1.0 - share)];
            influences.push(pulls.map(|(joint, weight)| Influence { joint, weight }), 0);
        }
        mesh.vertices.influences = influences;
        let node = |index: usize| Node {
            name: String::new(),
            parent: index.checked_sub(1),
            rest: LocalTransform::Trs(Trs { translation: Vec3::X * 0.3, ..Trs::IDENTITY }),
        };
        let joints = (0..5).map(|node| Joint { node, joint_from_mesh: Mat4::from_translation(Vec3::NEG_X * 0.5) });
        let skins = vec![Skin { name: String::new(), joints: joints.collect() }];
        let rig = Rig { nodes: (0..5).map(node).collect(), skins, ..Rig::default() };
        Head::new(Asset { name: "skinned".into(), meshes: vec![mesh], rig, ..Asset::default() })
    }

    #[test]
    fn every_vertex_is_inside_in_any_pose_of_the_joints() {
        let head = skinned_head();
        let mut bounds = DeformedBounds::new(&head, &Layout::new(&head, Precision::Exact));
        let outside = |rig_pose: &RigPose, weights: &[f32], bounds: Bounds| {
            let vertices = reference(&head, weights, Normals::Authored).into_iter().enumerate();
            vertices
                .filter(|(index, vertex)| {
                    let place = rig_pose.world_from_vertex(&head.meshes[0], *index).as_dmat4();
                    let place = place.transform_point3(vertex.position);
                    place.cmplt(bounds.min.as_dvec3()).any() || place.cmpgt(bounds.max.as_dvec3()).any()
                })
                .count()
        };
        let at_rest = bounds.under(&[]);
        assert_eq!(outside(&head.rest_pose, &[], at_rest), 0);
        assert!(
            at_rest.size().x < head.bounds.size().x + 2.0 * 0.3,
            "no more than its two joints are apart: {at_rest:?}"
        );
        for turn in [0.4, -2.0, 9.0] {
            let local = |node: usize| head.rig.nodes[node].rest.matrix() * Mat4::from_rotation_z(turn);
            let rig_pose = RigPose::new(&head.rig, head.rig.world_from_nodes(local));
            bounds.set_rig_pose(&head, &rig_pose);
            for weights in [[0.0; 3], [3.0, -1.0, 0.5]] {
                assert_eq!(outside(&rig_pose, &weights, bounds.under(&weights)), 0, "{turn}, {weights:?}");
                assert!(outside(&rig_pose, &weights, at_rest) > 0, "{turn}: the box at rest would have done");
            }
        }
        bounds.set_rig_pose(&head, &head.rest_pose);
        assert_eq!(bounds.under(&[]), at_rest);
    }

    #[test]
    fn one_target_alone_is_bounded_tightly() {
        let head = head(Mat4::IDENTITY);
        let mut bounds = DeformedBounds::new(&head, &Layout::new(&head, Precision::Exact));
        let rest = bounds.under(&[]);
        assert!((rest.min - head.bounds.min).abs().max_element() < 1e-6, "{rest:?}");
        assert!((rest.max - head.bounds.max).abs().max_element() < 1e-6, "{rest:?}");
        let lifted = bounds.under(&[0.0, -2.0, 0.0]);
        assert!((lifted.min.z + 0.6).abs() < 1e-4 && lifted.max.z < 1e-4, "{lifted:?}");
    }

    #[test]
    fn the_box_is_finite_under_any_weight() {
        let head = head(Mat4::IDENTITY);
        let mut bounds = DeformedBounds::new(&head, &Layout::new(&head, Precision::Exact));
        let rest = bounds.under(&[]);
        assert_eq!(bounds.under(&[f32::NAN, f32::INFINITY]), rest);
        let far = bounds.under(&[f32::MAX, f32::MIN, 1.0]);
        assert!(far.min.is_finite() && far.max.is_finite() && far.radius() > 1.0, "{far:?}");
        let nothing = Head::new(Asset { name: "nothing".into(), ..Asset::default() });
        assert!(DeformedBounds::new(&nothing, &Layout::new(&nothing, Precision::Exact)).under(&[1.0]).is_empty());
    }
}
