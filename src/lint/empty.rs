//! Channels that move nothing on any mesh: no position visibly, no normal, no tangent.

use super::displacements::Displacements;
use super::finding::{Finding, Measure};
use crate::head::{Level, Mesh, Target};

/// One finding for all of them.
pub(super) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    let is_empty = |&channel: &usize| {
        let mut targets = displacements.targets(channel).peekable();
        let turns = |(_, _, target): (usize, &Mesh, &Target)| {
            let directions = target.normals.iter().chain(&target.tangents);
            directions.into_iter().any(|delta| delta.length() > 1e-3)
        };
        targets.peek().is_some() && !displacements.is_visible(channel) && !targets.any(turns)
    };
    let channels: Vec<usize> = (0..displacements.head.channels.len()).filter(is_empty).collect();
    if channels.is_empty() {
        return None;
    }
    let largest = channels.iter().map(|&channel| displacements.largest[channel]).fold(0.0, f32::max);
    Some(displacements.finding(Level::Warning, channels, Measure::Empty { largest }))
}
