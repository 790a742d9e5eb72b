//! The variants, lights and cameras of a file, as they are drawn.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;

use glam::{Mat4, Vec3};
use image::RgbaImage;
use smirk_face::head::{AlphaMode, Asset, Beam, FileCamera, FileLight, Head, Lens, Material, Variant};
use smirk_scene::{BlendMode, Camera, LitBy, Look, Scene, View};
use smirk_support::{TestRenderer, synthetic};

/// A square of 2 × 2 in the xy plane that faces +z, grey; red in its first variant, gone in its second.
fn square(lights: Vec<FileLight>) -> Arc<Head> {
    let paint = |base_color| Material { base_color, roughness: 1.0, ..Material::default() };
    let glass = Material { alpha: AlphaMode::Blend, ..paint([0.0; 4]) };
    let variant = |name: &str, material| Variant { name: name.into(), materials: [((0, 0), material)].into() };
    Arc::new(Head::new(Asset {
        name: "square".into(),
        meshes: vec![synthetic::square(2.0)],
        materials: vec![paint([0.5, 0.5, 0.5, 1.0]), paint([0.5, 0.0, 0.0, 1.0]), glass],
        variants: vec![variant("red", 1), variant("gone", 2)],
        lights,
        ..Asset::default()
    }))
}

fn light(beam: Beam, world_from_light: Mat4, intensity: f32) -> FileLight {
    FileLight { name: "l".into(), node: None, world_from_light, color: [1.0; 3], intensity, range: None, beam }
}

struct Studio {
    renderer: TestRenderer,
}

impl Studio {
    fn new() -> Self {
        Self { renderer: TestRenderer::shared() }
    }

    fn picture(&mut self, head: &Arc<Head>, look: &Look, camera: &Camera) -> RgbaImage {
        let scene = Scene { mode: BlendMode::Cpu, ..Scene::at_rest(head, camera, look, [64, 64]) };
        self.renderer.draw(&scene);
        self.renderer.read_pixels()
    }

    /// The colour in the middle, and near the left and the right edge, of the square seen from the front.
    fn colors(&mut self, head: &Arc<Head>, look: &Look) -> [[u8; 3]; 3] {
        let picture = self.picture(head, look, &Camera::framing(head.focus, head.bounds, View::Front, 1.0));
        [32, 10, 53].map(|x| picture.get_pixel(x, 32).0[..3].try_into().unwrap())
    }
}

#[test]
fn a_variant_changes_the_materials_and_back() {
    let (mut studio, head) = (Studio::new(), square(Vec::new()));
    let mut with_variant = |variant| studio.colors(&head, &Look { variant, ..Look::default() })[0];
    let own = with_variant(None);
    let [red, green, blue] = with_variant(Some(0));
    assert!(red > 80 && green < 40 && blue < 40, "{red} {green} {blue}");
    assert!(own[1] > 80, "{own:?}");
    let gone = with_variant(Some(1));
    assert!((0..3).all(|part| gone[part] + 40 < own[part]), "what is behind shines through: {gone:?}, {own:?}");
    assert_eq!(with_variant(Some(7)), own, "a variant that the head does not have");
    assert_eq!(with_variant(None), own);
}

#[test]
fn lights_of_the_file_leave_a_face_neither_black_nor_white_whatever_their_unit() {
    let mut studio = Studio::new();
    let look = Look { lit_by: LitBy::File, ..Look::default() };
    for (beam, intensity) in
        [(Beam::Directional, 1.0), (Beam::Directional, 100_000.0), (Beam::Point, 0.001), (Beam::Point, 54_351.0)]
    {
        let head = square(vec![light(beam, Mat4::from_translation(Vec3::Z * 5.0), intensity)]);
        let [middle, ..] = studio.colors(&head, &look);
        assert!(middle.iter().all(|part| (90..230).contains(part)), "{beam:?} {intensity}: {middle:?}");
    }
    let head = square(Vec::new());
    assert_eq!(
        studio.colors(&head, &look),
        studio.colors(&head, &Look::default()),
        "a head without lights has Smirk's"
    );
}

#[test]
fn each_kind_of_light_shines_where_it_should() {
    let mut studio = Studio::new();
    let look = Look { lit_by: LitBy::File, ambient: 0.0, ..Look::default() };
    let at = |x: f32| Mat4::from_translation(Vec3::new(x, 0.0, 1.0));
    let [middle, left, right] = studio.colors(&square(vec![light(Beam::Point, at(0.8), 1.0)]), &look);
    assert!(right[1] > middle[1] && middle[1] > left[1], "{left:?} {middle:?} {right:?}");
    let spot = light(Beam::Spot { inner_radians: 0.3, outer_radians: 0.4 }, at(0.0), 1.0);
    let [middle, left, right] = studio.colors(&square(vec![spot]), &look);
    assert!(middle[1] > 90 && left[1] < 8 && right[1] < 8, "{left:?} {middle:?} {right:?}");
    let behind = light(Beam::Directional, Mat4::from_rotation_y(std::f32::consts::PI), 1.0);
    let [middle, ..] = studio.colors(&square(vec![behind]), &look);
    assert!(middle[1] < 8, "{middle:?}");
}

#[test]
fn lights_of_the_file_also_shine_on_clearcoat_and_sheen() {
    let mut studio = Studio::new();
    let look = Look { lit_by: LitBy::File, ambient: 0.0, ..Look::default() };
    let mut brightest = |layer: fn(&mut Material)| {
        // Black, so that only the layers over the colour are visible.
        let mut material = Material { base_color: [0.0, 0.0, 0.0, 1.0], roughness: 1.0, ..Material::default() };
        layer(&mut material);
        let square = square(vec![light(Beam::Point, Mat4::from_translation(Vec3::Z * 3.0), 1.0)]);
        let meshes = square.meshes.clone();
        let lights = square.lights.clone();
        let head = Arc::new(Head::new(Asset { meshes, materials: vec![material], lights, ..Asset::default() }));
        studio.colors(&head, &look)[0][1]
    };
    let bare = brightest(|_| ());
    let coated = brightest(|material| (material.coat, material.coat_roughness) = (1.0, 0.3));
    let with_sheen = brightest(|material| (material.sheen_color, material.sheen_roughness) = ([1.0; 3], 1.0));
    assert!(coated > bare + 40 && with_sheen > bare + 20, "{bare} {coated} {with_sheen}");
}

#[test]
fn the_view_of_a_camera_of_the_file_is_shown() {
    let (mut studio, head) = (Studio::new(), square(Vec::new()));
    let mut camera = Camera::framing(head.focus, head.bounds, View::Left, 1.0);
    // 2 away, so that the square's half of height 1 fills half of a picture as high as 2 · 2 · tan(45°).
    let lens = Lens::Perspective { fov_y_radians: std::f32::consts::FRAC_PI_2 };
    camera.look_through(&FileCamera {
        name: "c".into(),
        node: None,
        world_from_camera: Mat4::from_translation(Vec3::Z * 2.0),
        lens,
    });
    let picture = studio.picture(&head, &Look::default(), &camera);
    let is_square = |x: u32| picture.get_pixel(x, 32).0[0] > 90;
    assert_eq!([14, 18, 32, 45, 49].map(is_square), [false, true, true, true, false]);
}
