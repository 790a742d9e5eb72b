//! Curves of every interpolation with random keys, and a play head on a timeline with random settings.

use smirk_face::motion::{Clock, Sequence};

use super::*;
use smirk_support::random::Random;

const KINDS: [Interpolation; 3] = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline];

/// A curve of two elements with random keys at increasing times. Sometimes two keys have the same time.
fn random_curve(random: &mut Random, interpolation: Interpolation) -> Curve {
    let keys = 1 + random.below(12);
    let mut time = random.between(-1.0, 1.0);
    let times: Vec<f32> = (0..keys)
        .map(|_| {
            time += if random.chance(0.1) { 0.0 } else { random.between(0.05, 1.0) };
            time
        })
        .collect();
    let parts = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let values = (0..keys * 2 * parts).map(|_| random.between(-1.0, 2.0)).collect();
    Curve::new(interpolation, times, values, 2).unwrap()
}

#[test]
fn a_curve_passes_through_its_keys_and_is_constant_outside_of_them() {
    let mut random = Random::new(3);
    for round in 0..600 {
        let curve = random_curve(&mut random, KINDS[round % 3]);
        let times = curve.times().to_vec();
        let last = times.len() - 1;
        for element in 0..2 {
            for (key, &time) in times.iter().enumerate() {
                // Of two keys with the same time, the second one applies at this time.
                if times.get(key + 1) != Some(&time) {
                    assert!((curve.sample(time, element) - curve.key_value(key, element)).abs() < 1e-5);
                }
            }
            assert_eq!(curve.sample(times[0] - 5.0, element), curve.key_value(0, element));
            assert_eq!(curve.sample(times[last] + 5.0, element), curve.key_value(last, element));
        }
    }
}

#[test]
fn between_keys_each_kind_interpolates_as_defined() {
    let mut random = Random::new(4);
    for round in 0..600 {
        let kind = KINDS[round % 3];
        let curve = random_curve(&mut random, kind);
        for (key, pair) in curve.times().windows(2).enumerate().filter(|(_, pair)| pair[1] > pair[0]) {
            let at = |part: f32| curve.sample(pair[0] + (pair[1] - pair[0]) * part, 1);
            let (from, to) = (curve.key_value(key, 1), curve.key_value(key + 1, 1));
            match kind {
                Interpolation::Step => assert!([0.0, 0.3, 0.99].map(at).iter().all(|&value| value == from)),
                Interpolation::Linear => assert!((at(0.25) - (from + (to - from) * 0.25)).abs() < 1e-4),
                Interpolation::CubicSpline => {
                    // The fourth differences of a cubic polynomial are zero, and it ends at the keys.
                    let [a, b, c, d, e] = [0.1, 0.3, 0.5, 0.7, 0.9].map(at);
                    assert!((a - 4.0 * b + 6.0 * c - 4.0 * d + e).abs() < 1e-3);
                    assert!((at(1e-4) - from).abs() < 0.01 && (at(1.0 - 1e-4) - to).abs() < 0.01);
                }
            }
        }
    }
}

#[test]
fn the_play_head_never_leaves_its_timeline() {
    let mut random = Random::new(5);
    for _ in 0..300 {
        let duration_secs = if random.chance(0.1) { 0.0 } else { random.between(0.01, 9.0) };
        let mut clock = Clock::new(true);
        clock.timeline.looping = random.chance(0.5);
        clock.timeline.speed = random.between(0.1, 2.0);
        clock.timeline.time_secs = random.between(0.0, duration_secs);
        for _ in 0..200 {
            let before = clock.timeline;
            let elapsed_secs = random.between(0.0, 0.3);
            clock.advance(f64::from(elapsed_secs).into(), [0.0, duration_secs], &Sequence::default());
            let after = clock.timeline;
            assert!((0.0..=duration_secs).contains(&after.time_secs));
            let step = elapsed_secs * after.speed;
            let moved = after.time_secs - before.time_secs;
            if before.playing && before.time_secs + step < duration_secs {
                assert!((moved - step).abs() < 1e-4, "the play head moves at its speed");
            }
            assert!(after.playing || !after.looping, "a looping timeline does not stop");
        }
    }
}
