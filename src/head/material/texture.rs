//! Pictures on surfaces: their texels, how they are read, and where on a surface they lie.

use std::sync::Arc;

use glam::{Affine2, Vec2};

/// A texture as a material reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureRef {
    /// Index into [`super::Head::textures`].
    pub texture: usize,
    /// At which of a vertex's places: [`uvs`](super::Vertices::uvs) or [`second_uvs`](super::Vertices::second_uvs).
    pub uv_set: UvSet,
    /// Moves, turns and scales places on their way to the texture (`KHR_texture_transform`).
    pub texture_from_uv: Affine2,
}

impl TextureRef {
    /// Whether it is read where the first set says.
    pub fn is_plain(&self) -> bool {
        self.uv_set == UvSet::First && self.texture_from_uv == Affine2::IDENTITY
    }

    /// Where in the texture a place of its set is.
    pub fn place(&self, uv: Vec2) -> Vec2 {
        self.texture_from_uv.transform_point2(uv)
    }
}

impl From<usize> for TextureRef {
    /// Read where the first set says.
    fn from(texture: usize) -> Self {
        Self { texture, uv_set: UvSet::First, texture_from_uv: Affine2::IDENTITY }
    }
}

/// The texture coordinates of a mesh that materials can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UvSet {
    /// [`super::Vertices::uvs`].
    First,
    /// [`super::Vertices::second_uvs`].
    Second,
}

/// What a texture does outside 0..1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// Start again.
    Repeat,
    /// Start again, mirrored.
    Mirror,
    /// Stretch the edge.
    Clamp,
}

/// How a texture is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// Along u.
    pub wrap_u: Wrap,
    /// Along v.
    pub wrap_v: Wrap,
    /// Nearest texel instead of a smooth mix.
    pub nearest: bool,
}

impl Default for Sampler {
    fn default() -> Self {
        Self { wrap_u: Wrap::Repeat, wrap_v: Wrap::Repeat, nearest: false }
    }
}

/// What a texture's bytes stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Colour for the eye; alpha is linear.
    Srgb,
    /// Numbers: directions, roughness, shares.
    Linear,
}

/// A decoded picture.
#[derive(Clone, PartialEq)]
pub struct Texture {
    /// The file's name for it.
    pub name: String,
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// RGBA, 8 bits each, rows from the top; `width * height * 4` bytes. Textures of one image share them.
    pub rgba: Arc<Vec<u8>>,
    /// What the bytes stand for.
    pub encoding: Encoding,
    /// How it is read.
    pub sampler: Sampler,
}

impl std::fmt::Debug for Texture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Texture {:?} {}×{}", self.name, self.width, self.height)
    }
}
