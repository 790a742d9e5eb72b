//! Matches control points whose vertices have the same texture coordinates.

use super::control_points::ControlPoints;
use super::kd_tree::KdTree;
use super::propagation::UNMATCHED;

/// The longest displacement that a match may have, as a part of the head's size. At a longer distance, two places of the surface
/// share the texture coordinates.
const FARTHEST: f32 = 0.25;

/// Fills `matches`, which has one entry per control point of the neutral. The halves of a face often share one half of the
/// texture: of several candidates the nearest in space is taken.
pub(super) fn match_uvs(neutral: &ControlPoints<'_>, shape: &ControlPoints<'_>, matches: &mut [u32]) {
    /// The largest distance of matching texture coordinates: one file may have four decimals and the other six.
    const RADIUS: f32 = 2e-4;
    /// The difference that rounding alone makes.
    const ROUNDING: f32 = 1e-5;
    /// The most candidates. If more vertices share texture coordinates, these identify none of them.
    const MOST: usize = 64;
    let farthest = neutral.size() * FARTHEST;
    let (own, others) = (&neutral.mesh.vertices.uvs, &shape.mesh.vertices.uvs);
    let tree = KdTree::new(others.iter().zip(0..).map(|(uv, vertex)| (uv.to_array(), vertex)));
    // Per control point the distances of its match: in texture coordinates, in steps of `ROUNDING`, then in space.
    let mut best = vec![(f32::INFINITY, f32::INFINITY); matches.len()];
    for (vertex, uv) in own.iter().enumerate() {
        let found = tree.within(uv.to_array(), RADIUS, MOST);
        if found.is_empty() || found.len() == MOST {
            continue;
        }
        let point = neutral.of_vertex[vertex] as usize;
        let distance = |vertex: u32| -> f32 {
            shape.positions[shape.of_vertex[vertex as usize] as usize].distance(neutral.positions[point])
        };
        let least = found.iter().map(|&(_, uv_distance)| uv_distance).fold(f32::INFINITY, f32::min);
        let alike = found.iter().filter(|(_, uv_distance)| *uv_distance <= least + ROUNDING);
        let nearest = alike.map(|&(vertex, _)| (vertex, distance(vertex))).min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((matched, distance)) = nearest.filter(|(_, distance)| *distance <= farthest) else { continue };
        let uv_steps = (least / ROUNDING).floor();
        if (uv_steps, distance) < best[point] {
            best[point] = (uv_steps, distance);
            matches[point] = shape.of_vertex[matched as usize];
        }
    }
    // Where the shape lacks a vertex, a neighbour with nearly the same texture coordinates was found, which is the match of
    // another control point: each control point of the shape stays with the best one, and with those at the same position.
    let mut owner = vec![UNMATCHED; shape.positions.len()];
    for (point, &matched) in matches.iter().enumerate().filter(|(_, matched)| **matched != UNMATCHED) {
        let owner = &mut owner[matched as usize];
        if *owner == UNMATCHED || best[point] < best[*owner as usize] {
            *owner = point as u32;
        }
    }
    let position_of = |point: u32| neutral.positions[point as usize];
    let same_position = neutral.same_position_distance();
    for (point, matched) in matches.iter_mut().enumerate().filter(|(_, matched)| **matched != UNMATCHED) {
        let owner = owner[*matched as usize];
        if owner as usize != point && position_of(owner).distance(neutral.positions[point]) > same_position {
            *matched = UNMATCHED;
        }
    }
}
