//! The surface of one mesh. Vertices that a file splits although the surface is smooth there are one point of it.

use glam::{Mat3, Vec3};

use crate::blend::{Groups, triangles};
use smirk_face::head::{Head, Mesh};

/// The points, edges and triangles of a mesh.
#[derive(Debug)]
pub(super) struct MeasuredMesh {
    /// Per vertex, the point that it is.
    point_of: Vec<u32>,
    /// Per point, its first vertex.
    vertices: Vec<u32>,
    /// Per point, where it is at rest, in millimetres.
    pub rest_mm: Vec<Vec3>,
    /// From directions of the mesh to millimetres, with all nodes at rest: one matrix per point, or one for all.
    mm_from_mesh: Vec<Mat3>,
    /// The points of each triangle, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The points of each edge, once.
    pub edges: Vec<[u32; 2]>,
}

impl MeasuredMesh {
    pub(super) fn new(head: &Head, mesh: &Mesh) -> Self {
        let (rig_pose, mm_per_unit) = (&head.rest_pose, head.mm_per_unit());
        let groups = Groups::of(&mesh.vertices);
        let vertices: Vec<u32> = (0..groups.count()).map(|group| groups.members(group)[0]).collect();
        let point_of: Vec<u32> = (0..mesh.vertices.len()).map(|vertex| groups.of_vertex(vertex) as u32).collect();
        let worlds = vertices.iter().map(|&vertex| rig_pose.world_from_vertex(mesh, vertex as usize));
        let rest_mm = vertices
            .iter()
            .zip(worlds.clone())
            .map(|(&vertex, world)| world.transform_point3(mesh.vertices.positions[vertex as usize]) * mm_per_unit);
        let matrices = worlds.take(if mesh.skin.is_some() { vertices.len() } else { 1 });
        let is_mirrored = rig_pose.is_mirrored(mesh);
        let points = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| point_of[vertex as usize]);
            if is_mirrored { [a, c, b] } else { [a, b, c] }
        };
        let triangles: Vec<[u32; 3]> = triangles(mesh).map(points).collect();
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).filter(|[a, b]| a != b).collect();
        edges.sort_unstable();
        edges.dedup();
        Self {
            rest_mm: rest_mm.collect(),
            mm_from_mesh: matrices.map(|world| Mat3::from_mat4(world) * mm_per_unit).collect(),
            vertices,
            point_of,
            triangles,
            edges,
        }
    }

    /// Where the points are, in millimetres. `deformed` are the positions of all vertices in mesh space.
    pub(super) fn deformed_mm(&self, mesh: &Mesh, deformed: &[Vec3]) -> Vec<Vec3> {
        let matrix = |point: usize| self.mm_from_mesh[point.min(self.mm_from_mesh.len() - 1)];
        let points = self.vertices.iter().zip(&self.rest_mm).enumerate();
        let moved = points.map(|(point, (&vertex, &rest))| {
            let vertex = vertex as usize;
            rest + matrix(point) * (deformed[vertex] - mesh.vertices.positions[vertex])
        });
        moved.collect()
    }

    /// A value per point as a value per vertex.
    pub(super) fn per_vertex(&self, values: &[f32]) -> Vec<f32> {
        self.point_of.iter().map(|&point| values[point as usize]).collect()
    }
}
