//! Skin that crosses something in a combination of expressions, pushed apart along the normals as little as possible.

use glam::Vec3;

use super::combinations::Combination;
use super::intersection::Intersection;
use super::surface::Surface;
use crate::tree::{Extent, Tree};
use smirk_face::head::{Head, Role};

/// How skin has to move so that less of it crosses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PushedApart {
    /// Per mesh, the vertices that move, ascending, with their deltas in mesh space.
    pub deltas: Vec<Vec<(u32, Vec3)>>,
    /// The length of the lines along which something crosses, before and after, in millimetres.
    pub crossed_mm: [f32; 2],
}

/// How often what still crosses is pushed on.
const PASSES: usize = 16;

/// What is pushed goes this much further than to the surface that it crosses, in millimetres.
const GAP_MM: f32 = 0.05;

/// How deep skin may be in what it crosses, in millimetres.
const DEEPEST_MM: f32 = 8.0;

/// So many rings of points around one are its own surface, which it does not cross.
const OWN_RINGS: usize = 3;

/// The part of a push that the neighbours of a point follow, and that theirs follow of them.
const FOLLOWED: f32 = 0.6;
const RINGS: usize = 3;

/// How often the push is halved to find the smallest.
const HALVINGS: usize = 6;

/// Pushes apart what crosses while channels are at full weight together, and does not at rest.
pub(crate) fn pushed_apart(head: &Head, channels: &[usize]) -> PushedApart {
    let surface = Surface::new(head);
    let combination = Combination { channels: channels.to_vec() };
    let points = surface.deformed(head, &combination.weights(head));
    let neighbours = neighbours(&surface, points.len());
    let mut best = vec![Vec3::ZERO; points.len()];
    let before_mm = crossed_mm(&surface.new_intersections(&points));
    let mut best_mm = before_mm;
    let mut offsets = best.clone();
    for _ in 0..PASSES {
        let now = moved(&points, &offsets, 1.0);
        let found = surface.new_intersections(&now);
        let length = crossed_mm(&found);
        if length < best_mm {
            (best_mm, best) = (length, offsets.clone());
        }
        if found.is_empty() {
            break;
        }
        let pushes = spread(pushes(&surface, &now, &neighbours, &found), &neighbours);
        offsets.iter_mut().zip(pushes).for_each(|(offset, push)| *offset += push);
    }
    let mut scales = [0.0, 1.0];
    if best_mm < before_mm {
        for _ in 0..HALVINGS {
            let middle = (scales[0] + scales[1]) * 0.5;
            let found = surface.new_intersections(&moved(&points, &best, middle));
            scales[usize::from(crossed_mm(&found) <= best_mm)] = middle;
        }
    }
    let offsets: Vec<Vec3> = best.iter().map(|offset| *offset * scales[1]).collect();
    PushedApart { deltas: surface.deltas_of(&offsets), crossed_mm: [before_mm, best_mm] }
}

fn crossed_mm(found: &[Intersection]) -> f32 {
    found.iter().map(|intersection| intersection.length).sum::<f32>() + 0.0
}

fn moved(points: &[Vec3], offsets: &[Vec3], scale: f32) -> Vec<Vec3> {
    points.iter().zip(offsets).map(|(point, offset)| *point + *offset * scale).collect()
}

/// Per point, the points of the skin at the other ends of its edges.
fn neighbours(surface: &Surface, count: usize) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); count];
    for corners in surface.skin() {
        for at in 0..3 {
            neighbours[corners[at] as usize].extend([corners[(at + 1) % 3], corners[(at + 2) % 3]]);
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// How far each point of skin has to go: those of triangles that cross, and those beside them that are behind what these
/// cross, out of it along its normal; of two of skin, each by half of that.
fn pushes(surface: &Surface, points: &[Vec3], neighbours: &[Vec<u32>], found: &[Intersection]) -> Vec<Vec3> {
    let corners = surface.triangles.iter().map(|corners| corners.map(|corner| points[corner as usize]));
    let tree = Tree::new(corners.map(Extent::around).collect());
    let normals = normals(surface, points);
    let crossing = found.iter().flat_map(|intersection| intersection.triangles);
    let skin = crossing.filter(|&triangle| surface.role(triangle) == Role::Skin);
    let mut open: Vec<u32> = skin.flat_map(|triangle| surface.triangles[triangle as usize]).collect();
    let mut is_seen = vec![false; points.len()];
    let mut pushes = vec![Vec3::ZERO; points.len()];
    while let Some(point) = open.pop() {
        if std::mem::replace(&mut is_seen[point as usize], true) {
            continue;
        }
        if let Some(push) = way_out(surface, points, normals[point as usize], &tree, &own_surface(point, neighbours)) {
            pushes[point as usize] = push;
            open.extend(&neighbours[point as usize]);
        }
    }
    pushes
}

/// Per point, the normal of the skin around it.
fn normals(surface: &Surface, points: &[Vec3]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; points.len()];
    for corners in surface.skin() {
        let [a, b, c] = corners.map(|corner| points[corner as usize]);
        corners.iter().for_each(|&corner| normals[corner as usize] += (b - a).cross(c - a));
    }
    normals
}

/// A point, and those within [`OWN_RINGS`] of it. The point is the first.
fn own_surface(point: u32, neighbours: &[Vec<u32>]) -> Vec<u32> {
    let mut own = vec![point];
    let mut first = 0;
    for _ in 0..OWN_RINGS {
        let ring = first..own.len();
        first = own.len();
        for at in ring {
            for &next in &neighbours[own[at] as usize] {
                if !own.contains(&next) {
                    own.push(next);
                }
            }
        }
    }
    own
}

/// How the first of some points, which are one surface, leaves the triangle nearest to it, if it is behind that: on the
/// other side of it than where the triangle faces the point, or else where the point is at rest.
fn way_out(surface: &Surface, points: &[Vec3], normal: Vec3, tree: &Tree, own: &[u32]) -> Option<Vec3> {
    let point = points[own[0] as usize];
    let deepest = f64::from(DEEPEST_MM * DEEPEST_MM);
    let (nearest, _) = tree.nearest(point, deepest, |triangle| {
        let corners = surface.triangles[triangle as usize];
        let is_other = !corners.iter().any(|corner| own.contains(corner));
        let on_triangle = nearest_on(corners.map(|corner| points[corner as usize]), point);
        is_other.then(|| f64::from(on_triangle.distance_squared(point)))
    })?;
    let corners = surface.triangles[nearest as usize];
    let [now, rest] = [points, surface.rest_mm()].map(|points| corners.map(|corner| points[corner as usize]));
    let facing = (now[1] - now[0]).cross(now[2] - now[0]).try_normalize()?;
    let rest_facing = (rest[1] - rest[0]).cross(rest[2] - rest[0]);
    let is_in_front = facing.dot(normal) < 0.0 || rest_facing.dot(surface.rest_mm()[own[0] as usize] - rest[0]) > 0.0;
    let outward = if is_in_front { facing } else { -facing };
    let depth = -outward.dot(point - nearest_on(now, point));
    let share = if surface.role(nearest) == Role::Skin { 0.5 } else { 1.0 };
    (depth > 0.0).then(|| outward * (depth + GAP_MM) * share)
}

/// The point of a triangle that is nearest to a point (C. Ericson, Real-Time Collision Detection, 2005, 5.1.5).
fn nearest_on([a, b, c]: [Vec3; 3], point: Vec3) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let [d1, d2] = [ab, ac].map(|edge| edge.dot(point - a));
    let [d3, d4] = [ab, ac].map(|edge| edge.dot(point - b));
    let [d5, d6] = [ab, ac].map(|edge| edge.dot(point - c));
    let (of_a, of_b, of_c) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if d1 <= 0.0 && d2 <= 0.0 {
        a
    } else if d3 >= 0.0 && d4 <= d3 {
        b
    } else if d6 >= 0.0 && d5 <= d6 {
        c
    } else if of_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        a + ab * (d1 / (d1 - d3))
    } else if of_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        a + ac * (d2 / (d2 - d6))
    } else if of_a <= 0.0 && d4 >= d3 && d5 >= d6 {
        b + (c - b) * ((d4 - d3) / (d4 - d3 + d5 - d6))
    } else {
        let all = of_a + of_b + of_c;
        if all > 0.0 { (a * of_a + b * of_b + c * of_c) / all } else { a }
    }
}

/// Has the points around those that are pushed follow them, so that no spike stands out.
fn spread(mut pushes: Vec<Vec3>, neighbours: &[Vec<u32>]) -> Vec<Vec3> {
    for _ in 0..RINGS {
        let before = pushes.clone();
        for (push, around) in pushes.iter_mut().zip(neighbours) {
            let follows = around.iter().map(|&point| before[point as usize]);
            let largest = follows.fold(Vec3::ZERO, |a, b| if b.length_squared() > a.length_squared() { b } else { a });
            if (largest * FOLLOWED).length_squared() > push.length_squared() {
                *push = largest * FOLLOWED;
            }
        }
    }
    pushes
}
