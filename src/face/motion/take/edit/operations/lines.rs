//! Straight lines between few samples, within a tolerance of all others.

/// Keys of straight lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// The sample that each key is at: the first, the last and some between them.
    pub samples: Vec<usize>,
    /// Per key, a value per column.
    pub values: Vec<f32>,
    /// The largest distance of a value from its line.
    pub largest_error: f64,
}

/// Keys at few of the samples, so that straight lines between them stay within the tolerance of all values. `values` has one value per
/// column for each of `times`, which increase; all columns get keys at the same times.
///
/// From each key, the slopes that stay within the tolerance of all samples form a range that becomes narrower from sample to
/// sample; the next key is before the range of any column becomes empty (Elmeleegy et al.: Online piece-wise linear approximation of
/// numerical streams, 2009: the swing filter). The first and the last sample are kept exactly.
pub fn fit_lines(times: &[f32], values: &[f32], columns: usize, tolerance: f64) -> Lines {
    let count = times.len().min(values.len().checked_div(columns).unwrap_or(times.len()));
    let mut lines = Lines { samples: Vec::new(), values: Vec::new(), largest_error: 0.0 };
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
        self.samples.push(sample);
        self.values.extend(values.iter().map(|&value| value as f32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random;

    /// The values of the lines at a sample.
    fn at(lines: &Lines, times: &[f32], columns: usize, sample: usize) -> Vec<f32> {
        let next = lines.samples.partition_point(|&key| key < sample);
        if lines.samples[next] == sample {
            return lines.values[next * columns..][..columns].to_vec();
        }
        let [from, to] = [next - 1, next].map(|key| times[lines.samples[key]]);
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
                assert_eq!((lines.samples[0], *lines.samples.last().unwrap()), (0, count - 1));
                for sample in 0..count {
                    for (made, given) in at(&lines, &times, columns, sample).iter().zip(&values[sample * columns..]) {
                        let error = f64::from((made - given).abs());
                        assert!(error <= tolerance + 1e-6, "{seed}: {error} at {sample}, tolerance {tolerance}");
                    }
                }
                assert!(lines.largest_error <= tolerance + 1e-9);
                if tolerance == 0.5 && count > 40 {
                    assert!(lines.samples.len() < count / 3, "{} of {count} keys", lines.samples.len());
                }
            }
        }
    }

    #[test]
    fn nothing_and_one_sample_are_no_special_cases() {
        assert_eq!(fit_lines(&[], &[], 3, 0.1).samples, [0; 0]);
        assert_eq!(
            fit_lines(&[0.0], &[0.5, 0.25], 2, 0.1),
            Lines { samples: vec![0], values: vec![0.5, 0.25], largest_error: 0.0 }
        );
        assert_eq!(fit_lines(&[0.0, 1.0, 2.0], &[0.5; 3], 1, 0.0).samples, [0, 2], "a still column");
        assert_eq!(fit_lines(&[0.0, 1.0], &[], 0, 0.0).samples, [0, 1]);
    }
}
