//! How a surface is bent.

use glam::Vec3;

use super::measured_mesh::MeasuredMesh;

/// The mean curvature at each point of the surface, in 1/mm: of the edges at the point, the mean of how much the normal turns along
/// them per millimetre. 0 where there are no edges.
pub(super) fn curvature(mesh: &MeasuredMesh, deformed_mm: &[Vec3]) -> Vec<f32> {
    let normals = normals(mesh, deformed_mm);
    let mut sums = vec![(0.0_f32, 0.0_f32); deformed_mm.len()];
    for &[a, b] in &mesh.edges {
        let [a, b] = [a as usize, b as usize];
        let along = deformed_mm[b] - deformed_mm[a];
        let length_squared = along.length_squared();
        if length_squared > 1e-12 {
            let turn = (normals[b] - normals[a]).dot(along) / length_squared;
            for point in [a, b] {
                sums[point].0 += turn;
                sums[point].1 += 1.0;
            }
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count.max(1.0)).collect()
}

/// The unit normal at each point: the mean of those of its triangles, weighted by area. Zero where they cancel.
pub(super) fn normals(mesh: &MeasuredMesh, at_mm: &[Vec3]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; at_mm.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|point| at_mm[point as usize]);
        let area = (b - a).cross(c - a);
        triangle.iter().for_each(|&point| normals[point as usize] += area);
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Measure, MeasuredHead};
    use smirk_face::head::{Asset, Head, Mesh, Vertices};

    /// A sphere about 70 units wide, so that a unit is two millimetres of a head.
    fn sphere(radius: f32, is_inside_out: bool) -> Head {
        const ROWS: u32 = 24;
        let direction = |row: u32, column: u32| {
            let (polar, around) =
                (row as f32 / ROWS as f32 * std::f32::consts::PI, column as f32 / 48.0 * std::f32::consts::TAU);
            Vec3::new(polar.sin() * around.cos(), polar.cos(), polar.sin() * around.sin())
        };
        let directions: Vec<Vec3> = (0..=ROWS).flat_map(|row| (0..48).map(move |at| direction(row, at))).collect();
        let square = |row: u32, column: u32| {
            let [a, b] = [row * 48 + column, row * 48 + (column + 1) % 48];
            let square = [a, b, a + 48, b, b + 48, a + 48];
            if is_inside_out { [square[0], square[2], square[1], square[3], square[5], square[4]] } else { square }
        };
        let vertices = Vertices {
            positions: directions.iter().map(|&direction| direction * radius).collect(),
            normals: directions,
            ..Vertices::default()
        };
        let indices = (1..ROWS - 1).flat_map(|row| (0..48).flat_map(move |column| square(row, column))).collect();
        let mesh = Mesh { vertices, indices, ..Mesh::default() };
        Head::new(Asset { meshes: vec![mesh], ..Asset::default() })
    }

    #[test]
    fn a_sphere_is_bent_by_one_over_its_radius_and_a_bowl_the_other_way() {
        for (is_inside_out, sign) in [(false, 1.0), (true, -1.0)] {
            let head = sphere(20.0, is_inside_out);
            let values = MeasuredHead::new(&head).values(&head, Measure::Curvature, &[], &[]);
            let middle = values[0][12 * 48];
            let expected = sign / (20.0 * head.mm_per_unit());
            assert!((middle - expected).abs() < 0.01 * expected.abs(), "{middle} is not {expected}");
        }
    }
}
