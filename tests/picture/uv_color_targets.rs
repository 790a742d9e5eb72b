//! Targets that change texture coordinates and colours, drawn in every mode.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use smirk_face::head::{
    Asset, Encoding, Head, Image, Material, Mesh, Sampler, Target, Texture, TextureRef, UvColorDeltas, UvSet, Vertices,
};
use smirk_scene::{BlendMode, Camera, Look, Quality, Scene, View};
use smirk_support::{TestRenderer, synthetic};

/// An unlit square under a texture whose left half is white and whose right half is green; its first target moves the
/// texture by half, its second removes the red, its third moves a corner. The texture is read at `uv_set`.
fn square(uv_set: UvSet) -> Arc<Head> {
    let in_set = |uv: Vec2| if uv_set == UvSet::First { [uv, Vec2::ZERO] } else { [Vec2::ZERO, uv] };
    let [uvs, second_uvs] = in_set(Vec2::new(0.25, 0.5)).map(|uv| vec![uv; 4]);
    let rows: Vec<u32> = (0..4).collect();
    let deltas =
        |uv: Vec2, color: Vec4| UvColorDeltas { rows: rows.clone(), uvs: vec![in_set(uv); 4], colors: vec![color; 4] };
    let target = |name: &str, uv_color_deltas| Target { name: name.into(), uv_color_deltas, ..Target::default() };
    let plain = synthetic::square(2.0);
    let mesh = Mesh {
        vertices: Vertices { uvs, second_uvs, colors: vec![[1.0; 4]; 4], ..plain.vertices },
        targets: vec![
            target("slide", deltas(Vec2::X * 0.5, Vec4::ZERO)),
            target("pale", deltas(Vec2::ZERO, Vec4::new(-1.0, 0.0, 0.0, 0.0))),
            Target::from_dense("corner".into(), 0.0, &[Vec3::X * 0.1, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO], &[], &[]),
        ],
        ..plain
    };
    let texture = Texture {
        name: "halves".into(),
        image: Arc::new(Image::new(2, 1, vec![255, 255, 255, 255, 0, 255, 0, 255])),
        encoding: Encoding::Srgb,
        sampler: Sampler { nearest: true, ..Sampler::default() },
    };
    let material = Material {
        base_color: [1.0; 4],
        base_color_texture: Some(TextureRef { uv_set, ..0.into() }),
        unlit: true,
        ..Material::default()
    };
    let (materials, textures) = (vec![material], vec![texture]);
    Arc::new(Head::new(Asset { name: "square".into(), meshes: vec![mesh], materials, textures, ..Asset::default() }))
}

#[test]
fn targets_move_textures_and_change_colours_in_every_mode_and_back() {
    let mut renderer = TestRenderer::shared();
    for (uv_set, mode) in
        [UvSet::First, UvSet::Second].into_iter().flat_map(|set| BlendMode::ALL.iter().map(move |&mode| (set, mode)))
    {
        let head = square(uv_set);
        let camera = Camera::framing(head.bounds, head.bounds, View::Front, 1.0);
        let mut middle = |weights: [f32; 3]| {
            let quality = Quality::FULL;
            let look = &Look::default();
            renderer.draw(&Scene {
                weights: weights.into(),
                mode,
                quality,
                ..Scene::at_rest(&head, &camera, look, [32, 32])
            });
            let [red, green, blue, _] = renderer.read_pixels().get_pixel(16, 16).0;
            [red, green, blue]
        };
        assert_eq!(middle([0.0, 0.0, 0.0]), [255, 255, 255], "{uv_set:?}, {mode:?}");
        assert_eq!(middle([1.0, 0.0, 0.0]), [0, 255, 0], "{uv_set:?}, {mode:?}");
        assert_eq!(middle([0.0, 1.0, 0.5]), [0, 255, 255], "{uv_set:?}, {mode:?}");
        assert_eq!(middle([0.0, 7.0, 0.0]), [0, 255, 255], "{uv_set:?}, {mode:?}: colours do not go below 0");
        assert_eq!(middle([0.0, 0.0, 0.0]), [255, 255, 255], "{uv_set:?}, {mode:?}: and back");
    }
}
