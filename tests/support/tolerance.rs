//! How far a blend may be from the f64 reference.

use smirk_graphics::blend::{Deviation, Precision};

/// The tolerances of a layout: the distance as a fraction of the head's size, and the angle in degrees.
const fn tolerances(precision: Precision) -> (f64, f64) {
    match precision {
        Precision::Exact => (1e-6, 0.05),
        Precision::Packed => (1e-5, 0.1),
    }
}

/// If the blended head is larger than the head at rest by more than this factor, errors are relative to the size of the blended
/// head, as in a file in which deltas of 900 move a mesh of size 3.
const MAX_GROWTH: f64 = 4.0;

/// Whether a blend is within the tolerance of its layout. Weights beyond -1..1 multiply the deltas and also their rounding
/// errors, so that the tolerance is multiplied as well.
pub fn is_within(precision: Precision, weights: &[f32], deviation: &Deviation) -> bool {
    let (distance, degrees) = tolerances(precision);
    let stretch = weights.iter().fold(1.0_f64, |most, weight| most.max(f64::from(weight.abs())));
    let is_much_larger = deviation.blended_size > MAX_GROWTH * deviation.head_size;
    let size = if is_much_larger { deviation.blended_size } else { deviation.head_size };
    deviation.max_distance <= distance * stretch * size
        && deviation.max_normal_degrees <= degrees * stretch
        && deviation.max_tangent_degrees <= degrees * stretch
}
