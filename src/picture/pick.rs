//! What is under the pointer: the point of the deformed surface that a line of sight meets first, and the channels that
//! move it.

use std::sync::Arc;

use glam::{Mat3, Mat4, Vec3};
use rayon::prelude::*;

use smirk_analysis::measure::deformed_positions;
use smirk_face::head::{AlphaMode, Bounds, Head, Mesh, OfHead, RigPose, Role, Target};
use smirk_scene::{Look, MeshSet, Ray, scalps};

/// The point of the surface that a line of sight meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index into [`Asset::meshes`](smirk_face::head::Asset::meshes).
    pub mesh: usize,
    /// Index into the parts of the mesh.
    pub part: usize,
    /// The corners of the triangle.
    pub vertices: [u32; 3],
    /// The weight of each corner at the point; their sum is 1.
    pub weights: Vec3,
    /// In the world.
    pub point: Vec3,
}

/// What is shown of a head, and in which of its materials.
#[derive(Debug, PartialEq)]
struct VisibleParts {
    hidden: MeshSet,
    isolates_face: bool,
    variant: Option<usize>,
    roles: Vec<Role>,
}

/// The surface of one head, as it was drawn last.
#[derive(Debug, Default)]
pub struct Picker {
    of_head: OfHead<PlacedSurfaces>,
}

/// The surfaces of a head, and where they are.
#[derive(Debug, Default)]
struct PlacedSurfaces {
    /// What is shown of the head; none before the surfaces were collected.
    shown: Option<VisibleParts>,
    surfaces: Vec<Surface>,
    weights: Vec<f32>,
    world_from_nodes: Vec<Mat4>,
    is_placed: bool,
}

impl Picker {
    /// Moves the surface to where a picture shows it. Nothing is done if it is there already. A list of `roles` that
    /// has none for each material stands for those of the head.
    pub fn place(
        &mut self,
        head: &Arc<Head>,
        (look, roles): (&Look, &[Role]),
        weights: &[f32],
        world_from_nodes: &[Mat4],
    ) {
        let Look { hidden, isolates_face, variant, .. } = *look;
        let shown = VisibleParts { hidden, isolates_face, variant, roles: head.roles_or(roles).to_vec() };
        let placed = self.of_head.get_or_default(head);
        if placed.shown.as_ref() != Some(&shown) {
            let scalps = scalps(head);
            let surfaces = (0..head.meshes.len()).map(|mesh| {
                Surface::new(head, mesh, (variant, &shown.roles), |role| {
                    let is_scalp = role == Role::Hair && scalps.contains(mesh);
                    let is_left_out = isolates_face && matches!(role, Role::Hair | Role::Lash) && !is_scalp;
                    !is_left_out && !hidden.contains(mesh)
                })
            });
            placed.surfaces = surfaces.collect();
            (placed.shown, placed.is_placed) = (Some(shown), false);
        }
        if placed.is_placed && placed.weights == weights && placed.world_from_nodes == world_from_nodes {
            return;
        }
        let rig_pose = rig_pose(head, world_from_nodes);
        let meshes = placed.surfaces.par_iter_mut().zip(&head.meshes);
        meshes.for_each(|(surface, mesh)| surface.place(mesh, weights, &rig_pose));
        placed.weights = weights.to_vec();
        placed.world_from_nodes = world_from_nodes.to_vec();
        placed.is_placed = true;
    }

    /// What a line of sight meets first of a head; `None` too if another one was placed last.
    pub fn pick(&self, head: &Arc<Head>, ray: &Ray) -> Option<Hit> {
        let mut found = None;
        let mut nearest = f32::INFINITY;
        for (mesh, surface) in self.of_head.get(head)?.surfaces.iter().enumerate() {
            if let Some(meeting) = surface.first(ray, nearest) {
                nearest = meeting.distance;
                let point = ray.origin + ray.direction * meeting.distance;
                let (part, vertices, weights) = (meeting.part, meeting.vertices, meeting.weights);
                found = Some(Hit { mesh, part, vertices, weights, point });
            }
        }
        found
    }
}

/// The pose of the nodes of a head; those that are missing are at rest.
fn rig_pose(head: &Head, world_from_nodes: &[Mat4]) -> RigPose {
    let rest = head.rest_pose.world_from_node().iter().enumerate();
    let moved = rest.map(|(node, rest)| world_from_nodes.get(node).filter(|world| world.is_finite()).unwrap_or(rest));
    RigPose::new(&head.rig, moved.copied().collect())
}

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

#[derive(Debug)]
struct Surface {
    triangles: Vec<Triangle>,
    /// Per vertex, in the world.
    positions: Vec<Vec3>,
    /// Per group, around its triangles.
    boxes: Vec<Bounds>,
    is_mirrored: bool,
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    pub distance: f32,
    pub vertices: [u32; 3],
    pub part: usize,
    /// The weights of the vertices; their sum is 1.
    pub weights: Vec3,
}

impl Surface {
    /// The triangles of a mesh that hide what is behind them, in a variant, of the materials whose role `shows`
    /// accepts: parts whose texture cuts them out, and clear layers, are looked through.
    fn new(
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
    fn place(&mut self, mesh: &Mesh, weights: &[f32], rig_pose: &RigPose) {
        if self.triangles.is_empty() {
            return;
        }
        let deformed = deformed_positions(mesh, weights);
        if mesh.skin.is_none() {
            let world = rig_pose.world_from_mesh(mesh);
            self.positions = deformed.into_iter().map(|point| world.transform_point3(point)).collect();
        } else {
            let vertices = (0..deformed.len()).into_par_iter().with_min_len(512);
            let placed =
                vertices.map(|vertex| rig_pose.world_from_vertex(mesh, vertex).transform_point3(deformed[vertex]));
            self.positions = placed.collect();
        }
        self.is_mirrored = rig_pose.is_mirrored(mesh);
        let boxes = self.triangles.chunks(GROUP).map(|group| {
            let corners = group.iter().flat_map(|triangle| triangle.vertices);
            Bounds::around(corners.map(|vertex| self.positions[vertex as usize]))
        });
        self.boxes = boxes.collect();
    }

    /// The first triangle that a ray meets, nearer than `nearest`.
    fn first(&self, ray: &Ray, mut nearest: f32) -> Option<Meeting> {
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

    /// The distance to a triangle, and the weights of its corners there (T. Möller and B. Trumbore, "Fast, minimum
    /// storage ray/triangle intersection", 1997).
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

/// A channel that moves a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Index into [`Head::channels`].
    pub channel: usize,
    /// How far it moves the point now, in millimetres.
    pub now_mm: f32,
    /// How far it moves the point at weight 1, in millimetres.
    pub whole_mm: f32,
    /// The way of the point at weight 1, in the world.
    pub whole: Vec3,
}

/// Movements that are shorter than this, in millimetres at weight 1, are not listed.
const LEAST_MM: f32 = 0.001;

/// The channels of targets that move a point of the surface, the strongest at weight 1 first. `weights` has one element
/// per target of the head.
pub fn movers(head: &Head, hit: &Hit, weights: &[f32], world_from_nodes: &[Mat4]) -> Vec<Mover> {
    let Some(mesh) = head.meshes.get(hit.mesh) else { return Vec::new() };
    let rig_pose = rig_pose(head, world_from_nodes);
    let worlds = hit.vertices.map(|vertex| Mat3::from_mat4(rig_pose.world_from_vertex(mesh, vertex as usize)));
    let way = |target: &Target, weight: f32| -> Vec3 {
        let corners = hit.vertices.iter().zip(worlds).zip(hit.weights.to_array());
        corners.map(|((&vertex, world), share)| world * offset(target, vertex, weight) * share).sum()
    };
    let mm_per_unit = head.mm_per_unit();
    let mut movers = Vec::new();
    for (channel, info) in head.target_channels().iter().enumerate() {
        let (mut now, mut whole) = (Vec3::ZERO, Vec3::ZERO);
        for &index in &info.targets {
            let of_mesh = index.checked_sub(mesh.first_target).and_then(|target| mesh.targets.get(target));
            if let Some(target) = of_mesh {
                now += way(target, weights.get(index).copied().filter(|weight| weight.is_finite()).unwrap_or(0.0));
                whole += way(target, 1.0);
            }
        }
        let [now_mm, whole_mm] = [now, whole].map(|way| way.length() * mm_per_unit);
        if whole_mm >= LEAST_MM || now_mm >= LEAST_MM {
            movers.push(Mover { channel, now_mm, whole_mm, whole });
        }
    }
    movers.sort_by(|a, b| b.whole_mm.total_cmp(&a.whole_mm));
    movers
}

/// A point of the deformed surface, and the way that its triangle faces, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceAt {
    pub point: Vec3,
    /// Not of unit length.
    pub normal: Vec3,
}

/// Where points of the surface are, each given by its mesh, the corners of its triangle and their weights. Only these
/// corners are deformed. A point that the head lacks is not a number.
pub fn points_on_surface(
    head: &Head,
    points: &[(usize, [u32; 3], Vec3)],
    weights: &[f32],
    world_from_nodes: &[Mat4],
) -> Vec<SurfaceAt> {
    let rig_pose = rig_pose(head, world_from_nodes);
    let vertex = |mesh: &Mesh, vertex: u32| {
        let position = mesh.vertices.positions.get(vertex as usize)?;
        let of_mesh = weights.get(mesh.first_target..).unwrap_or_default();
        let moved = mesh.targets.iter().zip(of_mesh).filter(|(_, weight)| **weight != 0.0 && weight.is_finite());
        let deformed = moved.fold(*position, |position, (target, &weight)| position + offset(target, vertex, weight));
        Some(rig_pose.world_from_vertex(mesh, vertex as usize).transform_point3(deformed))
    };
    let placed = points.iter().map(|&(mesh, vertices, shares)| {
        let mesh = head.meshes.get(mesh)?;
        let [a, b, c] = vertices.map(|index| vertex(mesh, index));
        let (a, b, c) = (a?, b?, c?);
        let front = (b - a).cross(c - a);
        let normal = if rig_pose.is_mirrored(mesh) { -front } else { front };
        Some(SurfaceAt { point: a * shares.x + b * shares.y + c * shares.z, normal })
    });
    placed.map(|placed| placed.unwrap_or(SurfaceAt { point: Vec3::NAN, normal: Vec3::NAN })).collect()
}

/// How far a target moves a vertex at a weight, in mesh space.
fn offset(target: &Target, vertex: u32, weight: f32) -> Vec3 {
    let offsets = target.shapes_at(weight).filter_map(|(shape, weight)| {
        let row = shape.rows.binary_search(&vertex).ok()?;
        Some(*shape.positions.get(row)? * weight)
    });
    offsets.sum()
}
