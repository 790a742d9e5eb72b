//! Lights of a file (`KHR_lights_punctual`), at the rest pose of their nodes.

use glam::{Mat4, Vec3};

#[derive(Clone, Debug, PartialEq)]
pub struct FileLight {
    /// The file's name for it, or its node's.
    pub name: String,
    /// The node that carries it, as an index into [`crate::head::Rig::nodes`], if there is one.
    pub node: Option<usize>,
    /// Shines along -z. May contain a scale, which has no meaning.
    pub world_from_light: Mat4,
    /// Linear RGB.
    pub color: [f32; 3],
    /// Lux for [`Beam::Directional`], else candela.
    pub intensity: f32,
    /// The distance, in world units, beyond which it has no effect; none if it is unlimited.
    pub range: Option<f32>,
    pub beam: Beam,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Beam {
    /// Parallel light from infinitely far away.
    Directional,
    Point,
    /// Light from a point within a cone.
    Spot {
        /// The angle between the axis of the cone and the start of the falloff.
        inner_radians: f32,
        /// The angle between the axis of the cone and the end of the falloff.
        outer_radians: f32,
    },
}

impl FileLight {
    /// The most lights that are shown.
    pub const MOST: usize = 8;

    pub fn position_in_world(&self) -> Vec3 {
        self.world_from_light.w_axis.truncate()
    }

    /// The direction it shines in. Unit length.
    pub fn direction_in_world(&self) -> Vec3 {
        -self.world_from_light.z_axis.truncate().normalize_or(Vec3::Z)
    }

    /// The falloff of a spot light is `cos(angle) * scale + offset`, clamped to 0..1 and squared.
    pub fn cone_scale_and_offset(&self) -> [f32; 2] {
        match self.beam {
            Beam::Directional | Beam::Point => [0.0, 1.0],
            Beam::Spot { inner_radians, outer_radians } => {
                let scale = 1.0 / (inner_radians.cos() - outer_radians.cos()).max(1e-3);
                [scale, -outer_radians.cos() * scale]
            }
        }
    }

    /// The illuminance, in lux, of a surface at a point that faces the light. Distances below `nearest` count as
    /// `nearest`.
    pub fn lux_at(&self, point: Vec3, nearest: f32) -> f32 {
        if self.beam == Beam::Directional {
            return self.intensity;
        }
        let offset_in_world = point - self.position_in_world();
        let distance = offset_in_world.length().max(nearest);
        let end = self.range.map_or(1.0, |range| (1.0 - (distance / range).powi(4)).clamp(0.0, 1.0));
        let [scale, offset] = self.cone_scale_and_offset();
        let cone =
            (offset_in_world.normalize_or_zero().dot(self.direction_in_world()) * scale + offset).clamp(0.0, 1.0);
        self.intensity * end * cone * cone / (distance * distance)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct FileCamera {
    /// The file's name for it, or its node's.
    pub name: String,
    /// The node that carries it, as an index into [`crate::head::Rig::nodes`], if there is one.
    pub node: Option<usize>,
    /// Looks down -z, +y up. May contain a scale, which has no meaning.
    pub world_from_camera: Mat4,
    pub lens: Lens,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    Perspective {
        fov_y_radians: f32,
    },
    Orthographic {
        /// Half the height of the image, in world units.
        half_height: f32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn light(beam: Beam) -> FileLight {
        let world_from_light = Mat4::from_translation(Vec3::Z * 2.0);
        FileLight { name: "l".into(), node: None, world_from_light, color: [1.0; 3], intensity: 8.0, range: None, beam }
    }

    #[test]
    fn light_fades_with_the_square_of_the_distance_and_outside_its_cone() {
        assert_eq!(light(Beam::Directional).lux_at(Vec3::X * 9.0, 0.1), 8.0);
        assert_eq!(light(Beam::Point).lux_at(Vec3::ZERO, 0.1), 2.0);
        assert_eq!(light(Beam::Point).lux_at(Vec3::Z * 2.0, 0.5), 32.0, "no brighter than nearby");
        let spot = light(Beam::Spot { inner_radians: 0.2, outer_radians: 0.6 });
        assert_eq!(spot.lux_at(Vec3::ZERO, 0.1), 2.0);
        let beside = spot.lux_at(Vec3::X * 0.8, 0.1) * 4.64 / 8.0;
        assert!(beside > 0.05 && beside < 0.95, "{beside}");
        assert_eq!(spot.lux_at(Vec3::X * 2.0, 0.1), 0.0);
        assert_eq!(FileLight { range: Some(1.5), ..light(Beam::Point) }.lux_at(Vec3::ZERO, 0.1), 0.0);
    }
}
