//! How far a blend may be from the f64 reference.

use smirk::blend::{Deviation, Precision};

/// Distance as a part of the head's size, and angle in degrees.
const fn promised(precision: Precision) -> (f64, f64) {
    match precision {
        Precision::Exact => (1e-6, 0.05),
        Precision::Packed => (1e-5, 0.1),
    }
}

/// A file in which deltas of 900 move a mesh of size 3 is measured by what it becomes.
const BURST: f64 = 4.0;

/// Whether a blend keeps what its layout promises. Weights beyond -1..1 stretch the deltas, and what they lose with
/// them.
pub fn is_within(precision: Precision, weights: &[f32], deviation: &Deviation) -> bool {
    let (distance, degrees) = promised(precision);
    let stretch = weights.iter().fold(1.0_f64, |most, weight| most.max(f64::from(weight.abs())));
    let has_burst = deviation.blended_size > BURST * deviation.head_size;
    let size = if has_burst { deviation.blended_size } else { deviation.head_size };
    deviation.max_distance <= distance * stretch * size
        && deviation.max_normal_degrees <= degrees * stretch
        && deviation.max_tangent_degrees <= degrees * stretch
}
