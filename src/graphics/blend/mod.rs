//! Blending: from weights to vertices, in four interchangeable modes, and the reference that they are compared with.
//!
//! glTF 2.0 §3.7.2.2: `attribute = base + Σ wᵢ · deltaᵢ`, normals and tangents renormalised afterwards. The vertex mode and
//! the multi-pass mode follow NVIDIA's Dawn demo (GPU Gems 3, chapter 3, "DirectX 10 Blend Shapes: Breaking the Limits"): the
//! first corresponds to its buffer-template method, the second to its Stream Out method.
//!
//! - `reference` defines the correct result, in f64, and measures how far a mode deviates from it.
//! - `layout` arranges the base vertices and the deltas in memory, the same for the CPU and the GPU. It counts in-betweens as
//!   targets, and divides the weight of a target among its shapes.
//! - `active` lists the targets whose weight is not zero, block by block, and the blocks that changed.
//! - `cpu` and `gpu` are the modes; `mode` names them. `gpu/blender` keeps all modes of one head ready to switch to;
//!   `gpu/late_blender` makes it once it is needed.
//! - `normals` recomputes normals from the deformed surface, on the CPU and on the GPU.
//! - `bounds` are boxes around the deformed head; `bounds_source` is the node or joint that moves some of its vertices.

mod active;
mod bounds;
mod bounds_source;
mod cpu;
mod gpu;
mod layout;
mod mode;
mod normals;
mod reference;

pub use active::ActiveEntry;
pub use active::ActiveTargets;
pub use bounds::DeformedBounds;
pub use cpu::CpuBlend;
pub use gpu::{BlendPipelines, Blended, LateBlender};
pub use gpu::{Blender, ChangedBlock, Memory, MorphBlock, MorphEntry, Run, shaders};
pub use layout::ColumnData;
pub use layout::{BLOCK_SIZE, Layout, Precision, VertexPlaces};
pub use mode::BlendMode;
pub use normals::{BlockList, NormalTables, Normals, SmoothVertex};
pub use normals::{Groups, triangles};
pub use reference::MorphedVertex;
pub use reference::{Deviation, ReferenceVertex, compare, reference};
