//! What it costs to keep a head ready.

use super::Precision;

/// What a head's blending takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// How exactly deltas are kept.
    pub precision: Precision,
    /// Bytes of deltas, on the GPU as in memory.
    pub delta_bytes: u64,
    /// Bytes of everything in memory.
    pub cpu_bytes: u64,
    /// Bytes of everything on the GPU.
    pub gpu_bytes: u64,
}
