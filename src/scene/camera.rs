//! An orbit camera: where the eye is and what it sees. Right-handed, +y up, view looks down -z, depth 0 near … 1 far.

use glam::{Mat4, Quat, Vec2, Vec3};

use crate::head::Bounds;

/// A preset direction, named after what the viewer sees of the face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// The face looks at the viewer.
    Front,
    /// Turned half away, the face's left cheek nearer.
    ThreeQuarter,
    /// The face's own left side; it looks to the picture's left.
    Left,
    /// The face's own right side; it looks to the picture's right.
    Right,
    /// Degrees: yaw to the face's left (+x), pitch up.
    Angles {
        /// Around the head.
        yaw_degrees: f32,
        /// Above the horizon.
        pitch_degrees: f32,
    },
}

impl View {
    /// Yaw and pitch in degrees.
    pub fn angles_degrees(self) -> (f32, f32) {
        match self {
            Self::Front => (0.0, 0.0),
            Self::ThreeQuarter => (35.0, 4.0),
            Self::Left => (90.0, 0.0),
            Self::Right => (-90.0, 0.0),
            Self::Angles { yaw_degrees, pitch_degrees } => (yaw_degrees, pitch_degrees),
        }
    }
}

/// An eye on a sphere around a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point it turns about.
    pub target_in_world: Vec3,
    /// Radians around +y; 0 sees the face from the front, positive moves the eye to +x.
    pub yaw: f32,
    /// Radians above the horizon, kept within ±[`Camera::MAX_PITCH`].
    pub pitch: f32,
    /// From the target, in world units; positive.
    pub distance: f32,
    /// Bounds of the whole head: near and far planes are put around them.
    pub scene_bounds: Bounds,
}

impl Camera {
    /// Vertical field of view, radians: a long portrait lens, which flatters a face.
    pub const FOV_Y: f32 = 0.42;
    /// Just short of the pole, where yaw would lose its meaning.
    pub const MAX_PITCH: f32 = 1.55;

    /// Looks at `focus` so that it fills the picture, from a preset direction.
    pub fn framing(focus: Bounds, scene_bounds: Bounds, view: View, aspect: f32) -> Self {
        let mut camera = Self { target_in_world: Vec3::ZERO, yaw: 0.0, pitch: 0.0, distance: 1.0, scene_bounds };
        camera.look_from(view);
        camera.frame(focus, aspect);
        camera
    }

    /// Turns to a preset direction; target and distance stay.
    pub fn look_from(&mut self, view: View) {
        let (yaw_degrees, pitch_degrees) = view.angles_degrees();
        self.yaw = yaw_degrees.to_radians();
        self.pitch = pitch_degrees.to_radians().clamp(-Self::MAX_PITCH, Self::MAX_PITCH);
    }

    /// Moves so that `focus` fills the picture with a little air; the direction stays.
    ///
    /// The focus is what moves, the front of a face; turning about a point further into the head, where there is more
    /// of it, keeps a profile in the middle of the picture.
    pub fn frame(&mut self, focus: Bounds, aspect: f32) {
        // Targets that move a single vertex have a focus without extent: keep some of the head in sight.
        let least = self.scene_bounds.size().max_element() * 0.05;
        let size = focus.size().max_element().max(least).max(f32::MIN_POSITIVE);
        let inwards = (self.scene_bounds.center() - focus.center()) * Vec3::new(1.0, 0.0, 1.0);
        let inwards = if self.scene_bounds.is_empty() { Vec3::ZERO } else { inwards.clamp_length_max(size * 0.2) };
        self.target_in_world = focus.center() + inwards;
        let half_height = if focus.is_empty() { 1.0 } else { size * 0.5 * 1.4 };
        self.distance = half_height / (Self::FOV_Y * 0.5).tan() / aspect.clamp(0.05, 1.0) + focus.size().z * 0.5;
    }

    /// Turns about the target by a drag of `delta` radians (x to the right, y down).
    pub fn orbit(&mut self, delta: Vec2) {
        self.yaw = (self.yaw - delta.x).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + delta.y).clamp(-Self::MAX_PITCH, Self::MAX_PITCH);
    }

    /// Moves target and eye so that the point under the hand stays under it; `delta` in picture heights (x right, y down).
    pub fn pan(&mut self, delta: Vec2) {
        let height = 2.0 * self.distance * (Self::FOV_Y * 0.5).tan();
        self.target_in_world += self.world_from_view_rotation() * Vec3::new(-delta.x, delta.y, 0.0) * height;
    }

    /// Comes nearer by `factor` (> 1) towards the point under the cursor, which stays where it is on screen.
    /// `cursor` is in picture heights from the middle (x right, y down).
    pub fn zoom(&mut self, factor: f32, cursor: Vec2) {
        let radius = self.scene_bounds.radius();
        let distance = (self.distance / factor.max(1e-3)).clamp(radius * 1e-3, radius * 1e3);
        let moved = distance / self.distance;
        self.pan(-cursor * (1.0 - moved));
        self.distance = distance;
    }

    fn world_from_view_rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch)
    }

    /// Where the eye is.
    pub fn eye_in_world(&self) -> Vec3 {
        self.target_in_world + self.world_from_view_rotation() * Vec3::Z * self.distance
    }

    /// World to eye.
    pub fn view_from_world(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.world_from_view_rotation(), self.eye_in_world()).inverse()
    }

    /// Eye to clip space, with near and far planes around the whole head, whatever its unit.
    pub fn projection_from_view(&self, aspect: f32) -> Mat4 {
        let radius = self.scene_bounds.radius() * 1.5;
        let middle = self.eye_in_world().distance(self.scene_bounds.center());
        let far = (middle + radius).max(self.distance * 2.0);
        let near = (middle - radius).max(far * 1e-4).max(self.distance * 0.02).min(far * 0.5);
        glam::camera::rh::proj::directx::perspective(Self::FOV_Y, aspect.max(1e-3), near, far)
    }
}
