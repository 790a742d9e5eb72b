//! Materials and the textures they use.

mod materials;
mod textures;

pub(crate) use self::materials::read_materials;
