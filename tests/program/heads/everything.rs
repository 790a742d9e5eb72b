//! Files that use everything that Smirk reads of glTF and VRM.

use serde_json::json;
use smirk_support::gltf_builder::{GltfBuilder, UNSIGNED_BYTE};

/// A file that uses everything that Smirk reads of glTF: two meshes on a tree of nodes that is not in the order of the tree, a skin
/// with five joints on one vertex, a part without normals, two variants, textures, every material extension that is shown, deltas
/// of texture coordinates and colours, a camera and three lights on nodes, and clips of weights and nodes.
pub fn everything() -> GltfBuilder {
    let mut file = GltfBuilder::triangle();
    let uvs = file.floats("VEC2", &[0., 0., 1., 0., 0., 1.]);
    let colors = file.floats("VEC4", &[0.5, 0.25, 1.0, 1.0].repeat(3));
    let up = file.floats("VEC3", &[0., 0., 0.5, 0., 0., 0., 0., 0., 0.]);
    let tilt = file.floats("VEC3", &[0.25, 0., 0., 0., 0., 0., 0., 0., 0.]);
    let shift = file.floats("VEC2", &[0.25, 0.5, 0., 0., 0., 0.]);
    let paint = file.floats("VEC4", &[0.25, 0., -0.5, 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[0, 1, 2, 3, 1, 0, 0, 0, 2, 3, 0, 0]);
    let weights = file.floats("VEC4", &[0.25, 0.25, 0.25, 0.125, 1., 0., 0., 0., 0.5, 0.5, 0., 0.]);
    let joints_1 = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let weights_1 = file.floats("VEC4", &[0.125, 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    let smooth = json!({
        "attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": uvs, "COLOR_0": colors, "JOINTS_0": joints, "WEIGHTS_0": weights,
            "JOINTS_1": joints_1, "WEIGHTS_1": weights_1},
        "targets": [{"POSITION": up, "NORMAL": tilt, "TEXCOORD_0": shift, "COLOR_0": paint}, {"POSITION": up}],
        "material": 0,
        "extensions": {"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}, {"material": 2, "variants": [1]}]}}
    });
    let mut flat = smooth.clone();
    flat["attributes"].as_object_mut().unwrap().remove("NORMAL");
    flat["targets"][0].as_object_mut().unwrap().remove("NORMAL");
    flat["extensions"]["KHR_materials_variants"]["mappings"] = json!([{"material": 2, "variants": [0, 1]}]);
    file.json["meshes"] = json!([
        {"name": "teeth", "primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}, "material": 1}]},
        {"name": "face", "primitives": [smooth, flat], "weights": [0.0, 0.25], "extras": {"targetNames": ["smile", "blink"]}}
    ]);
    let light = |index: usize| json!({"KHR_lights_punctual": {"light": index}});
    file.json["nodes"] = json!([
        {"name": "teeth", "mesh": 0, "translation": [0.0, -0.5, 0.0]},
        {"name": "jaw", "children": [0, 7], "rotation": [0.0, 0.0, 0.6, 0.8]},
        {"name": "face", "mesh": 1, "skin": 0},
        {"name": "lamp", "extensions": light(2), "translation": [1.0, 2.0, 3.0]},
        {"name": "head", "children": [1, 6, 3], "scale": [2.0, 2.0, 2.0]},
        {"name": "hips", "children": [4, 8], "translation": [0.0, 1.0, 0.0]},
        {"name": "eye", "camera": 0, "extensions": light(0), "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.5, 0.25, 0, 1]},
        {"name": "tongue", "extensions": light(1)},
        {"name": "back", "camera": 1, "translation": [0.0, 0.0, 4.0]}
    ]);
    file.json["scenes"] = json!([{"nodes": [5, 2]}]);
    let bind: Vec<f32> = (0..5)
        .flat_map(|joint| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0.25 * joint as f32, 0.5, 0., 1.])
        .collect();
    let bind = file.floats("MAT4", &bind);
    file.push("skins", json!({"name": "body", "joints": [5, 4, 1, 7, 6], "inverseBindMatrices": bind}));
    let pixel = |rgba: [u8; 4]| {
        let mut png = std::io::Cursor::new(Vec::new());
        image::RgbaImage::from_pixel(2, 1, image::Rgba(rgba)).write_to(&mut png, image::ImageFormat::Png).unwrap();
        png.into_inner()
    };
    for rgba in [[200, 150, 120, 255], [128, 128, 255, 255]] {
        let view = file.view(&pixel(rgba));
        file.push("images", json!({"name": "skin", "mimeType": "image/png", "bufferView": view}));
    }
    file.push("samplers", json!({"wrapS": 33071, "wrapT": 33648, "magFilter": 9728, "minFilter": 9984}));
    file.push("textures", json!({"source": 0, "sampler": 0}));
    file.push("textures", json!({"source": 1}));
    let turned = json!({"KHR_texture_transform": {"offset": [0.25, 0.5], "rotation": 0.5, "scale": [2.0, 0.5]}});
    file.json["materials"] = json!([
        {
            "name": "skin", "doubleSided": true, "alphaMode": "MASK", "alphaCutoff": 0.25, "emissiveFactor": [1.0, 0.5, 0.0],
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": turned}, "metallicFactor": 0.25},
            "normalTexture": {"index": 1, "scale": 0.5}, "occlusionTexture": {"index": 1, "strength": 0.5},
            "extensions": {
                "KHR_materials_emissive_strength": {"emissiveStrength": 4.0}, "KHR_materials_ior": {"ior": 1.4},
                "KHR_materials_specular": {"specularFactor": 0.5, "specularTexture": {"index": 1}},
                "KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25},
                "KHR_materials_sheen": {"sheenColorFactor": [0.5, 0.25, 0.0], "sheenRoughnessFactor": 0.5},
                "KHR_materials_transmission": {"transmissionFactor": 0.25}
            }
        },
        {"name": "teeth", "pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.5, 0.25, 1.0]}},
        {"name": "plain", "extensions": {"KHR_materials_unlit": {}}}
    ]);
    file.json["cameras"] = json!([
        {"name": "near", "type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.01}},
        {"name": "flat", "type": "orthographic", "orthographic": {"xmag": 1.0, "ymag": 2.0, "znear": 0.01, "zfar": 10.0}}
    ]);
    file.json["extensions"] = json!({
        "KHR_materials_variants": {"variants": [{"name": "day"}, {"name": "night"}]},
        "KHR_lights_punctual": {"lights": [
            {"name": "spot", "type": "spot", "intensity": 5.0, "range": 3.0, "color": [1.0, 0.5, 0.25],
                "spot": {"innerConeAngle": 0.25, "outerConeAngle": std::f64::consts::FRAC_PI_2}},
            {"name": "point", "type": "point"},
            {"name": "sun", "type": "directional", "intensity": 2.5}
        ]}
    });
    file.animate(2, "CUBICSPLINE", &[0.0, 1.5], &[0., 0., 0., 0.25, 0., 1., 0., 1., 1., 0.5, 0., 0.]);
    let (times, turns) = (
        file.floats("SCALAR", &[0.0, 0.5, 2.0]),
        file.floats("VEC4", &[0., 0., 0.6, 0.8, 0., 0., 0., 1., 1., 0., 0., 0.]),
    );
    let moves = file.floats("VEC3", &[0., 1., 0., 0., 1.5, 0., 0., 1., 0.]);
    file.push(
        "animations",
        json!({
            "name": "nod",
            "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 5, "path": "translation"}}
            ],
            "samplers": [
                {"input": times, "output": turns},
                {"input": times, "output": moves, "interpolation": "STEP"}
            ]
        }),
    );
    file.json["extensionsUsed"] = json!([
        "KHR_lights_punctual",
        "KHR_materials_clearcoat",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_variants",
        "KHR_texture_transform"
    ]);
    file
}

/// The same as an avatar of either version of VRM.
pub fn avatars() -> [(&'static str, GltfBuilder); 2] {
    let (mut old, mut new) = (everything(), everything());
    let range = |degrees: f32| json!({"xRange": 90.0, "yRange": degrees});
    let map = |degrees: f32| json!({"inputMaxValue": 90.0, "outputScale": degrees});
    old.json["extensions"]["VRM"] = json!({
        "specVersion": "0.0",
        "meta": {"title": "Ada", "author": "B. C.", "licenseName": "CC0", "texture": 1},
        "humanoid": {"humanBones": [{"bone": "hips", "node": 5}, {"bone": "head", "node": 4}]},
        "firstPerson": {"lookAtTypeName": "Bone", "lookAtHorizontalInner": range(8.0), "lookAtHorizontalOuter": range(12.1),
            "lookAtVerticalDown": range(10.0), "lookAtVerticalUp": range(9.3)},
        "blendShapeMaster": {"blendShapeGroups": [
            {"name": "Grin", "presetName": "unknown", "binds": [{"mesh": 1, "index": 0, "weight": 50}]},
            {"name": "Blink", "presetName": "blink", "isBinary": true, "binds": [{"mesh": 1, "index": 1, "weight": 100}]}
        ]}
    });
    new.json["extensions"]["VRMC_vrm"] = json!({
        "specVersion": "1.0",
        "meta": {"name": "Ada", "authors": ["B. C."], "licenseUrl": "https://vrm.dev/licenses/1.0/", "thumbnailImage": 0},
        "humanoid": {"humanBones": {"hips": {"node": 5}, "head": {"node": 4}}},
        "lookAt": {"type": "bone", "rangeMapHorizontalInner": map(8.0), "rangeMapHorizontalOuter": map(12.1),
            "rangeMapVerticalDown": map(10.0), "rangeMapVerticalUp": map(9.3)},
        "expressions": {
            "preset": {
                "happy": {"overrideBlink": "blend", "overrideMouth": "block", "morphTargetBinds": [{"node": 2, "index": 0, "weight": 0.5}]},
                "blink": {"isBinary": true, "morphTargetBinds": [{"node": 2, "index": 1, "weight": 1.0}]}
            },
            "custom": {"grin": {"morphTargetBinds": [{"node": 2, "index": 0, "weight": 0.25}, {"node": 2, "index": 1, "weight": 0.5}]}}
        }
    });
    for (file, name) in [(&mut old, "VRM"), (&mut new, "VRMC_vrm")] {
        file.json["extensionsUsed"].as_array_mut().unwrap().push(json!(name));
    }
    [("VRM 0.x", old), ("VRM 1.0", new)]
}
