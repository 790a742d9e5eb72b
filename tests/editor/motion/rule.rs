//! The normalised rule in every mode, compared with averages of whole shapes.

use glam::DVec3;
use smirk_face::motion::BlendRule;
use smirk_graphics::blend::{Blender, Layout, Precision};
use smirk_scene::Normals;

use super::*;
use smirk_support::software_gpu;
use smirk_support::synthetic::{self, Recipe};

/// The weighted average of whole shapes, vertex by vertex: the definition of the rule, independent of its
/// implementation.
fn average_of_shapes(head: &Head, weights: &[f32]) -> Vec<DVec3> {
    let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    let (neutral, whole) = ((1.0 - sum).max(0.0), sum.max(1.0));
    let mesh = &head.meshes[0];
    let base: Vec<DVec3> = mesh.vertices.positions.iter().map(|position| position.as_dvec3()).collect();
    let mut average: Vec<DVec3> = base.iter().map(|position| *position * neutral / whole).collect();
    for (target, &weight) in mesh.targets.iter().zip(weights) {
        let mut shape = base.clone();
        for (&row, delta) in target.rows.iter().zip(&target.positions) {
            shape[row as usize] += delta.as_dvec3();
        }
        for (average, shape) in average.iter_mut().zip(shape) {
            *average += shape * f64::from(weight) / whole;
        }
    }
    average
}

#[test]
fn every_mode_averages_whole_shapes() {
    let gpu = software_gpu();
    let head = synthetic::head(5, &[Recipe::new(700, 9)]);
    let mut blender = Blender::new(&gpu, Arc::new(Layout::new(&head, Precision::Exact)));
    let size = f64::from(head.bounds.size().max_element());
    for weights in [vec![0.0; 9], vec![0.05; 9], vec![1.0; 9], vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.7, 0.0, 0.0, 0.4]] {
        let expected = average_of_shapes(&head, &weights);
        let mut blended = weights.clone();
        BlendRule::Normalised.apply(&head, &mut blended, &[]);
        for &mode in BlendMode::ALL {
            let morphed = blender.read_back(&gpu, &blended, mode, Normals::Authored).unwrap();
            let distance = morphed
                .iter()
                .zip(&expected)
                .map(|(morphed, expected)| (morphed.position.as_dvec3() - *expected).length());
            let distance = distance.fold(0.0, f64::max);
            assert!(distance <= 1e-6 * size, "{} with {weights:?}: {distance}", mode.label());
        }
    }
    // The comparison above would fail for the additive rule.
    let added = blender.read_back(&gpu, &[1.0; 9], BlendMode::Compute, Normals::Authored).unwrap();
    let expected = average_of_shapes(&head, &[1.0; 9]);
    let distance =
        added.iter().zip(&expected).map(|(added, expected)| (added.position.as_dvec3() - *expected).length());
    assert!(distance.fold(0.0, f64::max) > 1e-3 * size);
}

#[test]
fn teeth_follow_lips_that_more_expressions_move() {
    let mut session = session();
    session.clips_mut().select(None);
    session.edits.rule = BlendRule::Normalised;
    session.channel_mut(channel(&session, "browInnerUp")).set(0.0);
    session.channel_mut(channel(&session, "jawOpen")).set(1.0);
    assert_eq!(session.weights()[0], 1.0);
    session.channel_mut(channel(&session, "mouthSmileLeft")).set(1.0);
    let (weights, teeth) = (session.weights(), NAMES.len());
    assert_eq!((weights[0], weights[1], weights[teeth]), (0.5, 0.5, 0.5));
    assert_eq!(value(&session, "jawOpen"), 1.0, "sliders show the weights before the rule is applied");
    session.edits.rule = BlendRule::Additive;
    assert_eq!(session.weights()[0], 1.0);
}

#[test]
fn negative_weights_count_with_their_absolute_values() {
    let head = head();
    let mut weights = vec![0.0; head.target_count()];
    (weights[1], weights[2]) = (1.0, -1.0);
    BlendRule::Normalised.apply(&head, &mut weights, &[]);
    assert_eq!((weights[1], weights[2]), (0.5, -0.5));
}
