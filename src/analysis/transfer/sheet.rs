//! A surface as triangles: its normals, its areas, its edges, and distances along it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use smirk_base::counting_sort::by_key;
use smirk_face::head::pieces_of;

pub(super) type Triangle = [u32; 3];

pub(super) fn corners(points: &[DVec3], triangle: Triangle) -> [DVec3; 3] {
    triangle.map(|corner| points[corner as usize])
}

/// The normal of a triangle, twice as long as its area.
pub(super) fn area_vector([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Per point, the normal of the surface, of unit length; zero where it has no area.
pub(super) fn normals(points: &[DVec3], triangles: &[Triangle]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; points.len()];
    for &triangle in triangles {
        let area = area_vector(corners(points, triangle));
        triangle.iter().for_each(|&corner| normals[corner as usize] += area);
    }
    normals.into_iter().map(DVec3::normalize_or_zero).collect()
}

/// The edges of triangles, each once, its lower end first; and how many triangles have it.
pub(super) fn edges(triangles: &[Triangle]) -> Vec<([u32; 2], usize)> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut sides: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    sides.sort_unstable();
    sides.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect()
}

/// Whether each point is on the longest border of the surface: that of a mask or of a neck, not those of eyes and
/// mouth.
pub(super) fn outer_border(points: &[DVec3], triangles: &[Triangle]) -> Vec<bool> {
    let borders: Vec<[u32; 2]> =
        edges(triangles).into_iter().filter(|(_, count)| *count == 1).map(|(edge, _)| edge).collect();
    let loops = pieces_of(points.len(), borders.iter().map(|&[a, b]| [a as usize, b as usize, b as usize]));
    let mut lengths = vec![0.0; points.len()];
    for &[a, b] in &borders {
        lengths[loops[a as usize]] += points[a as usize].distance(points[b as usize]);
    }
    let mut is_border = vec![false; points.len()];
    let longest = (0..lengths.len()).max_by(|&a, &b| lengths[a].total_cmp(&lengths[b]));
    for &[a, b] in borders.iter().filter(|edge| Some(loops[edge[0] as usize]) == longest) {
        (is_border[a as usize], is_border[b as usize]) = (true, true);
    }
    is_border
}

/// The neighbours of each point along the edges of a surface.
pub(super) struct Graph {
    firsts: Vec<u32>,
    neighbours: Vec<(u32, f64)>,
}

impl Graph {
    pub(super) fn new(points: &[DVec3], triangles: &[Triangle]) -> Self {
        let edges = edges(triangles);
        let both = edges.iter().flat_map(|&([a, b], _)| {
            let length = points[a as usize].distance(points[b as usize]);
            [(a, (b, length)), (b, (a, length))]
        });
        let (firsts, neighbours) = by_key(points.len(), both);
        Self { firsts, neighbours }
    }

    pub(super) fn around(&self, point: u32) -> &[(u32, f64)] {
        &self.neighbours[self.firsts[point as usize] as usize..self.firsts[point as usize + 1] as usize]
    }

    /// Per point, the shortest way along edges to one of the seeds; infinite beyond the limit.
    pub(super) fn distances(&self, seeds: impl IntoIterator<Item = u32>, limit: f64) -> Vec<f64> {
        self.distances_from(seeds.into_iter().map(|seed| (seed, 0.0)), limit)
    }

    /// The same where the ways begin with lengths of the seeds.
    pub(super) fn distances_from(&self, seeds: impl IntoIterator<Item = (u32, f64)>, limit: f64) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; self.firsts.len() - 1];
        let mut open = BinaryHeap::new();
        let mut reach = |point: u32, way: f64, open: &mut BinaryHeap<_>| {
            if way <= limit && way < distances[point as usize] {
                distances[point as usize] = way;
                open.push(Reverse((Length(way), point)));
            }
        };
        seeds.into_iter().for_each(|(seed, length)| reach(seed, length, &mut open));
        while let Some(Reverse((Length(way), point))) = open.pop() {
            self.around(point).iter().for_each(|&(other, length)| reach(other, way + length, &mut open));
        }
        distances
    }

    /// Visits points by their shortest way to one of the seeds, the nearest first, until `is_found` says so.
    pub(super) fn search(
        &self,
        seeds: impl IntoIterator<Item = u32>,
        limit: f64,
        mut is_found: impl FnMut(u32, f64) -> bool,
    ) {
        // Few points are reached from a seed when the limit is short, so that a map is smaller than a list of all.
        let mut settled = std::collections::HashSet::new();
        let mut open: BinaryHeap<Reverse<(Length, u32)>> =
            seeds.into_iter().map(|seed| Reverse((Length(0.0), seed))).collect();
        while let Some(Reverse((Length(distance), point))) = open.pop() {
            if !settled.insert(point) {
                continue;
            }
            if is_found(point, distance) {
                return;
            }
            let next = self.around(point).iter().map(|&(other, length)| (distance + length, other));
            let next = next.filter(|(distance, other)| *distance <= limit && !settled.contains(other));
            open.extend(next.map(|(distance, other)| Reverse((Length(distance), other))));
        }
    }
}

/// A length that is ordered.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Length(f64);

impl Eq for Length {}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Length {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The value of a smooth step from 0 to 1.
pub(super) fn smooth_step(at: f64) -> f64 {
    let at = at.clamp(0.0, 1.0);
    at * at * (3.0 - 2.0 * at)
}

/// The point of a triangle that is nearest to another point, as shares of the corners (Ericson, "Real-Time Collision
/// Detection", 2004, section 5.1.5).
pub(super) fn nearest_on([a, b, c]: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let from_a = point - a;
    let (d1, d2) = (ab.dot(from_a), ac.dot(from_a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let from_b = point - b;
    let (d3, d4) = (ab.dot(from_b), ac.dot(from_b));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let area_c = d1 * d4 - d3 * d2;
    if area_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let along = d1 / (d1 - d3).max(f64::MIN_POSITIVE);
        return [1.0 - along, along, 0.0];
    }
    let from_c = point - c;
    let (d5, d6) = (ab.dot(from_c), ac.dot(from_c));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let area_b = d5 * d2 - d1 * d6;
    if area_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let along = d2 / (d2 - d6).max(f64::MIN_POSITIVE);
        return [1.0 - along, 0.0, along];
    }
    let area_a = d3 * d6 - d5 * d4;
    if area_a <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let along = (d4 - d3) / ((d4 - d3) + (d5 - d6)).max(f64::MIN_POSITIVE);
        return [0.0, 1.0 - along, along];
    }
    let sum = area_a + area_b + area_c;
    if sum <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    [area_a / sum, area_b / sum, area_c / sum]
}
