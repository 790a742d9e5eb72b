//! Shapes that move the surface and leave its normals where they were: the light then falls as on the face at rest.
//!
//! The measure is the angle by which the surface turns at weight 1, from triangles, area-weighted. The ninety-ninth hundredth of
//! the vertices that move is told, so that a sliver of a triangle that flips over does not speak for a face.

use glam::Vec3;

use super::finding::{Finding, Rule};
use super::movement::Movement;
use crate::head::{Level, Mesh, Target};

/// Shading that is off by less is hard to see.
const SEEN_DEGREES: f32 = 3.0;

/// And by less than this it is not off at all.
const LEAST_DEGREES: f32 = 0.5;

/// How many triangles are looked at in all: those of the channels that move most come first.
const MOST_TRIANGLES: usize = 100_000_000;

/// One finding for all channels, the worst first.
pub fn check(movement: &Movement<'_>) -> Option<Finding> {
    let turns_normals: Vec<bool> = movement.head.meshes.iter().map(Mesh::changes_normals).collect();
    let lacking = |channel: usize| {
        let targets = movement.targets(channel);
        targets.filter(|&(index, mesh, target)| mesh.lacks_normals(target, turns_normals[index]))
    };
    let is_unturned = |channel: &usize| movement.is_seen(*channel) && lacking(*channel).next().is_some();
    let mut unturned: Vec<usize> = (0..movement.head.channels.len()).filter(is_unturned).collect();
    unturned.sort_by(|&a, &b| movement.largest[b].total_cmp(&movement.largest[a]));
    let mut triangles_left = MOST_TRIANGLES;
    let mut turns: Vec<(usize, f32)> = Vec::new();
    for channel in unturned {
        let degrees = lacking(channel).map(|(_, mesh, target)| {
            let count = mesh.indices.len() / 3;
            let is_affordable = triangles_left >= count;
            triangles_left = triangles_left.saturating_sub(count);
            if is_affordable { turn_degrees(mesh, target) } else { 0.0 }
        });
        turns.push((channel, degrees.fold(0.0, f32::max)));
    }
    turns.retain(|turn| turn.1 > LEAST_DEGREES);
    turns.sort_by(|a, b| b.1.total_cmp(&a.1));
    let &(worst, degrees) = turns.first()?;
    let is_seen = degrees > SEEN_DEGREES;
    let total = (0..movement.head.channels.len()).filter(|&channel| movement.is_seen(channel)).count();
    let count = turns.len();
    let mesh = lacking(worst).next().map_or(String::new(), |(_, mesh, _)| format!(" on {}", mesh.name));
    let message = format!(
        "{count} of {total} shapes move the surface and not its normals, which are then off by up to {degrees:.0}° ({}{mesh}); Smirk works \
         them out anew (Look › Normals), other programs may not: export shape keys with normals{}",
        movement.head.channels[worst].name,
        if is_seen { "" } else { ", if that small an angle matters" },
    );
    let channels = turns.into_iter().map(|turn| turn.0).collect();
    Some(Finding { rule: Rule::Unturned, level: if is_seen { Level::Warning } else { Level::Info }, channels, message })
}

/// By how many degrees a target turns the surface.
fn turn_degrees(mesh: &Mesh, target: &Target) -> f32 {
    let mut moved = mesh.vertices.positions.clone();
    let mut moves = vec![false; moved.len()];
    for (&row, &delta) in target.rows.iter().zip(&target.positions) {
        moved[row as usize] += delta;
        moves[row as usize] = delta != Vec3::ZERO;
    }
    let mut sums = vec![[Vec3::ZERO; 2]; moved.len()];
    for corners in mesh.indices.as_chunks::<3>().0 {
        let corners = corners.map(|corner| corner as usize);
        if !corners.iter().any(|&corner| moves[corner]) {
            continue;
        }
        let area = |places: &[Vec3]| {
            let [a, b, c] = corners.map(|corner| places[corner]);
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
    let place = (degrees.len() - 1) * 99 / 100;
    *degrees.select_nth_unstable_by(place, f32::total_cmp).1
}
