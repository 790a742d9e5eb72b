//! What was drawn last, to compare with what is to be drawn.

use std::sync::Arc;

use crate::blend::BlendMode;
use crate::head::Head;
use crate::scene::{Camera, Look, Quality, Scene};

/// A scene that owns what it holds.
#[derive(Debug)]
pub struct Drawn {
    /// Held, so that no other head can take its address.
    head: Arc<Head>,
    weights: Vec<f32>,
    mode: BlendMode,
    camera: Camera,
    look: Look,
    size: [u32; 2],
    quality: Quality,
}

impl Drawn {
    /// Notes `scene` in the place of another, whose memory it takes over.
    pub fn note(noted: &mut Option<Self>, scene: &Scene<'_>) {
        let mut weights = noted.take().map(|noted| noted.weights).unwrap_or_default();
        weights.clear();
        weights.extend_from_slice(scene.weights);
        *noted = Some(Self {
            head: scene.head.clone(),
            weights,
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
        self.has_shape_of(scene)
            && self.mode == scene.mode
            && self.camera == *scene.camera
            && self.look == *scene.look
            && self.size == scene.size
            && self.quality == scene.quality
    }

    /// Whether the key light falls on the same head, in the same materials, from the same side.
    pub fn has_light_of(&self, scene: &Scene<'_>) -> bool {
        let direction = |look: &Look| look.key.direction_to_light_in_world();
        Arc::ptr_eq(&self.head, scene.head)
            && self.look.variant == scene.look.variant
            && direction(&self.look) == direction(scene.look)
    }

    /// Whether it is the same head at the same weights, its normals from the same source.
    pub fn has_shape_of(&self, scene: &Scene<'_>) -> bool {
        // By bits: a weight that is not a number equals itself here, or it would be drawn for ever.
        let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits();
        Arc::ptr_eq(&self.head, scene.head)
            && self.look.normals == scene.look.normals
            && self.weights.len() == scene.weights.len()
            && self.weights.iter().zip(scene.weights).all(same)
    }
}
