//! The points of baked meshes: vertices that a file splits at seams of texture coordinates or normals are one point where the head
//! knows what they were split from. An OBJ file and a point cache of the same meshes have the same points in the same order.

use std::collections::BTreeMap;

use glam::Vec3;

use super::baked::BakedMesh;
use smirk_face::head::{Head, Mesh};

/// The points of some meshes of a head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Points {
    /// Per mesh, per vertex, the index of its point over all meshes.
    pub of_vertices: Vec<Vec<u32>>,
    /// Per point, a mesh (as an index into the chosen ones) and a vertex of it that is there.
    places: Vec<(usize, u32)>,
}

impl Points {
    /// The points of meshes, given by their indices.
    pub(super) fn of(head: &Head, meshes: &[usize]) -> Self {
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

    /// The number of points.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Their positions.
    pub(super) fn positions<'a>(&'a self, baked: &'a [BakedMesh]) -> impl Iterator<Item = Vec3> + 'a {
        self.places.iter().map(|&(mesh, vertex)| baked[mesh].positions[vertex as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Vertices};

    #[test]
    fn split_vertices_are_one_point_in_the_order_of_their_control_points() {
        let mesh = |control_points: Vec<u32>, count: usize| Mesh {
            vertices: Vertices { positions: vec![Vec3::ZERO; count], control_points, ..Vertices::default() },
            ..Mesh::default()
        };
        let meshes = vec![mesh(vec![], 2), mesh(vec![7, 3, 7, 5], 4)];
        let head = Head::new(Asset { meshes, ..Asset::default() });
        let points = Points::of(&head, &[1, 0]);
        assert_eq!(points.of_vertices, [vec![2, 0, 2, 1], vec![3, 4]]);
        assert_eq!(points.places, [(0, 1), (0, 3), (0, 0), (1, 0), (1, 1)]);
        assert_eq!(Points::of(&head, &[]).len(), 0);
    }
}
