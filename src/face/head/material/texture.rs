//! Textures: their images, how they are sampled, and their texture coordinates.

use std::sync::Arc;

use glam::{Affine2, Vec2};

use super::Image;

/// A texture as a material uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureRef {
    /// Index into [`crate::head::Head::textures`].
    pub texture: usize,
    /// The set of texture coordinates it is sampled with.
    pub uv_set: UvSet,
    /// The transform of the texture coordinates before sampling (`KHR_texture_transform`).
    pub texture_from_uv: Affine2,
}

impl TextureRef {
    /// Whether it is sampled with the first set of texture coordinates, untransformed.
    pub fn is_plain(&self) -> bool {
        self.uv_set == UvSet::First && self.texture_from_uv == Affine2::IDENTITY
    }

    /// Transforms a coordinate of its set.
    pub fn transform(&self, uv: Vec2) -> Vec2 {
        self.texture_from_uv.transform_point2(uv)
    }
}

impl From<usize> for TextureRef {
    /// Sampled with the first set of texture coordinates, untransformed.
    fn from(texture: usize) -> Self {
        Self { texture, uv_set: UvSet::First, texture_from_uv: Affine2::IDENTITY }
    }
}

/// The sets of texture coordinates of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UvSet {
    /// [`crate::head::Vertices::uvs`].
    First,
    /// [`crate::head::Vertices::second_uvs`].
    Second,
}

/// How a texture continues outside 0..1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// It repeats.
    Repeat,
    /// It repeats, every other copy mirrored.
    Mirror,
    /// Its edge texels extend.
    Clamp,
}

/// How a texture is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// Along u.
    pub wrap_u: Wrap,
    /// Along v.
    pub wrap_v: Wrap,
    /// Whether the nearest texel is taken instead of an interpolation.
    pub nearest: bool,
}

impl Default for Sampler {
    fn default() -> Self {
        Self { wrap_u: Wrap::Repeat, wrap_v: Wrap::Repeat, nearest: false }
    }
}

/// The encoding of a texture's texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// sRGB colour; alpha is linear.
    Srgb,
    /// Linear numbers, such as normals or roughness.
    Linear,
}

/// An image and its sampler.
#[derive(Clone, PartialEq)]
pub struct Texture {
    /// The file's name for it.
    pub name: String,
    /// Textures of one image share it.
    pub image: Arc<Image>,
    /// The encoding of the texels.
    pub encoding: Encoding,
    /// How it is sampled.
    pub sampler: Sampler,
}

impl std::fmt::Debug for Texture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Texture {:?} {}×{}", self.name, self.image.width(), self.image.height())
    }
}
