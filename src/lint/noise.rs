//! Vertices that a shape stores and that do not move to be seen: an exporter's rounding. They cost memory and time, and move
//! neck and hair by a hair's breadth of nothing with every smile.

use glam::Vec3;

use super::finding::{Finding, Rule};
use super::movement::Movement;
use crate::head::{Level, Target};

/// A channel is noisy if this part of what it stores goes nowhere.
const NOISY_SHARE: f32 = 0.5;

/// Smaller channels are not worth a word.
const FEWEST_ROWS: usize = 200;

/// A normal that turns by less is not seen: a fifteenth of a degree.
const UNSEEN_TURN: f32 = 1.2e-3;

/// One finding for all of them, the noisiest first.
pub fn check(movement: &Movement<'_>) -> Option<Finding> {
    let mut noisy: Vec<(usize, f32, usize)> = Vec::new();
    for channel in 0..movement.head.channels.len() {
        let (mut rows, mut still, mut bytes) = (0, 0, 0);
        for (mesh, _, target) in movement.targets(channel) {
            let still_here = still_rows(movement, mesh, target);
            rows += target.rows.len();
            still += still_here;
            bytes += still_here * bytes_per_row(target);
        }
        let share = still as f32 / rows.max(1) as f32;
        if rows >= FEWEST_ROWS && share > NOISY_SHARE && movement.is_seen(channel) {
            noisy.push((channel, share, bytes));
        }
    }
    noisy.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (worst, least) = (noisy.first()?.1, noisy.last()?.1);
    let mebibytes = noisy.iter().map(|noise| noise.2).sum::<usize>() as f32 / f32::from(1_u16 << 10) / 1024.0;
    let shares = match (least * 100.0, worst * 100.0) {
        (least, worst) if worst - least < 1.0 => format!("{worst:.0} %"),
        (least, worst) => format!("{least:.0} to {worst:.0} %"),
    };
    let message = format!(
        "in {} of {} shapes {shares} of the vertices stored move by less than {}: rounding, {:.1} MiB of it; drop what is that \
         small when exporting",
        noisy.len(),
        (0..movement.head.channels.len()).filter(|&channel| movement.is_seen(channel)).count(),
        movement.length(movement.unseen()),
        mebibytes
    );
    let channels = noisy.into_iter().map(|noise| noise.0).collect();
    Some(Finding { rule: Rule::Noise, level: Level::Info, channels, message })
}

/// How many of a target's rows go nowhere to be seen.
fn still_rows(movement: &Movement<'_>, mesh: usize, target: &Target) -> usize {
    let unseen = movement.unseen();
    let delta = |deltas: &[Vec3], row: usize| deltas.get(row).copied().unwrap_or_default();
    let is_still = |&row: &usize| {
        movement.turned(mesh, target.rows[row] as usize, delta(&target.positions, row)).length() < unseen
            && delta(&target.normals, row).length() < UNSEEN_TURN
            && delta(&target.tangents, row).length() < UNSEEN_TURN
    };
    (0..target.rows.len()).filter(is_still).count()
}

/// What a row of a target takes in memory.
fn bytes_per_row(target: &Target) -> usize {
    let columns = [&target.positions, &target.normals, &target.tangents];
    size_of::<u32>() + columns.into_iter().filter(|column| !column.is_empty()).count() * size_of::<Vec3>()
}
