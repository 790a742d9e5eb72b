//! In-betweens: the shapes of a morph target at other weights than 1.
//!
//! A target with in-betweens is piecewise linear in its weight. Its corners are the weights at which a shape is shown
//! fully: the *full weight* of each in-between, 1 for the target's own shape, and 0, where the base has no offset.
//! Between two neighbouring corners `a < b`, the offset at weight `w` is
//!
//! ```text
//! (1 − t) · offset(a) + t · offset(b),      t = (w − a) / (b − a)
//! ```
//!
//! Below the lowest corner and above the highest one, the line through the two outermost corners continues. This is
//! what FBX files mean by several shapes of a blend channel (ufbx, `ufbxi_update_blend_channel` in `ufbx.c`: the
//! effective weights of `ufbx_blend_channel.keyframes`), and USD by the in-betweens of a blend shape (UsdSkel, "Blend
//! Shapes", and `UsdSkelBlendShapeQuery::ComputeSubShapeWeights`).

use glam::Vec3;

use super::{ShapeDeltas, Target};

/// A shape that a target passes through on its way from the base to its own shape, or beyond these two.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InBetween {
    /// The file's name for it; may be empty.
    pub name: String,
    /// The weight of the target at which the shape is shown fully. Finite, and neither 0 nor 1.
    pub full_weight: f32,
    /// The vertices it changes, strictly increasing.
    pub rows: Vec<u32>,
    /// The offset from the base (not from the neighbouring shape) of the position; one per row, or empty.
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    /// The same for xyz of the tangent.
    pub tangents: Vec<Vec3>,
}

impl InBetween {
    /// The smallest distance of a full weight to the next one, to 0 and to 1. It is a tenth of the step of Maya's
    /// in-betweens. If two shapes were closer, the line through them would have no usable direction.
    pub const SMALLEST_STEP: f32 = 1e-4;

    /// Makes an in-between of dense offsets from the base: rows that are all zero are dropped. Each slice has one entry
    /// per vertex, or none.
    pub fn from_dense(name: String, full_weight: f32, positions: &[Vec3], normals: &[Vec3], tangents: &[Vec3]) -> Self {
        let Target { name, rows, positions, normals, tangents, .. } =
            Target::from_dense(name, 0.0, positions, normals, tangents);
        Self { name, full_weight, rows, positions, normals, tangents }
    }

    pub fn deltas(&self) -> ShapeDeltas<'_> {
        ShapeDeltas { rows: &self.rows, positions: &self.positions, normals: &self.normals, tangents: &self.tangents }
    }
}

impl Target {
    /// Gives the target these in-betweens, in the order of their full weights. Returns those it cannot have, because
    /// their full weight is not finite or closer than [`InBetween::SMALLEST_STEP`] to 0, to 1 or to that of an earlier
    /// one.
    pub fn set_in_betweens(&mut self, in_betweens: Vec<InBetween>) -> Vec<InBetween> {
        self.in_betweens.clear();
        let mut rejected = Vec::new();
        for in_between in in_betweens {
            let full_weight = in_between.full_weight;
            let mut taken = self.in_betweens.iter().map(|other| other.full_weight).chain([0.0, 1.0]);
            if full_weight.is_finite() && taken.all(|taken| (taken - full_weight).abs() >= InBetween::SMALLEST_STEP) {
                let place = self.in_betweens.partition_point(|other| other.full_weight < full_weight);
                self.in_betweens.insert(place, in_between);
            } else {
                rejected.push(in_between);
            }
        }
        rejected
    }

    /// How much of each of its shapes it shows at a weight.
    pub fn mix(&self, weight: f32) -> ShapeMix {
        ShapeMix::new(self.in_betweens.iter().map(|in_between| in_between.full_weight), weight)
    }

    /// The shapes that it shows at a weight, at most two, each with its own weight.
    pub fn shapes_at(&self, weight: f32) -> impl Iterator<Item = (ShapeDeltas<'_>, f32)> {
        let mix = self.mix(weight);
        let own = std::iter::once((self.deltas(), mix.of_own_shape()));
        let in_betweens = self.in_betweens.iter().map(move |it| (it.deltas(), mix.weight_of(it.full_weight)));
        own.chain(in_betweens).filter(|(_, weight)| *weight != 0.0)
    }
}

/// How much of each of its shapes a target shows at some weight. Only the shapes of two corners are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeMix {
    /// The full weights of these two, of which one may be 0.
    lower: f32,
    upper: f32,
    /// 0 at the lower corner, 1 at the upper one, anything outside.
    share: f64,
}

impl ShapeMix {
    /// The mix of a target whose in-betweens have these full weights, at a finite weight. Allocates nothing.
    pub fn new(full_weights: impl Iterator<Item = f32> + Clone, weight: f32) -> Self {
        let corners = full_weights.chain([0.0, 1.0]);
        let lowest = corners.clone().fold(f32::INFINITY, f32::min);
        let highest = corners.clone().fold(f32::NEG_INFINITY, f32::max);
        // Outside the corners, the two outermost ones are used.
        let from = weight.max(lowest);
        let upper = corners.clone().filter(|&corner| corner > from).fold(f32::INFINITY, f32::min).min(highest);
        let lower = corners.filter(|&corner| corner < upper).fold(f32::NEG_INFINITY, f32::max);
        let share = (f64::from(weight) - f64::from(lower)) / (f64::from(upper) - f64::from(lower));
        Self { lower, upper, share }
    }

    /// The weight of the target's own shape.
    pub fn of_own_shape(&self) -> f32 {
        self.weight_of(1.0)
    }

    pub fn weight_of(&self, full_weight: f32) -> f32 {
        match full_weight {
            corner if corner == self.upper => self.share as f32,
            corner if corner == self.lower => (1.0 - self.share) as f32,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(full_weights: &[f32], weight: f32) -> Vec<f32> {
        let mix = ShapeMix::new(full_weights.iter().copied(), weight);
        full_weights.iter().copied().chain([1.0]).map(|corner| mix.weight_of(corner)).collect()
    }

    fn are_close(a: &[f32], b: &[f32]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5 * b.abs().max(1.0))
    }

    #[test]
    fn without_in_betweens_the_own_shape_has_the_weight_of_the_target() {
        for weight in [-1.0, 0.0, 0.25, 1.0, 3.0] {
            assert_eq!(weights(&[], weight), [weight]);
        }
    }

    #[test]
    fn between_two_corners_both_have_a_share() {
        for (weight, expected) in [
            (0.0, [0.0, 0.0]),
            (0.25, [0.5, 0.0]),
            (0.5, [1.0, 0.0]),
            (0.75, [0.5, 0.5]),
            (1.0, [0.0, 1.0]),
            // Outside, the outermost line continues.
            (2.0, [-2.0, 3.0]),
            (-1.0, [-2.0, 0.0]),
        ] {
            assert_eq!(weights(&[0.5], weight), expected, "at {weight}");
        }
    }

    #[test]
    fn full_weights_may_be_negative_or_above_one() {
        let full = [-0.499, -0.249];
        assert!(are_close(&weights(&full, -0.249), &[0.0, 1.0, 0.0]));
        assert!(are_close(&weights(&full, -0.499), &[1.0, 0.0, 0.0]));
        assert!(are_close(&weights(&full, -0.374), &[0.5, 0.5, 0.0]));
        assert!(are_close(&weights(&full, -0.1245), &[0.0, 0.5, 0.0]));
        assert!(are_close(&weights(&full, 0.3), &[0.0, 0.0, 0.3]));
        assert!(are_close(&weights(&full, 2.0), &[0.0, 0.0, 2.0]));
        assert!(are_close(&weights(&full, -1.0), &[3.004, -2.004, 0.0]));
        assert!(are_close(&weights(&[2.0], 1.5), &[0.5, 0.5]));
        assert!(are_close(&weights(&[2.0], 0.5), &[0.0, 0.5]));
        assert!(are_close(&weights(&[2.0], 3.0), &[2.0, -1.0]));
    }

    #[test]
    fn in_betweens_are_sorted_and_impossible_ones_are_returned() {
        let in_between = |full_weight: f32| InBetween { full_weight, ..InBetween::default() };
        let mut target = Target::default();
        let given = [0.5, -0.25, f32::NAN, 0.0, 1.00001, 0.50001, 2.0].map(in_between).to_vec();
        let rejected = target.set_in_betweens(given);
        let full_weights: Vec<f32> = target.in_betweens.iter().map(|in_between| in_between.full_weight).collect();
        assert_eq!(full_weights, [-0.25, 0.5, 2.0]);
        assert_eq!(rejected.len(), 4, "{rejected:?}");
    }
}
