//! A scene that owns its data, for pictures that are drawn later.

use std::sync::Arc;

use glam::Mat4;

use smirk_face::head::{Head, Role};
use smirk_face::judge::FaceIntersections;
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::{Camera, Compared, Look, Quality, Scene};

/// A [`Scene`] that owns its data.
#[derive(Clone, Debug)]
pub struct OwnedScene {
    /// The head.
    pub head: Arc<Head>,
    /// One weight per target of the head.
    pub weights: Vec<f32>,
    /// The transform of each node of the head's rig; empty at rest.
    pub world_from_nodes: Vec<Mat4>,
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
}
