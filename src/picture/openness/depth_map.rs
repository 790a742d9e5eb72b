//! The nearest surface as seen from one direction, in parallel projection.

use std::ops::Range;

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
/// The number of texels that are drawn at once.
const LANES: usize = 4;
/// The number of texels from one row to the next: those after the last of a row may be written, and are never read.
const STRIDE: usize = SIDE + LANES;

/// For each texel, how far the nearest surface reaches towards the eye.
#[derive(Clone)]
pub(super) struct DepthMap {
    region: Region,
    right: Vec3,
    up: Vec3,
    to_eye: Vec3,
    heights: Vec<f32>,
}

impl DepthMap {
    /// An empty map, as seen from the direction `to_eye`.
    pub(super) fn new(region: Region, to_eye: Vec3) -> Self {
        let (right, up) = to_eye.any_orthonormal_pair();
        Self { region, right, up, to_eye, heights: vec![f32::NEG_INFINITY; STRIDE * SIDE] }
    }

    /// Draws triangles of `points`, in any order.
    pub(super) fn draw(&mut self, points: &[Vec3], triangles: &[[u32; 3]]) {
        let seen: Vec<Vec3> = points.iter().map(|&point| self.seen(point)).collect();
        for corners in triangles {
            self.draw_triangle(corners.map(|corner| seen[corner as usize]));
        }
    }

    /// Whether no surface is before a point. Outside the map, none is.
    pub(super) fn is_visible(&self, point: Vec3) -> bool {
        let seen = self.seen(point);
        let inside = |at: f32| (0.0..SIDE as f32).contains(&at).then_some(at as usize);
        let (Some(column), Some(row)) = (inside(seen.x), inside(seen.y)) else { return true };
        self.heights[row * STRIDE + column] <= seen.z
    }

    /// xy: in texels, z: the height towards the eye.
    fn seen(&self, point: Vec3) -> Vec3 {
        let offset = (point - self.region.center) / self.region.texel();
        let middle = SIDE as f32 * 0.5;
        Vec3::new(offset.dot(self.right) + middle, offset.dot(self.up) + middle, offset.dot(self.to_eye))
    }

    /// Raises the heights of the texels whose middle a triangle covers.
    fn draw_triangle(&mut self, [a, b, c]: [Vec3; 3]) {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let [columns, rows] = [middles(low.x, high.x), middles(low.y, high.y)];
        // Most triangles of a map lie outside it or between the middles of its texels.
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let (to_b, to_c) = ((b - a).truncate(), (c - a).truncate());
        let area = to_b.perp_dot(to_c);
        if area.is_nan() || area.abs() <= 1e-12 {
            return;
        }
        // Across the triangle, the weights of the corners b and c and the height change evenly.
        let (to_b, to_c) = (to_b / area, to_c / area);
        let (rise_b, rise_c) = (b.z - a.z, c.z - a.z);
        for row in rows {
            let start = Vec2::new(columns.start as f32 + 0.5, row as f32 + 0.5) - a.truncate();
            let (first_b, first_c) = (start.perp_dot(to_c), to_b.perp_dot(start));
            let end = row * STRIDE + columns.end;
            let mut at = row * STRIDE + columns.start;
            let mut column = 0.0;
            while at < end {
                // Several texels at once and without a branch, which would be mispredicted at every edge.
                let texels = &mut self.heights[at..at + LANES];
                for (lane, texel) in texels.iter_mut().enumerate() {
                    let across = column + lane as f32;
                    let (of_b, of_c) = (first_b + across * to_c.y, first_c - across * to_b.y);
                    let height = a.z + of_b * rise_b + of_c * rise_c;
                    let raises = (of_b >= 0.0) & (of_c >= 0.0) & (of_b + of_c <= 1.0) & (height > *texel);
                    *texel = if raises { height } else { *texel };
                }
                at += LANES;
                column += LANES as f32;
            }
        }
    }
}

/// The texels whose middles are from `low` to `high`, within the map.
fn middles(low: f32, high: f32) -> Range<usize> {
    // The cast rounds towards zero, and a number below it or none gives 0.
    let round_up = |at: f32| {
        let whole = at as u32;
        (whole + u32::from((whole as f32) < at)) as usize
    };
    // A number below 0 has no texel below it.
    let end = if high < 0.5 { 0 } else { (high - 0.5) as usize + 1 };
    round_up(low - 0.5)..end.min(SIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_triangle_is_hidden() {
        let points = [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
        let region = Region { center: Vec3::ZERO, radius: 2.0 };
        for (to_eye, behind) in [(Vec3::Z, Vec3::new(0.0, -0.2, -0.5)), (Vec3::NEG_Z, Vec3::new(0.0, -0.2, 0.5))] {
            let mut map = DepthMap::new(region, to_eye);
            map.draw(&points, &[[0, 1, 2]]);
            assert!(!map.is_visible(behind));
            assert!(map.is_visible(behind * Vec3::new(1.0, 1.0, -1.0)));
            assert!(map.is_visible(behind + Vec3::X), "beside it");
            assert!(map.is_visible(behind + Vec3::X * 9.0), "outside the map");
        }
    }
}
