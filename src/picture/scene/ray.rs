//! The line of sight through a point of the picture.

use glam::{Vec2, Vec3};

use super::Camera;

/// A half line in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: Vec3,
    /// Where it leads, of unit length.
    pub direction: Vec3,
}

impl Camera {
    /// The line of sight through a point of the picture, in picture heights from its middle (x right, y down).
    pub fn ray(&self, point: Vec2) -> Ray {
        let height = 2.0 * (self.fov_y * 0.5).tan();
        let in_view = Vec3::new(point.x * height, -point.y * height, -1.0);
        let direction = (self.world_from_view_rotation() * in_view).normalize_or(Vec3::NEG_Z);
        Ray { origin: self.eye_in_world(), direction }
    }

    /// Where a point of the world is in the picture, in picture heights from its middle (x right, y down); none behind the eye.
    pub fn in_picture(&self, point_in_world: Vec3) -> Option<Vec2> {
        let in_view = self.world_from_view_rotation().inverse() * (point_in_world - self.eye_in_world());
        let height = 2.0 * (self.fov_y * 0.5).tan() * -in_view.z;
        (height > 0.0).then(|| Vec2::new(in_view.x, -in_view.y) / height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::View;
    use smirk_face::head::Bounds;

    #[test]
    fn a_ray_leads_through_the_points_that_are_seen_there() {
        let bounds = Bounds { min: Vec3::splat(-0.1), max: Vec3::splat(0.1) };
        let mut camera = Camera::framing(bounds, bounds, View::ThreeQuarter, 1.6);
        camera.roll = 0.3;
        for point in [Vec3::ZERO, Vec3::new(0.08, -0.03, 0.05), Vec3::new(-0.1, 0.1, -0.1)] {
            let at = camera.in_picture(point).unwrap();
            let ray = camera.ray(at);
            let along = (point - ray.origin).dot(ray.direction);
            assert!((ray.origin + ray.direction * along).distance(point) < 1e-6, "{point}");
            let clip = (camera.projection_from_view(1.6) * camera.view_from_world()).project_point3(point);
            assert!((Vec2::new(clip.x * 1.6, -clip.y) * 0.5).distance(at) < 1e-5, "{at} is not {clip}");
        }
        assert_eq!(camera.in_picture(camera.eye_in_world() * 2.0), None);
    }
}
