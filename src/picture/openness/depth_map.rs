//! The nearest surface as seen from one direction, in parallel projection.

use glam::{Vec2, Vec3};

/// A sphere of space that a depth map covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Region {
    pub(super) center: Vec3,
    pub(super) radius: f32,
}

impl Region {
    /// The width of a texel in units of the world.
    pub(super) fn texel(self) -> f32 {
        2.0 * self.radius / SIDE as f32
    }

    pub(super) fn contains(self, point: Vec3) -> bool {
        point.distance_squared(self.center) <= self.radius * self.radius
    }
}

/// Texels along each side of a map.
const SIDE: usize = 512;

/// For each texel, how far the nearest surface reaches towards the eye.
pub(super) struct DepthMap {
    region: Region,
    right: Vec3,
    up: Vec3,
    to_eye: Vec3,
    heights: Vec<f32>,
}

impl DepthMap {
    /// Draws triangles of `points` as seen from the direction `to_eye`.
    pub(super) fn new(region: Region, to_eye: Vec3, points: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let (right, up) = to_eye.any_orthonormal_pair();
        let mut map = Self { region, right, up, to_eye, heights: vec![f32::NEG_INFINITY; SIDE * SIDE] };
        let seen: Vec<Vec3> = points.iter().map(|&point| map.seen(point)).collect();
        for corners in triangles {
            map.draw(corners.map(|corner| seen[corner as usize]));
        }
        map
    }

    /// Whether no surface is before a point. Outside the map, none is.
    pub(super) fn is_visible(&self, point: Vec3) -> bool {
        let seen = self.seen(point);
        let inside = |at: f32| (0.0..SIDE as f32).contains(&at).then_some(at as usize);
        let (Some(column), Some(row)) = (inside(seen.x), inside(seen.y)) else { return true };
        self.heights[row * SIDE + column] <= seen.z
    }

    /// xy: in texels, z: the height towards the eye.
    fn seen(&self, point: Vec3) -> Vec3 {
        let offset = (point - self.region.center) / self.region.texel();
        let middle = SIDE as f32 * 0.5;
        Vec3::new(offset.dot(self.right) + middle, offset.dot(self.up) + middle, offset.dot(self.to_eye))
    }

    /// Raises the heights of the texels whose middle a triangle covers.
    fn draw(&mut self, [a, b, c]: [Vec3; 3]) {
        let (flat_a, flat_b, flat_c) = (a.truncate(), b.truncate(), c.truncate());
        let area = (flat_b - flat_a).perp_dot(flat_c - flat_a);
        if area.is_nan() || area.abs() <= 1e-12 {
            return;
        }
        let (low, high) = (flat_a.min(flat_b).min(flat_c), flat_a.max(flat_b).max(flat_c));
        // The cast of a negative number gives 0.
        let first = |low: f32| (low - 0.5).ceil() as usize;
        let end = |high: f32| (((high - 0.5).floor() + 1.0) as usize).min(SIDE);
        // Across the triangle, the weights of the corners and the height change evenly.
        let weight_of_b = |at: Vec2| (at - flat_a).perp_dot(flat_c - flat_a) / area;
        let weight_of_c = |at: Vec2| (flat_b - flat_a).perp_dot(at - flat_a) / area;
        let step_b = (flat_c - flat_a).y / area;
        let step_c = -(flat_b - flat_a).y / area;
        for row in first(low.y)..end(high.y) {
            let start = Vec2::new(first(low.x) as f32 + 0.5, row as f32 + 0.5);
            let (mut of_b, mut of_c) = (weight_of_b(start), weight_of_c(start));
            for column in first(low.x)..end(high.x) {
                if of_b >= 0.0 && of_c >= 0.0 && of_b + of_c <= 1.0 {
                    let height = a.z + of_b * (b.z - a.z) + of_c * (c.z - a.z);
                    let texel = &mut self.heights[row * SIDE + column];
                    *texel = texel.max(height);
                }
                of_b += step_b;
                of_c += step_c;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_triangle_is_hidden() {
        let points = [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
        let region = Region { center: Vec3::ZERO, radius: 2.0 };
        for (to_eye, behind) in [(Vec3::Z, Vec3::new(0.0, -0.2, -0.5)), (Vec3::NEG_Z, Vec3::new(0.0, -0.2, 0.5))] {
            let map = DepthMap::new(region, to_eye, &points, &[[0, 1, 2]]);
            assert!(!map.is_visible(behind));
            assert!(map.is_visible(behind * Vec3::new(1.0, 1.0, -1.0)));
            assert!(map.is_visible(behind + Vec3::X), "beside it");
            assert!(map.is_visible(behind + Vec3::X * 9.0), "outside the map");
        }
    }
}
