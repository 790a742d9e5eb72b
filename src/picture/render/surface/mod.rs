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

pub use kind::SurfaceKind;
pub use material_uniforms::EyesUniforms;
pub use materials::{Materials, bind_group_layout as material_bind_group_layout};
pub use pipeline_builder::sample_targets;
pub use pipelines::{Drawn, Pipelines};
pub use tier::Tier;
pub use transparency::{Alpha, AlphaPass, AlphaRange};

#[cfg(test)]
pub use kind::Finish;
#[cfg(test)]
pub(crate) use material_uniforms::{MaterialUniforms, UvTransformUniforms};
