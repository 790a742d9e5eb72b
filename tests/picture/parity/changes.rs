//! Sequences of evaluations: every change of a weight has an effect, and an evaluation without a change does nothing.

use std::sync::Arc;

use smirk_face::head::Head;
use smirk_graphics::blend::{Blender, Layout, Precision, compare};
use smirk_graphics::gpu::Gpu;
use smirk_scene::{BlendMode, Normals};

use crate::parity::{blender, deviation, positions_alone, several_meshes};
use smirk_support::random::Random;
use smirk_support::software_gpu;
use smirk_support::synthetic::{self, Recipe};
use smirk_support::tolerance::is_within;

/// A slider is dragged while the mode switches back and forth. The result of one mode must never be that of another.
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
        let mode = if random.chance(0.7) {
            BlendMode::ALL[step * BlendMode::ALL.len() / 60]
        } else {
            BlendMode::ALL[random.below(BlendMode::ALL.len())]
        };
        let deviation = deviation(&gpu, &head, &mut blender, &weights, mode);
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
    for &mode in BlendMode::ALL {
        let deviation = compare(
            &head,
            &after,
            Normals::Authored,
            &blender.read_back(&gpu, &before, mode, Normals::Authored).unwrap(),
        );
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

/// The vertices are at rest before the first blend, which has only to change what its weights move. A switch of the mode blends all.
#[test]
fn the_first_blend_changes_only_what_moves() {
    let recipe = |vertices, targets| Recipe { has_tangents: false, ..Recipe::new(vertices, targets) };
    let without_tangents = synthetic::head(22, &[recipe(200, 6), recipe(65, 0), recipe(1000, 11)]);
    for head in [without_tangents, several_meshes()] {
        let head = Arc::new(head);
        let layout = Arc::new(Layout::new(&head, Precision::Exact));
        let rest = vec![0.0; 17];
        let mut moved = rest.clone();
        moved[3] = 0.7;
        for (mode, weights) in BlendMode::ALL.iter().copied().flat_map(|mode| [(mode, &rest), (mode, &moved)]) {
            let did_work = assert_first_blend(&head, &layout, weights, mode);
            assert!(weights == &moved || layout.order.has_tangents() || !did_work, "{}", mode.label());
        }
    }
}

/// Blends a head for the first time, and then at rest in every other mode. Returns whether the first blend did work.
fn assert_first_blend(head: &Arc<Head>, layout: &Arc<Layout>, weights: &[f32], mode: BlendMode) -> bool {
    let gpu = software_gpu();
    let rest = vec![0.0; weights.len()];
    let mut blender = Blender::new(&gpu, layout.clone()).with_surface(head.clone());
    let mut blend = |weights: &[f32], current: BlendMode| {
        let vertices = blender.read_back(&gpu, weights, current, Normals::default()).unwrap();
        let deviation = compare(head, weights, Normals::default(), &vertices);
        let name = format!("{} after {}", current.label(), mode.label());
        assert!(is_within(Precision::Exact, weights, &deviation), "{name}: {deviation:?}");
        blender.did_work() || blender.cpu_ms().is_some()
    };
    let did_work = blend(weights, mode);
    for other in BlendMode::ALL.iter().copied().filter(|other| *other != mode) {
        assert!(blend(&rest, other) || other.blends_while_drawing(), "{} after {}", other.label(), mode.label());
    }
    did_work
}

/// While one target moves, the sum of the others is cached. Rounding errors must not accumulate over many steps.
#[test]
fn a_long_drag_does_not_drift() {
    let gpu = software_gpu();
    let head = synthetic::head(15, &[Recipe { reach: 0.7, ..Recipe::new(1000, 12) }]);
    for dragged_in in BlendMode::ALL.iter().copied().filter(|mode| mode.caches_sums()) {
        let mut blender = blender(&gpu, &head, Precision::Exact);
        let mut weights = vec![0.4; 12];
        for step in 0..200 {
            weights[3] = (step as f32 * 0.1).sin();
            let blended = blender.read_back(&gpu, &weights, dragged_in, Normals::Authored).unwrap();
            if step % 50 == 0 {
                let deviation = compare(&head, &weights, Normals::Authored, &blended);
                assert!(is_within(Precision::Exact, &weights, &deviation), "step {step}: {deviation:?}");
            }
        }
        let others = BlendMode::ALL.iter().copied().filter(|mode| *mode != dragged_in);
        let there_and_back = others.flat_map(|other| [(3, other), (3, dragged_in)]);
        for (target, mode) in [(5, dragged_in), (3, dragged_in)].into_iter().chain(there_and_back) {
            weights[target] += 0.1;
            let deviation = deviation(&gpu, &head, &mut blender, &weights, mode);
            assert!(is_within(Precision::Exact, &weights, &deviation), "{target}, {}: {deviation:?}", mode.label());
        }
    }
}

/// The moving set changes, with one target or two, through 0 and back, with deltas in one page and in many, exact and packed, with
/// normals and without.
#[test]
fn moving_sets_one_after_the_other() {
    let gpu = software_gpu();
    for head in [synthetic::head(16, &[Recipe { reach: 0.3, ..Recipe::new(1500, 24) }]), positions_alone(700, 24)] {
        for precision in [Precision::Exact, Precision::Packed] {
            let layout = Arc::new(Layout::new(&head, precision));
            for page_limit in [u64::MAX, layout.deltas().bytes() / 5] {
                let mut blender = Blender::with_page_limit(&gpu, layout.clone(), page_limit);
                assert_moving_sets(&gpu, &head, &mut blender);
            }
        }
    }
}

fn assert_moving_sets(gpu: &Gpu, head: &Head, blender: &mut Blender) {
    let precision = blender.layout().deltas().precision();
    let mut random = Random::new(5);
    let mut weights: Vec<f32> = (0..24).map(|_| random.between(-1.0, 1.0)).collect();
    for set in 0..16 {
        let targets = [random.below(24), random.below(24)];
        let mode =
            if random.chance(0.8) { BlendMode::Compute } else { BlendMode::ALL[random.below(BlendMode::ALL.len())] };
        for step in 0..4 {
            for &target in &targets[..1 + set % 2] {
                weights[target] = if random.chance(0.3) { 0.0 } else { random.between(-1.0, 1.5) };
            }
            let deviation = deviation(gpu, head, blender, &weights, mode);
            let name = format!("moving set {set}.{step}, {}, {}", mode.label(), precision.label());
            assert!(is_within(precision, &weights, &deviation), "{name}: {deviation:?}");
        }
    }
}
