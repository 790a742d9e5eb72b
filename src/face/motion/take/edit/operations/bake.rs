//! Samples of a column at regular times.

use super::super::column::{Column, ColumnKeys, Opening, Place, SAME_SECS};

/// The mean of the samples in the span.
pub(in crate::motion::take::edit) fn mean(column: &Column, place: Place) -> f32 {
    let samples = column.samples(place.frame_times());
    let sum: f64 = samples.iter().map(|&value| f64::from(value)).sum();
    (sum / samples.len().max(1) as f64) as f32
}

/// The column with samples at a rate instead of its keys in the span.
pub(in crate::motion::take::edit) fn baked(column: &Column, place: Place, rate: f32) -> Option<Column> {
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
