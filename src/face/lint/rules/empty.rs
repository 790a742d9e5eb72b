//! Channels that move nothing on any mesh, in no shape: no position visibly, no normal, no tangent.

use crate::head::Level;
use crate::lint::displacements::Displacements;
use crate::lint::finding::{Finding, Measure};
use crate::lint::rule::Rule;

/// One finding for all of them.
pub(in crate::lint) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    let examined = displacements.examined(Rule::Empty);
    let channels: Vec<usize> = examined.filter(|&channel| displacements.is_empty(channel)).collect();
    if channels.is_empty() {
        return None;
    }
    let largest = channels.iter().map(|&channel| displacements.largest[channel]).fold(0.0, f32::max);
    Some(displacements.finding(Level::Warning, channels, Measure::Empty { largest }))
}
