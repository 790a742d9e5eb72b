//! The older way to describe a surface (`KHR_materials_pbrSpecularGlossiness`), as far as metallic-roughness can say it.

use serde_json::{Map, Value};

use super::extension_object::Extension;
use super::material_extensions::mirrored_head_on;
use super::texture_use::TextureUse;

/// What it says of a surface.
#[derive(Debug)]
pub struct SpecularGlossiness {
    pub diffuse: [f32; 4],
    pub diffuse_texture: Option<TextureUse>,
    /// None where only its map tells.
    pub roughness: Option<f32>,
    /// As [`Layers::specular_color`](super::material_extensions::Layers::specular_color).
    pub specular_color: [f32; 3],
    /// Has a map of what is mirrored, which is not read.
    pub has_map: bool,
}

impl SpecularGlossiness {
    /// Reads the extension, if a material has it.
    pub fn of(extensions: Option<&Map<String, Value>>) -> Option<Self> {
        let extension = Extension(Some(extensions?.get("KHR_materials_pbrSpecularGlossiness")?));
        let has_map = extension.texture("specularGlossinessTexture").is_some();
        let specular = if has_map { [mirrored_head_on(1.5); 3] } else { extension.numbers("specularFactor", [1.0; 3]) };
        Some(Self {
            diffuse: extension.numbers("diffuseFactor", [1.0; 4]),
            diffuse_texture: extension.texture("diffuseTexture"),
            roughness: (!has_map).then(|| 1.0 - extension.share("glossinessFactor", 1.0)),
            specular_color: specular.map(|channel| channel.clamp(0.0, 1.0) / mirrored_head_on(1.5)),
            has_map,
        })
    }
}
