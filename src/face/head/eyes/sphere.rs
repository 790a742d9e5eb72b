//! The sphere that fits points best.

use glam::{DMat4, DVec3, DVec4, Vec3};

/// A sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sphere {
    pub center: Vec3,
    pub radius: f32,
}

impl Sphere {
    /// Points farther from the surface than this part of the radius are left out: a cornea, or tear glands.
    const OUTLIER: f64 = 0.06;
    /// The part of the points that has to lie on the sphere.
    const LEAST_SHARE: f64 = 0.6;

    /// The sphere on which most of the points lie, if there is one.
    pub(super) fn around(points: &[Vec3]) -> Option<Self> {
        const LEAST_POINTS: usize = 12;
        let count = points.len();
        let mean = points.iter().map(|point| point.as_dvec3()).sum::<DVec3>() / count.max(1) as f64;
        let size = points.iter().map(|point| point.as_dvec3().distance(mean)).fold(0.0, f64::max);
        if count < LEAST_POINTS || size.is_nan() || size <= 0.0 {
            return None;
        }
        // Points around the origin at a size of about 1, so that the equations are well conditioned for every unit of length.
        let mut kept: Vec<DVec3> = points.iter().map(|point| (point.as_dvec3() - mean) / size).collect();
        let all = kept.clone();
        let mut fitted = fit(&kept)?;
        for _ in 0..4 {
            let (center, radius) = fitted;
            let is_near = |point: &&DVec3| (point.distance(center) - radius).abs() < Self::OUTLIER * radius;
            kept = all.iter().filter(is_near).copied().collect();
            if (kept.len() as f64) < Self::LEAST_SHARE * count as f64 {
                return None;
            }
            fitted = fit(&kept)?;
        }
        let (center, radius) = fitted;
        Some(Self { center: (center * size + mean).as_vec3(), radius: (radius * size) as f32 })
    }
}

/// The sphere with the least squares of |p|² - 2 c·p - k, where k is radius² - |c|².
fn fit(points: &[DVec3]) -> Option<(DVec3, f64)> {
    let (mut matrix, mut sums) = (DMat4::ZERO, DVec4::ZERO);
    for point in points {
        let row = (*point * 2.0).extend(1.0);
        matrix += DMat4::from_cols(row * row.x, row * row.y, row * row.z, row * row.w);
        sums += row * point.length_squared();
    }
    if matrix.determinant().abs() < 1e-12 {
        return None;
    }
    let solved = matrix.inverse() * sums;
    let (center, radius_squared) = (solved.truncate(), solved.w + solved.truncate().length_squared());
    (radius_squared.is_finite() && radius_squared > 0.0).then(|| (center, radius_squared.sqrt()))
}
