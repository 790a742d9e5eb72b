//! Small valid files of every kind, for tests that break them.

use serde_json::json;

use crate::draco::{Connectivity, Grid};
use crate::fbx_builder::FbxBuilder;
use crate::gltf_builder::{BYTE, GltfBuilder, SHORT, UNSIGNED_BYTE};

/// An OBJ with all forms of face corners, groups, smoothing groups, negative indices, a continued line, and a material library
/// that is missing.
pub const OBJ: &str = "\
# a square pyramid
mtllib gone.mtl
o pyramid
v 0 0 0
v 1 0 0 1.0
v 1 1 0 0.5 0.5 0.5
v 0 1 0
v 0.5 0.5 1
vt 0 0
vt 1 0 0
vt 0.5 1
vn 0 0 -1
g bottom
usemtl skin
s off
f 1/1/1 4/2/1 3/3/1 2/1/1
g sides
s 1
f 1//1 2//1 5//1
f 2/1 3/2 5/3
f -3 -2 \\
 -1
f 4 1 5
l 1 2
";

/// A named file for each way to store data. All are valid and have at least one target.
pub fn all() -> Vec<(&'static str, GltfBuilder)> {
    vec![
        ("plain", plain()),
        ("sparse", sparse()),
        ("quantised", quantised()),
        ("skinned", skinned()),
        ("animated", animated()),
        ("textured", textured()),
        ("scene", scene()),
        ("compressed", compressed()),
        ("draco", Grid::new(4).file(Connectivity::Edgebreaker, 12)),
        ("draco in order", Grid::new(4).file(Connectivity::Sequential, 0)),
    ]
}

/// The files of [`all`] as bytes, one of them also as `.gltf`, and files of other formats.
pub fn all_bytes() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = all().into_iter().map(|(name, file)| (format!("{name}.glb"), file.glb())).collect();
    files.push(("animated.gltf".into(), animated().gltf().into_bytes()));
    files.push(("plain.obj".into(), OBJ.as_bytes().to_vec()));
    files.push(("everything.fbx".into(), FbxBuilder::everything().binary()));
    files.push(("everything as text.fbx".into(), FbxBuilder::everything().text().into_bytes()));
    files
}

/// An indexed mesh with all attributes and two targets.
fn plain() -> GltfBuilder {
    let mut file = GltfBuilder::triangle();
    let indices = file.indices(&[0, 1, 2, 2, 1, 0]);
    let tangents = file.floats("VEC4", &[1., 0., 0., 1., 1., 0., 0., 1., 1., 0., 0., -1.]);
    let colors = file.floats("VEC3", &[0.5; 9]);
    let up = file.floats("VEC3", &[0., 0., 0.1, 0., 0., 0., 0., 0., 0.2]);
    let turn = file.floats("VEC3", &[0.1, 0., 0., 0., 0., 0., 0., -0.1, 0.]);
    let primitive = file.primitive();
    primitive["indices"] = json!(indices);
    primitive["attributes"]["TANGENT"] = json!(tangents);
    primitive["attributes"]["COLOR_0"] = json!(colors);
    primitive["targets"] = json!([{"POSITION": up, "NORMAL": turn, "TANGENT": turn}, {"POSITION": turn}]);
    file.json["meshes"][0]["weights"] = json!([0.25, 0]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["jawOpen", "mouthSmileLeft"]});
    file
}

/// Sparse deltas of one vertex, and an accessor without data.
fn sparse() -> GltfBuilder {
    let mut file = GltfBuilder::triangle();
    let rows = file.view(&[1]);
    let values = file.view(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63]);
    let moved = file.push(
        "accessors",
        json!({"componentType": 5126, "type": "VEC3", "count": 3, "sparse": {"count": 1,
            "indices": {"bufferView": rows, "componentType": UNSIGNED_BYTE}, "values": {"bufferView": values}}}),
    );
    let still = file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 3}));
    file.primitive()["targets"] = json!([{"POSITION": moved, "NORMAL": still}, {"POSITION": still}]);
    file
}

/// `KHR_mesh_quantization`, with strides.
fn quantised() -> GltfBuilder {
    let mut file = GltfBuilder::empty();
    let positions: Vec<u8> =
        [[0_i16, 0, 0, 0], [32767, 0, 0, 0], [0, 32767, 0, 0]].concat().iter().flat_map(|x| x.to_le_bytes()).collect();
    let positions = file.accessor("VEC3", SHORT, 3, &positions);
    let normals = file.accessor("VEC3", BYTE, 3, &[0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 127, 0]);
    for (accessor, stride) in [(positions, 8), (normals, 4)] {
        file.json["accessors"][accessor]["normalized"] = json!(true);
        file.json["bufferViews"][accessor]["byteStride"] = json!(stride);
    }
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let primitive = json!({"attributes": {"POSITION": positions, "NORMAL": normals},
        "targets": [{"POSITION": normals, "NORMAL": normals}]});
    file.push("meshes", json!({"primitives": [primitive]}));
    file.push("nodes", json!({"mesh": 0, "scale": [0.1, 0.1, 0.1]}));
    file
}

/// Two joints, the second a child of the first.
fn skinned() -> GltfBuilder {
    let mut file = plain();
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let weights = file.floats("VEC4", &[0.5, 0.5, 0., 0., 1., 0., 0., 0., 1., 0., 0., 0.]);
    let identity = glam::Mat4::IDENTITY.to_cols_array();
    let binds = file.floats("MAT4", &[identity, identity].concat());
    let primitive = file.primitive();
    primitive["attributes"]["JOINTS_0"] = json!(joints);
    primitive["attributes"]["WEIGHTS_0"] = json!(weights);
    file.push("nodes", json!({"name": "hips", "children": [2], "rotation": [0, 0.6, 0, 0.8]}));
    file.push("nodes", json!({"name": "head", "translation": [0, 1, 0]}));
    file.push("skins", json!({"joints": [1, 2], "inverseBindMatrices": binds}));
    file.json["nodes"][0]["skin"] = json!(0);
    file
}

/// Weights with all three interpolations, and the rotation of a node.
fn animated() -> GltfBuilder {
    let mut file = plain();
    file.animate(0, "LINEAR", &[0., 0.5, 1.], &[0., 0., 1., 0.5, 0., 1.]);
    file.animate(0, "STEP", &[0.5], &[1., 1.]);
    file.animate(0, "CUBICSPLINE", &[0., 1.], &[0., 1., 0., 0.5, 1., 0., 0., 0., 1., 1., 0., 0.]);
    let times = file.floats("SCALAR", &[0., 1.]);
    let turns = file.floats("VEC4", &[0., 0., 0., 1., 0., 1., 0., 0.]);
    file.push(
        "animations",
        json!({"name": "nod", "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            "samplers": [{"input": times, "output": turns}]}),
    );
    file
}

/// Positions and deltas compressed by meshoptimizer.
fn compressed() -> GltfBuilder {
    let mut file = GltfBuilder::triangle();
    let rows = meshopt::encode_vertex_buffer(&[[0_i16, 0, 0, 0], [100, 0, 0, 0], [0, 100, 7, 0]]).unwrap();
    let stored = file.view(&rows);
    let compression = json!({"buffer": 0, "byteOffset": file.json["bufferViews"][stored]["byteOffset"],
        "byteLength": rows.len(), "byteStride": 8, "count": 3, "mode": "ATTRIBUTES"});
    let view = file.push(
        "bufferViews",
        json!({"buffer": 0, "byteLength": 24, "byteStride": 8, "extensions": {"EXT_meshopt_compression": compression}}),
    );
    let accessor =
        file.push("accessors", json!({"bufferView": view, "componentType": SHORT, "type": "VEC3", "count": 3}));
    file.json["extensionsRequired"] = json!(["EXT_meshopt_compression", "KHR_mesh_quantization"]);
    file.primitive()["attributes"]["POSITION"] = json!(accessor);
    file.primitive()["targets"] = json!([{"POSITION": accessor}]);
    file
}

/// An image as colour and normal map, without tangents.
fn textured() -> GltfBuilder {
    let mut file = GltfBuilder::textured_triangle();
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = image::RgbaImage::from_fn(4, 4, |x, y| image::Rgba([x as u8 * 60, y as u8 * 60, 255, 255]));
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let view = file.view(png.get_ref());
    file.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}]);
    let up = file.floats("VEC3", &[0., 0., 0.1, 0., 0., 0., 0., 0., 0.2]);
    file.primitive()["targets"] = json!([{"POSITION": up}]);
    file
}

/// A scene with two nodes that show one mesh of two primitives; the names of targets are on a primitive.
fn scene() -> GltfBuilder {
    let mut file = plain();
    let mut second = file.primitive().clone();
    second["mode"] = json!(5);
    second["extras"] = json!({"targetNames": ["jawOpen", "smile"]});
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    file.push("nodes", json!({"mesh": 0, "weights": [1, -0.5], "scale": [-1, 1, 1], "name": "other"}));
    file.push("nodes", json!({"children": [0, 1], "matrix": glam::Mat4::IDENTITY.to_cols_array()}));
    file.json["scenes"] = json!([{"nodes": [2]}]);
    file.json["scene"] = json!(0);
    file
}
