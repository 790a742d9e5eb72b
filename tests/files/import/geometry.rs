//! Vertices, triangles and nodes of glTF files.

use glam::Vec3;
use serde_json::json;
use smirk_face::head::Level;

use smirk_support::gltf_builder::{FLOAT, GltfBuilder};
use smirk_support::head_checks::says;

#[test]
fn primitives_that_name_the_same_accessors_share_vertices() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    let mut same = file.primitive().clone();
    same["indices"] = json!(file.indices(&[2, 1, 0]));
    let other = json!({"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]});
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().extend([same, other]);
    let mesh = &file.open().unwrap().meshes[0];
    assert_eq!(mesh.vertices.len(), 6);
    assert_eq!(mesh.indices, [0, 1, 2, 2, 1, 0, 3, 4, 5]);
    assert_eq!(mesh.targets[0].rows, [1, 2, 4, 5]);
    assert_eq!(mesh.parts.iter().map(|part| part.flat_shaded).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn strips_and_fans_become_triangles_of_one_winding_order() {
    for (mode, expected) in [(5, [0, 1, 2, 1, 3, 2]), (6, [1, 2, 0, 2, 3, 0])] {
        let mut file = GltfBuilder::triangle();
        let square = file.floats("VEC3", &[0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.]);
        *file.primitive() = json!({"attributes": {"POSITION": square}, "mode": mode});
        assert_eq!(file.open().unwrap().meshes[0].indices, expected, "mode {mode}");
    }
}

#[test]
fn points_are_skipped_and_a_file_of_points_is_refused() {
    let mut file = GltfBuilder::triangle();
    let mut points = file.primitive().clone();
    points["mode"] = json!(0);
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(points.clone());
    assert!(says(&file.open().unwrap(), Level::Warning, "primitive 1: is drawn as Points"));
    *file.primitive() = points.clone();
    assert!(file.refusal().contains("holds no mesh to show"));
}

#[test]
fn a_file_of_animations_alone_is_not_told_to_export_triangles() {
    let mut file = GltfBuilder::triangle();
    file.json["meshes"] = json!([]);
    file.json["nodes"] = json!([{"name": "hips"}]);
    assert!(file.refusal().contains("export the head as triangle meshes"), "{}", file.refusal());
    file.json["animations"] = json!([{"channels": [], "samplers": []}]);
    assert!(file.refusal().contains("export it with the head"), "{}", file.refusal());
    file.json["extensionsUsed"] = json!(["VRMC_vrm_animation"]);
    file.json["extensions"] = json!({"VRMC_vrm_animation": {"specVersion": "1.0"}});
    let refusal = file.refusal();
    assert!(refusal.contains("VRM animation") && refusal.contains("as a take"), "{refusal}");
}

#[test]
fn what_a_required_extension_would_change_is_said_by_its_kind() {
    for (extension, words) in [
        ("VRMC_springBone", "do not swing"),
        ("VRMC_something_new", "what it moves stays where it is"),
        ("KHR_materials_iridescence", "the surface may look different"),
        ("KHR_xmp_json_ld", "changes nothing in the picture"),
        ("EXT_lights_image_based", "the light may look different"),
    ] {
        let mut file = GltfBuilder::triangle();
        file.json["extensionsRequired"] = json!([extension]);
        let head = file.open().unwrap();
        assert!(says(&head, Level::Warning, words), "{extension}: {:?}", head.notes);
    }
}

#[cfg(unix)]
#[test]
fn a_buffer_that_is_no_file_is_not_called_damage() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    for (name, words) in [("pipe", "it is a pipe"), ("folder", "it is a folder"), ("none", "was not found")] {
        let mut file = GltfBuilder::triangle();
        file.json["buffers"] = json!([{"byteLength": 4096, "uri": name}]);
        let path = folder.path().join("head.gltf");
        std::fs::write(&path, file.json.to_string()).unwrap();
        let refusal = smirk_files::import::open(&path).unwrap_err().to_string();
        assert!(refusal.contains(words) && refusal.contains("put"), "{refusal}");
        assert!(!refusal.contains("damaged"), "{refusal}");
    }
}

#[test]
fn the_reason_why_no_mesh_can_be_shown_is_not_a_warning_about_targets() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0, "_WRINKLES": 0}]);
    file.primitive()["mode"] = json!(0);
    let refusal = file.refusal();
    assert!(refusal.contains("is drawn as Points") && !refusal.contains("_WRINKLES"), "{refusal}");
}

#[test]
fn indices_out_of_range_are_named() {
    let mut file = GltfBuilder::triangle();
    let indices = file.indices(&[0, 1, 3]);
    file.primitive()["indices"] = json!(indices);
    assert!(file.refusal().contains("index 2 is vertex 3, it has 3 vertices"));
}

#[test]
fn triangles_on_positions_that_are_not_finite_are_left_out() {
    let mut file = GltfBuilder::triangle();
    let positions = file.floats("VEC3", &[9., 9., 9., 8., 9., 9., 9., 8., 9., f32::NAN, 0., 0.]);
    let indices = file.indices(&[0, 1, 2, 1, 2, 3]);
    *file.primitive() = json!({"attributes": {"POSITION": positions}, "indices": indices});
    let head = file.open().unwrap();
    assert_eq!(head.meshes[0].indices, [0, 1, 2]);
    assert_eq!(head.bounds.min, Vec3::new(8., 8., 9.));
    assert!(says(&head, Level::Warning, "1 of 4 positions are not finite"));
}

#[test]
fn nodes_have_the_transforms_of_their_parents_and_cycles_are_refused() {
    let mut file = GltfBuilder::triangle();
    file.json["nodes"][0]["translation"] = json!([1, 0, 0]);
    file.push("nodes", json!({"children": [0], "scale": [2, 2, 2]}));
    file.push("nodes", json!({"mesh": 0}));
    file.json["scenes"] = json!([{"nodes": [1]}]);
    let head = file.open().unwrap();
    assert_eq!(head.meshes.len(), 1);
    assert_eq!(head.meshes[0].world_from_mesh.transform_point3(Vec3::X), Vec3::X * 4.0);
    assert!(says(&head, Level::Info, "1 meshes are not in the default scene"));
    file.json["nodes"][0]["children"] = json!([1]);
    assert!(file.refusal().contains("is its own ancestor"));
}

#[test]
fn deep_trees_do_not_overflow_the_stack() {
    let mut file = GltfBuilder::triangle();
    for depth in 0..20_000 {
        file.push("nodes", json!({"children": [depth]}));
    }
    file.json["scenes"] = json!([{"nodes": [20_000]}]);
    assert_eq!(file.open().unwrap().meshes.len(), 1);
}

#[test]
fn sparse_indices_must_be_integers() {
    let mut file = GltfBuilder::triangle();
    let indices = file.indices(&[0, 0, 0]);
    let (rows, values) = (file.view(&[1, 2]), file.view(bytemuck::cast_slice(&[1_u16, 2])));
    let sparse =
        json!({"count": 2, "indices": {"bufferView": rows, "componentType": 5121}, "values": {"bufferView": values}});
    file.json["accessors"][indices]["sparse"] = sparse;
    file.primitive()["indices"] = json!(indices);
    assert_eq!(file.open().unwrap().meshes[0].indices, [0, 1, 2]);
    file.json["accessors"][indices] = json!({"componentType": FLOAT, "type": "SCALAR", "count": 3, "bufferView": 0,
        "sparse": {"count": 1, "indices": {"bufferView": rows, "componentType": 5121}, "values": {"bufferView": 0}}});
    assert!(file.refusal().contains("needs unsigned integers"));
}
