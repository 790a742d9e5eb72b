//! Specular-glossiness materials (`KHR_materials_pbrSpecularGlossiness`, archived), as far as a metallic-roughness material
//! can express them.

use serde_json::{Map, Value};

use super::extension_object::ExtensionObject;
use super::material_extensions::{DEFAULT_IOR, reflectance_at_normal};
use super::texture_use::TextureUse;

/// The extension's properties, in the terms of a metallic-roughness material.
#[derive(Debug)]
pub(super) struct SpecularGlossiness {
    pub diffuse: [f32; 4],
    pub diffuse_texture: Option<TextureUse>,
    /// None where it is in a texture, which is not read.
    pub roughness: Option<f32>,
    /// As [`MaterialExtensions::specular_color`](super::material_extensions::MaterialExtensions::specular_color).
    pub specular_color: [f32; 3],
    /// It has a texture of specular colour and glossiness, which is not read.
    pub has_specular_texture: bool,
}

impl SpecularGlossiness {
    /// Reads the extension; none if a material does not have it.
    pub(super) fn of(extensions: Option<&Map<String, Value>>) -> Option<Self> {
        let extension = ExtensionObject(Some(extensions?.get("KHR_materials_pbrSpecularGlossiness")?));
        let has_specular_texture = TextureUse::in_extension(extension, "specularGlossinessTexture").is_some();
        let specular = if has_specular_texture {
            [reflectance_at_normal(DEFAULT_IOR); 3]
        } else {
            extension.numbers("specularFactor", [1.0; 3])
        };
        Some(Self {
            diffuse: extension.numbers("diffuseFactor", [1.0; 4]),
            diffuse_texture: TextureUse::in_extension(extension, "diffuseTexture"),
            roughness: (!has_specular_texture).then(|| 1.0 - extension.fraction("glossinessFactor", 1.0)),
            specular_color: specular.map(|channel| channel.clamp(0.0, 1.0) / reflectance_at_normal(DEFAULT_IOR)),
            has_specular_texture,
        })
    }
}
