//! The blend modes that run on the GPU: what each has besides the tables that all share.

mod compute;
mod in_shader;
mod multipass;

pub(in crate::blend) use compute::{ComputeBlend, ComputePipeline};
pub(in crate::blend) use in_shader::{InShaderBlend, bound_pages};
pub(in crate::blend) use multipass::{MultipassBlend, MultipassPipelines};
#[cfg(test)]
pub(in crate::blend) use {in_shader::READ_BACK_WIDTH, multipass::TARGETS_PER_PASS};
