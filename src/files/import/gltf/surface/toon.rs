//! The parameters of toon shading (`VRMC_materials_mtoon` 1.0): numbers out of range are drawn at its end, with a note.

use gltf::json;
use serde_json::{Map, Value};

use super::material_textures::extensions_of;
use super::texture_use::{ExtensionObject, TextureUse};
use crate::import::Fault;
use smirk_face::head::{Encoding, Notes, Outline, OutlineWidth, Subject, TextureRef, Toon, UvAnimation};

pub(crate) const EXTENSION: &str = "VRMC_materials_mtoon";

/// The extension of a material that has it.
pub(super) fn extension(material: &json::Material) -> Option<ExtensionObject<'_>> {
    extension_in(extensions_of(material))
}

pub(super) fn extension_in(extensions: Option<&Map<String, Value>>) -> Option<ExtensionObject<'_>> {
    let object = extensions?.get(EXTENSION).filter(|value| value.is_object())?;
    Some(ExtensionObject(Some(object)))
}

/// Its textures that are read at texture coordinates, by how much the picture would change without them, most first;
/// and the matcap, which is not.
pub(super) fn textures(extension: ExtensionObject<'_>) -> [Option<TextureUse>; 6] {
    TEXTURES.map(|key| TextureUse::in_extension(extension, key))
}

const TEXTURES: [&str; 6] = [
    "shadeMultiplyTexture",
    "shadingShiftTexture",
    "rimMultiplyTexture",
    "outlineWidthMultiplyTexture",
    "uvAnimationMaskTexture",
    "matcapTexture",
];

/// Reads the parameters. `find` gives the head's texture of a use, and notes where there is none.
pub(super) fn read(
    extension: ExtensionObject<'_>,
    [shade, shift, rim, width, mask, matcap]: [Option<TextureUse>; 6],
    mut find: impl FnMut(Option<TextureUse>, Encoding, &str) -> Result<Option<TextureRef>, Fault>,
) -> Result<(Toon, Vec<String>), Fault> {
    let has_matcap = matcap.is_some();
    let plain = Toon::default();
    let mut reader = Reader { extension, wrong: Vec::new() };
    let width_factor = reader.within("outlineWidthFactor", 0.0, 0.0, OutlineWidth::MOST);
    let outline_width = match reader.text("outlineWidthMode").as_deref() {
        Some("worldCoordinates") => OutlineWidth::World(width_factor),
        Some("screenCoordinates") => OutlineWidth::Screen(width_factor),
        Some("none") | None => OutlineWidth::None,
        Some(other) => {
            reader.wrong.push(format!("outlineWidthMode {:?} is unknown, so that it has none", shortened(other)));
            OutlineWidth::None
        }
    };
    if let Some(version) = reader.text("specVersion").filter(|version| !version.starts_with("1.0")) {
        reader.wrong.push(format!("specVersion {:?} is read as 1.0", shortened(&version)));
    }
    for (key, texture) in TEXTURES.iter().zip([shade, shift, rim, width, mask, matcap]) {
        if texture.is_none() && extension.get(key).is_some_and(|value| !value.is_null()) {
            reader.wrong.push(format!("{key} names no texture"));
        }
    }
    let toon = Toon {
        shade_color: reader.color("shadeColorFactor", plain.shade_color),
        shade_texture: find(shade, Encoding::Srgb, "shade texture")?,
        shading_shift: reader.within("shadingShiftFactor", plain.shading_shift, -2.0, 2.0),
        shading_shift_texture: find(shift, Encoding::Linear, "shading shift texture")?,
        shading_shift_scale: {
            let mut of_texture =
                Reader { extension: ExtensionObject(extension.get("shadingShiftTexture")), wrong: Vec::new() };
            let scale = of_texture.within("scale", 1.0, -4.0, 4.0);
            reader.wrong.append(&mut of_texture.wrong);
            scale
        },
        shading_toony: reader.within("shadingToonyFactor", plain.shading_toony, 0.0, 1.0),
        gi_equalization: reader.within("giEqualizationFactor", plain.gi_equalization, 0.0, 1.0),
        matcap_color: if has_matcap { reader.color("matcapFactor", plain.matcap_color) } else { plain.matcap_color },
        matcap_texture: find(matcap, Encoding::Srgb, "matcap")?,
        rim_color: reader.color("parametricRimColorFactor", plain.rim_color),
        rim_fresnel_power: reader.within("parametricRimFresnelPowerFactor", plain.rim_fresnel_power, 0.0, 1000.0),
        rim_lift: reader.within("parametricRimLiftFactor", plain.rim_lift, -1.0, 1.0),
        rim_texture: find(rim, Encoding::Srgb, "rim texture")?,
        rim_lighting_mix: reader.within("rimLightingMixFactor", plain.rim_lighting_mix, 0.0, 1.0),
        outline: Outline {
            width: outline_width,
            width_texture: find(width, Encoding::Linear, "texture of the outline's width")?,
            color: reader.color("outlineColorFactor", plain.outline.color),
            lighting_mix: reader.within("outlineLightingMixFactor", plain.outline.lighting_mix, 0.0, 1.0),
        },
        uv_animation: UvAnimation {
            scroll: ["uvAnimationScrollXSpeedFactor", "uvAnimationScrollYSpeedFactor"]
                .map(|key| reader.within(key, 0.0, -1000.0, 1000.0)),
            rotation: reader.within("uvAnimationRotationSpeedFactor", 0.0, -1000.0, 1000.0),
            mask_texture: find(mask, Encoding::Linear, "mask of its animation")?,
        },
        writes_depth: match extension.get("transparentWithZWrite") {
            Some(Value::Bool(writes_depth)) => *writes_depth,
            None | Some(Value::Null) => false,
            Some(_) => {
                reader.wrong.push("transparentWithZWrite is neither true nor false".into());
                false
            }
        },
        queue_offset: reader.whole("renderQueueOffsetNumber", 9),
        in_file: None,
    };
    Ok((toon, reader.wrong))
}

/// Notes what is drawn otherwise than the file says.
pub(super) fn note(wrong: &[String], subject: &Subject, notes: &mut Notes) {
    if !wrong.is_empty() {
        notes.warn(subject, format!("its toon shading has wrong values: {}", wrong.join(", ")));
    }
}

struct Reader<'a> {
    extension: ExtensionObject<'a>,
    /// What is not drawn as the file says.
    wrong: Vec<String>,
}

impl Reader<'_> {
    fn within(&mut self, key: &str, default: f32, least: f32, most: f32) -> f32 {
        let Some(value) = self.extension.get(key).filter(|value| !value.is_null()) else { return default };
        let number = value.as_f64().map(|number| number as f32).filter(|number| !number.is_nan());
        let drawn = number.map_or(default, |number| number.clamp(least, most));
        if number != Some(drawn) {
            self.wrong.push(format!("{key} {} is drawn as {drawn}", shortened(&value.to_string())));
        }
        drawn
    }

    /// A whole number from `-most` to `most`.
    fn whole(&mut self, key: &str, most: i32) -> i32 {
        let Some(value) = self.extension.get(key).filter(|value| !value.is_null()) else { return 0 };
        let most = f64::from(most);
        let drawn = value.as_f64().map_or(0.0, |number| number.trunc().clamp(-most, most));
        if value.as_f64() != Some(drawn) {
            self.wrong.push(format!("{key} {} is drawn as {drawn}", shortened(&value.to_string())));
        }
        drawn as i32
    }

    fn text(&mut self, key: &str) -> Option<String> {
        let value = self.extension.get(key).filter(|value| !value.is_null())?;
        if !value.is_string() {
            self.wrong.push(format!("{key} {} is no text", shortened(&value.to_string())));
        }
        value.as_str().map(str::to_owned)
    }

    /// Linear RGB. Bright colours make light glow; far brighter ones are no colours.
    fn color(&mut self, key: &str, default: [f32; 3]) -> [f32; 3] {
        const MOST: f32 = 100.0;
        let color = self.extension.numbers(key, default);
        let drawn = color.map(|channel| channel.clamp(0.0, MOST));
        let is_list = self.extension.get(key).is_none_or(|value| value.as_array().is_some_and(|list| list.len() >= 3));
        if drawn != color || !is_list {
            self.wrong.push(format!("{key} is drawn as {drawn:?}"));
        }
        drawn
    }
}

/// The beginning of a value, for a note.
fn shortened(value: &str) -> String {
    value.chars().take(24).collect()
}
