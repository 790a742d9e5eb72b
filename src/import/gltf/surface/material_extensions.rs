//! What extensions lay over a metallic-roughness surface: light of its own beyond 1, mirroring, varnish, sheen, light that
//! goes through. Factors are read; of their maps only the one that masks what skin mirrors. A layer that its map would
//! confine is left out rather than spread all over.

use serde_json::{Map, Value};

use super::extension_object::Extension;
use super::texture_use::TextureUse;

/// The factors of the extensions that are shown.
#[derive(Debug)]
pub struct Layers {
    pub emissive_strength: f32,
    pub specular: f32,
    pub specular_color: [f32; 3],
    pub specular_texture: Option<TextureUse>,
    pub coat: f32,
    pub coat_roughness: f32,
    pub sheen_color: [f32; 3],
    pub sheen_roughness: f32,
    pub transmission: f32,
    /// What is in the file and not in the picture.
    pub unshown: Vec<String>,
}

/// All that are shown, or needed by one that is.
const SHOWN: [&str; 10] = [
    "KHR_materials_unlit",
    "KHR_materials_emissive_strength",
    "KHR_materials_specular",
    "KHR_materials_ior",
    "KHR_materials_clearcoat",
    "KHR_materials_sheen",
    "KHR_materials_transmission",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_variants",
    "KHR_texture_transform",
];

impl Layers {
    /// Reads a material's extensions.
    pub fn of(extensions: Option<&Map<String, Value>>) -> Self {
        let extension = |name: &str| Extension(extensions.and_then(|extensions| extensions.get(name)));
        let mut unshown: Vec<String> = extensions
            .into_iter()
            .flat_map(Map::keys)
            .filter(|name| name.contains("materials") && !SHOWN.contains(&name.as_str()))
            .map(|name| name.escape_debug().to_string())
            .collect();
        let mut is_confined = |extension: Extension<'_>, keys: &[&str]| {
            let confining: Vec<_> = keys.iter().filter(|key| extension.texture(key).is_some()).collect();
            unshown.extend(confining.iter().map(|key| (**key).to_owned()));
            !confining.is_empty()
        };
        let specular = extension("KHR_materials_specular");
        is_confined(specular, &["specularColorTexture"]);
        let coat = extension("KHR_materials_clearcoat");
        let has_coat = !is_confined(coat, &["clearcoatTexture"]);
        is_confined(coat, &["clearcoatRoughnessTexture", "clearcoatNormalTexture"]);
        let sheen = extension("KHR_materials_sheen");
        let has_sheen = !is_confined(sheen, &["sheenColorTexture", "sheenRoughnessTexture"]);
        let transmission = extension("KHR_materials_transmission");
        let has_transmission = !is_confined(transmission, &["transmissionTexture"]);
        let facing = mirrored_head_on(extension("KHR_materials_ior").number("ior", 1.5)) / mirrored_head_on(1.5);
        let tint = specular.numbers("specularColorFactor", [1.0; 3]);
        Self {
            emissive_strength: extension("KHR_materials_emissive_strength").number("emissiveStrength", 1.0).max(0.0),
            specular: specular.share("specularFactor", 1.0),
            specular_color: tint.map(|channel| (channel.max(0.0) * facing).min(f32::MAX)),
            specular_texture: specular.texture("specularTexture"),
            coat: if has_coat { coat.share("clearcoatFactor", 0.0) } else { 0.0 },
            coat_roughness: coat.share("clearcoatRoughnessFactor", 0.0),
            sheen_color: if has_sheen {
                sheen.numbers("sheenColorFactor", [0.0; 3]).map(|channel| channel.clamp(0.0, 1.0))
            } else {
                [0.0; 3]
            },
            sheen_roughness: sheen.share("sheenRoughnessFactor", 0.0),
            transmission: if has_transmission { transmission.share("transmissionFactor", 0.0) } else { 0.0 },
            unshown,
        }
    }
}

/// The share of light that a dielectric mirrors head-on (Fresnel); an index of 0 stands for an infinite one.
pub fn mirrored_head_on(ior: f32) -> f32 {
    if ior <= 0.0 { 1.0 } else { ((ior - 1.0) / (ior + 1.0)).powi(2) }
}
