//! Materials and the textures they use.

mod materials;
mod textures;

pub use self::materials::read_materials;
