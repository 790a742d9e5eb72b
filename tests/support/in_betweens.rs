//! A head whose targets have in-betweens, and weights that reach every part of their paths.

use glam::Vec3;
use smirk_face::head::{Head, InBetween, Mesh};

use super::random::Random;
use super::synthetic::{self, Recipe};

/// The weights that a target takes: between all corners, at them and outside.
pub const WEIGHTS: [f32; 8] = [-1.0, -0.4, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0];

/// Two meshes. Targets of the first have no in-betweens, one, two below 0, one although their own shape is empty, and three; those
/// of the second have one on each side of 0, or none. The same seed gives the same head.
pub fn head(seed: u32) -> Head {
    let mut meshes = synthetic::head(seed, &[Recipe::new(300, 6), Recipe::new(90, 3)]).asset.meshes;
    let mut random = Random::new(seed);
    for (mesh, target, full_weights) in [
        (0, 1, &[0.5][..]),
        (0, 3, &[-0.499, -0.249]),
        (0, 4, &[0.5]),
        (0, 5, &[0.25, 0.75, 2.0]),
        (1, 0, &[-0.5, 0.5]),
    ] {
        add_in_betweens(&mut meshes[mesh], target, full_weights, &mut random);
    }
    synthetic::head_of(meshes)
}

/// Gives a target of a mesh random in-betweens, each of which moves other vertices.
fn add_in_betweens(mesh: &mut Mesh, target: usize, full_weights: &[f32], random: &mut Random) {
    let count = mesh.vertices.len();
    let in_between = |&full_weight: &f32| {
        let mut dense = |extent: f32| -> Vec<Vec3> {
            (0..count).map(|_| if random.chance(0.6) { random.vector(extent) } else { Vec3::ZERO }).collect()
        };
        let [positions, normals, tangents] = [0.01, 0.02, 0.02].map(&mut dense);
        let name = format!("{full_weight} of {target}");
        InBetween::from_dense(name, full_weight, &positions, &normals, &tangents)
    };
    let in_betweens = full_weights.iter().map(in_between).collect();
    assert!(mesh.targets[target].set_in_betweens(in_betweens).is_empty());
}

/// Weights of all targets: each takes each of [`WEIGHTS`] once, several at once; then each alone.
pub fn weight_vectors(target_count: usize) -> Vec<Vec<f32>> {
    let together = (0..WEIGHTS.len())
        .map(|first| (0..target_count).map(|target| WEIGHTS[(first + 3 * target) % WEIGHTS.len()]).collect());
    let alone = (0..target_count).flat_map(|target| {
        WEIGHTS.map(|weight| (0..target_count).map(|other| if other == target { weight } else { 0.0 }).collect())
    });
    together.chain(alone).collect()
}

/// The weights of all shapes of a head: mesh by mesh those of the targets' own shapes, then those of their in-betweens.
pub fn shape_weights(head: &Head, weights: &[f32]) -> Vec<f32> {
    let of_mesh = |mesh: &Mesh| {
        let own = &weights[mesh.first_target..][..mesh.targets.len()];
        let mixes = || mesh.targets.iter().zip(own).map(|(target, &weight)| (target, target.mix(weight)));
        let in_betweens =
            mixes().flat_map(|(target, mix)| target.in_betweens.iter().map(move |it| mix.weight_of(it.full_weight)));
        mixes().map(|(_, mix)| mix.of_own_shape()).chain(in_betweens).collect::<Vec<f32>>()
    };
    head.meshes.iter().flat_map(of_mesh).collect()
}
