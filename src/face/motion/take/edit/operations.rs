//! What the kinds of edits compute, one column at a time.

use std::collections::HashMap;
use std::f64::consts::PI;

use super::column::{Column, ColumnKeys, Opening, Place, SAME_SECS};
use super::take_edit::{EditKind, Fit};
use crate::head::canonical_name;
use crate::motion::{Ease, Take};

pub(super) fn mean(column: &Column, place: Place) -> f32 {
    let samples = column.samples(place.frame_times());
    let sum: f64 = samples.iter().map(|&value| f64::from(value)).sum();
    (sum / samples.len().max(1) as f64) as f32
}

/// The column with samples at a rate instead of its keys in the span.
pub(super) fn baked(column: &Column, place: Place, rate: f32) -> Option<Column> {
    let rate = if rate.is_finite() { rate.clamp(1.0, 1000.0) } else { return None };
    let opening = Opening { jumps: [false; 2], largest_gap_secs: 0.0, ..place.opening(column) };
    let (mut keys, inside) = ColumnKeys::opened(column, opening)?;
    let ends = [keys.times[*inside.start()], keys.times[*inside.end()]];
    let inner = Place { span: ends, frames_per_sec: rate, ..place };
    let mut times: Vec<f32> = inner.frame_times().collect();
    times[0] = ends[0];
    let mut values = column.samples(times.iter().copied());
    values[0] = keys.values[*inside.start()];
    times.push(ends[1]);
    values.push(keys.values[*inside.end()]);
    if times.len() > 2 && times[times.len() - 1] - times[times.len() - 2] < SAME_SECS {
        times.remove(times.len() - 2);
        values.remove(values.len() - 2);
    }
    keys.splice(&inside, ColumnKeys { times: times.into(), values, slopes: None });
    keys.into_column()
}

/// Keys of straight lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// The sample that each key is at: the first, the last and some between them.
    pub kept: Vec<usize>,
    /// Per key, a value per column.
    pub values: Vec<f32>,
    /// The largest distance of a value from its line.
    pub largest_error: f64,
}

/// Keys at few of the samples, so that straight lines between them stay within the tolerance of all values. `values`
/// has one value per column for each of `times`, which increase; all columns get keys at the same times.
///
/// From each key, the slopes that stay within the tolerance of all samples form a range that becomes narrower from
/// sample to sample; the next key is before the range of any column becomes empty (Elmeleegy et al.: Online piece-wise
/// linear approximation of numerical streams, 2009: the swing filter). The first and the last sample are kept exactly.
pub fn fit_lines(times: &[f32], values: &[f32], columns: usize, tolerance: f64) -> Lines {
    let count = times.len().min(values.len().checked_div(columns).unwrap_or(times.len()));
    let mut lines = Lines { kept: Vec::new(), values: Vec::new(), largest_error: 0.0 };
    let Some(last) = count.checked_sub(1) else { return lines };
    // Rounding to 32 bits must not exceed the tolerance.
    let tolerance = tolerance * 0.999;
    let row = |at: usize| values[at * columns..][..columns].iter().map(|&value| f64::from(value));
    let secs = |from: usize, to: usize| f64::from(times[to]) - f64::from(times[from]);
    let (mut from, mut start): (usize, Vec<f64>) = (0, row(0).collect());
    let mut slopes: Vec<[f64; 2]> = Vec::with_capacity(columns);
    let mut narrowed: Vec<[f64; 2]> = Vec::with_capacity(columns);
    lines.push(0, &start);
    while from < last {
        slopes.clear();
        slopes.resize(columns, [f64::NEG_INFINITY, f64::INFINITY]);
        let mut to = from + 1;
        for at in from + 1..=last {
            let secs = secs(from, at);
            // The last sample has no tolerance, unless it follows directly.
            let within = if at == last { 0.0 } else { tolerance };
            narrowed.clear();
            narrowed.extend(row(at).zip(&start).zip(&slopes).map(|((value, start), [low, high])| {
                let (least, most) = ((value - within - start) / secs, (value + within - start) / secs);
                [low.max(least), high.min(most)]
            }));
            if narrowed.iter().any(|[low, high]| low > high) {
                break;
            }
            std::mem::swap(&mut slopes, &mut narrowed);
            to = at;
        }
        let length_secs = secs(from, to);
        let chosen = row(to).zip(&start).zip(&slopes);
        let chosen: Vec<f64> =
            chosen.map(|((value, start), [low, high])| ((value - start) / length_secs).max(*low).min(*high)).collect();
        for at in from..=to {
            for ((value, start), slope) in row(at).zip(&start).zip(&chosen) {
                lines.largest_error = lines.largest_error.max((start + slope * secs(from, at) - value).abs());
            }
        }
        start.iter_mut().zip(&chosen).for_each(|(start, slope)| *start += slope * length_secs);
        lines.push(to, &start);
        from = to;
    }
    lines
}

impl Lines {
    fn push(&mut self, sample: usize, values: &[f64]) {
        self.kept.push(sample);
        self.values.extend(values.iter().map(|&value| value as f32));
    }
}

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
///
/// The filter is a Butterworth filter of fourth order, forwards and backwards so that nothing is delayed (Gustafsson:
/// Determining the initial states in forward-backward filtering, 1996), and where it would take more off than noise,
/// the recording.
#[derive(Debug)]
pub(super) struct Smoothed {
    start_secs: f64,
    rate: f64,
    filtered: Vec<f64>,
    /// How much of what the filter took off is put back at each time.
    kept: Vec<f64>,
}

impl Smoothed {
    /// Filters a column in and around a span. `None` if there is nothing to do: too few samples, or a frequency that
    /// they do not have.
    pub(super) fn new(column: &Column, place: Place, cutoff_hz: f32, keep_peaks: f32) -> Option<Self> {
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
    pub(super) fn value(&self, time_secs: f32, value: f32) -> f32 {
        let at = ((f64::from(time_secs) - self.start_secs) * self.rate).clamp(0.0, (self.filtered.len() - 1) as f64);
        let (before, part) = (at as usize, at.fract());
        let after = (before + 1).min(self.filtered.len() - 1);
        let [filtered, kept] =
            [&self.filtered, &self.kept].map(|list| list[before] + (list[after] - list[before]) * part);
        (filtered + (f64::from(value) - filtered) * kept) as f32
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

/// One section of second order, made with the bilinear transform. It starts as if the first value had always been
/// there.
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
    let mut sums = vec![0.0];
    for at in 0..taken_off.len() {
        let most = taken_off[around(at)].iter().copied().fold(0.0, f64::max);
        let part = (most / noise - 1.0).clamp(0.0, 1.0);
        sums.push(sums[at] + part * part * (3.0 - 2.0 * part));
    }
    let means = (0..taken_off.len()).map(|at| {
        let around = around(at);
        (sums[around.end] - sums[around.start]) / around.len() as f64
    });
    means.collect()
}

/// The column whose values a column gets, and their sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mirrored {
    pub from: usize,
    pub sign: f32,
}

/// For each column its mirror image. A column without a side is its own. Turning and tilting to one side becomes
/// turning and tilting to the other.
pub(super) fn mirrored_columns(take: &Take) -> Vec<Mirrored> {
    let names: Vec<String> = take.columns.iter().map(|column| canonical_name(&column.name)).collect();
    let mut indices = HashMap::new();
    for (index, name) in names.iter().enumerate() {
        indices.entry(name.as_str()).or_insert(index);
    }
    let mirrored = names.iter().enumerate().map(|(index, name)| {
        let sides = [("_l", "_r"), ("_r", "_l")];
        let swapped = sides.iter().find_map(|(side, other)| Some(format!("{}{other}", name.strip_suffix(side)?)));
        let from = swapped.and_then(|other| indices.get(other.as_str()).copied()).unwrap_or(index);
        let movement = name.trim_end_matches("_l").trim_end_matches("_r");
        let is_sideways = ["headyaw", "headroll", "eyeyaw", "eyeroll"].contains(&movement);
        Mirrored { from, sign: if is_sideways { -1.0 } else { 1.0 } }
    });
    mirrored.collect()
}

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
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            keys: self.keys + other.keys,
            samples: self.samples + other.samples,
            largest_error: self.largest_error.max(other.largest_error),
        }
    }
}

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
///
/// Both fits, the one by lines and the one by splines, go from left to right and make each segment as long as the
/// tolerance allows. That leaves fewer keys than splitting at the sample that is furthest off, as Schneider does (An
/// algorithm for automatically fitting digitized curves, Graphics Gems, 1990) and Ramer and Douglas and Peucker for
/// lines.
pub(super) fn reduced(column: &Column, place: Place, fit: Fit, tolerance: f32) -> Option<(Column, Reduction)> {
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
        lines.kept.iter().zip(&lines.values).for_each(|(&at, &value)| self.push_key(at, value.into(), fitted));
        lines.largest_error
    }

    /// Adds keys of a spline through samples, and returns the largest error. Each segment is the longest one that a
    /// cubic whose slopes are fitted by least squares keeps within the tolerance. The length is found by doubling and
    /// halving.
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
        let errors = (from + 1..to).map(|at| {
            let [start, out, end, into] = hermite(self.secs(from, at) / secs);
            (a * start + b * end + (slopes[0] * out + slopes[1] * into) * secs - self.value(at)).abs()
        });
        (slopes, errors.fold(0.0, f64::max))
    }
}

/// The cubic Hermite basis: start value, leaving slope, end value, arriving slope.
fn hermite(s: f64) -> [f64; 4] {
    let (s2, s3) = (s * s, s * s * s);
    [2.0 * s3 - 3.0 * s2 + 1.0, s3 - 2.0 * s2 + s, -2.0 * s3 + 3.0 * s2, s3 - s2]
}

/// How many seconds before and after a span tell the direction in which its curve goes.
const SLOPE_SECS: f32 = 0.07;

/// How quickly a movement into a bridged span dies away: after this time, a third of its speed is left.
const FADE_SECS: f32 = 0.08;

/// The values of a straight line between both ends of the span.
pub(super) fn line(column: &Column, place: Place) -> impl Fn(f32) -> f32 {
    let ([from, to], [a, b]) = (place.span, place.span.map(|time| column.sample(time)));
    move |time_secs| a + (b - a) * ((time_secs - from) / (to - from))
}

/// The values of a curve that enters and leaves the span with the slopes beside it. Each of these movements dies away
/// exponentially, and one is blended into the other, so that the curve never swings far away even if the span is long.
/// It stays within the values that the column has elsewhere.
pub(super) fn bridge(column: &Column, place: Place) -> impl Fn(f32) -> f32 {
    let ([from, to], [a, b]) = (place.span, place.span.map(|time| column.sample(time)));
    let [slope_in, slope_out] = [slope_beside(column, place, from, -1.0), slope_beside(column, place, to, 1.0)];
    let fade_secs = FADE_SECS.min(0.5 * (to - from));
    let keys = column.curve.times().iter().enumerate().filter(|(_, key)| !(from..=to).contains(*key));
    let [low, high] = keys.fold([a.min(b), a.max(b)], |[low, high], (key, _)| {
        let value = column.curve.key_value(key, column.element);
        [low.min(value), high.max(value)]
    });
    move |time_secs| {
        // How long the movements beside the span have gone on, as they die away.
        let [since, until] = [time_secs - from, to - time_secs]
            .map(|distance_secs: f32| fade_secs * (1.0 - (-distance_secs / fade_secs).exp()));
        let left = a + slope_in * since;
        let right = b - slope_out * until;
        let value = left + (right - left) * Ease::InOut.at((time_secs - from) / (to - from));
        value.max(low).min(high)
    }
}

/// The slope before (`way` -1) or after (1) a time: the line of least squares through samples there, so that noise of
/// single frames does not count. It passes through the value at that time.
fn slope_beside(column: &Column, place: Place, time_secs: f32, way: f32) -> f32 {
    let count = (SLOPE_SECS * place.frames_per_sec).round().clamp(2.0, 20.0) as usize;
    let value = column.sample(time_secs);
    let (mut products, mut squares) = (0.0, 0.0);
    for frame in 1..=count {
        let distance = way * SLOPE_SECS * frame as f32 / count as f32;
        if (0.0..=place.duration_secs).contains(&(time_secs + distance)) {
            products += distance * (column.sample(time_secs + distance) - value);
            squares += distance * distance;
        }
    }
    if squares > 0.0 { products / squares } else { 0.0 }
}

/// The longest spike in samples.
const MOST_SAMPLES: usize = 30;

/// Values in which runs of at most `most_samples` outliers are replaced by a line between the samples beside them.
///
/// The decision is that of the Hampel filter: a sample is an outlier if it is far from the median of its neighbours
/// (Davies and Gather: The identification of multiple outliers, 1993). The distance is given by the user in units of
/// weight, because the spread of a face at rest is 0.
pub(super) fn without_spikes(times: &[f32], values: &[f32], threshold: f32, most_samples: usize) -> Vec<f32> {
    let mut result = values.to_vec();
    let reach = most_samples.clamp(1, MOST_SAMPLES);
    if values.len() < 3 || threshold.is_nan() {
        return result;
    }
    let mut window = Vec::with_capacity(2 * reach + 1);
    let outliers = (0..values.len()).map(|at| {
        window.clear();
        window.extend_from_slice(&values[at.saturating_sub(reach)..(at + reach + 1).min(values.len())]);
        let middle = window.len() / 2;
        let (_, median, _) = window.select_nth_unstable_by(middle, f32::total_cmp);
        (values[at] - *median).abs() > threshold.max(0.0)
    });
    let outliers: Vec<bool> = outliers.collect();
    let mut at = 0;
    while at < values.len() {
        let run = outliers[at..].iter().take_while(|is_outlier| **is_outlier).count();
        let (before, after) = (at.checked_sub(1), Some(at + run).filter(|&after| after < values.len()));
        if (1..=reach).contains(&run) {
            for spike in at..at + run {
                result[spike] = match (before, after) {
                    (Some(a), Some(b)) => {
                        let part = (times[spike] - times[a]) / (times[b] - times[a]);
                        let part = if part.is_finite() { part } else { 0.5 };
                        values[a] + (values[b] - values[a]) * part
                    }
                    (Some(beside), None) | (None, Some(beside)) => values[beside],
                    (None, None) => values[spike],
                };
            }
        }
        at += run.max(1);
    }
    result
}

/// The limits of a stretch.
const FACTORS: [f32; 2] = [0.05, 20.0];

pub(super) fn duration_after(kind: EditKind, place: Place) -> f32 {
    let length = place.span[1] - place.span[0];
    let longer = match kind {
        EditKind::Stretch(factor) => allowed_factor(factor, place).map_or(0.0, |factor| length * (factor - 1.0)),
        EditKind::InsertTime(secs) => allowed_secs(secs).unwrap_or(0.0),
        EditKind::DeleteTime if can_delete(place) => -length,
        _ => 0.0,
    };
    place.duration_secs + longer
}

fn allowed_factor(factor: f32, place: Place) -> Option<f32> {
    let is_long_enough = place.span[1] - place.span[0] > SAME_SECS;
    (factor.is_finite() && is_long_enough).then(|| factor.clamp(FACTORS[0], FACTORS[1]))
}

fn allowed_secs(secs: f32) -> Option<f32> {
    (secs > 0.0).then(|| secs.min(EditKind::LONGEST_INSERT_SECS))
}

/// Something has to be left.
fn can_delete(place: Place) -> bool {
    let length = place.span[1] - place.span[0];
    length > SAME_SECS && length < place.duration_secs - SAME_SECS
}

/// The column with its span made `factor` times as long.
pub(super) fn stretched(column: &Column, place: Place, factor: f32) -> Option<Column> {
    let (factor, [from, to]) = (allowed_factor(factor, place)?, place.span);
    let (mut keys, inside) = ColumnKeys::opened(column, without_fill(place, [false; 2]))?;
    let longer = (to - from) * (factor - 1.0);
    keys.times = in_order(keys.times.iter().enumerate().map(|(key, &time)| match key {
        _ if key <= *inside.start() => time,
        _ if key <= *inside.end() => from + (time - from) * factor,
        _ => time + longer,
    }));
    if let Some(slopes) = &mut keys.slopes {
        for key in *inside.start()..*inside.end() {
            slopes[key][1] /= factor;
            slopes[key + 1][0] /= factor;
        }
    }
    keys.into_column()
}

/// The column with its value at the start of the span held for a while.
pub(super) fn inserted(column: &Column, place: Place, secs: f32) -> Option<Column> {
    let (secs, at) = (allowed_secs(secs)?, place.span[0]);
    let column = column.without_steps();
    let mut keys = ColumnKeys::with_added(&column, &[at, at]);
    let second = keys.times.partition_point(|&time| time <= at) - 1;
    keys.times =
        in_order(keys.times.iter().enumerate().map(|(key, &time)| if key < second { time } else { time + secs }));
    if let Some(slopes) = &mut keys.slopes {
        slopes[second - 1][1] = 0.0;
        slopes[second][0] = 0.0;
    }
    keys.into_column()
}

/// The column without its span. What follows sets in at the value that the cut has reached, and eases to its own.
pub(super) fn deleted(column: &Column, place: Place) -> Option<Column> {
    let ([from, to], length) = (place.span, place.span[1] - place.span[0]);
    if !can_delete(place) {
        return None;
    }
    let is_inside = [from > 0.0, to < place.duration_secs];
    let (mut keys, inside) = ColumnKeys::opened(column, without_fill(place, is_inside))?;
    let (before, after) = (column.sample(from), column.sample(to));
    let (first, last) = (*inside.start(), *inside.end());
    let times = keys.times.iter().enumerate();
    let times = in_order(times.map(|(key, &time)| if key < first { time } else { (time - length).max(from) }));
    let kept =
        (0..times.len()).filter(|&key| key < first || key > last || (first == 0 && key == last && !is_inside[1]));
    keys.times = kept.clone().map(|key| times[key]).collect();
    keys.values = kept.clone().map(|key| keys.values[key]).collect();
    keys.slopes = keys.slopes.map(|slopes| kept.map(|key| slopes[key]).collect());
    let cut = keys.into_column()?;
    let duration_secs = place.duration_secs - length;
    let ease_secs = place.eases[1].min(duration_secs - from);
    if !is_inside[0] || !is_inside[1] || ease_secs <= SAME_SECS {
        return Some(cut);
    }
    let span = [from, from + ease_secs];
    let eased = Place { span, eases: [0.0, ease_secs], may_jump: true, duration_secs, ..place };
    cut.with_values(eased, |keys, key| keys.values[key] + (before - after)).or(Some(cut))
}

fn without_fill(place: Place, jumps: [bool; 2]) -> Opening {
    Opening { span: place.span, jumps, largest_gap_secs: 0.0, step_secs: 0.0 }
}

/// Times that rounding must not bring out of order.
fn in_order(times: impl Iterator<Item = f32>) -> std::sync::Arc<[f32]> {
    let mut latest = f32::NEG_INFINITY;
    let ordered = times.map(|time| {
        latest = latest.max(time);
        latest
    });
    ordered.collect()
}

#[cfg(test)]
mod tests {
    use smirk_base::random;

    use super::*;

    fn at(lines: &Lines, times: &[f32], columns: usize, sample: usize) -> Vec<f32> {
        let next = lines.kept.partition_point(|&key| key < sample);
        if lines.kept[next] == sample {
            return lines.values[next * columns..][..columns].to_vec();
        }
        let [from, to] = [next - 1, next].map(|key| times[lines.kept[key]]);
        let part = (times[sample] - from) / (to - from);
        let value = |column: usize| {
            let [from, to] = [next - 1, next].map(|key| lines.values[key * columns + column]);
            from + (to - from) * part
        };
        (0..columns).map(value).collect()
    }

    #[test]
    fn several_columns_stay_within_the_tolerance_with_keys_at_the_same_times() {
        for seed in 0..200_u32 {
            let unit = |index: u64| random::unit(seed, index);
            let (count, columns) = (1 + (unit(0) * 80.0) as usize, 1 + (unit(1) * 5.0) as usize);
            let times: Vec<f32> = (0..count).map(|at| at as f32 / 30.0).collect();
            let value = |at: usize| {
                let (sample, column) = (at / columns, at % columns);
                ((sample as f32 * 0.1 * (column + 1) as f32).sin() + unit(at as u64 + 9) * 0.02) * 0.7
            };
            let values: Vec<f32> = (0..count * columns).map(value).collect();
            for tolerance in [0.0, 1e-3, 0.03, 0.5] {
                let lines = fit_lines(&times, &values, columns, tolerance);
                assert_eq!((lines.kept[0], *lines.kept.last().unwrap()), (0, count - 1));
                for sample in 0..count {
                    for (made, given) in at(&lines, &times, columns, sample).iter().zip(&values[sample * columns..]) {
                        let error = f64::from((made - given).abs());
                        assert!(error <= tolerance + 1e-6, "{seed}: {error} at {sample}, tolerance {tolerance}");
                    }
                }
                assert!(lines.largest_error <= tolerance + 1e-9);
                if tolerance == 0.5 && count > 40 {
                    assert!(lines.kept.len() < count / 3, "{} of {count} keys", lines.kept.len());
                }
            }
        }
    }

    #[test]
    fn nothing_and_one_sample_are_no_special_cases() {
        assert_eq!(fit_lines(&[], &[], 3, 0.1).kept, [0; 0]);
        assert_eq!(
            fit_lines(&[0.0], &[0.5, 0.25], 2, 0.1),
            Lines { kept: vec![0], values: vec![0.5, 0.25], largest_error: 0.0 }
        );
        assert_eq!(fit_lines(&[0.0, 1.0, 2.0], &[0.5; 3], 1, 0.0).kept, [0, 2], "a still column");
        assert_eq!(fit_lines(&[0.0, 1.0], &[], 0, 0.0).kept, [0, 1]);
    }

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

    #[test]
    fn spikes_go_and_movements_stay() {
        let times: Vec<f32> = (0..60).map(|frame| frame as f32 / 60.0).collect();
        let blink: Vec<f32> = times.iter().map(|time| (-((time - 0.5) / 0.06).powi(2)).exp()).collect();
        let mut spiky = blink.clone();
        (spiky[10], spiky[11], spiky[40], spiky[59]) = (0.9, 0.8, -0.7, 0.6);
        assert_eq!(without_spikes(&times, &blink, 0.25, 2), blink, "a blink is no spike");
        let clean = without_spikes(&times, &spiky, 0.25, 2);
        assert!(clean.iter().zip(&blink).all(|(a, b)| (a - b).abs() < 0.02), "{clean:?}");
    }

    #[test]
    fn odd_input_is_left_alone() {
        assert_eq!(without_spikes(&[0.0, 0.0], &[0.0, 9.0], 0.1, 2), [0.0, 9.0]);
        assert_eq!(without_spikes(&[0.0; 4], &[0.0, 9.0, 0.0, 0.0], f32::NAN, 2), [0.0, 9.0, 0.0, 0.0]);
        assert_eq!(without_spikes(&[0.0; 4], &[0.0, 9.0, 0.0, 0.0], -1.0, usize::MAX).len(), 4);
    }
}
