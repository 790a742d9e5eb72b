//! Points of the surface of a head, by the names of its meshes.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::Head;

/// A point of a triangle. It stays on the surface, however that is deformed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfacePoint {
    pub mesh: String,
    pub vertices: [u32; 3],
    /// The weights of the vertices at the point; their sum is 1.
    pub weights: [f32; 3],
}

/// The same on a head that has its triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundPoint {
    /// Index into [`Asset::meshes`](super::Asset::meshes).
    pub mesh: usize,
    pub vertices: [u32; 3],
    pub weights: Vec3,
}

impl SurfacePoint {
    /// The point on a head; `None` if that has no such mesh or triangle.
    pub fn on(&self, head: &Head) -> Option<BoundPoint> {
        let mesh = head.meshes.iter().position(|mesh| mesh.name == self.mesh)?;
        let mut sorted = self.vertices;
        sorted.sort_unstable();
        let (of, [a, b, c]) = (&head.meshes[mesh], sorted);
        if c as usize >= of.vertices.positions.len() || a == b || b == c {
            return None;
        }
        let has_triangle = of.parts.iter().any(|part| {
            of.triangles_of(part)
                .as_chunks::<3>()
                .0
                .iter()
                .any(|triangle| triangle.contains(&a) && triangle.contains(&b) && triangle.contains(&c))
        });
        has_triangle.then(|| BoundPoint { mesh, vertices: self.vertices, weights: Vec3::from_array(self.weights) })
    }

    /// The same with weights that make sense; `None` if they are no numbers.
    pub fn within_reason(mut self) -> Option<Self> {
        let weights = Vec3::from_array(self.weights);
        if (weights.element_sum() - 1.0).abs() > 1e-3 || weights.min_element() < 0.0 {
            let weights = weights.clamp(Vec3::ZERO, Vec3::ONE);
            self.weights = (weights / weights.element_sum()).to_array();
        }
        self.weights.iter().all(|weight| weight.is_finite()).then_some(self)
    }
}

impl BoundPoint {
    /// Where it is in the world while the head is at rest.
    pub fn at_rest(&self, head: &Head) -> Vec3 {
        let mesh = &head.meshes[self.mesh];
        let corner = |vertex: u32| {
            let world_from_vertex = head.rest_pose.world_from_vertex(mesh, vertex as usize);
            world_from_vertex.transform_point3(mesh.vertices.positions[vertex as usize])
        };
        let [a, b, c] = self.vertices.map(corner);
        a * self.weights.x + b * self.weights.y + c * self.weights.z
    }
}
