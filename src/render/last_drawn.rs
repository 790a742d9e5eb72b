//! What was drawn last, to compare with what is to be drawn.

use std::sync::Arc;

use glam::Mat4;

use crate::blend::BlendMode;
use crate::head::Head;
use crate::scene::{Camera, Look, Quality, Scene};

/// A scene that owns what it holds.
#[derive(Debug)]
pub struct LastDrawn {
    /// Held, so that no other head can take its address.
    head: Arc<Head>,
    weights: Vec<f32>,
    world_from_nodes: Vec<Mat4>,
    mode: BlendMode,
    camera: Camera,
    look: Look,
    size: [u32; 2],
    quality: Quality,
}

impl LastDrawn {
    /// Notes `scene` in the place of another, whose memory it takes over.
    pub fn note(noted: &mut Option<Self>, scene: &Scene<'_>) {
        let (mut weights, mut world_from_nodes) =
            noted.take().map(|noted| (noted.weights, noted.world_from_nodes)).unwrap_or_default();
        weights.clear();
        weights.extend_from_slice(scene.weights);
        world_from_nodes.clear();
        world_from_nodes.extend_from_slice(scene.world_from_nodes);
        *noted = Some(Self {
            head: scene.head.clone(),
            weights,
            world_from_nodes,
            mode: scene.mode,
            camera: *scene.camera,
            look: *scene.look,
            size: scene.size,
            quality: scene.quality,
        });
    }

    /// Who blended it.
    pub fn mode(&self) -> BlendMode {
        self.mode
    }

    /// Whether `scene` gives the same picture.
    pub fn is(&self, scene: &Scene<'_>) -> bool {
        self.shows(scene) && self.quality == scene.quality
    }

    /// Whether `scene` gives the same picture, drawn as carefully or not.
    pub fn shows(&self, scene: &Scene<'_>) -> bool {
        self.has_shape_of(scene)
            && self.mode == scene.mode
            && self.camera == *scene.camera
            && self.look == *scene.look
            && self.size == scene.size
    }

    /// Whether the key light falls on the same head, in the same materials, from the same side.
    pub fn has_light_of(&self, scene: &Scene<'_>) -> bool {
        let direction = |look: &Look| look.key.direction_to_light_in_world();
        Arc::ptr_eq(&self.head, scene.head)
            && self.look.variant == scene.look.variant
            && direction(&self.look) == direction(scene.look)
    }

    /// Whether it is the same head at the same weights, its normals from the same source: the same blend.
    pub fn has_blend_of(&self, scene: &Scene<'_>) -> bool {
        Arc::ptr_eq(&self.head, scene.head)
            && self.look.normals == scene.look.normals
            && is_same(&self.weights, scene.weights)
    }

    /// Whether it is the same blend with its nodes in the same places.
    pub fn has_shape_of(&self, scene: &Scene<'_>) -> bool {
        let (noted, asked) =
            (bytemuck::cast_slice(&self.world_from_nodes), bytemuck::cast_slice(scene.world_from_nodes));
        self.has_blend_of(scene) && is_same(noted, asked)
    }
}

/// By bits: what is not a number equals itself here, or it would be drawn for ever.
fn is_same(noted: &[f32], asked: &[f32]) -> bool {
    noted.len() == asked.len() && noted.iter().zip(asked).all(|(a, b)| a.to_bits() == b.to_bits())
}
