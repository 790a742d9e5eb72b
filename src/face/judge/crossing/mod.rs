//! Where a surface crosses itself or another.
//!
//! - `tree` finds the pairs of triangles whose bounding boxes overlap.
//! - `triangle_pair` decides of each whether it crosses, without rounding: on a `lattice` of integers.

mod lattice;
mod tree;
mod triangle_pair;

use glam::Vec3;

use lattice::Lattice;
use tree::{Extent, Tree};
use triangle_pair::{cross, crossing_length, depth_behind};

/// Two triangles that cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    /// Their indices, the lower first.
    pub triangles: [u32; 2],
    /// The length of the line that they have in common.
    pub length: f32,
    /// How far the one that goes less far through the other does so.
    pub depth: f32,
}

/// All pairs of triangles that cross, ascending. Triangles with a corner in common are not looked at: they meet there. `wanted` says of which
/// pairs it is of interest.
pub(super) fn crossings(points: &[Vec3], triangles: &[[u32; 3]], wanted: impl Fn(u32, u32) -> bool) -> Vec<Crossing> {
    let lattice = Lattice::around(points);
    let steps: Vec<_> = points.iter().map(|point| lattice.nearest(*point)).collect();
    let corners = |triangle: u32| triangles[triangle as usize];
    let extents = triangles.iter().map(|corners| Extent::of(corners.map(|corner| points[corner as usize])));
    let mut found = Vec::new();
    Tree::new(extents.collect()).for_each_pair(|a, b| {
        let [first, second] = [corners(a), corners(b)];
        if first.iter().any(|corner| second.contains(corner)) || !wanted(a, b) {
            return;
        }
        let on_lattice = |corners: [u32; 3]| corners.map(|corner| steps[corner as usize]);
        if cross(on_lattice(first), on_lattice(second)) {
            let exact = |corners: [u32; 3]| corners.map(|corner| points[corner as usize].as_dvec3());
            let (first, second) = (exact(first), exact(second));
            let depth = depth_behind(first, second).min(depth_behind(second, first)) as f32;
            found.push(Crossing { triangles: [a, b], length: crossing_length(first, second) as f32, depth });
        }
    });
    found.sort_unstable_by_key(|crossing| crossing.triangles);
    found
}

#[cfg(test)]
mod tests {
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
        let found = crossings(&points, &triangles, |_, _| true);
        let length: f32 = found.iter().map(|crossing| crossing.length).sum();
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
        assert!(found.iter().all(|crossing| crossing.triangles[0] < 800 && crossing.triangles[1] >= 800));
    }

    #[test]
    fn made_cases_have_their_number_of_crossings() {
        // Two squares of two triangles each that stand upright in each other, moved so that no diagonal touches.
        let lying = sheet(1, 2.0);
        let turned = |(points, triangles): (Vec<Vec3>, Vec<[u32; 3]>), by: Vec3| {
            (points.into_iter().map(|point| Vec3::new(point.x, point.z, point.y) + by).collect::<Vec<_>>(), triangles)
        };
        let count = |by: Vec3| {
            let (points, triangles) = joined(&[lying.clone(), turned(lying.clone(), by)]);
            let found = crossings(&points, &triangles, |_, _| true);
            (found.len(), found.iter().map(|crossing| crossing.length).sum::<f32>())
        };
        let (pairs, length) = count(Vec3::new(0.0, 0.25, 0.0));
        assert!(pairs == 3 && (length - 2.0).abs() < 1e-5, "{pairs} pairs along {length}");
        assert_eq!(count(Vec3::new(0.0, 0.25, 1.5)), (0, 0.0), "above");
        assert_eq!(count(Vec3::new(0.0, 0.25, 1.0)), (0, 0.0), "an edge on the surface");
        assert_eq!(count(Vec3::new(0.0, 1.25, 0.0)), (0, 0.0), "beside");
        // A closed surface does not cross itself, however fine.
        let (points, triangles) = sphere(1.0, 40);
        assert_eq!(crossings(&points, &triangles, |_, _| true), []);
    }

    #[test]
    fn only_pairs_of_interest_are_found_and_points_that_are_no_numbers_cross_nothing() {
        let mut ball = sphere(3.0, 8);
        ball.0.iter_mut().for_each(|point| *point += Vec3::new(0.013, 0.027, 1.003));
        let (mut points, triangles) = joined(&[sheet(4, 10.0), ball]);
        assert!(!crossings(&points, &triangles, |_, _| true).is_empty());
        assert_eq!(crossings(&points, &triangles, |a, b| (a < 32) == (b < 32)), []);
        points.iter_mut().for_each(|point| *point = Vec3::NAN);
        assert_eq!(crossings(&points, &triangles, |_, _| true), []);
        assert_eq!(crossings(&[], &[], |_, _| true), []);
    }
}
