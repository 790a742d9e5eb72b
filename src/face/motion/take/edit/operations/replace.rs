//! Curves that replace a span of a column. Both meet the column at the ends of the span.

use super::super::column::{Column, Place};
use crate::motion::Ease;

/// How many seconds before and after a span tell the direction in which its curve goes.
const SLOPE_SECS: f32 = 0.07;
/// How quickly a movement into a bridged span dies away: after this time, a third of its speed is left.
const FADE_SECS: f32 = 0.08;

/// The values of a straight line between both ends of the span.
pub(in crate::motion::take::edit) fn line(column: &Column, place: Place) -> impl Fn(f32) -> f32 {
    let ([from, to], [a, b]) = (place.span, place.span.map(|time| column.sample(time)));
    move |time_secs| a + (b - a) * ((time_secs - from) / (to - from))
}

/// The values of a curve that enters and leaves the span with the slopes beside it. Each of these movements dies away
/// exponentially, and one is blended into the other, so that the curve never swings far away even if the span is long. It
/// stays within the values that the column has elsewhere.
pub(in crate::motion::take::edit) fn bridge(column: &Column, place: Place) -> impl Fn(f32) -> f32 {
    let ([from, to], [a, b]) = (place.span, place.span.map(|time| column.sample(time)));
    let [slope_in, slope_out] = [slope_beside(column, place, from, -1.0), slope_beside(column, place, to, 1.0)];
    let fade_secs = FADE_SECS.min(0.5 * (to - from));
    let keys = column.curve.times().iter().enumerate().filter(|(_, key)| !(from..=to).contains(*key));
    let [low, high] = keys.fold([a.min(b), a.max(b)], |[low, high], (key, _)| {
        let value = column.curve.key_value(key, column.element);
        [low.min(value), high.max(value)]
    });
    move |time_secs| {
        let gone_on = |distance_secs: f32| fade_secs * (1.0 - (-distance_secs / fade_secs).exp());
        let left = a + slope_in * gone_on(time_secs - from);
        let right = b - slope_out * gone_on(to - time_secs);
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
