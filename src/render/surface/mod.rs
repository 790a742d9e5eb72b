//! Materials and textures on the GPU, transparency, and the pipelines that draw each kind of surface.

mod kind;
mod material_uniforms;
mod materials;
mod mipmaps;
mod pipelines;
mod textures;
mod transparency;

pub use kind::SurfaceKind;
pub use materials::bind_groups;
pub use pipelines::Pipelines;
pub use transparency::{Alpha, AlphaPass, TextureAlphas};

#[cfg(test)]
pub use kind::Finish;
#[cfg(test)]
pub use material_uniforms::{MaterialUniforms, UvTransformUniforms};
