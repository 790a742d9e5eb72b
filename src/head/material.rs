//! How a surface looks: the part of glTF's materials that Smirk draws (glTF 2.0 §3.9).

use std::sync::Arc;

/// What alpha does (glTF 2.0 §3.9.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque,
    /// Fragments with alpha below the cutoff are dropped.
    Mask {
        /// The limit, usually 0.5.
        cutoff: f32,
    },
    /// Drawn over what is behind, back to front by part.
    Blend,
}

/// A surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The file's name for it.
    pub name: String,
    /// Linear RGBA factor.
    pub base_color: [f32; 4],
    /// Index into [`super::Head::textures`], as of all textures here; multiplies the colour.
    pub base_color_texture: Option<usize>,
    /// 0 = dielectric, 1 = metal.
    pub metallic: f32,
    /// 0 = mirror, 1 = chalk.
    pub roughness: f32,
    /// Green multiplies the roughness, blue the metal.
    pub metallic_roughness_texture: Option<usize>,
    /// Directions in tangent space: 0..1 stands for -1..1, x along the tangent, y up in the picture, z off the surface.
    pub normal_texture: Option<usize>,
    /// Multiplies x and y of the directions: 0 = smooth, 1 = as painted, negative = bumps turned into dents.
    pub normal_scale: f32,
    /// Red is the share of the surrounding light that arrives.
    pub occlusion_texture: Option<usize>,
    /// 0..1: how much of the occlusion is shown.
    pub occlusion_strength: f32,
    /// What alpha does.
    pub alpha: AlphaMode,
    /// Draw both sides, normals turned towards the eye.
    pub double_sided: bool,
    /// Show the base colour as it is, without light (`KHR_materials_unlit`).
    pub unlit: bool,
}

impl Material {
    /// Whether it reads any texture.
    pub fn has_textures(&self) -> bool {
        let all =
            [self.base_color_texture, self.metallic_roughness_texture, self.normal_texture, self.occlusion_texture];
        all.iter().any(Option::is_some)
    }
}

impl Default for Material {
    /// glTF's default material, a little less metallic: the specification's default of 1 is black without an environment.
    fn default() -> Self {
        Self {
            name: "default".into(),
            base_color: [0.8, 0.8, 0.8, 1.0],
            base_color_texture: None,
            metallic: 0.0,
            roughness: 0.6,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            alpha: AlphaMode::Opaque,
            double_sided: true,
            unlit: false,
        }
    }
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
