//! Materials: the part of glTF's materials that Smirk draws (glTF 2.0 §3.9 and those `KHR_materials` extensions that change a
//! face visibly), and variants.

mod image;
mod texture;

use std::collections::HashMap;

pub use image::{BlockFormat, Blocks, Decode, Image};
pub use texture::{Encoding, Sampler, Texture, TextureRef, UvSet, Wrap};

/// How alpha is used (glTF 2.0 §3.9.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque,
    /// Fragments with alpha below the cutoff are dropped.
    Mask {
        /// The limit, usually 0.5.
        cutoff: f32,
    },
    /// The surface is blended over what is behind it.
    Blend,
}

/// The appearance of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The file's name for it.
    pub name: String,
    /// Linear RGBA factor.
    pub base_color: [f32; 4],
    /// Multiplies the colour.
    pub base_color_texture: Option<TextureRef>,
    /// 0 = dielectric, 1 = metal.
    pub metallic: f32,
    /// 0 = smooth as a mirror, 1 = fully rough.
    pub roughness: f32,
    /// Green multiplies the roughness, blue multiplies `metallic`.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Normals in tangent space: 0..1 stands for -1..1, x is along the tangent, y up in the image, z out of the surface.
    pub normal_texture: Option<TextureRef>,
    /// Multiplies x and y of these normals: 0 = flat, 1 = as in the image, negative = inverted.
    pub normal_scale: f32,
    /// Red is the part of the ambient light that reaches the surface.
    pub occlusion_texture: Option<TextureRef>,
    /// 0..1: strength of the occlusion.
    pub occlusion_strength: f32,
    /// Emitted light, linear RGB, multiplied by its strength.
    pub emissive: [f32; 3],
    /// Multiplies the emitted light.
    pub emissive_texture: Option<TextureRef>,
    /// 0..1: strength of the specular reflection of a dielectric.
    pub specular: f32,
    /// Linear RGB: multiplies the reflectance of a dielectric at normal incidence; 1 is an index of refraction of 1.5.
    pub specular_color: [f32; 3],
    /// Alpha multiplies [`Self::specular`].
    pub specular_texture: Option<TextureRef>,
    /// 0..1: strength of the clear coat.
    pub coat: f32,
    /// Roughness of the clear coat.
    pub coat_roughness: f32,
    /// Linear RGB of the sheen of fabric fibres; black = none.
    pub sheen_color: [f32; 3],
    /// Roughness of the sheen: 0 = at grazing angles only, 1 = everywhere.
    pub sheen_roughness: f32,
    /// 0..1: the part of the light that is transmitted; reflections stay.
    pub transmission: f32,
    /// How alpha is used.
    pub alpha: AlphaMode,
    /// Whether back faces are drawn too, with their normals reversed.
    pub double_sided: bool,
    /// Whether the base colour is shown without lighting (`KHR_materials_unlit`).
    pub unlit: bool,
}

impl Material {
    /// All its textures: base colour, normal, metallic-roughness, occlusion, emission, specular.
    pub fn textures(&self) -> [Option<TextureRef>; 6] {
        [
            self.base_color_texture,
            self.normal_texture,
            self.metallic_roughness_texture,
            self.occlusion_texture,
            self.emissive_texture,
            self.specular_texture,
        ]
    }
}

impl Default for Material {
    /// The material of surfaces without one: light grey, matt, double-sided. glTF's own default, white and fully metallic, would
    /// look dark, because Smirk has little of an environment to reflect.
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
            emissive: [0.0; 3],
            emissive_texture: None,
            specular: 1.0,
            specular_color: [1.0; 3],
            specular_texture: None,
            coat: 0.0,
            coat_roughness: 0.0,
            sheen_color: [0.0; 3],
            sheen_roughness: 0.0,
            transmission: 0.0,
            alpha: AlphaMode::Opaque,
            double_sided: true,
            unlit: false,
        }
    }
}

/// A variant: an alternative set of materials (`KHR_materials_variants`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// The file's name for it.
    pub name: String,
    /// By mesh and part, an index into [`super::Head::materials`]; other parts keep their own material.
    pub materials: HashMap<(usize, usize), usize>,
}
