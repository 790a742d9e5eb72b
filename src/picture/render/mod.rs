//! Draws a [`Scene`](crate::scene::Scene) into an image. This module owns the GPU objects that a picture needs: vertices that
//! never change, materials, pipelines, the images that are drawn into and the shadow map of the key light. It depends neither
//! on the session nor on the window, and reads no files.
//!
//! The renderer keeps a copy of the scene that it drew last, and does nothing if it is called with the same scene again.
//!
//! Bind groups are ordered by how often they change: 0 the frame, 1 the targets that the vertex shader sums (vertex
//! mode only), 2 the mesh, 3 the material.
//!
//! - `renderer`: the entry point. `head_on_gpu`: all GPU objects of one head. `uploaded`: its buffers and textures.
//!   `usual_surfaces`: pipelines that many heads need.
//! - `output`: the image that is drawn into, and a copy of the scene that it shows. `pace`: how much of it is drawn at once.
//!   `region`: the parts of a large picture. `pixels`: those of a screen, and those of linear light.
//! - `passes`: one file for each render pass, and the background that is drawn within the picture's pass.
//! - `refinement`: the samples of a picture that rests.
//! - `geometry`: vertices, meshes, skins, draws. `strands`: hair. `surface`: materials, textures, transparency, pipelines.
//!   `views`: pictures of the surface that show something else than its materials. `light`: the shadow map and the lights. `timing`: how long the GPU took.

mod frame_uniforms;
mod geometry;
mod head_on_gpu;
mod last_drawn;
mod light;
mod output;
mod pace;
mod passes;
mod pixels;
mod refinement;
mod region;
mod renderer;
mod shaders;
mod strands;
mod surface;
mod target;
mod timing;
mod uploaded;
mod usual_surfaces;
mod views;

pub use head_on_gpu::{HeadOnGpu, UploadError};
pub use passes::{Blit, PixelRect};
pub use pixels::Pixels;
pub use renderer::{Drawn, HeadNotUploaded};
pub use renderer::{PendingPicture, Renderer};
pub use target::largest_picture;
pub use timing::TimingClock;
pub use usual_surfaces::UsualSurfaces;
