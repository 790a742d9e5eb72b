//! The demonstration clip: twelve seconds that begin and end at rest. It drives a third of the expressions; the others are free
//! for sliders.

use super::expressions::Expression;
use super::glb::Clip;
use super::numbers::{polyline, step};

/// The length of the loop, in seconds.
const LENGTH: f64 = 12.0;
/// Keys per second.
const RATE: f64 = 24.0;

/// A blink closes in a tenth of a second and opens in two tenths.
fn blink(t: f64, at: f64) -> f64 {
    polyline(
        &[[at - 0.10, 0.0], [at - 0.02, 0.85], [at, 1.0], [at + 0.05, 1.0], [at + 0.13, 0.45], [at + 0.26, 0.0]],
        t,
    )
}

/// Rises from 0 to 1 over the time `a..b` and falls to 0 over `c..d`.
fn rise_and_fall(t: f64, [a, b, c, d]: [f64; 4]) -> f64 {
    step(a, b, t) * step(d, c, t)
}

/// Weight of an expression at a time.
fn weight(name: &str, t: f64) -> f64 {
    let blinks = || [1.15, 4.05, 6.45, 6.85, 10.9].map(|at| blink(t, at)).iter().copied().fold(0.0, f64::max);
    // The eyes look aside, and look back during the second blink.
    let glance = rise_and_fall(t, [1.6, 1.72, 2.7, 2.82]);
    let brows = rise_and_fall(t, [2.75, 3.05, 3.5, 4.1]);
    let smile = rise_and_fall(t, [7.3, 8.6, 9.9, 11.2]);
    // The first second is the face that is seen first: brows flash as in a greeting, then a smile that reaches the eyes, looking ahead.
    let greeting = rise_and_fall(t, [0.05, 0.55, 2.3, 3.0]);
    let flash = rise_and_fall(t, [0.0, 0.25, 0.45, 1.0]);
    // Visemes: opening, rounding and spreading alternate.
    let speech = |keys: &[[f64; 2]]| polyline(keys, t);
    match name {
        "eyeBlinkLeft" => blinks() * (1.0 - 0.12 * smile),
        "eyeBlinkRight" => blinks() * (1.0 - 0.12 * smile),
        "eyeLookOutLeft" => 0.62 * glance,
        "eyeLookInRight" => 0.62 * glance,
        "browInnerUpLeft" => 0.55 * brows + 0.18 * smile + 0.22 * flash,
        "browInnerUpRight" => 0.62 * brows + 0.18 * smile + 0.22 * flash,
        "browOuterUpLeft" => 0.70 * brows + 0.10 * smile + 0.12 * greeting + 0.35 * flash,
        "browOuterUpRight" => 0.60 * brows + 0.10 * smile + 0.10 * greeting + 0.32 * flash,
        "mouthSmileLeft" => 0.86 * smile + 0.10 * brows + 0.58 * greeting,
        "mouthSmileRight" => 0.80 * smile + 0.06 * brows + 0.53 * greeting,
        "cheekSquintLeft" => 0.55 * smile + 0.52 * greeting,
        "cheekSquintRight" => 0.52 * smile + 0.48 * greeting,
        "jawOpen" => {
            speech(&[
                [4.3, 0.0],
                [4.5, 0.30],
                [4.68, 0.06],
                [4.9, 0.22],
                [5.1, 0.10],
                [5.35, 0.42],
                [5.6, 0.08],
                [5.8, 0.16],
                [6.0, 0.0],
            ]) + 0.10 * rise_and_fall(t, [8.2, 8.9, 9.7, 10.4])
                + 0.05 * greeting
        }
        "mouthFunnel" => speech(&[[4.55, 0.0], [4.72, 0.32], [4.92, 0.0], [5.5, 0.0], [5.66, 0.30], [5.85, 0.0]]),
        "mouthPucker" => speech(&[[4.85, 0.0], [5.08, 0.52], [5.25, 0.0], [5.62, 0.0], [5.8, 0.35], [6.05, 0.0]]),
        "mouthStretchLeft" | "mouthStretchRight" => speech(&[[4.3, 0.0], [4.45, 0.28], [4.62, 0.0]]),
        "mouthClose" => speech(&[[4.6, 0.0], [4.68, 0.06], [4.76, 0.0]]),
        _ => 0.0,
    }
}

/// The clip's keys.
pub fn clip(expressions: &[Expression]) -> Clip {
    let times: Vec<f64> = (0..=(LENGTH * RATE) as usize).map(|key| key as f64 / RATE).collect();
    let names: Vec<String> = expressions.iter().map(Expression::name).collect();
    let key = |&t: &f64| names.iter().map(|name| weight(name, t)).collect();
    Clip { name: "show", weights: times.iter().map(key).collect(), times }
}
