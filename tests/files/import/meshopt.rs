//! Buffer views compressed by meshoptimizer.

use glam::{Vec2, Vec3};
use serde_json::{Value, json};
use smirk_face::head::Subject;
use smirk_files::import::{MeshoptFilter, MeshoptLayout, MeshoptMode, decode_meshopt};

use smirk_support::gltf_builder::{BYTE, FLOAT, GltfBuilder, SHORT, UNSIGNED_SHORT};

/// Adds compressed bytes to a file, and a view of the fallback buffer that decompresses them.
fn view(file: &mut GltfBuilder, extension: &str, packed: &[u8], count: usize, stride: usize, more: Value) -> usize {
    let stored = file.view(packed);
    let mut properties = json!({"buffer": 0, "byteOffset": file.json["bufferViews"][stored]["byteOffset"],
        "byteLength": packed.len(), "byteStride": stride, "count": count});
    properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut view = json!({"buffer": 1, "byteLength": count * stride});
    view["extensions"] = json!({ extension: properties });
    file.push("bufferViews", view)
}

/// Declares buffer 1 as the fallback buffer of compressed views.
fn add_fallback(file: &mut GltfBuilder) {
    file.json["buffers"] = json!([{"byteLength": file.bin_bytes()},
        {"byteLength": 1 << 30, "extensions": {"EXT_meshopt_compression": {"fallback": true}}}]);
}

/// A triangle whose indices, positions, normals and texture coordinates are compressed, each in another way.
fn compressed_triangle() -> GltfBuilder {
    let mut file = GltfBuilder::empty();
    let pack = |rows: &[[i16; 4]]| meshopt::encode_vertex_buffer(rows).unwrap();
    let positions = pack(&[[0, 0, 0, 0], [100, 0, 0, 0], [0, 100, 7, 0]]);
    let positions = view(&mut file, "EXT_meshopt_compression", &positions, 3, 8, json!({"mode": "ATTRIBUTES"}));
    let normals =
        meshopt::encode_filter_oct::<i8>(&[[0.0, 0.0, 1.0, 0.0], [0.6, 0.0, 0.8, 0.0], [0.0, -1.0, 0.0, 0.0]], 8);
    let normals = meshopt::encode_vertex_buffer(&normals).unwrap();
    let octahedral = json!({"mode": "ATTRIBUTES", "filter": "OCTAHEDRAL"});
    let normals = view(&mut file, "EXT_meshopt_compression", &normals, 3, 4, octahedral);
    let uvs = [[0.5, 0.25], [1.0, -3.0], [0.0, 1e-3]];
    let uvs = meshopt::encode_filter_exp::<2>(&uvs, 20, meshopt::EncodeExpMode::Separate);
    let uvs = meshopt::encode_vertex_buffer(&uvs).unwrap();
    let exponential = json!({"mode": "ATTRIBUTES", "filter": "EXPONENTIAL"});
    let uvs = view(&mut file, "KHR_meshopt_compression", &uvs, 3, 8, exponential);
    let indices = meshopt::encode_index_buffer(&[0, 1, 2], 3).unwrap();
    let indices = view(&mut file, "KHR_meshopt_compression", &indices, 3, 2, json!({"mode": "TRIANGLES"}));
    let mut accessor = |view, component, kind, normalized| {
        file.push(
            "accessors",
            json!({"bufferView": view, "componentType": component, "count": 3, "type": kind,
            "normalized": normalized}),
        )
    };
    let positions = accessor(positions, SHORT, "VEC3", false);
    let normals = accessor(normals, BYTE, "VEC3", true);
    let uvs = accessor(uvs, FLOAT, "VEC2", false);
    let indices = accessor(indices, UNSIGNED_SHORT, "SCALAR", false);
    file.json["bufferViews"][1]["byteStride"] = json!(8);
    file.json["bufferViews"][3]["byteStride"] = json!(4);
    let attributes = json!({"POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs});
    file.push("meshes", json!({"primitives": [{"attributes": attributes, "indices": indices}]}));
    file.push("nodes", json!({"mesh": 0}));
    file.json["extensionsRequired"] = json!(["EXT_meshopt_compression", "KHR_mesh_quantization"]);
    add_fallback(&mut file);
    file
}

#[test]
fn compressed_views_have_the_original_values() {
    let head = compressed_triangle().open().unwrap();
    assert!(head.notes.iter().all(|note| note.subject == Subject::File), "{:?}", head.notes);
    let mesh = &head.meshes[0];
    assert_eq!(mesh.vertices.positions, [Vec3::ZERO, Vec3::X * 100.0, Vec3::new(0.0, 100.0, 7.0)]);
    let normals = [Vec3::Z, Vec3::new(0.6, 0.0, 0.8), Vec3::NEG_Y];
    assert!(
        mesh.vertices.normals.iter().zip(normals).all(|(a, b)| a.distance(b) < 0.02),
        "{:?}",
        mesh.vertices.normals
    );
    let uvs = [Vec2::new(0.5, 0.25), Vec2::new(1.0, -3.0), Vec2::new(0.0, 1e-3)];
    assert!(mesh.vertices.uvs.iter().zip(uvs).all(|(a, b)| a.distance(b) < 1e-5), "{:?}", mesh.vertices.uvs);
    // The codec may rotate the corners of a triangle, but keeps the order of triangles.
    assert_eq!(mesh.indices.len(), 3);
    let rotations = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];
    assert!(rotations.iter().any(|rotation| mesh.indices == rotation), "{:?}", mesh.indices);
}

#[test]
fn contradicting_properties_of_compressed_views_are_named() {
    let refusal = |edit: &dyn Fn(&mut Value)| {
        let mut file = compressed_triangle();
        edit(&mut file.json["bufferViews"][1]);
        file.refusal()
    };
    let set = |view: &mut Value, key: &str, value: Value| view["extensions"]["EXT_meshopt_compression"][key] = value;
    let message = refusal(&|view| set(view, "count", json!(4)));
    assert!(
        message.contains("bufferView 1 (EXT_meshopt_compression): decompresses to 4 elements of 8 bytes"),
        "{message}"
    );
    assert!(message.contains("its byteLength is 24"), "{message}");
    assert!(refusal(&|view| view["byteStride"] = json!(12)).contains("its byteStride is 12"));
    assert!(refusal(&|view| set(view, "byteLength", json!(1_u64 << 40))).contains("end past buffer 0"));
    assert!(refusal(&|view| set(view, "byteLength", json!(3))).contains("does not decompress"));
    assert!(refusal(&|view| set(view, "buffer", json!(9))).contains("buffer 9"));
    assert!(refusal(&|view| set(view, "mode", json!("MAGIC"))).contains("MAGIC"));
    let narrow = refusal(&|view| {
        set(view, "filter", json!("OCTAHEDRAL"));
        set(view, "byteStride", json!(12));
        set(view, "count", json!(2));
        view["byteStride"] = json!(12);
    });
    assert!(narrow.contains("filter Octahedral"), "{narrow}");
}

#[test]
fn a_few_compressed_bytes_cannot_need_gigabytes() {
    for mode in ["ATTRIBUTES", "TRIANGLES", "INDICES"] {
        let mut file = compressed_triangle();
        let count = 3_000_000_000_u64;
        let stride = if mode == "ATTRIBUTES" { 8 } else { 4 };
        let view = &mut file.json["bufferViews"][1];
        view["byteLength"] = json!(count * stride);
        view["byteStride"] = json!(stride);
        let properties = &mut view["extensions"]["EXT_meshopt_compression"];
        (properties["count"], properties["byteStride"], properties["mode"]) =
            (json!(count), json!(stride), json!(mode));
        let message = file.refusal();
        assert!(message.contains("compresses 3000000000 elements") && message.contains("too few"), "{mode}: {message}");
    }
}

fn layout(count: u64, stride: u64, mode: MeshoptMode, filter: MeshoptFilter) -> MeshoptLayout {
    MeshoptLayout { count, stride, mode, filter }
}

#[test]
fn every_mode_and_filter_decompresses() {
    let rows: Vec<[u32; 3]> = (0..700).map(|row| [row, row * row, 7]).collect();
    let packed = meshopt::encode_vertex_buffer(&rows).unwrap();
    let unpacked = decode_meshopt(&packed, &layout(700, 12, MeshoptMode::Attributes, MeshoptFilter::None)).unwrap();
    assert_eq!(unpacked, bytemuck::cast_slice::<_, u8>(&rows));

    let sequence = meshopt::encode_index_sequence(&[5, 4, 70_000, 0], 70_001).unwrap();
    let unpacked = decode_meshopt(&sequence, &layout(4, 4, MeshoptMode::Indices, MeshoptFilter::None)).unwrap();
    assert_eq!(bytemuck::pod_collect_to_vec::<_, u32>(&unpacked), [5, 4, 70_000, 0]);

    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turn = meshopt::encode_vertex_buffer(&meshopt::encode_filter_quat(&[[half, 0.0, 0.0, half]], 16)).unwrap();
    let unpacked = decode_meshopt(&turn, &layout(1, 8, MeshoptMode::Attributes, MeshoptFilter::Quaternion)).unwrap();
    let turn: Vec<f32> =
        bytemuck::pod_collect_to_vec::<_, i16>(&unpacked).iter().map(|&part| f32::from(part) / 32767.0).collect();
    let sign = turn[3].signum();
    assert!(turn.iter().zip([half, 0.0, 0.0, half]).all(|(a, b)| (a * sign - b).abs() < 1e-3), "{turn:?}");

    for (stride, largest) in [(4, 255.0), (8, 65535.0)] {
        let color = [[1.0, 0.5, 0.25, 0.75]];
        let packed = if stride == 4 {
            meshopt::encode_vertex_buffer(&meshopt::encode_filter_color::<u8>(&color, 8)).unwrap()
        } else {
            meshopt::encode_vertex_buffer(&meshopt::encode_filter_color::<u16>(&color, 16)).unwrap()
        };
        let layout = layout(1, stride, MeshoptMode::Attributes, MeshoptFilter::Color);
        let unpacked = decode_meshopt(&packed, &layout).unwrap();
        let channels: Vec<f32> = match stride {
            4 => unpacked.iter().map(|&channel| f32::from(channel) / largest).collect(),
            _ => bytemuck::pod_collect_to_vec::<_, u16>(&unpacked).iter().map(|&c| f32::from(c) / largest).collect(),
        };
        assert!(channels.iter().zip(color[0]).all(|(a, b)| (a - b).abs() < 0.02), "{channels:?}");
    }
}

#[test]
fn broken_bytes_decompress_to_the_right_length_or_to_an_error() {
    let rows: Vec<[i16; 4]> = (0..300).map(|row| [row, -row, row * 3, 0]).collect();
    let valid = meshopt::encode_vertex_buffer(&rows).unwrap();
    let filters = [MeshoptFilter::None, MeshoptFilter::Octahedral, MeshoptFilter::Quaternion, MeshoptFilter::Color];
    let mut errors = 0;
    for at in 0..valid.len() {
        let mut broken = valid.clone();
        broken[at] ^= 0x5a;
        let filter = filters[at % filters.len()];
        match decode_meshopt(&broken, &layout(300, 8, MeshoptMode::Attributes, filter)) {
            Ok(bytes) => assert_eq!(bytes.len(), 2400),
            Err(_) => errors += 1,
        }
        assert!(decode_meshopt(&valid[..at], &layout(300, 8, MeshoptMode::Attributes, filter)).is_err(), "cut at {at}");
    }
    assert!(errors > 0);
}
