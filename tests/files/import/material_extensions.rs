//! Extensions of materials, and the transforms of their textures.

use glam::{Vec2, Vec4};
use serde_json::{Value, json};
use smirk_face::head::{AlphaMode, Head, Level, Material, UvSet};

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks::says;

/// A triangle with one material, a texture, and three sets of texture coordinates.
fn file_of(material: Value) -> GltfBuilder {
    let mut file = GltfBuilder::triangle();
    let mut png = Vec::new();
    let picture = image::RgbaImage::from_pixel(1, 1, image::Rgba([255; 4]));
    picture.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).unwrap();
    let view = file.view(&png);
    file.push("images", json!({"bufferView": view}));
    file.push("textures", json!({"source": 0}));
    for set in 0..3 {
        let uvs = file.floats("VEC2", &[[set as f32, 0.0], [1.0, set as f32], [0.0, 1.0]].concat());
        file.primitive()["attributes"][format!("TEXCOORD_{set}")] = json!(uvs);
    }
    file.primitive()["material"] = json!(0);
    file.push("materials", material);
    file
}

fn warnings(head: &Head) -> Vec<String> {
    let all = head.notes.iter().filter(|note| note.level == Level::Warning);
    all.map(|note| note.message.clone()).collect()
}

#[test]
fn factors_of_extensions_are_read() {
    let head = file_of(json!({"emissiveFactor": [1.0, 0.5, 0.0], "extensions": {
        "KHR_materials_emissive_strength": {"emissiveStrength": 4},
        "KHR_materials_specular": {"specularFactor": 0.5, "specularColorFactor": [1, 0.5, 2],
            "specularTexture": {"index": 0}},
        "KHR_materials_ior": {"ior": 2.0},
        "KHR_materials_clearcoat": {"clearcoatFactor": 0.75, "clearcoatRoughnessFactor": 0.1},
        "KHR_materials_sheen": {"sheenColorFactor": [0.1, 0.2, 9.0], "sheenRoughnessFactor": 0.3},
        "KHR_materials_transmission": {"transmissionFactor": 0.9},
    }}))
    .open()
    .unwrap();
    let material = &head.materials[0];
    assert_eq!(material.emissive, [4.0, 2.0, 0.0]);
    assert_eq!((material.specular, material.specular_texture), (0.5, Some(0.into())));
    // ((2 - 1) / (2 + 1))² is 2.78 times 0.04.
    let expected = [2.7777, 1.3888, 5.5555];
    assert!(material.specular_color.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3), "{material:?}");
    assert_eq!((material.coat, material.coat_roughness), (0.75, 0.1));
    assert_eq!((material.sheen_color, material.sheen_roughness), ([0.1, 0.2, 1.0], 0.3));
    assert_eq!(material.transmission, 0.9);
    assert!(warnings(&head).is_empty(), "{:?}", head.notes);
}

#[test]
fn extensions_and_textures_that_are_not_shown_are_named() {
    let head = file_of(json!({"name": "skin", "extensions": {
        "KHR_materials_iridescence": {}, "KHR_materials_volume": {},
        "KHR_materials_clearcoat": {"clearcoatFactor": 1, "clearcoatTexture": {"index": 0}},
        "KHR_materials_specular": {"specularColorTexture": {"index": 0}},
        "KHR_materials_unlit": "nonsense",
    }}))
    .open()
    .unwrap();
    let all = "material \"skin\": shown without KHR_materials_iridescence, KHR_materials_volume, \
               specularColorTexture, clearcoatTexture";
    assert!(says(&head, Level::Warning, all), "{:?}", head.notes);
    assert_eq!(head.materials[0].coat, 0.0, "a clearcoat that a texture limits is not put on the whole surface");
}

#[test]
fn specular_glossiness_is_converted_as_far_as_possible() {
    let file = |texture: Value| {
        let mut extension = json!({"diffuseFactor": [0.5, 0.25, 1, 0.5], "diffuseTexture": {"index": 0},
            "specularFactor": [0.02, 0.04, 0.08], "glossinessFactor": 0.75});
        extension.as_object_mut().unwrap().extend(texture.as_object().unwrap().clone());
        file_of(json!({"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 1]},
            "extensions": {"KHR_materials_pbrSpecularGlossiness": extension}}))
        .open()
        .unwrap()
    };
    let head = file(json!({}));
    let material = &head.materials[0];
    assert_eq!((material.base_color, material.alpha), ([0.5, 0.25, 1.0, 0.5], AlphaMode::Blend));
    assert_eq!((material.metallic, material.roughness), (0.0, 0.25));
    assert_eq!(material.base_color_texture, Some(0.into()));
    assert!(material.specular_color.iter().zip([0.5, 1.0, 2.0]).all(|(a, b)| (a - b).abs() < 1e-4), "{material:?}");
    assert!(warnings(&head).is_empty(), "{:?}", head.notes);
    let head = file(json!({"specularGlossinessTexture": {"index": 0}}));
    assert_eq!(
        head.materials[0].roughness,
        Material::default().roughness,
        "a glossiness of 1 without its texture would be a mirror"
    );
    assert!(says(&head, Level::Warning, "specularGlossinessTexture"));
}

#[test]
fn texture_transforms_are_read() {
    let quarter = std::f32::consts::FRAC_PI_2;
    let transform = json!({"offset": [0.5, 0.25], "rotation": quarter, "scale": [2, 3], "texCoord": 2});
    let head = file_of(json!({
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1}},
        "normalTexture": {"index": 0, "extensions": {"KHR_texture_transform": transform}},
        "occlusionTexture": {"index": 0, "texCoord": 2, "extensions": {"KHR_texture_transform": {}}},
    }))
    .open()
    .unwrap();
    assert!(warnings(&head).is_empty(), "{:?}", head.notes);
    let material = &head.materials[0];
    let (color, occlusion) = (material.base_color_texture.unwrap(), material.occlusion_texture.unwrap());
    assert!(color.is_plain() && !occlusion.is_plain());
    assert_eq!(occlusion.transform(Vec2::new(0.3, 0.4)), Vec2::new(0.3, 0.4));
    let normal = material.normal_texture.unwrap();
    assert_eq!((color.uv_set, normal.uv_set, occlusion.uv_set), (UvSet::First, UvSet::Second, UvSet::Second));
    // Scaled, then rotated counter-clockwise in an image whose v points down, then moved.
    let place = normal.transform(Vec2::new(0.25, 0.5));
    assert!(place.distance(Vec2::new(0.5 + 1.5, 0.25 - 0.5)) < 1e-5, "{place}");
    let vertices = &head.meshes[0].vertices;
    assert_eq!(vertices.uvs, [Vec2::ZERO + Vec2::X, Vec2::ONE, Vec2::Y]);
    assert_eq!(vertices.second_uvs, [Vec2::X * 2.0, Vec2::new(1.0, 2.0), Vec2::Y]);
    // Tangents point along u of the texture, not of the vertices.
    let tangent = |rotation: f32| {
        let file = file_of(json!({"normalTexture": {"index": 0, "extensions": {"KHR_texture_transform":
            {"rotation": rotation}}}}));
        file.open().unwrap().meshes[0].vertices.tangents[0]
    };
    assert!(tangent(0.0).distance(Vec4::new(1.0, 0.0, 0.0, -1.0)) < 1e-4, "{}", tangent(0.0));
    let rotated = tangent(std::f32::consts::FRAC_PI_2);
    assert!(rotated.distance(Vec4::new(0.0, 1.0, 0.0, -1.0)) < 1e-4, "{rotated}");
}

#[test]
fn values_that_are_not_numbers_have_their_default() {
    let head = file_of(json!({
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform":
            {"offset": "up", "scale": [1e39, 1], "rotation": null, "texCoord": -1}}}},
        "extensions": {"KHR_materials_specular": {"specularFactor": 1e300, "specularColorFactor": [1]},
            "KHR_materials_ior": {"ior": -4}, "KHR_materials_sheen": 7,
            "KHR_materials_emissive_strength": {"emissiveStrength": "much"}},
        "normalTexture": {"index": 0, "scale": 1e39}, "alphaMode": "MASK", "alphaCutoff": 1e39
    }))
    .open()
    .unwrap();
    let material = &head.materials[0];
    assert!(material.base_color_texture.unwrap().is_plain());
    assert_eq!((material.specular, material.sheen_color), (1.0, [0.0; 3]));
    assert_eq!((material.normal_scale, material.alpha), (1.0, AlphaMode::Mask { cutoff: 0.5 }));
    assert!(material.specular_color.iter().all(|channel| channel.is_finite()));
}
