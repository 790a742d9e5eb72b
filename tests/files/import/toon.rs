//! Toon shading of VRM 1.0 and 0.x, constraints of nodes, and the meshes of the first person.

use serde_json::{Value, json};
use smirk_face::head::{AlphaMode, ConstraintKind, Head, Level, Material, OutlineWidth, Toon};

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks::says;

/// A triangle with a texture and this material.
fn file_of(material: Value) -> GltfBuilder {
    let mut file = GltfBuilder::textured_triangle();
    let mut png = Vec::new();
    let picture = image::RgbaImage::from_pixel(1, 1, image::Rgba([255; 4]));
    picture.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).unwrap();
    let view = file.view(&png);
    file.push("images", json!({"bufferView": view}));
    file.json["materials"] = json!([material]);
    file
}

fn of_extension(extension: Value) -> Head {
    file_of(json!({"extensions": {"VRMC_materials_mtoon": extension, "KHR_materials_unlit": {}}})).open().unwrap()
}

fn toon(head: &Head) -> &Toon {
    head.materials[0].toon.as_ref().unwrap()
}

#[test]
fn parameters_of_1_0_are_read_and_those_that_are_absent_are_the_specifications() {
    let head = of_extension(json!({"specVersion": "1.0"}));
    assert_eq!(*toon(&head), Toon::default());
    assert!(head.materials[0].unlit && !head.materials[0].is_shown_unlit(), "toon shading takes precedence");
    let head =
        of_extension(json!({"specVersion": "1.0", "shadeColorFactor": [0.5, 0.25, 0], "shadingToonyFactor": 0.25,
        "shadeMultiplyTexture": {"index": 0}, "matcapTexture": {"index": 0, "texCoord": 3}, "outlineWidthFactor": 0.004,
        "outlineWidthMode": "screenCoordinates", "renderQueueOffsetNumber": -4, "transparentWithZWrite": true,
        "shadingShiftTexture": {"index": 0, "scale": -0.5}, "uvAnimationScrollYSpeedFactor": 0.1}));
    let toon = toon(&head);
    assert_eq!((toon.shade_color, toon.shading_toony, toon.queue_offset), ([0.5, 0.25, 0.0], 0.25, -4));
    assert_eq!((toon.outline.width, toon.writes_depth), (OutlineWidth::Screen(0.004), true));
    assert_eq!((toon.shading_shift_scale, toon.uv_animation.scroll), (-0.5, [0.0, 0.1]));
    assert!(toon.shade_texture.is_some() && toon.matcap_texture.is_some(), "the matcap needs no coordinates");
    let [colors, numbers] = [toon.shade_texture, toon.shading_shift_texture].map(|map| map.unwrap().texture);
    assert_ne!(colors, numbers, "as colours, and as numbers");
    assert!(!head.notes.iter().any(|note| note.level == Level::Warning), "{:?}", head.notes);
    assert!(head.animates_uvs);
}

#[test]
fn parameters_out_of_range_are_drawn_at_its_end_and_noted() {
    let head = of_extension(json!({"outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 1e30,
        "shadingToonyFactor": -3, "shadingShiftFactor": "wide", "parametricRimFresnelPowerFactor": 1e300,
        "shadeColorFactor": [1e38, -1, 0], "renderQueueOffsetNumber": 1e18, "giEqualizationFactor": null,
        "matcapTexture": {"index": 77}, "rimLightingMixFactor": [1]}));
    let toon = toon(&head);
    assert_eq!(toon.outline.width, OutlineWidth::World(OutlineWidth::MOST));
    assert_eq!((toon.shading_toony, toon.shading_shift, toon.rim_fresnel_power), (0.0, 0.0, 1000.0));
    assert_eq!((toon.shade_color, toon.queue_offset, toon.matcap_texture), ([100.0, 0.0, 0.0], 9, None));
    for words in
        ["outlineWidthFactor", "shadingToonyFactor -3 is drawn as 0", "shadingShiftFactor", "without its matcap"]
    {
        assert!(says(&head, Level::Warning, words), "{words}: {:?}", head.notes);
    }
    assert!(!says(&head, Level::Warning, "giEqualizationFactor"));
    let head = of_extension(json!({"outlineWidthMode": "everywhere", "outlineWidthFactor": 0.01}));
    assert_eq!(self::toon(&head).outline.width, OutlineWidth::None);
    assert!(says(&head, Level::Warning, "everywhere"), "{:?}", head.notes);
    assert!(of_extension(json!(7)).materials[0].toon.is_none());
}

/// Every number that a material is drawn with is one of a picture, and its outline no wider than the widest.
fn assert_drawable(head: &Head, context: &str) {
    for material in &head.materials {
        let Some(toon) = &material.toon else { continue };
        let colors = [toon.shade_color, toon.matcap_color, toon.rim_color, toon.outline.color, material.emissive];
        let [u, v] = toon.uv_animation.scroll;
        let numbers = [
            (toon.shading_shift, 2.0),
            (toon.shading_shift_scale, 4.0),
            (toon.shading_toony, 1.0),
            (toon.gi_equalization, 1.0),
            (toon.rim_fresnel_power, 1000.0),
            (toon.rim_lift, 1.0),
            (toon.rim_lighting_mix, 1.0),
            (toon.outline.lighting_mix, 1.0),
            (toon.uv_animation.rotation, 1000.0),
            (u, 1000.0),
            (v, 1000.0),
        ];
        let width = match toon.outline.width {
            OutlineWidth::None => 0.0,
            OutlineWidth::World(width) | OutlineWidth::Screen(width) => width,
        };
        assert!((0.0..=OutlineWidth::MOST).contains(&width) && toon.queue_offset.abs() <= 9, "{context}: {toon:?}");
        assert!(numbers.iter().all(|(number, most)| number.abs() <= *most), "{context}: {toon:?}");
        assert!(colors.iter().flatten().all(|channel| (0.0..=f32::MAX).contains(channel)), "{context}: {material:?}");
        let uses = material.uv_textures().chain(toon.textures().into_iter().flatten());
        assert!(uses.into_iter().all(|map| map.texture < head.textures.len() && map.texture_from_uv.is_finite()));
    }
}

#[test]
fn a_hostile_extension_is_drawable_and_noted_in_one_sentence() {
    let huge = [1e38, 1e38, -1e38];
    let mut failures = Vec::new();
    for (extension, words) in [
        (json!([1, 2]), "VRMC_materials_mtoon, which is not an object"),
        (json!("x"), "which is not an object"),
        (json!(null), "which is not an object"),
        (json!({"specVersion": "2.0"}), "specVersion \"2.0\" is read as 1.0"),
        (json!({"specVersion": 1}), "specVersion 1 is no text"),
        (json!({"outlineWidthMode": "sideways", "outlineWidthFactor": 1}), "\"sideways\" is unknown"),
        (json!({"outlineWidthMode": {}, "outlineWidthFactor": 1}), "outlineWidthMode {} is no text"),
        (json!({"outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 3e38}), "is drawn as 0.05"),
        (json!({"outlineWidthMode": "screenCoordinates", "outlineWidthFactor": -5}), "-5 is drawn as 0"),
        (json!({"outlineWidthMode": "screenCoordinates", "outlineWidthFactor": "NaN"}), "\"NaN\" is drawn as 0"),
        (json!({"shadeMultiplyTexture": 3}), "shadeMultiplyTexture names no texture"),
        (json!({"matcapTexture": [1], "rimMultiplyTexture": {}}), "matcapTexture names no texture"),
        (json!({"outlineWidthMultiplyTexture": {"index": 1e9}}), "without its texture of the outline's width"),
        (json!({"shadeMultiplyTexture": {"index": 999}}), "shown without its shade texture"),
        (json!({"uvAnimationMaskTexture": {"index": -1}}), "uvAnimationMaskTexture names no texture"),
        (json!({"shadingShiftTexture": {"index": 0, "scale": 1e30}}), "scale 1e+30 is drawn as 4"),
        (json!({"shadeColorFactor": [1]}), "shadeColorFactor is drawn as"),
        (json!({"shadeColorFactor": huge, "outlineColorFactor": huge, "matcapFactor": huge}), "outlineColorFactor"),
        (json!({"parametricRimColorFactor": "red"}), "parametricRimColorFactor is drawn as"),
        (json!({"parametricRimLiftFactor": 1e38, "parametricRimFresnelPowerFactor": -8}), "-8 is drawn as 0"),
        (json!({"shadingToonyFactor": -1e30, "shadingShiftFactor": 1e30}), "is drawn as 2"),
        (json!({"rimLightingMixFactor": -1e30, "giEqualizationFactor": 1e30}), "giEqualizationFactor"),
        (json!({"outlineLightingMixFactor": {}}), "outlineLightingMixFactor {} is drawn as 1"),
        (json!({"uvAnimationScrollXSpeedFactor": 1e38, "uvAnimationRotationSpeedFactor": 1e38}), "is drawn as 1000"),
        (json!({"renderQueueOffsetNumber": 1e12}), "is drawn as 9"),
        (json!({"renderQueueOffsetNumber": 2.5}), "2.5 is drawn as 2"),
        (json!({"renderQueueOffsetNumber": "last"}), "is drawn as 0"),
        (json!({"transparentWithZWrite": "yes"}), "neither true nor false"),
    ] {
        let head = of_extension(extension.clone());
        let warnings = head.notes.iter().filter(|note| note.level == Level::Warning).count();
        if !says(&head, Level::Warning, words) || warnings != 1 {
            failures.push((extension.clone(), head.notes.clone()));
        }
        assert_drawable(&head, &extension.to_string());
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// An avatar of VRM 0.x with these properties of its only material.
fn of_vrm0(properties: Value) -> Head {
    let mut file = file_of(json!({"name": "Face", "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 1]}}));
    file.json["extensions"] = json!({"VRM": {"materialProperties": [properties]}});
    file.open().unwrap()
}

#[test]
fn materials_of_0_x_are_converted_as_the_migration_of_univrm_does() {
    let head = of_vrm0(json!({"shader": "VRM/MToon", "renderQueue": 2501, "keywordMap": {},
        "floatProperties": {"_BlendMode": 1, "_Cutoff": 0.25, "_CullMode": 0, "_ShadeShift": -0.5, "_ShadeToony": 0.8,
            "_IndirectLightIntensity": 0.3, "_OutlineWidthMode": 1, "_OutlineWidth": 0.5, "_OutlineColorMode": 0,
            "_UvAnimScrollY": 0.5, "_UvAnimRotation": 0.25, "_RimFresnelPower": 3, "_RimLightingMix": 0},
        "vectorProperties": {"_Color": [0.5, 1, 0, 0.5], "_ShadeColor": [0.25, 0.5, 1, 1], "_MainTex": [0.25, 0.1, 2, 0.5],
            "_EmissionColor": [2, 0.5, 0, 1]},
        "textureProperties": {"_MainTex": 0, "_SphereAdd": 0}}));
    let material = &head.materials[0];
    let toon = toon(&head);
    let [red, green, ..] = material.base_color;
    assert!((red - 0.5_f32.powf(2.2)).abs() < 1e-6 && green == 1.0 && material.base_color[3] == 0.5);
    assert!((toon.shade_color[0] - 0.25_f32.powf(2.2)).abs() < 1e-6);
    assert_eq!((material.alpha, material.double_sided), (AlphaMode::Mask { cutoff: 0.25 }, true));
    // The range of 0.x, -0.5 to -0.2, by its middle and its width.
    assert!((toon.shading_toony - 0.85).abs() < 1e-6 && (toon.shading_shift - 0.35).abs() < 1e-6, "{toon:?}");
    assert!((toon.gi_equalization - 0.7).abs() < 1e-6);
    assert_eq!((toon.outline.width, toon.outline.lighting_mix), (OutlineWidth::World(0.005), 0.0));
    assert_eq!((toon.rim_lighting_mix, toon.rim_fresnel_power), (1.0, 3.0));
    assert!(
        toon.uv_animation.scroll == [0.0, -0.5]
            && (toon.uv_animation.rotation - std::f32::consts::FRAC_PI_2).abs() < 1e-5
    );
    assert_eq!(material.emissive, [2.0, 0.5, 0.0]);
    let shade = toon.shade_texture.unwrap();
    assert_eq!(Some(shade), material.base_color_texture, "the shade has the texture of the light");
    assert_eq!(shade.texture_from_uv.translation.to_array(), [0.25, 0.4], "from the top");
    assert!(toon.matcap_texture.unwrap().is_plain());
    assert_eq!(material.in_file().base_color, [0.1, 0.2, 0.3, 1.0], "this is saved");
    let screen = of_vrm0(json!({"shader": "VRM/MToon",
        "floatProperties": {"_OutlineWidthMode": 2, "_OutlineWidth": 0.5, "_OutlineColorMode": 1, "_OutlineLightingMix": 0.5}}));
    let outline = self::toon(&screen).outline;
    assert_eq!((outline.width, outline.lighting_mix), (OutlineWidth::Screen(0.0025), 0.5));
    assert_eq!(self::toon(&screen).shade_texture, None);
}

#[test]
fn render_queues_of_0_x_keep_their_order() {
    let mut file = GltfBuilder::textured_triangle();
    let queues = [(2, 3002), (2, 3000), (3, 2503), (3, 2501), (2, 3002), (0, 2000)];
    file.json["materials"] = queues.iter().map(|_| json!({})).collect();
    let properties = |(mode, queue): (i32, i32)| json!({"shader": "VRM/MToon", "renderQueue": queue, "floatProperties": {"_BlendMode": mode}});
    file.json["extensions"] = json!({"VRM": {"materialProperties": queues.map(properties)}});
    let head = file.open().unwrap();
    let offsets: Vec<i32> = head.materials.iter().filter_map(|it| Some(it.toon.as_ref()?.queue_offset)).collect();
    assert_eq!(offsets, [0, -1, 1, 0, 0, 0]);
    let writes = |material: &Material| material.toon.as_ref().is_some_and(|toon| toon.writes_depth);
    assert_eq!(head.materials.iter().map(writes).collect::<Vec<_>>(), [false, false, true, true, false, false]);
}

#[test]
fn unlit_shaders_of_0_x_are_shown_as_they_are_and_unknown_ones_are_named() {
    let head =
        of_vrm0(json!({"shader": "VRM/UnlitTransparentZWrite", "vectorProperties": {"_Color": [1, 0.5, 0, 0.5]}}));
    let material = &head.materials[0];
    assert_eq!((material.base_color, material.alpha), ([0.0, 0.0, 0.0, 0.5], AlphaMode::Blend));
    assert!(material.emissive[0] == 1.0 && toon(&head).writes_depth && toon(&head).shade_color == [0.0; 3]);
    let other = of_vrm0(json!({"shader": "Poiyomi/Toon"}));
    assert!(other.materials[0].toon.is_none() && says(&other, Level::Warning, "Poiyomi/Toon"), "{:?}", other.notes);
    let nonsense = of_vrm0(
        json!({"shader": "VRM/MToon", "floatProperties": {"_BlendMode": "x", "_OutlineWidth": 1e300},
        "vectorProperties": {"_Color": [1], "_ShadeColor": "red"}, "textureProperties": {"_MainTex": -1, "_RimTexture": 99}}),
    );
    assert!(nonsense.materials[0].toon.is_some() && says(&nonsense, Level::Warning, "without its rim texture"));
    assert!(of_vrm0(json!(3)).materials[0].toon.is_none());
}

#[test]
fn hostile_properties_of_0_x_are_drawable_and_noted_in_one_sentence() {
    let of = |list: &str, properties: Value| json!({"shader": "VRM/MToon", list: properties});
    for (properties, words) in [
        (of("floatProperties", json!({"_OutlineWidth": "wide", "_RimLift": [1]})), "left out: \"_OutlineWidth\""),
        (of("floatProperties", json!({"_OutlineWidth": 1e30, "_OutlineWidthMode": 1})), "is drawn as 0.05"),
        (of("floatProperties", json!({"_RimFresnelPower": -9, "_RimLift": 1e30})), "-9.0 is drawn as 0"),
        (of("vectorProperties", json!({"_ShadeColor": "white"})), "left out: \"_ShadeColor\""),
        (of("vectorProperties", json!({"_RimColor": [1e16, 1e16, 1e16, 1]})), "parametricRimColorFactor is drawn"),
        (of("textureProperties", json!({"_MainTex": -1, "_SphereAdd": "x"})), "left out: \"_MainTex\""),
        (of("textureProperties", json!({"_ShadeTexture": 999})), "shown without its shade texture"),
    ] {
        let head = of_vrm0(properties.clone());
        let warnings = head.notes.iter().filter(|note| note.level == Level::Warning).count();
        assert!(says(&head, Level::Warning, words) && warnings == 1, "{properties}: {:?}", head.notes);
        assert!(head.materials[0].toon.is_some());
        assert_drawable(&head, &properties.to_string());
    }
    // Forms that are shown without a word, or without toon shading.
    for properties in [
        of(
            "floatProperties",
            json!({"_OutlineWidthMode": 9, "_CullMode": 17, "_BlendMode": 99, "_OutlineColorMode": -3}),
        ),
        of("vectorProperties", json!({"_Color": [-1, 1e38, 1, 1], "_MainTex": [1e38, 1e38, 1e38, 0]})),
        of("keywordMap", json!(["_ALPHABLEND_ON"])),
        json!({"shader": "VRM/MToon", "renderQueue": 1_000_000_000_000_000_i64}),
        json!({"floatProperties": {"_OutlineWidth": 1}}),
        json!(null),
    ] {
        assert_drawable(&of_vrm0(properties.clone()), &properties.to_string());
    }
    let mut file = file_of(json!({"name": "Face"}));
    file.json["extensions"] = json!({"VRM": {"materialProperties": {"a": 1}}});
    assert!(says(&file.open().unwrap(), Level::Warning, "materialProperties is no list"));
}

#[test]
fn constraints_are_read_and_circles_are_named() {
    let mut file = GltfBuilder::triangle();
    let follows = |kind: &str, fields: Value| json!({"VRMC_node_constraint": {"specVersion": "1.0", "constraint": {kind: fields}}});
    let first = file.json["nodes"].as_array().unwrap().len();
    for (name, extensions) in [
        ("twist", follows("roll", json!({"source": 0, "rollAxis": "Y", "weight": 0.5}))),
        ("sleeve", follows("aim", json!({"source": 0, "aimAxis": "NegativeZ"}))),
        ("one", follows("rotation", json!({"source": first + 3}))),
        ("other", follows("rotation", json!({"source": first + 2}))),
        ("odd", follows("aim", json!({"source": 0, "aimAxis": "Sideways"}))),
    ] {
        file.push("nodes", json!({"name": name, "extensions": extensions}));
    }
    let head = file.open().unwrap();
    let found: Vec<_> =
        head.rig.constraints.iter().map(|of| (head.rig.nodes[of.node].name.as_str(), of.weight)).collect();
    assert_eq!(found, [("twist", 0.5), ("sleeve", 1.0)]);
    assert!(matches!(head.rig.constraints[1].kind, ConstraintKind::Aim { axis } if axis.z == -1.0));
    assert!(
        says(&head, Level::Warning, "in a circle") && says(&head, Level::Warning, "cannot be read"),
        "{:?}",
        head.notes
    );
}

#[test]
fn meshes_of_the_first_person_are_hidden_and_springs_are_named() {
    let mut file = GltfBuilder::triangle();
    file.json["extensions"] = json!({
        "VRMC_vrm": {"specVersion": "1.0", "firstPerson": {"meshAnnotations": [{"node": 0, "type": "firstPersonOnly"}]}},
        "VRMC_springBone": {"springs": [{"name": "Skirt", "joints": []}, {"joints": []}]},
    });
    let head = file.open().unwrap();
    assert_eq!(head.hidden_at_first().into_iter().collect::<Vec<_>>(), [head.meshes[0].name.clone()]);
    assert!(says(&head, Level::Info, "spring bones stay still: \"Skirt\", \"unnamed\""), "{:?}", head.notes);
    file.json["extensions"] = json!({"VRM": {
        "firstPerson": {"meshAnnotations": [{"mesh": 0, "firstPersonFlag": "ThirdPersonOnly"}]},
        "secondaryAnimation": {"boneGroups": [{"comment": "Hair"}]},
    }});
    let head = file.open().unwrap();
    assert!(head.hidden_at_first().is_empty() && says(&head, Level::Info, "spring bones stay still: \"Hair\""));
}
