//! A scene, and the renderer that draws it into an image.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod openness;
pub mod pick;
pub mod render;
pub mod scene;
