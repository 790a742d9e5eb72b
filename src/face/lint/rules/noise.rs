//! Noise: vertices that a shape stores although they do not move visibly, because the exporter rounded. They cost memory and time.

use glam::Vec3;

use crate::head::{Level, ShapeDeltas};
use crate::lint::displacements::Displacements;
use crate::lint::finding::{Finding, Measure};
use crate::lint::rule::Rule;

/// Channels with fewer stored vertices are not reported.
const FEWEST_ROWS: usize = 200;

/// A rotation of a normal by less is not visible: a fifteenth of a degree.
const INVISIBLE_TURN: f32 = 1.2e-3;

/// One finding for all of them, the noisiest first.
pub(in crate::lint) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    // Per noisy channel: its index, the part of its vertices that is noise, and their bytes.
    let mut noisy: Vec<(usize, f32, usize)> = Vec::new();
    let noisy_share = displacements.settings.limit(Rule::Noise) / 100.0;
    for channel in displacements.examined(Rule::Noise) {
        let (mut rows, mut invisible, mut bytes) = (0, 0, 0);
        for (mesh, _, target) in displacements.targets(channel) {
            for shape in target.shapes() {
                let invisible_here = invisible_rows(displacements, mesh, shape);
                rows += shape.rows.len();
                invisible += invisible_here;
                bytes += invisible_here * bytes_per_row(shape);
            }
        }
        let share = invisible as f32 / rows.max(1) as f32;
        if rows >= FEWEST_ROWS && share > noisy_share && displacements.is_visible(channel) {
            noisy.push((channel, share, bytes));
        }
    }
    noisy.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (most, least) = (noisy.first()?.1, noisy.last()?.1);
    let measure = Measure::Noise {
        shares: [least, most],
        threshold: displacements.visible_threshold(),
        bytes: noisy.iter().map(|noise| noise.2).sum(),
        visible_channels: displacements.visible_channels(),
    };
    let channels = noisy.into_iter().map(|noise| noise.0).collect();
    Some(displacements.finding(Level::Info, channels, measure))
}

/// How many rows of a shape do not move visibly.
fn invisible_rows(displacements: &Displacements<'_>, mesh: usize, shape: ShapeDeltas<'_>) -> usize {
    let threshold = displacements.visible_threshold();
    let delta = |deltas: &[Vec3], row: usize| deltas.get(row).copied().unwrap_or_default();
    let is_invisible = |&row: &usize| {
        displacements.direction_in_world(mesh, shape.rows[row] as usize, delta(shape.positions, row)).length()
            < threshold
            && delta(shape.normals, row).length() < INVISIBLE_TURN
            && delta(shape.tangents, row).length() < INVISIBLE_TURN
    };
    (0..shape.rows.len()).filter(is_invisible).count()
}

/// The memory of one row of a shape.
fn bytes_per_row(shape: ShapeDeltas<'_>) -> usize {
    let columns = [shape.positions, shape.normals, shape.tangents];
    size_of::<u32>() + columns.into_iter().filter(|column| !column.is_empty()).count() * size_of::<Vec3>()
}
