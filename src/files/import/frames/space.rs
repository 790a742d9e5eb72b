//! The unit and the axes of frames, found by comparing them with a head.

use glam::{DMat3, DVec3, Mat3, Mat4, Vec3};

use crate::import::median;
use crate::import::shapes::KdTree;
use smirk_analysis::solve::RigidMotion;

/// From frames to the world of a head: other axes, then another unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Space {
    /// Each axis of the head is one of the frames, or its opposite.
    axes: DMat3,
    /// Units of the head in one unit of the frames.
    pub(super) scale: f64,
    /// What is added, where frames are only looked at to find which vertex is which.
    offset: DVec3,
}

impl Space {
    pub(super) const SAME: Self = Self { axes: DMat3::IDENTITY, scale: 1.0, offset: DVec3::ZERO };

    /// The transform without the offset: that is a motion of the head.
    pub(super) fn matrix(&self) -> Mat4 {
        Mat4::from_mat3(self.linear())
    }

    pub(super) fn placed(&self) -> Mat4 {
        Mat4::from_translation(self.offset.as_vec3()) * self.matrix()
    }

    fn linear(&self) -> Mat3 {
        if self.axes == DMat3::IDENTITY && self.scale == 1.0 {
            Mat3::IDENTITY
        } else {
            (self.axes * self.scale).as_mat3()
        }
    }

    /// What is unusual about it, in words about the frames; none if it is the same as that of the head.
    pub(super) fn in_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.scale != 1.0 {
            words.push(match self.scale < 1.0 {
                true => format!("its unit is smaller: {} of it are 1 of the head", times(1.0 / self.scale)),
                false => format!("its unit is larger: 1 of it is {} of the head", times(self.scale)),
            });
        }
        if self.axes != DMat3::IDENTITY {
            let rows = self.axes.transpose();
            let [x, y, z] = [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| {
                let (name, value) = [("x", row.x), ("y", row.y), ("z", row.z)]
                    .into_iter()
                    .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
                    .unwrap_or(("x", 1.0));
                if value < 0.0 { format!("−{name}") } else { name.to_owned() }
            });
            let mirrored = if self.axes.determinant() < 0.0 { "it is mirrored" } else { "its axes are others" };
            words.push(format!("{mirrored}: x, y, z of the head are its {x}, {y}, {z}"));
        }
        words
    }
}

fn times(factor: f64) -> String {
    format!("{}", (factor * 1000.0).round() / 1000.0)
}

/// The ways in which three axes can be others, the same ones first, then those that do not mirror.
fn all_axes() -> Vec<DMat3> {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let axis = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut all: Vec<DMat3> = ORDERS
        .into_iter()
        .flat_map(|order| {
            (0..8).map(move |signs: usize| {
                let sign = [0, 1, 2].map(|at: usize| if signs >> at & 1 == 1 { -1.0 } else { 1.0 });
                DMat3::from_cols(axis[order[0]] * sign[0], axis[order[1]] * sign[1], axis[order[2]] * sign[2])
            })
        })
        .collect();
    all.sort_by_key(|axes| (*axes != DMat3::IDENTITY, axes.determinant() < 0.0));
    all
}

/// How many of one unit are another: metres, decimetres, centimetres and millimetres, inches and feet.
const UNITS: [f64; 15] = [
    1.0,
    0.01,
    100.0,
    0.001,
    1000.0,
    0.1,
    10.0,
    0.0254,
    39.370_078_74,
    2.54,
    0.393_700_787,
    0.3048,
    3.280_839_895,
    30.48,
    0.032_808_399,
];

/// The usual unit that is nearest to a ratio of sizes, if a face that has opened its mouth could be the difference.
fn unit_near(ratio: f64) -> Option<f64> {
    const ALIKE: f64 = 0.12;
    let nearest = UNITS.into_iter().min_by(|a, b| off(*a, ratio).total_cmp(&off(*b, ratio)))?;
    (off(nearest, ratio) < ALIKE).then_some(nearest)
}

fn off(unit: f64, ratio: f64) -> f64 {
    (ratio / unit).ln().abs()
}

/// The space of frames whose points are known: pairs of a point of a frame and its position on the head at rest. With
/// it the part of the head's size by which they are apart when the frame is laid on the head. `edges` are the lengths
/// of edges in the frame and at rest: half of them change less than the size of a face that opens its mouth wide.
pub(super) fn of_pairs(pairs: &[(Vec3, Vec3)], edges: &[[f32; 2]]) -> Option<(Space, f64)> {
    let pairs: Vec<(DVec3, DVec3)> = pairs
        .iter()
        .filter(|(found, rest)| found.is_finite() && rest.is_finite())
        .map(|(found, rest)| (found.as_dvec3(), rest.as_dvec3()))
        .collect();
    let count = pairs.len() as f64;
    if count < 3.0 {
        return None;
    }
    let (found_mean, rest_mean) =
        pairs.iter().fold((DVec3::ZERO, DVec3::ZERO), |(a, b), (found, rest)| (a + *found / count, b + *rest / count));
    let (mut found_square, mut rest_square) = (0.0, 0.0);
    let mut products = DMat3::ZERO;
    for (found, rest) in &pairs {
        let (found, rest) = (*found - found_mean, *rest - rest_mean);
        found_square += found.length_squared();
        rest_square += rest.length_squared();
        products += DMat3::from_cols(found * rest.x, found * rest.y, found * rest.z);
    }
    if !(found_square > 0.0 && rest_square > 0.0) {
        return None;
    }
    let ratios = edges.iter().map(|&[found, rest]| f64::from(rest) / f64::from(found));
    let ratio = median(ratios.filter(|ratio| ratio.is_finite() && *ratio > 0.0));
    let ratio = ratio.unwrap_or_else(|| (rest_square / found_square).sqrt());
    let scale = unit_near(ratio).unwrap_or(ratio);
    // Row after row, the sum of found · rest for each pair of axes.
    // The first of equal ones: nothing is turned without a reason.
    let mut axes = DMat3::IDENTITY;
    for other in all_axes() {
        if fit(&other, products) > fit(&axes, products) + 1e-3 * (found_square * rest_square).sqrt() {
            axes = other;
        }
    }
    let space = Space { axes, scale, offset: DVec3::ZERO };
    let placed = pairs.iter().map(|(found, rest)| (*rest, space.axes * *found * scale));
    let motion = RigidMotion::between(placed.clone());
    let apart: f64 = placed.map(|(rest, found)| motion.back(found).distance_squared(rest)).sum();
    Some((space, (apart / rest_square).sqrt()))
}

fn fit(axes: &DMat3, products: DMat3) -> f64 {
    let turned = *axes * products;
    turned.x_axis.x + turned.y_axis.y + turned.z_axis.z
}

/// The space in which most points of a frame lie on points of the head, and the part that does.
pub(super) fn by_position(found: &[Vec3], rest: &[Vec3]) -> Option<(Space, f64)> {
    const SAMPLES: usize = 300;
    /// How near a point has to be, as a part of the head's size.
    const NEAR: f64 = 0.004;
    let found: Vec<DVec3> = found.iter().filter(|it| it.is_finite()).map(|it| it.as_dvec3()).collect();
    let rest: Vec<Vec3> = rest.iter().copied().filter(|it| it.is_finite()).collect();
    if found.len() < 3 || rest.len() < 3 {
        return None;
    }
    let (low, high) = bounds(&mut rest.iter().map(|it| it.as_dvec3()));
    let (size, middle) = ((high - low).max_element(), (low + high) * 0.5);
    let tree = KdTree::new(rest.iter().zip(0..).map(|(at, index)| (at.to_array(), index)));
    let samples: Vec<DVec3> = found.iter().copied().step_by(found.len().div_ceil(SAMPLES)).collect();
    let (found_low, found_high) = bounds(&mut found.iter().copied());
    let mut best: Option<(Space, f64)> = None;
    for axes in all_axes() {
        for scale in UNITS {
            let (a, b) = (axes * found_low * scale, axes * found_high * scale);
            let own_size = (a - b).abs().max_element();
            if !(0.1..=2.0).contains(&(own_size / size)) {
                continue;
            }
            for offset in [DVec3::ZERO, middle - (a + b) * 0.5] {
                let share = samples
                    .iter()
                    .filter(|at| {
                        let at = (axes * **at * scale + offset).as_vec3();
                        tree.nearest(at.to_array(), (size * NEAR) as f32).is_some()
                    })
                    .count() as f64
                    / samples.len() as f64;
                if share > best.map_or(0.0, |(_, share)| share + 0.05) {
                    best = Some((Space { axes, scale, offset }, share));
                }
            }
        }
    }
    best
}

fn bounds(points: &mut dyn Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random;

    fn points() -> Vec<Vec3> {
        let number = |index: u64| random::signed(4, index);
        (0..400)
            .map(|at| Vec3::new(number(3 * at), 1.5 * number(3 * at + 1) + 2.0, number(3 * at + 2).powi(2)))
            .collect()
    }

    #[test]
    fn units_and_axes_are_found_with_and_without_knowing_which_point_is_which() {
        let rest = points();
        for axes in all_axes() {
            for scale in [1.0, 0.01, 1000.0] {
                let pair = |(index, at): (usize, &Vec3)| {
                    let moved = *at + Vec3::splat(0.01) * (index % 7) as f32;
                    ((axes.transpose() * moved.as_dvec3() / scale).as_vec3(), *at)
                };
                let pairs: Vec<(Vec3, Vec3)> = rest.iter().enumerate().map(pair).collect();
                let (space, apart) = of_pairs(&pairs, &[]).unwrap();
                assert_eq!((space.axes, space.scale), (axes, scale));
                assert!(apart < 0.1, "{apart}");
            }
        }
        let turned = all_axes()[30];
        let mut found: Vec<Vec3> =
            rest.iter().map(|at| (turned.transpose() * at.as_dvec3() * 100.0).as_vec3()).collect();
        found.truncate(300);
        found.reverse();
        let (space, share) = by_position(&found, &rest).unwrap();
        assert_eq!((space.axes, space.scale, share), (turned, 0.01, 1.0));
        let other: Vec<Vec3> = (0..200).map(|at| Vec3::new(at as f32, 0.0, (at % 7) as f32 * 20.0)).collect();
        assert!(by_position(&other, &rest).is_none_or(|(_, share)| share < 0.5));
        assert!(of_pairs(&[(Vec3::NAN, Vec3::ZERO); 9], &[]).is_none() && by_position(&[], &rest).is_none());
    }

    #[test]
    fn spaces_are_described_from_the_side_of_the_frames() {
        assert_eq!(Space::SAME.in_words(), [""; 0]);
        let up_is_z = DMat3::from_cols(DVec3::X, DVec3::NEG_Z, DVec3::Y);
        let space = Space { axes: up_is_z, scale: 0.01, offset: DVec3::ZERO };
        let expected = [
            "its unit is smaller: 100 of it are 1 of the head",
            "its axes are others: x, y, z of the head are its x, z, −y",
        ];
        assert_eq!(space.in_words(), expected);
        let mirrored = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        let space = Space { axes: mirrored, scale: 1.0, offset: DVec3::ZERO };
        assert_eq!(space.in_words(), ["it is mirrored: x, y, z of the head are its −x, y, z"]);
    }
}
