//! Cameras of a file (glTF 2.0 §3.10), at the rest pose of their nodes.

use glam::Mat4;

/// A camera of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCamera {
    /// The file's name for it, or its node's.
    pub name: String,
    /// The node that carries it, as an index into [`crate::head::Rig::nodes`], if there is one.
    pub node: Option<usize>,
    /// Looks down -z, +y up. May contain a scale, which has no meaning.
    pub world_from_camera: Mat4,
    /// The projection.
    pub lens: Lens,
}

/// The projection of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// Perspective projection.
    Perspective {
        /// The vertical field of view.
        fov_y_radians: f32,
    },
    /// Parallel projection.
    Orthographic {
        /// Half the height of the image, in world units.
        half_height: f32,
    },
}
