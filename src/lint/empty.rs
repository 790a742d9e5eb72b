//! Channels that move nothing, on any mesh: no position further than can be seen, no normal, no tangent.

use super::finding::{Finding, Rule};
use super::movement::Movement;
use crate::head::Level;

/// One finding for all of them.
pub fn check(movement: &Movement<'_>) -> Option<Finding> {
    let is_empty = |&channel: &usize| {
        let mut targets = movement.targets(channel).peekable();
        let turns = |(_, _, target): (_, _, &crate::head::Target)| {
            let directions = target.normals.iter().chain(&target.tangents);
            directions.into_iter().any(|delta| delta.length() > 1e-3)
        };
        targets.peek().is_some() && !movement.is_seen(channel) && !targets.any(turns)
    };
    let channels: Vec<usize> = (0..movement.head.channels.len()).filter(is_empty).collect();
    let most = channels.iter().map(|&channel| movement.largest[channel]).fold(0.0, f32::max);
    let how_little = if most > 0.0 { format!(" further than {}", movement.length(most)) } else { String::new() };
    let message = match channels.len() {
        0 => return None,
        1 => format!("moves nothing{how_little} at weight 1; model the shape, or delete it"),
        count => format!("{count} shapes move nothing{how_little} at weight 1; model them, or delete them"),
    };
    Some(Finding { rule: Rule::Empty, level: Level::Warning, channels, message })
}
