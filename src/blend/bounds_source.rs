//! Who puts which vertices into the world: a mesh's node, or the joints they hang on. For [`DeformedBounds`](super::DeformedBounds).
//!
//! A vertex that hangs on joints is a mean of where each of them alone would put it: it is in the box around what each joint
//! makes of the box of those of its block that hang on it. Knows no wgpu.

use glam::{DVec3, Mat4, Vec3};

use crate::head::{Bounds, Head, Mesh, RigPose};

/// Nothing is further out than this: squares of it are still numbers.
const FARTHEST: f32 = 1e15;

/// A box in a mesh's own space, in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockBox {
    pub min: DVec3,
    pub max: DVec3,
}

impl BlockBox {
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    pub fn include(&mut self, point: Vec3) {
        if point.is_finite() {
            (self.min, self.max) = (self.min.min(point.as_dvec3()), self.max.max(point.as_dvec3()));
        }
    }

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The same with as much around it as `deformed` has around `rest`.
    pub fn grown_like(self, rest: Self, deformed: Self) -> Self {
        if self.min == rest.min && self.max == rest.max {
            return deformed;
        }
        Self { min: self.min + (deformed.min - rest.min), max: self.max + (deformed.max - rest.max) }
    }

    /// Adds `weight` times any point of `deltas` to any point.
    pub fn add_scaled(&mut self, weight: f64, deltas: &Bounds) {
        let (low, high) = (deltas.min.as_dvec3() * weight, deltas.max.as_dvec3() * weight);
        self.min += low.min(high);
        self.max += low.max(high);
    }
}

/// Vertices that something puts into the world.
#[derive(Clone, Debug)]
pub(super) struct BoundsSource {
    transform_source: TransformSource,
    world_from_mesh: Mat4,
    /// Per block with such vertices, their box at rest.
    blocks: Vec<(u32, BlockBox)>,
}

/// What puts vertices into the world.
#[derive(Clone, Copy, Debug)]
enum TransformSource {
    /// The node of a mesh, or nothing.
    Mesh(usize),
    /// A joint.
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
    /// Moves what it holds to where `rig_pose` has it.
    pub fn set_rig_pose(&mut self, head: &Head, rig_pose: &RigPose) {
        self.world_from_mesh = self.transform_source.world_from_mesh(head, rig_pose);
    }

    /// A box in the world around what it holds, given every block's box at rest and now.
    pub fn bounds(&self, rest: &[BlockBox], deformed: &[BlockBox]) -> Bounds {
        let grown = |(block, span): &(u32, BlockBox)| span.grown_like(rest[*block as usize], deformed[*block as usize]);
        self.in_world(self.blocks.iter().map(grown).fold(BlockBox::EMPTY, BlockBox::union))
    }

    /// The box around a box where it is held, rounded outwards.
    fn in_world(&self, span: BlockBox) -> Bounds {
        /// By so much the pulls on a vertex may miss adding up to 1.
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

/// What puts a mesh's vertices into the world, and which.
pub(super) fn sources_of_mesh(head: &Head, index: usize, block_of: impl Fn(usize) -> u32) -> Vec<BoundsSource> {
    let mesh: &Mesh = &head.meshes[index];
    let joint_count = mesh.skin.map_or(0, |skin| head.rest_pose.palette(skin).len());
    // The last one: vertices that hang on nothing.
    let mut blocks: Vec<Vec<(u32, BlockBox)>> = vec![Vec::new(); joint_count + 1];
    for (vertex, &position) in mesh.vertices.positions.iter().enumerate() {
        let block = block_of(vertex);
        let pulls = if joint_count > 0 { mesh.vertices.influences.of(vertex) } else { &[] };
        let joints = pulls.iter().map(|pull| pull.joint as usize);
        let none = pulls.is_empty().then_some(joint_count);
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
            blocks: joined(blocks),
        }
    };
    blocks.into_iter().enumerate().filter(|(_, blocks)| !blocks.is_empty()).map(source).collect()
}

/// Each block once.
fn joined(mut blocks: Vec<(u32, BlockBox)>) -> Vec<(u32, BlockBox)> {
    blocks.sort_by_key(|(block, _)| *block);
    blocks.dedup_by(|(block, span), (kept, whole)| {
        let is_same = block == kept;
        if is_same {
            *whole = whole.union(*span);
        }
        is_same
    });
    blocks
}

/// To f32, each number moved once more, by `outwards`.
fn round(point: DVec3, outwards: impl Fn(f32) -> f32) -> Vec3 {
    Vec3::from(point.as_vec3().to_array().map(outwards))
}
