//! The surface of a head as it is drawn, to find what a line of sight meets.

use std::sync::{Arc, Weak};

use glam::{Mat4, Vec3};
use rayon::prelude::*;

use super::surface::Surface;
use crate::scene::{Look, MeshSet, Ray};
use smirk_face::head::{Head, RigPose, Role};

/// The point of the surface that a line of sight meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index into [`Head::meshes`].
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
struct Shown {
    hidden: MeshSet,
    isolates_face: bool,
    variant: Option<usize>,
    roles: Vec<Role>,
}

/// The surface of one head, as it was drawn last.
#[derive(Debug, Default)]
pub struct Picker {
    /// The head of the surfaces.
    head: Weak<Head>,
    /// What is shown of it.
    shown: Option<Shown>,
    surfaces: Vec<Surface>,
    weights: Vec<f32>,
    world_from_nodes: Vec<Mat4>,
    is_placed: bool,
}

impl Picker {
    /// Moves the surface to where a picture shows it. Nothing is done if it is there already. A list of `roles` that has none for each
    /// material stands for those of the head.
    pub fn place(
        &mut self,
        head: &Arc<Head>,
        (look, roles): (&Look, &[Role]),
        weights: &[f32],
        world_from_nodes: &[Mat4],
    ) {
        let Look { hidden, isolates_face, variant, .. } = *look;
        let shown = Shown { hidden, isolates_face, variant, roles: head.roles_or(roles).to_vec() };
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) || self.shown.as_ref() != Some(&shown) {
            let is_left_out = |role: Role| isolates_face && matches!(role, Role::Hair | Role::Lash);
            let surface = |mesh: usize| {
                let shows = |role| !is_left_out(role) && !hidden.contains(mesh);
                Surface::new(head, mesh, (variant, &shown.roles), shows)
            };
            self.surfaces = (0..head.meshes.len()).map(surface).collect();
            (self.head, self.shown, self.is_placed) = (Arc::downgrade(head), Some(shown), false);
        }
        if self.is_placed && self.weights == weights && self.world_from_nodes == world_from_nodes {
            return;
        }
        let rig_pose = rig_pose(head, world_from_nodes);
        let meshes = self.surfaces.par_iter_mut().zip(&head.meshes);
        meshes.for_each(|(surface, mesh)| surface.place(mesh, weights, &rig_pose));
        self.weights = weights.to_vec();
        self.world_from_nodes = world_from_nodes.to_vec();
        self.is_placed = true;
    }

    /// What a line of sight meets first.
    pub fn pick(&self, ray: &Ray) -> Option<Hit> {
        let mut found = None;
        let mut nearest = f32::INFINITY;
        for (mesh, surface) in self.surfaces.iter().enumerate() {
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
pub(super) fn rig_pose(head: &Head, world_from_nodes: &[Mat4]) -> RigPose {
    let rest = head.rest_pose.world_from_node().iter().enumerate();
    let moved = |(node, rest): (usize, &Mat4)| {
        world_from_nodes.get(node).filter(|world| world.is_finite()).copied().unwrap_or(*rest)
    };
    RigPose::new(&head.rig, rest.map(moved).collect())
}
