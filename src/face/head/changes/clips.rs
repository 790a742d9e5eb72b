//! Whether clips of two heads are the same.

use super::by_name;
use crate::head::{Clip, Curve, Head};

/// Smaller differences of a weight, or of a part of a larger number, are the rounding of exporters.
pub(super) const SAME_WEIGHT: f32 = 1e-4;

/// Whether two clips move nodes of the same names alike, and have the same weights of the targets that both heads have.
pub(super) fn animates_the_same(heads: [&Head; 2], clips: [&Clip; 2], targets: &[[usize; 2]]) -> bool {
    let [old_weights, new_weights] = heads.map(Head::default_weights);
    let rests_at = |(curve, element): (&Curve, usize), rest: f32| {
        (0..curve.times().len()).all(|key| (curve.key_value(key, element) - rest).abs() <= SAME_WEIGHT)
    };
    // Some formats animate all targets of a mesh or none, others each for itself.
    let is_same_target = |[before, now]: &[usize; 2]| match (clips[0].curve_of(*before), clips[1].curve_of(*now)) {
        (None, None) => true,
        (Some(before), Some(now)) => is_same_curve(before, now),
        (Some(curve), None) => rests_at(curve, new_weights[*now]),
        (None, Some(curve)) => rests_at(curve, old_weights[*before]),
    };
    (clips[0].duration_secs - clips[1].duration_secs).abs() <= SAME_WEIGHT
        && moves_nodes_alike(heads, clips)
        && targets.iter().all(is_same_target)
}

fn moves_nodes_alike(heads: [&Head; 2], clips: [&Clip; 2]) -> bool {
    let [old, new] = [0, 1].map(|which| {
        let (nodes, tracks) = (&heads[which].rig.nodes, &clips[which].node_tracks);
        let node = |index: usize| nodes.get(index).map_or("", |node| node.name.as_str());
        let named = tracks.iter().map(|track| (format!("{} {:?}", node(track.node), track.path), &track.curve));
        named.collect::<Vec<(String, &Curve)>>()
    });
    let [old, new] = [&old, &new].map(|tracks| by_name(tracks, |(name, _)| name));
    let is_same = |key: &(String, usize), before: &Curve| {
        new.get(key).is_some_and(|(_, now)| {
            before.width() == now.width() && (0..now.width()).all(|at| is_same_curve((before, at), (now, at)))
        })
    };
    old.len() == new.len() && old.iter().all(|(key, (_, curve))| is_same(key, curve))
}

/// Whether two elements of curves have the same values at the keys of both, and between them.
fn is_same_curve((before, old): (&Curve, usize), (now, new): (&Curve, usize)) -> bool {
    let is_same_at = |secs: f32| {
        let (a, b) = (before.sample(secs, old), now.sample(secs, new));
        (a - b).abs() <= SAME_WEIGHT * a.abs().max(1.0)
    };
    // Tangents that turn together leave the middle where it is.
    let is_same_between =
        |pair: &[f32]| [0.25, 0.75].iter().all(|part| is_same_at(pair[0] + (pair[1] - pair[0]) * part));
    let is_same_on =
        |times: &[f32]| times.iter().all(|secs| is_same_at(*secs)) && times.windows(2).all(is_same_between);
    (old == new && before == now) || (is_same_on(before.times()) && is_same_on(now.times()))
}
