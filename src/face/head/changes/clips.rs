//! Whether clips animate the same, wherever their targets and nodes are in the head.

use super::by_name::by_name;
use crate::head::{Clip, Head};

/// At how many moments the weights of two clips are compared.
const MOMENTS: u16 = 65;
/// Smaller differences of a weight are the rounding of exporters.
const SAME_WEIGHT: f32 = 1e-4;

/// The old and the new index of each target that both heads have.
pub(super) fn common_targets(old: &Head, new: &Head) -> Vec<(usize, usize)> {
    let meshes = by_name(&new.meshes, |mesh| &mesh.name);
    let mut common = Vec::new();
    for (key, mesh) in by_name(&old.meshes, |mesh| &mesh.name) {
        let Some(other) = meshes.get(&key) else { continue };
        for (target, old_target) in mesh.targets.iter().enumerate() {
            // Targets that were added come last, as a rule.
            let is_same = |at: &usize| other.targets.get(*at).is_some_and(|new| new.name == old_target.name);
            let place = Some(target).filter(is_same).or_else(|| (0..other.targets.len()).find(|at| is_same(at)));
            common.extend(place.map(|place| (mesh.first_target + target, other.first_target + place)));
        }
    }
    common
}

/// Whether two clips have the same curves of nodes, and the same weights of common targets.
pub(super) fn animates_the_same(old: &Clip, new: &Clip, targets: &[(usize, usize)]) -> bool {
    let moves_nodes_alike = || {
        let pairs = || old.node_tracks.iter().zip(&new.node_tracks);
        old.node_tracks.len() == new.node_tracks.len()
            && pairs().all(|(old, new)| old.path == new.path && old.curve == new.curve)
    };
    let moments = || (0..MOMENTS).map(|at| old.duration_secs * f32::from(at) / f32::from(MOMENTS - 1));
    let is_alike = |(before, after): &(usize, usize)| match (old.curve_of(*before), new.curve_of(*after)) {
        (None, None) => true,
        (Some(_), Some(_)) => moments().all(|secs| {
            let [before, after] = [old.sample(secs, *before), new.sample(secs, *after)];
            before.zip(after).is_none_or(|(before, after)| (before - after).abs() <= SAME_WEIGHT)
        }),
        (Some(_), None) | (None, Some(_)) => false,
    };
    old.duration_secs == new.duration_secs && moves_nodes_alike() && targets.iter().all(is_alike)
}
