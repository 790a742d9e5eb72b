//! Toon shading as `VRMC_materials_mtoon`, for heads that have no such extension from a file.

use serde_json::{Map, Value, json};

use super::surface::texture;
use smirk_face::head::{OutlineWidth, Toon};

pub(super) const EXTENSION: &str = "VRMC_materials_mtoon";

pub(super) fn extension(toon: &Toon) -> Map<String, Value> {
    let (width_mode, width) = match toon.outline.width {
        OutlineWidth::None => ("none", 0.0),
        OutlineWidth::World(width) => ("worldCoordinates", width),
        OutlineWidth::Screen(width) => ("screenCoordinates", width),
    };
    let [scroll_x, scroll_y] = toon.uv_animation.scroll;
    let values = [
        ("specVersion", json!("1.0")),
        ("transparentWithZWrite", json!(toon.writes_depth)),
        ("renderQueueOffsetNumber", json!(toon.queue_offset)),
        ("shadeColorFactor", json!(toon.shade_color)),
        ("shadingShiftFactor", json!(toon.shading_shift)),
        ("shadingToonyFactor", json!(toon.shading_toony)),
        ("giEqualizationFactor", json!(toon.gi_equalization)),
        ("matcapFactor", json!(toon.matcap_color)),
        ("parametricRimColorFactor", json!(toon.rim_color)),
        ("parametricRimFresnelPowerFactor", json!(toon.rim_fresnel_power)),
        ("parametricRimLiftFactor", json!(toon.rim_lift)),
        ("rimLightingMixFactor", json!(toon.rim_lighting_mix)),
        ("outlineWidthMode", json!(width_mode)),
        ("outlineWidthFactor", json!(width)),
        ("outlineColorFactor", json!(toon.outline.color)),
        ("outlineLightingMixFactor", json!(toon.outline.lighting_mix)),
        ("uvAnimationScrollXSpeedFactor", json!(scroll_x)),
        ("uvAnimationScrollYSpeedFactor", json!(scroll_y)),
        ("uvAnimationRotationSpeedFactor", json!(toon.uv_animation.rotation)),
    ];
    let textures = [
        ("shadeMultiplyTexture", toon.shade_texture),
        ("shadingShiftTexture", toon.shading_shift_texture),
        ("rimMultiplyTexture", toon.rim_texture),
        ("outlineWidthMultiplyTexture", toon.outline.width_texture),
        ("uvAnimationMaskTexture", toon.uv_animation.mask_texture),
        ("matcapTexture", toon.matcap_texture),
    ];
    let textures = textures.into_iter().filter_map(|(key, map)| Some((key, texture(map?))));
    let mut extension: Map<String, Value> =
        values.into_iter().chain(textures).map(|(key, value)| (key.to_owned(), value)).collect();
    if let Some(shift) = extension.get_mut("shadingShiftTexture") {
        shift["scale"] = json!(toon.shading_shift_scale);
    }
    extension
}
