//! Sets the orbit camera to a camera of the file.

use glam::{Quat, Vec3};

use super::Camera;
use smirk_face::head::{FileCamera, Lens};

/// A field of view narrow enough to show almost no perspective; it replaces an orthographic camera.
const LONG_LENS_RADIANS: f32 = 0.1;

impl Camera {
    /// Sets the view of a camera of the file. The new target is the point on its line of sight that is nearest to the middle
    /// of the head.
    pub fn look_through(&mut self, camera: &FileCamera) {
        let axis = |axis: glam::Vec4, usual: Vec3| axis.truncate().normalize_or(usual);
        let back = axis(camera.world_from_camera.z_axis, Vec3::Z);
        let up = axis(camera.world_from_camera.y_axis, Vec3::Y);
        let (center, radius) = (self.scene_bounds.center(), self.scene_bounds.radius());
        let reach = Vec3::splat(radius * 1e3);
        let eye = camera.world_from_camera.w_axis.truncate().clamp(center - reach, center + reach);
        self.yaw = back.x.atan2(back.z).rem_euclid(std::f32::consts::TAU);
        self.pitch = back.y.clamp(-1.0, 1.0).asin().clamp(-Self::MAX_PITCH, Self::MAX_PITCH);
        self.roll = 0.0;
        let up = (self.world_from_view_rotation().inverse() * up).truncate();
        self.roll = (-up.x).atan2(up.y);
        let ahead = (eye - center).dot(back).clamp(radius * 1e-2, radius * 1e3);
        self.target_in_world = eye - back * ahead;
        (self.fov_y, self.distance) = match camera.lens {
            Lens::Perspective { fov_y_radians } => {
                (fov_y_radians.clamp(*Self::LENSES.start(), *Self::LENSES.end()), ahead)
            }
            Lens::Orthographic { half_height } => {
                let distance_through = |fov_y: f32| half_height / (fov_y * 0.5).tan();
                let narrowest = *Self::LENSES.start();
                // For a close-up the eye stays at the camera's own position, if [`Self::LENSES`] allows it, because a nearer eye
                // would be inside the face.
                let distance = distance_through(LONG_LENS_RADIANS).max(ahead.min(distance_through(narrowest)));
                let distance = distance.clamp(radius * 1e-3, radius * 1e3);
                ((2.0 * (half_height / distance).atan()).clamp(narrowest, LONG_LENS_RADIANS), distance)
            }
        };
    }

    /// Sets the default field of view, and moves the eye so that the target keeps its size in the picture.
    pub(super) fn take_portrait_lens(&mut self) {
        self.distance *= (self.fov_y * 0.5).tan() / (Self::FOV_Y * 0.5).tan();
        (self.fov_y, self.roll) = (Self::FOV_Y, 0.0);
    }

    pub(super) fn world_from_view_rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch) * Quat::from_rotation_z(self.roll)
    }
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use super::*;
    use crate::scene::View;
    use smirk_face::head::Bounds;

    const HEAD: Bounds = Bounds { min: Vec3::splat(-0.15), max: Vec3::splat(0.15) };

    fn through(world_from_camera: Mat4, lens: Lens) -> Camera {
        let mut camera = Camera::framing(HEAD, HEAD, View::Left, 1.0);
        camera.look_through(&FileCamera { name: "c".into(), node: None, world_from_camera, lens });
        camera
    }

    #[test]
    fn the_view_is_that_of_the_node_with_or_without_roll_and_scale() {
        let lens = Lens::Perspective { fov_y_radians: 0.7 };
        for (yaw, pitch, roll) in [(0.0, 0.0, 0.0), (0.8, -0.4, 0.3), (-2.5, 0.9, -1.2), (3.0, 0.2, 3.0)] {
            let rotation = Quat::from_euler(glam::EulerRot::YXZ, yaw, pitch, roll);
            let eye = rotation * Vec3::new(0.05, 0.02, 1.5);
            let rigid = Mat4::from_rotation_translation(rotation, eye);
            let camera = through(rigid * Mat4::from_scale(Vec3::splat(3.0)), lens);
            assert!(camera.view_from_world().abs_diff_eq(rigid.inverse(), 1e-4), "{yaw} {pitch} {roll}");
            assert_eq!(camera.fov_y, 0.7);
            assert!((camera.distance - 1.5).abs() < 1e-4, "the target is nearest to the middle");
        }
    }

    #[test]
    fn an_orthographic_view_becomes_a_long_lens_of_the_same_size() {
        let camera = through(Mat4::from_translation(Vec3::Z), Lens::Orthographic { half_height: 0.3 });
        let matrix = camera.projection_from_view(1.0) * camera.view_from_world();
        assert!((matrix.project_point3(Vec3::Y * 0.3).y - 1.0).abs() < 1e-3);
        let nearer = matrix.project_point3(Vec3::new(0.0, 0.3, 0.1)).y;
        assert!((nearer - 1.0).abs() < 0.03, "{nearer}");
        assert!((0.0..1.0).contains(&matrix.project_point3(Vec3::NEG_Z * 0.15).z));
    }

    #[test]
    fn an_orthographic_close_up_is_taken_from_outside_the_head() {
        for half_height in [0.006, 0.03] {
            let camera = through(Mat4::from_translation(Vec3::Z), Lens::Orthographic { half_height });
            let matrix = camera.projection_from_view(1.0) * camera.view_from_world();
            assert!((matrix.project_point3(Vec3::Y * half_height).y - 1.0).abs() < 1e-3, "{half_height} away");
            assert!(camera.eye_in_world().z > 0.5, "{half_height}: {}", camera.eye_in_world());
        }
    }

    #[test]
    fn a_preset_takes_the_portrait_lens_and_keeps_the_size() {
        let lens = Lens::Perspective { fov_y_radians: 1.0 };
        let mut camera = through(Mat4::from_translation(Vec3::Z) * Mat4::from_rotation_z(0.5), lens);
        let height = camera.distance * (camera.fov_y * 0.5).tan();
        camera.look_from(View::Front);
        assert_eq!((camera.fov_y, camera.roll), (Camera::FOV_Y, 0.0));
        assert!((camera.distance * (Camera::FOV_Y * 0.5).tan() - height).abs() < 1e-5);
    }

    #[test]
    fn extreme_cameras_give_a_finite_view() {
        for matrix in [Mat4::ZERO, Mat4::from_translation(Vec3::splat(1e30))] {
            for lens in [Lens::Perspective { fov_y_radians: 3.1 }, Lens::Orthographic { half_height: 1e30 }] {
                let camera = through(matrix, lens);
                assert!(
                    camera.view_from_world().is_finite() && camera.projection_from_view(1.0).is_finite(),
                    "{camera:?}"
                );
            }
        }
    }
}
