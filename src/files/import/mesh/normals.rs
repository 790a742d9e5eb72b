//! Smooth normals computed from triangles, for files without normals.

use glam::{DVec3, Vec3};

/// One normal per group of vertices: the mean normal of the triangles at its vertices, weighted by their angles there (G. Thürmer,
/// C. Wüthrich, "Computing Vertex Normals from Polygonal Facets", 1998). Unit length, or zero without triangles.
///
/// `group_of[vertex]` is the group of a vertex; vertices of groups from `group_count` on are ignored.
pub(crate) fn smooth_normals(positions: &[Vec3], indices: &[u32], group_of: &[u32], group_count: usize) -> Vec<Vec3> {
    // Computed in f64, where the square of any f32 is finite.
    let mut sums = vec![DVec3::ZERO; group_count];
    for triangle in indices.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize].as_dvec3());
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        for (vertex, (to_previous, to_next)) in triangle.iter().zip([(c - a, b - a), (a - b, c - b), (b - c, a - c)]) {
            if let Some(sum) = sums.get_mut(group_of[*vertex as usize] as usize) {
                *sum += normal * to_previous.angle_between(to_next);
            }
        }
    }
    sums.into_iter().map(|sum| sum.try_normalize().unwrap_or_default().as_vec3()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_counts_by_its_angle_not_by_its_number_of_triangles() {
        // A box's corner; two of the three sides are one triangle, the third is two.
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 1.0, 0.0)];
        let indices = [0, 4, 1, 0, 2, 4, 0, 3, 2, 0, 1, 3];
        let normals = smooth_normals(&positions, &indices, &[0, 9, 9, 9, 9], 1);
        assert!(normals[0].distance(Vec3::splat(-1.0).normalize_or_zero()) < 1e-6, "{}", normals[0]);
    }

    #[test]
    fn vast_and_flat_surfaces_have_finite_normals() {
        let positions = [Vec3::ZERO, Vec3::X * 1e38, Vec3::Y * 1e38];
        assert_eq!(smooth_normals(&positions, &[0, 1, 2], &[0, 0, 0], 1), [Vec3::Z]);
        assert_eq!(smooth_normals(&[Vec3::ONE; 3], &[0, 1, 2], &[0, 1, 2], 3), [Vec3::ZERO; 3]);
    }
}
