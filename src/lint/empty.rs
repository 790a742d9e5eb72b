//! Channels that move nothing on any mesh, in no shape: no position visibly, no normal, no tangent.

use super::displacements::Displacements;
use super::finding::{Finding, Measure};
use crate::head::{Level, Mesh, ShapeDeltas, Target};

/// One finding for all of them.
pub(super) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    let is_empty = |&channel: &usize| {
        let mut targets = displacements.targets(channel).peekable();
        let changes = |mesh: usize, shape: ShapeDeltas<'_>| {
            let mut directions = shape.normals.iter().chain(shape.tangents);
            displacements.moves_visibly(mesh, shape) || directions.any(|delta| delta.length() > 1e-3)
        };
        let mut shapes = |(mesh, _, target): (usize, &Mesh, &Target)| target.shapes().any(|shape| changes(mesh, shape));
        targets.peek().is_some() && !displacements.is_visible(channel) && !targets.any(&mut shapes)
    };
    let channels: Vec<usize> = (0..displacements.head.channels.len()).filter(is_empty).collect();
    if channels.is_empty() {
        return None;
    }
    let largest = channels.iter().map(|&channel| displacements.largest[channel]).fold(0.0, f32::max);
    Some(displacements.finding(Level::Warning, channels, Measure::Empty { largest }))
}
