//! The points of a curve. They are kept from frame to frame, and only those are computed again that a change of the
//! source may have moved.

use super::polyline::{ALWAYS, Polyline, Window, united};
use super::source::{MappedColumn, Origin, PointSource};
use smirk_face::head::{Clip, Curve, Interpolation};
use smirk_face::motion::{ColumnMix, Extrapolation, KeyCurve, Tangents};

#[derive(Clone, Debug)]
pub(super) struct CurvePoints {
    source: PointSource,
    /// The points of the sources that these depend on: of what is below keys, or of both sides of a difference.
    needed: [Option<Box<Self>>; 2],
    line: Polyline,
}

impl CurvePoints {
    pub(super) fn compute(source: PointSource) -> Self {
        let needed = source.needed().map(|needed| needed.map(|needed| Box::new(Self::compute(needed.clone()))));
        let mut points = Self { source, needed, line: Polyline::default() };
        points.compute_within(ALWAYS);
        points
    }

    pub(super) fn source(&self) -> &PointSource {
        &self.source
    }

    pub(super) fn line(&self) -> &Polyline {
        &self.line
    }

    /// Replaces the source, and computes the points that may have changed. Returns the window that they are in; `None`
    /// if there are none.
    pub(super) fn update(&mut self, source: PointSource) -> Option<Window> {
        if source == self.source {
            return None;
        }
        let both = self.needed.iter_mut().zip(source.needed());
        let of_needed = both.filter_map(|both| match both {
            (None, None) => None,
            (Some(points), Some(needed)) => points.update(needed.clone()),
            (points, needed) => {
                *points = needed.map(|needed| Box::new(Self::compute(needed.clone())));
                Some(ALWAYS)
            }
        });
        let of_needed = of_needed.reduce(united);
        let own = source.differs_within(&self.source);
        self.source = source;
        own.into_iter().chain(of_needed).reduce(united).map(|window| self.compute_within(window))
    }

    fn compute_within(&mut self, window: Window) -> Window {
        let needed = self.needed.each_ref().map(|points| points.as_ref().map(|points| &points.line));
        let points = self.source.points_within(window, needed);
        self.line.replace(window, points, self.source.end_secs)
    }
}

impl PointSource {
    /// The points in a window; none if the head no longer exists. `needed` are the points of [`Self::needed`].
    fn points_within(&self, window: Window, needed: [Option<&Polyline>; 2]) -> Vec<[f32; 2]> {
        let mut points = match &self.from {
            Origin::Clip { of_head } => of_head.upgrade().and_then(|(head, &[clip, channel])| {
                let target = *head.channels[channel].targets.first()?;
                Some(clip_points(&head.clips[clip], target, self.end_secs))
            }),
            Origin::Take { columns, mix } => Some(take_points(columns, mix)),
            Origin::Keys { curve, rest, .. } => Some(key_points(curve, needed[0], *rest, window)),
            Origin::Difference { rest, .. } => {
                let none = Polyline::default();
                let [a, b] = needed.map(|line| line.unwrap_or(&none));
                Some(a.minus(b, *rest, window))
            }
        }
        .unwrap_or_default();
        points.retain(|&[secs, value]| is_within(window, secs) && value.is_finite());
        points
    }
}

fn is_within([start, end]: Window, secs: f32) -> bool {
    start < secs && secs < end
}

const FINE_SECS: f32 = 1.0 / 60.0;
const MAX_PIECES: usize = 32;
/// The largest number of points of a short clip that repeats during a long take.
const MAX_POINTS: usize = 200_000;

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
    let starts = (0..passes).map(|pass| pass as f32 * clip.duration_secs);
    starts.flat_map(|start| once.iter().map(move |&[secs, value]| [start + secs, value])).collect()
}

fn is_step(curve: &Curve) -> bool {
    curve.interpolation() == Interpolation::Step
}

fn take_points(columns: &[MappedColumn], mix: &ColumnMix) -> Vec<[f32; 2]> {
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
    if let ([column], false, true) = (columns, curved || steps, mix.is_column()) {
        // Most captures have a single unsmoothed column: its keys can be read in order, without a search for each time.
        let points = column.curve.times().iter().enumerate();
        let points = points.map(|(key, &secs)| [secs, column.map.shape(column.curve.key_value(key, column.element))]);
        return points.collect();
    }
    sampled(&times, curved, steps, |secs| {
        mix.value(|column| {
            let column = columns.get(column);
            column.map_or(0.0, |of| of.map.value_of_curve(&of.curve, of.element, secs))
        })
    })
}

/// The weights of a channel with keys, at least those in a window.
fn key_points(curve: &KeyCurve, below: Option<&Polyline>, rest: f32, window: Window) -> Vec<[f32; 2]> {
    let own = own_points(curve, window);
    let (Some(first), Some(last)) = (curve.keys().first(), curve.keys().last()) else { return own };
    if curve.hides_below() {
        return own;
    }
    let mut walk = below.map(Polyline::walk);
    let mut weight = |secs: f32, value: f32| {
        let below = walk.as_mut().and_then(|walk| walk.at(secs)).unwrap_or(rest);
        [secs, curve.combined(value, curve.influence_at(secs), below)]
    };
    let (first, last) = (first.time_secs, last.time_secs);
    let before = fade_secs(curve.before).into_iter().flat_map(|secs| ramp((first - secs).max(0.0), first));
    let after = fade_secs(curve.after).into_iter().flat_map(|secs| ramp(last, last + secs));
    let mut times: Vec<f32> = below.into_iter().flat_map(|line| line.times_within(window)).collect();
    times.extend(before.chain(after).filter(|&secs| is_within(window, secs)));
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
    points
}

fn fade_secs(extrapolation: Extrapolation) -> Option<f32> {
    match extrapolation {
        Extrapolation::Fade(secs) => Some(secs),
        Extrapolation::Hold => None,
    }
}

/// Times from one to another, close enough for a fade.
fn ramp(from: f32, to: f32) -> impl Iterator<Item = f32> {
    (0..=MAX_PIECES).map(move |piece| from + (to - from) * piece as f32 / MAX_PIECES as f32)
}

/// The points of a curve of keys alone, from its first to its last key, at least those in a window. They are computed
/// segment by segment, without a search for each time.
fn own_points(curve: &KeyCurve, [start, end]: Window) -> Vec<[f32; 2]> {
    let keys = curve.keys();
    let first = keys.partition_point(|key| key.time_secs <= start).saturating_sub(1);
    let last = keys.partition_point(|key| key.time_secs < end);
    let mut points = Vec::with_capacity(last - first.min(last));
    for (index, key) in keys.iter().enumerate().take(last).skip(first) {
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
    points
}

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
    points
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use smirk_face::head::{Asset, Head, Mesh, Target, Track};
    use smirk_face::motion::{Key, KeyMode, Keys};

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
        let line = CurvePoints::compute(PointSource::of_keys(keys.curve("").unwrap(), Some(below), 0.0, 8.0)).line;
        for (secs, expected) in [(0.0, 0.25), (1.0, 0.35), (2.0, 0.45), (4.0, 0.15), (5.0, 0.5), (8.0, 0.8)] {
            assert!((line.at(secs).unwrap() - expected).abs() < 1e-5, "{secs}: {:?}", line.at(secs));
        }
        let mut keys = Keys::default();
        keys.set("", Key { tangents: Tangents::Step, ..Key::new(1.0, 0.5) });
        keys.set("", Key::new(2.0, 1.0));
        let line = CurvePoints::compute(PointSource::of_keys(keys.curve("").unwrap(), None, 0.0, 3.0)).line;
        assert_eq!([0.0, 1.5, 1.99, 2.0, 3.0].map(|secs| line.at(secs).unwrap()), [0.5, 0.5, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn a_short_clip_repeats_during_a_long_take() {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 1.0], 1).unwrap();
        let clip = Clip::new("short".into(), vec![Track { first_target: 0, curve }]);
        let mut line = Polyline::default();
        line.replace(ALWAYS, clip_points(&clip, 0, 2.5), 2.5);
        assert_eq!([0.5, 1.5, 2.5].map(|secs| line.at(secs).unwrap()), [0.5, 0.5, 0.5]);
        assert!(clip_points(&clip, 0, 1e9).len() <= MAX_POINTS);
    }
}
