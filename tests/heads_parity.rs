//! Every blend mode against the f64 reference on real heads: those under the folder that `SMIRK_HEADS` names.

#![allow(clippy::unwrap_used, reason = "a test")]

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use smirk::blend::{BlendMode, Blender, Layout, compare};
use support::random::Random;
use support::software_gpu;

fn heads_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            heads_below(&path, found);
        } else if ["glb", "gltf", "vrm"].contains(&extension.to_ascii_lowercase().as_str()) {
            found.push(path);
        }
    }
}

#[test]
fn every_mode_agrees_on_real_heads() {
    let Some(folder) = std::env::var_os("SMIRK_HEADS") else {
        return;
    };
    let mut paths = Vec::new();
    heads_below(Path::new(&folder), &mut paths);
    paths.sort();
    let gpu = software_gpu();
    let mut compared = 0;
    for path in &paths {
        // Whether a file opens, or says well why not, is the import tests' business.
        let Ok(head) = smirk::import::open(path) else { continue };
        let mut blender = Blender::new(&gpu, Arc::new(Layout::new(&head)));
        let target_count = head.target_count();
        let mut random = Random::new(17);
        let sparse = |random: &mut Random| if random.chance(0.2) { random.between(-0.5, 1.5) } else { 0.0 };
        let vectors = [
            head.default_weights(),
            vec![0.0; target_count],
            vec![1.0; target_count],
            (0..target_count).map(|_| sparse(&mut random)).collect(),
            (0..target_count).map(|_| sparse(&mut random)).collect(),
        ];
        for mode in BlendMode::ALL {
            for (index, weights) in vectors.iter().enumerate() {
                let deviation = compare(&head, weights, &blender.read_back(&gpu, weights, mode));
                // A file in which deltas of 900 move a mesh of size 3 is measured by what it becomes.
                let size = deviation.head_size.max(deviation.blended_size);
                let is_within = deviation.max_distance <= 1e-6 * size
                    && deviation.max_normal_degrees <= 0.05
                    && deviation.max_tangent_degrees <= 0.05;
                assert!(is_within, "{}, {}, weights {index}: {deviation:?}", path.display(), mode.label());
            }
        }
        compared += 1;
    }
    assert!(compared > 0, "none of the {} files under {folder:?} opens", paths.len());
}
