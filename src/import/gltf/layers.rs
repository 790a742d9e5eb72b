//! What extensions lay over a metallic-roughness surface: light of its own beyond 1, mirroring, varnish, sheen, light that
//! goes through. Factors are read; of their maps only the one that masks what skin mirrors. A layer that its map would
//! confine is left out rather than spread all over.

use serde_json::{Map, Value};

use super::texture_use::TextureUse;

/// An extension's object, or that there is none. Numbers that are none are not there.
#[derive(Clone, Copy)]
pub struct Extension<'a>(pub Option<&'a Value>);

impl Extension<'_> {
    /// A number, or what the extension takes it to be.
    pub fn number(self, key: &str, default: f32) -> f32 {
        let number = self.0.and_then(|extension| extension.get(key)).and_then(Value::as_f64);
        number.map(|number| number as f32).filter(|number| number.is_finite()).unwrap_or(default)
    }

    /// A row of numbers.
    pub fn numbers<const N: usize>(self, key: &str, default: [f32; N]) -> [f32; N] {
        let list = self.0.and_then(|extension| extension.get(key)).and_then(Value::as_array);
        let Some(list) = list.filter(|list| list.len() >= N) else { return default };
        let mut numbers = default;
        for (number, value) in numbers.iter_mut().zip(list) {
            *number = value.as_f64().map(|value| value as f32).filter(|value| value.is_finite()).unwrap_or(*number);
        }
        numbers
    }

    /// A texture.
    pub fn texture(self, key: &str) -> Option<TextureUse> {
        TextureUse::of_value(self.0?.get(key)?)
    }

    fn share(self, key: &str, default: f32) -> f32 {
        self.number(key, default).clamp(0.0, 1.0)
    }
}

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
fn mirrored_head_on(ior: f32) -> f32 {
    if ior <= 0.0 { 1.0 } else { ((ior - 1.0) / (ior + 1.0)).powi(2) }
}

/// The older way to describe a surface (`KHR_materials_pbrSpecularGlossiness`), as far as metallic-roughness can say it.
#[derive(Debug)]
pub struct SpecularGlossiness {
    pub diffuse: [f32; 4],
    pub diffuse_texture: Option<TextureUse>,
    /// None where only its map tells.
    pub roughness: Option<f32>,
    /// As [`Layers::specular_color`].
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
