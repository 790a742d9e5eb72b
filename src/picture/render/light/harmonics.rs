//! Irradiance as a function of the surface normal, by spherical harmonics of order 2 (R. Ramamoorthi and P. Hanrahan, "An efficient
//! representation for irradiance environment maps", 2001).

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// The coefficients (linear RGB; the fourth number is padding) of 1, y, z, x, xy, yz, 3z² − 1, xz and x² − y² of the normal
/// (x, y, z): the harmonics without their constants.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct Harmonics(pub(super) [[f32; 4]; 9]);

impl Harmonics {
    /// Adds light that depends only on the cosine c of the angle from `axis`: the factors of the Legendre polynomials 1, c and
    /// (3c² − 1) / 2, multiplied with those of the clamped cosine.
    pub(super) fn add(&mut self, axis: Vec3, constant: Vec3, linear: Vec3, quadratic: Vec3) {
        let Vec3 { x, y, z } = axis;
        let added = [
            constant,
            linear * y,
            linear * z,
            linear * x,
            quadratic * (3.0 * x * y),
            quadratic * (3.0 * y * z),
            quadratic * ((3.0 * z * z - 1.0) * 0.25),
            quadratic * (3.0 * x * z),
            quadratic * ((x * x - y * y) * 0.75),
        ];
        for (sum, added) in self.0.iter_mut().zip(added) {
            *sum = (Vec3::from_slice(&sum[..3]) + added).extend(0.0).to_array();
        }
    }

    /// Adds light from one direction, which brings `irradiance` to a surface that faces it.
    pub(crate) fn add_direction(&mut self, to_light: Vec3, irradiance: Vec3) {
        self.add(to_light, irradiance * 0.25, irradiance * 0.5, irradiance * (5.0 / 16.0));
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    #[test]
    fn light_from_one_direction_is_about_the_clamped_cosine() {
        let to_light = vec3(0.48, 0.6, 0.64);
        let mut harmonics = Harmonics::default();
        harmonics.add_direction(to_light, Vec3::ONE);
        let across = to_light.any_orthonormal_vector();
        for degrees in (0..=180).step_by(5) {
            let cosine = (degrees as f32).to_radians().cos();
            let n = to_light * cosine + across * (1.0 - cosine * cosine).max(0.0).sqrt();
            let basis =
                [1.0, n.y, n.z, n.x, n.x * n.y, n.y * n.z, 3.0 * n.z * n.z - 1.0, n.x * n.z, n.x * n.x - n.y * n.y];
            let sum: f32 = basis.iter().zip(harmonics.0).map(|(value, coefficient)| coefficient[0] * value).sum();
            // The error is greatest where the light is in the plane of the surface, 3/32.
            assert!((sum - cosine.max(0.0)).abs() < 0.0938, "{degrees}°: {sum}");
        }
    }
}
