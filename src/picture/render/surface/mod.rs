//! Materials and textures on the GPU, transparency, and the pipelines that draw each kind of surface.

#[cfg(test)]
mod functions_tests;
mod kind;
mod lash_cards;
mod materials;
mod mipmaps;
mod relief;
mod rows;
mod textures;
mod toon;
mod transparency;

pub(super) use kind::{Finish, SurfaceKind};
pub(super) use lash_cards::places_on_cards;
pub(super) use materials::{EyesUniforms, Materials, bind_group_layout as material_bind_group_layout};
#[cfg(test)]
pub(crate) use materials::{MaterialUniforms, UvTransformUniforms};
#[cfg(test)]
pub(crate) use relief::Relief;
#[cfg(test)]
pub(crate) use toon::ToonUniforms;
pub(super) use toon::{ToonKind, bind_group_layout as toon_bind_group_layout, outline_reach, queue_of};
pub(super) use transparency::{Alpha, AlphaPass, AlphaRange};
