//! The materials of VRM 0.x as those of 1.0: `materialProperties` has the properties of Unity's shaders, in the order
//! of glTF's materials.
//!
//! The rules are those of UniVRM's migration (`MigrationMToonMaterial.cs`, `MToon10Migrator.cs`,
//! `MigrationUnlitTransparentZWriteMaterial.cs`); colours are decoded with a gamma of 2.2, as three-vrm does
//! (`VRMMaterialsV0CompatPlugin.ts`).
//!
//! | VRM 0.x | VRM 1.0 |
//! |---|---|
//! | `_Color`, `_ShadeColor`, `_RimColor`, `_OutlineColor` | the factor to the power of 2.2; alpha as it is |
//! | `_EmissionColor` | as it is: Unity keeps colours of light linear |
//! | `_MainTex` without `_ShadeTexture` | also the shade texture |
//! | offset and scale of `_MainTex` | transform of all textures but the matcap, v from the top |
//! | `_ShadeShift` s, `_ShadeToony` t | toony 1 − (1 − s)(1 − t) / 2; shift toony − 1 − s |
//! | `_IndirectLightIntensity` i | GI equalization 1 − i |
//! | `_SphereAdd` | matcap, times white |
//! | `_RimLightingMix` | 1, as light always reaches rim and matcap |
//! | `_OutlineWidth` w | in the world w / 100, on the screen w / 200 |
//! | `_OutlineColorMode` 0 | lighting mix 0 |
//! | `_UvAnimScrollY`, `_UvAnimRotation` | negated; times 2π |
//! | render queues of blended materials | numbered from 0, in their order |

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use gltf::json;
use serde_json::{Map, Value, json};

use crate::import::gltf::surface::TOON_EXTENSION;
use smirk_base::names::quoted;
use smirk_face::head::{Kind, Notes, Subject, listed};

/// The materials that are drawn otherwise than glTF has them, by their numbers.
pub(super) fn convert(
    vrm: &Map<String, Value>,
    materials: &[json::Material],
    notes: &mut Notes,
) -> BTreeMap<usize, json::Material> {
    let list = match vrm.get("materialProperties") {
        Some(Value::Array(list)) => list.as_slice(),
        None | Some(Value::Null) => &[],
        Some(_) => {
            notes
                .warn(Subject::field("VRM 0.x"), "materialProperties is no list; materials are shown as glTF has them");
            &[]
        }
    };
    let wrong: BTreeSet<String> = list.iter().flat_map(wrong_properties).collect();
    if !wrong.is_empty() {
        let names: Vec<String> = wrong.into_iter().collect();
        let message = format!("properties of materials that cannot be read are left out: {}", listed(&names, 6));
        notes.warn(Subject::field("VRM 0.x"), message);
    }
    let queues = Queues::new(list);
    let (mut converted, mut unknown) = (BTreeMap::new(), BTreeSet::new());
    for ((index, properties), material) in list.iter().enumerate().zip(materials) {
        let properties = Properties(properties);
        let is_unlit = has_extension(material, "KHR_materials_unlit");
        let value = match properties.text("shader").unwrap_or_default() {
            "VRM/MToon" => mtoon(properties, &queues),
            "VRM/UnlitTransparentZWrite" => unlit(properties, "BLEND", true, &queues),
            // Exporters of 0.44 and later say the same in glTF.
            shader if shader.contains("Unlit") && is_unlit => continue,
            "Unlit/Color" | "Unlit/Texture" | "VRM/UnlitTexture" => unlit(properties, "OPAQUE", false, &queues),
            "Unlit/Transparent" | "VRM/UnlitTransparent" => unlit(properties, "BLEND", false, &queues),
            "Unlit/Transparent Cutout" | "VRM/UnlitCutout" => unlit(properties, "MASK", false, &queues),
            "VRM_USE_GLTFSHADER" | "Standard" => continue,
            other => {
                unknown.insert(quoted(other));
                continue;
            }
        };
        let name = material.name.clone();
        if let Ok(drawn) = serde_json::from_value::<json::Material>(value) {
            converted.insert(index, json::Material { name, ..drawn });
        } else {
            let message = "its toon shading has numbers that cannot be read; it is shown without it";
            notes.warn(Subject::Numbered(Kind::Material, index), message);
        }
    }
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.into_iter().collect();
        let message = format!("shown without the shaders that Smirk does not know: {}", listed(&names, 6));
        notes.warn(Subject::field("VRM 0.x"), message);
    }
    converted
}

/// The names of the properties of a material whose values have another form than those of their list.
fn wrong_properties(material: &Value) -> impl Iterator<Item = String> {
    ["floatProperties", "vectorProperties", "textureProperties"].into_iter().flat_map(|list| {
        let values = material.get(list).and_then(Value::as_object).into_iter().flatten();
        let wrong = values.filter(move |(_, value)| match (list, value) {
            (_, Value::Null) => false,
            ("floatProperties", _) => !value.is_number(),
            ("vectorProperties", _) => !value.as_array().is_some_and(|list| list.iter().all(Value::is_number)),
            _ => !value.is_u64(),
        });
        wrong.map(|(name, _)| quoted(name))
    })
}

fn has_extension(material: &json::Material, name: &str) -> bool {
    material.extensions.as_ref().is_some_and(|extensions| extensions.others.contains_key(name))
}

/// How a blended material is drawn.
#[derive(Clone, Copy, PartialEq)]
enum Blended {
    Not,
    WithoutDepth,
    WritesDepth,
}

/// One of `materialProperties`.
#[derive(Clone, Copy)]
struct Properties<'a>(&'a Value);

impl<'a> Properties<'a> {
    fn text(self, key: &str) -> Option<&'a str> {
        self.0.get(key)?.as_str()
    }

    fn of(self, list: &str, key: &str) -> Option<&'a Value> {
        self.0.get(list)?.get(key)
    }

    fn number(self, key: &str) -> Option<f64> {
        self.of("floatProperties", key)?.as_f64().filter(|number| (*number as f32).is_finite())
    }

    fn vector(self, key: &str) -> Option<[f64; 4]> {
        let list = self.of("vectorProperties", key)?.as_array()?;
        let mut numbers = [0.0, 0.0, 0.0, 1.0];
        for (number, value) in numbers.iter_mut().zip(list) {
            *number = value.as_f64().filter(|number| (*number as f32).is_finite())?;
        }
        Some(numbers)
    }

    /// Linear RGB and alpha.
    fn color(self, key: &str, default: [f64; 4]) -> [f64; 4] {
        let [r, g, b, alpha] = self.vector(key).unwrap_or(default);
        let [r, g, b] = [r, g, b].map(|channel| channel.max(0.0).powf(2.2));
        [r, g, b, alpha]
    }

    fn texture(self, key: &str) -> Option<u64> {
        self.of("textureProperties", key)?.as_u64()
    }

    /// A texture with the transform of the colour texture.
    fn transformed(self, key: &str) -> Option<Value> {
        let mut info = json!({"index": self.texture(key)?});
        if let Some([u, v, wide, high]) = self.vector("_MainTex").filter(|at| *at != [0.0, 0.0, 1.0, 1.0]) {
            let transform = json!({"offset": [u, 1.0 - v - high], "scale": [wide, high]});
            info["extensions"] = json!({"KHR_texture_transform": transform});
        }
        Some(info)
    }

    fn is_on(self, keyword: &str) -> bool {
        self.of("keywordMap", keyword).and_then(Value::as_bool).unwrap_or(false)
    }

    fn blended(self) -> Blended {
        match (self.text("shader"), self.number("_BlendMode").map(|mode| mode as i64)) {
            (Some("VRM/UnlitTransparentZWrite"), _) | (Some("VRM/MToon"), Some(3)) => Blended::WritesDepth,
            (Some("VRM/UnlitTransparent" | "Unlit/Transparent"), _) | (Some("VRM/MToon"), Some(2)) => {
                Blended::WithoutDepth
            }
            (Some("VRM/MToon"), None) if self.is_on("_ALPHABLEND_ON") => {
                if self.number("_ZWrite") == Some(1.0) {
                    Blended::WritesDepth
                } else {
                    Blended::WithoutDepth
                }
            }
            _ => Blended::Not,
        }
    }

    fn is_masked(self) -> bool {
        match self.number("_BlendMode") {
            Some(mode) => mode as i64 == 1,
            None => self.is_on("_ALPHATEST_ON"),
        }
    }

    fn queue(self) -> i64 {
        self.0.get("renderQueue").and_then(Value::as_i64).unwrap_or(-1)
    }
}

/// The offsets that keep the order of the render queues of 0.x.
struct Queues {
    without_depth: BTreeMap<i64, i64>,
    with_depth: BTreeMap<i64, i64>,
}

impl Queues {
    fn new(list: &[Value]) -> Self {
        let queues_of = |wanted: Blended| -> BTreeSet<i64> {
            let materials = list.iter().map(Properties).filter(|properties| properties.blended() == wanted);
            materials.map(Properties::queue).collect()
        };
        // Those without depth end at 0, those with depth begin there.
        let numbered = |(number, queue): (usize, i64)| (queue, (number as i64).min(9));
        let backwards = queues_of(Blended::WithoutDepth).into_iter().rev().enumerate();
        Self {
            without_depth: backwards.map(numbered).map(|(queue, offset)| (queue, -offset)).collect(),
            with_depth: queues_of(Blended::WritesDepth).into_iter().enumerate().map(numbered).collect(),
        }
    }

    fn offset(&self, properties: Properties<'_>) -> i64 {
        let list = match properties.blended() {
            Blended::Not => return 0,
            Blended::WithoutDepth => &self.without_depth,
            Blended::WritesDepth => &self.with_depth,
        };
        list.get(&properties.queue()).copied().unwrap_or(0)
    }
}

fn mtoon(properties: Properties<'_>, queues: &Queues) -> Value {
    let number = |key: &str, default: f64| properties.number(key).unwrap_or(default);
    let (shift, toony) = (number("_ShadeShift", 0.0), number("_ShadeToony", 0.9));
    let toony_now = (1.0 - (1.0 - shift) * (1.0 - toony) * 0.5).clamp(0.0, 1.0);
    let shift_now = (toony_now - 1.0 - shift).clamp(-1.0, 1.0);
    let outline = number("_OutlineWidth", 0.0);
    let (width_mode, width) = match number("_OutlineWidthMode", 0.0) as i64 {
        1 => ("worldCoordinates", outline * 0.01),
        2 => ("screenCoordinates", outline * 0.005),
        _ => ("none", 0.0),
    };
    let is_mixed = number("_OutlineColorMode", 0.0) as i64 == 1;
    let blended = properties.blended();
    let rgb = |key: &str, default: [f64; 4]| properties.color(key, default)[..3].to_vec();
    let mut toon = json!({
        "specVersion": "1.0",
        "transparentWithZWrite": blended == Blended::WritesDepth,
        "renderQueueOffsetNumber": queues.offset(properties),
        "shadeColorFactor": rgb("_ShadeColor", [0.97, 0.81, 0.86, 1.0]),
        "shadingShiftFactor": shift_now,
        "shadingToonyFactor": toony_now,
        "giEqualizationFactor": (1.0 - number("_IndirectLightIntensity", 0.1)).clamp(0.0, 1.0),
        "matcapFactor": [1.0, 1.0, 1.0],
        "parametricRimColorFactor": rgb("_RimColor", [0.0, 0.0, 0.0, 1.0]),
        "parametricRimFresnelPowerFactor": number("_RimFresnelPower", 1.0),
        "parametricRimLiftFactor": number("_RimLift", 0.0),
        "rimLightingMixFactor": 1.0,
        "outlineWidthMode": width_mode,
        "outlineWidthFactor": width,
        "outlineColorFactor": rgb("_OutlineColor", [0.0, 0.0, 0.0, 1.0]),
        "outlineLightingMixFactor": if is_mixed { number("_OutlineLightingMix", 1.0) } else { 0.0 },
        "uvAnimationScrollXSpeedFactor": number("_UvAnimScrollX", 0.0),
        "uvAnimationScrollYSpeedFactor": 0.0 - number("_UvAnimScrollY", 0.0),
        "uvAnimationRotationSpeedFactor": number("_UvAnimRotation", 0.0) * TAU,
    });
    let textures = [
        ("shadeMultiplyTexture", properties.transformed("_ShadeTexture").or(properties.transformed("_MainTex"))),
        ("rimMultiplyTexture", properties.transformed("_RimTexture")),
        ("outlineWidthMultiplyTexture", properties.transformed("_OutlineWidthTexture")),
        ("uvAnimationMaskTexture", properties.transformed("_UvAnimMaskTexture")),
        ("matcapTexture", properties.texture("_SphereAdd").map(|index| json!({"index": index}))),
    ];
    for (key, texture) in textures {
        texture.into_iter().for_each(|texture| toon[key] = texture);
    }
    let alpha_mode = match blended {
        Blended::Not if properties.is_masked() => "MASK",
        Blended::Not => "OPAQUE",
        Blended::WithoutDepth | Blended::WritesDepth => "BLEND",
    };
    let [r, g, b, _] = properties.vector("_EmissionColor").unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let emission = [r, g, b].map(|channel| channel.max(0.0));
    let strength = emission.iter().fold(1.0, |most: f64, &channel| most.max(channel));
    let mut material = json!({
        "pbrMetallicRoughness": {"baseColorFactor": properties.color("_Color", [1.0; 4]), "metallicFactor": 0.0},
        "emissiveFactor": emission.map(|channel| channel / strength),
        "alphaMode": alpha_mode,
        "doubleSided": matches!(number("_CullMode", 2.0) as i64, 0 | 1),
        "extensions": {TOON_EXTENSION: toon, "KHR_materials_emissive_strength": {"emissiveStrength": strength}},
    });
    if alpha_mode == "MASK" {
        material["alphaCutoff"] = json!(number("_Cutoff", 0.5));
    }
    if let Some(texture) = properties.transformed("_MainTex") {
        material["pbrMetallicRoughness"]["baseColorTexture"] = texture;
    }
    if let Some(mut texture) = properties.transformed("_BumpMap") {
        texture["scale"] = json!(number("_BumpScale", 1.0));
        material["normalTexture"] = texture;
    }
    if let Some(texture) = properties.transformed("_EmissionMap") {
        material["emissiveTexture"] = texture;
    }
    material
}

/// A colour that is shown as it is: it is emitted, and nothing is reflected.
fn unlit(properties: Properties<'_>, alpha_mode: &str, writes_depth: bool, queues: &Queues) -> Value {
    let [r, g, b, alpha] = properties.color("_Color", [1.0; 4]);
    let toon = json!({
        "specVersion": "1.0",
        "transparentWithZWrite": writes_depth,
        "renderQueueOffsetNumber": queues.offset(properties),
    });
    let mut material = json!({
        "pbrMetallicRoughness": {"baseColorFactor": [0.0, 0.0, 0.0, alpha], "metallicFactor": 0.0},
        "emissiveFactor": [r.min(1.0), g.min(1.0), b.min(1.0)],
        "alphaMode": alpha_mode,
        "extensions": {TOON_EXTENSION: toon},
    });
    if alpha_mode == "MASK" {
        material["alphaCutoff"] = json!(properties.number("_Cutoff").unwrap_or(0.5));
    }
    if let Some(texture) = properties.transformed("_MainTex") {
        material["pbrMetallicRoughness"]["baseColorTexture"] = texture.clone();
        material["emissiveTexture"] = texture;
    }
    material
}
