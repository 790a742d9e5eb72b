//! Materials (glTF 2.0 §3.9), their extensions, and the textures they use.

mod extension_object;
mod images;
mod material_extensions;
mod materials;
mod specular_glossiness;
mod texture_cache;
mod texture_use;
mod uv_sets;

pub use self::images::Images;
pub use self::materials::read_all as read_materials;
pub use self::uv_sets::{Kept, UvSets, of_primitives};
