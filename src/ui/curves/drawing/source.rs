//! The data that a curve's points are computed from. It is cheap to compare, so that points are computed only when it
//! changes.

use std::sync::{Arc, Weak};

use super::polyline::Polyline;
use crate::head::{Clip, Curve, Head, Interpolation};
use crate::motion::{ColumnMap, Extrapolation, KeyCurve, KeyMode, Take, TakeMap, Tangents};

/// The source of a curve's values. The curve reaches from 0 to `end_secs`.
#[derive(Clone, Debug)]
pub(crate) struct PointSource {
    from: Origin,
    end_secs: f32,
}

#[derive(Clone, Debug)]
enum Origin {
    Clip {
        head: Weak<Head>,
        clip: usize,
        channel: usize,
    },
    Take(Vec<MappedColumn>),
    /// Keys over another source, or over a constant weight.
    Keys {
        curve: KeyCurve,
        below: Option<Box<PointSource>>,
        rest: f32,
    },
    /// One source less another; without a source, the weight is constant.
    Difference {
        of: [Option<Box<PointSource>>; 2],
        rest: f32,
    },
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
            (Origin::Keys { curve, below, rest }, Origin::Keys { curve: curve2, below: below2, rest: rest2 }) => {
                curve.is_copy_of(curve2) && below == below2 && rest == rest2
            }
            (Origin::Difference { of, rest }, Origin::Difference { of: of2, rest: rest2 }) => {
                of == of2 && rest == rest2
            }
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

    /// Keys set by the user, over what is below them: another source, or the weight at rest.
    pub(crate) fn of_keys(curve: &KeyCurve, below: Option<Self>, rest: f32, end_secs: f32) -> Self {
        Self { from: Origin::Keys { curve: curve.clone(), below: below.map(Box::new), rest }, end_secs }
    }

    /// `a` less `b`; a channel without a source has the weight at rest.
    pub(crate) fn difference(a: Option<Self>, b: Option<Self>, rest: f32, end_secs: f32) -> Self {
        Self { from: Origin::Difference { of: [a, b].map(|source| source.map(Box::new)), rest }, end_secs }
    }

    /// Computes the points; none if the head no longer exists.
    pub(crate) fn polyline(&self) -> Polyline {
        let points = match &self.from {
            Origin::Clip { head, clip, channel } => head.upgrade().and_then(|head| {
                let target = *head.channels.get(*channel)?.targets.first()?;
                Some(clip_points(head.clips.get(*clip)?, target, self.end_secs))
            }),
            Origin::Take(columns) => Some(take_points(columns)),
            Origin::Keys { curve, below, rest } => Some(key_points(curve, below.as_deref(), *rest)),
            Origin::Difference { of, rest } => {
                let [a, b] = of.each_ref().map(|source| source.as_ref().map(|source| source.polyline()));
                return a.unwrap_or_default().minus(&b.unwrap_or_default(), *rest);
            }
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

/// The weights of a channel with keys.
fn key_points(curve: &KeyCurve, below: Option<&PointSource>, rest: f32) -> Vec<[f32; 2]> {
    let own = own_points(curve);
    let fades = [curve.before, curve.after].map(|ends| match ends {
        Extrapolation::Fade(secs) => Some(secs),
        Extrapolation::Hold => None,
    });
    let (Some(&[first, _]), Some(&[last, _])) = (own.first(), own.last()) else { return own };
    if curve.mode == KeyMode::Replace && fades == [None; 2] {
        return own;
    }
    let below = below.map(PointSource::polyline);
    let weight = |secs: f32, value: f32| {
        let below = below.as_ref().and_then(|line| line.at(secs)).unwrap_or(rest);
        [secs, curve.combined(value, curve.influence_at(secs), below)]
    };
    let ramp =
        |from: f32, to: f32| (0..=MAX_PIECES).map(move |piece| from + (to - from) * piece as f32 / MAX_PIECES as f32);
    let mut times: Vec<f32> = below.iter().flat_map(Polyline::times).collect();
    times.extend(fades[0].into_iter().flat_map(|secs| ramp((first - secs).max(0.0), first)));
    times.extend(fades[1].into_iter().flat_map(|secs| ramp(last, last + secs)));
    times.sort_by(f32::total_cmp);
    times.dedup();
    let mut own = own.into_iter().peekable();
    let mut points = Vec::with_capacity(times.len() + own.len());
    for secs in times {
        while let Some([earlier, value]) = own.next_if(|point| point[0] <= secs) {
            points.push(weight(earlier, value));
        }
        if points.last().is_none_or(|point| point[0] < secs) {
            points.push(weight(secs, curve.value_at(secs).unwrap_or(rest)));
        }
    }
    points.extend(own.map(|[secs, value]| weight(secs, value)));
    points.retain(|[_, value]| value.is_finite());
    points
}

/// The points of a curve of keys alone, from its first to its last key. They are computed segment by segment, without a
/// search for each time.
fn own_points(curve: &KeyCurve) -> Vec<[f32; 2]> {
    let keys = curve.keys();
    let mut points = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        points.push([key.time_secs, key.value]);
        let Some(next) = keys.get(index + 1) else { break };
        match (key.tangents, next.tangents) {
            (Tangents::Step, _) => points.push([next.time_secs, key.value]),
            (Tangents::Linear, Tangents::Linear) => {}
            _ => {
                let secs = next.time_secs - key.time_secs;
                let pieces = pieces_of(secs);
                let times = (1..pieces).map(|piece| key.time_secs + secs * piece as f32 / pieces as f32);
                points.extend(times.map(|secs| [secs, curve.value_after(index, secs)]));
            }
        }
    }
    points.retain(|[_, value]| value.is_finite());
    points
}

/// Into how many pieces a curved segment is divided.
fn pieces_of(secs: f32) -> usize {
    ((secs / FINE_SECS - 0.01).ceil() as usize).clamp(1, MAX_PIECES)
}

/// Points at the keys, with more points between them if the segments are `curved`; with `steps`, each value is held
/// until the next key.
fn sampled(times: &[f32], curved: bool, steps: bool, value: impl Fn(f32) -> f32) -> Vec<[f32; 2]> {
    let mut points: Vec<[f32; 2]> = Vec::with_capacity(times.len());
    for &time in times {
        if let Some(&[before, last]) = points.last() {
            if curved {
                let pieces = pieces_of(time - before);
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
    use crate::head::{Asset, Mesh, Target, Track};
    use crate::motion::{Key, Keys};

    #[test]
    fn steps_are_held_and_curved_segments_get_more_points() {
        let value = |secs: f32| secs * secs;
        assert_eq!(sampled(&[0.0, 1.0], false, true, value), [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
        let curved = sampled(&[0.0, 0.1, 100.0], true, false, value);
        assert_eq!(curved.len(), 1 + 6 + MAX_PIECES);
        assert!(curved.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }

    #[test]
    fn added_keys_are_drawn_on_top_of_what_is_below_and_fade_to_it() {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 8.0], vec![0.0, 0.8], 1).unwrap();
        let mesh = Mesh { targets: vec![Target::default()], ..Default::default() };
        let clip = Clip::new("rise".into(), vec![Track { first_target: 0, curve }]);
        let head = Head::new(Asset { meshes: vec![mesh], clips: vec![clip], ..Default::default() });
        let head = Arc::new(head);
        let mut keys = Keys::default();
        keys.set("", Key::new(2.0, 0.25));
        keys.set("", Key::new(4.0, -0.25));
        keys.edit_curve("", |curve| (curve.mode, curve.after) = (KeyMode::Add, Extrapolation::Fade(1.0)));
        let below = PointSource::of_clip(&head, 0, 0, 8.0);
        let line = PointSource::of_keys(keys.curve("").unwrap(), Some(below), 0.0, 8.0).polyline();
        for (secs, expected) in [(0.0, 0.25), (1.0, 0.35), (2.0, 0.45), (4.0, 0.15), (5.0, 0.5), (8.0, 0.8)] {
            assert!((line.at(secs).unwrap() - expected).abs() < 1e-5, "{secs}: {:?}", line.at(secs));
        }
        let mut keys = Keys::default();
        keys.set("", Key { tangents: Tangents::Step, ..Key::new(1.0, 0.5) });
        keys.set("", Key::new(2.0, 1.0));
        let line = PointSource::of_keys(keys.curve("").unwrap(), None, 0.0, 3.0).polyline();
        assert_eq!([0.0, 1.5, 1.99, 2.0, 3.0].map(|secs| line.at(secs).unwrap()), [0.5, 0.5, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn a_short_clip_repeats_during_a_long_take() {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 1.0], 1).unwrap();
        let clip = Clip::new("short".into(), vec![Track { first_target: 0, curve }]);
        let line = Polyline::held(clip_points(&clip, 0, 2.5), 2.5);
        assert_eq!([0.5, 1.5, 2.5].map(|secs| line.at(secs).unwrap()), [0.5, 0.5, 0.5]);
        assert!(clip_points(&clip, 0, 1e9).len() <= MAX_POINTS);
    }
}
