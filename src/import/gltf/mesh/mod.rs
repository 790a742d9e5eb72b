//! Meshes (glTF 2.0 §3.7): vertices, triangles, morph targets and skins.

mod geometry;
mod meshes;
mod primitive;
mod skins;
mod tangents;
mod target_names;
mod targets;
mod unit_directions;
mod uv_color_deltas;
mod vertex_range;

pub use self::meshes::{Context, Meshes, read_all as read_meshes};
pub use self::uv_color_deltas::{PaintTargets, find as find_paint};
