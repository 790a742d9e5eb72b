//! The nostril: an oval opening in the underside of the nose, and the passage behind it.

use glam::DVec3;

use super::anatomy::head;
use super::field::gradient;
use super::numbers::{atan2, cos, hypot, sin, v};

/// Middle of the left nostril.
pub const MIDDLE: DVec3 = v(0.78, -0.28, 11.74);
/// Half its length and half its width.
const HALF: [f64; 2] = [0.48, 0.28];
/// The direction of its length, from the tip of the nose to the wing; unit length.
const ALONG: DVec3 = v(0.3986, -0.6179, -0.6777);
/// Farther than this from the plane of the opening, in centimetres, lies other skin.
const REACH: f64 = 0.6;
/// The walls of the passage. Per ring: its distance from the rim in centimetres, and the part of the rim's size that it keeps.
pub const WALLS: [[f64; 2]; 5] = [[0.03, 0.97], [0.11, 0.92], [0.26, 0.88], [0.50, 0.70], [0.72, 0.0]];

/// The direction across the opening, to the side, and the one into the nose.
fn axes() -> [DVec3; 2] {
    let inwards = DVec3::Y - ALONG * ALONG.y;
    let inwards = inwards.normalize_or(DVec3::Y);
    [ALONG.cross(inwards), inwards]
}

/// The place of a point in the plane of the opening as parts of half its length and width, and its height over that plane.
fn local(p: DVec3) -> [f64; 3] {
    let ([across, inwards], q) = (axes(), p - MIDDLE);
    [q.dot(ALONG) / HALF[0], q.dot(across) / HALF[1], q.dot(inwards)]
}

/// The distance from the middle of the left nostril as a part of that of its rim; infinite away from the opening.
pub fn from_middle(p: DVec3) -> f64 {
    let [along, across, height] = local(p);
    if height.abs() < REACH { hypot(along, across) } else { f64::INFINITY }
}

/// Points of the rim on the sculpt for a loop of points near it, in their order and nearly evenly spaced.
pub fn rim(near: &[DVec3]) -> Vec<DVec3> {
    const EVENING_ROUNDS: usize = 12;
    const SMOOTHING_ROUNDS: usize = 3;
    let count = near.len();
    let wrapped = |angle: f64| angle - (angle / std::f64::consts::TAU).round() * std::f64::consts::TAU;
    let mut angles: Vec<f64> = near
        .iter()
        .map(|&p| {
            let [along, across, _] = local(p);
            atan2(across, along)
        })
        .collect();
    for _ in 0..EVENING_ROUNDS {
        let before = angles.clone();
        for (i, angle) in angles.iter_mut().enumerate() {
            let to = |other: usize| wrapped(before[other % count] - before[i]);
            *angle += 0.25 * (to(i + 1) + to(i + count - 1));
        }
    }
    let [across, inwards] = axes();
    let in_plane: Vec<DVec3> =
        angles.iter().map(|&angle| MIDDLE + ALONG * (HALF[0] * cos(angle)) + across * (HALF[1] * sin(angle))).collect();
    let mut heights: Vec<f64> = near.iter().map(|&p| local(p)[2]).collect();
    for (&flat, height) in in_plane.iter().zip(&mut heights) {
        for _ in 0..24 {
            let q = flat + inwards * *height;
            let slope = gradient(head, q, 0.004).dot(inwards);
            // The underside faces away from the inside of the nose.
            *height = (*height - 0.7 * head(q) / slope.min(-0.35)).clamp(-0.5 * REACH, 0.5 * REACH);
        }
    }
    for _ in 0..SMOOTHING_ROUNDS {
        let before = heights.clone();
        for (i, height) in heights.iter_mut().enumerate() {
            *height = 0.5 * before[i] + 0.25 * (before[(i + 1) % count] + before[(i + count - 1) % count]);
        }
    }
    in_plane.iter().zip(heights).map(|(&flat, height)| flat + inwards * height).collect()
}

/// A point of the wall behind a point of the rim whose middle is `middle`.
pub fn wall(rim: DVec3, middle: DVec3, [distance, kept]: [f64; 2]) -> DVec3 {
    let [_, inwards] = axes();
    let from_middle = rim - middle;
    // Behind the rim the ring becomes flat, and the passage goes up and back.
    let flat = from_middle - inwards * (from_middle.dot(inwards) * (distance / 0.35).min(1.0));
    middle + flat * kept + (inwards + v(-0.05, 0.0, -0.35) * distance) * distance
}
