//! Draws a [`Scene`](crate::scene::Scene) into an image. This module owns what a picture needs on the GPU: vertices that
//! never change, materials, pipelines, the images drawn into and the shadow map of the key light. It does not know the
//! session, the window or any file.
//!
//! The renderer keeps a copy of what it drew last and does nothing when the same scene comes again.
//!
//! Bind groups are ordered by how often they change: 0 the frame, 1 the targets that the vertex shader sums (vertex
//! mode only), 2 the mesh, 3 the material.
//!
//! - `renderer`: the entry point. `head_on_gpu`: all GPU objects of one head.
//! - `output`: the image drawn into, and the record of what it shows.
//! - `passes`: one file for each render pass, and the background that is drawn within the picture's pass.
//! - `geometry`: vertices, meshes, skins, draws. `surface`: materials, textures, transparency, pipelines.
//!   `light`: the shadow map and the lights. `timing`: how long the GPU took.

mod frame_uniforms;
mod geometry;
mod head_on_gpu;
mod last_drawn;
mod light;
mod output;
mod passes;
mod renderer;
mod shaders;
mod surface;
mod target;
mod timing;

pub use head_on_gpu::HeadOnGpu;
pub(crate) use passes::{Blit, PixelRect};
pub(crate) use renderer::HeadNotUploaded;
pub use renderer::Renderer;
pub use timing::TimingClock;
