//! Fewer keys that stay within a tolerance of the samples.
//!
//! Both fits, the one by [lines](super::lines) and the one by splines, go from left to right and make each segment as long as the
//! tolerance allows. That leaves fewer keys than
//! splitting at the sample that is furthest off, as Schneider does (An algorithm for automatically fitting digitized
//! curves, Graphics Gems, 1990) and Ramer and Douglas and Peucker for lines.

use super::super::column::{Column, ColumnKeys, Opening, Place};
use super::super::kind::Fit;
use super::lines::fit_lines;

/// What a reduction left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reduction {
    /// The number of keys that are left in all columns.
    pub keys: usize,
    /// The number of samples before.
    pub samples: usize,
    /// The largest distance of a sample from the new curve.
    pub largest_error: f32,
}

impl Reduction {
    /// Both together.
    pub(in crate::motion::take::edit) fn and(self, other: Self) -> Self {
        Self {
            keys: self.keys + other.keys,
            samples: self.samples + other.samples,
            largest_error: self.largest_error.max(other.largest_error),
        }
    }
}

/// A key of the reduced curve.
#[derive(Clone, Copy, Debug)]
struct FittedKey {
    time_secs: f32,
    value: f32,
    slopes: [f32; 2],
}

/// The samples of a part of the curve without jumps.
struct Samples<'a> {
    times: &'a [f32],
    values: &'a [f32],
}

/// A column with fewer keys in the span.
pub(in crate::motion::take::edit) fn reduced(
    column: &Column,
    place: Place,
    fit: Fit,
    tolerance: f32,
) -> Option<(Column, Reduction)> {
    if tolerance.is_nan() {
        return None;
    }
    let largest_gap_secs = match fit {
        Fit::Linear => place.opening(column).largest_gap_secs,
        // A spline could swing between samples that are far from each other.
        Fit::Smooth => 1.5 / place.frames_per_sec,
    };
    let opening = Opening { jumps: [false; 2], largest_gap_secs, ..place.opening(column) };
    let (mut keys, inside) = ColumnKeys::opened(column, opening)?;
    let (times, values) = (&keys.times[inside.clone()], &keys.values[inside.clone()]);
    let (mut fitted, mut largest_error) = (Vec::new(), 0.0_f32);
    let mut first = 0;
    while first < times.len() {
        let jump = times[first..].windows(2).position(|pair| pair[1] <= pair[0]);
        let end = jump.map_or(times.len(), |jump| first + jump + 1);
        let samples = Samples { times: &times[first..end], values: &values[first..end] };
        let error = match fit {
            Fit::Linear => samples.fit_lines(f64::from(tolerance.max(0.0)), &mut fitted),
            Fit::Smooth => samples.fit_splines(f64::from(tolerance.max(0.0)), &mut fitted),
        };
        largest_error = largest_error.max(error as f32);
        first = end;
    }
    let reduction = Reduction { keys: fitted.len(), samples: times.len(), largest_error };
    let new = ColumnKeys {
        times: fitted.iter().map(|key| key.time_secs).collect(),
        values: fitted.iter().map(|key| key.value).collect(),
        slopes: (fit == Fit::Smooth).then(|| fitted.iter().map(|key| key.slopes).collect()),
    };
    keys.splice(&inside, new);
    keys.into_column().map(|column| (column, reduction))
}

impl Samples<'_> {
    fn value(&self, at: usize) -> f64 {
        f64::from(self.values[at])
    }

    fn secs(&self, from: usize, to: usize) -> f64 {
        f64::from(self.times[to]) - f64::from(self.times[from])
    }

    fn push_key(&self, at: usize, value: f64, fitted: &mut Vec<FittedKey>) {
        fitted.push(FittedKey { time_secs: self.times[at], value: value as f32, slopes: [0.0; 2] });
    }

    /// Adds keys of straight lines, and returns the largest error.
    fn fit_lines(&self, tolerance: f64, fitted: &mut Vec<FittedKey>) -> f64 {
        let lines = fit_lines(self.times, self.values, 1, tolerance);
        lines.samples.iter().zip(&lines.values).for_each(|(&at, &value)| self.push_key(at, value.into(), fitted));
        lines.largest_error
    }

    /// Adds keys of a spline through samples, and returns the largest error. Each segment is the longest one that a cubic
    /// whose slopes are fitted by least squares keeps within the tolerance. The length is found by doubling and halving.
    fn fit_splines(&self, tolerance: f64, fitted: &mut Vec<FittedKey>) -> f64 {
        let tolerance = tolerance * 0.999;
        let last = self.times.len() - 1;
        let (mut from, mut largest_error) = (0, 0.0_f64);
        self.push_key(0, self.value(0), fitted);
        while from < last {
            let is_good = |to: usize| self.fitted_slopes(from, to).1 <= tolerance;
            let (mut good, mut step) = (from + 1, 1);
            while good + step <= last && is_good(good + step) {
                good += step;
                step *= 2;
            }
            let mut bad = (good + step).min(last + 1);
            while good + 1 < bad {
                let middle = (good + bad) / 2;
                if is_good(middle) {
                    good = middle;
                } else {
                    bad = middle;
                }
            }
            let ([leaving, arriving], error) = self.fitted_slopes(from, good);
            largest_error = largest_error.max(error);
            if let Some(key) = fitted.last_mut() {
                key.slopes[1] = leaving as f32;
            }
            self.push_key(good, self.value(good), fitted);
            if let Some(key) = fitted.last_mut() {
                key.slopes[0] = arriving as f32;
            }
            from = good;
        }
        largest_error
    }

    /// The slopes at both ends with which a cubic from one sample to another fits those between best, and its largest
    /// error.
    fn fitted_slopes(&self, from: usize, to: usize) -> ([f64; 2], f64) {
        let (secs, a, b) = (self.secs(from, to), self.value(from), self.value(to));
        let line = (b - a) / secs;
        let (mut aa, mut ab, mut bb, mut ya, mut yb) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for at in from + 1..to {
            let [start, out, end, into] = hermite(self.secs(from, at) / secs);
            // What the slopes add to those of the straight line.
            let left = self.value(at) - (a * start + b * end + line * secs * (out + into));
            let (out, into) = (out * secs, into * secs);
            (aa, ab, bb) = (aa + out * out, ab + out * into, bb + into * into);
            (ya, yb) = (ya + out * left, yb + into * left);
        }
        let determinant = aa * bb - ab * ab;
        let slopes = if to - from > 2 && determinant > 1e-9 * aa * bb {
            [line + (bb * ya - ab * yb) / determinant, line + (aa * yb - ab * ya) / determinant]
        } else if aa > 0.0 {
            // One sample tells one number: a bow to its side.
            let bow = (ya - yb) / (aa - 2.0 * ab + bb);
            [line + bow, line - bow]
        } else {
            [line; 2]
        };
        let error_at = |at: usize| {
            let [start, out, end, into] = hermite(self.secs(from, at) / secs);
            (a * start + b * end + (slopes[0] * out + slopes[1] * into) * secs - self.value(at)).abs()
        };
        (slopes, (from + 1..to).map(error_at).fold(0.0, f64::max))
    }
}

/// The cubic Hermite basis: start value, leaving slope, end value, arriving slope.
fn hermite(s: f64) -> [f64; 4] {
    let (s2, s3) = (s * s, s * s * s);
    [2.0 * s3 - 3.0 * s2 + 1.0, s3 - 2.0 * s2 + s, -2.0 * s3 + 3.0 * s2, s3 - s2]
}
