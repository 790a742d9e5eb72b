//! Every blend mode against the f64 reference, and proof that the comparison sees what is wrong.

#![allow(clippy::unwrap_used, reason = "a test")]

mod support;

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};
use smirk::blend::{BlendMode, Blender, Deviation, Layout, Normals, Precision, compare};
use smirk::gpu::Gpu;
use smirk::head::{Head, Mesh, Target, Vertices};
use support::random::Random;
use support::synthetic::{self, Recipe};
use support::{software_gpu, software_gpu_with};

/// How far a blend may be from the reference: distance as a part of the head's size, and angle in degrees.
const TOLERANCES: [(Precision, f64, f64); 2] = [(Precision::Exact, 1e-6, 0.05), (Precision::Packed, 1e-5, 0.1)];

/// `weights` beyond -1..1 stretch what packing promises.
fn is_within(precision: Precision, weights: &[f32], deviation: &Deviation) -> bool {
    let (_, distance, degrees) = TOLERANCES.into_iter().find(|(of, ..)| *of == precision).unwrap();
    let stretch = weights.iter().fold(1.0_f64, |most, weight| most.max(f64::from(weight.abs())));
    deviation.max_distance <= distance * stretch * deviation.head_size
        && deviation.max_normal_degrees <= degrees * stretch
        && deviation.max_tangent_degrees <= degrees * stretch
}

fn blender(gpu: &Gpu, head: &Head, precision: Precision) -> Blender {
    Blender::new(gpu, Arc::new(Layout::new(head, precision)))
}

/// Both layouts, every mode, with every weight vector in turn, within tolerance.
fn assert_parity(gpu: &Gpu, head: &Head, weight_vectors: &[Vec<f32>]) {
    for precision in [Precision::Exact, Precision::Packed] {
        assert_parity_of(gpu, head, &mut blender(gpu, head, precision), weight_vectors);
    }
}

fn assert_parity_of(gpu: &Gpu, head: &Head, blender: &mut Blender, weight_vectors: &[Vec<f32>]) {
    let precision = blender.layout().deltas().precision();
    for mode in BlendMode::ALL {
        assert_eq!(blender.unavailable(mode), None);
        for (index, weights) in weight_vectors.iter().enumerate() {
            let deviation = deviation(gpu, head, blender, weights, mode);
            let name = format!("{}, {}", mode.label(), precision.label());
            assert!(is_within(precision, weights, &deviation), "{name}, weights {index}: {deviation:?}");
        }
    }
}

fn deviation(gpu: &Gpu, head: &Head, blender: &mut Blender, weights: &[f32], mode: BlendMode) -> Deviation {
    compare(head, weights, Normals::Authored, &blender.read_back(gpu, weights, mode, Normals::Authored))
}

/// A head with a mistake in it must not pass for the right one, in any mode.
fn assert_caught(gpu: &Gpu, head: &Head, planted: &Head, weights: &[f32]) {
    let mut blender = blender(gpu, planted, Precision::Exact);
    for mode in BlendMode::ALL {
        let deviation =
            compare(head, weights, Normals::Authored, &blender.read_back(gpu, weights, mode, Normals::Authored));
        assert!(
            !is_within(Precision::Exact, weights, &deviation),
            "{} hides a planted error: {deviation:?}",
            mode.label()
        );
    }
}

/// Zeros, each target alone, all, negative, more than 1, and a few sparse random ones.
fn weight_vectors(target_count: usize) -> Vec<Vec<f32>> {
    let mut random = Random::new(7);
    let mut vectors = vec![
        vec![0.0; target_count],
        vec![1.0; target_count],
        vec![-0.3; target_count],
        vec![1.7; target_count],
        vec![f32::NAN; target_count],
    ];
    for target in (0..target_count).step_by(target_count.div_ceil(5).max(1)) {
        let mut one_hot = vec![0.0; target_count];
        one_hot[target] = 1.0;
        vectors.push(one_hot);
    }
    for _ in 0..3 {
        let sparse = |random: &mut Random| if random.chance(0.2) { random.between(-0.5, 1.5) } else { 0.0 };
        vectors.push((0..target_count).map(|_| sparse(&mut random)).collect());
    }
    vectors
}

/// Target 0 has only POSITION, target 1 only NORMAL, target 2 nothing, target 3 all.
fn mixed_attributes() -> Head {
    let count = 70;
    let mut random = Random::new(1);
    let mut vectors = |extent: f32| -> Vec<Vec3> { (0..count).map(|_| random.vector(extent)).collect() };
    let target = |name: &str, positions: &[Vec3], normals: &[Vec3], tangents: &[Vec3]| {
        Target::from_dense(name.into(), 0.0, positions, normals, tangents)
    };
    let targets = vec![
        target("only position", &vectors(0.1), &[], &[]),
        target("only normal", &[], &vectors(0.3), &[]),
        target("nothing", &[], &[], &[]),
        target("all", &vectors(0.1), &vectors(0.3), &vectors(0.3)),
    ];
    let vertices = Vertices {
        positions: vectors(1.0),
        normals: vec![Vec3::Z; count],
        tangents: vec![Vec4::new(1.0, 0.0, 0.0, -1.0); count],
        ..Default::default()
    };
    synthetic::head_of(vec![Mesh { name: "mixed".into(), vertices, targets, ..Mesh::default() }])
}

#[test]
fn targets_that_lack_attributes_others_have() {
    let gpu = software_gpu();
    let head = mixed_attributes();
    let vectors = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.7; 4]];
    assert_parity(&gpu, &head, &vectors.map(Vec::from));
}

#[test]
fn attributes_that_slip_to_the_next_target_are_caught() {
    let gpu = software_gpu();
    let head = mixed_attributes();
    // What a viewer shows that packs the deltas of each attribute by itself: target 1 gets target 3's positions.
    let mut planted = mixed_attributes();
    let all = planted.meshes[0].targets[3].clone();
    planted.meshes[0].targets[1].positions = all.positions;
    assert_caught(&gpu, &head, &planted, &[0.0, 1.0, 0.0, 0.0]);
    let mut planted = mixed_attributes();
    planted.meshes[0].targets[3].tangents.clear();
    assert_caught(&gpu, &head, &planted, &[0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn vertex_counts_around_a_block() {
    let gpu = software_gpu();
    for vertex_count in [1, 63, 64, 65, 300] {
        for has_tangents in [false, true] {
            // One vertex has no size to measure by; the second mesh has.
            let recipes = [Recipe { has_tangents, ..Recipe::new(vertex_count, 9) }, Recipe::new(100, 0)];
            let head = synthetic::head(3, &recipes);
            assert_parity(&gpu, &head, &weight_vectors(9));
        }
    }
}

#[test]
fn a_delta_off_by_one_vertex_is_caught() {
    let gpu = software_gpu();
    for vertex_count in [63, 64, 65, 300] {
        let recipe = [Recipe::new(vertex_count, 9)];
        let (head, mut planted) = (synthetic::head(3, &recipe), synthetic::head(3, &recipe));
        planted.meshes[0].targets[0].positions.swap(0, 1);
        assert_caught(&gpu, &head, &planted, &[1.0; 9]);
    }
}

#[test]
fn ten_thousand_vertices_and_two_hundred_targets() {
    let gpu = software_gpu();
    let head = synthetic::head(5, &[Recipe { reach: 0.1, ..Recipe::new(10_000, 200) }]);
    // All two hundred at full weight would turn normals inside out: fewer, and their sum stays a direction.
    let mut random = Random::new(9);
    let vectors: Vec<Vec<f32>> = [0.05, 0.3, 1.0]
        .map(|share| (0..200).map(|_| if random.chance(share) { random.between(-1.0, 1.0) } else { 0.0 }).collect())
        .into();
    assert_parity(&gpu, &head, &vectors);
}

/// Few targets on many vertices, and many targets on few.
#[test]
fn a_million_vertices_and_two_thousand_targets() {
    let gpu = software_gpu();
    let wide = synthetic::head(6, &[Recipe { reach: 0.3, has_tangents: false, ..Recipe::new(1_000_000, 2) }]);
    assert_parity(&gpu, &wide, &[vec![0.8, -0.4]]);
    let deep = synthetic::head(7, &[Recipe { reach: 0.2, ..Recipe::new(65, 2000) }]);
    let mut random = Random::new(8);
    let few = (0..2000).map(|_| if random.chance(0.01) { random.between(-1.0, 1.0) } else { 0.0 }).collect();
    let all = (0..2000).map(|_| random.between(-0.02, 0.02)).collect();
    assert_parity(&gpu, &deep, &[few, all]);
}

#[test]
fn two_targets_that_change_places_are_caught() {
    let gpu = software_gpu();
    let recipe = [Recipe { reach: 0.1, ..Recipe::new(10_000, 200) }];
    let (head, mut planted) = (synthetic::head(5, &recipe), synthetic::head(5, &recipe));
    planted.meshes[0].targets.swap(100, 101);
    let mut weights = vec![0.0; 200];
    (weights[100], weights[101]) = (0.5, 0.6);
    assert_caught(&gpu, &head, &planted, &weights);
}

/// Several meshes, one without targets, one far from its origin, one scaled by its node.
fn several_meshes() -> Head {
    let small = Mat4::from_scale(Vec3::splat(0.01));
    synthetic::head(
        11,
        &[
            Recipe::new(200, 6),
            Recipe::new(65, 0),
            Recipe { has_tangents: false, offset: Vec3::new(0.0, 0.3, 0.0), ..Recipe::new(130, 8) },
            Recipe { world_from_mesh: small, reach: 0.05, ..Recipe::new(1000, 3) },
        ],
    )
}

#[test]
fn several_meshes_in_one_head() {
    let gpu = software_gpu();
    let head = several_meshes();
    assert_parity(&gpu, &head, &weight_vectors(17));
}

#[test]
fn a_mesh_that_takes_its_neighbours_weights_is_caught() {
    let gpu = software_gpu();
    let head = several_meshes();
    let weights: Vec<f32> = (0..17).map(|target| target as f32 / 17.0).collect();
    let mut shifted = weights.clone();
    shifted.rotate_left(1);
    let mut blender = blender(&gpu, &head, Precision::Exact);
    for mode in BlendMode::ALL {
        let deviation =
            compare(&head, &weights, Normals::Authored, &blender.read_back(&gpu, &shifted, mode, Normals::Authored));
        assert!(!is_within(Precision::Exact, &weights, &deviation), "{}: {deviation:?}", mode.label());
    }
}

#[test]
fn a_head_without_targets_stays_as_it_is() {
    let gpu = software_gpu();
    let head = synthetic::head(2, &[Recipe::new(100, 0)]);
    assert_parity(&gpu, &head, &[Vec::new(), vec![1.0]]);
    let mut planted = synthetic::head(2, &[Recipe::new(100, 0)]);
    planted.meshes[0].vertices.positions[99].x += 1e-5;
    assert_caught(&gpu, &head, &planted, &[]);
}

#[test]
fn a_normal_that_vanishes_keeps_the_base() {
    let gpu = software_gpu();
    let mut head = mixed_attributes();
    let mesh = &mut head.meshes[0];
    mesh.targets[1].normals[5] = Vec3::NEG_Z;
    mesh.targets[1].normals[6] = Vec3::ZERO;
    mesh.vertices.normals[6] = Vec3::ZERO;
    assert_parity(&gpu, &head, &[vec![0.0, 1.0, 0.0, 0.0]]);
    let shape = blender(&gpu, &head, Precision::Exact).read_back(
        &gpu,
        &[0.0, 1.0, 0.0, 0.0],
        BlendMode::Compute,
        Normals::Authored,
    );
    assert_eq!((shape[5].normal, shape[6].normal), (Vec3::Z, Vec3::ZERO));
}

/// A drag, mode switches in the middle of it, back and forth: what one mode left must never show in another.
#[test]
fn changes_one_after_the_other_and_modes_back_and_forth() {
    let gpu = software_gpu();
    let head = several_meshes();
    let mut blender = blender(&gpu, &head, Precision::Exact);
    let mut random = Random::new(21);
    let mut weights = vec![0.0; 17];
    for step in 0..60 {
        let target = random.below(17);
        weights[target] = if random.chance(0.3) { 0.0 } else { random.between(-0.5, 1.5) };
        let mode = if random.chance(0.7) { BlendMode::ALL[step / 15] } else { BlendMode::ALL[random.below(4)] };
        let deviation =
            compare(&head, &weights, Normals::Authored, &blender.read_back(&gpu, &weights, mode, Normals::Authored));
        assert!(is_within(Precision::Exact, &weights, &deviation), "step {step}, {}: {deviation:?}", mode.label());
    }
}

#[test]
fn a_change_that_is_missed_is_caught() {
    let gpu = software_gpu();
    let head = several_meshes();
    let mut blender = blender(&gpu, &head, Precision::Exact);
    let before = vec![0.5; 17];
    let mut after = before.clone();
    after[0] = 0.501;
    for mode in BlendMode::ALL {
        let deviation =
            compare(&head, &after, Normals::Authored, &blender.read_back(&gpu, &before, mode, Normals::Authored));
        assert!(!is_within(Precision::Exact, &after, &deviation), "{}: {deviation:?}", mode.label());
    }
}

#[test]
fn nothing_is_done_when_nothing_changes() {
    let gpu = software_gpu();
    let head = several_meshes();
    let mut blender = blender(&gpu, &head, Precision::Exact);
    let mut blend = |weights: &[f32], mode| {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        blender.blend(&mut encoder, weights, mode, Normals::Authored, None);
        gpu.queue.submit([encoder.finish()]);
        blender.did_work()
    };
    assert!(blend(&[0.5; 17], BlendMode::Compute));
    assert!(!blend(&[0.5; 17], BlendMode::Compute));
    assert!(blend(&[0.5; 17], BlendMode::Multipass));
    assert!(!blend(&[0.5; 17], BlendMode::Cpu), "no pass to time");
    assert!(blend(&[0.5; 17], BlendMode::Compute));
}

#[test]
fn deltas_in_several_pages() {
    let gpu = software_gpu();
    let head = several_meshes();
    let layout = Arc::new(Layout::new(&head, Precision::Exact));
    let column_bytes = layout.deltas().column_bytes() as u64;
    let column_count = layout.deltas().bytes() / column_bytes;
    let mut blender = Blender::with_page_limit(&gpu, layout.clone(), column_bytes * column_count.div_ceil(4));
    assert_parity_of(&gpu, &head, &mut blender, &weight_vectors(17));
}

#[test]
fn a_delta_in_the_wrong_page_is_caught() {
    let gpu = software_gpu();
    let (head, mut planted) = (several_meshes(), several_meshes());
    let target = &mut planted.meshes[0].targets[0];
    let last = target.positions.len() - 1;
    assert!(target.rows[0] / 64 < target.rows[last] / 64, "in different blocks, hence pages");
    target.positions.swap(0, last);
    let layout = Arc::new(Layout::new(&planted, Precision::Exact));
    let fullest = (0..layout.block_count()).map(|block| layout.columns_of(block).len()).max().unwrap();
    let limit = (fullest * layout.deltas().column_bytes()) as u64;
    let mut blender = Blender::with_page_limit(&gpu, layout, limit);
    let weights = vec![1.0; 17];
    for mode in [BlendMode::Compute, BlendMode::Multipass] {
        let deviation =
            compare(&head, &weights, Normals::Authored, &blender.read_back(&gpu, &weights, mode, Normals::Authored));
        assert!(!is_within(Precision::Exact, &weights, &deviation), "{}: {deviation:?}", mode.label());
    }
}

/// Small bindings, and dispatches that are too short for a head: what a huge head meets on a real adapter.
#[test]
fn an_adapter_that_can_do_little() {
    let gpu = software_gpu_with(|limits| {
        limits.max_compute_workgroups_per_dimension = 8;
        limits.max_storage_buffer_binding_size = 128 * 1024;
    });
    let head = synthetic::head(13, &[Recipe::new(2000, 9)]);
    let layout = Arc::new(Layout::new(&head, Precision::Exact));
    assert!(layout.block_count() > 8 && layout.deltas().bytes() > 2 * 128 * 1024);
    assert_parity_of(&gpu, &head, &mut Blender::new(&gpu, layout), &weight_vectors(9));
}

#[test]
fn more_pages_than_the_vertex_stage_can_bind() {
    let gpu = software_gpu();
    let head = synthetic::head(13, &[Recipe { reach: 0.2, ..Recipe::new(2000, 9) }]);
    let layout = Arc::new(Layout::new(&head, Precision::Exact));
    let fullest = (0..layout.block_count()).map(|block| layout.columns_of(block).len()).max().unwrap();
    let limit = (fullest * layout.deltas().column_bytes()) as u64;
    let mut blender = Blender::with_page_limit(&gpu, layout, limit);
    let reason = blender.unavailable(BlendMode::Vertex).unwrap();
    assert!(reason.contains("at most 8"), "{reason}");
    let weights = vec![0.4; 9];
    for mode in BlendMode::ALL {
        let deviation =
            compare(&head, &weights, Normals::Authored, &blender.read_back(&gpu, &weights, mode, Normals::Authored));
        assert!(is_within(Precision::Exact, &weights, &deviation), "{}: {deviation:?}", mode.label());
    }
}

#[test]
fn a_limit_below_one_block_leaves_the_cpu() {
    let gpu = software_gpu();
    let head = synthetic::head(13, &[Recipe::new(100, 9)]);
    let mut blender = Blender::with_page_limit(&gpu, Arc::new(Layout::new(&head, Precision::Exact)), 1000);
    for mode in [BlendMode::Vertex, BlendMode::Compute, BlendMode::Multipass] {
        let reason = blender.unavailable(mode).unwrap();
        assert!(reason.contains("1000"), "{reason}");
    }
    let weights = vec![0.4; 9];
    let deviation = compare(
        &head,
        &weights,
        Normals::Authored,
        &blender.read_back(&gpu, &weights, BlendMode::Compute, Normals::Authored),
    );
    assert!(is_within(Precision::Exact, &weights, &deviation), "{deviation:?}");
}

/// Under a hand the others are summed once: a drag of many steps, and what comes after it, must not be off by what went before.
#[test]
fn a_long_drag_does_not_drift() {
    let gpu = software_gpu();
    let head = synthetic::head(15, &[Recipe { reach: 0.7, ..Recipe::new(1000, 12) }]);
    let mut blender = blender(&gpu, &head, Precision::Exact);
    let mut weights = vec![0.4; 12];
    for step in 0..200 {
        weights[3] = (step as f32 * 0.1).sin();
        let blended = blender.read_back(&gpu, &weights, BlendMode::Cpu, Normals::Authored);
        if step % 50 == 0 {
            let deviation = compare(&head, &weights, Normals::Authored, &blended);
            assert!(is_within(Precision::Exact, &weights, &deviation), "step {step}: {deviation:?}");
        }
    }
    for (target, mode) in [(5, BlendMode::Cpu), (3, BlendMode::Cpu), (3, BlendMode::Compute), (3, BlendMode::Cpu)] {
        weights[target] += 0.1;
        let deviation = deviation(&gpu, &head, &mut blender, &weights, mode);
        assert!(is_within(Precision::Exact, &weights, &deviation), "{target}, {}: {deviation:?}", mode.label());
    }
}
