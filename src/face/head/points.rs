//! The points of meshes: vertices that a file splits at seams of texture coordinates or normals are one point where the
//! head knows what they were split from. Files of meshes and point caches have one position per point, in this order.

use std::collections::BTreeMap;

use glam::Vec3;

use super::{Head, Mesh, Part, RigPose};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Points {
    /// Per mesh, per vertex, the index of its point over all meshes.
    pub of_vertices: Vec<Vec<u32>>,
    /// Per point, a mesh (as an index into the chosen ones) and a vertex of it that is there.
    pub places: Vec<(usize, u32)>,
}

impl Points {
    pub fn new(head: &Head, meshes: &[usize]) -> Self {
        let mut points = Self::default();
        for (number, &mesh) in meshes.iter().enumerate() {
            points.add(number, &head.meshes[mesh]);
        }
        points
    }

    fn add(&mut self, number: usize, mesh: &Mesh) {
        let first = self.places.len() as u32;
        let (count, control_points) = (mesh.vertices.len() as u32, &mesh.vertices.control_points);
        if control_points.len() != mesh.vertices.len() {
            self.places.extend((0..count).map(|vertex| (number, vertex)));
            self.of_vertices.push((first..first + count).collect());
            return;
        }
        // In the order of the control points, which is that of the file that the head came from.
        let mut vertex_of = BTreeMap::new();
        for (vertex, &point) in control_points.iter().enumerate() {
            vertex_of.entry(point).or_insert(vertex as u32);
        }
        let index_of: BTreeMap<u32, u32> =
            vertex_of.keys().zip(first..).map(|(&point, index)| (point, index)).collect();
        self.places.extend(vertex_of.values().map(|&vertex| (number, vertex)));
        self.of_vertices.push(control_points.iter().map(|point| index_of[point]).collect());
    }

    #[allow(clippy::len_without_is_empty, reason = "no caller asks")]
    pub fn len(&self) -> usize {
        self.places.len()
    }
}

impl Head {
    /// Adds to `positions` where the points of all meshes are, in world space, with these weights, one per target, and
    /// this pose of the rig.
    pub fn add_positions(&self, points: &Points, weights: &[f32], pose: &RigPose, positions: &mut Vec<Vec3>) {
        let morphed = self.meshes.iter().map(|mesh| {
            let mut of_mesh = mesh.vertices.positions.clone();
            for (target, at) in mesh.targets.iter().zip(mesh.first_target..) {
                let weight = weights.get(at).copied().filter(|weight| weight.is_finite()).unwrap_or(0.0);
                for (shape, weight) in target.shapes_at(weight) {
                    let moved = shape.rows.iter().zip(shape.positions).filter(|(_, delta)| delta.is_finite());
                    moved.for_each(|(&row, delta)| of_mesh[row as usize] += *delta * weight);
                }
            }
            of_mesh
        });
        let morphed: Vec<Vec<Vec3>> = morphed.collect();
        positions.extend(points.places.iter().map(|&(mesh, vertex)| {
            let position = morphed[mesh][vertex as usize];
            pose.world_from_vertex(&self.meshes[mesh], vertex as usize).transform_point3(position)
        }));
    }

    /// The meshes of which something can be seen, as indices.
    pub fn visible_meshes(&self) -> Vec<usize> {
        let meshes = self.meshes.iter().enumerate();
        let visible = meshes.filter(|(_, mesh)| mesh.parts.iter().any(|part| self.is_visible(part)));
        visible.map(|(index, _)| index).collect()
    }

    /// Whether anything of a part can be seen: its material is not wholly transparent.
    fn is_visible(&self, part: &Part) -> bool {
        let Some(material) = self.materials.get(part.material).filter(|_| part.index_count > 0) else { return false };
        !material.is_invisible()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Vertices;
    use glam::Vec3;

    #[test]
    fn split_vertices_are_one_point_in_the_order_of_their_control_points() {
        let mesh = |control_points: Vec<u32>, count: usize| Mesh {
            vertices: Vertices { positions: vec![Vec3::ZERO; count], control_points, ..Vertices::default() },
            ..Mesh::default()
        };
        let meshes = vec![mesh(vec![], 2), mesh(vec![7, 3, 7, 5], 4)];
        let head = Head::from_meshes(meshes);
        let points = Points::new(&head, &[1, 0]);
        assert_eq!(points.of_vertices, [vec![2, 0, 2, 1], vec![3, 4]]);
        assert_eq!(points.places, [(0, 1), (0, 3), (0, 0), (1, 0), (1, 1)]);
        assert_eq!(Points::new(&head, &[]).len(), 0);
    }
}
