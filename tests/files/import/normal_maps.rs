//! Normal, metallic-roughness and occlusion maps, and the tangents that normal maps need.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use serde_json::json;
use smirk_face::head::{Encoding, Influence, Level};

use smirk_support::gltf_builder::{GltfBuilder, UNSIGNED_BYTE};
use smirk_support::head_checks::says;

/// Adds a texture of one texel to a file.
fn texture(file: &mut GltfBuilder, texel: [u8; 4]) -> usize {
    let mut png = Vec::new();
    let picture = image::RgbaImage::from_pixel(1, 1, image::Rgba(texel));
    picture.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).unwrap();
    let view = file.view(&png);
    let image = file.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    file.push("textures", json!({"source": image}))
}

/// A strip of unit squares in the xy plane, facing +z, with a normal map. `u` is given per column of vertices; v points down, as
/// in an image.
fn strip(u: &[f32]) -> GltfBuilder {
    let mut file = GltfBuilder::empty();
    let columns = u.len() as u16;
    let (mut positions, mut uvs, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for (column, &u) in u.iter().enumerate() {
        positions.extend([column as f32, 0.0, 0.0, column as f32, 1.0, 0.0]);
        uvs.extend([u, 1.0, u, 0.0]);
    }
    for column in 0..columns - 1 {
        let first = column * 2;
        indices.extend([first, first + 2, first + 3, first, first + 3, first + 1]);
    }
    let position = file.floats("VEC3", &positions);
    let normal = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(2 * u.len()));
    let uv = file.floats("VEC2", &uvs);
    let indices = file.indices(&indices);
    let attributes = json!({"POSITION": position, "NORMAL": normal, "TEXCOORD_0": uv});
    file.push("meshes", json!({"primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}));
    file.push("nodes", json!({"mesh": 0}));
    let map = texture(&mut file, [128, 128, 255, 255]);
    file.push("materials", json!({"normalTexture": {"index": map}}));
    file
}

#[test]
fn maps_have_linear_encoding_and_an_image_is_decoded_once() {
    let mut file = GltfBuilder::triangle();
    let (shared, bumps) = (texture(&mut file, [1, 2, 3, 4]), texture(&mut file, [128, 128, 255, 255]));
    file.push(
        "materials",
        json!({
            "pbrMetallicRoughness": {"baseColorTexture": {"index": shared}, "roughnessFactor": 0.5,
                "metallicRoughnessTexture": {"index": shared}},
            "occlusionTexture": {"index": shared, "strength": 0.25},
            "normalTexture": {"index": bumps, "scale": -2.0},
        }),
    );
    let head = file.open().unwrap();
    let material = &head.materials[0];
    assert_eq!((material.metallic, material.roughness), (1.0, 0.5), "the factors are kept: the map multiplies them");
    assert_eq!((material.normal_scale, material.occlusion_strength), (-2.0, 0.25));
    let found = material.textures().map(|map| map.map(|map| map.texture));
    assert_eq!(found, [Some(0), Some(2), Some(1), Some(1), None, None]);
    let encodings: Vec<_> = head.textures.iter().map(|texture| texture.encoding).collect();
    assert_eq!(encodings, [Encoding::Srgb, Encoding::Linear, Encoding::Linear]);
    assert!(Arc::ptr_eq(&head.textures[0].image, &head.textures[1].image), "decoded twice");
    assert!(head.notes.iter().all(|note| note.level == Level::Info), "{:?}", head.notes);
}

#[test]
fn maps_that_cannot_be_shown_correctly_are_left_out_with_a_note() {
    let mut file = strip(&[0.0, 1.0]);
    let color = texture(&mut file, [255; 4]);
    file.push("textures", json!({"source": 99}));
    file.json["materials"][0]["pbrMetallicRoughness"] =
        json!({"baseColorTexture": {"index": color, "texCoord": 0}, "metallicRoughnessTexture": {"index": 2}});
    file.json["materials"][0]["occlusionTexture"] = json!({"index": color, "texCoord": 1});
    file.json["materials"][0]["emissiveTexture"] = json!({"index": color, "texCoord": 2});
    file.json["materials"][0]["emissiveFactor"] = json!([1, 1, 1]);
    let head = file.open().unwrap();
    let material = &head.materials[0];
    assert_eq!(
        (material.emissive_texture, material.emissive),
        (None, [0.0; 3]),
        "without its map the whole surface would glow"
    );
    assert!(says(&head, Level::Warning, "emissive map: it is read at TEXCOORD_2, others at TEXCOORD_0 and TEXCOORD_1"));
    assert!(says(&head, Level::Warning, "some of its textures: it has no TEXCOORD_1 to read them at"));
    assert_eq!(material.metallic, 0.0, "without its map the whole surface would be metal");
    assert!(says(&head, Level::Warning, "shown without its metallic-roughness texture: "));

    file.primitive()["attributes"].as_object_mut().unwrap().remove("TEXCOORD_0");
    let head = file.open().unwrap();
    assert!(says(&head, Level::Warning, "without its textures: it has no TEXCOORD_0 to read them at"));
    assert!(head.meshes[0].vertices.tangents.is_empty());
}

#[test]
fn tangents_are_generated_where_a_normal_map_needs_them() {
    let tangents = |file: &GltfBuilder| file.open().unwrap().meshes[0].vertices.tangents.clone();
    let mut file = strip(&[0.0, 0.5, 1.0]);
    assert_eq!(
        tangents(&file),
        [Vec4::new(1.0, 0.0, 0.0, 1.0); 6],
        "along u; the bitangent points up in the image, which is +y"
    );
    let head = file.open().unwrap();
    assert!(says(&head, Level::Info, "tangents were generated (MikkTSpace) for 1 meshes"));
    assert_eq!(tangents(&strip(&[1.0, 0.5, 0.0])), [Vec4::new(-1.0, 0.0, 0.0, -1.0); 6], "a mirrored texture");

    let own = [0.0, 1.0, 0.0, -1.0].repeat(6);
    let own = file.floats("VEC4", &own);
    file.primitive()["attributes"]["TANGENT"] = json!(own);
    assert_eq!(tangents(&file), [Vec4::new(0.0, 1.0, 0.0, -1.0); 6], "the file's own tangents are kept");
    let mut plain = strip(&[0.0, 1.0]);
    plain.json["materials"][0] = json!({});
    assert!(tangents(&plain).is_empty(), "without a normal map they are not needed");
}

#[test]
fn tangents_are_of_unit_length_and_perpendicular_to_normals_on_a_curved_surface() {
    let mut file = strip(&[0.0, 0.5, 1.0]);
    let normal = |x: f32| Vec3::new(x, 0.3, 1.0).normalize_or_zero().to_array();
    let normals: Vec<f32> = [-1.0, -1.0, 0.0, 0.0, 1.0, 1.0].into_iter().flat_map(normal).collect();
    let normals = file.floats("VEC3", &normals);
    file.primitive()["attributes"]["NORMAL"] = json!(normals);
    let mesh = &file.open().unwrap().meshes[0];
    for (normal, tangent) in mesh.vertices.normals.iter().zip(&mesh.vertices.tangents) {
        assert!((tangent.truncate().length() - 1.0).abs() < 1e-5, "{tangent}");
        assert!(tangent.truncate().dot(*normal).abs() < 1e-5, "{tangent} is not perpendicular to {normal}");
        assert!(tangent.x > 0.5 && tangent.w == 1.0, "{tangent}");
    }
}

#[test]
fn vertices_between_mirrored_halves_are_split_with_all_attributes() {
    let mut file = strip(&[1.0, 0.0, 1.0]);
    let deltas = file.floats("VEC3", &[[0.0; 6], [0.0, 0.0, 2.0, 0.0, 0.0, 3.0], [0.0; 6]].concat());
    let colors = file.floats("VEC3", &[[0.0; 6], [0.5; 6], [0.0; 6]].concat());
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, 6, &[0, 1, 0, 0].repeat(6));
    let weights = file.floats("VEC4", &[[1.0, 0.0, 0.0, 0.0].repeat(2), [0.0, 1.0, 0.0, 0.0].repeat(4)].concat());
    file.primitive()["targets"] = json!([{"POSITION": deltas}]);
    for (name, accessor) in [("COLOR_0", colors), ("JOINTS_0", joints), ("WEIGHTS_0", weights)] {
        file.primitive()["attributes"][name] = json!(accessor);
    }
    file.json["nodes"] = json!([{"mesh": 0, "skin": 0}, {}, {"translation": [0, 0, 5]}]);
    file.push("skins", json!({"joints": [1, 2]}));
    let head = file.open().unwrap();
    let mesh = &head.meshes[0];
    assert!(says(&head, Level::Info, "2 vertices added where a texture is mirrored"));
    assert_eq!(mesh.indices, [0, 2, 3, 0, 3, 1, 6, 4, 5, 6, 5, 7]);
    let vertices = &mesh.vertices;
    let of = |vertex: usize| (vertices.positions[vertex], vertices.normals[vertex], vertices.uvs[vertex]);
    assert_eq!((of(6), of(7)), (of(2), of(3)));
    assert_eq!((vertices.positions[6], vertices.uvs[7]), (Vec3::X, Vec2::ZERO));
    assert_eq!(
        (vertices.influences.len(), vertices.influences.of_vertex(6)),
        (8, [Influence { joint: 1, weight: 1.0 }].as_slice())
    );
    assert_eq!(vertices.colors[6..], [[0.5, 0.5, 0.5, 1.0]; 2]);
    let target = &mesh.targets[0];
    assert_eq!(target.rows, [2, 3, 6, 7]);
    assert_eq!(target.positions[..2], target.positions[2..]);
    let (left, right) = (Vec4::new(-1.0, 0.0, 0.0, -1.0), Vec4::new(1.0, 0.0, 0.0, 1.0));
    assert_eq!(vertices.tangents, [left, left, left, left, right, right, right, right]);
}

#[test]
fn a_surface_that_would_take_mikktspace_too_long_has_no_tangents() {
    let mut file = strip(&[0.0, 1.0]);
    let fan: Vec<u16> = [0, 1, 2].repeat(1100);
    let fan = file.indices(&fan);
    file.primitive()["indices"] = json!(fan);
    let head = file.open().unwrap();
    assert!(says(&head, Level::Warning, "1100 triangles meet at one point"));
    assert!(head.meshes[0].vertices.tangents.is_empty());
}
