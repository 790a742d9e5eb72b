//! Tangents of the textured skin: the direction of u, for the normal map. Both halves of the head share one half of the texture:
//! u increases to both sides of the middle, where a vertex has one tangent per half.

use glam::{DMat2, DVec2, DVec3, DVec4};

use super::rings::Chart;
use super::skin::Skin;
use super::texels;

/// Per side (left, right) and vertex of the skin: the sum of its triangles' directions.
pub struct Tangents {
    sums: [Vec<DVec3>; 2],
}

/// Whether a triangle is part of the right half.
pub fn is_right(skin: &Skin, corners: [usize; 3]) -> bool {
    corners.iter().map(|&corner| skin.vertices[corner].position.x).sum::<f64>() < 0.0
}

impl Tangents {
    /// Sums the directions of u of all triangles of the grid.
    pub fn new(skin: &Skin) -> Self {
        let none = vec![DVec3::ZERO; skin.vertices.len()];
        let mut sums = [none.clone(), none];
        for triangle in skin.triangles.iter().filter(|triangle| triangle.chart == Chart::Grid) {
            let corners = triangle.corners;
            let at = |i: usize| skin.vertices[corners[i]].position;
            let uv = |i: usize| skin.vertices[corners[i]].place.map_or(DVec2::ZERO, |place| texels::uv(skin, place));
            let edges = DMat2::from_cols(uv(1) - uv(0), uv(2) - uv(0));
            if edges.determinant().abs() < 1e-12 {
                continue;
            }
            // The parts of both edges that add up to one step along u.
            let share = edges.inverse() * DVec2::X;
            let along_u = (at(1) - at(0)) * share.x + (at(2) - at(0)) * share.y;
            let side = &mut sums[usize::from(is_right(skin, corners))];
            corners.iter().for_each(|&corner| side[corner] += along_u);
        }
        Self { sums }
    }

    /// The tangent of glTF: perpendicular to `normal`, with the side of the bitangent in w.
    pub fn at(&self, vertex: usize, is_right: bool, normal: DVec3) -> DVec4 {
        let sum = self.sums[usize::from(is_right)][vertex];
        let along = (sum - normal * sum.dot(normal)).try_normalize();
        let w = if is_right { -1.0 } else { 1.0 };
        along.unwrap_or_else(|| normal.any_orthonormal_vector()).extend(w)
    }
}
