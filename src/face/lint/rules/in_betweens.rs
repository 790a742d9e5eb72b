//! In-betweens that move nothing, although the target moves at weight 1: on its way there, the face is at rest at their full weight.

use crate::head::{InBetween, Level};
use crate::lint::displacements::Displacements;
use crate::lint::finding::{Finding, Measure};
use crate::lint::rule::Rule;

/// One finding for all channels with such an in-between.
pub(in crate::lint) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    let moves = |mesh: usize, in_between: &InBetween| displacements.moves_visibly(mesh, in_between.deltas());
    // An in-between is on every mesh that the channel drives; it rests if it moves none of them.
    let resting = |channel: usize| -> Vec<f32> {
        let in_betweens =
            || displacements.targets(channel).flat_map(|(mesh, _, it)| it.in_betweens.iter().map(move |it| (mesh, it)));
        let is_resting = |full_weight: f32| {
            in_betweens().filter(|(_, it)| it.full_weight == full_weight).all(|(mesh, it)| !moves(mesh, it))
        };
        let mut full_weights: Vec<f32> = in_betweens().map(|(_, it)| it.full_weight).collect();
        full_weights.sort_by(f32::total_cmp);
        full_weights.dedup();
        full_weights.retain(|&full_weight| is_resting(full_weight));
        full_weights
    };
    let visible = displacements.examined(Rule::InBetween).filter(|&channel| displacements.is_visible(channel));
    let found: Vec<(usize, Vec<f32>)> =
        visible.map(|channel| (channel, resting(channel))).filter(|(_, resting)| !resting.is_empty()).collect();
    let full_weights = found.first()?.1.clone();
    let channels = found.into_iter().map(|(channel, _)| channel).collect();
    Some(displacements.finding(Level::Warning, channels, Measure::RestingInBetween { full_weights }))
}
