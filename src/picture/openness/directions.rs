//! Directions that cover the sphere evenly.

use glam::Vec3;

/// The middles of `count` parts of the sphere of equal area, along a spiral whose turns are the golden angle (spherical Fibonacci
/// lattice: Marques et al., "Spherical Fibonacci Point Sets for Illumination Integrals", 2013).
pub(super) fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    let golden_angle = std::f32::consts::PI * (3.0 - 5.0_f32.sqrt());
    (0..count).map(move |index| {
        let height = 1.0 - (2.0 * index as f32 + 1.0) / count as f32;
        let (sine, cosine) = (index as f32 * golden_angle).sin_cos();
        let radius = (1.0 - height * height).max(0.0).sqrt();
        Vec3::new(radius * cosine, height, radius * sine)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_of_unit_length_and_balance_each_other() {
        let all: Vec<Vec3> = directions(64).collect();
        assert!(all.iter().all(|direction| direction.is_normalized()));
        assert!((all.iter().sum::<Vec3>() / 64.0).length() < 0.02);
        let towards = |axis: Vec3| all.iter().map(|direction| direction.dot(axis).max(0.0)).sum::<f32>() / 64.0;
        for axis in [Vec3::X, Vec3::Y, Vec3::NEG_Z, Vec3::ONE.normalize_or(Vec3::X)] {
            // The mean of the cosine over the sphere is a quarter.
            assert!((towards(axis) - 0.25).abs() < 0.01, "{axis}: {}", towards(axis));
        }
    }
}
