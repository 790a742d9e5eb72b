//! Extensions that Smirk does not read: what a saved head still has.

use std::sync::Arc;

use serde_json::{Value, json};
use smirk_analysis::mend::{Kind, Mend, SetExpression, apply};
use smirk_base::progress::Progress;
use smirk_export::{MeshExport, MeshFormat, MeshSettings, OutputPath, glb};
use smirk_face::head::{Head, HeadChanges, Level, OutlineWidth, Toon};
use smirk_files::import::{open, open_bytes};
use smirk_scene::{BlendMode, Look, Normals};
use smirk_session::{HeadSource, Session};

use smirk_support::fbx_builder::png;
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks::says;

/// A textured triangle with a second node, and images 0 (its colour) and 1 (which no material that is read uses).
fn file() -> GltfBuilder {
    let mut file = GltfBuilder::textured_triangle();
    let mut other = png();
    other.extend(b"another file");
    for bytes in [png(), other] {
        let view = file.view(&bytes);
        file.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    }
    file.push("samplers", json!({"wrapS": 33071, "wrapT": 10497, "magFilter": 9729, "minFilter": 9729}));
    file.push("textures", json!({"source": 1, "sampler": 0}));
    file.push("nodes", json!({"name": "hair", "translation": [0.0, 1.0, 0.0]}));
    file
}

/// The JSON of a head that is written.
fn written(head: &Head) -> Value {
    let bytes = glb(head).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

fn used(json: &Value) -> Vec<&str> {
    json["extensionsUsed"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

#[test]
fn springs_constraints_toon_shading_and_the_thumbnail_of_an_avatar_are_saved() {
    let mut file = file();
    let springs = json!({"specVersion": "1.0", "springs": [{"joints": [{"node": 1, "hitRadius": 0.02}]}]});
    let vrm = json!({
        "specVersion": "1.0",
        "meta": {"name": "Ada", "licenseUrl": "https://vrm.dev/licenses/1.0/", "thumbnailImage": 1},
        "humanoid": {"humanBones": {"head": {"node": 1}}},
        "firstPerson": {"meshAnnotations": [{"node": 0, "type": "both"}]},
        "lookAt": {"offsetFromHeadBone": [0, 0.06, 0], "type": "expression"},
        "expressions": {"custom": {"blush": {"materialColorBinds": [{"material": 0, "type": "color", "targetValue": [1, 0.5, 0.5, 1]}]}}},
    });
    file.json["extensions"] = json!({"VRMC_vrm": vrm, "VRMC_springBone": springs});
    let toon = json!({"specVersion": "1.0", "outlineWidthFactor": 0.5, "shadeMultiplyTexture": {"index": 0}, "rim": {"rimMultiplyTexture": {"index": 1}}});
    file.json["materials"][0]["extensions"] = json!({"VRMC_materials_mtoon": toon});
    let roll = json!({"specVersion": "1.0", "constraint": {"roll": {"source": 0, "rollAxis": "X"}}});
    file.json["nodes"][1]["extensions"] = json!({"VRMC_node_constraint": roll});
    let head = open_bytes(&file.glb(), "ada.vrm").unwrap();
    let json = written(&head);
    for name in ["VRMC_vrm", "VRMC_springBone", "VRMC_materials_mtoon", "VRMC_node_constraint"] {
        assert!(used(&json).contains(&name), "{name}: {:?}", used(&json));
    }
    assert_eq!(json["extensions"]["VRMC_springBone"], springs);
    assert_eq!(json["nodes"][1]["extensions"]["VRMC_node_constraint"], roll);
    let saved = &json["extensions"]["VRMC_vrm"];
    assert_eq!((&saved["firstPerson"], &saved["lookAt"]), (&vrm["firstPerson"], &vrm["lookAt"]));
    let blush = &saved["expressions"]["custom"]["blush"];
    assert_eq!(blush["materialColorBinds"], vrm["expressions"]["custom"]["blush"]["materialColorBinds"]);
    let toon = &json["materials"][0]["extensions"]["VRMC_materials_mtoon"];
    let image_of = |texture: &Value| {
        let image = json["textures"][texture["index"].as_u64().unwrap() as usize]["source"].as_u64().unwrap();
        json["images"][image as usize]["bufferView"].as_u64().unwrap() as usize
    };
    let bytes_of = |view: usize| json["bufferViews"][view]["byteLength"].as_u64().unwrap() as usize;
    let shade = bytes_of(image_of(&toon["shadeMultiplyTexture"]));
    let rim = bytes_of(image_of(&toon["rim"]["rimMultiplyTexture"]));
    assert_eq!((shade, rim), (png().len(), png().len() + 12), "each texture has its own image");
    let thumbnail = saved["meta"]["thumbnailImage"].as_u64().unwrap() as usize;
    assert_eq!(bytes_of(json["images"][thumbnail]["bufferView"].as_u64().unwrap() as usize), png().len() + 12);
    let again = open_bytes(&glb(&head).unwrap(), "ada.vrm").unwrap();
    assert_eq!(again.carried, head.carried);
    // In another unit, springs have other lengths.
    let small = head.rescaled(0.01);
    assert!(small.carried.root.is_empty() && small.carried.nodes.is_empty() && small.carried.unread.is_empty());
    let toon = |head: &Head| head.carried.materials[&0]["VRMC_materials_mtoon"]["outlineWidthFactor"].as_f64();
    assert_eq!((toon(&head), toon(&small)), (Some(0.5), Some(0.5 * f64::from(0.01_f32))));
    assert!(says(&small, Level::Info, "may hold lengths"), "{:?}", small.notes);
    assert_eq!(HeadChanges::between(&head, &again).summary(), "nothing that Smirk reads has changed");
    assert!(!again.notes.iter().any(|note| note.message.contains("left out when")), "{:?}", again.notes);
    file.json["extensions"]["VRMC_vrm"]["meta"]["thumbnailImage"] = json!(9);
    let without = open_bytes(&file.glb(), "ada.vrm").unwrap();
    assert!(says(&without, Level::Info, "left out when the head is saved: the thumbnail"), "{:?}", without.notes);
}

#[test]
fn what_vrm_0_has_besides_is_saved_with_the_numbers_of_its_textures() {
    let mut file = file();
    file.json["extensions"] = json!({"VRM": {
        "specVersion": "0.0",
        "meta": {"title": "Ada", "texture": 1},
        "humanoid": {"armStretch": 0.05, "humanBones": [{"bone": "head", "node": 1}]},
        "firstPerson": {"firstPersonBone": 1, "meshAnnotations": [{"mesh": 0, "firstPersonFlag": "Auto"}]},
        "secondaryAnimation": {"boneGroups": [{"bones": [1], "center": -1}]},
        "blendShapeMaster": {"blendShapeGroups": [{"name": "Red", "presetName": "unknown", "binds": [],
            "materialValues": [{"materialName": "material 0", "propertyName": "_Color", "targetValue": [1, 0, 0, 1]}]}]},
        "materialProperties": [{"name": "material 0", "shader": "VRM/MToon", "textureProperties": {"_MainTex": 0, "_RimTexture": 1, "_Gone": 9}}],
    }});
    let head = open_bytes(&file.glb(), "ada.vrm").unwrap();
    assert!(says(&head, Level::Info, "is saved: the texture \"_Gone\" of materials"), "{:?}", head.notes);
    let json = written(&head);
    let vrm = &json["extensions"]["VRM"];
    assert_eq!(vrm["secondaryAnimation"]["boneGroups"][0]["bones"], json!([1]));
    assert_eq!(vrm["humanoid"]["armStretch"], json!(0.05));
    let annotations = json!([{"mesh": 0, "firstPersonFlag": "Auto"}]);
    assert_eq!(vrm["firstPerson"], json!({"firstPersonBone": 1, "meshAnnotations": annotations}));
    assert_eq!(vrm["blendShapeMaster"]["blendShapeGroups"][0]["materialValues"][0]["propertyName"], json!("_Color"));
    let textures = vrm["materialProperties"][0]["textureProperties"].as_object().unwrap();
    let texture = |number: &Value| &json["textures"][number.as_u64().unwrap() as usize];
    let source = |number: &Value| texture(number)["source"].clone();
    let sampler = texture(&textures["_RimTexture"])["sampler"].as_u64().unwrap() as usize;
    assert_eq!(json["samplers"][sampler], file.json["samplers"][0], "how it is shrunk");
    assert!(textures.len() == 2 && source(&textures["_MainTex"]) != source(&textures["_RimTexture"]), "{textures:?}");
    assert_eq!(source(&vrm["meta"]["texture"]), source(&textures["_RimTexture"]));
    assert_eq!(open_bytes(&glb(&head).unwrap(), "ada.vrm").unwrap().carried, head.carried);
}

#[test]
fn what_could_refer_to_other_things_is_left_out_and_named() {
    let mut file = file();
    file.json["extensions"] =
        json!({"ACME_rig": {"mesh": 0}, "ACME_credits": {"by": "Ada", "year": "2026", "share": 0.5}});
    file.json["nodes"][0]["extensions"] = json!({"ACME_tag": {"color": "red"}});
    file.json["meshes"][0]["extensions"] = json!({"ACME_mesh": {"smooth": true}});
    file.json["materials"][0]["extensions"] = json!({
        "ACME_paint": {"strength": 2, "paintTexture": {"index": 7}},
        "ACME_gloss": {"strength": 2, "glossTexture": {"index": 1, "texCoord": 0}},
        "ACME_second": {"detailTexture": {"index": 1, "texCoord": 3}},
    });
    let head = open_bytes(&file.glb(), "head.glb").unwrap();
    assert!(says(&head, Level::Info, "left out when the head is saved"), "{:?}", head.notes);
    let left_out = head.notes.iter().find(|note| note.message.contains("left out when")).unwrap().message.clone();
    for name in ["ACME_rig", "ACME_paint", "ACME_second"] {
        assert!(left_out.contains(name), "{name}: {left_out}");
    }
    let json = written(&head);
    assert!(["ACME_credits", "ACME_gloss", "ACME_mesh", "ACME_tag"].iter().all(|name| used(&json).contains(name)));
    // A mesh that two nodes show becomes two.
    file.push("nodes", json!({"mesh": 0}));
    let head = open_bytes(&file.glb(), "head.glb").unwrap();
    assert!(says(&head, Level::Info, "ACME_mesh"), "{:?}", head.notes);
}

/// The JSON and the binary chunk of a head that is written.
fn chunks(head: &Head) -> (Value, Vec<u8>) {
    let bytes = glb(head).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[20..20 + length]).unwrap(), bytes[20 + length..].to_vec())
}

#[test]
fn a_changed_expression_leaves_everything_else_of_an_avatar_as_it_was() {
    let mut file = file();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}]);
    let expression = |list: &str, name: &str| {
        json!({"morphTargetBinds": [{"node": 0, "index": 0, "weight": 0.5}], list: [{"material": 0, "type": "shadeColor", "targetValue": [1, 0, 0, 1]}],
            "extras": {"by": name}, "isBinary": true})
    };
    let of_vrm1 = json!({"VRMC_vrm": {
        "specVersion": "1.0",
        "meta": {"name": "Ada", "authors": ["Eve"], "licenseUrl": "https://vrm.dev/licenses/1.0/", "thumbnailImage": 1, "extra": 1e-7},
        "humanoid": {"humanBones": {"head": {"node": 1}}},
        "lookAt": {"offsetFromHeadBone": [0, 0.06, 0], "type": "expression", "rangeMapHorizontalInner": {"inputMaxValue": 91.5, "outputScale": 0.7}},
        "firstPerson": {"meshAnnotations": [{"node": 0, "type": "both"}]},
        "expressions": {"preset": {"happy": expression("materialColorBinds", "a"), "aa": expression("materialColorBinds", "b")},
            "custom": {"wink": expression("materialColorBinds", "c")}},
    }, "VRMC_springBone": {"specVersion": "1.0", "springs": [{"joints": [{"node": 1, "hitRadius": 0.02}]}]}});
    let of_vrm0 = json!({"VRM": {
        "specVersion": "0.0",
        "meta": {"title": "Ada", "texture": 1, "allowedUserName": "Everyone"},
        "humanoid": {"armStretch": 0.05, "humanBones": [{"bone": "head", "node": 1}]},
        "firstPerson": {"firstPersonBone": 1, "lookAtTypeName": "BlendShape", "lookAtHorizontalInner": {"curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": 90, "yRange": 10}},
        "secondaryAnimation": {"boneGroups": [{"bones": [1], "center": -1, "stiffiness": 0.7}]},
        "blendShapeMaster": {"blendShapeGroups": [
            {"name": "happy", "presetName": "joy", "binds": [{"mesh": 0, "index": 0, "weight": 50}], "materialValues": [], "isBinary": true},
            {"name": "wink", "presetName": "unknown", "binds": [], "materialValues": [], "isBinary": false, "own": 3},
        ]},
        "materialProperties": [{"name": "material 0", "shader": "VRM/MToon", "floatProperties": {"_Cutoff": 0.5}}],
    }});
    for (extensions, expressions) in
        [(of_vrm1, "/extensions/VRMC_vrm/expressions"), (of_vrm0, "/extensions/VRM/blendShapeMaster")]
    {
        file.json["extensions"] = extensions;
        let head = open_bytes(&file.glb(), "ada.vrm").unwrap();
        let name = head.channels[0].full_name.clone();
        let set = |name: &str| SetExpression { name: name.into(), ..SetExpression::default() };
        let mends = [
            SetExpression { binds: Some([(name, 0.25)].into()), is_binary: Some(false), ..set("happy") },
            SetExpression { rename: Some("blink twice".into()), ..set("wink") },
            SetExpression { binds: Some([(head.channels[0].full_name.clone(), 1.0)].into()), ..set("shy") },
        ];
        let mends: Vec<Mend> = mends.into_iter().map(|set| Kind::Expression(set).into()).collect();
        let mended = apply(&head, &mends).head.unwrap();
        let ((mut before, bytes_before), (mut after, bytes_after)) = (chunks(&head), chunks(&mended));
        assert_eq!(bytes_before, bytes_after, "shapes and pictures");
        let [of_before, of_after] =
            [&mut before, &mut after].map(|json| json.pointer_mut(expressions).map(Value::take).unwrap());
        assert_eq!(before, after, "all but the expressions");
        let text = of_after.to_string();
        assert!(
            of_before != of_after && text.contains("shy") && text.contains("blink twice") && !text.contains("wink\"")
        );
        let again = open_bytes(&glb(&mended).unwrap(), "ada.vrm").unwrap();
        assert_eq!(again.expressions, mended.expressions);
        assert_eq!(again.carried, head.carried);
        // What a file says of an expression that is not changed, and what is not read of one that is, stays.
        let kept = |json: &Value| match json.get("preset") {
            Some(preset) => {
                (preset["aa"].clone(), preset["happy"]["extras"].clone(), preset["happy"]["materialColorBinds"].clone())
            }
            None => (json["blendShapeGroups"][1]["own"].clone(), Value::Null, Value::Null),
        };
        assert_eq!(kept(&of_before), kept(&of_after));
    }
}

#[test]
fn baked_meshes_keep_toon_shading_of_both_versions() {
    let of_vrm1 = json!({"specVersion": "1.0",
        "shadeMultiplyTexture": {"index": 0}, "shadeColorFactor": [0.5, 0.25, 0.125],
        "shadingShiftTexture": {"index": 0, "scale": -0.5},
        "matcapTexture": {"index": 0}, "parametricRimColorFactor": [1, 0, 0.5],
        "outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 0.01, "outlineColorFactor": [0, 0.5, 1],
        "transparentWithZWrite": true, "renderQueueOffsetNumber": 3, "uvAnimationScrollYSpeedFactor": 0.25});
    let of_vrm0 = json!({"materialProperties": [{"shader": "VRM/MToon",
        "textureProperties": {"_MainTex": 0, "_RimTexture": 0},
        "floatProperties": {"_OutlineWidthMode": 2, "_OutlineWidth": 0.5, "_BlendMode": 2, "_RimLift": 0.25}}]});
    let folder = tempfile::tempdir().unwrap();
    for version in 0..2 {
        let mut file = file();
        if version == 0 {
            file.json["extensions"] = json!({"VRM": of_vrm0});
        } else {
            file.json["materials"][0]["extensions"] = json!({"VRMC_materials_mtoon": of_vrm1});
        }
        let path = folder.path().join(format!("{version}.glb"));
        std::fs::write(&path, file.glb()).unwrap();
        let head = Arc::new(open(&path).unwrap());
        let session = Session::new(head.clone(), HeadSource::File(path), Look::default(), BlendMode::Cpu);
        let baked = folder.path().join("baked.glb");
        let settings =
            MeshSettings { format: MeshFormat::Glb, normals: Normals::Authored, only_visible: false, span: None };
        MeshExport::new(&session, settings, OutputPath::new(&baked)).unwrap().run(Progress::NONE).unwrap();
        let baked = open(&baked).unwrap();
        let [of_head, of_baked] = [&*head, &baked].map(|head| &head.materials[0]);
        let toon = Toon { in_file: None, ..(**of_head.toon.as_ref().unwrap()).clone() };
        assert_ne!(toon.outline.width, OutlineWidth::None);
        let now = of_baked.toon.as_ref().unwrap();
        assert!(now.differences(&toon).is_empty(), "{:?}", now.differences(&toon));
        assert_eq!((of_baked.base_color, of_baked.alpha), (of_head.base_color, of_head.alpha));
    }
}
