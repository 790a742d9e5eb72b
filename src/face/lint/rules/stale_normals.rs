//! Shapes that move the surface without its normals, so that it is shaded as at rest.
//!
//! The measure is the angle by which the surface turns at weight 1, or in an in-between, computed from triangles weighted by area. The 99th percentile
//! of the moving vertices is reported, so that a thin triangle that flips over does not determine the result.

use glam::Vec3;

use crate::head::{Level, Mesh, ShapeDeltas};
use crate::lint::displacements::Displacements;
use crate::lint::finding::{Finding, Measure};
use crate::lint::rule::Rule;

/// The most triangles that are examined; the channels that move most come first.
const MOST_TRIANGLES: usize = 100_000_000;

/// One finding for all channels, the worst first.
pub(in crate::lint) fn check(displacements: &Displacements<'_>) -> Option<Finding> {
    let changes_normals: Vec<bool> = displacements.head.meshes.iter().map(Mesh::changes_normals).collect();
    let lacking = |channel: usize| {
        let targets = displacements.targets(channel);
        targets.filter(|&(index, mesh, target)| mesh.lacks_normals(target, changes_normals[index]))
    };
    let is_stale = |channel: &usize| displacements.is_visible(*channel) && lacking(*channel).next().is_some();
    let mut stale: Vec<usize> = displacements.examined(Rule::Unturned).filter(is_stale).collect();
    stale.sort_by(|&a, &b| displacements.largest[b].total_cmp(&displacements.largest[a]));
    let mut triangles_left = MOST_TRIANGLES;
    let mut turns: Vec<(usize, f32)> = Vec::new();
    for channel in stale {
        let degrees = lacking(channel).map(|(_, mesh, target)| {
            let count = mesh.indices.len() / 3 * (1 + target.in_betweens.len());
            let is_affordable = triangles_left >= count;
            triangles_left = triangles_left.saturating_sub(count);
            if is_affordable { target.shapes().map(|it| turn_degrees(mesh, it)).fold(0.0, f32::max) } else { 0.0 }
        });
        turns.push((channel, degrees.fold(0.0, f32::max)));
    }
    turns.retain(|turn| turn.1 > displacements.settings.limit(Rule::Unturned));
    turns.sort_by(|a, b| b.1.total_cmp(&a.1));
    let &(worst, degrees) = turns.first()?;
    let mesh = lacking(worst).next().map(|(index, ..)| index);
    let visible_channels = displacements.visible_channels();
    let channels = turns.into_iter().map(|turn| turn.0).collect();
    Some(displacements.finding(Level::Warning, channels, Measure::Unturned { degrees, mesh, visible_channels }))
}

/// The angle, in degrees, by which a shape turns the surface: the 99th percentile over the vertices that it moves.
fn turn_degrees(mesh: &Mesh, shape: ShapeDeltas<'_>) -> f32 {
    let mut moved = mesh.vertices.positions.clone();
    let mut moves = vec![false; moved.len()];
    for (&row, &delta) in shape.rows.iter().zip(shape.positions) {
        moved[row as usize] += delta;
        moves[row as usize] = delta != Vec3::ZERO;
    }
    let mut sums = vec![[Vec3::ZERO; 2]; moved.len()];
    for corners in mesh.indices.as_chunks::<3>().0 {
        let corners = corners.map(|corner| corner as usize);
        if !corners.iter().any(|&corner| moves[corner]) {
            continue;
        }
        let area = |positions: &[Vec3]| {
            let [a, b, c] = corners.map(|corner| positions[corner]);
            (b - a).cross(c - a)
        };
        let areas = [area(&mesh.vertices.positions), area(&moved)];
        for corner in corners {
            sums[corner][0] += areas[0];
            sums[corner][1] += areas[1];
        }
    }
    let turn = |(_, [rest, moved]): (usize, &[Vec3; 2])| {
        let angle = rest.try_normalize()?.dot(moved.try_normalize()?).clamp(-1.0, 1.0).acos();
        Some(angle.to_degrees())
    };
    let mut degrees: Vec<f32> = sums.iter().enumerate().filter(|(vertex, _)| moves[*vertex]).filter_map(turn).collect();
    if degrees.is_empty() {
        return 0.0;
    }
    let percentile = (degrees.len() - 1) * 99 / 100;
    *degrees.select_nth_unstable_by(percentile, f32::total_cmp).1
}
