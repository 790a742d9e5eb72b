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
mod uv_color_deltas;

pub(crate) use self::meshes::{Meshes, read_meshes};
