//! The extensions of metallic-roughness materials that Smirk draws: emissive strength, specular, index of refraction,
//! clearcoat, sheen and transmission. Their factors are read; of their textures only the one of the specular factor,
//! which skin needs. A clearcoat, sheen or transmission with a texture that limits it to a part of the surface is left
//! out: without its texture it would cover all of it.
//!
//! Specular-glossiness materials (`KHR_materials_pbrSpecularGlossiness`, archived), as far as a metallic-roughness
//! material can express them.

use gltf::json;
use serde_json::{Map, Value};

use super::super::read::SUPPORTED;
use super::material_textures::extensions_of;
use super::texture_use::{ExtensionObject, TextureUse};

/// The factors of the extensions that are drawn; the extension's default where one is absent.
#[derive(Debug)]
pub(super) struct MaterialExtensions {
    pub emissive_strength: f32,
    pub specular: f32,
    pub specular_color: [f32; 3],
    pub specular_texture: Option<TextureUse>,
    pub coat: f32,
    pub coat_roughness: f32,
    pub sheen_color: [f32; 3],
    pub sheen_roughness: f32,
    pub transmission: f32,
    /// Names of extensions and textures that the file has and the picture does not show.
    pub unshown: Vec<String>,
}

/// The factor of the light that a material emits (`KHR_materials_emissive_strength`).
pub(crate) fn emissive_strength(material: &json::Material) -> f32 {
    strength_of(ExtensionObject::named(extensions_of(material), "KHR_materials_emissive_strength"))
}

fn strength_of(extension: ExtensionObject<'_>) -> f32 {
    extension.number("emissiveStrength", 1.0).max(0.0)
}

/// The index of refraction of a glTF material without `KHR_materials_ior`.
pub(super) const DEFAULT_IOR: f32 = 1.5;

impl MaterialExtensions {
    pub(super) fn read(extensions: Option<&Map<String, Value>>) -> Self {
        let mut unshown: Vec<String> = extensions
            .into_iter()
            .flat_map(Map::keys)
            .filter(|name| name.contains("materials") && !SUPPORTED.contains(&name.as_str()))
            .map(|name| name.escape_debug().to_string())
            .collect();
        let no_objects = extensions.into_iter().flatten().filter(|(name, value)| {
            // This one has nothing in it that could be read.
            let is_drawn = SUPPORTED.contains(&name.as_str()) && *name != "KHR_materials_unlit";
            is_drawn && name.contains("materials") && !value.is_object()
        });
        unshown.extend(no_objects.map(|(name, _)| format!("{name}, which is not an object")));
        // Whether an extension has any of these textures; those it has are listed as not shown.
        let mut has_unread_texture = |extension: ExtensionObject<'_>, keys: &[&str]| {
            let unread: Vec<_> = keys.iter().filter(|key| TextureUse::in_extension(extension, key).is_some()).collect();
            unshown.extend(unread.iter().map(|key| (**key).to_owned()));
            !unread.is_empty()
        };
        let [specular, coat, sheen, transmission, ior, emission] = [
            "KHR_materials_specular",
            "KHR_materials_clearcoat",
            "KHR_materials_sheen",
            "KHR_materials_transmission",
            "KHR_materials_ior",
            "KHR_materials_emissive_strength",
        ]
        .map(|name| ExtensionObject::named(extensions, name));
        has_unread_texture(specular, &["specularColorTexture"]);
        let has_coat = !has_unread_texture(coat, &["clearcoatTexture"]);
        has_unread_texture(coat, &["clearcoatRoughnessTexture", "clearcoatNormalTexture"]);
        let has_sheen = !has_unread_texture(sheen, &["sheenColorTexture", "sheenRoughnessTexture"]);
        let has_transmission = !has_unread_texture(transmission, &["transmissionTexture"]);
        let relative_reflectance =
            reflectance_at_normal(ior.number("ior", DEFAULT_IOR)) / reflectance_at_normal(DEFAULT_IOR);
        let tint = specular.numbers("specularColorFactor", [1.0; 3]);
        Self {
            emissive_strength: strength_of(emission),
            specular: specular.fraction("specularFactor", 1.0),
            specular_color: tint.map(|channel| (channel.max(0.0) * relative_reflectance).min(f32::MAX)),
            specular_texture: TextureUse::in_extension(specular, "specularTexture"),
            coat: if has_coat { coat.fraction("clearcoatFactor", 0.0) } else { 0.0 },
            coat_roughness: coat.fraction("clearcoatRoughnessFactor", 0.0),
            sheen_color: if has_sheen {
                sheen.numbers("sheenColorFactor", [0.0; 3]).map(|channel| channel.clamp(0.0, 1.0))
            } else {
                [0.0; 3]
            },
            sheen_roughness: sheen.fraction("sheenRoughnessFactor", 0.0),
            transmission: if has_transmission { transmission.fraction("transmissionFactor", 0.0) } else { 0.0 },
            unshown,
        }
    }
}

/// The reflectance of a dielectric at normal incidence (Fresnel). An index of refraction of 0 means an infinite one
/// (`KHR_materials_ior`).
pub(super) fn reflectance_at_normal(ior: f32) -> f32 {
    if ior <= 0.0 { 1.0 } else { ((ior - 1.0) / (ior + 1.0)).powi(2) }
}

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
    pub(super) fn read(extensions: Option<&Map<String, Value>>) -> Option<Self> {
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
