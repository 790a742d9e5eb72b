//! A material (glTF 2.0 §3.9), with extensions for what the core format cannot hold.

use serde_json::{Map, Value, json};

use smirk_face::head::{AlphaMode, Material, TextureRef, UvSet};

/// Returns the element of `materials`.
pub(super) fn write(material: &Material) -> Value {
    let mut pbr = json!({
        "baseColorFactor": material.base_color,
        "metallicFactor": material.metallic,
        "roughnessFactor": material.roughness
    });
    if let Some(map) = material.base_color_texture {
        pbr["baseColorTexture"] = texture(map);
    }
    if let Some(map) = material.metallic_roughness_texture {
        pbr["metallicRoughnessTexture"] = texture(map);
    }
    let mut json = json!({
        "name": material.name,
        "pbrMetallicRoughness": pbr,
        "doubleSided": material.double_sided
    });
    if let Some(map) = material.normal_texture {
        json["normalTexture"] = texture(map);
        json["normalTexture"]["scale"] = json!(material.normal_scale);
    }
    if let Some(map) = material.occlusion_texture {
        json["occlusionTexture"] = texture(map);
        json["occlusionTexture"]["strength"] = json!(material.occlusion_strength);
    }
    if let Some(map) = material.emissive_texture {
        json["emissiveTexture"] = texture(map);
    }
    if material.emissive != [0.0; 3] {
        json["emissiveFactor"] = json!(material.emissive.map(|channel| channel / strength_of(material)));
    }
    match material.alpha {
        AlphaMode::Opaque => {}
        AlphaMode::Mask { cutoff } => {
            json["alphaMode"] = json!("MASK");
            json["alphaCutoff"] = json!(cutoff);
        }
        AlphaMode::Blend => json["alphaMode"] = json!("BLEND"),
    }
    let extensions = extensions_of(material);
    if !extensions.is_empty() {
        json["extensions"] = extensions.into();
    }
    json
}

/// The factor by which the emissive colour exceeds 1, the maximum of its channels in glTF.
fn strength_of(material: &Material) -> f32 {
    material.emissive.iter().fold(1.0, |most, &channel| most.max(channel))
}

fn extensions_of(material: &Material) -> Map<String, Value> {
    let plain = Material::default();
    let mut extensions = Map::new();
    let mut add = |name: &str, is_needed: bool, value: Value| {
        if is_needed {
            extensions.insert(name.to_owned(), value);
        }
    };
    add("KHR_materials_unlit", material.unlit, json!({}));
    let strength = strength_of(material);
    add("KHR_materials_emissive_strength", strength > 1.0, json!({"emissiveStrength": strength}));
    let mut specular = json!({"specularFactor": material.specular, "specularColorFactor": material.specular_color});
    if let Some(map) = material.specular_texture {
        specular["specularTexture"] = texture(map);
    }
    let is_plain = (material.specular, material.specular_color) == (plain.specular, plain.specular_color);
    add("KHR_materials_specular", !is_plain || material.specular_texture.is_some(), specular);
    add(
        "KHR_materials_clearcoat",
        material.coat > 0.0,
        json!({"clearcoatFactor": material.coat, "clearcoatRoughnessFactor": material.coat_roughness}),
    );
    add(
        "KHR_materials_sheen",
        material.sheen_color != [0.0; 3],
        json!({"sheenColorFactor": material.sheen_color, "sheenRoughnessFactor": material.sheen_roughness}),
    );
    add(
        "KHR_materials_transmission",
        material.transmission > 0.0,
        json!({"transmissionFactor": material.transmission}),
    );
    extensions
}

fn texture(map: TextureRef) -> Value {
    let mut json = json!({"index": map.texture});
    if map.uv_set == UvSet::Second {
        json["texCoord"] = json!(1);
    }
    if !TextureRef::is_plain(&TextureRef { uv_set: UvSet::First, ..map }) {
        let (scale, angle, offset) = map.texture_from_uv.to_scale_angle_translation();
        let transform = json!({"offset": offset.to_array(), "rotation": -angle, "scale": scale.to_array()});
        json["extensions"] = json!({"KHR_texture_transform": transform});
    }
    json
}

#[cfg(test)]
mod tests {
    use glam::{Affine2, Vec2};

    use super::*;

    fn names_in(material: Value) -> Vec<String> {
        let root = Map::from_iter([("material".to_owned(), material)]);
        super::super::extensions_in(&root).into_iter().collect()
    }

    #[test]
    fn only_what_is_needed_is_written_and_named() {
        assert!(names_in(write(&Material::default())).is_empty());
        let turned = Affine2::from_scale_angle_translation(Vec2::new(2.0, 3.0), -0.5, Vec2::new(0.1, 0.2));
        let map = TextureRef { texture: 4, uv_set: UvSet::Second, texture_from_uv: turned };
        let material =
            Material { coat: 0.5, emissive: [4.0, 2.0, 0.0], base_color_texture: Some(map), ..Material::default() };
        let json = write(&material);
        assert_eq!(
            names_in(json.clone()),
            ["KHR_materials_clearcoat", "KHR_materials_emissive_strength", "KHR_texture_transform"]
        );
        assert_eq!(json["emissiveFactor"], json!([1.0, 0.5, 0.0]));
        let texture = &json["pbrMetallicRoughness"]["baseColorTexture"];
        assert_eq!((&texture["index"], &texture["texCoord"]), (&json!(4), &json!(1)));
        let inside = Material { specular_texture: Some(map), ..Material::default() };
        assert_eq!(
            names_in(write(&inside)),
            ["KHR_materials_specular", "KHR_texture_transform"],
            "in an extension, too"
        );
        let rotation = texture["extensions"]["KHR_texture_transform"]["rotation"].as_f64();
        assert!(rotation.is_some_and(|rotation| (rotation - 0.5).abs() < 1e-6), "{texture}");
    }
}
