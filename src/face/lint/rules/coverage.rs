//! Which of ARKit's shapes a head has. Only heads with at least half of the 52 are meant for ARKit and are checked.

use crate::head::{ARKIT_NAMES, Level};
use crate::lint::displacements::Displacements;
use crate::lint::finding::{Finding, Measure};
use crate::lint::rule::Rule;

/// One finding, or none for a head that follows another scheme.
pub(in crate::lint) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    let head = displacements.head;
    // A shape that moves nothing is as good as none.
    let is_missing = |shape: &&str| head.channel_alike(shape).iter().all(|&channel| displacements.is_empty(channel));
    let mut missing: Vec<&str> = ARKIT_NAMES.into_iter().filter(is_missing).collect();
    if missing.len() > ARKIT_NAMES.len() / 2 {
        return None;
    }
    missing.retain(|shape| !displacements.settings.allows(Rule::Coverage, shape));
    let level = if missing.is_empty() { Level::Info } else { Level::Warning };
    let found = ARKIT_NAMES.len() - missing.len();
    Some(displacements.finding(level, Vec::new(), Measure::Coverage { found, missing }))
}
