//! Materials look as the glTF specification defines.

use serde_json::json;
use smirk_support::gltf_builder::GltfBuilder;

use crate::pictures::*;

#[test]
fn unlit_colours_are_shown_unchanged() {
    let linear = [0.5, 0.02, 0.9];
    let plain = head_of(vec![square(Mat4::IDENTITY, 0)], vec![unlit([0.5, 0.02, 0.9, 1.0])], vec![]);
    assert_close(middle_of(&plain, View::Front), linear);

    let mut colored = square(Mat4::IDENTITY, 0);
    colored.vertices.colors = vec![[0.5, 0.25, 0.003, 1.0]; 4];
    let colored = head_of(vec![colored], vec![unlit([0.5, 1.0, 1.0, 1.0])], vec![]);
    assert_close(middle_of(&colored, View::Front), [0.25, 0.25, 0.003]);
    let ignored = Look { vertex_colors: VertexColors::Ignored, ..Look::default() };
    assert_close(middle_in(&ignored, &colored, View::Front), [0.5, 1.0, 1.0]);

    let texture = Texture {
        name: "plain".into(),
        image: Arc::new(Image::new(4, 4, [200, 100, 7, 255].repeat(16))),
        encoding: Encoding::Srgb,
        sampler: Sampler::default(),
    };
    let material = Material { base_color_texture: Some(0.into()), ..unlit([1.0; 4]) };
    let textured = head_of(vec![square(Mat4::IDENTITY, 0)], vec![material], vec![texture]);
    let actual = middle_of(&textured, View::Front);
    assert!(largest_step(&actual, &[200, 100, 7, 255]) <= 1, "{actual:?}");
}

#[test]
fn front_faces_are_drawn_mirrored_or_not_and_back_faces_only_if_double_sided() {
    let white = [1.0; 3];
    let mirrored = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let back = View::Angles { yaw_degrees: 180.0, pitch_degrees: 0.0 };
    for world_from_mesh in [Mat4::IDENTITY, mirrored] {
        let head = head_of(vec![square(world_from_mesh, 0)], vec![unlit([1.0; 4])], vec![]);
        assert_close(middle_of(&head, View::Front), white);
        assert!(middle_of(&head, back)[0] < 100, "a back side was drawn");
        let both = Material { double_sided: true, ..unlit([1.0; 4]) };
        assert_close(middle_of(&head_of(vec![square(world_from_mesh, 0)], vec![both], vec![]), back), white);
    }
}

#[test]
fn masks_cut_and_blends_mix_back_to_front() {
    let masked = |cutoff| Material { alpha: AlphaMode::Mask { cutoff }, ..unlit([1.0, 1.0, 1.0, 0.3]) };
    let through = |material| middle_of(&head_of(vec![square(Mat4::IDENTITY, 0)], vec![material], vec![]), View::Front);
    assert_close(through(masked(0.2)), [1.0; 3]);
    assert!(through(masked(0.5))[0] < 100, "what is below the cutoff was drawn");
    assert_close(through(Material { alpha: AlphaMode::Opaque, ..masked(0.5) }), [1.0; 3]);

    let glass = |color| Material { alpha: AlphaMode::Blend, double_sided: true, ..unlit(color) };
    let at = |z| Mat4::from_translation(Vec3::Z * z);
    let meshes = vec![square(at(0.1), 0), square(at(-0.1), 1), square(at(0.0), 2)];
    let materials = vec![
        glass([0.0, 1.0, 0.0, 0.5]),
        glass([1.0, 0.0, 0.0, 0.5]),
        Material { double_sided: true, ..unlit([0.0, 0.0, 1.0, 1.0]) },
    ];
    let head = head_of(meshes, materials, vec![]);
    assert_close(middle_of(&head, View::Front), [0.0, 0.5, 0.5]);
    let back = View::Angles { yaw_degrees: 180.0, pitch_degrees: 0.0 };
    assert_close(middle_of(&head, back), [0.5, 0.0, 0.5]);

    let both = vec![square(at(0.1), 0), square(at(-0.1), 1), square(at(-0.3), 2)];
    let materials = vec![
        glass([0.0, 1.0, 0.0, 0.5]),
        glass([1.0, 0.0, 0.0, 0.5]),
        Material { double_sided: true, ..unlit([0.0, 0.0, 1.0, 1.0]) },
    ];
    assert_close(middle_of(&head_of(both, materials, vec![]), View::Front), [0.25, 0.5, 0.25]);
}

#[test]
fn flat_shading_follows_the_blended_shape() {
    let material = Material { base_color: [0.6, 0.6, 0.6, 1.0], double_sided: false, ..Material::default() };
    let bent = |flat_shaded, weight: f32| {
        let mut mesh = square(Mat4::IDENTITY, 0);
        mesh.parts[0].flat_shaded = flat_shaded;
        if flat_shaded {
            mesh.vertices.normals = vec![Vec3::ZERO; 4];
        }
        let forward = vec![Vec3::ZERO, Vec3::ZERO, Vec3::Z, Vec3::Z];
        mesh.targets = vec![Target::from_dense("bend".into(), 0.0, &forward, &[], &[])];
        let head = head_of(vec![mesh], vec![material.clone()], vec![]);
        let drawn =
            |&mode: &BlendMode| picture(&mut renderer(), &head, &[weight], mode, View::Front).get_pixel(128, 150).0;
        BlendMode::ALL.iter().map(drawn).collect::<Vec<_>>()
    };
    let (flat, smooth) = (bent(true, 0.0), bent(false, 0.0));
    assert!(largest_step(&flat[0], &smooth[0]) <= 2, "at rest both face the viewer: {flat:?} {smooth:?}");
    assert!(flat[0][0] > 90, "that is the background: {flat:?}");
    let turned = bent(true, 1.0);
    assert!(largest_step(&turned[0], &flat[0]) > 12, "turned away from the key by 45°, and lit as before: {turned:?}");
    assert!(turned.iter().all(|pixel| largest_step(pixel, &turned[0]) <= 2), "modes differ: {turned:?}");
}

#[test]
fn texels_are_freed_once_they_are_uploaded_and_another_upload_shows_the_same() {
    let mut file = GltfBuilder::textured_triangle();
    let mut png = Vec::new();
    let orange = RgbaImage::from_pixel(4, 4, image::Rgba([200, 100, 7, 255]));
    orange.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).unwrap();
    let view = file.view(&png);
    file.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    // The colour texture and the normal map show one image.
    let textures = file.open().unwrap().asset.textures;
    assert_eq!(textures.len(), 2);
    let image = textures[0].image.clone();
    let texels = Arc::downgrade(&image.rgba());
    let material = Material { base_color_texture: Some(0.into()), ..unlit([1.0; 4]) };
    let head = head_of(vec![square(Mat4::IDENTITY, 0)], vec![material], textures);
    assert!(texels.upgrade().is_some(), "decoded twice before the first picture");
    let first = middle_of(&head, View::Front);
    assert!(largest_step(&first, &[200, 100, 7, 255]) <= 1, "{first:?}");
    assert!(texels.upgrade().is_none(), "the texels are still in memory");
    assert_eq!(middle_of(&head, View::Front), first, "uploaded by another renderer");
    assert_eq!(image.rgba()[..], orange.into_raw());
}
