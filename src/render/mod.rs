//! A [`Scene`](crate::scene::Scene) to an image. Owns what a picture needs on the GPU: vertices that never change,
//! materials, pipelines, the offscreen target, the key light's shadow. Knows no session, no window and no file.
//!
//! Dirty by comparison: the renderer keeps what it drew last and does nothing when asked for the same again.
//! Bind groups by rate of change: 0 the frame, 1 the blender's (vertex mode only), 2 the mesh, 3 the material.

mod background;
mod blit;
mod draw_list;
mod drawn;
mod draws;
mod head_on_gpu;
mod lamps;
mod material_uniforms;
mod materials;
mod mesh_table;
mod mipmaps;
mod painted;
mod pipelines;
mod renderer;
mod shaders;
mod shadow;
mod skins;
mod stage;
mod stopwatch;
mod target;
mod timing;
mod transparency;
mod uniforms;

pub use blit::{Blit, PixelRect};
pub use head_on_gpu::HeadOnGpu;
pub use renderer::Renderer;
pub use timing::{Timing, TimingClock};
