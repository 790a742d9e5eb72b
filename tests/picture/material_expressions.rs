//! What expressions of an avatar do to materials, as it is drawn.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use smirk_face::head::{
    AlphaMode, Asset, Encoding, Expression, Head, Image, Material, MaterialBind, MaterialValue, Mesh, Part, Sampler,
    Texture, TextureRef, Vertices,
};
use smirk_scene::{BlendMode, Camera, Look, Scene, View};
use smirk_support::TestRenderer;

/// A square that faces +z, with a texture that is green on its left half and blue on its right one, and an expression for each value.
fn square<const N: usize>(material: Material, values: [MaterialValue; N]) -> Arc<Head> {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec2::new(x, y));
    let mesh = Mesh {
        vertices: Vertices {
            normals: vec![Vec3::Z; 4],
            positions: corners.map(|at| at.extend(0.0)).to_vec(),
            // The whole square shows the left half.
            uvs: corners.map(|at| at * Vec2::new(0.4, 1.0) + Vec2::new(0.05, 0.0)).to_vec(),
            ..Vertices::default()
        },
        indices: vec![0, 1, 2, 0, 2, 3],
        parts: vec![Part { first_index: 0, index_count: 6, material: 0, flat_shaded: false }],
        ..Mesh::default()
    };
    let (green, blue) = ([40, 200, 40, 255], [40, 40, 200, 255]);
    let texels = (0..64).flat_map(|texel| if texel % 8 < 4 { green } else { blue }).collect();
    let image = Arc::new(Image::new(8, 8, texels));
    let sampler = Sampler { nearest: true, ..Sampler::default() };
    let expression = |(index, value): (usize, MaterialValue)| Expression {
        name: format!("expression {index}"),
        materials: vec![MaterialBind { material: 0, value }],
        ..Expression::default()
    };
    Arc::new(Head::new(Asset {
        meshes: vec![mesh],
        materials: vec![Material { roughness: 1.0, base_color_texture: Some(TextureRef::from(0)), ..material }],
        textures: vec![Texture { name: "halves".into(), image, encoding: Encoding::Srgb, sampler }],
        expressions: values.into_iter().enumerate().map(expression).collect(),
        ..Asset::default()
    }))
}

/// The colour in the middle under each list of outputs, drawn one after the other, in each blend mode.
fn colors<const N: usize>(head: &Arc<Head>, outputs: [&[f32]; N]) -> [[i32; 3]; N] {
    let mut renderer = TestRenderer::shared();
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let mut color = |expressions: &[f32], mode| {
        let scene = Scene {
            expression_outputs: expressions.into(),
            mode,
            ..Scene::at_rest(head, &camera, &Look::default(), [64, 64])
        };
        renderer.draw(&scene);
        let [red, green, blue, _] = renderer.read_pixels().get_pixel(32, 32).0;
        [red, green, blue].map(i32::from)
    };
    let found = outputs.map(|outputs| color(outputs, BlendMode::Cpu));
    for &mode in BlendMode::ALL {
        assert_eq!(outputs.map(|outputs| color(outputs, mode)), found, "{mode:?}");
    }
    found
}

#[test]
fn a_colour_comes_and_goes_with_its_expression() {
    let head = square(Material::default(), [MaterialValue::BaseColor(Vec4::new(3.0, 0.0, 0.0, 1.0))]);
    let [rest, half, whole, again] = colors(&head, [&[], &[0.5], &[1.0], &[0.0]]);
    assert!(rest[1] > 100 && rest[1] > 2 * rest[0], "{rest:?}");
    assert!(whole[1] < 40 && whole[0] > rest[0] + 20, "{whole:?}");
    assert!((whole[0]..=rest[0]).contains(&half[0]) || (rest[0]..=whole[0]).contains(&half[0]), "{half:?}");
    assert!((whole[1]..rest[1]).contains(&half[1]), "{half:?}");
    assert_eq!(again, rest);
}

#[test]
fn a_surface_that_is_invisible_at_rest_appears() {
    let clear = Material { alpha: AlphaMode::Blend, base_color: [1.0, 1.0, 1.0, 0.0], ..Material::default() };
    let head = square(clear, [MaterialValue::BaseColor(Vec4::ONE)]);
    let [rest, half, whole] = colors(&head, [&[0.0], &[0.5], &[1.0]]);
    let background = rest;
    assert!(whole[1] > background[1] + 60, "{whole:?} over {background:?}");
    assert!(half[1] > background[1] + 20 && half[1] + 20 < whole[1], "{half:?} between {background:?} and {whole:?}");
}

#[test]
fn light_is_emitted_by_a_surface_that_is_dark_at_rest() {
    let dark = Material { base_color: [0.0, 0.0, 0.0, 1.0], ..Material::default() };
    let head = square(dark, [MaterialValue::Emissive(Vec3::new(1.0, 0.0, 0.0))]);
    let [rest, whole] = colors(&head, [&[0.0], &[1.0]]);
    assert!(rest.iter().all(|part| *part < 40) && whole[0] > 150 && whole[1] < 80, "{rest:?}, {whole:?}");
}

#[test]
fn a_texture_is_moved_to_another_part_of_its_picture() {
    let moved = MaterialValue::TextureTransform { scale: Vec2::ONE, offset: Vec2::new(0.5, 0.0) };
    let head = square(Material::default(), [moved]);
    let [rest, whole, again] = colors(&head, [&[], &[1.0], &[]]);
    assert!(rest[1] > rest[2] && whole[2] > whole[1], "{rest:?}, {whole:?}");
    assert_eq!(rest, again);
}
