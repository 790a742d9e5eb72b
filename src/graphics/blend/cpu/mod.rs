//! The CPU blend mode.

mod cpu_blend;
mod kernel;

pub use cpu_blend::CpuBlend;
