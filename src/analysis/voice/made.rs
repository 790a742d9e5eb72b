//! Sounds with known truth for tests: a source, filtered by formants (G. Fant, "Acoustic Theory of Speech Production",
//! 1960).

use std::f32::consts::TAU;

use smirk_base::random;

/// A vowel of a pitch with two formants, and a third one at 2.8 kHz, that lasts some seconds.
pub(super) fn vowel(pitch_hz: f32, formants_hz: [f32; 2], secs: f32, rate: u32) -> Vec<f32> {
    let count = (secs * rate as f32) as usize;
    let (mut phase, mut slope) = (0.0_f32, 0.0);
    let mut samples: Vec<f32> = (0..count)
        .map(|_| {
            phase += pitch_hz / rate as f32;
            let pulse = if phase >= 1.0 { 1.0 } else { 0.0 };
            phase = phase.fract();
            // The glottis passes low frequencies most.
            slope = 0.95 * slope + pulse;
            slope
        })
        .collect();
    for (hz, width) in [(formants_hz[0], 70.0), (formants_hz[1], 100.0), (2800.0, 150.0)] {
        resonate(&mut samples, hz, width, rate);
    }
    scaled(samples, 0.3)
}

/// Filters a sound by a resonance.
pub(super) fn resonate(samples: &mut [f32], hz: f32, width: f32, rate: u32) {
    let radius = (-0.5 * TAU * width / rate as f32).exp();
    let (first, second) = (2.0 * radius * (TAU * hz / rate as f32).cos(), -radius * radius);
    let gain = 1.0 - first - second;
    let (mut before, mut earlier) = (0.0, 0.0);
    for sample in samples {
        let now = gain * *sample + first * before + second * earlier;
        (earlier, before) = (before, now);
        *sample = now;
    }
}

pub(super) fn noise(secs: f32, rate: u32) -> Vec<f32> {
    (0..(secs * rate as f32) as u64).map(|index| 0.1 * random::signed(7, index)).collect()
}

/// The same with this as the largest sample.
pub(super) fn scaled(samples: Vec<f32>, peak: f32) -> Vec<f32> {
    let most = samples.iter().map(|sample| sample.abs()).fold(1e-9, f32::max);
    samples.into_iter().map(|sample| sample * peak / most).collect()
}
