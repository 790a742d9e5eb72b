//! What is found out about the shapes of a head. It is added to the viewer: opening, moving and drawing a head need
//! none of it.
//!
//! - [`lint`]: problems found in the shapes of a head. [`judge`]: what breaks when expressions are combined.
//! - [`measure`]: what a shape does to the vertices.
//! - [`mend`]: the shapes repaired, as another head.
//! - [`sequences`]: how far two recordings of one face are apart.
//! - [`solve`]: the weights that show a face of which the vertices are known over time.
//! - [`transfer`]: the shapes of one head on another.
//! - [`voice`]: the mouth that says what labels or a sound say.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod judge;
pub mod lint;
mod marked;
pub mod measure;
pub mod mend;
mod mirror;
mod moved;
pub mod sequences;
pub mod solve;
mod toml_file;
pub mod transfer;
mod tree;
pub mod voice;

pub use marked::{FaceSearch, Marked};
pub use toml_file::TomlError;
