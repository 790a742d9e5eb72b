//! Materials and textures on the GPU, transparency, and the pipelines that draw each kind of surface.

mod blocks;
#[cfg(test)]
mod functions_tests;
mod kind;
mod material_uniforms;
mod materials;
mod mipmaps;
mod pipeline_builder;
mod pipelines;
mod textures;
mod tier;
mod transparency;

pub(super) use kind::SurfaceKind;
pub(super) use material_uniforms::EyesUniforms;
pub(super) use materials::{Materials, bind_group_layout as material_bind_group_layout};
pub(super) use pipeline_builder::sample_targets;
pub(super) use pipelines::{Drawn, Pipelines};
pub(super) use tier::Tier;
pub(super) use transparency::{Alpha, AlphaPass, AlphaRange};

#[cfg(test)]
pub(super) use kind::Finish;
#[cfg(test)]
pub(crate) use material_uniforms::{MaterialUniforms, UvTransformUniforms};
