//! Materials (glTF 2.0 §3.9), their extensions, and the textures they use.

mod images;
mod material_extensions;
mod material_textures;
mod materials;
mod texture_cache;
mod texture_use;
mod toon;
mod uv_sets;

pub(super) use self::images::images_of_texture;
pub(crate) use self::images::{ImageLocation, Images};
pub(crate) use self::material_extensions::emissive_strength;
pub(super) use self::material_textures::MaterialTextures;
pub(crate) use self::materials::read_materials;
pub(super) use self::texture_cache::ReadTextures;
pub(crate) use self::toon::EXTENSION as TOON_EXTENSION;
pub(crate) use self::uv_sets::{
    PrimitiveUvSets, UvSets, VARIANTS_EXTENSION, uv_sets_of_primitives, variant_mappings, variant_materials,
};
