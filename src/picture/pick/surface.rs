//! The triangles of one mesh in the world, in groups with a box around each.

use glam::{Mat4, Vec3};
use rayon::prelude::*;

use crate::scene::Ray;
use smirk_face::head::{AlphaMode, Bounds, Head, Mesh, RigPose, Role};
use smirk_graphics::measure::deformed_positions;

/// The triangles of one group; neighbours in the file are mostly neighbours in space.
const GROUP: usize = 32;

/// A triangle of a mesh that can be picked.
#[derive(Clone, Copy, Debug)]
struct Triangle {
    vertices: [u32; 3],
    part: u32,
    /// Only its front is drawn.
    is_single_sided: bool,
}

/// The surface of one mesh.
#[derive(Debug)]
pub(super) struct Surface {
    triangles: Vec<Triangle>,
    /// Per vertex, in the world.
    positions: Vec<Vec3>,
    /// Per group, around its triangles.
    boxes: Vec<Bounds>,
    is_mirrored: bool,
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub distance: f32,
    pub vertices: [u32; 3],
    pub part: usize,
    /// The weights of the vertices; their sum is 1.
    pub weights: Vec3,
}

impl Surface {
    /// The triangles of a mesh that hide what is behind them, in a variant, of the materials whose role `shows` accepts: parts whose
    /// texture cuts them out, and clear layers, are looked through.
    pub(super) fn new(
        head: &Head,
        index: usize,
        (variant, roles): (Option<usize>, &[Role]),
        shows: impl Fn(Role) -> bool,
    ) -> Self {
        let mesh = &head.meshes[index];
        let known = mesh.vertices.len() as u32;
        let mut triangles = Vec::new();
        for (part_index, part) in mesh.parts.iter().enumerate() {
            let index_of_material = head.material_of(index, part_index, variant);
            let (material, role) = (&head.materials[index_of_material], roles[index_of_material]);
            let hides = material.alpha == AlphaMode::Opaque && material.transmission == 0.0 && role != Role::Cornea;
            if !hides || !shows(role) {
                continue;
            }
            let corners = mesh.triangles_of(part).as_chunks::<3>().0.iter();
            let usable = corners.filter(|corners| corners.iter().all(|&corner| corner < known));
            let (part, is_single_sided) = (part_index as u32, !material.double_sided);
            triangles.extend(usable.map(|&vertices| Triangle { vertices, part, is_single_sided }));
        }
        Self { triangles, positions: Vec::new(), boxes: Vec::new(), is_mirrored: false }
    }

    /// Moves the surface to where it is drawn.
    pub(super) fn place(&mut self, mesh: &Mesh, weights: &[f32], rig_pose: &RigPose) {
        if self.triangles.is_empty() {
            return;
        }
        let deformed = deformed_positions(mesh, weights);
        if mesh.skin.is_none() {
            let world = rig_pose.world_from_mesh(mesh);
            let in_world = |point: Vec3| world.transform_point3(point);
            self.positions = deformed.into_iter().map(in_world).collect();
        } else {
            let worlds = (0..deformed.len()).into_par_iter().with_min_len(512);
            let in_world = |vertex: usize| {
                let world: Mat4 = rig_pose.world_from_vertex(mesh, vertex);
                world.transform_point3(deformed[vertex])
            };
            self.positions = worlds.map(in_world).collect();
        }
        self.is_mirrored = rig_pose.is_mirrored(mesh);
        let positions = &self.positions;
        let corners = |triangle: &Triangle| triangle.vertices.map(|vertex| positions[vertex as usize]);
        self.boxes = self.triangles.chunks(GROUP).map(|group| Bounds::of(group.iter().flat_map(corners))).collect();
    }

    /// The first triangle that a ray meets, nearer than `nearest`.
    pub(super) fn first(&self, ray: &Ray, mut nearest: f32) -> Option<Meeting> {
        let inverse = ray.direction.recip();
        let mut found = None;
        for (group, bounds) in self.triangles.chunks(GROUP).zip(&self.boxes) {
            if !meets_box(ray.origin, inverse, bounds, nearest) {
                continue;
            }
            for triangle in group {
                if let Some((distance, weights)) = self.meets(triangle, ray).filter(|(distance, _)| *distance < nearest)
                {
                    nearest = distance;
                    let Triangle { vertices, part, .. } = *triangle;
                    found = Some(Meeting { distance, vertices, part: part as usize, weights });
                }
            }
        }
        found
    }

    /// The distance to a triangle, and the weights of its corners there (T. Möller and B. Trumbore, "Fast, minimum storage ray/triangle
    /// intersection", 1997).
    fn meets(&self, triangle: &Triangle, ray: &Ray) -> Option<(f32, Vec3)> {
        let [a, b, c] = triangle.vertices.map(|vertex| self.positions[vertex as usize]);
        let (to_b, to_c) = (b - a, c - a);
        let across = ray.direction.cross(to_c);
        // Positive where the front is seen.
        let determinant = to_b.dot(across);
        let is_front = (determinant > 0.0) != self.is_mirrored;
        if determinant == 0.0 || (triangle.is_single_sided && !is_front) {
            return None;
        }
        let from_a = (ray.origin - a) / determinant;
        let u = from_a.dot(across);
        let beside = from_a.cross(to_b);
        let v = ray.direction.dot(beside);
        let distance = to_c.dot(beside);
        let is_inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0;
        is_inside.then_some((distance, Vec3::new(1.0 - u - v, u, v)))
    }
}

/// Whether a ray meets a box before `nearest`. `inverse` are the reciprocals of its direction.
fn meets_box(origin: Vec3, inverse: Vec3, bounds: &Bounds, nearest: f32) -> bool {
    let (a, b) = ((bounds.min - origin) * inverse, (bounds.max - origin) * inverse);
    let (enters, leaves) = (a.min(b).max_element(), a.max(b).min_element());
    // False for NaN, which is where a ray runs within a side of the box: then its triangles are asked.
    !(enters > leaves || leaves < 0.0 || enters > nearest)
}
