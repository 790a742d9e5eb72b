//! Every blend mode against the f64 reference on real heads: the bundled one, and those under the folder that `SMIRK_HEADS`
//! names.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;

use smirk_face::head::Head;
use smirk_files::import;
use smirk_graphics::blend::{Blender, Layout, Precision, compare};
use smirk_scene::{BlendMode, Normals};
use smirk_support::random::Random;
use smirk_support::test_files::real_heads;
use smirk_support::tolerance::is_within;
use smirk_support::{heads_below, software_gpu};

/// The bundled head, and the real ones if they are given.
fn heads() -> Vec<(String, Head)> {
    let mut heads = vec![("the bundled head".to_owned(), import::embedded().unwrap())];
    let Some(folder) = real_heads() else { return heads };
    let paths = heads_below(&folder);
    // Whether a file opens, or says well why not, is the import tests' business.
    heads.extend(paths.iter().filter_map(|path| Some((path.display().to_string(), import::open(path).ok()?))));
    assert!(heads.len() > paths.len() * 3 / 4, "only {} of {} files open", heads.len() - 1, paths.len());
    heads
}

#[test]
fn every_mode_agrees_on_real_heads() {
    compare_modes(1, &[Precision::Packed]);
}

#[test]
#[ignore = "long: ./dev soak"]
fn every_mode_agrees_on_real_heads_for_many_weights() {
    compare_modes(10, &[Precision::Exact, Precision::Packed]);
}

/// Compares every mode with the reference for the weights of the file, for all targets at once and for so many sets at random. The
/// bundled head is compared in both precisions, and the real heads in these.
fn compare_modes(count: usize, precisions: &[Precision]) {
    let gpu = software_gpu();
    for (index, (name, head)) in heads().into_iter().enumerate() {
        let precisions = if index == 0 { &[Precision::Exact, Precision::Packed] } else { precisions };
        let target_count = head.target_count();
        let mut random = Random::new(17);
        let sparse = |random: &mut Random| if random.chance(0.2) { random.between(-0.5, 1.5) } else { 0.0 };
        let mut vectors = vec![head.default_weights(), vec![1.0; target_count]];
        vectors.extend((0..count).map(|_| (0..target_count).map(|_| sparse(&mut random)).collect::<Vec<f32>>()));
        for &precision in precisions {
            let mut blender = Blender::new(&gpu, Arc::new(Layout::new(&head, precision)));
            for &mode in BlendMode::ALL {
                for (index, weights) in vectors.iter().enumerate() {
                    let blended = blender.read_back(&gpu, weights, mode, Normals::Authored).unwrap();
                    let deviation = compare(&head, weights, Normals::Authored, &blended);
                    let name = format!("{name}, {}, {}, weights {index}", mode.label(), precision.label());
                    assert!(is_within(precision, weights, &deviation), "{name}: {deviation:?}");
                }
            }
        }
    }
}

/// Packed positions keep the normals that are recomputed from them within the same tolerance as packed normals.
#[test]
fn recomputed_normals_agree_on_real_heads() {
    compare_recomputed(8);
}

#[test]
#[ignore = "long: ./dev soak"]
fn recomputed_normals_agree_on_real_heads_for_many_targets() {
    compare_recomputed(60);
}

/// Compares recomputed normals with the reference at random weights, and for so many targets alone.
fn compare_recomputed(most_alone: usize) {
    let gpu = software_gpu();
    for (name, head) in heads() {
        let mut random = Random::new(23);
        let sparse = |random: &mut Random| if random.chance(0.2) { random.between(-0.5, 1.0) } else { 0.0 };
        let mut vectors: Vec<Vec<f32>> =
            (0..4).map(|_| (0..head.target_count()).map(|_| sparse(&mut random)).collect()).collect();
        vectors.extend((0..head.target_count().min(most_alone)).map(|alone| {
            let mut weights = vec![0.0; head.target_count()];
            weights[alone] = 1.0;
            weights
        }));
        let head = Arc::new(head);
        let layout = Arc::new(Layout::new(&head, Precision::Packed));
        let mut blender = Blender::new(&gpu, layout).with_surface(head.clone());
        for (index, weights) in vectors.iter().enumerate() {
            let blended = blender.read_back(&gpu, weights, BlendMode::Cpu, Normals::Recomputed).unwrap();
            let deviation = compare(&head, weights, Normals::Recomputed, &blended);
            assert!(is_within(Precision::Packed, weights, &deviation), "{name}, weights {index}: {deviation:?}");
        }
    }
}

#[test]
fn a_weight_off_by_a_thousandth_is_seen_on_a_real_head() {
    let gpu = software_gpu();
    let head = import::embedded().unwrap();
    let mut blender = Blender::new(&gpu, Arc::new(Layout::new(&head, Precision::Exact)));
    let weights = vec![0.5; head.target_count()];
    for &mode in BlendMode::ALL {
        let mut planted = weights.clone();
        planted[head.channels[head.channel_named("jawOpen").unwrap()].targets[0]] += 1e-3;
        let deviation = compare(
            &head,
            &weights,
            Normals::Authored,
            &blender.read_back(&gpu, &planted, mode, Normals::Authored).unwrap(),
        );
        assert!(!is_within(Precision::Exact, &weights, &deviation), "{} hides the planted error", mode.label());
    }
}
