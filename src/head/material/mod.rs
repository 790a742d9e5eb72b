//! How a surface looks: the part of glTF's materials that Smirk draws (glTF 2.0 §3.9 and the `KHR_materials` extensions
//! that change a face visibly).

mod texture;

use std::collections::HashMap;

pub use texture::{Encoding, Sampler, Texture, TextureRef, UvSet, Wrap};

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
    /// Drawn over what is behind.
    Blend,
}

/// A surface.
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
    /// 0 = mirror, 1 = chalk.
    pub roughness: f32,
    /// Green multiplies the roughness, blue the metal.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Directions in tangent space: 0..1 stands for -1..1, x along the tangent, y up in the picture, z off the surface.
    pub normal_texture: Option<TextureRef>,
    /// Multiplies x and y of the directions: 0 = smooth, 1 = as painted, negative = bumps turned into dents.
    pub normal_scale: f32,
    /// Red is the share of the surrounding light that arrives.
    pub occlusion_texture: Option<TextureRef>,
    /// 0..1: how much of the occlusion is shown.
    pub occlusion_strength: f32,
    /// Linear RGB light of its own, times its strength.
    pub emissive: [f32; 3],
    /// Multiplies that light.
    pub emissive_texture: Option<TextureRef>,
    /// 0..1: how much a dielectric mirrors at all.
    pub specular: f32,
    /// Linear RGB: multiplies what a dielectric mirrors head-on; 1 is an index of refraction of 1.5.
    pub specular_color: [f32; 3],
    /// Alpha multiplies [`Self::specular`].
    pub specular_texture: Option<TextureRef>,
    /// 0..1: how much of a clear varnish lies on top.
    pub coat: f32,
    /// Its roughness.
    pub coat_roughness: f32,
    /// Linear RGB of the light that fibres standing up scatter; black = none.
    pub sheen_color: [f32; 3],
    /// 0 = only at the outline, 1 = all over.
    pub sheen_roughness: f32,
    /// 0..1: how much light goes through, past the highlights.
    pub transmission: f32,
    /// What alpha does.
    pub alpha: AlphaMode,
    /// Draw both sides, normals turned towards the eye.
    pub double_sided: bool,
    /// Show the base colour as it is, without light (`KHR_materials_unlit`).
    pub unlit: bool,
}

impl Material {
    /// All that it reads: colour, normal, metal and roughness, occlusion, light of its own, mirroring.
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
    /// What a surface without a material is drawn as: light grey, matt, both sides. glTF's own default, all metal and white,
    /// would show its surroundings, of which there are few.
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

/// One choice of materials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// The file's name for it.
    pub name: String,
    /// By mesh and part, the index into [`super::Head::materials`]; parts it does not name keep their own.
    pub materials: HashMap<(usize, usize), usize>,
}
