//! From weights to shape, in four interchangeable ways, and the definition they are held against.
//!
//! glTF 2.0 §3.7.2.2: `attribute = base + Σ wᵢ · deltaᵢ`, normals and tangents renormalised afterwards.
//! After NVIDIA's Dawn demo (GPU Gems 3, chapter 3, "DirectX 10 Blend Shapes: Breaking the Limits"): the multi-pass
//! mode stands for its Stream Out method, the vertex mode for its buffer-template method.
//!
//! - How deltas lie: `order` of the vertices, `column`s of floats or packed `word`s, the `tolerance` for packing and the work of
//!   `laying` them out, all `deltas`, the `layout`; `precision` and `memory` say what that costs.
//! - What is to be done: `active` targets, block by block.
//! - Who does it: `cpu` with its `kernel`, `in_shader`, `compute`, `multipass`; on the GPU with the same `tables`,
//!   `buffers`, `bindings`, `pages` and `shaders`. `support` says which modes an adapter can do, `blender` keeps them all warm.
//! - Normals: `normals` chooses, `smoothing` finds who shares one, `recompute` lists it, `recompute_on_cpu` and
//!   `recompute_on_gpu` do it, `recomputing` decides when.
//! - `reference` defines what is right, in f64. `bounds` contain whatever came out.

mod active;
mod bindings;
mod blender;
mod bounds;
mod buffers;
mod column;
mod compute;
mod cpu;
mod deltas;
mod hold;
mod in_shader;
mod kernel;
mod laying;
mod layout;
mod memory;
mod morphed;
mod multipass;
mod normals;
mod order;
mod pages;
mod precision;
mod recompute;
mod recompute_on_cpu;
mod recompute_on_gpu;
mod recomputing;
mod reference;
pub mod shaders;
mod smoothing;
mod support;
mod tables;
mod tolerance;
mod word;

pub use active::{Active, Entry};
pub use blender::Blender;
pub use bounds::DeformedBounds;
pub use column::place_in_column;
pub use cpu::CpuBlend;
pub use deltas::{Columns, Deltas};
pub use layout::{BLOCK_SIZE, Layout, Place};
pub use memory::Memory;
pub use morphed::MorphedVertex;
pub use multipass::TARGETS_PER_PASS;
pub use normals::Normals;
pub use precision::Precision;
pub use recompute::{Listed, Recompute, SmoothVertex};
pub use reference::{Deviation, ReferenceVertex, compare, reference};
pub use tables::{ChangedBlock, MorphBlock, MorphEntry, Run};

use serde::{Deserialize, Serialize};

/// Who adds up the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlendMode {
    /// Rust code on the processor, uploaded.
    Cpu,
    /// The vertex stage, while drawing: a loop over the active targets.
    Vertex,
    /// One compute pass that writes the vertex buffer.
    Compute,
    /// Four targets a pass, back and forth between two buffers: what Dawn did with Stream Out.
    Multipass,
}

impl BlendMode {
    /// In the order of the combo box and of keys 1-4.
    pub const ALL: [Self; 4] = [Self::Cpu, Self::Vertex, Self::Compute, Self::Multipass];

    /// What the combo box says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Vertex => "Vertex shader",
            Self::Compute => "Compute",
            Self::Multipass => "Multi-pass",
        }
    }

    /// Its name on the command line.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Vertex => "vertex",
            Self::Compute => "compute",
            Self::Multipass => "multipass",
        }
    }
}

/// Where the shape is: the one seam between blending and drawing.
#[derive(Clone, Copy, Debug)]
pub enum Blended<'a> {
    /// Vertex slot 0, written.
    Buffer(&'a wgpu::Buffer),
    /// Still to be summed by the vertex stage: bind as group 1, with the base in the slots. Where normals are
    /// [recomputed](Blender::is_recomputed) they are in [`Blender::buffer`] already, to be taken as they are.
    InShader(&'a wgpu::BindGroup),
}

/// A target's weight as the modes use it: missing and non-finite ones are 0, so that no vertex is ever lost to them.
fn usable_weight(weights: &[f32], target: usize) -> f32 {
    weights.get(target).copied().filter(|weight| weight.is_finite()).unwrap_or(0.0)
}
