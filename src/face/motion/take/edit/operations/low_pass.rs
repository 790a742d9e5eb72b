//! A low-pass filter that keeps peaks: a Butterworth filter of fourth order, forwards and backwards so that nothing is
//! delayed (Gustafsson: Determining the initial states in forward-backward filtering, 1996), and where it would take more
//! off than noise, the recording.

use std::f64::consts::PI;

use super::super::column::{Column, Place};

/// The most samples that are filtered.
const MAX_SAMPLES: f32 = 5e5;
/// The lowest frequency, in hertz.
const LOWEST_HZ: f32 = 0.2;
/// What the filter takes off is noise up to this many standard deviations of the column's noise; twice as much is
/// movement, which stays.
const NOISE_DEVIATIONS: f64 = 3.0;
/// The same in a column without noise, in units of weight.
const LEAST_NOISE: f64 = 0.005;
/// The standard deviation of normally distributed noise, divided by the median of its absolute values.
const DEVIATION_PER_MEDIAN: f64 = 1.4826;

/// The filtered values of a column at regular times.
#[derive(Debug)]
pub(in crate::motion::take::edit) struct Smoothed {
    start_secs: f64,
    rate: f64,
    filtered: Vec<f64>,
    /// How much of what the filter took off is put back at each time.
    kept: Vec<f64>,
}

impl Smoothed {
    /// Filters a column in and around a span. `None` if there is nothing to do: too few samples, or a frequency that they
    /// do not have.
    pub(in crate::motion::take::edit) fn of(
        column: &Column,
        place: Place,
        cutoff_hz: f32,
        keep_peaks: f32,
    ) -> Option<Self> {
        let rate = place.frames_per_sec;
        if cutoff_hz.is_nan() || cutoff_hz > 0.49 * rate {
            return None;
        }
        let cutoff_hz = cutoff_hz.max(LOWEST_HZ);
        // The filter rings for a few periods.
        let margin_secs = 4.0 / cutoff_hz;
        let times = column.curve.times();
        let start_secs = (place.span[0] - margin_secs).max(times[0]);
        let end_secs = (place.span[1] + margin_secs).min(times[times.len() - 1]);
        let count = ((end_secs - start_secs) * rate).ceil() + 1.0;
        if !(4.0..=MAX_SAMPLES).contains(&count) {
            return None;
        }
        let (start, per_sec) = (f64::from(start_secs), f64::from(rate));
        let samples = column.samples((0..count as usize).map(|sample| (start + sample as f64 / per_sec) as f32));
        let samples: Vec<f64> = samples.into_iter().map(f64::from).collect();
        let filtered = forwards_and_backwards(&samples, f64::from(cutoff_hz) / per_sec);
        let keep_peaks = f64::from(keep_peaks.clamp(0.0, 1.0));
        let kept = if keep_peaks > 0.0 {
            let reach = (0.5 * rate / cutoff_hz).ceil() as usize;
            movement(&samples, &filtered, reach).into_iter().map(|part| part * keep_peaks).collect()
        } else {
            vec![0.0; filtered.len()]
        };
        Some(Self { start_secs: start, rate: per_sec, filtered, kept })
    }

    /// The value at a time at which the column has `value`.
    pub(in crate::motion::take::edit) fn value(&self, time_secs: f32, value: f32) -> f32 {
        let at = ((f64::from(time_secs) - self.start_secs) * self.rate).clamp(0.0, (self.filtered.len() - 1) as f64);
        let (before, part) = (at as usize, at.fract());
        let after = (before + 1).min(self.filtered.len() - 1);
        let between = |list: &[f64]| list[before] + (list[after] - list[before]) * part;
        let filtered = between(&self.filtered);
        (filtered + (f64::from(value) - filtered) * between(&self.kept)) as f32
    }
}

/// Filters twice, so that the phases cancel out. `cutoff` is a fraction of the sample rate.
fn forwards_and_backwards(samples: &[f64], cutoff: f64) -> Vec<f64> {
    // Odd reflection at both ends keeps the values and the slopes there.
    let count = samples.len();
    let padding = ((3.0 / cutoff).ceil() as usize).min(count - 1);
    let (first, last) = (samples[0], samples[count - 1]);
    let before = (1..=padding).rev().map(|at| 2.0 * first - samples[at]);
    let after = (1..=padding).map(|at| 2.0 * last - samples[count - 1 - at]);
    let mut padded: Vec<f64> = before.chain(samples.iter().copied()).chain(after).collect();
    for _ in 0..2 {
        for quality in butterworth_qualities() {
            filter(&mut padded, cutoff, quality);
        }
        padded.reverse();
    }
    padded[padding..padding + count].to_vec()
}

/// The quality factors of the two sections of a Butterworth filter of fourth order.
fn butterworth_qualities() -> [f64; 2] {
    [PI / 8.0, 3.0 * PI / 8.0].map(|angle| 0.5 / angle.cos())
}

/// One section of second order, made with the bilinear transform. It starts as if the first value had always been there.
fn filter(samples: &mut [f64], cutoff: f64, quality: f64) {
    let k = (PI * cutoff).tan();
    let scale = 1.0 / (1.0 + k / quality + k * k);
    let (b0, b1) = (k * k * scale, 2.0 * k * k * scale);
    let (a1, a2) = (2.0 * (k * k - 1.0) * scale, (1.0 - k / quality + k * k) * scale);
    let start = samples.first().copied().unwrap_or(0.0);
    let (mut first_state, mut second_state) = (0.0, 0.0);
    for sample in samples {
        let input = *sample - start;
        let output = b0 * input + first_state;
        first_state = b1 * input - a1 * output + second_state;
        second_state = b0 * input - a2 * output;
        *sample = output + start;
    }
}

/// How much of each sample is movement instead of noise, from 0 to 1: whether the filter takes much off within `reach`
/// samples. It is smooth, and 1 over the whole of a peak.
fn movement(samples: &[f64], filtered: &[f64], reach: usize) -> Vec<f64> {
    let taken_off: Vec<f64> =
        samples.iter().zip(filtered).map(|(sample, filtered)| (sample - filtered).abs()).collect();
    let mut ordered = taken_off.clone();
    let middle = ordered.len() / 2;
    let (_, median, _) = ordered.select_nth_unstable_by(middle, f64::total_cmp);
    let noise = (NOISE_DEVIATIONS * DEVIATION_PER_MEDIAN * *median).max(LEAST_NOISE);
    let around = |at: usize| at.saturating_sub(reach)..(at + reach + 1).min(taken_off.len());
    let is_movement = |at: usize| {
        let most = taken_off[around(at)].iter().copied().fold(0.0, f64::max);
        let part = (most / noise - 1.0).clamp(0.0, 1.0);
        part * part * (3.0 - 2.0 * part)
    };
    let mut sums = vec![0.0];
    for at in 0..taken_off.len() {
        sums.push(sums[at] + is_movement(at));
    }
    let mean = |at: usize| (sums[around(at).end] - sums[around(at).start]) / around(at).len() as f64;
    (0..taken_off.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of a sine of this frequency is left, as a fraction of the sample rate.
    fn response(frequency: f64, cutoff: f64) -> f64 {
        let wave: Vec<f64> = (0..2000).map(|at| (at as f64 * frequency * 2.0 * PI).sin()).collect();
        let filtered = forwards_and_backwards(&wave, cutoff);
        let square = |list: &[f64]| list[500..1500].iter().map(|value| value * value).sum::<f64>();
        (square(&filtered) / square(&wave)).sqrt()
    }

    #[test]
    fn the_response_is_that_of_the_filter_twice() {
        assert!((response(0.1, 0.1) - 0.5).abs() < 5e-3);
        assert!(response(0.02, 0.1) > 0.998 && response(0.3, 0.1) < 1e-3);
    }

    #[test]
    fn a_line_stays_a_line_and_nothing_is_delayed() {
        let line: Vec<f64> = (0..100).map(|at| f64::from(at) * 0.01).collect();
        let filtered = forwards_and_backwards(&line, 0.1);
        assert!(filtered.iter().zip(&line).all(|(a, b)| (a - b).abs() < 1e-4));
        let mut peak = vec![0.0; 101];
        peak[50] = 1.0;
        let filtered = forwards_and_backwards(&peak, 0.1);
        for distance in 1..30 {
            assert!((filtered[50 - distance] - filtered[50 + distance]).abs() < 1e-6);
        }
    }
}
