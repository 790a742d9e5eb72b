//! What a picture shows of a session.

use std::sync::Arc;

use glam::Mat4;

use smirk_face::head::{Head, Role};
use smirk_picture::scene::{Camera, Look};

/// What a picture shows of a session at a moment.
#[derive(Clone, Debug)]
pub struct ShownFace {
    /// The head.
    pub head: Arc<Head>,
    /// One weight per target of the head.
    pub weights: Arc<[f32]>,
    /// The transform of each node of the head's rig; empty at rest.
    pub world_from_nodes: Vec<Mat4>,
    /// What each material shows; empty for the head's own.
    pub roles: Vec<Role>,
    /// Light and surface.
    pub look: Look,
    /// The camera.
    pub camera: Camera,
}
