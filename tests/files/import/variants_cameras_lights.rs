//! Material variants, cameras and lights of a file.

use glam::Vec3;
use serde_json::{Value, json};
use smirk_face::head::{Beam, FileLight, Head, Lens, Level};

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks::says;

/// A triangle with the first of three materials, and two variants. `mappings` are those of its primitive.
fn varied(mappings: Value) -> Head {
    let mut file = GltfBuilder::triangle();
    for name in ["own", "red", "blue"] {
        file.push("materials", json!({"name": name}));
    }
    file.primitive()["material"] = json!(0);
    file.primitive()["extensions"] = json!({"KHR_materials_variants": {"mappings": mappings}});
    file.push("nodes", json!({"mesh": 0}));
    file.json["extensions"] = json!({"KHR_materials_variants": {"variants": [{"name": "summer"}, {}]}});
    file.json["extensionsRequired"] = json!(["KHR_materials_variants"]);
    file.open().unwrap()
}

#[test]
fn variants_change_the_material_of_every_instance() {
    let head = varied(json!([{"material": 2, "variants": [0]}]));
    let names: Vec<&str> = head.variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["summer", "variant 1"]);
    for mesh in [0, 1] {
        let materials = [None, Some(0), Some(1), Some(9)].map(|variant| head.material_of(mesh, 0, variant));
        assert_eq!(materials, [0, 2, 0, 0]);
    }
    assert!(!head.notes.iter().any(|note| note.level == Level::Warning), "{:?}", head.notes);
}

#[test]
fn mappings_to_missing_variants_or_materials_are_left_out() {
    let head = varied(
        json!([{"material": 9, "variants": [0]}, {"material": 1, "variants": [0, 7, "x"]}, 5, {"variants": []}]),
    );
    assert_eq!(head.material_of(0, 0, Some(0)), 1);
    assert!(
        says(&head, Level::Warning, "6 mappings name none of the 2 variants or of the 3 materials"),
        "{:?}",
        head.notes
    );
}

#[test]
fn cameras_have_the_transforms_of_their_nodes() {
    let mut file = GltfBuilder::triangle();
    for camera in [
        json!({"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}, "name": "close"}),
        json!({"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 2, "zfar": 9, "znear": 0}}),
        json!({"type": "perspective", "perspective": {"yfov": -1, "znear": 0.1}}),
        json!({"type": 7}),
    ] {
        file.push("cameras", camera);
    }
    for camera in 0..5 {
        file.push("nodes", json!({"camera": camera, "name": format!("node {camera}"), "translation": [0, 1, 0]}));
    }
    file.push("nodes", json!({"children": [1], "translation": [0, 0, 3]}));
    let head = file.open().unwrap();
    let [close, flat] = &head.cameras[..] else { panic!("{:?}", head.cameras) };
    assert_eq!((close.name.as_str(), close.lens), ("close", Lens::Perspective { fov_y_radians: 0.5 }));
    assert_eq!(close.world_from_camera.w_axis.truncate(), Vec3::new(0.0, 1.0, 3.0));
    assert_eq!((flat.name.as_str(), flat.lens), ("node 1", Lens::Orthographic { half_height: 2.0 }));
    assert!(says(&head, Level::Info, "camera \"node 1\": is orthographic"));
    assert!(says(&head, Level::Warning, "camera \"node 2\": has no valid lens"));
    assert!(says(&head, Level::Warning, "has camera 4, the file has 4; left out"));
}

#[test]
fn lights_have_the_transforms_of_their_nodes_and_are_at_most_eight() {
    let mut file = GltfBuilder::triangle();
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "directional", "intensity": 3, "color": [1, 0.5, 0], "name": "sun"},
        {"type": "point", "range": 4},
        {"type": "spot", "intensity": 10, "spot": {"innerConeAngle": 0.2, "outerConeAngle": 0.4}},
        {"type": "spot"},
        {"type": "area"},
    ]}});
    file.json["extensionsRequired"] = json!(["KHR_lights_punctual"]);
    let node =
        |light: usize| json!({"name": format!("n{light}"), "extensions": {"KHR_lights_punctual": {"light": light}}});
    (0..5).chain([0; 6]).for_each(|light| {
        file.push("nodes", node(light));
    });
    // A quarter turn about x turns -z to -y.
    file.json["nodes"][1]["rotation"] =
        json!([-std::f32::consts::FRAC_1_SQRT_2, 0, 0, std::f32::consts::FRAC_1_SQRT_2]);
    let head = file.open().unwrap();
    assert_eq!(head.lights.len(), FileLight::MOST);
    let [sun, point, spot, plain] = &head.lights[..4] else { panic!() };
    assert!(sun.direction_in_world().distance(Vec3::NEG_Y) < 1e-6, "{}", sun.direction_in_world());
    assert_eq!(
        (sun.name.as_str(), sun.beam, sun.intensity, sun.color),
        ("sun", Beam::Directional, 3.0, [1.0, 0.5, 0.0])
    );
    assert_eq!((point.name.as_str(), point.beam, point.range, point.intensity), ("n1", Beam::Point, Some(4.0), 1.0));
    assert_eq!(spot.beam, Beam::Spot { inner_radians: 0.2, outer_radians: 0.4 });
    assert_eq!(plain.beam, Beam::Spot { inner_radians: 0.0, outer_radians: std::f32::consts::FRAC_PI_4 });
    assert!(says(&head, Level::Warning, "light \"n4\": refers to none of the 5 lights"));
    assert!(says(&head, Level::Warning, "2 beyond the first 8 are not shown: \"sun\", \"sun\""), "{:?}", head.notes);
}

#[test]
fn cameras_and_lights_of_another_scene_are_left_out() {
    let mut file = GltfBuilder::triangle();
    file.push("cameras", json!({"type": "perspective", "perspective": {"yfov": 1}}));
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "point"}]}});
    for name in ["here", "elsewhere"] {
        file.push("nodes", json!({"name": name, "camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}}));
    }
    file.json["scenes"] = json!([{"nodes": [0, 1]}, {"nodes": [2]}]);
    let head = file.open().unwrap();
    assert_eq!((head.cameras.len(), head.cameras[0].name.as_str()), (1, "here"));
    assert_eq!((head.lights.len(), head.lights[0].name.as_str()), (1, "here"));
    assert!(says(&head, Level::Info, "scene: 1 cameras are not in the default scene"), "{:?}", head.notes);
    assert!(says(&head, Level::Info, "scene: 1 lights are not in the default scene"), "{:?}", head.notes);
}
