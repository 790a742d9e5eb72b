//! A camera that the file brings (glTF 2.0 §3.10), where its node stands at rest.

use glam::Mat4;

/// Somewhere to look from.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCamera {
    /// The file's name for it, or its node's.
    pub name: String,
    /// Looks down -z, +y up. May be scaled, which means nothing.
    pub world_from_camera: Mat4,
    /// How it looks.
    pub lens: Lens,
}

/// How a camera looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// As an eye does.
    Perspective {
        /// Height of the picture, as an angle.
        fov_y_radians: f32,
    },
    /// Without depth.
    Orthographic {
        /// Half the height of the picture, in the world.
        half_height: f32,
    },
}
