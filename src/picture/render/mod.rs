//! Draws a [`Scene`](smirk_scene::Scene) into an image. This module owns the GPU objects that a picture needs: vertices
//! that never change, materials, pipelines, the images that are drawn into and the shadow map of the key light. It
//! depends neither on the session nor on the window, and reads no files.
//!
//! The renderer keeps a copy of the scene that it drew last, and does nothing if it is called with the same scene
//! again.
//!
//! Bind groups are ordered by how often they change: 0 the frame, 1 the targets that the vertex shader sums (vertex
//! mode only), 2 the mesh, 3 the material.
//!
//! - `renderer`: the entry point. `head_on_gpu`: all GPU objects of one head. `effort`: how much an adapter can afford.
//!   `usual_surfaces`: pipelines that many heads need.
//! - `output`: the image that is drawn into, and a copy of the scene that it shows. `batch`: how much of it is drawn at
//!   once. `pixel_rect`: the parts of a picture. `target`: the textures of an image.
//! - `passes`: the render passes. `refinement`: the samples of a picture that rests. `pipelines`: those of surfaces.
//! - `geometry`: vertices, meshes, skins, draws. `strands`: hair. `surface`: kinds of surfaces, materials, textures,
//!   transparency. `views`: pictures of the surface that show something else than its materials. `light`: the shadow
//!   map and the lights. `timing`: how long the GPU took.

mod batch;
mod effort;
mod frame_uniforms;
mod geometry;
mod head_on_gpu;
mod light;
mod output;
mod passes;
mod pipelines;
mod pixel_rect;
mod refinement;
mod renderer;
mod shaders;
mod strands;
mod surface;
mod target;
mod timing;
mod usual_surfaces;
mod views;

pub use head_on_gpu::{HeadOnGpu, UploadError};
pub use passes::Blit;
pub use pixel_rect::PixelRect;
pub use renderer::{DrawError, Drawn, PendingPicture, Renderer};
pub use target::{Pixels, largest_picture};
pub use timing::TimingClock;
pub use usual_surfaces::UsualSurfaces;
