//! A scene, and the renderer that draws it into an image.
//!
//! - [`scene`]: what is looked at, from where, in what light. [`render`]: a scene to an image.
//! - [`pick`]: what is under the pointer. [`ambient_occlusion`]: how much light from around the head reaches each vertex.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod ambient_occlusion;
pub mod pick;
pub mod render;
pub mod scene;
