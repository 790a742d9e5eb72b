//! In-betweens: every mode against the reference, and the reference against numbers computed by hand.

use glam::{DVec3, Vec3};
use smirk_face::head::InBetween;
use smirk_graphics::blend::reference;
use smirk_scene::Normals;
use smirk_support::in_betweens;

use super::*;

/// Asserts parity. Within -1..1, the tolerance of the layout holds; beyond, it grows with the weights of the shapes.
fn assert_parity_of_shapes(gpu: &Gpu, head: &Head, vectors: &[Vec<f32>]) {
    for precision in [Precision::Exact, Precision::Packed] {
        let mut blender = blender(gpu, head, precision);
        for &mode in BlendMode::ALL {
            for weights in vectors {
                let of_shapes = in_betweens::shape_weights(head, weights);
                let is_inside = precision == Precision::Packed && weights.iter().all(|weight| weight.abs() <= 1.0);
                let stretch = if is_inside { weights } else { &of_shapes };
                let deviation = deviation(gpu, head, &mut blender, weights, mode);
                let name = format!("{}, {}", mode.label(), precision.label());
                assert!(is_within(precision, stretch, &deviation), "{name}, {weights:?}: {deviation:?}");
            }
        }
    }
}

#[test]
fn targets_with_in_betweens() {
    let head = in_betweens::head(11);
    assert_parity_of_shapes(&software_gpu(), &head, &in_betweens::weight_vectors(head.target_count()));
}

#[test]
fn an_in_between_in_the_wrong_place_is_caught() {
    let (gpu, head) = (software_gpu(), in_betweens::head(11));
    let planted = |change: &dyn Fn(&mut Vec<InBetween>)| {
        let mut meshes = head.meshes.clone();
        change(&mut meshes[0].targets[3].in_betweens);
        synthetic::head_of(meshes)
    };
    let at = |weight: f32| {
        let mut weights = vec![0.0; head.target_count()];
        weights[3] = weight;
        weights
    };
    let swapped = planted(&|all| {
        let full_weights = [all[0].full_weight, all[1].full_weight];
        all.swap(0, 1);
        [all[0].full_weight, all[1].full_weight] = full_weights;
    });
    assert_caught(&gpu, &head, &swapped, &at(-0.4));
    let elsewhere = planted(&|all| all[1].full_weight = -0.2);
    assert_caught(&gpu, &head, &elsewhere, &at(-0.1));
    // Without the second corner below 0, the line outside has another direction.
    let ends_early = planted(&|all| drop(all.remove(0)));
    assert_caught(&gpu, &head, &ends_early, &at(-1.0));
    let linear = planted(&Vec::clear);
    assert_caught(&gpu, &head, &linear, &at(-0.4));
}

/// A vertex that goes along x in the own shape, along y in the in-between at 0.5 and along z in that at -0.5.
fn one_vertex() -> Head {
    let mut target = Target::from_dense("around".into(), 0.0, &[Vec3::X], &[], &[]);
    let in_between =
        |full_weight: f32, delta: Vec3| InBetween::from_dense(String::new(), full_weight, &[delta], &[], &[]);
    target.set_in_betweens(vec![in_between(0.5, Vec3::Y), in_between(-0.5, Vec3::Z)]);
    let vertices = Vertices { positions: vec![Vec3::ONE], normals: vec![Vec3::Z], ..Default::default() };
    synthetic::head_of(vec![Mesh { vertices, targets: vec![target], ..Mesh::default() }])
}

#[test]
fn the_reference_is_what_a_person_computes() {
    let head = one_vertex();
    for (weight, offset) in [
        (0.0, [0.0, 0.0, 0.0]),
        (0.25, [0.0, 0.5, 0.0]),
        (0.5, [0.0, 1.0, 0.0]),
        (0.75, [0.5, 0.5, 0.0]),
        (1.0, [1.0, 0.0, 0.0]),
        (2.0, [3.0, -2.0, 0.0]),
        (-0.25, [0.0, 0.0, 0.5]),
        (-0.5, [0.0, 0.0, 1.0]),
        (-1.0, [0.0, 0.0, 2.0]),
    ] {
        let found = reference(&head, &[weight], Normals::Authored)[0].position;
        let expected = DVec3::ONE + DVec3::from_array(offset);
        assert!(found.distance(expected) < 1e-12, "at {weight}: {found}, not {expected}");
    }
}

/// One target moves from shape to shape, so that the set of active shapes changes while others stay.
#[test]
fn a_slider_that_passes_all_corners() {
    let (gpu, head) = (software_gpu(), in_betweens::head(12));
    let mut vectors = Vec::new();
    for step in -12..=24 {
        let mut weights = vec![0.3; head.target_count()];
        weights[5] = step as f32 * 0.1;
        vectors.push(weights);
    }
    assert_parity_of_shapes(&gpu, &head, &vectors);
}
