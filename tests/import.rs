//! The importer, rule by rule, on files made here.

#[path = "support/gltf_builder.rs"]
mod gltf_builder;

use std::ops::ControlFlow;

use glam::{Vec2, Vec3};
use gltf_builder::{BYTE, GltfBuilder, SHORT, UNSIGNED_BYTE};
use serde_json::json;
use smirk::head::{AlphaMode, Head, Level};

/// Whether some note of that level says that.
fn says(head: &Head, level: Level, text: &str) -> bool {
    head.notes.iter().any(|note| note.level == level && format!("{}: {}", note.object, note.message).contains(text))
}

#[test]
fn targets_that_lack_attributes_never_shift_others() {
    let mut file = GltfBuilder::triangle();
    let up = file.floats("VEC3", &[0., 0., 0., 0., 5., 0., 0., 0., 0.]);
    let turn = file.floats("VEC3", &[0., 0., 0., 0., 0., 0., 7., 0., 0.]);
    file.primitive()["targets"] =
        json!([{"POSITION": up}, {"NORMAL": turn}, {"COLOR_0": up}, {"POSITION": up, "NORMAL": turn}]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["p", "n", "none", "all"]});
    let head = file.open().unwrap();
    let [p, n, none, all] = &head.meshes[0].targets[..] else { panic!("{:?}", head.meshes[0].targets) };
    let (up, turn) = (Vec3::Y * 5.0, Vec3::X * 7.0);
    assert_eq!((&p.rows[..], &p.positions[..], &p.normals[..]), (&[1][..], &[up][..], &[][..]));
    assert_eq!((&n.rows[..], &n.positions[..], &n.normals[..]), (&[2][..], &[][..], &[turn][..]));
    assert_eq!((none.name.as_str(), none.rows.len()), ("none", 0));
    assert_eq!((&all.rows[..], &all.positions[..]), (&[1, 2][..], &[up, Vec3::ZERO][..]));
    assert_eq!(all.normals, [Vec3::ZERO, turn]);
    assert!(says(&head, Level::Warning, "COLOR_0"));
}

#[test]
fn sparse_and_absent_data_are_zeros_but_for_what_is_stored() {
    let mut file = GltfBuilder::triangle();
    let (indices, values) = (file.view(&[2]), file.view(bytemuck::cast_slice(&[1f32, 2., 3.])));
    let sparse = |base: Option<usize>| {
        let mut accessor = json!({"componentType": 5126, "type": "VEC3", "count": 3, "sparse": {"count": 1,
            "indices": {"bufferView": indices, "componentType": UNSIGNED_BYTE}, "values": {"bufferView": values}}});
        if let Some(base) = base {
            accessor["bufferView"] = json!(base);
        }
        accessor
    };
    let on_base = file.push("accessors", sparse(Some(0)));
    let alone = file.push("accessors", sparse(None));
    let nothing = file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 3}));
    file.primitive()["targets"] = json!([{"POSITION": on_base}, {"POSITION": alone}, {"POSITION": nothing}]);
    let targets = &file.open().unwrap().meshes[0].targets;
    // The base view is the triangle's own positions: vertex 0 at the origin, 1 along x, 2 replaced.
    assert_eq!((&targets[0].rows[..], &targets[0].positions[..]), (&[1, 2][..], &[Vec3::X, Vec3::new(1., 2., 3.)][..]));
    assert_eq!((&targets[1].rows[..], &targets[1].positions[..]), (&[2][..], &[Vec3::new(1., 2., 3.)][..]));
    assert!(targets[2].rows.is_empty());
}

#[test]
fn quantised_and_strided_data_are_read_as_the_specification_says() {
    let mut file = GltfBuilder::triangle();
    // Two bytes of padding after each VEC3 of SHORT.
    let shorts: [i16; 12] = [100, 0, 0, 99, 0, 200, 0, 99, 0, 0, -300, 99];
    let plain = file.accessor("VEC3", SHORT, 3, bytemuck::cast_slice(&shorts));
    let bytes: [i8; 12] = [127, 0, 0, 9, 0, -127, 0, 9, 0, 0, -128, 9];
    let normalised = file.accessor("VEC3", BYTE, 3, bytemuck::cast_slice(&bytes));
    for (accessor, stride) in [(plain, 8), (normalised, 4)] {
        let view = file.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        file.json["bufferViews"][view]["byteStride"] = json!(stride);
    }
    file.json["accessors"][normalised]["normalized"] = json!(true);
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    file.primitive()["attributes"]["POSITION"] = json!(plain);
    file.primitive()["targets"] = json!([{"POSITION": normalised}]);
    let head = file.open().unwrap();
    assert_eq!(head.meshes[0].vertices.positions, [Vec3::X * 100.0, Vec3::Y * 200.0, Vec3::Z * -300.0]);
    assert_eq!(head.meshes[0].targets[0].positions, [Vec3::X, Vec3::NEG_Y, Vec3::NEG_Z]);
    assert!(head.notes.is_empty(), "{:?}", head.notes);
}

#[test]
fn weights_at_rest_come_from_the_node_then_the_mesh_then_are_zero() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    assert_eq!(file.open().unwrap().default_weights(), [0.0, 0.0]);
    file.json["meshes"][0]["weights"] = json!([0.5, -2.0]);
    file.push("nodes", json!({"mesh": 0, "weights": [3.0], "name": "second"}));
    let head = file.open().unwrap();
    assert_eq!(head.default_weights(), [0.5, -2.0, 3.0, 0.0]);
    assert_eq!(head.meshes[1].name, "second");
    assert!(says(&head, Level::Warning, "1 weights for 2 targets"));
}

#[test]
fn primitives_that_name_the_same_accessors_share_vertices() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    let mut twin = file.primitive().clone();
    twin["indices"] = json!(file.indices(&[2, 1, 0]));
    let other = json!({"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]});
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().extend([twin, other]);
    let mesh = &file.open().unwrap().meshes[0];
    assert_eq!(mesh.vertices.len(), 6);
    assert_eq!(mesh.indices, [0, 1, 2, 2, 1, 0, 3, 4, 5]);
    assert_eq!(mesh.targets[0].rows, [1, 2, 4, 5]);
    assert_eq!(mesh.parts.iter().map(|part| part.flat_shaded).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn strips_and_fans_become_triangles_that_face_one_way() {
    for (mode, expected) in [(5, [0, 1, 2, 1, 3, 2]), (6, [1, 2, 0, 2, 3, 0])] {
        let mut file = GltfBuilder::triangle();
        let square = file.floats("VEC3", &[0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.]);
        *file.primitive() = json!({"attributes": {"POSITION": square}, "mode": mode});
        assert_eq!(file.open().unwrap().meshes[0].indices, expected, "mode {mode}");
    }
}

#[test]
fn points_are_skipped_and_a_file_of_points_holds_nothing() {
    let mut file = GltfBuilder::triangle();
    let mut points = file.primitive().clone();
    points["mode"] = json!(0);
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(points.clone());
    assert!(says(&file.open().unwrap(), Level::Warning, "primitive 1: is drawn as Points"));
    *file.primitive() = points.clone();
    assert!(file.refusal().contains("holds no mesh to show"));
}

#[test]
fn indices_out_of_range_are_named() {
    let mut file = GltfBuilder::triangle();
    let indices = file.indices(&[0, 1, 3]);
    file.primitive()["indices"] = json!(indices);
    assert!(file.refusal().contains("index 2 is vertex 3, it has 3 vertices"));
}

#[test]
fn names_come_from_mesh_or_primitive_and_are_made_unique() {
    let names = |mesh: serde_json::Value, primitive: serde_json::Value| {
        let mut file = GltfBuilder::triangle();
        file.json["meshes"][0]["extras"] = mesh;
        file.primitive()["extras"] = primitive;
        file.primitive()["targets"] = json!([{"POSITION": 0}, {}, {}]);
        let head = file.open().unwrap();
        head.meshes[0].targets.iter().map(|target| target.name.clone()).collect::<Vec<_>>().join(",")
    };
    let none = json!(null);
    assert_eq!(names(json!({"targetNames": ["a", "b", "c"]}), none.clone()), "a,b,c");
    assert_eq!(names(none.clone(), json!({"targetNames": ["a", "b", "c"]})), "a,b,c");
    assert_eq!(names(json!({"targetNames": ["a", "b", "c", "a", "b", "c"]}), none.clone()), "a,b,c");
    assert_eq!(names(json!({"targetNames": ["a"]}), none.clone()), "a,target 1,target 2");
    assert_eq!(names(json!({"targetNames": ["a", 5, "a"]}), none.clone()), "a,target 1,a (2)");
    assert_eq!(names(json!({"targetNames": ["a", "a", "a"]}), none.clone()), "a,a (2),a (3)");
    assert_eq!(names(json!("text"), none), "target 0,target 1,target 2");
}

#[test]
fn deltas_of_the_wrong_length_or_not_finite_are_left_out() {
    let mut file = GltfBuilder::triangle();
    let short = file.floats("VEC3", &[1.; 6]);
    let broken = file.floats("VEC3", &[1., f32::NAN, 0., 2., 0., 0., 0., 0., f32::INFINITY]);
    file.primitive()["targets"] = json!([{"POSITION": short, "NORMAL": 1}, {"POSITION": broken}]);
    let head = file.open().unwrap();
    let targets = &head.meshes[0].targets;
    assert_eq!((targets[0].positions.len(), targets[0].normals.len()), (0, 3));
    assert_eq!((&targets[1].rows[..], &targets[1].positions[..]), (&[1][..], &[Vec3::X * 2.0][..]));
    assert!(says(&head, Level::Warning, "POSITION has 2 deltas for 3 vertices"));
    assert!(says(&head, Level::Warning, "2 of 3 deltas of POSITION are not finite"));
}

#[test]
fn triangles_on_positions_that_are_no_numbers_are_left_out() {
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
fn unequal_target_counts_take_the_most() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    let more = json!({"attributes": {"POSITION": 0}, "targets": [{}, {"POSITION": 0}]});
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(more);
    let head = file.open().unwrap();
    assert_eq!(head.meshes[0].targets.iter().map(|target| target.rows.clone()).collect::<Vec<_>>(), [[1, 2], [4, 5]]);
    assert!(says(&head, Level::Warning, "from 1 to 2 targets"));
}

#[test]
fn the_uv_set_is_the_one_the_base_colour_asks_for() {
    let mut file = GltfBuilder::triangle();
    let (zero, one) = (file.floats("VEC2", &[0.; 6]), file.floats("VEC2", &[1.; 6]));
    let color = file.floats("VEC3", &[0.5; 9]);
    file.primitive()["attributes"]["TEXCOORD_0"] = json!(zero);
    file.primitive()["attributes"]["TEXCOORD_1"] = json!(one);
    file.primitive()["attributes"]["COLOR_0"] = json!(color);
    file.primitive()["material"] = json!(0);
    file.push("textures", json!({"source": 0}));
    file.push("images", json!({"uri": "nope.png"}));
    file.push(
        "materials",
        json!({"alphaMode": "MASK", "alphaCutoff": 0.25, "extensions": {"KHR_materials_unlit": {}},
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1}}}),
    );
    let head = file.open().unwrap();
    assert_eq!(head.meshes[0].vertices.uvs, [Vec2::ONE; 3]);
    assert_eq!(head.meshes[0].vertices.colors, [[0.5, 0.5, 0.5, 1.0]; 3]);
    assert_eq!((head.materials[0].alpha, head.materials[0].unlit), (AlphaMode::Mask { cutoff: 0.25 }, true));
    assert!(says(&head, Level::Warning, "nope.png"));
}

#[test]
fn textures_are_told_by_content_and_shared_by_materials() {
    let mut png = Vec::new();
    let picture = image::RgbaImage::from_pixel(2, 1, image::Rgba([1, 2, 3, 4]));
    picture.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).unwrap();
    let mut file = GltfBuilder::triangle();
    let view = file.view(&png);
    file.push("images", json!({"bufferView": view, "mimeType": "image/jpeg"}));
    file.push("samplers", json!({"wrapS": 33071, "wrapT": 33648, "magFilter": 9728}));
    file.push("textures", json!({"source": 0, "sampler": 0}));
    for _ in 0..2 {
        file.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    }
    let head = file.open().unwrap();
    assert_eq!(head.textures.len(), 1);
    let texture = &head.textures[0];
    assert_eq!((texture.width, texture.height, &texture.rgba[..]), (2, 1, &[1, 2, 3, 4, 1, 2, 3, 4][..]));
    assert_eq!(format!("{:?}", texture.sampler), "Sampler { wrap_u: Clamp, wrap_v: Mirror, nearest: true }");
    assert_eq!(head.materials[1].base_color_texture, Some(0));
}

#[test]
fn clips_hold_every_interpolation_and_drive_each_instance() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.push("nodes", json!({"mesh": 0}));
    file.animate(1, "CUBICSPLINE", &[0., 1.], &[0., 0., 1., 2., 0., 0., 0., 0., 3., 6., 0., 0.]);
    file.animate(0, "STEP", &[0., 1.], &[0., 0., 1., 1.]);
    let bytes = file.accessor("SCALAR", UNSIGNED_BYTE, 4, &[0, 255, 51, 0]);
    file.json["accessors"][bytes]["normalized"] = json!(true);
    file.animate(0, "LINEAR", &[0., 1.], &[0.; 4]);
    file.json["animations"][2]["samplers"][0]["output"] = json!(bytes);
    let head = file.open().unwrap();
    assert_eq!((head.clips.len(), head.clips[0].tracks[0].first_target), (3, 2));
    assert_eq!((head.clips[0].sample(0.5, 2), head.clips[0].sample(0.5, 3)), (Some(2.0), Some(4.0)));
    assert_eq!(head.clips[0].sample(0.5, 0), None);
    assert_eq!(head.clips[1].sample(0.9, 0), Some(0.0));
    assert_eq!((head.clips[2].sample(0.0, 1), head.clips[2].sample(1.0, 0)), (Some(1.0), Some(0.2)));
}

#[test]
fn broken_and_foreign_animations_cost_themselves_only() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.animate(0, "LINEAR", &[0., 1.], &[0., 0., 1.]);
    file.animate(0, "WOBBLE", &[0.], &[0., 0.]);
    file.animate(0, "LINEAR", &[0.], &[1., 1.]);
    file.animate(0, "LINEAR", &[0.], &[1., 1.]);
    file.json["animations"][3]["channels"][0]["target"]["path"] = json!("rotation");
    let target = json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0"}}});
    file.json["animations"][2]["channels"].as_array_mut().unwrap().push(json!({"sampler": 0, "target": target}));
    let head = file.open().unwrap();
    assert_eq!(head.clips.len(), 1);
    assert!(says(&head, Level::Warning, "2 keys of 2 values each need 4 numbers, the file has 3"));
    assert!(says(&head, Level::Warning, "interpolation glTF does not have"));
    assert!(says(&head, Level::Info, "moves nodes only"));
    assert!(says(&head, Level::Warning, "KHR_animation_pointer"));
}

#[test]
fn skinned_meshes_stand_in_their_rest_pose() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0, "NORMAL": 1}]);
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[0; 12]);
    let weights = file.floats("VEC4", &[1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0.]);
    file.primitive()["attributes"]["JOINTS_0"] = json!(joints);
    file.primitive()["attributes"]["WEIGHTS_0"] = json!(weights);
    // A quarter turn about x, twice the size, one up; the node's own place does not count.
    let (sin, cos) = (std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2);
    file.push("nodes", json!({"rotation": [sin, 0, 0, cos], "scale": [2, 2, 2], "translation": [0, 1, 0]}));
    file.json["nodes"][0]["skin"] = json!(0);
    file.json["nodes"][0]["translation"] = json!([50, 50, 50]);
    file.push("skins", json!({"joints": [1]}));
    let head = file.open().unwrap();
    let mesh = &head.meshes[0];
    let close = |a: Vec3, b: Vec3| assert!(a.distance(b) < 1e-5, "{a} {b}");
    assert_eq!(mesh.world_from_mesh, glam::Mat4::IDENTITY);
    close(mesh.vertices.positions[2], Vec3::new(0., 1., 2.));
    close(mesh.vertices.normals[0], Vec3::NEG_Y);
    close(mesh.targets[0].positions[2], Vec3::Z * 2.0);
    close(mesh.targets[0].normals[0], Vec3::NEG_Y);
    assert!(says(&head, Level::Info, "rest pose"));

    let bad = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[7; 12]);
    file.primitive()["attributes"]["JOINTS_0"] = json!(bad);
    let head = file.open().unwrap();
    assert_eq!(head.meshes[0].vertices.positions[1], Vec3::X);
    assert!(says(&head, Level::Warning, "vertex 0 hangs on joint 7, its skin has 1"));
}

#[test]
fn nodes_are_placed_once_and_circles_refused() {
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
fn required_extensions_are_read_shrugged_off_or_named() {
    let message = |name: &str| {
        let mut file = GltfBuilder::triangle();
        file.json["extensionsRequired"] = json!([name]);
        let warnings = |head: Head| head.notes.iter().filter(|note| note.level == Level::Warning).count();
        file.open().map(warnings).map_err(|error| error.to_string())
    };
    assert_eq!(message("KHR_mesh_quantization"), Ok(0));
    assert_eq!(message("KHR_texture_transform"), Ok(1));
    assert_eq!(message("VRMC_vrm"), Ok(1));
    assert_eq!(
        message("EXT_meshopt_compression").unwrap_err(),
        "test.glb: it is compressed with meshopt (EXT_meshopt_compression), which Smirk does not read yet; \
         re-export without mesh compression"
    );
    assert!(message("KHR_draco_mesh_compression").unwrap_err().contains("Draco"));
    assert!(message("KHR_texture_basisu").unwrap_err().contains("KTX2"));
    assert!(message("ACME_secret").unwrap_err().contains("ACME_secret"));
}

#[test]
fn a_few_bytes_cannot_ask_for_gigabytes() {
    let mut file = GltfBuilder::triangle();
    let bare = file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 4_000_000_000_u64}));
    file.primitive()["targets"] = json!([{"POSITION": bare}]);
    assert!(file.refusal().contains("claims 4000000000 elements and stores none"));

    // 60,000 vertices, each moved by 2,000 targets that are one and the same accessor: 2 GB from under 1 MB.
    let mut file = GltfBuilder::triangle();
    let positions = file.floats("VEC3", &vec![1.0; 180_000]);
    *file.primitive() =
        json!({"attributes": {"POSITION": positions}, "targets": vec![json!({"POSITION": positions}); 2000]});
    assert!(file.refusal().contains("MiB of memory"));
}

#[test]
fn gltf_files_find_their_buffers_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let positions: [f32; 9] = [0., 0., 0., 1., 0., 0., 0., 1., 0.];
    let length = 36;
    std::fs::write(folder.path().join("my buffer.bin"), bytemuck::bytes_of(&positions)).unwrap();
    let open = |uri: &str| {
        let text = json!({"asset": {"version": "2.0"}, "buffers": [{"byteLength": length, "uri": uri}],
            "bufferViews": [{"buffer": 0, "byteLength": length}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]});
        let path = folder.path().join("face.gltf");
        std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
        smirk::import::open(&path)
    };
    let head = open("my%20buffer.bin").unwrap();
    assert_eq!((head.name.as_str(), head.triangle_count()), ("face", 1));
    assert!(open("../my%20buffer.bin").unwrap_err().to_string().contains(".."));
    assert!(open("gone.bin").unwrap_err().to_string().contains("\"gone.bin\" was not found"));
    assert!(open("data:application/octet-stream;base64,AAAA").unwrap_err().to_string().contains("there are 3"));
}

#[test]
fn what_is_no_model_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        smirk::import::open(&path).unwrap_err().to_string()
    };
    assert!(message("a.glb", b"").contains("is empty"));
    assert!(message("b.glb", b"\x89PNG\r\n").contains("PNG"));
    assert!(message("c.gltf", b"{\"asset\": ").contains("line 1 column"));
    assert!(message("d.gltf", b"[]").contains("not an object"));
    assert!(message("e.gltf", b"{\"asset\":{\"version\":\"1.0\"}}").contains("Smirk reads 2.0"));
    let directory = smirk::import::open(folder.path()).unwrap_err().to_string();
    assert!(directory.contains("is a folder"), "{directory}");
    assert!(smirk::import::open(&folder.path().join("none.glb")).unwrap_err().to_string().contains("none.glb"));
}

#[test]
fn progress_only_grows_and_break_cancels() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/head.glb");
    let fractions = std::cell::RefCell::new(vec![0.0]);
    let watch = |_: &str, fraction: f32| {
        fractions.borrow_mut().push(fraction);
        ControlFlow::Continue(())
    };
    smirk::import::open_with(&path, &watch).unwrap();
    let fractions = fractions.into_inner();
    assert!(fractions.len() > 100 && fractions.is_sorted() && fractions.iter().all(|f| (0.0..=1.0).contains(f)));
    for stop_at in [0.0, 0.1, 0.5, 0.95] {
        let stop =
            |_: &str, fraction| if fraction >= stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let error = smirk::import::open_with(&path, &stop).unwrap_err();
        assert!(matches!(error, smirk::import::ImportError::Cancelled), "{error}");
    }
}
