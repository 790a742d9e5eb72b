//! An orbit camera. Right-handed, +y up, view looks down -z, depth 0 near … 1 far.

use std::ops::RangeInclusive;

use glam::{Mat4, Quat, Vec2, Vec3};

use smirk_face::head::{Bounds, FileCamera, Lens};

/// A preset direction to look from, named after the side of the face that is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// The face looks at the viewer.
    Front,
    /// The face is turned half away, its left cheek nearer to the viewer.
    ThreeQuarter,
    /// The face's own left side is seen; the face looks to the left of the picture.
    Left,
    /// The face's own right side is seen; the face looks to the right of the picture.
    Right,
    Angles {
        /// The angle around the head; positive towards the face's left (+x).
        yaw_degrees: f32,
        /// The angle above the horizon.
        pitch_degrees: f32,
    },
}

impl View {
    /// Yaw and pitch in degrees.
    pub fn angles_degrees(self) -> (f32, f32) {
        match self {
            Self::Front => (0.0, 0.0),
            Self::ThreeQuarter => (30.0, 3.0),
            Self::Left => (90.0, 0.0),
            Self::Right => (-90.0, 0.0),
            Self::Angles { yaw_degrees, pitch_degrees } => (yaw_degrees, pitch_degrees),
        }
    }

    /// The name of the direction, as in file names and captions.
    pub fn label(self) -> String {
        match self {
            Self::Front => "front".into(),
            Self::ThreeQuarter => "three-quarter".into(),
            Self::Left => "left".into(),
            Self::Right => "right".into(),
            Self::Angles { yaw_degrees, pitch_degrees } => format!("{yaw_degrees:.0}°, {pitch_degrees:.0}° up"),
        }
    }
}

/// A camera on a sphere around a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point that the camera orbits and looks at.
    pub target_in_world: Vec3,
    /// Radians around +y; 0 sees the face from the front, positive moves the eye to +x.
    pub yaw: f32,
    /// Radians above the horizon, kept within ±[`Camera::MAX_PITCH`].
    pub pitch: f32,
    /// Radians about the line of sight; positive turns the picture clockwise.
    pub roll: f32,
    /// The distance from the target to the eye, in world units; positive.
    pub distance: f32,
    /// Vertical field of view, radians, within [`Camera::LENSES`].
    pub fov_y: f32,
    /// Bounds of the character at rest, which the near and far planes enclose, and which zooming depends on.
    pub scene_bounds: Bounds,
}

impl Camera {
    /// The default vertical field of view, radians: that of a long portrait lens, which shows a face with little
    /// distortion.
    pub const FOV_Y: f32 = 0.42;
    /// The range of vertical fields of view, radians. With a narrower one, depth would lose its precision; with a wider
    /// one, the picture would be distorted beyond recognition.
    pub const LENSES: RangeInclusive<f32> = 0.01..=2.8;
    /// The largest pitch, radians: just short of the pole, where yaw is undefined.
    pub const MAX_PITCH: f32 = 1.55;

    /// The farthest zoom: half of the picture is this many radii of the head high.
    const LEAST_SIZE: f32 = 8.0;

    /// Looks at `focus` so that it fills the picture, from a preset direction.
    pub fn framing(focus: Bounds, scene_bounds: Bounds, view: View, aspect: f32) -> Self {
        let mut camera = Self {
            target_in_world: Vec3::ZERO,
            yaw: 0.0,
            pitch: 0.0,
            roll: 0.0,
            distance: 1.0,
            fov_y: Self::FOV_Y,
            scene_bounds,
        };
        camera.look_from(view);
        camera.frame(focus, aspect);
        camera
    }

    /// Looks from a preset direction with the default field of view. Target and distance stay, unless the field of view
    /// of a camera of the file is replaced: then the eye moves so that the target keeps its size in the picture.
    pub fn look_from(&mut self, view: View) {
        self.take_portrait_lens();
        let (yaw_degrees, pitch_degrees) = view.angles_degrees();
        self.yaw = yaw_degrees.to_radians();
        self.pitch = pitch_degrees.to_radians().clamp(-Self::MAX_PITCH, Self::MAX_PITCH);
    }

    /// Turns about the target by a drag of `delta` radians (x to the right, y down).
    pub fn orbit(&mut self, delta: Vec2) {
        self.yaw = (self.yaw - delta.x).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + delta.y).clamp(-Self::MAX_PITCH, Self::MAX_PITCH);
    }

    /// Moves target and eye so that the point under the cursor stays under it; `delta` in picture heights (x right, y
    /// down).
    pub fn pan(&mut self, delta: Vec2) {
        let height = 2.0 * self.distance * (self.fov_y * 0.5).tan();
        self.target_in_world += self.world_from_view_rotation() * Vec3::new(-delta.x, delta.y, 0.0) * height;
    }

    /// Moves nearer by `factor` (> 1) towards the point under the cursor, which stays where it is on screen.
    /// `cursor` is in picture heights from the middle (x right, y down).
    ///
    /// The eye stays outside of the head, and the head stays large enough to be found again. A camera that is already
    /// beyond these limits, such as one of the file, only moves towards them.
    pub fn zoom(&mut self, factor: f32, cursor: Vec2) {
        let radius = self.scene_bounds.radius();
        let nearest = (self.depth_before_target() + radius * 0.02).max(radius * 0.05);
        let farthest = (radius * Self::LEAST_SIZE / (self.fov_y * 0.5).tan()).max(nearest);
        let (nearest, farthest) = (nearest.min(self.distance), farthest.max(self.distance));
        let distance = (self.distance / factor.max(1e-3)).clamp(nearest, farthest);
        let moved = distance / self.distance;
        self.pan(-cursor * (1.0 - moved));
        self.distance = distance;
    }

    /// How far the bounds of the head reach from the target towards the eye; 0 if the target is outside of them.
    fn depth_before_target(&self) -> f32 {
        let towards_eye = self.world_from_view_rotation() * Vec3::Z;
        let depth_along = |axis: usize| {
            let (from, along) = (self.target_in_world[axis], towards_eye[axis]);
            let end = if along > 0.0 { self.scene_bounds.max[axis] } else { self.scene_bounds.min[axis] };
            if along.abs() < 1e-6 { f32::INFINITY } else { (end - from) / along }
        };
        let depth = (0..3).map(depth_along).fold(f32::INFINITY, f32::min);
        if depth.is_finite() { depth.max(0.0) } else { 0.0 }
    }

    /// The position of the eye.
    pub fn eye_in_world(&self) -> Vec3 {
        self.target_in_world + self.world_from_view_rotation() * Vec3::Z * self.distance
    }

    /// The transform from the world to the eye.
    pub fn view_from_world(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.world_from_view_rotation(), self.eye_in_world()).inverse()
    }

    /// The transform from the eye to clip space, with near and far planes around the whole head at rest, whatever its
    /// unit.
    pub fn projection_from_view(&self, aspect: f32) -> Mat4 {
        self.projection_around(self.scene_bounds, aspect)
    }

    /// The transform from the eye to clip space, with near and far planes around the head at rest and around `bounds`:
    /// weights have no limit, and may move a part of the head anywhere.
    pub fn projection_around(&self, bounds: Bounds, aspect: f32) -> Mat4 {
        let center = self.scene_bounds.center();
        let radius = self.scene_bounds.radius().max(bounds.reach_from(center)) * 1.05;
        let middle = self.eye_in_world().distance(center);
        let far = (middle + radius).max(self.distance * 2.0);
        // The precision of depth depends on the near plane alone: at 2 % of the distance its steps are millionths of
        // the distance, however far away the far plane is.
        let least = ((middle + self.scene_bounds.radius() * 6.0) * 1e-4).max(self.distance * 0.02);
        let near = (middle - radius).max(least).min(far * 0.5);
        glam::camera::rh::proj::directx::perspective(self.fov_y, aspect.max(1e-3), near, far)
    }
}

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

    /// Where a point of the world is in the picture, in picture heights from its middle (x right, y down); none behind
    /// the eye.
    pub fn in_picture(&self, point_in_world: Vec3) -> Option<Vec2> {
        let height = self.height_at(point_in_world)?;
        let in_view = self.world_from_view_rotation().inverse() * (point_in_world - self.eye_in_world());
        Some(Vec2::new(in_view.x, -in_view.y) / height)
    }

    /// The height of what the picture shows as far away as a point, in world units; none behind the eye.
    pub fn height_at(&self, point_in_world: Vec3) -> Option<f32> {
        let forward = self.world_from_view_rotation() * Vec3::NEG_Z;
        let height = 2.0 * (self.fov_y * 0.5).tan() * forward.dot(point_in_world - self.eye_in_world());
        (height > 0.0).then_some(height)
    }
}

/// A field of view narrow enough to show almost no perspective; it replaces an orthographic camera.
const LONG_LENS_RADIANS: f32 = 0.1;

impl Camera {
    /// Sets the view of a camera of the file. The new target is the point on its line of sight that is nearest to the
    /// middle of the head.
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
                // For a close-up the eye stays at the camera's own position, if [`Self::LENSES`] allows it, because a
                // nearer eye would be inside the face.
                let distance = distance_through(LONG_LENS_RADIANS).max(ahead.min(distance_through(narrowest)));
                let distance = distance.clamp(radius * 1e-3, radius * 1e3);
                ((2.0 * (half_height / distance).atan()).clamp(narrowest, LONG_LENS_RADIANS), distance)
            }
        };
    }

    /// Sets the default field of view, and moves the eye so that the target keeps its size in the picture.
    fn take_portrait_lens(&mut self) {
        self.distance *= (self.fov_y * 0.5).tan() / (Self::FOV_Y * 0.5).tan();
        (self.fov_y, self.roll) = (Self::FOV_Y, 0.0);
    }

    pub(crate) fn world_from_view_rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch) * Quat::from_rotation_z(self.roll)
    }
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use crate::View;
    use smirk_face::head::Bounds;

    use super::*;

    const FACE: Bounds = Bounds { min: Vec3::new(-0.06, -0.1, 0.01), max: Vec3::new(0.06, 0.1, 0.13) };
    const HEAD: Bounds = Bounds { min: Vec3::new(-0.15, -0.25, -0.15), max: Vec3::new(0.15, 0.2, 0.14) };

    fn project(camera: &Camera, aspect: f32, point: Vec3) -> Vec3 {
        (camera.projection_from_view(aspect) * camera.view_from_world()).project_point3(point)
    }

    #[test]
    fn the_left_view_shows_the_left_side_of_the_face_looking_to_the_left() {
        let camera = Camera::framing(FACE, HEAD, View::Left, 1.0);
        assert!(camera.eye_in_world().x > 0.5);
        let nose = Vec3::new(0.0, 0.0, 0.13);
        assert!(project(&camera, 1.0, nose).x < 0.0);
    }

    #[test]
    fn zooming_keeps_what_is_under_the_cursor() {
        let mut camera = Camera::framing(FACE, HEAD, View::ThreeQuarter, 1.6);
        let cursor = Vec2::new(0.3, -0.2);
        let height = 2.0 * camera.distance * (Camera::FOV_Y * 0.5).tan();
        let under =
            camera.target_in_world + camera.world_from_view_rotation() * Vec3::new(cursor.x, -cursor.y, 0.0) * height;
        let before = project(&camera, 1.6, under);
        let distance = camera.distance;
        camera.zoom(2.5, cursor);
        let after = project(&camera, 1.6, under);
        assert!((before - after).truncate().length() < 1e-4, "{before} {after}");
        assert!((camera.distance * 2.5 - distance).abs() < 1e-6);
    }

    #[test]
    fn zooming_ends_outside_of_the_head_and_before_it_is_too_small_to_see() {
        for view in [View::Front, View::ThreeQuarter, View::Left] {
            for cursor in [Vec2::ZERO, Vec2::new(0.2, -0.1)] {
                let mut camera = Camera::framing(FACE, HEAD, view, 1.6);
                (0..200).for_each(|_| camera.zoom(1.2, cursor));
                let eye = camera.eye_in_world();
                let is_inside = (0..3).all(|axis| (HEAD.min[axis]..=HEAD.max[axis]).contains(&eye[axis]));
                assert!(!is_inside, "{view:?}: {eye}");
                let height = 2.0 * camera.distance * (camera.fov_y * 0.5).tan();
                assert!(height < 0.5 * HEAD.radius(), "{view:?}: near enough to judge a lid: {height}");
                (0..400).for_each(|_| camera.zoom(0.8, Vec2::ZERO));
                let height = 2.0 * camera.distance * (camera.fov_y * 0.5).tan();
                assert!((4.0..20.0).contains(&(height / HEAD.radius())), "{view:?}: {height}");
                let before = camera;
                camera.zoom(0.8, Vec2::ZERO);
                assert_eq!(camera, before);
            }
        }
        let mut inside = Camera { distance: 0.001, ..Camera::framing(FACE, HEAD, View::Front, 1.0) };
        inside.zoom(2.0, Vec2::ZERO);
        assert_eq!(inside.distance, 0.001, "a camera inside of the head does not jump out of it");
        inside.zoom(0.5, Vec2::ZERO);
        assert_eq!(inside.distance, 0.002);
    }

    #[test]
    fn panning_moves_the_picture_with_the_cursor() {
        let mut camera = Camera::framing(FACE, HEAD, View::Front, 1.0);
        let point = camera.target_in_world;
        camera.pan(Vec2::new(0.25, 0.1));
        let seen = project(&camera, 1.0, point);
        // Clip space is 2 high, y up: one picture height is 2.
        assert!((seen.truncate() - Vec2::new(0.5, -0.2)).length() < 1e-4, "{seen}");
    }

    #[test]
    fn orbiting_stops_at_the_pole() {
        let mut camera = Camera::framing(FACE, HEAD, View::Front, 1.0);
        camera.orbit(Vec2::new(0.3, 9.0));
        assert_eq!(camera.pitch, Camera::MAX_PITCH);
        assert!(camera.view_from_world().is_finite());
        camera.orbit(Vec2::new(-0.3, -90.0));
        assert_eq!(camera.pitch, -Camera::MAX_PITCH);
        assert!(camera.yaw.abs() < 1e-5 || (camera.yaw - std::f32::consts::TAU).abs() < 1e-5);
    }

    #[test]
    fn what_a_weight_moves_far_away_is_between_the_planes() {
        let camera = Camera::framing(FACE, HEAD, View::Front, 1.0);
        let away = Vec3::new(0.0, 0.0, -50.0);
        let depth_of = |projection: Mat4| (projection * camera.view_from_world()).project_point3(away).z;
        let bounds = Bounds::union([HEAD, Bounds { min: away, max: away }]);
        assert!((0.0..1.0).contains(&depth_of(camera.projection_around(bounds, 1.0))));
        assert!(depth_of(camera.projection_from_view(1.0)) > 1.0, "the test needs a point beyond the far plane");
        let everywhere = Bounds { min: Vec3::splat(-1e15), max: Vec3::splat(1e15) };
        let nose = (camera.projection_around(everywhere, 1.0) * camera.view_from_world()).project_point3(FACE.max);
        assert!((0.0..1.0).contains(&nose.z), "{nose}");
    }

    #[test]
    fn empty_bounds_still_give_a_camera() {
        let camera = Camera::framing(Bounds::EMPTY, Bounds::EMPTY, View::Front, 0.0);
        assert!((camera.projection_from_view(0.0) * camera.view_from_world()).is_finite());
    }

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

    const LOOK_THROUGH_HEAD: Bounds = Bounds { min: Vec3::splat(-0.15), max: Vec3::splat(0.15) };

    fn through(world_from_camera: Mat4, lens: Lens) -> Camera {
        let mut camera = Camera::framing(LOOK_THROUGH_HEAD, LOOK_THROUGH_HEAD, View::Left, 1.0);
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
