//! Materials and textures.

use glam::Vec2;
use serde_json::json;
use smirk_face::head::{AlphaMode, Level, Sampler, Wrap};

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks::says;

#[test]
fn the_uv_set_is_that_of_the_base_colour_texture() {
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
fn textures_are_decoded_by_content_and_shared_by_materials() {
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
    assert_eq!(
        (texture.image.width(), texture.image.height(), &texture.image.rgba()[..]),
        (2, 1, &[1, 2, 3, 4, 1, 2, 3, 4][..])
    );
    let filters_in_file = [Some(9728), None];
    let sampler = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Mirror, nearest: true, filters_in_file };
    assert_eq!(texture.sampler, sampler);
    assert_eq!(head.materials[1].base_color_texture, Some(0.into()));
}
