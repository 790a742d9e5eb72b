//! A camera, stored without the bounds of the head it looks at.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use smirk_face::head::Bounds;
use smirk_picture::scene::Camera;

/// The place and lens of a camera.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Viewpoint {
    /// The point that the camera orbits.
    pub target_in_world: [f32; 3],
    /// The angle around +y; 0 looks at the face from the front.
    pub yaw_radians: f32,
    /// The angle above the horizon.
    pub pitch_radians: f32,
    /// The distance from the target, in world units.
    pub distance: f32,
    /// The angle around the line of sight.
    #[serde(default)]
    pub roll_radians: f32,
    /// The vertical field of view.
    #[serde(default = "default_fov_y")]
    pub fov_y_radians: f32,
}

fn default_fov_y() -> f32 {
    Camera::FOV_Y
}

impl Viewpoint {
    /// The viewpoint of a camera.
    pub fn of(camera: &Camera) -> Self {
        Self {
            target_in_world: camera.target_in_world.to_array(),
            yaw_radians: camera.yaw,
            pitch_radians: camera.pitch,
            distance: camera.distance,
            roll_radians: camera.roll,
            fov_y_radians: camera.fov_y,
        }
    }

    /// Whether a head with these bounds can be seen from here.
    pub fn is_in_reach_of(&self, scene_bounds: Bounds) -> bool {
        let radius = scene_bounds.radius();
        (radius * 1e-3..=radius * 1e3).contains(&self.distance)
            && Camera::LENSES.contains(&self.fov_y_radians)
            && self.roll_radians.is_finite()
            && Vec3::from_array(self.target_in_world).distance(scene_bounds.center()) <= radius * 1e3
    }

    /// Moves a camera here, unless its head could not be seen.
    pub fn apply(&self, camera: &mut Camera) {
        if self.is_in_reach_of(camera.scene_bounds) {
            *camera = Camera {
                target_in_world: Vec3::from_array(self.target_in_world),
                yaw: self.yaw_radians.rem_euclid(std::f32::consts::TAU),
                pitch: self.pitch_radians.clamp(-Camera::MAX_PITCH, Camera::MAX_PITCH),
                roll: self.roll_radians.rem_euclid(std::f32::consts::TAU),
                distance: self.distance,
                fov_y: self.fov_y_radians,
                scene_bounds: camera.scene_bounds,
            };
        }
    }
}
