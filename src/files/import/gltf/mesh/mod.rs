//! Meshes (glTF 2.0 §3.7): vertices, triangles, morph targets and skins.
//!
//! ```text
//! primitive, target_names, targets, uv_color_deltas ─► geometry (normals and tangents completed) ─► meshes ◄─ skins
//! ```

mod geometry;
mod meshes;
mod primitive;
mod skins;
mod strands;
mod targets;
mod unit_directions;
mod uv_color_deltas;
mod vertex_range;

pub(crate) use self::meshes::{InstanceSource, Meshes, read_meshes};
