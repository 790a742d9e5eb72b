//! Blending and drawing on the software adapter.
#![allow(clippy::unwrap_used, reason = "a test")]

mod bounds;
mod bundled_head;
mod drag;
mod gpu;
mod heads_parity;
mod maps;
mod material_expressions;
mod normals;
mod parity;
mod pictures;
mod shaders;
mod skins;
mod toon;
mod transparency;
mod uv_color_targets;
mod variants_lights_cameras;
