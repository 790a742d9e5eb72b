//! What the readers of several formats do with meshes: triangles of polygons, normals and tangents that a file lacks,
//! unusual sizes, colours that hide textures, and the skins of a file.

mod checks;
mod polygon;
mod skins;
mod tangents;

pub(crate) use self::checks::{note_black_colors, note_unusual_size, note_unusual_sizes};
pub(crate) use self::polygon::{MOST_TO_CLIP, triangulate};
pub(crate) use self::skins::Skins;
pub(crate) use self::tangents::{GeneratedTangents, TangentRange, smooth_normals};
