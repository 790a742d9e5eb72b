//! The data that a curve's points are computed from. It is cheap to compare, so that points are computed only when it
//! changes.

use std::sync::{Arc, Weak};

use super::polyline::Polyline;
use crate::head::{Clip, Curve, Head, Interpolation};
use crate::motion::{ColumnMap, Key, Keys, Take, TakeMap};

/// The source of a curve's values. The curve reaches from 0 to `end_secs`.
#[derive(Clone, Debug)]
pub(crate) struct PointSource {
    from: Origin,
    end_secs: f32,
}

#[derive(Clone, Debug)]
enum Origin {
    Clip { head: Weak<Head>, clip: usize, channel: usize },
    Take(Vec<MappedColumn>),
    Keys(Vec<Key>),
}

/// A column of a take, and the numbers of its mapping. Curves share their numbers, so a copy is cheap.
#[derive(Clone, Debug)]
struct MappedColumn {
    curve: Curve,
    element: usize,
    map: ColumnMap,
}

impl PartialEq for MappedColumn {
    fn eq(&self, other: &Self) -> bool {
        self.curve.is_copy_of(&other.curve) && self.element == other.element && self.map == other.map
    }
}

impl PartialEq for PointSource {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.from, &other.from) {
            (Origin::Clip { head, clip, channel }, Origin::Clip { head: head2, clip: clip2, channel: channel2 }) => {
                Weak::ptr_eq(head, head2) && (clip, channel) == (clip2, channel2)
            }
            (Origin::Take(columns), Origin::Take(columns2)) => columns == columns2,
            (Origin::Keys(keys), Origin::Keys(keys2)) => keys == keys2,
            _ => false,
        };
        same && self.end_secs == other.end_secs
    }
}

impl PointSource {
    /// A channel in a clip of the head, given by its first target.
    pub(crate) fn of_clip(head: &Arc<Head>, clip: usize, channel: usize, end_secs: f32) -> Self {
        Self { from: Origin::Clip { head: Arc::downgrade(head), clip, channel }, end_secs }
    }

    /// The mean of several mapped columns of a take.
    pub(crate) fn of_take(take: &Take, map: &TakeMap, columns: &[usize], end_secs: f32) -> Self {
        // Channel names do not change values, so only the numbers are copied.
        let numbers = |map: &ColumnMap| ColumnMap {
            gain: map.gain,
            offset: map.offset,
            clamp: map.clamp,
            smoothing_secs: map.smoothing_secs,
            neutral: map.neutral,
            ..ColumnMap::default()
        };
        let mapped = columns.iter().filter_map(|&column| {
            let (curve, element) = take.curve_of(column)?;
            Some(MappedColumn { curve: curve.clone(), element, map: numbers(map.columns.get(column)?) })
        });
        Self { from: Origin::Take(mapped.collect()), end_secs }
    }

    /// Keys set by the user.
    pub(crate) fn of_keys(keys: &[Key], end_secs: f32) -> Self {
        Self { from: Origin::Keys(keys.to_vec()), end_secs }
    }

    /// Computes the points; none if the head no longer exists.
    pub(crate) fn polyline(&self) -> Polyline {
        let points = match &self.from {
            Origin::Clip { head, clip, channel } => head.upgrade().and_then(|head| {
                let target = *head.channels.get(*channel)?.targets.first()?;
                Some(clip_points(head.clips.get(*clip)?, target, self.end_secs))
            }),
            Origin::Take(columns) => Some(take_points(columns)),
            Origin::Keys(keys) => Some(key_points(keys)),
        };
        Polyline::held(points.unwrap_or_default(), self.end_secs)
    }
}

/// The distance of the points in curved segments.
const FINE_SECS: f32 = 1.0 / 60.0;
/// The largest number of points in a curved segment.
const MAX_PIECES: usize = 32;
/// The largest number of points of a short clip that repeats during a long take.
const MAX_POINTS: usize = 200_000;

/// The points of a target in all repetitions of a clip.
fn clip_points(clip: &Clip, target: usize, end_secs: f32) -> Vec<[f32; 2]> {
    let Some((curve, element)) = clip.curve_of(target) else { return Vec::new() };
    let curved = curve.interpolation() == Interpolation::CubicSpline;
    let mut once = sampled(curve.times(), curved, is_step(curve), |secs| curve.sample(secs, element));
    // All tracks of a clip repeat together, at the end of the longest one.
    if let Some(&[_, last]) = once.last() {
        once.push([clip.duration_secs, last]);
    }
    let passes = if clip.duration_secs > 0.0 { (end_secs / clip.duration_secs).ceil().max(1.0) } else { 1.0 };
    let passes = (passes as usize).min(MAX_POINTS / once.len().max(1)).max(1);
    let start = |pass: usize| pass as f32 * clip.duration_secs;
    (0..passes).flat_map(|pass| once.iter().map(move |&[secs, value]| [start(pass) + secs, value])).collect()
}

fn is_step(curve: &Curve) -> bool {
    curve.interpolation() == Interpolation::Step
}

fn take_points(columns: &[MappedColumn]) -> Vec<[f32; 2]> {
    let Some((first, others)) = columns.split_first() else { return Vec::new() };
    let mut times = first.curve.times().to_vec();
    // Columns of a capture share one list of times; those of a glTF clip may have different times.
    let others = others.iter().filter(|other| !other.curve.shares_times(&first.curve));
    let others: Vec<f32> = others.flat_map(|other| other.curve.times()).copied().collect();
    if !others.is_empty() {
        times.extend(others);
        times.sort_by(f32::total_cmp);
        times.dedup();
    }
    let smooth = columns.iter().any(|column| column.map.smoothing_secs > 0.0);
    let clamped = columns.iter().any(|column| column.map.clamp.is_some());
    let spline = columns.iter().any(|column| column.curve.interpolation() == Interpolation::CubicSpline);
    let steps = columns.iter().any(|column| is_step(&column.curve)) && !smooth;
    let curved = smooth || clamped || spline;
    if let ([column], false) = (columns, curved || steps) {
        // Most captures have a single unsmoothed column: its keys can be read in order, without a search for each time.
        let points = column.curve.times().iter().enumerate();
        let points = points.map(|(key, &secs)| [secs, column.map.shape(column.curve.key_value(key, column.element))]);
        return points.filter(|[_, value]| value.is_finite()).collect();
    }
    let mean = |secs| {
        let sum: f32 =
            columns.iter().map(|column| column.map.value_of_curve(&column.curve, column.element, secs)).sum();
        sum / columns.len() as f32
    };
    sampled(&times, curved, steps, mean)
}

fn key_points(keys: &[Key]) -> Vec<[f32; 2]> {
    let mut alone = Keys::default();
    keys.iter().for_each(|&key| alone.set("", key));
    let times: Vec<f32> = keys.iter().map(|key| key.time_secs).collect();
    sampled(&times, true, false, |secs| alone.sample("", secs).unwrap_or(0.0))
}

/// Points at the keys, with more points between them if the segments are `curved`; with `steps`, each value is held
/// until the next key.
fn sampled(times: &[f32], curved: bool, steps: bool, value: impl Fn(f32) -> f32) -> Vec<[f32; 2]> {
    let mut points: Vec<[f32; 2]> = Vec::with_capacity(times.len());
    for &time in times {
        if let Some(&[before, last]) = points.last() {
            if curved {
                let pieces = (((time - before) / FINE_SECS - 0.01).ceil() as usize).clamp(1, MAX_PIECES);
                let step = (time - before) / pieces as f32;
                points.extend((1..pieces).map(|piece| before + step * piece as f32).map(|secs| [secs, value(secs)]));
            }
            if steps {
                points.push([time, last]);
            }
        }
        points.push([time, value(time)]);
    }
    points.retain(|[_, value]| value.is_finite());
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_held_and_curved_segments_get_more_points() {
        let value = |secs: f32| secs * secs;
        assert_eq!(sampled(&[0.0, 1.0], false, true, value), [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
        let curved = sampled(&[0.0, 0.1, 100.0], true, false, value);
        assert_eq!(curved.len(), 1 + 6 + MAX_PIECES);
        assert!(curved.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }

    #[test]
    fn a_short_clip_repeats_during_a_long_take() {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 1.0], 1).unwrap();
        let clip = Clip::new("short".into(), vec![crate::head::Track { first_target: 0, curve }]);
        let line = Polyline::held(clip_points(&clip, 0, 2.5), 2.5);
        assert_eq!([0.5, 1.5, 2.5].map(|secs| line.at(secs).unwrap()), [0.5, 0.5, 0.5]);
        assert!(clip_points(&clip, 0, 1e9).len() <= MAX_POINTS);
    }
}
