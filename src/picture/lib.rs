//! The renderer, which draws a scene into an image.
//!
//! - [`render`]: a scene to an image.
//! - [`pick`]: what is under the pointer. [`drag`]: what a drag of it moves. [`ambient_occlusion`]: how much light from
//!   around the head reaches each vertex.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod ambient_occlusion;
pub mod drag;
pub mod pick;
pub mod render;
