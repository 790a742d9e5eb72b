//! A light that the file brings (`KHR_lights_punctual`), where its node stands at rest.

use glam::{Mat4, Vec3};

/// Something that shines.
#[derive(Clone, Debug, PartialEq)]
pub struct FileLight {
    /// The file's name for it, or its node's.
    pub name: String,
    /// Shines down -z. May be scaled, which means nothing.
    pub world_from_light: Mat4,
    /// Linear RGB.
    pub color: [f32; 3],
    /// Lux for [`Beam::Directional`], else candela.
    pub intensity: f32,
    /// Beyond this, in the world, it does not reach; none: it reaches everywhere.
    pub range: Option<f32>,
    /// Where it shines.
    pub beam: Beam,
}

/// Where a light shines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Beam {
    /// In one direction, from everywhere.
    Directional,
    /// From a point to all sides.
    Point,
    /// From a point, in a cone.
    Spot {
        /// From the middle of the cone to where it begins to fade.
        inner_radians: f32,
        /// To where nothing is left.
        outer_radians: f32,
    },
}

impl FileLight {
    /// Further ones are not shown.
    pub const MOST: usize = 8;

    /// Where it is.
    pub fn position_in_world(&self) -> Vec3 {
        self.world_from_light.w_axis.truncate()
    }

    /// Unit: which way it shines.
    pub fn direction_in_world(&self) -> Vec3 {
        -self.world_from_light.z_axis.truncate().normalize_or(Vec3::Z)
    }

    /// What `cos(angle) * scale + offset`, kept in 0..1 and squared, leaves of a spot beside its middle.
    pub fn cone_scale_and_offset(&self) -> [f32; 2] {
        match self.beam {
            Beam::Directional | Beam::Point => [0.0, 1.0],
            Beam::Spot { inner_radians, outer_radians } => {
                let scale = 1.0 / (inner_radians.cos() - outer_radians.cos()).max(1e-3);
                [scale, -outer_radians.cos() * scale]
            }
        }
    }

    /// Lux that arrive at a point, on something that faces the light. Nearer than `nearest` it gets no brighter.
    pub fn lux_at(&self, point: Vec3, nearest: f32) -> f32 {
        if self.beam == Beam::Directional {
            return self.intensity;
        }
        let away = point - self.position_in_world();
        let distance = away.length().max(nearest);
        let end = self.range.map_or(1.0, |range| (1.0 - (distance / range).powi(4)).clamp(0.0, 1.0));
        let [scale, offset] = self.cone_scale_and_offset();
        let cone = (away.normalize_or_zero().dot(self.direction_in_world()) * scale + offset).clamp(0.0, 1.0);
        self.intensity * end * cone * cone / (distance * distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn light(beam: Beam) -> FileLight {
        let world_from_light = Mat4::from_translation(Vec3::Z * 2.0);
        FileLight { name: "l".into(), world_from_light, color: [1.0; 3], intensity: 8.0, range: None, beam }
    }

    #[test]
    fn light_fades_with_the_square_of_the_distance_and_beside_its_cone() {
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
