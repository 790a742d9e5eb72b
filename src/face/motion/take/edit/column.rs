//! A column of a take: its curve, the keys of the curve while it is edited, and the span that an edit changes.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::head::{Curve, Interpolation};
use crate::motion::Ease;

impl Column {
    /// The column with other values at its keys in the span, blended in at eased ends. Outside of the span the curve
    /// stays as it is.
    pub(super) fn with_values(&self, place: Place, new: impl Fn(&ColumnKeys, usize) -> f32) -> Option<Self> {
        self.with_all_values(place, |keys, first, last| (first..=last).map(|key| new(keys, key)).collect())
    }

    /// [`Self::with_values`], with all new values at once; `new` gets the keys, and the first and the last in the span.
    pub(super) fn with_all_values(
        &self,
        place: Place,
        new: impl FnOnce(&ColumnKeys, usize, usize) -> Vec<f32>,
    ) -> Option<Self> {
        let (mut keys, inside) = ColumnKeys::opened(self, place.opening(self))?;
        let (first, last) = (*inside.start(), *inside.end());
        let values = new(&keys, first, last);
        let stays = [first, last].map(|end| {
            (!place.may_jump && (SAME_SECS..place.duration_secs - SAME_SECS).contains(&keys.times[end])).then_some(end)
        });
        keys.set(&inside, |key, time_secs, old| {
            let (new, amount) = (values[key - first], place.amount_at(time_secs));
            match amount {
                _ if stays.contains(&Some(key)) => old,
                _ if amount < 1.0 => old + (new - old) * amount,
                _ => new,
            }
        });
        keys.into_column()
    }
}

/// A longer gap between two keys of straight lines gets samples before its values change, so that what is not straight
/// has its shape. The frames that a capture drops are shorter.
const LONGEST_GAP_SECS: f32 = 0.1;

/// The span of an edit, what of it is eased, and the take's rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub span: [f32; 2],
    pub eases: [f32; 2],
    /// Whether values may jump at an end that is not eased. If not, they stay as they are there.
    pub may_jump: bool,
    pub duration_secs: f32,
    pub frames_per_sec: f32,
}

impl Place {
    /// How much of the edit applies at a time within its span: 1, and less in its eased ends.
    pub(super) fn amount_at(self, time_secs: f32) -> f32 {
        let parts = [(time_secs - self.span[0], self.eases[0]), (self.span[1] - time_secs, self.eases[1])]
            .map(|(distance, length)| if length > 0.0 { Ease::InOut.at(distance / length) } else { 1.0 });
        parts[0] * parts[1]
    }

    /// The keys that a column needs for a change of its values here.
    pub(super) fn opening(self, column: &Column) -> Opening {
        let step_secs = 1.0 / self.frames_per_sec;
        let is_spline = column.curve.interpolation() == Interpolation::CubicSpline;
        let jumps = [
            self.may_jump && self.eases[0] == 0.0 && self.span[0] > 0.0,
            self.may_jump && self.eases[1] == 0.0 && self.span[1] < self.duration_secs,
        ];
        let largest_gap_secs = if is_spline { 1.5 * step_secs } else { LONGEST_GAP_SECS.max(1.5 * step_secs) };
        Opening { span: self.span, jumps, largest_gap_secs, step_secs }
    }

    /// The times of the frames in the span, from its start.
    pub(super) fn frame_times(self) -> impl Iterator<Item = f32> + Clone {
        let ([from, to], rate) = (self.span.map(f64::from), f64::from(self.frames_per_sec));
        let first = (from * rate).floor();
        let count = ((to * rate).ceil() - first).clamp(1.0, 5e5) as usize;
        (0..count).map(move |frame| ((first + frame as f64) / rate).clamp(from, to) as f32)
    }
}

/// A column: an element of a curve.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub curve: Curve,
    pub element: usize,
}

impl Column {
    /// A column that the take's file has no values for.
    pub(super) fn at_zero() -> Self {
        Self { curve: Curve::constant(0.0), element: 0 }
    }

    /// The time of a recording of this duration, at each time.
    pub(super) fn clock(duration_secs: f32) -> Self {
        let ends = vec![0.0, duration_secs.max(0.0)];
        let curve = Curve::new(Interpolation::Linear, ends.clone(), ends, 1);
        curve.map_or_else(|_| Self::at_zero(), |curve| Self { curve, element: 0 })
    }

    pub(super) fn sample(&self, time_secs: f32) -> f32 {
        self.curve.sample(time_secs, self.element)
    }

    /// The values at ascending times. Quicker than one by one.
    pub(super) fn samples(&self, times: impl Iterator<Item = f32>) -> Vec<f32> {
        let keys = self.curve.times();
        let mut next = 0;
        let values = times.map(|time_secs| {
            while keys.get(next).is_some_and(|&key| key <= time_secs) {
                next += 1;
            }
            self.curve.sample_before(next, time_secs, self.element)
        });
        values.collect()
    }

    /// The same column with straight lines instead of steps: two keys at one time are a jump.
    pub(super) fn without_steps(&self) -> Self {
        if self.curve.interpolation() != Interpolation::Step {
            return self.clone();
        }
        let keys = self.curve.times();
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (key, &time) in keys.iter().enumerate() {
            if let Some(&held) = values.last() {
                times.push(time);
                values.push(held);
            }
            times.push(time);
            values.push(self.curve.key_value(key, self.element));
        }
        let curve = Curve::sharing(Interpolation::Linear, times.into(), values, 1);
        curve.map_or_else(|_| self.clone(), |curve| Self { curve, element: 0 })
    }
}

/// Times nearer than this are one time. It is well below the duration of a frame, and above the precision of times of
/// an hour.
pub(super) const SAME_SECS: f32 = 4e-4;

/// More keys than this are not added to one column.
const MAX_ADDED: usize = 60_000;

/// The keys of one column: linear, or a spline with slopes.
#[derive(Clone, Debug)]
pub(super) struct ColumnKeys {
    pub times: Arc<[f32]>,
    pub values: Vec<f32>,
    /// The slope before and after each key, per second; `None` for straight lines between the keys.
    pub slopes: Option<Vec<[f32; 2]>>,
}

/// Where keys are needed, so that values can change within a span and nowhere else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
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
    pub(super) fn opened(column: &Column, opening: Opening) -> Option<(Self, RangeInclusive<usize>)> {
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
    pub(super) fn with_added(column: &Column, added: &[f32]) -> Self {
        let (curve, element) = (&column.curve, column.element);
        let is_spline = curve.interpolation() == Interpolation::CubicSpline;
        let slopes_at = |key: usize| [0, 2].map(|part| curve.values()[(key * 3 + part) * curve.width() + element]);
        if added.is_empty() {
            return Self {
                times: curve.shared_times().clone(),
                values: (0..curve.times().len()).map(|key| curve.key_value(key, element)).collect(),
                slopes: is_spline.then(|| (0..curve.times().len()).map(slopes_at).collect()),
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
                        slopes.push(slopes_at(key));
                    }
                    key += 1;
                }
            }
        }
        Self { times: times.into(), values, slopes: is_spline.then_some(slopes) }
    }

    /// Gives the keys in a range other values, with straight lines between them. `new` gets the index, the time and the
    /// old value of a key. Values that are not finite are ignored.
    pub(super) fn set(&mut self, inside: &RangeInclusive<usize>, new: impl Fn(usize, f32, f32) -> f32) {
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

    pub(super) fn splice(&mut self, inside: &RangeInclusive<usize>, new: Self) {
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
    pub(super) fn into_column(self) -> Option<Column> {
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
