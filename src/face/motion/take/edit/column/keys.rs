//! The keys of one column while it is edited.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::curve::Column;
use crate::head::{Curve, Interpolation};

/// Times nearer than this are one time. It is well below the duration of a frame, and above the precision of times of an
/// hour.
pub(in crate::motion::take::edit) const SAME_SECS: f32 = 4e-4;
/// More keys than this are not added to one column.
const MAX_ADDED: usize = 60_000;

/// The keys of one column: linear, or a spline with slopes.
#[derive(Clone, Debug)]
pub(in crate::motion::take::edit) struct ColumnKeys {
    pub times: Arc<[f32]>,
    pub values: Vec<f32>,
    /// The slope before and after each key, per second; `None` for straight lines between the keys.
    pub slopes: Option<Vec<[f32; 2]>>,
}

/// Where keys are needed, so that values can change within a span and nowhere else.
#[derive(Clone, Copy, Debug)]
pub(in crate::motion::take::edit) struct Opening {
    /// Start and end in seconds.
    pub span: [f32; 2],
    /// Whether the value may jump at the start and at the end. Such an end gets two keys.
    pub jumps: [bool; 2],
    /// Gaps between keys that are longer than this are filled with keys on the curve.
    pub largest_gap_secs: f32,
    /// The distance of the keys that fill a gap.
    pub step_secs: f32,
}

impl ColumnKeys {
    /// The keys of a column, with those added that `opening` needs; the curve stays the same. Also returns the range of
    /// keys in the span. `None` if the span is too short to have any.
    pub(in crate::motion::take::edit) fn opened(
        column: &Column,
        opening: Opening,
    ) -> Option<(Self, RangeInclusive<usize>)> {
        let Opening { span: [from, to], jumps, .. } = opening;
        if to - from <= SAME_SECS {
            return None;
        }
        let column = column.without_steps();
        let times = column.curve.times();
        let mut added = Vec::new();
        for (end, jumps) in [from, to].into_iter().zip(jumps) {
            let at = times.partition_point(|&time| time < end - SAME_SECS);
            let there = times[at..].iter().take_while(|&&time| time <= end + SAME_SECS).count();
            let time = if there > 0 { times[at] } else { end };
            added.extend(std::iter::repeat_n(time, (1 + usize::from(jumps)).saturating_sub(there)));
        }
        fill_gaps(times, opening, &mut added);
        added.sort_by(f32::total_cmp);
        let keys = Self::with_added(&column, &added);
        // At the ends of the curve nothing is left outside, not even one side of a jump there.
        let (start, end) = (keys.times[0] + SAME_SECS, keys.times[keys.times.len() - 1] - SAME_SECS);
        let first = match keys.times.partition_point(|&time| time <= from + SAME_SECS) {
            _ if from <= start && !jumps[0] => 0,
            after => after.saturating_sub(1),
        };
        let last = match keys.times.partition_point(|&time| time < to - SAME_SECS) {
            _ if to >= end && !jumps[1] => keys.times.len() - 1,
            at => at.min(keys.times.len() - 1),
        };
        (first < last).then_some((keys, first..=last))
    }

    /// The keys of a column, and more on its curve at these times.
    pub(in crate::motion::take::edit) fn with_added(column: &Column, added: &[f32]) -> Self {
        let (curve, element) = (&column.curve, column.element);
        let is_spline = curve.interpolation() == Interpolation::CubicSpline;
        let slope = |key: usize, part: usize| curve.values()[(key * 3 + part) * curve.width() + element];
        if added.is_empty() {
            return Self {
                times: curve.shared_times().clone(),
                values: (0..curve.times().len()).map(|key| curve.key_value(key, element)).collect(),
                slopes: is_spline.then(|| (0..curve.times().len()).map(|key| [slope(key, 0), slope(key, 2)]).collect()),
            };
        }
        let count = curve.times().len() + added.len();
        let (mut times, mut values) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut slopes = Vec::with_capacity(if is_spline { count } else { 0 });
        let (mut key, mut next_added) = (0, added.iter().copied().peekable());
        while times.len() < count {
            let own = curve.times().get(key).copied().unwrap_or(f32::INFINITY);
            match next_added.next_if(|&time| time < own) {
                Some(time) => {
                    times.push(time);
                    values.push(curve.sample_before(key, time, element));
                    if is_spline {
                        slopes.push(curve.slopes(time, element));
                    }
                }
                None => {
                    times.push(own);
                    values.push(curve.key_value(key, element));
                    if is_spline {
                        slopes.push([slope(key, 0), slope(key, 2)]);
                    }
                    key += 1;
                }
            }
        }
        Self { times: times.into(), values, slopes: is_spline.then_some(slopes) }
    }

    /// Gives the keys in a range other values, with straight lines between them. `new` gets the index, the time and the old
    /// value of a key. Values that are not finite are ignored.
    pub(in crate::motion::take::edit) fn set(
        &mut self,
        inside: &RangeInclusive<usize>,
        new: impl Fn(usize, f32, f32) -> f32,
    ) {
        for key in inside.clone() {
            let value = new(key, self.times[key], self.values[key]);
            if value.is_finite() {
                self.values[key] = value;
            }
        }
        if *inside == (0..=self.values.len() - 1) {
            self.slopes = None;
        }
        self.straighten(inside);
    }

    /// Makes the lines between the keys in a range straight.
    fn straighten(&mut self, inside: &RangeInclusive<usize>) {
        let Some(slopes) = &mut self.slopes else { return };
        for key in *inside.start()..*inside.end() {
            let secs = self.times[key + 1] - self.times[key];
            let slope = if secs > 0.0 { (self.values[key + 1] - self.values[key]) / secs } else { 0.0 };
            slopes[key][1] = slope;
            slopes[key + 1][0] = slope;
        }
    }

    /// Replaces the keys in a range by others.
    pub(in crate::motion::take::edit) fn splice(&mut self, inside: &RangeInclusive<usize>, new: Self) {
        if new.slopes.is_none() && *inside == (0..=self.values.len() - 1) {
            self.slopes = None;
        } else if self.slopes.is_none() && new.slopes.is_some() {
            self.slopes = Some(vec![[0.0; 2]; self.values.len()]);
            self.straighten(&(0..=self.values.len() - 1));
        }
        let (first, last, count) = (*inside.start(), *inside.end(), new.values.len());
        let mut times = self.times.to_vec();
        times.splice(inside.clone(), new.times.iter().copied());
        self.times = times.into();
        self.values.splice(inside.clone(), new.values);
        if let Some(slopes) = &mut self.slopes {
            let (before, after) = (slopes[first][0], slopes[last][1]);
            let has_slopes = new.slopes.is_some();
            slopes.splice(inside.clone(), new.slopes.unwrap_or_else(|| vec![[0.0; 2]; count]));
            slopes[first][0] = before;
            slopes[first + count - 1][1] = after;
            if !has_slopes {
                self.straighten(&(first..=first + count - 1));
            }
        }
    }

    /// The column of these keys; `None` if they are not a curve.
    pub(in crate::motion::take::edit) fn into_column(self) -> Option<Column> {
        let curve = match self.slopes {
            None => Curve::sharing(Interpolation::Linear, self.times, self.values, 1),
            Some(slopes) => {
                let numbers =
                    self.values.iter().zip(&slopes).flat_map(|(&value, &[before, after])| [before, value, after]);
                Curve::sharing(Interpolation::CubicSpline, self.times, numbers.collect(), 1)
            }
        };
        curve.ok().map(|curve| Column { curve, element: 0 })
    }
}

/// Adds times between the keys in the span where a gap is too long.
fn fill_gaps(times: &[f32], opening: Opening, added: &mut Vec<f32>) {
    let Opening { span: [from, to], largest_gap_secs, step_secs, .. } = opening;
    if !(largest_gap_secs > 0.0 && step_secs > 0.0) {
        return;
    }
    let inner = times.partition_point(|&time| time <= from)..times.partition_point(|&time| time < to);
    let mut before = from;
    for time in times[inner].iter().copied().chain([to]) {
        let gap = time - before;
        if gap > largest_gap_secs {
            let pieces = ((gap / step_secs).round() as usize).min(MAX_ADDED.saturating_sub(added.len()));
            added.extend((1..pieces).map(|piece| before + gap * (piece as f32 / pieces as f32)));
        }
        before = time;
    }
}
