//! Morph targets: attributes, storage, names, default weights.

use glam::{Vec2, Vec3, Vec4};
use serde_json::json;
use smirk_analysis::lint::{Rule, Settings, lint};
use smirk_face::head::{Level, UvColorDeltas};

use smirk_support::gltf_builder::{BYTE, GltfBuilder, SHORT, UNSIGNED_BYTE};
use smirk_support::head_checks::says;

#[test]
fn targets_without_an_attribute_do_not_shift_others() {
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
    assert!(says(&head, Level::Warning, "its targets change COLOR_0, which it does not have"));
}

#[test]
fn texture_coordinates_and_colours_of_every_type_are_read() {
    let mut file = GltfBuilder::triangle();
    let uvs = file.floats("VEC2", &[0.; 6]);
    let colors = file.floats("VEC4", &[1.; 12]);
    let floats = file.floats("VEC3", &[0., 0., 0., -1., 0., 0.5, 0., f32::NAN, 0.]);
    let bytes: [i8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 127, -127, 0, -128];
    let quantised = file.accessor("VEC4", BYTE, 3, bytemuck::cast_slice(&bytes));
    file.json["accessors"][quantised]["normalized"] = json!(true);
    let shorts = file.accessor("VEC2", SHORT, 3, bytemuck::cast_slice(&[0i16, 0, 300, -200, 0, 0]));
    let short = file.floats("VEC2", &[1.; 4]);
    for (set, accessor) in [("TEXCOORD_0", uvs), ("TEXCOORD_1", uvs), ("COLOR_0", colors)] {
        file.primitive()["attributes"][set] = json!(accessor);
    }
    file.primitive()["targets"] = json!([
        {"COLOR_0": floats, "TEXCOORD_1": short},
        {"COLOR_0": quantised, "TEXCOORD_0": shorts},
        {"TEXCOORD_0": short, "COLOR_0": 999, "_GLOW": floats},
    ]);
    let head = file.open().unwrap();
    let deltas: Vec<&UvColorDeltas> = head.meshes[0].targets.iter().map(|target| &target.uv_color_deltas).collect();
    let (uvs, colors) = (vec![[Vec2::ZERO; 2]], vec![Vec4::new(-1.0, 0.0, 0.5, 0.0)]);
    assert_eq!(*deltas[0], UvColorDeltas { rows: vec![1], uvs, colors }, "without alpha, other sets and NaN");
    let uvs = vec![[Vec2::new(300.0, -200.0), Vec2::ZERO], [Vec2::ZERO; 2]];
    let colors = vec![Vec4::ZERO, Vec4::new(1.0, -1.0, 0.0, -1.0)];
    assert_eq!(*deltas[1], UvColorDeltas { rows: vec![1, 2], uvs, colors });
    assert_eq!(*deltas[2], UvColorDeltas::default());
    assert!(says(&head, Level::Warning, "target 0: COLOR_0: 1 of 3 deltas are not finite"), "{:?}", head.notes);
    assert!(says(&head, Level::Info, "its targets change TEXCOORD_1, where no texture is read"));
    assert!(says(&head, Level::Warning, "target 2: TEXCOORD_0: 2 deltas for 3 vertices; left out"), "{:?}", head.notes);
    assert!(
        says(&head, Level::Warning, "target 2: COLOR_0: ") && says(&head, Level::Warning, "_GLOW"),
        "{:?}",
        head.notes
    );
}

#[test]
fn deltas_of_the_second_uv_set_are_read() {
    let mut file = GltfBuilder::textured_triangle();
    let uvs = file.floats("VEC2", &[0., 0., 0.5, -0.5, 0., 0.]);
    file.primitive()["attributes"]["TEXCOORD_3"] = file.primitive()["attributes"]["TEXCOORD_0"].clone();
    file.json["materials"][0]["normalTexture"]["texCoord"] = json!(3);
    file.primitive()["targets"] = json!([{"TEXCOORD_3": uvs, "COLOR_1": 0}]);
    let head = file.open().unwrap();
    let deltas = &head.meshes[0].targets[0].uv_color_deltas;
    assert_eq!((&*deltas.rows, &*deltas.uvs), ([1].as_slice(), [[Vec2::ZERO, Vec2::new(0.5, -0.5)]].as_slice()));
    assert!(says(&head, Level::Info, "change colours other than COLOR_0"), "{:?}", head.notes);
}

#[test]
fn accessors_without_base_data_are_zero_except_for_sparse_elements() {
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
    // The base data are the triangle's own positions: vertex 0 at the origin, vertex 1 on x; vertex 2 is replaced.
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
fn default_weights_are_those_of_the_node_else_of_the_mesh_else_zero() {
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
fn names_are_read_from_mesh_or_primitive_and_made_unique() {
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
fn a_mesh_has_as_many_targets_as_the_primitive_with_most() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    let more = json!({"attributes": {"POSITION": 0}, "targets": [{}, {"POSITION": 0}]});
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(more);
    let head = file.open().unwrap();
    assert_eq!(head.meshes[0].targets.iter().map(|target| target.rows.clone()).collect::<Vec<_>>(), [[1, 2], [4, 5]]);
    assert!(says(&head, Level::Warning, "from 1 to 2 targets"));
}

#[test]
fn empty_targets_count_as_memory() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!(vec![json!({}); 50_000]);
    assert!(file.refusal().contains("more than the"), "in one mesh");
    file.primitive()["targets"] = json!(vec![json!({}); 1000]);
    for _ in 0..1000 {
        file.push("nodes", json!({"mesh": 0}));
    }
    assert!(file.refusal().contains("more than the"), "on many nodes");
}

#[test]
fn repeated_problems_are_noted_once() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!(vec![json!({}); 100]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": vec!["a"; 100]});
    file.push("nodes", json!({"children": vec![0; 100]}));
    let head = file.open().unwrap();
    assert!(says(&head, Level::Warning, "node 0: is a child of both node 1 and node 1; the first is used (99 such"));
    assert!(says(
        &head,
        Level::Info,
        "target 1 has the same name as another target, \"a\"; it was renamed to \"a (2)\" (99 such"
    ));
    assert!(head.notes.len() < 6, "{:?}", head.notes);
}

#[test]
fn attributes_without_base_are_noted_also_for_later_targets() {
    let mut file = GltfBuilder::triangle();
    let broken = file.floats("VEC3", &[f32::NAN; 9]);
    file.primitive()["attributes"] = json!({"POSITION": 0});
    file.primitive()["targets"] = json!([{"POSITION": broken}, {"POSITION": broken, "NORMAL": 1}, {"NORMAL": 1}]);
    let head = file.open().unwrap();
    let count = |text: &str| head.notes.iter().filter(|note| note.message.contains(text)).count();
    assert_eq!(count("its targets change NORMAL, which it does not have"), 1);
    assert_eq!(count("3 of 3 deltas of POSITION are not finite"), 2, "one note for each target that has them");
}

#[test]
fn deltas_are_scaled_like_normals_that_are_not_of_unit_length() {
    let mut file = GltfBuilder::triangle();
    let normals = file.floats("VEC3", &[0., 0., 2., 0., 0., 2., 0., 0., 2.]);
    let tangents = file.floats("VEC4", &[0.5, 0., 0., -0.9].repeat(3));
    file.primitive()["attributes"] = json!({"POSITION": 0, "NORMAL": normals, "TANGENT": tangents});
    file.primitive()["targets"] = json!([{"NORMAL": 0, "TANGENT": 0}]);
    let mesh = &file.open().unwrap().meshes[0];
    assert_eq!((mesh.vertices.normals[0], mesh.vertices.tangents[0]), (Vec3::Z, Vec4::new(1.0, 0.0, 0.0, -1.0)));
    let target = &mesh.targets[0];
    assert_eq!((target.normals[0], target.tangents[0]), (Vec3::X * 0.5, Vec3::X * 2.0));
}

#[test]
fn target_names_that_are_empty_are_not_called_other_than_text() {
    let mut file = GltfBuilder::triangle();
    let up = file.floats("VEC3", &[0., 0., 0., 0., 5., 0., 0., 0., 0.]);
    file.primitive()["targets"] = json!([{"POSITION": up}, {"POSITION": up}, {"POSITION": up}, {"POSITION": up}]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["", "smile", 7, ""]});
    let head = file.open().unwrap();
    let names: Vec<&str> = head.meshes[0].targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!(names, ["target 0", "smile", "target 2", "target 3"]);
    assert!(says(&head, Level::Warning, "2 of its target names are empty"), "{:?}", head.notes);
    assert!(says(&head, Level::Warning, "1 of its target names are not text"), "{:?}", head.notes);
}

#[test]
fn a_target_that_was_left_out_is_not_reported_as_empty_too() {
    let mut file = GltfBuilder::triangle();
    let up = file.floats("VEC3", &[0., 0., 0., 0., 5., 0., 0., 0., 0.]);
    let rest = file.floats("VEC3", &[0.; 9]);
    let many: Vec<_> = (0..40).map(|_| json!({"POSITION": file.floats("VEC3", &[1.; 6])})).collect();
    let empty = |file: &GltfBuilder| {
        let found = lint(&file.open().unwrap(), &Settings::default());
        let empty = found.into_iter().find(|finding| finding.rule == Rule::Empty);
        empty.map_or(0, |finding| finding.channels.len())
    };
    file.primitive()["targets"] = json!([{"POSITION": up}, {"POSITION": rest}]);
    assert_eq!(empty(&file), 1, "it moves nothing in the file");
    file.primitive()["targets"] = json!([{"POSITION": up}, {"POSITION": rest}, many[0]]);
    assert_eq!(empty(&file), 1, "two deltas for three vertices");
    let broken = file.floats("VEC3", &[0., 0., 0., f32::NAN, 0., 0., 0., 0., 0.]);
    file.primitive()["targets"] = json!([{"POSITION": up}, {"POSITION": broken}]);
    assert_eq!(empty(&file), 0, "its only delta is no number");
    file.primitive()["targets"] = json!(many);
    assert_eq!(empty(&file), 0, "more than are named one by one");
}
