//! Where a surface crosses itself or another: a tree finds the pairs of triangles whose bounding boxes overlap, and
//! each pair is decided without rounding, on a lattice of integers.

use glam::{DVec3, Vec3};

use crate::tree::{Extent, Tree};

/// Two triangles that cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Intersection {
    /// Their indices, the lower first.
    pub triangles: [u32; 2],
    /// The length of the line that they have in common.
    pub length: f32,
    /// How far the one that goes less far through the other does so.
    pub depth: f32,
}

/// All pairs of triangles that cross, ascending. Triangles with a corner in common are not looked at: they meet there.
/// `wanted` says of which pairs it is of interest.
pub(super) fn intersections(
    points: &[Vec3],
    triangles: &[[u32; 3]],
    wanted: impl Fn(u32, u32) -> bool,
) -> Vec<Intersection> {
    let lattice = Lattice::around(points);
    let steps: Vec<_> = points.iter().map(|point| lattice.nearest(*point)).collect();
    let extents = triangles.iter().map(|corners| Extent::around(corners.map(|corner| points[corner as usize])));
    let mut found = Vec::new();
    Tree::new(extents.collect()).for_each_pair(|a, b| {
        let corners = [a, b].map(|triangle| triangles[triangle as usize]);
        let [first, second] = corners;
        if first.iter().any(|corner| second.contains(corner)) || !wanted(a, b) {
            return;
        }
        let [on_first, on_second] = corners.map(|corners| corners.map(|corner| steps[corner as usize]));
        if cross(on_first, on_second) {
            let [first, second] = corners.map(|corners| corners.map(|corner| points[corner as usize].as_dvec3()));
            let depth = depth_behind(first, second).min(depth_behind(second, first)) as f32;
            found.push(Intersection { triangles: [a, b], length: intersection_length(first, second) as f32, depth });
        }
    });
    found.sort_unstable_by_key(|intersection| intersection.triangles);
    found
}

/// A point in steps of a [`Lattice`]; each coordinate is below 2²³.
type Point = [i64; 3];

/// A grid that all points of a surface are rounded to, once: its step is a part of 2²⁴ of their extent, 20 nanometres
/// for a head.
#[derive(Clone, Copy, Debug)]
struct Lattice {
    middle: DVec3,
    steps_per_unit: f64,
}

impl Lattice {
    /// The coordinates of a point are less than this.
    const LARGEST: f64 = 8_388_607.0;

    /// The grid for these points. Points that are not finite are left out.
    fn around(points: &[Vec3]) -> Self {
        let finite = points.iter().filter(|point| point.is_finite()).map(|point| point.as_dvec3());
        let min = finite.clone().fold(DVec3::INFINITY, DVec3::min);
        let max = finite.fold(DVec3::NEG_INFINITY, DVec3::max);
        let half = (max - min).max_element() * 0.5;
        let steps_per_unit = if half > 0.0 && half.is_finite() { Self::LARGEST / half } else { 1.0 };
        Self { middle: if min.is_finite() { (min + max) * 0.5 } else { DVec3::ZERO }, steps_per_unit }
    }

    fn nearest(&self, point: Vec3) -> Point {
        let steps = ((point.as_dvec3() - self.middle) * self.steps_per_unit).round();
        steps.to_array().map(|step| step.clamp(-Self::LARGEST, Self::LARGEST) as i64)
    }
}

/// The sign of the volume of `a b c d`: 1 if `d` is on the side of the plane `a b c` from which these turn
/// counter-clockwise, -1 on the other side, 0 in the plane. Exact: differences have 25 bits, their products of two 51,
/// and the sum of products of three 78.
fn side([a, b, c]: [Point; 3], d: Point) -> i32 {
    let [[b0, b1, b2], [c0, c1, c2], [d0, d1, d2]] =
        [b, c, d].map(|point| [point[0] - a[0], point[1] - a[1], point[2] - a[2]]);
    let terms = [(b1 * c2 - b2 * c1, d0), (b2 * c0 - b0 * c2, d1), (b0 * c1 - b1 * c0, d2)];
    let volume: i128 = terms.into_iter().map(|(minor, factor)| i128::from(minor) * i128::from(factor)).sum();
    volume.signum() as i32
}

/// Whether two triangles cross: whether they have a line in common that is longer than a point. Triangles that touch
/// each other, or lie in one plane, do not cross.
fn cross(a: [Point; 3], b: [Point; 3]) -> bool {
    let (Some(mut a), Some(mut b)) = (alone_first(a, b), alone_first(b, a)) else { return false };
    // The first corner of each is in front of the other.
    if side(b, a[0]) < 0 {
        b.swap(1, 2);
    }
    if side(a, b[0]) < 0 {
        a.swap(1, 2);
    }
    // Both cut the line in which their planes meet; the two pieces overlap.
    side([a[0], a[1], b[0]], b[1]) < 0 && side([a[0], a[2], b[2]], b[0]) < 0
}

/// A triangle, turned so that its first corner is alone on its side of the other's plane. None if no corner is on one
/// of the two sides.
fn alone_first([p, q, r]: [Point; 3], other: [Point; 3]) -> Option<[Point; 3]> {
    let sides = [p, q, r].map(|corner| side(other, corner));
    if !(sides.contains(&1) && sides.contains(&-1)) {
        return None;
    }
    let alone = (0..2).find(|&at| {
        let others = [sides[(at + 1) % 3], sides[(at + 2) % 3]];
        sides[at] != 0 && !others.contains(&sides[at])
    });
    Some(match alone {
        Some(0) => [p, q, r],
        Some(1) => [q, r, p],
        _ => [r, p, q],
    })
}

/// An end of the line that two triangles have in common: where an edge of one goes through the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Which of the two has the edge.
    pub of: usize,
    /// The corners of the edge, and the part of it that is before the end.
    pub edge: [usize; 2],
    pub part: f64,
    /// Along the line, out of it.
    pub outward: DVec3,
}

/// The two ends of the line that two triangles which cross have in common.
pub(super) fn ends(both: [[DVec3; 3]; 2]) -> Option<[End; 2]> {
    let (along, [of_a, of_b]) = cuts(both)?;
    let end = |at: usize| {
        let outward = if at == 1 { along } else { -along };
        let is_of_a = (of_a[at].place < of_b[at].place) == (at == 1);
        let (of, Cut { edge, part, .. }) = if is_of_a { (0, of_a[at]) } else { (1, of_b[at]) };
        End { of, edge, part, outward }
    };
    Some([end(0), end(1)])
}

/// The length of the line that two triangles which cross have in common.
fn intersection_length(a: [DVec3; 3], b: [DVec3; 3]) -> f64 {
    let Some((_, [a, b])) = cuts([a, b]) else { return 0.0 };
    (a[1].place.min(b[1].place) - a[0].place.max(b[0].place)).max(0.0)
}

/// Where an edge of a triangle goes through the plane of another one.
#[derive(Clone, Copy)]
struct Cut {
    /// Along the line in which the planes meet.
    place: f64,
    /// The corners of the edge, and the part of it that is before the plane.
    edge: [usize; 2],
    part: f64,
}

/// The direction of the line in which the planes of two triangles meet, and where the edges of each cut the plane of
/// the other, the least place first.
fn cuts([a, b]: [[DVec3; 3]; 2]) -> Option<(DVec3, [[Cut; 2]; 2])> {
    let [normal_of_a, normal_of_b] = [a, b].map(|[p, q, r]| (q - p).cross(r - p));
    let along = normal_of_a.cross(normal_of_b).try_normalize()?;
    Some((along, [edges_through(a, b[0], normal_of_b, along)?, edges_through(b, a[0], normal_of_a, along)?]))
}

/// The two edges of a triangle that go through the plane at a point.
fn edges_through(corners: [DVec3; 3], at: DVec3, normal: DVec3, along: DVec3) -> Option<[Cut; 2]> {
    let mut cuts = [[0, 1], [1, 2], [2, 0]].into_iter().filter_map(|edge| {
        let [from, to] = edge.map(|corner| corners[corner]);
        let [near, far] = [from, to].map(|point| (point - at).dot(normal));
        let part = near / (near - far);
        let place = (from + (to - from) * part).dot(along);
        ((near <= 0.0) != (far <= 0.0)).then_some(Cut { place, edge, part })
    });
    let (first, second) = (cuts.next()?, cuts.next()?);
    Some(if first.place <= second.place { [first, second] } else { [second, first] })
}

/// How far a triangle that crosses another goes through its plane: to the nearer of its ends on both sides.
fn depth_behind(triangle: [DVec3; 3], [a, b, c]: [DVec3; 3]) -> f64 {
    let Some(normal) = (b - a).cross(c - a).try_normalize() else { return 0.0 };
    let heights = triangle.map(|corner| (corner - a).dot(normal));
    let highest = heights.into_iter().fold(0.0, f64::max);
    let lowest = heights.into_iter().fold(0.0, f64::min);
    highest.min(-lowest)
}

#[cfg(test)]
mod tests {
    use smirk_base::random;

    use super::*;

    /// A square of `size`, in the plane z = 0, with so many cells a side.
    fn sheet(cells: u32, size: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let at = |index: u32| (index as f32 / cells as f32 - 0.5) * size;
        let row = cells + 1;
        let points = (0..row * row).map(|index| Vec3::new(at(index % row), at(index / row), 0.0)).collect();
        let cell = |index: u32| {
            let a = index / cells * row + index % cells;
            [[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]
        };
        (points, (0..cells * cells).flat_map(cell).collect())
    }

    /// A sphere around the origin.
    fn sphere(radius: f32, rows: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let columns = rows * 2;
        let place = |row: u32, column: u32| {
            let (polar, around) = (
                (row as f32 + 0.5) / rows as f32 * std::f32::consts::PI,
                column as f32 / columns as f32 * std::f32::consts::TAU,
            );
            Vec3::new(polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos()) * radius
        };
        let points = (0..rows * columns).map(|index| place(index / columns, index % columns)).collect();
        let cell = |index: u32| {
            let (row, column) = (index / columns, index % columns);
            let [a, b] = [row * columns + column, row * columns + (column + 1) % columns];
            [[a, a + columns, b], [b, a + columns, b + columns]]
        };
        (points, (0..(rows - 1) * columns).flat_map(cell).collect())
    }

    fn joined(parts: &[(Vec<Vec3>, Vec<[u32; 3]>)]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for (own, corners) in parts {
            let first = points.len() as u32;
            points.extend(own);
            triangles.extend(corners.iter().map(|corners| corners.map(|corner| corner + first)));
        }
        (points, triangles)
    }

    #[test]
    fn a_ball_through_a_sheet_crosses_along_a_circle() {
        let mut ball = sphere(3.0, 24);
        // Off the planes of symmetry, so that nothing merely touches.
        ball.0.iter_mut().for_each(|point| *point += Vec3::new(0.013, 0.027, 1.003));
        let (points, triangles) = joined(&[sheet(20, 10.0), ball]);
        let found = intersections(&points, &triangles, |_, _| true);
        let length: f32 = found.iter().map(|intersection| intersection.length).sum();
        let circle = (9.0_f32 - 1.003 * 1.003).sqrt() * std::f32::consts::TAU;
        assert!((length / circle - 1.0).abs() < 0.01, "{length} is not {circle}");
        // Comparing all with all finds the same pairs.
        let lattice = Lattice::around(&points);
        let corners = |triangle: usize| triangles[triangle].map(|corner| lattice.nearest(points[corner as usize]));
        let mut expected = 0;
        for a in 0..triangles.len() {
            expected += (a + 1..triangles.len())
                .filter(|&b| !triangles[a].iter().any(|corner| triangles[b].contains(corner)))
                .filter(|&b| cross(corners(a), corners(b)))
                .count();
        }
        assert_eq!(found.len(), expected);
        assert!(found.iter().all(|intersection| intersection.triangles[0] < 800 && intersection.triangles[1] >= 800));
    }

    #[test]
    fn made_cases_have_their_number_of_intersections() {
        // Two squares of two triangles each that stand upright in each other, moved so that no diagonal touches.
        let lying = sheet(1, 2.0);
        let turned = |(points, triangles): (Vec<Vec3>, Vec<[u32; 3]>), by: Vec3| {
            (points.into_iter().map(|point| Vec3::new(point.x, point.z, point.y) + by).collect::<Vec<_>>(), triangles)
        };
        let count = |by: Vec3| {
            let (points, triangles) = joined(&[lying.clone(), turned(lying.clone(), by)]);
            let found = intersections(&points, &triangles, |_, _| true);
            (found.len(), found.iter().map(|intersection| intersection.length).sum::<f32>())
        };
        let (pairs, length) = count(Vec3::new(0.0, 0.25, 0.0));
        assert!(pairs == 3 && (length - 2.0).abs() < 1e-5, "{pairs} pairs along {length}");
        assert_eq!(count(Vec3::new(0.0, 0.25, 1.5)), (0, 0.0), "above");
        assert_eq!(count(Vec3::new(0.0, 0.25, 1.0)), (0, 0.0), "an edge on the surface");
        assert_eq!(count(Vec3::new(0.0, 1.25, 0.0)), (0, 0.0), "beside");
        // A closed surface does not cross itself, however fine.
        let (points, triangles) = sphere(1.0, 40);
        assert_eq!(intersections(&points, &triangles, |_, _| true), []);
    }

    #[test]
    fn only_pairs_of_interest_are_found_and_points_that_are_no_numbers_cross_nothing() {
        let mut ball = sphere(3.0, 8);
        ball.0.iter_mut().for_each(|point| *point += Vec3::new(0.013, 0.027, 1.003));
        let (mut points, triangles) = joined(&[sheet(4, 10.0), ball]);
        assert!(!intersections(&points, &triangles, |_, _| true).is_empty());
        assert_eq!(intersections(&points, &triangles, |a, b| (a < 32) == (b < 32)), []);
        points.iter_mut().for_each(|point| *point = Vec3::NAN);
        assert_eq!(intersections(&points, &triangles, |_, _| true), []);
        assert_eq!(intersections(&[], &[], |_, _| true), []);
    }

    #[test]
    fn sides_are_told_exactly_at_the_ends_of_the_grid() {
        const L: i64 = Lattice::LARGEST as i64;
        let plane = [[-L, -L, -L], [L, -L, L], [-L, L, 0]];
        assert_eq!(side(plane, [-L, -L, -L]), 0);
        // On the line through the second and the third corner.
        assert_eq!(side([[0, 0, 0], [L, L, L], [L, L - 1, L]], [L, L - 2, L]), 0);
        let [a, b, c] = [[0, 0, 0], [L, 0, 0], [0, L, 0]];
        assert_eq!((side([a, b, c], [5, 5, 1]), side([a, b, c], [5, 5, -1]), side([a, c, b], [5, 5, 1])), (1, -1, -1));
        // One step from a slanted plane: f64 products of these numbers have lost that step.
        let slanted = [[-L, -L, -L], [L, L - 1, L], [L - 3, L, -L]];
        let on = [L, L - 1, L];
        assert_eq!(side(slanted, on), 0);
        assert_eq!(side(slanted, [L, L - 1, L - 1]), -side(slanted, [L, L - 1, L + 1]));
        assert_ne!(side(slanted, [L, L - 1, L - 1]), 0);
    }

    #[test]
    fn points_are_rounded_to_a_step() {
        let points = [Vec3::new(-10.0, 0.0, 3.0), Vec3::new(30.0, 1.0, 4.0), Vec3::NAN];
        let lattice = Lattice::around(&points);
        assert_eq!(lattice.nearest(points[1])[0], 8_388_607);
        assert_eq!(lattice.nearest(Vec3::new(10.0, 0.5, 3.5)), [0, 0, 0]);
        assert_eq!(Lattice::around(&[]).nearest(Vec3::ZERO), [0, 0, 0]);
    }

    #[test]
    fn it_finds_the_pairs_that_a_comparison_of_all_with_all_finds() {
        for count in [0, 1, 3, 5, 400] {
            let at = |index: u64| (random::bits(3, index) % 1000) as f32 / 100.0;
            let extent = |index: u64| {
                let corner = Vec3::new(at(index * 3), at(index * 3 + 1), at(index * 3 + 2));
                Extent::around([corner, corner + Vec3::ONE * 0.7, corner])
            };
            let extents: Vec<Extent> = (0..count).map(extent).collect();
            let mut expected = Vec::new();
            for a in 0..count as usize {
                expected.extend(
                    (a + 1..count as usize).filter(|&b| extents[a].overlaps(&extents[b])).map(|b| (a as u32, b as u32)),
                );
            }
            let mut found = Vec::new();
            Tree::new(extents).for_each_pair(|a, b| found.push((a, b)));
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }

    const FLAT: [Point; 3] = [[0, 0, 0], [8, 0, 0], [0, 8, 0]];

    #[test]
    fn triangles_that_pass_through_each_other_cross() {
        for (other, crosses) in [
            ([[2, 2, -4], [2, 2, 4], [20, 20, 0]], true),
            ([[2, 2, -4], [2, 2, 4], [3, 2, 4]], true),
            // Beside it, above it, and around its hole.
            ([[9, 9, -4], [9, 9, 4], [20, 20, 0]], false),
            ([[2, 2, 1], [2, 2, 4], [3, 2, 4]], false),
            ([[-9, -9, -1], [30, -9, -1], [-9, 30, -1]], false),
            // It cuts the whole of it.
            ([[-20, 2, -20], [-20, 2, 20], [60, 2, 0]], true),
        ] {
            assert_eq!((cross(FLAT, other), cross(other, FLAT)), (crosses, crosses), "{other:?}");
        }
    }

    #[test]
    fn triangles_that_touch_do_not_cross() {
        for other in [
            // A corner on the surface, an edge on it, an edge through its corner.
            [[2, 2, 0], [2, 2, 4], [3, 2, 4]],
            [[2, 2, 0], [4, 2, 0], [3, 2, 4]],
            [[0, 0, -4], [0, 0, 4], [-5, -5, 0]],
            // A common edge, and a common corner.
            [[0, 0, 0], [8, 0, 0], [4, 0, 8]],
            [[0, 0, 0], [-8, 1, 3], [-4, 0, 8]],
            // In one plane.
            [[1, 1, 0], [9, 1, 0], [1, 9, 0]],
            FLAT,
            // A line.
            [[1, 1, -3], [1, 1, 0], [1, 1, 3]],
        ] {
            assert_eq!((cross(FLAT, other), cross(other, FLAT)), (false, false), "{other:?}");
        }
    }

    #[test]
    fn an_edge_exactly_on_an_edge_crosses_if_the_rest_goes_through() {
        // The edge x = y of the other passes through the edge of the first at (4, 4), and its triangle goes on inside.
        let other = [[4, 4, -4], [4, 4, 4], [0, 0, 0]];
        assert!(cross(FLAT, other) && cross(other, FLAT));
    }

    /// The slow answer: whether an edge of one passes through the inside of the other, in numbers that have no ties.
    fn edge_passes(a: [Point; 3], b: [Point; 3]) -> bool {
        let through = |[p, q]: [Point; 2], t: [Point; 3]| {
            let around = [0, 1, 2].map(|at| side([p, q, t[at]], t[(at + 1) % 3]));
            side(t, p) * side(t, q) < 0 && (around == [1; 3] || around == [-1; 3])
        };
        let edges = |t: [Point; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        edges(a).into_iter().any(|edge| through(edge, b)) || edges(b).into_iter().any(|edge| through(edge, a))
    }

    fn random_triangle(index: u64) -> [Point; 3] {
        [0, 1, 2].map(|corner| {
            [0, 1, 2].map(|axis| {
                let chance = random::bits(7, index * 9 + corner * 3 + axis);
                (chance % 2_000_003) as i64 - 1_000_001
            })
        })
    }

    #[test]
    fn random_triangles_cross_as_their_edges_say() {
        let mut intersection = 0;
        for index in 0..4000 {
            let (a, b) = (random_triangle(index * 2), random_triangle(index * 2 + 1));
            let expected = edge_passes(a, b);
            assert_eq!((cross(a, b), cross(b, a)), (expected, expected), "{a:?} {b:?}");
            intersection += usize::from(expected);
        }
        assert!((400..3600).contains(&intersection), "{intersection} of 4000 cross");
    }

    #[test]
    fn the_common_line_is_measured() {
        let flat = [DVec3::ZERO, DVec3::X * 8.0, DVec3::Y * 8.0];
        let upright =
            |from: f64, to: f64| [DVec3::new(from, 2.0, -4.0), DVec3::new(from, 2.0, 4.0), DVec3::new(to, 2.0, 0.0)];
        assert!((intersection_length(flat, upright(1.0, 5.0)) - 4.0).abs() < 1e-12);
        assert!((intersection_length(flat, upright(-20.0, 60.0)) - 6.0).abs() < 1e-12, "from one edge to the other");
        assert_eq!(intersection_length(flat, flat), 0.0);
        let through = [DVec3::new(1.0, 1.0, -0.5), DVec3::new(1.0, 1.0, 3.0), DVec3::new(2.0, 2.0, 3.0)];
        assert_eq!((depth_behind(through, flat), depth_behind(flat, flat)), (0.5, 0.0));
    }
}
