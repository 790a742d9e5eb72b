//! Pictures of the renderer that the window uses, compared with each other, with the values that glTF defines, and with
//! a stored picture.
//!
//! After an intended change of the look: `SMIRK_ACCEPT=1 ./dev test --test picture` stores the new picture.

#![allow(clippy::unwrap_used, reason = "a test")]

mod blocks;
mod by_role;
mod judging;
mod light;
mod materials;
mod quality;
mod refinement;
mod views;

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use glam::{Mat4, Vec2, Vec3};
use image::RgbaImage;
use smirk_face::head::{
    AlphaMode, Asset, Encoding, Head, Image, Material, Mesh, Part, Sampler, Target, Texture, Vertices,
};
use smirk_scene::{BlendMode, Camera, Look, Quality, Scene, VertexColors, View};
use smirk_support::{TestRenderer, synthetic};

const SIZE: [u32; 2] = [256, 256];

/// A renderer that may have drawn before.
fn renderer() -> TestRenderer {
    TestRenderer::shared()
}

/// A renderer that has drawn nothing yet, for tests that ask what it has drawn.
fn new_renderer() -> TestRenderer {
    TestRenderer::new(&smirk_support::software_gpu())
}

/// The bundled head, which all tests share: it is uploaded once to each renderer.
fn bundled_head() -> Arc<Head> {
    static HEAD: LazyLock<Arc<Head>> = LazyLock::new(|| Arc::new(smirk_files::import::embedded().unwrap()));
    HEAD.clone()
}

/// A sphere with three shapes, for tests whose pictures need no face.
fn small_head() -> Arc<Head> {
    let folder = tempfile::tempdir().unwrap();
    Arc::new(smirk_files::import::open(&smirk_support::small_head::write(folder.path())).unwrap())
}

/// The weights of a head in which the named channels have these values, on every mesh that has them.
fn pose(head: &Head, values: &[(&str, f32)]) -> Vec<f32> {
    let mut weights = head.default_weights();
    for (name, value) in values {
        let channel = head.channel_named(name).unwrap_or_else(|| panic!("no channel {name}"));
        for &target in &head.channels[channel].targets {
            weights[target] = *value;
        }
    }
    weights
}

fn picture(renderer: &mut TestRenderer, head: &Arc<Head>, weights: &[f32], mode: BlendMode, view: View) -> RgbaImage {
    picture_in(&Look::default(), renderer, (head, weights), mode, view)
}

fn picture_in(
    look: &Look,
    renderer: &mut TestRenderer,
    (head, weights): (&Arc<Head>, &[f32]),
    mode: BlendMode,
    view: View,
) -> RgbaImage {
    let camera = Camera::framing(head.focus, head.bounds, view, 1.0);
    let scene = Scene { weights: weights.into(), mode, ..Scene::at_rest(head, &camera, look, SIZE) };
    renderer.draw(&scene);
    renderer.read_pixels()
}

fn largest_step(a: &[u8; 4], b: &[u8; 4]) -> u8 {
    a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// The fraction of pixels that differ by more than `steps` of 255 in some channel; 1 if the sizes differ.
fn share_that_differs(a: &RgbaImage, b: &RgbaImage, steps: u8) -> f64 {
    if a.dimensions() != b.dimensions() {
        return 1.0;
    }
    let differing = a.pixels().zip(b.pixels()).filter(|(a, b)| largest_step(&a.0, &b.0) > steps).count();
    differing as f64 / (a.width() * a.height()) as f64
}

fn linear_to_srgb(value: f32) -> u8 {
    let encoded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}

/// A square of side 1 around the origin, facing +z, seen from the front unless `view` says otherwise.
fn square(world_from_mesh: Mat4, material: usize) -> Mesh {
    let mut mesh = Mesh { world_from_mesh, ..synthetic::square(1.0) };
    mesh.vertices.uvs = vec![Vec2::splat(0.5); 4];
    mesh.parts[0].material = material;
    mesh
}

fn head_of(meshes: Vec<Mesh>, materials: Vec<Material>, textures: Vec<Texture>) -> Arc<Head> {
    Arc::new(Head::new(Asset { name: "test".into(), meshes, materials, textures, ..Asset::default() }))
}

fn unlit(base_color: [f32; 4]) -> Material {
    Material { base_color, unlit: true, double_sided: false, ..Material::default() }
}

fn middle_of(head: &Arc<Head>, view: View) -> [u8; 4] {
    middle_in(&Look::default(), head, view)
}

fn middle_in(look: &Look, head: &Arc<Head>, view: View) -> [u8; 4] {
    let picture = picture_in(look, &mut renderer(), (head, &[]), BlendMode::Cpu, view);
    picture.get_pixel(SIZE[0] / 2 + 9, SIZE[1] / 2 + 5).0
}

#[track_caller]
fn assert_close(actual: [u8; 4], linear: [f32; 3]) {
    let [r, g, b] = linear.map(linear_to_srgb);
    assert!(largest_step(&actual, &[r, g, b, 255]) <= 1, "{actual:?} is not {:?}", [r, g, b, 255]);
}

#[test]
fn all_modes_draw_the_same_picture_and_it_is_the_stored_one() {
    let (head, mut renderer) = (bundled_head(), renderer());
    let weights =
        pose(&head, &[("mouthSmileLeft", 0.8), ("mouthSmileRight", 0.7), ("jawOpen", 0.3), ("browInnerUpLeft", 0.6)]);
    let mut drawn = |&mode: &BlendMode| picture(&mut renderer, &head, &weights, mode, View::ThreeQuarter);
    let pictures: Vec<RgbaImage> = BlendMode::ALL.iter().map(&mut drawn).collect();
    for (mode, other) in BlendMode::ALL.iter().zip(&pictures) {
        // Rounding may move an edge across a sample.
        let share = share_that_differs(&pictures[0], other, 6);
        assert!(share < 0.002, "{}: {share} of the pixels differ from the CPU's", mode.label());
    }
    let rest = picture(&mut renderer, &head, &head.default_weights(), BlendMode::Cpu, View::ThreeQuarter);
    assert!(share_that_differs(&pictures[0], &rest, 6) > 0.01, "another pose must be noticed");
    assert_stored("smile", &pictures[0]);
}

/// Compares with `tests/picture/pictures/NAME.png`, with a tolerance for the rounding of other drivers.
#[track_caller]
fn assert_stored(name: &str, actual: &RgbaImage) {
    let folder = smirk_support::repository().join("tests/picture/pictures");
    let stored_path = folder.join(format!("{name}.png"));
    let new_path: PathBuf = folder.join(format!("{name}.new.png"));
    if std::env::var_os("SMIRK_ACCEPT").is_some() {
        actual.save(&stored_path).expect("the accepted picture is stored");
        let _ = std::fs::remove_file(&new_path);
        return;
    }
    let share = image::open(&stored_path).map_or(1.0, |stored| share_that_differs(&stored.into_rgba8(), actual, 10));
    if share > 0.01 {
        actual.save(&new_path).expect("the new picture is stored");
        panic!(
            "{:.1} % of the pixels differ from {}; compare with {} and, if it is as wanted, accept it: \
             SMIRK_ACCEPT=1 ./dev test --test picture",
            share * 100.0,
            stored_path.display(),
            new_path.display()
        );
    }
    let _ = std::fs::remove_file(&new_path);
}

#[test]
fn the_head_covers_much_of_the_picture_and_an_empty_picture_is_noticed() {
    let (head, mut renderer) = (bundled_head(), renderer());
    let nothing = head_of(Vec::new(), Vec::new(), Vec::new());
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let mut coverage = |head: &Arc<Head>| {
        let mut draw = |head: &Arc<Head>| {
            let weights = head.default_weights();
            let (look, mode) = (&Look::default(), BlendMode::Compute);
            renderer.draw(&Scene {
                weights: weights.clone().into(),
                mode,
                ..Scene::at_rest(head, &camera, look, SIZE)
            });
            renderer.read_pixels()
        };
        let (background, drawn) = (draw(&nothing), draw(head));
        share_that_differs(&background, &drawn, 2)
    };
    let share = coverage(&head);
    assert!((0.25..0.8).contains(&share), "the head covers {share}");
    let far_away = head_of(vec![square(Mat4::from_translation(Vec3::X * 50.0), 0)], Vec::new(), Vec::new());
    assert_eq!(coverage(&far_away), 0.0);
}

#[test]
fn the_same_scene_again_does_no_work_and_any_change_does() {
    let (head, mut renderer) = (bundled_head(), new_renderer());
    let rest = head.default_weights();
    let smile = pose(&head, &[("mouthSmileLeft", 1.0)]);
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let mut turned = camera;
    turned.yaw += 0.01;
    let look = Look::default();
    let glossy = Look { gloss: 1.5, ..look };
    let quality = Quality { msaa: 1, scale: 1.0, samples: 0 };
    let moved = head.rig.world_from_nodes(|_| Mat4::from_translation(Vec3::X * 0.01));
    let first = Scene { weights: rest.clone().into(), quality, ..Scene::at_rest(&head, &camera, &look, [64, 64]) };
    assert!(renderer.draw(&first));
    assert!(!renderer.draw(&first), "drawn again for nothing");
    for (what, changed) in [
        ("weights", Scene { weights: smile.clone().into(), ..first.clone() }),
        ("nodes", Scene { world_from_nodes: moved.clone().into(), ..first.clone() }),
        ("mode", Scene { mode: BlendMode::Cpu, ..first.clone() }),
        ("camera", Scene { camera: turned, ..first.clone() }),
        ("look", Scene { look: glossy, ..first.clone() }),
        ("size", Scene { size: [64, 65], ..first.clone() }),
        ("quality", Scene { quality: Quality { msaa: 1, scale: 0.5, samples: 0 }, ..first.clone() }),
        ("head", Scene { head: small_head(), ..first.clone() }),
    ] {
        assert!(renderer.draw(&changed), "a change of {what} went unnoticed");
        assert!(renderer.draw(&first), "going back from a change of {what} went unnoticed");
    }
    let undefined = vec![f32::NAN; rest.len()];
    assert!(renderer.draw(&Scene { weights: undefined.clone().into(), ..first.clone() }));
    assert!(
        !renderer.draw(&Scene { weights: undefined.clone().into(), ..first.clone() }),
        "a scene with NaN weights is drawn again and again"
    );
    let coarse = Quality { msaa: 1, scale: 0.5, samples: 0 };
    assert!(
        renderer.shows(&Scene { weights: undefined.clone().into(), quality: coarse, ..first.clone() }),
        "the window never comes to rest"
    );
    assert!(!renderer.shows(&first));
}
