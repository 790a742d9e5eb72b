//! Where a head is looked at from, without the head.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::scene::Camera;

/// A camera's place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Viewpoint {
    /// The point it turns about.
    pub target_in_world: [f32; 3],
    /// Around +y; 0 sees the face from the front.
    pub yaw_radians: f32,
    /// Above the horizon.
    pub pitch_radians: f32,
    /// From the target, in world units.
    pub distance: f32,
    /// About the line of sight.
    #[serde(default)]
    pub roll_radians: f32,
    /// Height of the picture, as an angle.
    #[serde(default = "portrait_lens")]
    pub fov_y_radians: f32,
}

fn portrait_lens() -> f32 {
    Camera::FOV_Y
}

impl Viewpoint {
    /// Where a camera is.
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

    /// Puts a camera there. False, and nothing changed, for a place from which its head cannot be seen.
    pub fn put_on(&self, camera: &mut Camera) -> bool {
        let radius = camera.scene_bounds.radius();
        let target_in_world = Vec3::from_array(self.target_in_world);
        let in_reach = (radius * 1e-3..=radius * 1e3).contains(&self.distance)
            && Camera::LENSES.contains(&self.fov_y_radians)
            && self.roll_radians.is_finite()
            && target_in_world.distance(camera.scene_bounds.center()) <= radius * 1e3;
        if in_reach {
            *camera = Camera {
                target_in_world,
                yaw: self.yaw_radians.rem_euclid(std::f32::consts::TAU),
                pitch: self.pitch_radians.clamp(-Camera::MAX_PITCH, Camera::MAX_PITCH),
                roll: self.roll_radians.rem_euclid(std::f32::consts::TAU),
                distance: self.distance,
                fov_y: self.fov_y_radians,
                scene_bounds: camera.scene_bounds,
            };
        }
        in_reach
    }
}
