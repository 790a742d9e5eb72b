//! A mesh as the modelling program knows it: its points, however many vertices a file has split each into.

use std::collections::HashMap;

use glam::{Mat4, Vec3};

use crate::head::{Bounds, Mesh};

/// The points of a mesh.
pub struct Points<'a> {
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Per vertex of the mesh.
    pub of_vertex: Vec<u32>,
    /// Where each is; NaN for one that no vertex stands for.
    pub positions: Vec<Vec3>,
    /// How many some vertex stands for.
    pub count: usize,
    size: f32,
    /// The mesh's triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Vertices by point, and where each point's begin.
    first_vertices: Vec<u32>,
    vertices: Vec<u32>,
}

impl<'a> Points<'a> {
    /// As the file numbers them; none if it does not.
    pub fn of_file(mesh: &'a Mesh, space: Mat4) -> Option<Self> {
        (!mesh.vertices.control_points.is_empty()).then(|| Self::new(mesh, space, mesh.vertices.control_points.clone()))
    }

    /// Each vertex a point of its own.
    pub fn unjoined(mesh: &'a Mesh, space: Mat4) -> Self {
        Self::new(mesh, space, (0..mesh.vertices.len() as u32).collect())
    }

    /// As the file numbers them, else vertices in one place joined.
    pub fn joined(mesh: &'a Mesh, space: Mat4) -> Self {
        Self::of_file(mesh, space).unwrap_or_else(|| {
            let mut first = HashMap::new();
            let place = |position: &Vec3| position.to_array().map(|value| (value + 0.0).to_bits());
            let joined = mesh.vertices.positions.iter().map(|position| {
                let next = first.len() as u32;
                *first.entry(place(position)).or_insert(next)
            });
            Self::new(mesh, space, joined.collect())
        })
    }

    fn new(mesh: &'a Mesh, space: Mat4, of_vertex: Vec<u32>) -> Self {
        let length = of_vertex.iter().max().map_or(0, |&last| last as usize + 1);
        let mut positions = vec![Vec3::NAN; length];
        let mut first_vertices = vec![0_u32; length + 1];
        for (&point, &position) in of_vertex.iter().zip(&mesh.vertices.positions) {
            // Exact where nothing is moved: what stands still must be seen to.
            let position = if space == Mat4::IDENTITY { position } else { space.transform_point3(position) };
            positions[point as usize] = position;
            first_vertices[point as usize + 1] += 1;
        }
        for point in 0..length {
            first_vertices[point + 1] += first_vertices[point];
        }
        let mut cursors = first_vertices.clone();
        let mut vertices = vec![0; of_vertex.len()];
        for (vertex, &point) in of_vertex.iter().enumerate() {
            let cursor = &mut cursors[point as usize];
            vertices[*cursor as usize] = vertex as u32;
            *cursor += 1;
        }
        let corners = mesh.indices.as_chunks::<3>().0.iter();
        let triangles = corners.map(|corners| corners.map(|vertex| of_vertex[vertex as usize])).collect();
        let count = positions.iter().filter(|position| !position.is_nan()).count();
        let size = Bounds::of(positions.iter().copied()).size().max_element().max(0.0);
        Self { mesh, of_vertex, positions, count, size, triangles, first_vertices, vertices }
    }

    /// The vertices that stand for a point.
    pub fn vertices_of(&self, point: u32) -> &[u32] {
        let [first, end] = [point, point + 1].map(|at| self.first_vertices[at as usize] as usize);
        &self.vertices[first..end]
    }

    /// The longest side of the box around them.
    pub fn size(&self) -> f32 {
        self.size
    }

    /// Points nearer than this stand in one place.
    pub fn size_of_a_place(&self) -> f32 {
        self.size * 1e-5
    }

    /// Which share of both meshes' edges they have in common, going by the numbers of points.
    pub fn shared_edges(&self, other: &Self) -> f32 {
        let (own, others) = (self.edges(), other.edges());
        let mut common = 0;
        let mut rest = &others[..];
        for edge in &own {
            rest = &rest[rest.partition_point(|other| other < edge)..];
            common += usize::from(rest.first() == Some(edge));
        }
        common as f32 / own.len().max(others.len()).max(1) as f32
    }

    fn edges(&self) -> Vec<[u32; 2]> {
        let sides = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }
}
