//! What the readers of several formats do with meshes: triangles of polygons, normals and tangents that a file lacks, unusual sizes,
//! colours that hide textures.

mod color_check;
mod normals;
mod polygon;
mod size_check;
mod tangents;

pub use self::color_check::note_black_colors;
pub use self::normals::smooth_normals;
pub use self::polygon::{MOST_TO_CLIP, triangulate};
pub use self::size_check::{note_unusual_size, note_unusual_sizes};
pub use self::tangents::{GeneratedTangents, TangentRange};
