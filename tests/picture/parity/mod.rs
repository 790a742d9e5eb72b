//! Compares every blend mode with the f64 reference, and plants errors that the comparison must find.

#![allow(clippy::unwrap_used, reason = "a test")]

mod changes;
mod correctives;
mod in_betweens;
mod limits;
mod mended;
use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};
use smirk_face::head::{Head, Mesh, Target, Vertices};
use smirk_graphics::blend::{Blender, Deviation, Layout, Precision, compare};
use smirk_graphics::gpu::Gpu;
use smirk_scene::{BlendMode, Normals};
use smirk_support::random::Random;
use smirk_support::software_gpu;
use smirk_support::synthetic::{self, Recipe};
use smirk_support::tolerance::is_within;

fn blender(gpu: &Gpu, head: &Head, precision: Precision) -> Blender {
    Blender::new(gpu, Arc::new(Layout::new(head, precision)))
}

/// Asserts that every mode with every weight vector is within tolerance, in both layouts.
fn assert_parity(gpu: &Gpu, head: &Head, weight_vectors: &[Vec<f32>]) {
    for precision in [Precision::Exact, Precision::Packed] {
        assert_parity_of(gpu, head, &mut blender(gpu, head, precision), weight_vectors);
    }
}

fn assert_parity_of(gpu: &Gpu, head: &Head, blender: &mut Blender, weight_vectors: &[Vec<f32>]) {
    let precision = blender.layout().deltas().precision();
    for &mode in BlendMode::ALL {
        assert_eq!(blender.unavailable(mode), None);
        for (index, weights) in weight_vectors.iter().enumerate() {
            let deviation = deviation(gpu, head, blender, weights, mode);
            let name = format!("{}, {}", mode.label(), precision.label());
            assert!(is_within(precision, weights, &deviation), "{name}, weights {index}: {deviation:?}");
        }
    }
}

fn deviation(gpu: &Gpu, head: &Head, blender: &mut Blender, weights: &[f32], mode: BlendMode) -> Deviation {
    compare(head, weights, Normals::Authored, &blender.read_back(gpu, weights, mode, Normals::Authored).unwrap())
}

/// A head with a planted error must differ from the right one in every mode.
fn assert_caught(gpu: &Gpu, head: &Head, planted: &Head, weights: &[f32]) {
    let mut blender = blender(gpu, planted, Precision::Exact);
    for &mode in BlendMode::ALL {
        let deviation = deviation(gpu, head, &mut blender, weights, mode);
        assert!(
            !is_within(Precision::Exact, weights, &deviation),
            "{} hides a planted error: {deviation:?}",
            mode.label()
        );
    }
}

/// Weight vectors: zeros, each target alone, all targets, negative ones, ones above 1, and a few sparse random ones.
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
    // The planted error is that of a viewer that stores the deltas of each attribute in a separate list: target 1 gets the positions
    // of target 3.
    let mut planted = mixed_attributes();
    let all = planted.asset.meshes[0].targets[3].clone();
    planted.asset.meshes[0].targets[1].positions = all.positions;
    assert_caught(&gpu, &head, &planted, &[0.0, 1.0, 0.0, 0.0]);
    let mut planted = mixed_attributes();
    planted.asset.meshes[0].targets[3].tangents.clear();
    assert_caught(&gpu, &head, &planted, &[0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn vertex_counts_around_a_block() {
    let gpu = software_gpu();
    // Every third of them: all at rest, all at one weight, single targets and one set at random.
    let few = |target_count| weight_vectors(target_count).into_iter().step_by(3).collect::<Vec<_>>();
    for (vertex_count, target_count) in [(1, 9), (63, 9), (64, 1), (64, 9), (65, 9), (300, 9)] {
        for has_tangents in [false, true] {
            // Errors are relative to the size of the head. One vertex has no size, so there is a second mesh.
            let recipes = [Recipe { has_tangents, ..Recipe::new(vertex_count, target_count) }, Recipe::new(100, 0)];
            let head = synthetic::head(3, &recipes);
            assert_parity(&gpu, &head, &few(target_count));
        }
        assert_parity(&gpu, &positions_alone(vertex_count, target_count), &few(target_count));
    }
}

/// A head whose targets have positions alone.
fn positions_alone(vertex_count: usize, target_count: usize) -> Head {
    let mut meshes = synthetic::head(3, &[Recipe::new(vertex_count, target_count), Recipe::new(100, 0)]).asset.meshes;
    for target in meshes.iter_mut().flat_map(|mesh| &mut mesh.targets) {
        target.normals.clear();
        target.tangents.clear();
    }
    let head = synthetic::head_of(meshes);
    assert_eq!(Layout::new(&head, Precision::Exact).deltas().components(), 3);
    head
}

#[test]
fn a_delta_off_by_one_vertex_is_caught() {
    let gpu = software_gpu();
    for vertex_count in [63, 64, 65, 300] {
        let recipe = [Recipe::new(vertex_count, 9)];
        let (head, mut planted) = (synthetic::head(3, &recipe), synthetic::head(3, &recipe));
        planted.asset.meshes[0].targets[0].positions.swap(0, 1);
        assert_caught(&gpu, &head, &planted, &[1.0; 9]);
    }
}

#[test]
fn ten_thousand_vertices_and_two_hundred_targets() {
    let gpu = software_gpu();
    let head = synthetic::head(5, &[Recipe { reach: 0.1, ..Recipe::new(10_000, 200) }]);
    // With all two hundred targets at full weight the sums of normals could vanish or reverse, so that fewer are active.
    let mut random = Random::new(9);
    let vectors: Vec<Vec<f32>> = [0.05, 0.3, 1.0]
        .map(|share| (0..200).map(|_| if random.chance(share) { random.between(-1.0, 1.0) } else { 0.0 }).collect())
        .into();
    assert_parity(&gpu, &head, &vectors);
}

#[test]
#[ignore = "long: ./dev soak"]
fn a_million_vertices() {
    very_many_vertices(1_000_000);
}

/// Compares few targets on so many vertices.
fn very_many_vertices(count: usize) {
    let wide = synthetic::head(6, &[Recipe { reach: 0.3, has_tangents: false, ..Recipe::new(count, 2) }]);
    assert_parity(&software_gpu(), &wide, &[vec![0.8, -0.4]]);
}

/// Few targets on many vertices, and many targets on few vertices.
#[test]
fn two_hundred_thousand_vertices_and_two_thousand_targets() {
    let gpu = software_gpu();
    very_many_vertices(200_000);
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
    planted.asset.meshes[0].targets.swap(100, 101);
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
    for &mode in BlendMode::ALL {
        let deviation = compare(
            &head,
            &weights,
            Normals::Authored,
            &blender.read_back(&gpu, &shifted, mode, Normals::Authored).unwrap(),
        );
        assert!(!is_within(Precision::Exact, &weights, &deviation), "{}: {deviation:?}", mode.label());
    }
}

#[test]
fn a_head_without_targets_stays_as_it_is() {
    let gpu = software_gpu();
    let head = synthetic::head(2, &[Recipe::new(100, 0)]);
    assert_parity(&gpu, &head, &[Vec::new(), vec![1.0]]);
    let mut planted = synthetic::head(2, &[Recipe::new(100, 0)]);
    planted.asset.meshes[0].vertices.positions[99].x += 1e-5;
    assert_caught(&gpu, &head, &planted, &[]);
}

#[test]
fn a_normal_that_vanishes_keeps_the_base() {
    let gpu = software_gpu();
    let mut head = mixed_attributes();
    let mesh = &mut head.asset.meshes[0];
    mesh.targets[1].normals[5] = Vec3::NEG_Z;
    mesh.targets[1].normals[6] = Vec3::ZERO;
    mesh.vertices.normals[6] = Vec3::ZERO;
    assert_parity(&gpu, &head, &[vec![0.0, 1.0, 0.0, 0.0]]);
    let mut blender = blender(&gpu, &head, Precision::Exact);
    for &mode in BlendMode::ALL {
        let shape = blender.read_back(&gpu, &[0.0, 1.0, 0.0, 0.0], mode, Normals::Authored).unwrap();
        assert_eq!((shape[5].normal, shape[6].normal), (Vec3::Z, Vec3::ZERO), "{}", mode.label());
    }
}
