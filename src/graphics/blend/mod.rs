//! Blending: from weights to vertices, in four interchangeable modes, and the reference that they are compared with.
//!
//! glTF 2.0 §3.7.2.2: `attribute = base + Σ wᵢ · deltaᵢ`, normals and tangents renormalised afterwards. The vertex mode
//! and the multi-pass mode follow NVIDIA's Dawn demo (GPU Gems 3, chapter 3, "DirectX 10 Blend Shapes: Breaking the
//! Limits"): the first corresponds to its buffer-template method, the second to its Stream Out method.
//!
//! - `reference` defines the correct result, in f64, and measures how far a mode deviates from it.
//! - `layout` arranges the base vertices and the deltas in memory, the same for the CPU and the GPU. It counts
//!   in-betweens as targets, and divides the weight of a target among its shapes.
//! - `active` lists the targets whose weight is not zero, block by block, and the blocks that changed.
//! - `cpu` and `gpu` are the modes, which [`BlendMode`](smirk_scene::BlendMode) names. `gpu/blender` keeps all modes of
//!   one head ready to switch to; `gpu/late_blender` makes it once it is needed.
//! - `normals` recomputes normals from the deformed surface.
//! - `bounds` are boxes around the deformed head.

mod active;
mod bounds;
mod cpu;
mod gpu;
mod layout;
mod normals;
mod reference;

pub use active::{ActiveEntry, ActiveTargets};
pub use bounds::DeformedBounds;
pub use cpu::CpuBlend;
pub use gpu::{
    BlendPipelines, Blended, Blender, ChangedBlock, LateBlender, Memory, MorphBlock, MorphEntry, Run, Unavailable,
    shaders,
};
pub use layout::{BLOCK_SIZE, ColumnData, LaidOut, Layout, Precision, VertexOrder};
pub use normals::{BlockList, NormalTables, SmoothVertex};
pub use reference::{Deviation, ReferenceVertex, compare, reference};

use glam::{Vec3, Vec4};

/// A blended direction shorter than this is meaningless, and the base's is used instead.
const VANISHING_LENGTH: f64 = 1e-6;

/// If the vectors of the triangles' areas at rest add up to less than this part of the sum of their lengths, the
/// direction of the surface is undefined.
const VANISHING_AREA: f64 = 1e-4;

/// If the area of the deformed triangles is less than this part of their area at rest, their normal fades out.
const FADING_AREA: f64 = 0.1;

/// A blended vertex, in mesh space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MorphedVertex {
    /// In mesh space, in the file's unit.
    pub position: Vec3,
    /// Unit length, or zero if the file has no normals.
    pub normal: Vec3,
    /// xyz: the direction, of unit length; w: the sign of the bitangent. Zero if the file has no tangents.
    pub tangent: Vec4,
}

/// A target's weight as every mode uses it. Missing and non-finite weights are 0, so that they make no vertex infinite
/// or NaN.
fn usable_weight(weights: &[f32], target: usize) -> f32 {
    weights.get(target).copied().filter(|weight| weight.is_finite()).unwrap_or(0.0)
}
