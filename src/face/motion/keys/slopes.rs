//! The slopes with which a curve arrives at its keys and leaves them.

use super::{Key, Tangents};

/// The slope with which the curve leaves key `index`, in weight per second.
pub(super) fn outgoing(keys: &[Key], index: usize) -> f64 {
    match keys[index].tangents {
        Tangents::Auto => auto(keys, index),
        Tangents::Linear | Tangents::Step => secant(keys, index),
        Tangents::Free(slope) => slope.into(),
        Tangents::Broken { outgoing, .. } => outgoing.into(),
    }
}

/// The slope with which the curve arrives at key `index`, in weight per second.
pub(super) fn incoming(keys: &[Key], index: usize) -> f64 {
    match keys[index].tangents {
        Tangents::Auto | Tangents::Step => auto(keys, index),
        Tangents::Linear => index.checked_sub(1).map_or(0.0, |before| secant(keys, before)),
        Tangents::Free(slope) => slope.into(),
        Tangents::Broken { incoming, .. } => incoming.into(),
    }
}

/// The slope of the curve at a time between key `index` and the next one: the derivative of the Hermite polynomial.
pub(super) fn between(keys: &[Key], index: usize, time_secs: f32) -> f64 {
    let secs = f64::from(keys[index + 1].time_secs) - f64::from(keys[index].time_secs);
    let x = ((f64::from(time_secs) - f64::from(keys[index].time_secs)) / secs).clamp(0.0, 1.0);
    let rise = f64::from(keys[index + 1].value) - f64::from(keys[index].value);
    let by_slopes =
        (1.0 - x) * (1.0 - 3.0 * x) * outgoing(keys, index) - x * (2.0 - 3.0 * x) * incoming(keys, index + 1);
    6.0 * x * (1.0 - x) * rise / secs + by_slopes
}

/// The slope of the straight line from key `index` to the next one; 0 where the value is held.
fn secant(keys: &[Key], index: usize) -> f64 {
    let (from, Some(to)) = (keys[index], keys.get(index + 1)) else { return 0.0 };
    if from.tangents == Tangents::Step {
        return 0.0;
    }
    (f64::from(to.value) - f64::from(from.value)) / (f64::from(to.time_secs) - f64::from(from.time_secs))
}

/// The slope of a curve that is monotone between any two keys: 0 at peaks, valleys and both ends, else the weighted
/// harmonic mean of the slopes of both neighbouring segments. It is at most three times either of them, which suffices
/// for a cubic Hermite segment to be monotone.
///
/// Fritsch and Carlson, "Monotone Piecewise Cubic Interpolation", SIAM J. Numer. Anal. 17 (1980); the mean is that of
/// Fritsch and Butland, "A Method for Constructing Local Monotone Piecewise Cubic Interpolants", SIAM J. Sci. Stat.
/// Comput. 5 (1984).
fn auto(keys: &[Key], index: usize) -> f64 {
    let (Some(before), Some(next)) = (index.checked_sub(1), keys.get(index + 1)) else { return 0.0 };
    let (left, right) = (secant(keys, before), secant(keys, index));
    if left * right <= 0.0 {
        return 0.0;
    }
    let left_secs = f64::from(keys[index].time_secs) - f64::from(keys[before].time_secs);
    let right_secs = f64::from(next.time_secs) - f64::from(keys[index].time_secs);
    let (left_weight, right_weight) = (left_secs + 2.0 * right_secs, 2.0 * left_secs + right_secs);
    (left_weight + right_weight) / (left_weight / left + right_weight / right)
}
