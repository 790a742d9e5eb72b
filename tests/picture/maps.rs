//! Materials with textures are drawn like materials whose factors or normals have the textures' values.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;

use glam::{Affine2, Mat4, Vec2, Vec3, Vec4};
use smirk_face::head::{Asset, Encoding, Head, Image, Material, Mesh, Sampler, Target, Texture, TextureRef, UvSet};
use smirk_scene::{BlendMode, Camera, Light, Look, Scene, View};
use smirk_support::{TestRenderer, synthetic};

/// A square of side 1 facing +z, its texture upright: u along +x, v along -y.
fn square(normal: Vec3) -> Mesh {
    let mut mesh = synthetic::square(1.0);
    mesh.vertices.normals = vec![normal; 4];
    mesh.vertices.tangents = vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 4];
    mesh.vertices.uvs = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)].map(|(u, v)| Vec2::new(u, v)).into();
    mesh
}

fn plain() -> Material {
    Material { base_color: [0.6, 0.6, 0.6, 1.0], roughness: 0.7, ..Material::default() }
}

fn head(mesh: Mesh, material: Material, texel: [u8; 4]) -> Arc<Head> {
    let texture = Texture {
        name: "map".into(),
        image: Arc::new(Image::new(4, 4, texel.repeat(16))),
        encoding: Encoding::Linear,
        sampler: Sampler::default(),
    };
    Arc::new(Head::new(Asset {
        name: "test".into(),
        meshes: vec![mesh],
        materials: vec![material],
        textures: vec![texture],
        ..Asset::default()
    }))
}

/// The texel of a normal map for a direction in tangent space.
fn texel(direction: Vec3) -> [u8; 4] {
    let [x, y, z] = direction.to_array().map(|part| ((part * 0.5 + 0.5) * 255.0).round() as u8);
    [x, y, z, 255]
}

fn normal_mapped() -> Material {
    Material { normal_texture: Some(0.into()), ..plain() }
}

/// Only the key light shines, from that direction.
fn lit_from(yaw_degrees: f32, pitch_degrees: f32) -> Look {
    let look = Look::default();
    let key = Light { yaw_degrees, pitch_degrees, ..look.key };
    let dark = Light { intensity: 0.0, ..look.fill };
    Look { key, fill: dark, rim: dark, ambient: 0.0, ..look }
}

struct Studio(TestRenderer);

impl Studio {
    fn new() -> Self {
        Self(TestRenderer::shared())
    }

    /// The colour in the middle of a picture.
    fn middle(&mut self, head: &Arc<Head>, weights: &[f32], mode: BlendMode, look: &Look, view: View) -> [u8; 3] {
        let camera = Camera::framing(head.focus, head.bounds, view, 1.0);
        let scene = Scene { weights: weights.into(), mode, ..Scene::at_rest(head, &camera, look, [64, 64]) };
        self.0.draw(&scene);
        let [r, g, b, _] = self.0.read_pixels().get_pixel(35, 34).0;
        [r, g, b]
    }

    fn front(&mut self, head: &Arc<Head>, look: &Look) -> [u8; 3] {
        self.middle(head, &[], BlendMode::Compute, look, View::Front)
    }
}

#[track_caller]
fn assert_alike(a: [u8; 3], b: [u8; 3], what: &str) {
    assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 3), "{what}: {a:?} is not {b:?}");
}

#[test]
fn a_normal_map_turns_the_normal_in_its_direction() {
    let mut studio = Studio::new();
    let (right, up) = (Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, 0.6, 0.8));
    for (leans, towards, away) in
        [(right, lit_from(50.0, 0.0), lit_from(-50.0, 0.0)), (up, lit_from(0.0, 50.0), lit_from(0.0, -50.0))]
    {
        let mapped = head(square(Vec3::Z), normal_mapped(), texel(leans));
        let own = head(square(leans), plain(), texel(leans));
        let (bright, dark) = (studio.front(&mapped, &towards), studio.front(&mapped, &away));
        assert!(bright[1] > dark[1] + 60, "leans to {leans}: {bright:?} from there, {dark:?} from the other side");
        assert_alike(bright, studio.front(&own, &towards), "lit from where it leans");
        assert_alike(dark, studio.front(&own, &away), "lit from the other side");
        let turned = head(square(Vec3::Z), Material { normal_scale: -1.0, ..normal_mapped() }, texel(leans));
        assert_alike(studio.front(&turned, &away), bright, "dents for bumps");
    }
}

#[test]
fn normal_maps_work_on_mirrored_meshes_and_back_sides() {
    let mut studio = Studio::new();
    let back = View::Angles { yaw_degrees: 180.0, pitch_degrees: 0.0 };
    let leans = Vec3::new(0.4, 0.5, 0.77).normalize_or_zero();
    let mirrored = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    for (world_from_mesh, view, yaw) in
        [(mirrored, View::Front, 40.0), (mirrored, View::Front, -40.0), (Mat4::IDENTITY, back, 140.0)]
    {
        let place = |mesh| Mesh { world_from_mesh, ..mesh };
        let look = lit_from(yaw, 20.0);
        let mapped = head(place(square(Vec3::Z)), normal_mapped(), texel(leans));
        let own = head(place(square(leans)), plain(), texel(leans));
        let [mapped, own] = [mapped, own].map(|head| studio.middle(&head, &[], BlendMode::Compute, &look, view));
        assert!(own[1] > 20, "too dark to tell: {own:?}");
        assert_alike(mapped, own, &format!("lit from {yaw}°"));
    }
}

#[test]
fn tangents_are_blended_in_every_mode() {
    let mut studio = Studio::new();
    // The target turns the normal by 30° about y and has no deltas for tangents; the normal map adds another 30°.
    let at = |degrees: f32| Vec3::new(degrees.to_radians().sin(), 0.0, degrees.to_radians().cos());
    let mut mesh = square(Vec3::Z);
    mesh.targets = vec![Target::from_dense("turn".into(), 0.0, &[], &[at(30.0) - Vec3::Z; 4], &[])];
    let mapped = head(mesh, normal_mapped(), texel(at(30.0)));
    let own = head(square(at(60.0)), plain(), [0; 4]);
    for yaw in [70.0, -10.0] {
        let look = lit_from(yaw, 0.0);
        let expected = studio.front(&own, &look);
        for &mode in BlendMode::ALL {
            let actual = studio.middle(&mapped, &[1.0], mode, &look, View::Front);
            assert_alike(actual, expected, &format!("{}, lit from {yaw}°", mode.label()));
        }
    }
}

#[test]
fn roughness_and_metal_come_from_green_and_blue() {
    let mut studio = Studio::new();
    let look = Look::default();
    for (green, factor, blue, metal) in
        [(128, 0.8, 255, 0.5), (20, 1.0, 0, 1.0), (255, 0.9, 0, 1.0), (255, 0.9, 51, 1.0)]
    {
        let mapped =
            Material { metallic_roughness_texture: Some(0.into()), roughness: factor, metallic: metal, ..plain() };
        let share = |byte: u8| f32::from(byte) / 255.0;
        let own = Material { roughness: factor * share(green), metallic: metal * share(blue), ..plain() };
        let mapped = studio.front(&head(square(Vec3::Z), mapped, [200, green, blue, 0]), &look);
        assert_alike(mapped, studio.front(&head(square(Vec3::Z), own, [0; 4]), &look), "as its factors");
    }
}

#[test]
fn occlusion_reduces_ambient_light_and_not_the_key() {
    let mut studio = Studio::new();
    let occluded = Material { occlusion_texture: Some(0.into()), occlusion_strength: 0.5, ..plain() };
    let (occluded, open) = (head(square(Vec3::Z), occluded, [0; 4]), head(square(Vec3::Z), plain(), [0; 4]));
    let lamp = lit_from(30.0, 20.0);
    assert_eq!(studio.front(&occluded, &lamp), studio.front(&open, &lamp));
    let sky = |ambient| Look { key: Light { intensity: 0.0, ..lamp.key }, ambient, ..lamp };
    let half = studio.front(&occluded, &sky(0.8));
    assert_alike(half, studio.front(&open, &sky(0.4)), "half the sky");
    assert!(half[1] > 40 && studio.front(&open, &sky(0.8))[1] > half[1] + 30, "{half:?}");
}

#[test]
fn textures_are_read_by_their_transform_and_their_set_of_coordinates() {
    let mut studio = Studio::new();
    // Four colours; the middle of the picture is a little right of and below the middle of the square.
    let colors = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]];
    let [red, green, blue, white] = colors.map(|[r, g, b, _]| [r, g, b]);
    let texture = Texture {
        name: "four".into(),
        image: Arc::new(Image::new(2, 2, colors.concat())),
        encoding: Encoding::Srgb,
        sampler: Sampler { nearest: true, ..Sampler::default() },
    };
    let mut mesh = square(Vec3::Z);
    mesh.vertices.second_uvs = vec![Vec2::new(0.25, 0.75); 4];
    let mut shown = |uv_set, texture_from_uv| {
        let map = TextureRef { texture: 0, uv_set, texture_from_uv };
        let material =
            Material { base_color: [1.0; 4], base_color_texture: Some(map), unlit: true, ..Material::default() };
        let head = Head::new(Asset {
            meshes: vec![mesh.clone()],
            materials: vec![material],
            textures: vec![texture.clone()],
            ..Asset::default()
        });
        studio.front(&Arc::new(head), &Look::default())
    };
    let moved = |u, v| Affine2::from_translation(Vec2::new(u, v));
    assert_eq!(shown(UvSet::First, Affine2::IDENTITY), white);
    assert_eq!(shown(UvSet::First, moved(0.5, 0.0)), blue, "half a picture on, around its edge");
    assert_eq!(shown(UvSet::First, moved(0.0, 0.5)), green);
    assert_eq!(shown(UvSet::First, Affine2::from_scale(Vec2::splat(0.25))), red);
    let quarter_turn = Affine2::from_angle(std::f32::consts::FRAC_PI_2);
    assert_eq!(shown(UvSet::First, quarter_turn), blue, "(u, v) is read at (-v, u)");
    assert_eq!(shown(UvSet::Second, Affine2::IDENTITY), blue);
    assert_eq!(shown(UvSet::Second, moved(0.5, 0.5)), green);
}

#[test]
fn emissive_materials_shine_in_the_dark_as_their_texture_says() {
    let mut studio = Studio::new();
    let dark = Look { key: Light { intensity: 0.0, ..Look::default().key }, ..lit_from(0.0, 0.0) };
    let material = Material { emissive: [0.0, 0.4, 0.0], ..plain() };
    let lamp = studio.front(&head(square(Vec3::Z), material.clone(), [0; 4]), &dark);
    assert!(lamp[1] > 100 && lamp[0] < 60 && lamp[2] < 60, "{lamp:?}");
    let mapped = Material { emissive_texture: Some(0.into()), ..material };
    let half = studio.front(&head(square(Vec3::Z), mapped.clone(), [128; 4]), &dark);
    let own = Material { emissive: [0.0, 0.4 * 128.0 / 255.0, 0.0], ..plain() };
    assert_alike(half, studio.front(&head(square(Vec3::Z), own, [0; 4]), &dark), "half of it");
    assert_eq!(studio.front(&head(square(Vec3::Z), mapped, [0; 4]), &dark), [0; 3]);
}

#[test]
fn specular_clearcoat_and_sheen_are_added_to_the_colour() {
    let mut studio = Studio::new();
    let mut shown =
        |material: Material, normal, texel, look: &Look| studio.front(&head(square(normal), material, texel), look);
    // A normal halfway between the key light and the eye gives a highlight.
    let (lamp, between) = (lit_from(60.0, 0.0), Vec3::new(0.5, 0.0, 0.866));
    let dark = Material { base_color: [0.02, 0.02, 0.02, 1.0], roughness: 0.4, ..plain() };
    let highlight = shown(dark.clone(), between, [0; 4], &lamp);
    let dull = shown(Material { specular: 0.0, ..dark.clone() }, between, [0; 4], &lamp);
    assert!(highlight[1] > dull[1] + 40, "{highlight:?} {dull:?}");
    let red = shown(Material { specular_color: [1.0, 0.0, 0.0], ..dark.clone() }, between, [0; 4], &lamp);
    assert!(red[0] > red[1] + 30, "{red:?}");
    let masked = Material { specular_texture: Some(0.into()), ..dark.clone() };
    assert_alike(shown(masked.clone(), between, [9, 9, 9, 0], &lamp), dull, "masked out");
    assert_alike(shown(masked, between, [0, 0, 0, 255], &lamp), highlight, "masked in");

    let chalk = Material { roughness: 1.0, ..dark.clone() };
    let coated = shown(Material { coat: 1.0, coat_roughness: 0.4, ..chalk.clone() }, between, [0; 4], &lamp);
    let bare = shown(chalk.clone(), between, [0; 4], &lamp);
    assert!(coated[1] > bare[1] + 40, "{coated:?} {bare:?}");
    let fibres = Material { sheen_color: [0.0, 0.0, 1.0], sheen_roughness: 0.5, ..chalk };
    let leaning = Vec3::new(0.9, 0.0, 0.43);
    let (soft, hard) = (shown(fibres, leaning, [0; 4], &lamp), shown(dark, leaning, [0; 4], &lamp));
    assert!(soft[2] > soft[0] + 40, "{soft:?} beside {hard:?}");
}
