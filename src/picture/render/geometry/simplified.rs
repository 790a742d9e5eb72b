//! Meshes with fewer triangles, for previews on a software adapter: there, a triangle that is smaller than a few pixels
//! takes as long as a larger one, and each vertex is transformed on one core. The vertices that are left move exactly
//! as they do in the whole mesh.

use bytemuck::cast_slice;
use glam::Vec3;
use meshopt::{SimplifyOptions, VertexDataAdapter, simplify_with_attributes_and_locks};
use rayon::prelude::*;

use super::draws::position_mm;
use smirk_base::random;
use smirk_face::head::{Bounds, Head, Mesh};

/// For each part of each mesh of a head, the triangles that are drawn in its place, as indices of vertices of the mesh.
#[derive(Debug)]
pub(crate) struct SimplifiedHead {
    triangles: Vec<Vec<Vec<u32>>>,
}

impl SimplifiedHead {
    /// How far the surface is from that of the whole head, in millimetres: the square root of a weighted mean of
    /// squared distances and of the differences below (M. Garland and P. Heckbert, "Simplifying surfaces with color and
    /// texture using quadric error metrics", 1998). Of the vertices of the bundled face, 99 in a hundred are about as
    /// close at rest, and closer than twice that with any target at weight 1.
    pub(crate) const ERROR_MM: f32 = 0.2;

    /// Simplifies a head, which takes some tens of milliseconds for a hundred thousand triangles with 50 targets.
    pub(crate) fn new(head: &Head) -> Self {
        let triangles = head.meshes.par_iter().map(|mesh| {
            let vertices = MeasuredVertices::new(head, mesh);
            mesh.parts.iter().map(|part| vertices.simplified(mesh.triangles_of(part))).collect()
        });
        Self { triangles: triangles.collect() }
    }

    pub(super) fn triangles_of(&self, mesh: usize, part: usize) -> &[u32] {
        &self.triangles[mesh][part]
    }
}

/// What the error of a simplified mesh is measured by: positions, and attributes that count as distances.
struct MeasuredVertices {
    /// In millimetres.
    positions: Vec<Vec3>,
    /// For each vertex, in millimetres: normal, texture coordinates, sums of deltas.
    attributes: Vec<[f32; Self::ATTRIBUTES]>,
    /// For each vertex, whether it has to stay.
    locked: Vec<bool>,
}

impl MeasuredVertices {
    /// A normal that is wrong by 1 is as bad as this distance in millimetres.
    const NORMAL_MM: f32 = 0.6;
    /// The same for a texture coordinate. A texture covers some 250 mm of a face.
    const UV_MM: f32 = 60.0;
    /// The same for a millimetre by which the movement of a target at weight 1 is wrong: what moves is looked at.
    const DELTA: f32 = 4.0;
    /// Sums of the deltas of all targets with random signs stand for all of them: the mean of their squared differences
    /// is the sum of the squared differences of the targets (D. Achlioptas, "Database-friendly random projections",
    /// 2003). The library takes 32 attributes at most.
    const SUMS: usize = 8;
    const ATTRIBUTES: usize = 3 + 2 + 3 * Self::SUMS;

    fn new(head: &Head, mesh: &Mesh) -> Self {
        let (count, mm_per_unit) = (mesh.vertices.len(), head.mm_per_unit());
        let positions = (0..count).map(|vertex| position_mm(head, mesh, vertex, mm_per_unit)).collect();
        let mut attributes = vec![[0.0; Self::ATTRIBUTES]; count];
        for (attributes, normal) in attributes.iter_mut().zip(&mesh.vertices.normals) {
            attributes[..3].copy_from_slice(&(*normal * Self::NORMAL_MM).to_array());
        }
        for (attributes, uv) in attributes.iter_mut().zip(&mesh.vertices.uvs) {
            attributes[3..5].copy_from_slice(&(*uv * Self::UV_MM).to_array());
        }
        let scale = head.rest_pose.largest_scale(mesh) * mm_per_unit * Self::DELTA / (Self::SUMS as f32).sqrt();
        for (index, target) in mesh.targets.iter().enumerate() {
            let bits = random::bits(0, index as u64);
            let scales: [f32; Self::SUMS] =
                std::array::from_fn(|sum| if bits >> sum & 1 == 1 { scale } else { -scale });
            for (&row, delta) in target.rows.iter().zip(&target.positions) {
                let Some(attributes) = attributes.get_mut(row as usize) else { continue };
                let (sums, _) = attributes[5..].as_chunks_mut::<3>();
                for (sum, scale) in sums.iter_mut().zip(scales) {
                    *sum = (Vec3::from_array(*sum) + *delta * scale).to_array();
                }
            }
        }
        Self { positions, attributes, locked: vec![false; count] }
    }

    /// Fewer of these triangles, or all of them where they cannot be measured.
    fn simplified(&self, triangles: &[u32]) -> Vec<u32> {
        let vertices = || triangles.iter().map(|&vertex| vertex as usize);
        let positions = VertexDataAdapter::new(cast_slice(&self.positions), size_of::<Vec3>(), 0);
        let are_measured = vertices().all(|vertex| {
            let (position, attributes) = (self.positions.get(vertex), self.attributes.get(vertex));
            position.is_some_and(|position| position.is_finite())
                && attributes.is_some_and(|attributes| attributes.iter().all(|value| value.is_finite()))
        });
        let (Ok(positions), true) = (positions, are_measured) else { return triangles.to_vec() };
        let bounds = Bounds::around(vertices().map(|vertex| self.positions[vertex]));
        // The library measures attributes by the largest side of the box of the vertices.
        let weights = [1.0 / bounds.size().max_element().max(f32::MIN_POSITIVE); Self::ATTRIBUTES];
        simplify_with_attributes_and_locks(
            triangles,
            &positions,
            self.attributes.as_flattened(),
            &weights,
            size_of_val(&weights),
            &self.locked,
            0,
            SimplifiedHead::ERROR_MM,
            // Where a part ends, another one may begin, and there must be no gap.
            SimplifyOptions::ErrorAbsolute | SimplifyOptions::Sparse | SimplifyOptions::LockBorder,
            None,
        )
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{Vec2, Vec3};

    use super::*;
    use smirk_face::head::{Part, Target, Vertices};

    /// Squares along each side of a sheet of 140 × 140 mm.
    const SIDE: u32 = 32;

    /// A sheet in two parts, left and right. A target bulges the right half.
    fn sheet() -> Arc<Head> {
        let at = |index: u32| Vec2::new((index % (SIDE + 1)) as f32, (index / (SIDE + 1)) as f32) / SIDE as f32 - 0.5;
        let vertices = || (0..(SIDE + 1) * (SIDE + 1)).map(at);
        let positions: Vec<Vec3> = vertices().map(|at| (at * 2.0).extend(0.0)).collect();
        let bulge = |at: Vec2| (at.x.max(0.0) * std::f32::consts::TAU).sin() * (at.y * std::f32::consts::PI).cos();
        let bent: Vec<Vec3> = vertices().map(|at| Vec3::Z * 0.3 * bulge(at)).collect();
        let squares = |columns: std::ops::Range<u32>| {
            (0..SIDE).flat_map(move |row| columns.clone().map(move |column| row * (SIDE + 1) + column))
        };
        let triangles = |first: u32| [first, first + 1, first + SIDE + 2, first, first + SIDE + 2, first + SIDE + 1];
        let indices: Vec<u32> = squares(0..SIDE / 2).chain(squares(SIDE / 2..SIDE)).flat_map(triangles).collect();
        let index_count = indices.len() as u32 / 2;
        let parts = [0, index_count]
            .map(|first_index| Part { first_index, index_count, material: 0, flat_shaded: false })
            .to_vec();
        let target = Target::from_dense("bulge".into(), 0.0, &bent, &[], &[]);
        let vertices = Vertices { normals: vec![Vec3::Z; positions.len()], positions, ..Vertices::default() };
        let mesh = Mesh { vertices, indices, parts, targets: vec![target], ..Mesh::default() };
        Arc::new(Head::from_meshes(vec![mesh]))
    }

    /// The largest distance in z of the vertices of a part from its simplified triangles, in millimetres, with the
    /// target at a weight.
    fn error_mm(head: &Head, part: usize, triangles: &[u32], weight: f32) -> f32 {
        let mesh = &head.meshes[0];
        let mm_per_unit = head.mm_per_unit();
        let target = &mesh.targets[0];
        let height = |vertex: u32| {
            target.rows.binary_search(&vertex).map_or(0.0, |row| target.positions[row].z * weight) * mm_per_unit
        };
        let flat = |vertex: u32| mesh.vertices.positions[vertex as usize].truncate();
        let vertices = mesh.triangles_of(&mesh.parts[part]);
        let distance = |&vertex: &u32| {
            let at = flat(vertex);
            let over = triangles.as_chunks::<3>().0.iter().filter_map(|&[a, b, c]| {
                let (ab, ac, point) = (flat(b) - flat(a), flat(c) - flat(a), at - flat(a));
                let area = ab.perp_dot(ac);
                let (v, w) = (point.perp_dot(ac) / area, ab.perp_dot(point) / area);
                (v.min(w).min(1.0 - v - w) > -1e-4).then(|| height(a) * (1.0 - v - w) + height(b) * v + height(c) * w)
            });
            over.map(|z| (z - height(vertex)).abs()).fold(f32::INFINITY, f32::min)
        };
        vertices.iter().map(distance).fold(0.0, f32::max)
    }

    #[test]
    fn what_is_flat_and_stays_flat_loses_most_triangles_and_what_a_target_bends_keeps_its_shape() {
        let head = sheet();
        let simplified = SimplifiedHead::new(&head);
        let all = head.meshes[0].indices.len() / 2;
        let [flat, bent] = [0, 1].map(|part| simplified.triangles_of(0, part));
        // The border of the flat half has three sides of its own and one that the bent half shares; all of them stay.
        assert!(flat.len() < all / 4, "{} of {all}", flat.len());
        assert!(bent.len() > flat.len() && bent.len() < all, "{} of {all}", bent.len());
        for weight in [0.0, 0.5, 1.0] {
            for (part, triangles) in [flat, bent].into_iter().enumerate() {
                let error = error_mm(&head, part, triangles, weight);
                assert!(error < 5.0 * SimplifiedHead::ERROR_MM, "{error} mm in part {part} with the weight {weight}");
            }
        }
        // Without the deltas, the bent half would be as coarse as the flat one, and wrong by much more.
        assert!(error_mm(&head, 1, &flat_triangles(&head), 1.0) > 10.0 * SimplifiedHead::ERROR_MM);
    }

    /// The triangles of the bent part, simplified as if nothing bent it.
    fn flat_triangles(head: &Head) -> Vec<u32> {
        let mesh = Mesh { targets: Vec::new(), ..head.meshes[0].clone() };
        MeasuredVertices::new(head, &mesh).simplified(mesh.triangles_of(&mesh.parts[1]))
    }

    #[test]
    fn no_vertex_of_a_border_is_left_out() {
        let head = sheet();
        let simplified = SimplifiedHead::new(&head);
        for row in 0..=SIDE {
            let between = row * (SIDE + 1) + SIDE / 2;
            assert!((0..2).all(|part| simplified.triangles_of(0, part).contains(&between)), "row {row}");
        }
    }

    #[test]
    fn a_part_with_numbers_that_are_not_finite_or_vertices_that_are_not_there_keeps_its_triangles() {
        let damages: [fn(&mut Mesh); 3] = [
            |mesh| mesh.vertices.positions[5].x = f32::NAN,
            |mesh| mesh.vertices.normals[5].x = f32::INFINITY,
            |mesh| mesh.indices[7] = 1 << 30,
        ];
        for damage in damages {
            let head = sheet();
            let mut mesh = head.meshes[0].clone();
            damage(&mut mesh);
            let triangles = mesh.triangles_of(&mesh.parts[0]);
            assert_eq!(MeasuredVertices::new(&head, &mesh).simplified(triangles), triangles);
        }
        assert!(MeasuredVertices::new(&sheet(), &Mesh::default()).simplified(&[]).is_empty());
    }
}
