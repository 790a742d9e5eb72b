//! A scene that owns its data, and what it has in common with another one.

use std::sync::Arc;

use glam::Mat4;

use super::{Camera, Compared, Look, Quality, Scene, ViewMode};
use crate::BlendMode;
use smirk_analysis::judge::FaceIntersections;
use smirk_face::head::{Head, Role};

/// A [`Scene`] that owns its data.
#[derive(Clone, Debug)]
pub struct OwnedScene {
    /// The head.
    pub head: Arc<Head>,
    /// One weight per target of the head.
    pub weights: Vec<f32>,
    /// The transform of each node of the head's rig; empty at rest.
    pub world_from_nodes: Vec<Mat4>,
    /// What each expression of the head comes to; see [`Scene::expression_outputs`].
    pub expression_outputs: Vec<f32>,
    /// The blend mode. The current mode of the window is the cheapest: with another one, the whole head is blended
    /// again for the picture, and once more for the window.
    pub mode: BlendMode,
    /// The camera; see [`Camera::close_up`].
    pub camera: Camera,
    /// Light and surface.
    pub look: Look,
    /// What each material shows; empty for the head's own.
    pub roles: Vec<Role>,
    /// What crosses on the face, if that is known; see [`Scene::intersections`].
    pub intersections: Option<Arc<FaceIntersections>>,
    /// What the face is compared with, for a heat map against that; see [`Scene::compared`].
    pub compared: Option<Compared>,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The quality of the picture.
    pub quality: Quality,
}

impl OwnedScene {
    /// Borrows the data as the renderer needs it.
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            head: &self.head,
            weights: &self.weights,
            world_from_nodes: &self.world_from_nodes,
            expression_outputs: &self.expression_outputs,
            mode: self.mode,
            camera: &self.camera,
            look: &self.look,
            roles: &self.roles,
            intersections: self.intersections.as_ref(),
            compared: self.compared.as_ref(),
            size: self.size,
            quality: self.quality,
        }
    }

    /// Replaces the copy by one of `scene`, and reuses its memory.
    pub fn replace(drawn: &mut Option<Self>, scene: &Scene<'_>) {
        let (mut weights, mut world_from_nodes, mut expression_outputs, mut roles) = drawn
            .take()
            .map(|drawn| (drawn.weights, drawn.world_from_nodes, drawn.expression_outputs, drawn.roles))
            .unwrap_or_default();
        scene.weights.clone_into(&mut weights);
        scene.world_from_nodes.clone_into(&mut world_from_nodes);
        scene.expression_outputs.clone_into(&mut expression_outputs);
        scene.roles.clone_into(&mut roles);
        *drawn = Some(Self {
            head: scene.head.clone(),
            weights,
            world_from_nodes,
            expression_outputs,
            mode: scene.mode,
            camera: *scene.camera,
            look: *scene.look,
            roles,
            intersections: scene.intersections.cloned(),
            compared: scene.compared.cloned(),
            size: scene.size,
            quality: scene.quality,
        });
    }

    /// Whether the preview of `scene` at the same quality is the same.
    pub fn equals(&self, scene: &Scene<'_>) -> bool {
        let of_preview = |quality: Quality| Quality { samples: 0, ..quality };
        self.shows(scene) && of_preview(self.quality) == of_preview(scene.quality)
    }

    /// Whether `scene` gives the same picture, regardless of its quality.
    pub fn shows(&self, scene: &Scene<'_>) -> bool {
        self.has_shape_of(scene)
            && self.mode == scene.mode
            && self.camera == *scene.camera
            && self.look == *scene.look
            && is_same(&self.expression_outputs, scene.expression_outputs)
            && self.head.roles_or(&self.roles) == scene.head.roles_or(scene.roles)
            && (scene.look.view != ViewMode::Intersections || self.has_intersections_of(scene))
            && (!scene.look.shows_comparison() || self.compared.as_ref() == scene.compared)
            && self.size == scene.size
    }

    fn has_intersections_of(&self, scene: &Scene<'_>) -> bool {
        self.intersections.as_ref().map(Arc::as_ptr) == scene.intersections.map(Arc::as_ptr)
    }

    /// Whether what is shown of the head, its variant and the direction of the key light are the same.
    pub fn has_light_of(&self, scene: &Scene<'_>) -> bool {
        let direction = |look: &Look| look.key.direction_to_light_in_world();
        let shown = |look: &Look| (look.variant, look.hidden, look.isolates_face, look.view);
        Arc::ptr_eq(&self.head, scene.head)
            && shown(&self.look) == shown(scene.look)
            && direction(&self.look) == direction(scene.look)
    }

    /// Whether the blend is the same: the head, the weights, and the source of the normals.
    pub fn has_blend_of(&self, scene: &Scene<'_>) -> bool {
        Arc::ptr_eq(&self.head, scene.head)
            && self.look.normals == scene.look.normals
            && is_same(&self.weights, scene.weights)
    }

    /// Whether the blend and the transforms of the nodes are the same.
    pub fn has_shape_of(&self, scene: &Scene<'_>) -> bool {
        let (drawn, wanted) =
            (bytemuck::cast_slice(&self.world_from_nodes), bytemuck::cast_slice(scene.world_from_nodes));
        self.has_blend_of(scene) && is_same(drawn, wanted)
    }

    /// How far the head as a whole has moved since then, in world units: the largest distance that a corner of the face's box has gone
    /// with the head's joint, or with the first mesh where no joint turns the head.
    pub fn distance_of_head(&self, scene: &Scene<'_>) -> f32 {
        let node = scene.head.face_joints.head.or_else(|| scene.head.meshes.first()?.node);
        let at_rest = scene.head.rest_pose.world_from_node();
        let world = |worlds: &[Mat4]| worlds.get(node?).or(at_rest.get(node?)).copied();
        let (Some(drawn), Some(wanted)) = (world(&self.world_from_nodes), world(scene.world_from_nodes)) else {
            return 0.0;
        };
        let new_from_old = wanted * drawn.inverse();
        let corners = scene.head.focus.corners().into_iter();
        corners.map(|corner| new_from_old.transform_point3(corner).distance(corner)).fold(0.0, f32::max)
    }
}

/// Compares by bits, so that NaN equals itself; otherwise a scene with a NaN would be drawn again and again.
fn is_same(drawn: &[f32], wanted: &[f32]) -> bool {
    drawn.len() == wanted.len() && drawn.iter().zip(wanted).all(|(a, b)| a.to_bits() == b.to_bits())
}
