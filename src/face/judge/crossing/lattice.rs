//! Points on a grid of integers, so that on which side of a plane a point is can be told without rounding.

use glam::{DVec3, Vec3};

/// A point in steps of a [`Lattice`]; each coordinate is below 2²³.
pub(super) type Point = [i64; 3];

/// A grid that all points of a surface are rounded to, once: its step is a part of 2²⁴ of their extent, 20 nanometres for a head.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    middle: DVec3,
    steps_per_unit: f64,
}

impl Lattice {
    /// The coordinates of a point are less than this.
    const LARGEST: f64 = 8_388_607.0;

    /// The grid for these points. Points that are not finite are left out.
    pub(super) fn around(points: &[Vec3]) -> Self {
        let finite = || points.iter().filter(|point| point.is_finite()).map(|point| point.as_dvec3());
        let min = finite().fold(DVec3::INFINITY, DVec3::min);
        let max = finite().fold(DVec3::NEG_INFINITY, DVec3::max);
        let half = (max - min).max_element() * 0.5;
        let steps_per_unit = if half > 0.0 && half.is_finite() { Self::LARGEST / half } else { 1.0 };
        Self { middle: if min.is_finite() { (min + max) * 0.5 } else { DVec3::ZERO }, steps_per_unit }
    }

    /// The nearest point of the grid.
    pub(super) fn nearest(&self, point: Vec3) -> Point {
        let steps = ((point.as_dvec3() - self.middle) * self.steps_per_unit).round();
        steps.to_array().map(|step| step.clamp(-Self::LARGEST, Self::LARGEST) as i64)
    }
}

/// The sign of the volume of `a b c d`: 1 if `d` is on the side of the plane `a b c` from which these turn counter-clockwise, -1 on the
/// other side, 0 in the plane. Exact: differences have 25 bits, their products of two 51, and the sum of products of three 78.
pub(super) fn side([a, b, c]: [Point; 3], d: Point) -> i32 {
    let from_a = |point: Point| [point[0] - a[0], point[1] - a[1], point[2] - a[2]];
    let ([b0, b1, b2], [c0, c1, c2], [d0, d1, d2]) = (from_a(b), from_a(c), from_a(d));
    let term = |minor: i64, factor: i64| i128::from(minor) * i128::from(factor);
    let volume = term(b1 * c2 - b2 * c1, d0) + term(b2 * c0 - b0 * c2, d1) + term(b0 * c1 - b1 * c0, d2);
    volume.signum() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
