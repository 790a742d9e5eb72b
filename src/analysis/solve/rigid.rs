//! The rotation and the translation that take points to where they are found.

use glam::{DMat3, DMat4, DQuat, DVec3};

/// A motion without a change of shape: `rotation · point + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// The rotation about the origin.
    pub rotation: DMat3,
    /// What is added after it.
    pub translation: DVec3,
}

impl RigidMotion {
    pub const NONE: Self = Self { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// The motion that takes points closest to where they are found: pairs of a point and that place.
    pub fn between(pairs: impl Iterator<Item = (DVec3, DVec3)>) -> Self {
        Self::between_weighted(pairs.map(|(point, found)| (1.0, point, found)))
    }

    /// The same of pairs that count differently: the weight first.
    pub(crate) fn between_weighted(pairs: impl Iterator<Item = (f64, DVec3, DVec3)>) -> Self {
        let mut sums = PointPairs::default();
        pairs.for_each(|(weight, point, found)| sums.add(weight, point, found));
        sums.motion()
    }

    /// Where a point is taken from.
    pub fn back(&self, point: DVec3) -> DVec3 {
        self.rotation.transpose() * (point - self.translation)
    }

    /// How far a point is moved.
    pub fn movement(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation - point
    }

    /// This motion after another one.
    #[must_use]
    pub(super) fn after(&self, first: &Self) -> Self {
        Self {
            rotation: self.rotation * first.rotation,
            translation: self.rotation * first.translation + self.translation,
        }
    }
}

/// Sums over points at rest and where they are found, from which the motion follows that takes the ones closest to the
/// others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PointPairs {
    /// The sum of the weights.
    pub weight: f64,
    /// Weighted sums of positions.
    pub rest: DVec3,
    pub found: DVec3,
    /// The weighted sum of `found · restᵀ`.
    pub products: DMat3,
}

impl Default for PointPairs {
    fn default() -> Self {
        Self { weight: 0.0, rest: DVec3::ZERO, found: DVec3::ZERO, products: DMat3::ZERO }
    }
}

impl PointPairs {
    pub(super) fn add(&mut self, weight: f64, rest: DVec3, found: DVec3) {
        self.weight += weight;
        self.rest += weight * rest;
        self.found += weight * found;
        self.products += outer(weight * found, rest);
    }

    /// The motion that minimises the weighted sum of squared distances (Horn, "Closed-form solution of absolute
    /// orientation using unit quaternions", 1987). It never mirrors. Without points, there is no motion.
    pub(super) fn motion(&self) -> RigidMotion {
        if self.weight <= 0.0 {
            return RigidMotion::NONE;
        }
        let (rest, found) = (self.rest / self.weight, self.found / self.weight);
        let rotation = rotation_of(self.products - outer(self.found, rest));
        RigidMotion { rotation, translation: found - rotation * rest }
    }
}

/// The product of a column and a row.
pub(super) fn outer(column: DVec3, row: DVec3) -> DMat3 {
    DMat3::from_cols(column * row.x, column * row.y, column * row.z)
}

/// The rotation that is nearest to a sum of `found · restᵀ`: the eigenvector of Horn's matrix for its largest
/// eigenvalue.
fn rotation_of(products: DMat3) -> DMat3 {
    // Horn's sums are those of rest · foundᵀ.
    let s = products.transpose().to_cols_array_2d();
    let at = |row: usize, column: usize| s[column][row];
    let (xx, yy, zz) = (at(0, 0), at(1, 1), at(2, 2));
    let (x, y, z) = (at(1, 2) - at(2, 1), at(2, 0) - at(0, 2), at(0, 1) - at(1, 0));
    let (xy, yz, zx) = (at(0, 1) + at(1, 0), at(1, 2) + at(2, 1), at(2, 0) + at(0, 2));
    let matrix = DMat4::from_cols_array_2d(&[
        [xx + yy + zz, x, y, z],
        [x, xx - yy - zz, xy, zx],
        [y, xy, yy - xx - zz, yz],
        [z, zx, yz, zz - xx - yy],
    ]);
    let [w, x, y, z] = largest_eigenvector(matrix.to_cols_array_2d());
    let quaternion = DQuat::from_xyzw(x, y, z, w);
    if quaternion.is_finite() && quaternion.length_squared() > 0.5 {
        DMat3::from_quat(quaternion.normalize())
    } else {
        DMat3::IDENTITY
    }
}

/// The eigenvector of a symmetric matrix for its largest eigenvalue, by Jacobi's rotations.
fn largest_eigenvector(mut a: [[f64; 4]; 4]) -> [f64; 4] {
    const SWEEPS: usize = 32;
    let mut vectors = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        let mut is_diagonal = true;
        for p in 0..3 {
            for q in p + 1..4 {
                if a[p][q].abs() <= f64::EPSILON * 1e-3 * (a[p][p].abs() + a[q][q].abs()) {
                    continue;
                }
                is_diagonal = false;
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let tangent = if theta < 0.0 { -1.0 } else { 1.0 } / (theta.abs() + theta.hypot(1.0));
                let cosine = tangent.hypot(1.0).recip();
                let sine = tangent * cosine;
                for row in a.iter_mut().chain(&mut vectors) {
                    (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
                }
                let (of_p, of_q) = (a[p], a[q]);
                a[p] = std::array::from_fn(|column| cosine * of_p[column] - sine * of_q[column]);
                a[q] = std::array::from_fn(|column| sine * of_p[column] + cosine * of_q[column]);
            }
        }
        if is_diagonal {
            break;
        }
    }
    let largest = (0..4).max_by(|&p, &q| a[p][p].total_cmp(&a[q][q])).unwrap_or(0);
    std::array::from_fn(|row| vectors[row][largest])
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random;

    fn points(seed: u32) -> Vec<DVec3> {
        let number = |index: u64| f64::from(random::signed(seed, index));
        (0..50).map(|at| DVec3::new(number(3 * at), number(3 * at + 1) * 0.3, number(3 * at + 2) * 2.0)).collect()
    }

    #[test]
    fn any_motion_is_found_again_exactly() {
        let axes = [DVec3::X, DVec3::new(0.3, -0.9, 0.2).normalize(), DVec3::new(-1.0, 1.0, 1.0).normalize()];
        for (axis, angle) in axes.into_iter().flat_map(|axis| [0.0, 1e-7, 0.2, 1.5, 3.1].map(|angle| (axis, angle))) {
            let motion =
                RigidMotion { rotation: DMat3::from_axis_angle(axis, angle), translation: DVec3::new(5.0, -1.0, 0.1) };
            let mut pairs = PointPairs::default();
            for (at, point) in points(7).into_iter().enumerate() {
                pairs.add(0.5 + at as f64, point, motion.rotation * point + motion.translation);
            }
            let found = pairs.motion();
            assert!((found.rotation - motion.rotation).to_cols_array().iter().all(|it| it.abs() < 1e-12), "{angle}");
            assert!((found.translation - motion.translation).length() < 1e-12);
            let point = DVec3::new(1.0, 2.0, 3.0);
            assert!(found.back(point + found.movement(point)).distance(point) < 1e-12);
        }
    }

    #[test]
    fn a_mirrored_shape_is_not_mirrored_back_and_nothing_gives_no_motion() {
        let mut pairs = PointPairs::default();
        points(8).into_iter().for_each(|point| pairs.add(1.0, point, point * DVec3::new(-1.0, 1.0, 1.0)));
        assert!((pairs.motion().rotation.determinant() - 1.0).abs() < 1e-9);
        assert_eq!(PointPairs::default().motion(), RigidMotion::NONE);
    }

    #[test]
    fn motions_follow_each_other() {
        let turn =
            |angle: f64, along: DVec3| RigidMotion { rotation: DMat3::from_rotation_y(angle), translation: along };
        let (first, second) = (turn(0.3, DVec3::X), turn(-0.1, DVec3::Z));
        let both = second.after(&first);
        let point = DVec3::new(0.4, 0.5, 0.6);
        let step = |motion: &RigidMotion, point: DVec3| point + motion.movement(point);
        assert!(step(&both, point).distance(step(&second, step(&first, point))) < 1e-12);
    }
}
