//! The control points of a mesh: its vertices as the modelling program numbers them, before a file splits them at seams
//! of normals and texture coordinates.

use std::collections::HashMap;

use glam::{Mat4, Vec3};

use smirk_base::counting_sort::by_key;
use smirk_face::head::{Bounds, Mesh};

/// The control points of a mesh, and the vertices that each was split into.
pub(super) struct ControlPoints<'a> {
    pub mesh: &'a Mesh,
    /// Per vertex of the mesh, its control point.
    pub of_vertex: Vec<u32>,
    /// Position of each control point; NaN where no vertex belongs to it.
    pub positions: Vec<Vec3>,
    pub count: usize,
    size: f32,
    /// The mesh's triangles, with control points as corners.
    pub triangles: Vec<[u32; 3]>,
    /// Per control point the start of its vertices in `vertices`, and the end of the last.
    first_vertices: Vec<u32>,
    /// Vertices, sorted by control point.
    vertices: Vec<u32>,
}

impl<'a> ControlPoints<'a> {
    /// The control points as the file numbers them; none if the file does not number them.
    pub(super) fn of_file(mesh: &'a Mesh, space: Mat4) -> Option<Self> {
        let numbers = &mesh.vertices.control_points;
        (!numbers.is_empty()).then(|| Self::new(mesh, space, numbers.clone()))
    }

    pub(super) fn one_per_vertex(mesh: &'a Mesh, space: Mat4) -> Self {
        Self::new(mesh, space, (0..mesh.vertices.len() as u32).collect())
    }

    /// The control points that have vertices, in the order of their numbers; if the file does not number them, the
    /// vertices. Positions are those of the mesh.
    pub(super) fn ranked(mesh: &'a Mesh) -> Self {
        let numbers = &mesh.vertices.control_points;
        if numbers.is_empty() {
            return Self::one_per_vertex(mesh, Mat4::IDENTITY);
        }
        let mut used = numbers.clone();
        used.sort_unstable();
        used.dedup();
        Self::new(
            mesh,
            Mat4::IDENTITY,
            numbers.iter().map(|number| used.partition_point(|other| other < number) as u32).collect(),
        )
    }

    /// The control points as the file numbers them; if it does not, vertices at exactly the same position are one
    /// control point.
    pub(super) fn welded(mesh: &'a Mesh, space: Mat4) -> Self {
        Self::of_file(mesh, space).unwrap_or_else(|| {
            let mut first = HashMap::new();
            let welded = mesh.vertices.positions.iter().map(|position| {
                let next = first.len() as u32;
                // `+ 0.0` turns -0 into 0, so that both have the same bits.
                *first.entry(position.to_array().map(|value| (value + 0.0).to_bits())).or_insert(next)
            });
            Self::new(mesh, space, welded.collect())
        })
    }

    fn new(mesh: &'a Mesh, space: Mat4, of_vertex: Vec<u32>) -> Self {
        let length = of_vertex.iter().max().map_or(0, |&last| last as usize + 1);
        let mut positions = vec![Vec3::NAN; length];
        for (&point, &position) in of_vertex.iter().zip(&mesh.vertices.positions) {
            // Without a change of space the position stays exact, so that a vertex that does not move compares equal.
            let position = if space == Mat4::IDENTITY { position } else { space.transform_point3(position) };
            positions[point as usize] = position;
        }
        let (first_vertices, vertices) = by_key(length, of_vertex.iter().copied().zip(0..));
        let corners = mesh.indices.as_chunks::<3>().0.iter();
        let triangles = corners.map(|corners| corners.map(|vertex| of_vertex[vertex as usize])).collect();
        let count = positions.iter().filter(|position| !position.is_nan()).count();
        let size = Bounds::around(positions.iter().copied()).size().max_element().max(0.0);
        Self { mesh, of_vertex, positions, count, size, triangles, first_vertices, vertices }
    }

    pub(super) fn vertices_of(&self, point: u32) -> &[u32] {
        let [first, end] = [point, point + 1].map(|at| self.first_vertices[at as usize] as usize);
        &self.vertices[first..end]
    }

    pub(super) fn position_of(&self, vertex: u32) -> Vec3 {
        self.positions[self.of_vertex[vertex as usize] as usize]
    }

    /// The longest side of the bounding box.
    pub(super) fn size(&self) -> f32 {
        self.size
    }

    /// Control points closer than this count as being at the same position.
    pub(super) fn same_position_distance(&self) -> f32 {
        self.size * 1e-5
    }

    /// The part of both meshes' edges that they have in common, by the numbers of the control points.
    pub(super) fn shared_edges(&self, other: &Self) -> f32 {
        let (own, others) = (self.edges(), other.edges());
        let mut common = 0;
        let mut rest = &others[..];
        for edge in &own {
            rest = &rest[rest.partition_point(|other| other < edge)..];
            common += usize::from(rest.first() == Some(edge));
        }
        common as f32 / own.len().max(others.len()).max(1) as f32
    }

    /// All edges, each once, sorted, with the lower control point first.
    fn edges(&self) -> Vec<[u32; 2]> {
        let sides = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }
}
