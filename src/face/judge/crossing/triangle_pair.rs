//! Whether two triangles cross (Guigue, Devillers: Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates, 2003).

use glam::DVec3;

use super::lattice::{Point, side};

/// Whether two triangles cross: whether they have a line in common that is longer than a point. Triangles that touch each other, or lie in
/// one plane, do not cross.
pub(super) fn cross(a: [Point; 3], b: [Point; 3]) -> bool {
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

/// A triangle, turned so that its first corner is alone on its side of the other's plane. None if no corner is on one of the two sides.
fn alone_first([p, q, r]: [Point; 3], other: [Point; 3]) -> Option<[Point; 3]> {
    let sides = [p, q, r].map(|corner| side(other, corner));
    if !(sides.contains(&1) && sides.contains(&-1)) {
        return None;
    }
    let is_alone = |at: usize| {
        let others = [sides[(at + 1) % 3], sides[(at + 2) % 3]];
        sides[at] != 0 && !others.contains(&sides[at])
    };
    Some(match (is_alone(0), is_alone(1)) {
        (true, _) => [p, q, r],
        (false, true) => [q, r, p],
        (false, false) => [r, p, q],
    })
}

/// The length of the line that two triangles which cross have in common.
pub(super) fn crossing_length(a: [DVec3; 3], b: [DVec3; 3]) -> f64 {
    let normal = |[p, q, r]: [DVec3; 3]| (q - p).cross(r - p);
    let (of_a, of_b) = (normal(a), normal(b));
    let Some(along) = of_a.cross(of_b).try_normalize() else { return 0.0 };
    // Where the edges of a triangle cut a plane, along the line.
    let piece = |corners: [DVec3; 3], at: DVec3, normal: DVec3| {
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for index in 0..3 {
            let (from, to) = (corners[index], corners[(index + 1) % 3]);
            let [near, far] = [from, to].map(|point| (point - at).dot(normal));
            if (near <= 0.0) != (far <= 0.0) {
                let place = (from + (to - from) * (near / (near - far))).dot(along);
                ends = [ends[0].min(place), ends[1].max(place)];
            }
        }
        ends
    };
    let ([a0, a1], [b0, b1]) = (piece(a, b[0], of_b), piece(b, a[0], of_a));
    (a1.min(b1) - a0.max(b0)).max(0.0)
}

/// How far a triangle that crosses another goes through its plane: to the nearer of its ends on both sides.
pub(super) fn depth_behind(triangle: [DVec3; 3], [a, b, c]: [DVec3; 3]) -> f64 {
    let Some(normal) = (b - a).cross(c - a).try_normalize() else { return 0.0 };
    let heights = triangle.map(|corner| (corner - a).dot(normal));
    let highest = heights.into_iter().fold(0.0, f64::max);
    let lowest = heights.into_iter().fold(0.0, f64::min);
    highest.min(-lowest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random;

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
        let mut crossing = 0;
        for index in 0..4000 {
            let (a, b) = (random_triangle(index * 2), random_triangle(index * 2 + 1));
            let expected = edge_passes(a, b);
            assert_eq!((cross(a, b), cross(b, a)), (expected, expected), "{a:?} {b:?}");
            crossing += usize::from(expected);
        }
        assert!((400..3600).contains(&crossing), "{crossing} of 4000 cross");
    }

    #[test]
    fn the_common_line_is_measured() {
        let flat = [DVec3::ZERO, DVec3::X * 8.0, DVec3::Y * 8.0];
        let upright =
            |from: f64, to: f64| [DVec3::new(from, 2.0, -4.0), DVec3::new(from, 2.0, 4.0), DVec3::new(to, 2.0, 0.0)];
        assert!((crossing_length(flat, upright(1.0, 5.0)) - 4.0).abs() < 1e-12);
        assert!((crossing_length(flat, upright(-20.0, 60.0)) - 6.0).abs() < 1e-12, "from one edge to the other");
        assert_eq!(crossing_length(flat, flat), 0.0);
        let through = [DVec3::new(1.0, 1.0, -0.5), DVec3::new(1.0, 1.0, 3.0), DVec3::new(2.0, 2.0, 3.0)];
        assert_eq!((depth_behind(through, flat), depth_behind(flat, flat)), (0.5, 0.0));
    }
}
