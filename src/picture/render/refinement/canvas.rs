//! The image that a refined picture is drawn into.

use crate::render::Pixels;
use crate::render::region::Tile;

/// The image that a refined picture is drawn into.
#[derive(Clone, Copy, Debug)]
pub(in crate::render) struct Canvas<'a> {
    /// The part of the picture that the image shows.
    pub tile: Tile,
    /// The view of the image that is drawn into.
    pub view: &'a wgpu::TextureView,
    /// The same image with the picture of the moving tier; none for [`Pixels::Light`], of which there is no such picture.
    pub moving: Option<&'a wgpu::Texture>,
    pub pixels: Pixels,
}
