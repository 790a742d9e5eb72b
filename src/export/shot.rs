//! One picture to be made: a scene that owns what it shows.

use std::sync::Arc;

use glam::Mat4;

use crate::blend::BlendMode;
use crate::head::Head;
use crate::scene::{Camera, Look, Quality, Scene};

/// What a picture shows, from where and in what light.
#[derive(Clone, Debug)]
pub struct Shot {
    /// Whose face it is.
    pub head: Arc<Head>,
    /// One per target of the head.
    pub weights: Vec<f32>,
    /// Where each node of the head's rig stands; empty at rest.
    pub world_from_nodes: Vec<Mat4>,
    /// Who computes the shape. The window's own mode is the cheapest: a change blends the whole head anew, twice.
    pub mode: BlendMode,
    /// From where; see [`Camera::close_up`].
    pub camera: Camera,
    /// In what light.
    pub look: Look,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

impl Shot {
    /// The same, to be drawn.
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            head: &self.head,
            weights: &self.weights,
            world_from_nodes: &self.world_from_nodes,
            mode: self.mode,
            camera: &self.camera,
            look: &self.look,
            size: self.size,
            quality: Quality::FULL,
        }
    }
}
