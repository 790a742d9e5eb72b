//! The view of a camera as a part of files.

use std::f32::consts::{PI, TAU};

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::Camera;
use smirk_face::head::Bounds;

/// Two views differ by less than a pixel of a large screen if their angles differ by less than this, in radians, and
/// their lengths by this part.
const SAME: f32 = 1e-3;

/// Where a camera is and how it looks, as a file keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Viewpoint {
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
    #[serde(default = "default_fov_y")]
    pub fov_y_radians: f32,
}

fn default_fov_y() -> f32 {
    Camera::FOV_Y
}

impl Viewpoint {
    pub fn from_camera(camera: &Camera) -> Self {
        Self {
            target_in_world: camera.target_in_world.to_array(),
            yaw_radians: camera.yaw,
            pitch_radians: camera.pitch,
            distance: camera.distance,
            roll_radians: camera.roll,
            fov_y_radians: camera.fov_y,
        }
    }

    /// Whether a camera shows the head as this one does, up to what nobody sees.
    pub fn is_that_of(&self, camera: &Camera) -> bool {
        let other = Self::from_camera(camera);
        let turn = |a: f32, b: f32| (a - b + PI).rem_euclid(TAU) - PI;
        let moved = Vec3::from_array(self.target_in_world).distance(Vec3::from_array(other.target_in_world));
        moved <= self.distance * SAME
            && (self.distance / other.distance - 1.0).abs() <= SAME
            && (self.fov_y_radians - other.fov_y_radians).abs() <= SAME
            && turn(self.yaw_radians, other.yaw_radians).abs() <= SAME
            && turn(self.roll_radians, other.roll_radians).abs() <= SAME
            && (self.pitch_radians - other.pitch_radians).abs() <= SAME
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
                yaw: self.yaw_radians.rem_euclid(TAU),
                pitch: self.pitch_radians.clamp(-Camera::MAX_PITCH, Camera::MAX_PITCH),
                roll: self.roll_radians.rem_euclid(TAU),
                distance: self.distance,
                fov_y: self.fov_y_radians,
                scene_bounds: camera.scene_bounds,
            };
        }
    }
}
