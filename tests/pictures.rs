//! Pictures by the renderer the window uses, compared with each other, with what glTF says, and with a stored one.
//!
//! After a wanted change of the look: `SMIRK_ACCEPT=1 cargo test --test pictures` stores the new picture.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use image::RgbaImage;
use smirk::blend::BlendMode;
use smirk::export::save_png;
use smirk::gpu::{Gpu, Prefer};
use smirk::head::{AlphaMode, Asset, Encoding, Head, Material, Mesh, Part, Sampler, Target, Texture, Vertices};
use smirk::render::Renderer;
use smirk::scene::{Camera, Look, Quality, Scene, View};

const SIZE: [u32; 2] = [256, 256];

fn renderer() -> Renderer {
    Renderer::new(&Gpu::headless(Prefer::Software).unwrap_or_else(|error| panic!("{error}")))
}

fn bundled_head() -> Arc<Head> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/head.glb");
    Arc::new(smirk::import::open(&path).expect("the bundled head opens"))
}

/// Weights of the named channels, on every mesh that has them.
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

fn picture(renderer: &mut Renderer, head: &Arc<Head>, weights: &[f32], mode: BlendMode, view: View) -> RgbaImage {
    let camera = Camera::framing(head.focus, head.bounds, view, 1.0);
    let scene = Scene {
        head,
        weights,
        world_from_nodes: &[],
        mode,
        camera: &camera,
        look: &Look::default(),
        size: SIZE,
        quality: Quality::FULL,
    };
    assert!(renderer.draw(&scene));
    renderer.read_pixels()
}

fn largest_step(a: &[u8; 4], b: &[u8; 4]) -> u8 {
    a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// Share of pixels that differ by more than `steps` of 255 in some channel; all of them when the sizes differ.
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
    let corners = [Vec2::new(-0.5, -0.5), Vec2::new(0.5, -0.5), Vec2::new(0.5, 0.5), Vec2::new(-0.5, 0.5)];
    Mesh {
        name: "square".into(),
        world_from_mesh,
        vertices: Vertices {
            positions: corners.map(|corner| corner.extend(0.0)).to_vec(),
            normals: vec![Vec3::Z; 4],
            uvs: vec![Vec2::splat(0.5); 4],
            ..Default::default()
        },
        indices: vec![0, 1, 2, 0, 2, 3],
        parts: vec![Part { first_index: 0, index_count: 6, material, flat_shaded: false }],
        targets: Vec::new(),
        ..Mesh::default()
    }
}

fn head_of(meshes: Vec<Mesh>, materials: Vec<Material>, textures: Vec<Texture>) -> Arc<Head> {
    Arc::new(Head::new(Asset { name: "test".into(), meshes, materials, textures, ..Asset::default() }))
}

fn unlit(base_color: [f32; 4]) -> Material {
    Material { base_color, unlit: true, double_sided: false, ..Material::default() }
}

fn middle_of(head: &Arc<Head>, view: View) -> [u8; 4] {
    picture(&mut renderer(), head, &[], BlendMode::Cpu, view).get_pixel(SIZE[0] / 2 + 9, SIZE[1] / 2 + 5).0
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
    let pictures = BlendMode::ALL.map(|mode| picture(&mut renderer, &head, &weights, mode, View::ThreeQuarter));
    for (mode, other) in BlendMode::ALL.iter().zip(&pictures) {
        // Rounding may move an edge over a sample's place.
        let share = share_that_differs(&pictures[0], other, 6);
        assert!(share < 0.002, "{}: {share} of the pixels differ from the CPU's", mode.label());
    }
    let rest = picture(&mut renderer, &head, &head.default_weights(), BlendMode::Cpu, View::ThreeQuarter);
    assert!(share_that_differs(&pictures[0], &rest, 6) > 0.01, "another pose must be noticed");
    assert_stored("smile", &pictures[0]);
}

/// Compares with `tests/pictures/NAME.png`; other drivers may round otherwise, another look may not pass.
#[track_caller]
fn assert_stored(name: &str, actual: &RgbaImage) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let stored_path = folder.join(format!("{name}.png"));
    let new_path: PathBuf = folder.join(format!("{name}.new.png"));
    if std::env::var_os("SMIRK_ACCEPT").is_some() {
        save_png(&stored_path, actual).expect("the accepted picture is stored");
        let _ = std::fs::remove_file(&new_path);
        return;
    }
    let share = image::open(&stored_path).map_or(1.0, |stored| share_that_differs(&stored.into_rgba8(), actual, 10));
    if share > 0.01 {
        save_png(&new_path, actual).expect("the new picture is stored");
        panic!(
            "{:.1} % of the pixels differ from {}; compare with {} and, if it is as wanted, accept it: \
             SMIRK_ACCEPT=1 cargo test --test pictures",
            share * 100.0,
            stored_path.display(),
            new_path.display()
        );
    }
    let _ = std::fs::remove_file(&new_path);
}

#[test]
fn the_head_covers_a_good_part_of_the_picture_and_an_empty_one_is_noticed() {
    let (head, mut renderer) = (bundled_head(), renderer());
    let nothing = head_of(Vec::new(), Vec::new(), Vec::new());
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let mut coverage = |head: &Arc<Head>| {
        let mut draw = |head: &Arc<Head>| {
            let weights = head.default_weights();
            let (look, mode) = (&Look::default(), BlendMode::Compute);
            renderer.draw(&Scene {
                head,
                weights: &weights,
                world_from_nodes: &[],
                mode,
                camera: &camera,
                look,
                size: SIZE,
                quality: Quality::FULL,
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
    let (head, mut renderer) = (bundled_head(), renderer());
    let rest = head.default_weights();
    let smile = pose(&head, &[("mouthSmileLeft", 1.0)]);
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let mut turned = camera;
    turned.yaw += 0.01;
    let look = Look::default();
    let glossy = Look { gloss: 1.5, ..look };
    let quality = Quality { samples: 1, scale: 1.0 };
    let moved = head.rig.world_from_nodes(|_| Mat4::from_translation(Vec3::X * 0.01));
    let first = Scene {
        head: &head,
        weights: &rest,
        world_from_nodes: &[],
        mode: BlendMode::Compute,
        camera: &camera,
        look: &look,
        size: [64, 64],
        quality,
    };
    assert!(renderer.draw(&first));
    assert!(!renderer.draw(&first), "drawn again for nothing");
    for (what, changed) in [
        ("weights", Scene { weights: &smile, ..first }),
        ("nodes", Scene { world_from_nodes: &moved, ..first }),
        ("mode", Scene { mode: BlendMode::Cpu, ..first }),
        ("camera", Scene { camera: &turned, ..first }),
        ("look", Scene { look: &glossy, ..first }),
        ("size", Scene { size: [64, 65], ..first }),
        ("quality", Scene { quality: Quality { samples: 1, scale: 0.5 }, ..first }),
        ("head", Scene { head: &bundled_head(), ..first }),
    ] {
        assert!(renderer.draw(&changed), "a change of {what} went unnoticed");
        assert!(renderer.draw(&first), "going back from a change of {what} went unnoticed");
    }
    let undefined = vec![f32::NAN; rest.len()];
    assert!(renderer.draw(&Scene { weights: &undefined, ..first }));
    assert!(!renderer.draw(&Scene { weights: &undefined, ..first }), "weights that are no numbers are drawn for ever");
    let coarse = Quality { samples: 1, scale: 0.5 };
    assert!(renderer.shows(&Scene { weights: &undefined, quality: coarse, ..first }), "the window never comes to rest");
    assert!(!renderer.shows(&first));
}

#[test]
fn unlit_colours_come_out_as_they_went_in() {
    let linear = [0.5, 0.02, 0.9];
    let plain = head_of(vec![square(Mat4::IDENTITY, 0)], vec![unlit([0.5, 0.02, 0.9, 1.0])], vec![]);
    assert_close(middle_of(&plain, View::Front), linear);

    let mut colored = square(Mat4::IDENTITY, 0);
    colored.vertices.colors = vec![[0.5, 0.25, 0.003, 1.0]; 4];
    let colored = head_of(vec![colored], vec![unlit([0.5, 1.0, 1.0, 1.0])], vec![]);
    assert_close(middle_of(&colored, View::Front), [0.25, 0.25, 0.003]);

    let texture = Texture {
        name: "plain".into(),
        width: 4,
        height: 4,
        rgba: Arc::new([200, 100, 7, 255].repeat(16)),
        encoding: Encoding::Srgb,
        sampler: Sampler::default(),
    };
    let material = Material { base_color_texture: Some(0.into()), ..unlit([1.0; 4]) };
    let textured = head_of(vec![square(Mat4::IDENTITY, 0)], vec![material], vec![texture]);
    let actual = middle_of(&textured, View::Front);
    assert!(largest_step(&actual, &[200, 100, 7, 255]) <= 1, "{actual:?}");
}

#[test]
fn front_sides_are_seen_mirrored_or_not_and_back_sides_only_when_double_sided() {
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
fn flat_parts_follow_the_morphed_surface() {
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
        BlendMode::ALL.map(|mode| picture(&mut renderer(), &head, &[weight], mode, View::Front).get_pixel(128, 150).0)
    };
    let (flat, smooth) = (bent(true, 0.0), bent(false, 0.0));
    assert!(largest_step(&flat[0], &smooth[0]) <= 2, "at rest both face the viewer: {flat:?} {smooth:?}");
    assert!(flat[0][0] > 90, "that is the background: {flat:?}");
    let turned = bent(true, 1.0);
    assert!(largest_step(&turned[0], &flat[0]) > 12, "turned away from the key by 45°, and lit as before: {turned:?}");
    assert!(turned.iter().all(|pixel| largest_step(pixel, &turned[0]) <= 2), "modes differ: {turned:?}");
}

#[test]
fn a_full_picture_does_not_depend_on_the_coarse_ones_before() {
    let (head, mut renderer) = (bundled_head(), renderer());
    let (rest, open) = (head.default_weights(), pose(&head, &[("jawOpen", 1.0)]));
    let direct = picture(&mut renderer, &head, &open, BlendMode::Compute, View::Front);
    picture(&mut renderer, &head, &rest, BlendMode::Compute, View::Front);
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let (look, quality) = (&Look::default(), Quality { samples: 1, scale: 0.5 });
    let coarse = Scene {
        head: &head,
        weights: &open,
        world_from_nodes: &[],
        mode: BlendMode::Compute,
        camera: &camera,
        look,
        size: SIZE,
        quality,
    };
    assert!(renderer.draw(&coarse));
    assert_eq!(renderer.read_pixels().dimensions(), (SIZE[0] / 2, SIZE[1] / 2));
    let after = picture(&mut renderer, &head, &open, BlendMode::Compute, View::Front);
    assert_eq!(share_that_differs(&direct, &after, 0), 0.0);
}

#[test]
fn pictures_on_the_side_are_right_and_leave_no_trace() {
    let (head, mut renderer) = (bundled_head(), renderer());
    let (rest, open) = (head.default_weights(), pose(&head, &[("jawOpen", 1.0)]));
    let smile = pose(&head, &[("mouthSmileLeft", 1.0), ("browInnerUpLeft", 1.0)]);
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let look = Look::default();
    for mode in BlendMode::ALL {
        let scene = |weights, size| Scene {
            head: &head,
            weights,
            world_from_nodes: &[],
            mode,
            camera: &camera,
            look: &look,
            size,
            quality: Quality::FULL,
        };
        let coarse = Scene { quality: Quality { samples: 1, scale: 1.0 }, ..scene(&open, SIZE) };
        let mut alone = |scene: &Scene<'_>| {
            renderer.draw(scene);
            renderer.read_pixels()
        };
        let small = [96, 120];
        let (alone_smile, alone_open, alone_rest) =
            (alone(&scene(&smile, small)), alone(&scene(&open, SIZE)), alone(&scene(&rest, SIZE)));
        // Its shadow is that of the shape before it: rest.
        let alone_coarse = alone(&coarse);
        alone(&scene(&rest, SIZE));

        let view = renderer.image().cloned();
        assert!(
            renderer.picture(&scene(&smile, small)) == alone_smile,
            "{mode:?}: not the picture the window would show"
        );
        assert!(
            renderer.image() == view.as_ref() && renderer.read_pixels() == alone_rest,
            "{mode:?}: the window changed"
        );
        assert!(!renderer.draw(&scene(&rest, SIZE)), "{mode:?}: the window was drawn again for nothing");
        assert!(renderer.draw(&coarse) && renderer.read_pixels() == alone_coarse, "{mode:?}: not the window's shadow");
        renderer.picture(&scene(&rest, small));
        assert!(
            renderer.draw(&scene(&open, SIZE)) && renderer.read_pixels() == alone_open,
            "{mode:?}: another's weights"
        );
        assert!(renderer.picture(&scene(&smile, small)) == alone_smile, "{mode:?}: the side took the window's weights");
    }
}

#[test]
fn a_picture_on_the_side_measures_nothing_for_the_window() {
    let (head, mut renderer) = (bundled_head(), renderer());
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let weights = pose(&head, &[("jawOpen", 1.0)]);
    let scene = Scene {
        head: &head,
        weights: &weights,
        world_from_nodes: &[],
        mode: BlendMode::Compute,
        camera: &camera,
        look: &Look::default(),
        size: [64, 80],
        quality: Quality::FULL,
    };
    assert_eq!(renderer.picture(&scene).dimensions(), (64, 80));
    assert!(renderer.image().is_none(), "the window has a picture nobody drew for it");
    assert_eq!(renderer.timing(), Default::default());
    assert!(renderer.head().is_some_and(|on_gpu| Arc::ptr_eq(on_gpu, &head)));
}
