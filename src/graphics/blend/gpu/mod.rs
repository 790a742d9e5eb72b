//! The blend modes that run on the GPU, and the buffers, bindings and shaders they share.

pub(super) mod bindings;
mod blender;
mod late_blender;
mod modes;
mod normal_recompute;
mod on_gpu;
pub mod shaders;
mod support;
mod tables;
mod unavailable;

pub(super) use bindings::morph_constants;
pub use blender::{Blended, Blender, Memory};
pub use late_blender::LateBlender;
pub(super) use modes::{ComputeBlend, ComputePipeline, InShaderBlend, MultipassBlend, MultipassPipelines};
pub use on_gpu::BlendPipelines;
pub(super) use on_gpu::{VertexBuffers, sum_bytes};
pub(super) use support::{Support, find as find_support};
pub(super) use tables::MorphTables;
pub use tables::{ChangedBlock, MorphBlock, MorphEntry, Run};
pub use unavailable::Unavailable;
