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
}

impl Viewpoint {
    /// Where a camera is.
    pub fn of(camera: &Camera) -> Self {
        Self {
            target_in_world: camera.target_in_world.to_array(),
            yaw_radians: camera.yaw,
            pitch_radians: camera.pitch,
            distance: camera.distance,
        }
    }

    /// Puts a camera there. False, and nothing changed, for a place from which its head cannot be seen.
    pub fn put_on(&self, camera: &mut Camera) -> bool {
        let radius = camera.scene_bounds.radius();
        let target_in_world = Vec3::from_array(self.target_in_world);
        let in_reach = (radius * 1e-3..=radius * 1e3).contains(&self.distance)
            && target_in_world.distance(camera.scene_bounds.center()) <= radius * 1e3;
        if in_reach {
            *camera = Camera {
                target_in_world,
                yaw: self.yaw_radians.rem_euclid(std::f32::consts::TAU),
                pitch: self.pitch_radians.clamp(-Camera::MAX_PITCH, Camera::MAX_PITCH),
                distance: self.distance,
                scene_bounds: camera.scene_bounds,
            };
        }
        in_reach
    }
}
