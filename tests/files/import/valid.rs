//! Unusual files that the specification allows, as the corpus of the Khronos glTF validator has them, and parts that do not exist and
//! can be left out.

use serde_json::{Value, json};
use smirk_face::head::{Head, Level};

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks::says;

fn warnings(head: &Head) -> Vec<String> {
    head.notes.iter().filter(|note| note.level == Level::Warning).map(ToString::to_string).collect()
}

/// The triangle after a change, without a warning about it.
fn opens(change: impl FnOnce(&mut GltfBuilder)) -> Head {
    let mut file = GltfBuilder::triangle();
    change(&mut file);
    let head = file.open().unwrap();
    assert_eq!(head.triangle_count(), 1);
    head
}

#[test]
fn a_scene_may_lack_nodes() {
    let head = opens(|file| file.json["scenes"] = json!([{"nodes": [0]}, {"name": "empty"}]));
    assert_eq!(warnings(&head), Vec::<String>::new());
    let head = opens(|file| file.json["scenes"] = json!([{}]));
    assert!(says(&head, Level::Warning, "the default scene shows no mesh"));
}

#[test]
fn a_buffer_that_nothing_uses_may_be_missing() {
    for unused in [
        json!({"byteLength": 4}),
        json!({"byteLength": 4, "uri": "gone.bin"}),
        json!({"byteLength": 9, "uri": "data:,"}),
    ] {
        let mut file = GltfBuilder::triangle();
        file.json["buffers"] = json!([{"byteLength": file.bin_bytes()}, unused]);
        file.push("bufferViews", json!({"buffer": 1, "byteLength": 4}));
        assert_eq!(file.open().unwrap().triangle_count(), 1, "{unused}");
        // It is an error as soon as something uses it.
        file.json["accessors"][0]["bufferView"] = json!(2);
        let message = file.refusal();
        assert!(message.contains("buffer 1: "), "{message}");
        // A compressed view of it is not decompressed either.
        file.json["accessors"][0]["bufferView"] = json!(0);
        let compressed = json!({"buffer": 1, "byteLength": 4, "byteStride": 4, "count": 1, "mode": "ATTRIBUTES"});
        file.json["bufferViews"][2]["extensions"] = json!({"EXT_meshopt_compression": compressed});
        assert_eq!(file.open().unwrap().triangle_count(), 1, "{unused}");
        file.json["accessors"][0]["bufferView"] = json!(2);
        assert!(file.refusal().contains("buffer 1: "));
    }
}

#[test]
fn a_buffer_may_be_a_data_uri_without_base64() {
    let positions: [f32; 9] = [0., 0., 0., 1., 0., 0., 0., 1., 0.];
    let text: String = bytemuck::bytes_of(&positions).iter().map(|byte| format!("%{byte:02X}")).collect();
    let head = opens(|file| {
        file.json["buffers"] =
            json!([{"byteLength": file.bin_bytes()}, {"byteLength": 36, "uri": format!("DATA:,{text}")}]);
        let view = file.push("bufferViews", json!({"buffer": 1, "byteLength": 36}));
        file.json["accessors"][0]["bufferView"] = json!(view);
    });
    assert_eq!(head.meshes[0].vertices.positions[1], glam::Vec3::X);
}

#[test]
fn integers_may_be_written_as_floats() {
    let head = opens(|file| {
        file.json["accessors"][0]["count"] = json!(3.0);
        file.json["bufferViews"][0]["byteLength"] = json!(36.0);
        file.json["nodes"][0]["mesh"] = json!(0.0);
        file.json["scene"] = json!(0.0);
        file.json["scenes"] = json!([{"nodes": [0.0]}]);
    });
    assert_eq!(warnings(&head), Vec::<String>::new());
    let mut file = GltfBuilder::triangle();
    file.json["accessors"][0]["count"] = json!(2.5);
    assert!(file.refusal().contains("accessors[0]"));
}

#[test]
fn versions_are_read_as_the_specification_says() {
    let open = |asset: Value| {
        let mut file = GltfBuilder::triangle();
        file.json["asset"] = asset;
        file.open().map(|head| warnings(&head)).map_err(|error| error.to_string())
    };
    assert_eq!(open(json!({"version": "2.0", "minVersion": "2.0"})), Ok(vec![]));
    assert_eq!(open(json!({"version": "2.1"})), Ok(vec![]));
    let refused = open(json!({"version": "2.1", "minVersion": "2.1"})).unwrap_err();
    assert!(refused.contains("asset.minVersion: \"2.1\", Smirk reads 2.0"), "{refused}");
    let number = open(json!({"version": 2.0})).unwrap();
    assert_eq!(number, ["asset.version: is the number 2; glTF needs a text, \"2.0\""]);
    assert!(open(json!({"version": 1.5})).unwrap_err().contains("\"1.5\", Smirk reads 2.0"));
    assert!(open(json!({"version": []})).unwrap_err().contains("neither a text nor a number"));
}

#[test]
fn attributes_of_accessors_that_do_not_exist_are_left_out() {
    for name in ["NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0", "JOINTS_0"] {
        let head = opens(|file| file.primitive()["attributes"][name] = json!(70));
        let message = format!("{name} refers to accessor 70, the file has 2 of them; ignored");
        assert!(says(&head, Level::Warning, &message), "{:?}", head.notes);
    }
    let mut file = GltfBuilder::triangle();
    file.primitive()["attributes"]["POSITION"] = json!(70);
    assert!(file.refusal().contains("refers to accessor 70"));
}

#[test]
fn a_texture_that_does_not_exist_is_left_out() {
    let mut file = GltfBuilder::textured_triangle();
    file.json["materials"][0]["normalTexture"]["index"] = json!(7);
    let head = file.open().unwrap();
    assert!(says(&head, Level::Warning, "shown without its normal map: "), "{:?}", head.notes);
    assert!(says(&head, Level::Warning, "refers to texture 7, the file has 1 of them"), "{:?}", head.notes);
}

#[test]
fn black_vertex_colours_over_a_texture_are_a_warning() {
    let says_black = |colors: &[f32], textured: bool| {
        let mut file = if textured { GltfBuilder::textured_triangle() } else { GltfBuilder::triangle() };
        if textured {
            let mut png = std::io::Cursor::new(Vec::new());
            image::RgbaImage::new(1, 1).write_to(&mut png, image::ImageFormat::Png).unwrap();
            let view = file.view(&png.into_inner());
            file.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
        }
        let colors = file.floats("VEC3", colors);
        file.primitive()["attributes"]["COLOR_0"] = json!(colors);
        says(&file.open().unwrap(), Level::Warning, "vertices are black and hide its texture; Look › Vertex colours")
    };
    let (black, gray) = ([0.0; 3], [0.2; 3]);
    assert!(says_black(&[black, black, black].concat(), true));
    assert!(says_black(&[black, gray, black].concat(), true));
    assert!(!says_black(&[gray, gray, black].concat(), true));
    assert!(!says_black(&[black, black, black].concat(), false), "a black material is what the file wants");
}
