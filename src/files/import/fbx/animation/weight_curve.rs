//! The curve of a channel's weight. FBX has four kinds of interpolation, each from one key to the next; a curve of a clip has one
//! kind for all keys. A curve of a clip that is equal is made from the keys where there is one, else the weight is sampled.

use ufbx::{Anim, AnimCurve, BlendChannel, Keyframe};

use smirk_face::head::{Curve, Interpolation};

/// A weight in percent is this many times the weight of a target.
const PER_CENT: f64 = 0.01;

/// A difference of weights that nobody sees.
const TOLERANCE: f32 = 1e-4;

/// The same curve with the keys of the file; none if no curve of a clip is the same, or if the channel follows more than this curve.
pub(super) fn exact(curve: &AnimCurve, anim: &Anim, channel: &BlendChannel) -> Option<Curve> {
    let converted = converted(&curve.keyframes)?;
    let agrees = |secs: f64| {
        let weight = ufbx::evaluate_blend_weight(anim, channel, secs) as f32;
        (converted.sample(secs as f32, 0) - weight).abs() <= TOLERANCE * weight.abs().max(1.0)
    };
    let last = curve.keyframes.last()?.time;
    let between = |pair: &[Keyframe]| {
        let (from, to) = (pair[0].time, pair[1].time);
        [0.25, 0.5, 0.75].iter().all(|share| agrees(from + share * (to - from)))
    };
    (agrees(last) && curve.keyframes.windows(2).all(between)).then_some(converted)
}

/// The weight of a channel at even distances; none if a weight is not finite.
pub(super) fn sampled(
    (from_secs, to_secs): (f64, f64),
    frames_per_sec: f64,
    anim: &Anim,
    channel: &BlendChannel,
) -> Option<Curve> {
    let count = samples(from_secs, to_secs, frames_per_sec);
    let secs = |sample: usize| from_secs + (to_secs - from_secs) * sample as f64 / (count - 1).max(1) as f64;
    let weights: Vec<f32> =
        (0..count).map(|sample| ufbx::evaluate_blend_weight(anim, channel, secs(sample)) as f32).collect();
    let is_still = weights.iter().all(|weight| *weight == weights[0]);
    let kept = if is_still { 1 } else { count };
    let times: Vec<f32> = (0..kept).map(|sample| secs(sample) as f32).collect();
    Curve::new(Interpolation::Linear, times, weights[..kept].to_vec(), 1).ok()
}

/// The number of samples of a range, at most a number that is enough for hours.
pub(super) fn samples(from_secs: f64, to_secs: f64, frames_per_sec: f64) -> usize {
    const MOST: f64 = 500_000.0;
    let frames = ((to_secs - from_secs) * frames_per_sec).round();
    if frames.is_finite() { frames.clamp(0.0, MOST) as usize + 1 } else { 1 }
}

/// The keys as a curve, with cubic segments as if their handles were at a third of the way, where most programs put them.
fn converted(keys: &[Keyframe]) -> Option<Curve> {
    use ufbx::Interpolation::{ConstantPrev, Linear};
    // The interpolation of the last key means nothing.
    let of_segments = || keys[..keys.len().saturating_sub(1)].iter().map(|key| key.interpolation);
    let interpolation = if of_segments().all(|kind| kind == Linear) {
        Interpolation::Linear
    } else if of_segments().all(|kind| kind == ConstantPrev) {
        Interpolation::Step
    } else {
        return cubic(keys);
    };
    let times = keys.iter().map(|key| key.time as f32).collect();
    let values = keys.iter().map(|key| (key.value * PER_CENT) as f32).collect();
    Curve::new(interpolation, times, values, 1).ok()
}

/// Keys of any kind as a cubic spline. Where the value jumps, there are two keys at one time.
fn cubic(keys: &[Keyframe]) -> Option<Curve> {
    use ufbx::Interpolation::{ConstantNext, ConstantPrev, Cubic, Linear};
    let mut times = Vec::with_capacity(keys.len());
    let mut values = Vec::with_capacity(3 * keys.len());
    let mut push = |time: f64, tangents: [f64; 2], value: f64| {
        times.push(time as f32);
        values.extend([tangents[0], value, tangents[1]].map(|number| (number * PER_CENT) as f32));
    };
    let mut in_slope = 0.0;
    for (index, key) in keys.iter().enumerate() {
        let Some(next) = keys.get(index + 1) else {
            push(key.time, [in_slope, 0.0], key.value);
            break;
        };
        let (span, rise) = (next.time - key.time, next.value - key.value);
        match key.interpolation {
            Linear | Cubic => {
                let is_cubic = key.interpolation == Cubic;
                let out_slope = if is_cubic { slope(&key.right) } else { rise / span };
                push(key.time, [in_slope, out_slope], key.value);
                in_slope = if is_cubic { slope(&next.left) } else { rise / span };
            }
            ConstantPrev => {
                push(key.time, [in_slope, 0.0], key.value);
                push(next.time, [0.0, 0.0], key.value);
                in_slope = 0.0;
            }
            ConstantNext => {
                push(key.time, [in_slope, 0.0], key.value);
                push(key.time, [0.0, 0.0], next.value);
                in_slope = 0.0;
            }
        }
    }
    Curve::new(Interpolation::CubicSpline, times, values, 1).ok()
}

fn slope(tangent: &ufbx::Tangent) -> f64 {
    if tangent.dx == 0.0 { 0.0 } else { f64::from(tangent.dy) / f64::from(tangent.dx) }
}
