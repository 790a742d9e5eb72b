//! Channels that move nothing on any mesh, in no shape: no position visibly, no normal, no tangent.

use super::displacements::Displacements;
use super::finding::{Finding, Measure};
use crate::head::Level;

/// One finding for all of them.
pub(super) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    let channels = 0..displacements.head.channels.len();
    let channels: Vec<usize> = channels.filter(|&channel| displacements.is_empty(channel)).collect();
    if channels.is_empty() {
        return None;
    }
    let largest = channels.iter().map(|&channel| displacements.largest[channel]).fold(0.0, f32::max);
    Some(displacements.finding(Level::Warning, channels, Measure::Empty { largest }))
}
