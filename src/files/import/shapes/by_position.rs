//! Matches control points at the same position, and from there along triangles.

use glam::Vec3;

use super::control_points::ControlPoints;
use super::kd_tree::KdTree;
use super::propagation::{UNMATCHED, propagate};

/// Completes `matches`, which has one entry per control point of the neutral. If the surfaces have different triangles and most
/// control points are still unmatched, each of these is matched with the nearest.
pub(super) fn match_positions(neutral: &ControlPoints<'_>, shape: &ControlPoints<'_>, matches: &mut Vec<u32>) {
    /// The largest distance of a nearest match, as a part of the head's size.
    const NEAR: f32 = 0.02;
    let tree_of = |points: &ControlPoints<'_>| {
        KdTree::new(points.positions.iter().zip(0..).map(|(position, point)| (position.to_array(), point)))
    };
    let (own_tree, tree) = (tree_of(neutral), tree_of(shape));
    // The control point at a position, if it is the only one there.
    let only_one_at = |tree: &KdTree<3>, position: Vec3| match tree.within(
        position.to_array(),
        neutral.same_position_distance(),
        2,
    )[..]
    {
        [(point, _)] => Some(point),
        _ => None,
    };
    let mut is_taken = vec![false; shape.positions.len()];
    for &matched in matches.iter().filter(|&&matched| matched != UNMATCHED) {
        is_taken[matched as usize] = true;
    }
    for (point, position) in neutral.positions.iter().enumerate().filter(|(_, position)| position.is_finite()) {
        if matches[point] != UNMATCHED {
            continue;
        }
        let found = only_one_at(&tree, *position).filter(|&other| !is_taken[other as usize]);
        let Some(other) = found else { continue };
        if only_one_at(&own_tree, shape.positions[other as usize]) == Some(point as u32) {
            matches[point] = other;
            is_taken[other as usize] = true;
        }
    }
    if propagate(neutral, shape, matches) > 0
        || matches.iter().filter(|&&matched| matched != UNMATCHED).count() * 2 > neutral.count
    {
        return;
    }
    for (point, position) in neutral.positions.iter().enumerate().filter(|(_, position)| position.is_finite()) {
        if matches[point] == UNMATCHED
            && let Some((other, _)) = tree.nearest(position.to_array(), neutral.size() * NEAR)
        {
            matches[point] = other;
        }
    }
}
