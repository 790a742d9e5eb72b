//! How far the head and the eyes are turned away from rest, as face trackers record it.

use glam::{EulerRot, Quat};

/// A rotation away from rest, in radians. The axes are those of an actor who looks along +z: x to the actor's own left, y up.
/// Every angle is right-handed about its axis, as in the coordinates of ARKit's face anchor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// About y: positive is towards the actor's own left.
    pub yaw: f32,
    /// About x: positive is down.
    pub pitch: f32,
    /// About z: positive tilts the top of the head towards the actor's own right shoulder.
    pub roll: f32,
}

impl Turn {
    /// No rotation.
    pub const NONE: Self = Self { yaw: 0.0, pitch: 0.0, roll: 0.0 };

    /// The rotation: first the roll, then the pitch, then the yaw, all about axes that do not turn. An angle that is not finite
    /// is 0.
    pub fn rotation(self) -> Quat {
        let [yaw, pitch, roll] =
            [self.yaw, self.pitch, self.roll].map(|angle| if angle.is_finite() { angle } else { 0.0 });
        Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll)
    }

    /// The angles of a rotation: the inverse of [`Self::rotation`].
    pub fn of_rotation(rotation: Quat) -> Self {
        let (yaw, pitch, roll) = rotation.to_euler(EulerRot::YXZ);
        Self { yaw, pitch, roll }
    }
}

/// The turns of the head and of both eyes. The eyes are turned relative to the head.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FaceTurns {
    /// The head.
    pub head: Turn,
    /// The actor's own left eye, then the right one.
    pub eyes: [Turn; 2],
}

impl FaceTurns {
    /// Nothing is turned.
    pub const NONE: Self = Self { head: Turn::NONE, eyes: [Turn::NONE; 2] };
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use glam::Vec3;

    use super::*;

    #[test]
    fn positive_angles_turn_left_down_and_to_the_right_shoulder() {
        let turned = |turn: Turn, point: Vec3| turn.rotation() * point;
        let near = |a: Vec3, b: Vec3| assert!(a.distance(b) < 1e-6, "{a} is not {b}");
        near(turned(Turn { yaw: FRAC_PI_2, ..Turn::NONE }, Vec3::Z), Vec3::X);
        near(turned(Turn { pitch: FRAC_PI_2, ..Turn::NONE }, Vec3::Z), Vec3::NEG_Y);
        near(turned(Turn { roll: FRAC_PI_2, ..Turn::NONE }, Vec3::Y), Vec3::NEG_X);
        // The yaw comes last: a face that looks straight up still does so after it.
        near(turned(Turn { yaw: 1.0, pitch: -FRAC_PI_2, roll: 0.0 }, Vec3::Z), Vec3::Y);
    }

    #[test]
    fn the_angles_of_a_rotation_are_those_that_it_was_made_of() {
        let turn = Turn { yaw: 0.7, pitch: -0.4, roll: 0.2 };
        let found = Turn::of_rotation(turn.rotation());
        for (is, should) in [(found.yaw, turn.yaw), (found.pitch, turn.pitch), (found.roll, turn.roll)] {
            assert!((is - should).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn bad_angles_turn_nothing() {
        let turn = Turn { yaw: f32::NAN, pitch: f32::INFINITY, roll: 0.5 };
        assert_eq!(turn.rotation(), Turn { roll: 0.5, ..Turn::NONE }.rotation());
        assert!(Turn { yaw: f32::MAX, ..Turn::NONE }.rotation().is_normalized());
    }
}
