//! From bytes to typed lists, buffers and numbers. Nothing here depends on what a mesh or a material is made of.
//!
//! ```text
//! bytes ─ container ─► JSON ─ prepare ─► checked JSON ─► document, uv_color_targets
//!                                                           │
//!                                    binary chunk, files ─► buffers ─► views (decompressed by meshopt) ─► accessors
//!                                                                       └─► draco (decompressed meshes) ─┘
//! ```

mod accessors;
mod buffers;
mod container;
mod document;
mod draco;
mod meshopt;
mod prepare;
mod views;

pub(crate) use self::accessors::{Accessors, Elements};
pub(crate) use self::buffers::{Buffers, fetch};
pub(super) use self::container::split;
pub(crate) use self::document::{GltfDocument, lookup};
pub(crate) use self::draco::decode_draco;
pub use self::meshopt::{MeshoptFilter, MeshoptLayout, MeshoptMode, decode_meshopt};
pub(crate) use self::prepare::{SUPPORTED, UvColorTarget, prepare};
pub(crate) use self::views::Views;
