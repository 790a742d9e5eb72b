//! Normals recomputed from the deformed surface: compares every blend mode with the f64 reference, and the reference with the
//! normals that the bundled head was made with.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::{Arc, LazyLock};

use glam::{Quat, Vec3};
use image::RgbaImage;
use smirk_face::head::{Asset, Head, InBetween, Mesh, Part, Target, Vertices};
use smirk_graphics::blend::{Blender, Deviation, Layout, Precision, compare, reference};
use smirk_graphics::gpu::Gpu;
use smirk_scene::{BlendMode, Camera, Look, Normals, Quality, Scene, View};
use smirk_support::random::Random;
use smirk_support::synthetic::{self, Recipe};
use smirk_support::{TestRenderer, software_gpu, software_gpu_with};

static BUNDLED: LazyLock<Head> = LazyLock::new(|| smirk_files::import::embedded().unwrap());

fn is_within(deviation: &Deviation) -> bool {
    deviation.max_distance <= 1e-6 * deviation.head_size.max(deviation.blended_size)
        && deviation.max_normal_degrees <= 0.1
        && deviation.max_tangent_degrees <= 0.1
}

fn blender(gpu: &Gpu, head: &Arc<Head>) -> Blender {
    Blender::new(gpu, Arc::new(Layout::new(head, Precision::Exact))).with_surface(head.clone())
}

/// The deviation of a blend with `normals` from the reference of `head` with `expected`.
fn deviation(
    gpu: &Gpu,
    blender: &mut Blender,
    (weights, mode, normals): (&[f32], BlendMode, Normals),
    (head, expected): (&Head, Normals),
) -> Deviation {
    compare(head, weights, expected, &blender.read_back(gpu, weights, mode, normals).unwrap())
}

fn assert_parity(head: Head, normals: Normals, weight_vectors: &[Vec<f32>]) {
    let (gpu, head) = (software_gpu(), Arc::new(head));
    let mut blender = blender(&gpu, &head);
    for &mode in BlendMode::ALL {
        for (index, weights) in weight_vectors.iter().enumerate() {
            let found = deviation(&gpu, &mut blender, (weights, mode, normals), (&head, normals));
            assert!(is_within(&found), "{} with weights {index}: {found:?}", mode.label());
        }
    }
}

/// A tube closed along a seam of its texture, with a lid whose edge is hard; targets bend and twist it and have no
/// normals.
fn tube(around: u32, up: u32, has_tangents: bool) -> Mesh {
    let (mut vertices, mut indices) = (Vertices::default(), Vec::new());
    let mut add = |position: Vec3, normal: Vec3| {
        vertices.positions.push(position);
        vertices.normals.push(normal);
        vertices.positions.len() as u32 - 1
    };
    let on_rim = |column: u32, row: u32| {
        let turn = (column % around) as f32 / around as f32 * std::f32::consts::TAU;
        Vec3::new(turn.cos(), row as f32 / up as f32 * 3.0, -turn.sin()) * 0.1
    };
    for column in 0..=around {
        for row in 0..=up {
            let position = on_rim(column, row);
            add(position, (position * Vec3::new(10.0, 0.0, 10.0)).normalize_or_zero());
        }
    }
    for quad in (0..around * (up + 1)).filter(|at| at % (up + 1) < up) {
        let beside = quad + up + 1;
        indices.extend([quad, beside, beside + 1, quad, beside + 1, quad + 1]);
    }
    let rim: Vec<u32> = (0..around).map(|column| add(on_rim(column, up), Vec3::Y)).collect();
    let middle = add(Vec3::Y * 0.3, Vec3::Y);
    indices.extend((0..around as usize).flat_map(|at| [middle, rim[at], rim[(at + 1) % around as usize]]));
    if has_tangents {
        vertices.tangents =
            vertices.normals.iter().map(|normal| normal.any_orthonormal_vector().extend(-1.0)).collect();
    }
    let target = |name: &str, moved: &dyn Fn(Vec3) -> Vec3| {
        let deltas: Vec<Vec3> = vertices.positions.iter().map(|&position| moved(position) - position).collect();
        Target::from_dense(name.into(), 0.0, &deltas, &[], &[])
    };
    let targets = vec![
        target("bend", &|at| Quat::from_rotation_z(at.y * 2.0) * at),
        target("twist", &|at| Quat::from_rotation_y(at.y * 4.0) * at),
        target("bulge", &|at| if at.y > 0.2 { at * Vec3::new(1.5, 1.0, 1.2) } else { at }),
    ];
    let index_count = indices.len() as u32;
    let parts = vec![Part { first_index: 0, index_count, material: 0, flat_shaded: false }];
    Mesh { name: "tube".into(), vertices, indices, parts, targets, ..Mesh::default() }
}

/// The bundled head as it would be if its exporter left out the normals of targets.
fn without_normal_deltas() -> Head {
    let mut meshes = BUNDLED.meshes.clone();
    for target in meshes.iter_mut().flat_map(|mesh| &mut mesh.targets) {
        target.normals.clear();
        target.tangents.clear();
    }
    let (materials, textures) = (BUNDLED.materials.clone(), BUNDLED.textures.clone());
    Head::new(Asset { name: "head".into(), meshes, materials, textures, ..Asset::default() })
}

fn one_target(head: &Head, name: &str, weight: f32) -> Vec<f32> {
    let mut weights = vec![0.0; head.target_count()];
    let channel = &head.channels[head.channel_named(name).unwrap()];
    channel.targets.iter().for_each(|&target| weights[target] = weight);
    weights
}

fn tube_weights() -> [Vec<f32>; 5] {
    [[0.0; 3], [1.0, 0.0, 0.0], [0.3, -0.5, 0.0], [0.2, 0.4, 1.0], [0.0, 0.0, -0.6]].map(Vec::from)
}

#[test]
fn seams_and_hard_edges() {
    for has_tangents in [false, true] {
        assert_parity(synthetic::head_of(vec![tube(40, 30, has_tangents)]), Normals::Auto, &tube_weights());
    }
}

#[test]
fn targets_with_in_betweens() {
    let mut mesh = tube(40, 30, true);
    let half: Vec<Vec3> = mesh.vertices.positions.iter().map(|&at| Quat::from_rotation_z(at.y) * at - at).collect();
    let in_between = InBetween::from_dense("half".into(), 0.5, &half, &[], &[]);
    assert!(mesh.targets[0].set_in_betweens(vec![in_between]).is_empty());
    let weights =
        [[0.25, 0.0, 0.0], [0.5, 0.3, 0.0], [0.75, 0.0, 0.4], [-0.4, 0.2, 0.0], [1.2, 0.0, 0.0]].map(Vec::from);
    assert_parity(synthetic::head_of(vec![mesh]), Normals::Auto, &weights);
}

#[test]
fn one_mesh_recomputed_beside_one_that_is_not() {
    let mut authored = synthetic::head(4, &[Recipe::new(200, 1)]).asset.meshes;
    authored.push(tube(20, 10, true));
    let head = synthetic::head_of(authored);
    assert!(!Normals::Auto.recomputes(&head.meshes[0]) && Normals::Auto.recomputes(&head.meshes[1]));
    let weights = tube_weights().map(|weights| [vec![0.7], weights].concat());
    assert_parity(head, Normals::Auto, &weights);
}

#[test]
fn the_bundled_head_without_its_own_normals() {
    let head = without_normal_deltas();
    let mut random = Random::new(2);
    let mut weights = vec![
        vec![0.0; head.target_count()],
        one_target(&head, "jawOpen", 1.0),
        one_target(&head, "mouthSmileLeft", -0.5),
    ];
    weights.push(
        (0..head.target_count()).map(|_| if random.chance(0.2) { random.between(0.0, 1.0) } else { 0.0 }).collect(),
    );
    assert_parity(head, Normals::Auto, &weights);
}

/// Packed deltas keep recomputed normals within the tolerance, whether they are recomputed by choice or because the targets
/// have none.
#[test]
fn packed_deltas_show_the_same_normals() {
    let gpu = software_gpu();
    let bundled = smirk_files::import::embedded().unwrap();
    for (head, normals) in [(without_normal_deltas(), Normals::Auto), (bundled, Normals::Recomputed)] {
        let head = Arc::new(head);
        let layout = Arc::new(Layout::new(&head, Precision::Packed));
        let mut blender = Blender::new(&gpu, layout).with_surface(head.clone());
        // All targets at 0.7 crumple the lips to a tenth of their area, where packing promises nothing about normals.
        let all = vec![0.3; head.target_count()];
        let vectors = [one_target(&head, "jawOpen", 1.0), all];
        for (weights, mode) in vectors.iter().flat_map(|it| BlendMode::ALL.iter().map(move |&mode| (it, mode))) {
            let found = deviation(&gpu, &mut blender, (weights, mode, normals), (&head, normals));
            let name = format!("{normals:?}, {}", mode.label());
            assert!(found.max_distance <= 1e-5 * found.head_size, "{name}: {found:?}");
            assert!(found.max_normal_degrees <= 0.1, "{name}: {found:?}");
        }
    }
}

/// Dispatches that are too short for the head continue in a second row.
#[test]
fn an_adapter_with_short_dispatches() {
    let gpu = software_gpu_with(|limits| limits.max_compute_workgroups_per_dimension = 6);
    let head = Arc::new(synthetic::head_of(vec![tube(40, 30, false)]));
    let mut blender = blender(&gpu, &head);
    assert!(blender.layout().order.block_count() > 2 * 6);
    let found =
        deviation(&gpu, &mut blender, (&[0.2, 0.4, 1.0], BlendMode::Compute, Normals::Auto), (&head, Normals::Auto));
    assert!(is_within(&found), "{found:?}");
}

/// If the tables are larger than the adapter can bind, the CPU blends in every mode.
#[test]
fn an_adapter_with_small_bindings_leaves_the_cpu() {
    let gpu = software_gpu_with(|limits| limits.max_storage_buffer_binding_size = 40_000);
    let head = Arc::new(synthetic::head_of(vec![tube(40, 30, false)]));
    let mut blender = blender(&gpu, &head);
    assert_eq!(blender.unavailable(BlendMode::Compute), None);
    for &mode in BlendMode::ALL {
        let found = deviation(&gpu, &mut blender, (&[0.2, 0.4, 1.0], mode, Normals::Auto), (&head, Normals::Auto));
        assert!(is_within(&found), "{}: {found:?}", mode.label());
    }
}

/// A slider is dragged while the source of normals and the mode switch.
#[test]
fn changes_one_after_the_other_with_sources_and_modes_back_and_forth() {
    let gpu = software_gpu();
    let head = Arc::new(synthetic::head_of(vec![
        tube(30, 40, true),
        synthetic::head(4, &[Recipe::new(200, 4)]).asset.meshes.remove(0),
    ]));
    let mut blender = blender(&gpu, &head);
    let mut random = Random::new(8);
    let mut weights = vec![0.0; head.target_count()];
    let (mut mode, mut normals) = (BlendMode::Cpu, Normals::Auto);
    for step in 0..60 {
        match random.below(4) {
            0 => mode = BlendMode::ALL[random.below(BlendMode::ALL.len())],
            1 => normals = Normals::ALL[random.below(3)],
            _ => weights[random.below(head.target_count())] = random.between(-0.3, 0.6),
        }
        let found = deviation(&gpu, &mut blender, (&weights, mode, normals), (&head, normals));
        assert!(is_within(&found), "step {step}, {}, {normals:?}: {found:?}", mode.label());
    }
}

#[test]
fn the_wrong_source_is_caught() {
    let gpu = software_gpu();
    for head in [synthetic::head_of(vec![tube(40, 30, false)]), without_normal_deltas()].map(Arc::new) {
        let mut weights = vec![0.0; head.target_count()];
        weights[0] = 1.0;
        let mut blender = blender(&gpu, &head);
        for &mode in BlendMode::ALL {
            let found = deviation(&gpu, &mut blender, (&weights, mode, Normals::Authored), (&head, Normals::Auto));
            assert!(!is_within(&found), "{}: {found:?}", mode.label());
        }
    }
}

#[test]
fn a_missing_triangle_and_a_smoothed_edge_are_caught() {
    let gpu = software_gpu();
    let head = synthetic::head_of(vec![tube(40, 30, false)]);
    let weights = [0.2, 0.4, 1.0];
    let mut holed = tube(40, 30, false);
    holed.indices.drain(300..303);
    let mut torn = tube(40, 30, false);
    // The planted error: the vertices on the second side of the seam are a small distance away from those on the first, so that the
    // surface is split.
    let side = 31;
    let second = torn.vertices.positions.len() - 41 - side;
    torn.vertices.positions[second..second + side].iter_mut().for_each(|position| *position *= 1.0 + 1e-7 * 2.0);
    for planted in [holed, torn] {
        let mut blender = blender(&gpu, &Arc::new(synthetic::head_of(vec![planted])));
        for &mode in BlendMode::ALL {
            let found = deviation(&gpu, &mut blender, (&weights, mode, Normals::Auto), (&head, Normals::Auto));
            assert!(!is_within(&found), "{}: {found:?}", mode.label());
        }
    }
}

/// Checks the reference itself: its recomputed normals must agree with those that the bundled head was made with.
#[test]
fn recomputed_normals_agree_with_those_the_head_was_made_with() {
    let weights = one_target(&BUNDLED, "jawOpen", 1.0);
    let [rest, authored, recomputed] = [
        reference(&BUNDLED, &[], Normals::Authored),
        reference(&BUNDLED, &weights, Normals::Authored),
        reference(&BUNDLED, &weights, Normals::Recomputed),
    ];
    let moved: Vec<usize> = (0..rest.len()).filter(|&at| rest[at].position != authored[at].position).collect();
    assert!(moved.len() > 1000);
    let rms_degrees = |a: &[smirk_graphics::blend::ReferenceVertex]| {
        let angle = |at: &usize| a[*at].normal.angle_between(authored[*at].normal).to_degrees();
        (moved.iter().map(|at| angle(at).powi(2)).sum::<f64>() / moved.len() as f64).sqrt()
    };
    let (ours, unmoved) = (rms_degrees(&recomputed), rms_degrees(&rest));
    assert!(ours < 3.2 && ours < unmoved / 4.0, "{ours}° recomputed, {unmoved}° if they had stayed");
}

/// Reading back does not use the shaders that draw the head. This test checks that those use the recomputed normals.
#[test]
fn every_mode_draws_recomputed_normals() {
    let gpu = software_gpu();
    let head = Arc::new(without_normal_deltas());
    let weights = one_target(&head, "jawOpen", 1.0);
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
    let mut renderer = TestRenderer::new(&gpu);
    let mut picture = |mode, normals| {
        let look = Look { normals, ..Look::default() };
        let quality = Quality::FULL;
        renderer.draw(&Scene {
            weights: weights.clone().into(),
            mode,
            quality,
            ..Scene::at_rest(&head, &camera, &look, [160, 160])
        });
        renderer.read_pixels()
    };
    let recomputed = picture(BlendMode::Compute, Normals::Auto);
    for &mode in BlendMode::ALL {
        let authored = differing_pixels(&picture(mode, Normals::Authored), &recomputed);
        assert!(authored > 300, "{}: {authored} pixels differ from normals that stayed", mode.label());
        let other = differing_pixels(&picture(mode, Normals::Auto), &recomputed);
        assert!(other < 10, "{}: {other} pixels differ from compute mode's", mode.label());
    }
}

fn differing_pixels(a: &RgbaImage, b: &RgbaImage) -> usize {
    let differs = |(a, b): (&image::Rgba<u8>, &image::Rgba<u8>)| (0..3).any(|part| a[part].abs_diff(b[part]) > 6);
    a.pixels().zip(b.pixels()).filter(|pixels| differs(*pixels)).count()
}
