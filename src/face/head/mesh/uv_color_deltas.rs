//! Deltas of texture coordinates and colours in morph targets (glTF 2.0 §3.7.2.2).
//!
//! Few files have any. They are not part of the blend, which moves surfaces; the renderer sums them up here.

use glam::{Vec2, Vec4};

use super::Mesh;

/// The changes that a target at weight 1 adds. Vertices that do not change are not stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvColorDeltas {
    /// The vertices that change, strictly increasing.
    pub rows: Vec<u32>,
    /// Added to the texture coordinates, of the first set and of the second; one pair per row.
    pub uvs: Vec<[Vec2; 2]>,
    /// Added to the linear colour; the sum is clamped to 0..1 at the end; one per row.
    pub colors: Vec<Vec4>,
}

impl Mesh {
    /// The vertices whose texture coordinates or colours some target changes, strictly increasing.
    pub fn uv_color_rows(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.targets.iter().flat_map(|target| &target.uv_color_deltas.rows).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The texture coordinates of both sets and the linear colours of these vertices at `weights`, which has one number per target
    /// of the mesh.
    pub fn uvs_and_colors(&self, rows: &[u32], weights: &[f32]) -> Vec<([Vec2; 2], Vec4)> {
        let at_rest = |&row: &u32| {
            let uvs = [&self.vertices.uvs, &self.vertices.second_uvs];
            let uvs = uvs.map(|set| set.get(row as usize).copied().unwrap_or_default());
            (uvs, self.vertices.colors.get(row as usize).map_or(Vec4::ONE, |&color| color.into()))
        };
        let mut sums: Vec<([Vec2; 2], Vec4)> = rows.iter().map(at_rest).collect();
        for (target, &weight) in self.targets.iter().zip(weights) {
            if weight == 0.0 || !weight.is_finite() {
                continue;
            }
            let deltas = &target.uv_color_deltas;
            for ((row, uvs), &color) in deltas.rows.iter().zip(&deltas.uvs).zip(&deltas.colors) {
                if let Ok(place) = rows.binary_search(row) {
                    let (sum, color_sum) = &mut sums[place];
                    sum.iter_mut().zip(uvs).for_each(|(sum, &uv)| *sum += uv * weight);
                    *color_sum += color * weight;
                }
            }
        }
        sums.iter_mut().for_each(|(_, color)| *color = color.clamp(Vec4::ZERO, Vec4::ONE));
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Target, Vertices};

    #[test]
    fn coordinates_add_up_and_colours_are_clamped_after_the_sum() {
        let paint = |row, u, red| UvColorDeltas {
            rows: vec![row],
            uvs: vec![[Vec2::X * u, Vec2::Y * u]],
            colors: vec![Vec4::X * red],
        };
        let target = |deltas| Target { uv_color_deltas: deltas, ..Target::default() };
        let vertices = Vertices {
            uvs: vec![Vec2::splat(0.5); 3],
            second_uvs: vec![Vec2::splat(0.25); 3],
            colors: vec![[0.5, 0.5, 0.5, 1.0]; 3],
            ..Vertices::default()
        };
        let targets = vec![target(paint(0, 0.25, 2.0)), target(paint(2, 1.0, -1.0)), target(paint(0, 0.5, -1.0))];
        let mesh = Mesh { vertices, targets, ..Mesh::default() };
        let rows = mesh.uv_color_rows();
        assert_eq!(rows, [0, 2]);
        let grey = Vec4::new(0.5, 0.5, 0.5, 1.0);
        assert_eq!(
            mesh.uvs_and_colors(&rows, &[0.0, f32::NAN, 0.0]),
            [([Vec2::splat(0.5), Vec2::splat(0.25)], grey); 2]
        );
        let [both, other] = mesh.uvs_and_colors(&rows, &[1.0, 1.0, 2.0])[..] else { panic!() };
        assert_eq!(both, ([Vec2::new(1.75, 0.5), Vec2::new(0.25, 1.5)], grey), "2 up and 2 down: no limit in between");
        assert_eq!(other, ([Vec2::new(1.5, 0.5), Vec2::new(0.25, 1.25)], Vec4::new(0.0, 0.5, 0.5, 1.0)));
    }
}
