//! Bounds sources: the nodes and joints that transform vertices to world space. [`DeformedBounds`](super::DeformedBounds) uses
//! them to compute a box in world space.
//!
//! The position of a skinned vertex is the weighted mean of the positions that each of its joints alone would give it. So it is
//! inside the union of these boxes: for every joint and block, the box of the vertices that the joint influences, transformed by
//! the joint.

use glam::{DVec3, Mat4, Vec3};

use super::layout::{BLOCK_SIZE, VertexPlaces};
use smirk_face::head::{Bounds, Head, Mesh, RigPose};

/// Boxes are clamped to this distance from the origin, whose square is still finite in f32.
const FARTHEST: f32 = 1e15;

/// A box in a mesh's own space, in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockBox {
    pub min: DVec3,
    pub max: DVec3,
}

impl BlockBox {
    pub(super) const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    pub(super) fn include(&mut self, point: Vec3) {
        if point.is_finite() {
            (self.min, self.max) = (self.min.min(point.as_dvec3()), self.max.max(point.as_dvec3()));
        }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// This box, enlarged on each side as much as `deformed` is larger than `rest`.
    pub(super) fn grown_like(self, rest: Self, deformed: Self) -> Self {
        if self.min == rest.min && self.max == rest.max {
            return deformed;
        }
        Self { min: self.min + (deformed.min - rest.min), max: self.max + (deformed.max - rest.max) }
    }

    /// Adds `weight` times any point of `deltas` to any point.
    pub(super) fn add_scaled(&mut self, weight: f64, deltas: &Bounds) {
        let (low, high) = (deltas.min.as_dvec3() * weight, deltas.max.as_dvec3() * weight);
        self.min += low.min(high);
        self.max += low.max(high);
    }
}

/// The vertices that one node or joint transforms to world space.
#[derive(Clone, Debug)]
pub(super) struct BoundsSource {
    transform_source: TransformSource,
    world_from_mesh: Mat4,
    /// The blocks with such vertices, and the box of these vertices at rest.
    blocks: Vec<(u32, BlockBox)>,
}

/// The node or joint of a bounds source.
#[derive(Clone, Copy, Debug)]
enum TransformSource {
    /// The node of a mesh, if it has one.
    Mesh(usize),
    /// A joint of a skin.
    Joint { skin: usize, joint: usize },
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
    /// Moves the vertices to `rig_pose`.
    pub(super) fn set_rig_pose(&mut self, head: &Head, rig_pose: &RigPose) {
        self.world_from_mesh = self.transform_source.world_from_mesh(head, rig_pose);
    }

    /// The box of the vertices in world space, given the box of every block at rest and deformed.
    pub(super) fn bounds(&self, rest: &[BlockBox], deformed: &[BlockBox]) -> Bounds {
        let grown = |(block, span): &(u32, BlockBox)| span.grown_like(rest[*block as usize], deformed[*block as usize]);
        self.in_world(self.blocks.iter().map(grown).fold(BlockBox::EMPTY, BlockBox::union))
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
pub(super) fn sources_of_mesh(head: &Head, places: &VertexPlaces, index: usize) -> Vec<BoundsSource> {
    let mesh: &Mesh = &head.meshes[index];
    let joint_count = mesh.skin.map_or(0, |skin| head.rest_pose.palette(skin).len());
    // One list per joint, and a last one for vertices without joints.
    let mut blocks: Vec<Vec<(u32, BlockBox)>> = vec![Vec::new(); joint_count + 1];
    let (first_place, vertices) = places.vertices_in_order(index);
    for (place, vertex) in (first_place..).zip(vertices.iter().map(|&vertex| vertex as usize)) {
        let (block, position) = ((place / BLOCK_SIZE) as u32, mesh.vertices.positions[vertex]);
        let influences = if joint_count > 0 { mesh.vertices.influences.of(vertex) } else { &[] };
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
    let transform_source = |joint| match mesh.skin {
        Some(skin) if joint < joint_count => TransformSource::Joint { skin, joint },
        _ => TransformSource::Mesh(index),
    };
    let source = |(joint, blocks): (usize, Vec<(u32, BlockBox)>)| {
        let transform_source = transform_source(joint);
        BoundsSource {
            transform_source,
            world_from_mesh: transform_source.world_from_mesh(head, &head.rest_pose),
            blocks,
        }
    };
    blocks.into_iter().enumerate().filter(|(_, blocks)| !blocks.is_empty()).map(source).collect()
}

/// Rounds to f32 and applies `outwards` to each number.
fn round(point: DVec3, outwards: impl Fn(f32) -> f32) -> Vec3 {
    Vec3::from(point.as_vec3().to_array().map(outwards))
}
