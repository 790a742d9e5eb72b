//! The keys of the graph as diamonds, which are found only if a key, the selection or the visible range has changed.

use egui::{Color32, Context, Painter, Pos2, pos2};
use rayon::prelude::*;

use smirk_face::motion::KeySelection;
use smirk_session::{ClipName, Revision};

use super::diamonds::Diamonds;
use super::pick::{FileCurve, ShownCurve};
use crate::curves::drawing::Polyline;
use crate::curves::extent::{Extent, Plot};
use crate::theme;

/// Keys closer together than this, in points, are drawn as one.
const LEAST_DISTANCE: f32 = 4.0;
/// The same for keys of the file, of which there may be one a frame. The nearer they are, the smaller they are drawn,
/// so that they do not cover the curves.
const LEAST_DISTANCE_OF_FILE: f32 = 2.5;
/// The distance from the middle of a key of the file to its corners, in points: at most, and of its hole.
const REACH_OF_FILE: [f32; 2] = [4.0, 2.25];
/// Up to this many keys are drawn with an outline, and have a name for screen readers.
const MOST_IN_DETAIL: usize = 400;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MarkerStyle {
    pub edits: Revision,
    /// Which curves are drawn and how, in numbers that change with it.
    pub curves: (Vec<ClipName>, usize, bool),
    pub plot: Plot,
}

#[derive(Clone, Copy, Debug)]
struct Marker {
    channel: usize,
    time_secs: f32,
    at: Pos2,
    color: Color32,
    is_selected: bool,
    /// The distance from its middle to its corners, if it belongs to the file: it is drawn hollow, if that is not too
    /// small.
    of_file: Option<f32>,
}

#[derive(Debug, Default)]
pub(crate) struct Markers {
    from: Option<(MarkerStyle, KeySelection)>,
    /// Those of the file first.
    markers: Vec<Marker>,
    /// The index of the first that has an outline and a name for screen readers.
    first_in_detail: usize,
    diamonds: Diamonds,
    /// The range of seconds and heights of the selected keys.
    bounds: Option<Extent>,
}

impl Markers {
    /// Builds the markers again if anything that they depend on has changed.
    pub(crate) fn update(
        &mut self,
        ctx: &Context,
        style: MarkerStyle,
        selection: &KeySelection,
        curves: &[ShownCurve<'_>],
        of_file: &[FileCurve<'_>],
    ) {
        if self.from.as_ref().is_some_and(|(old, selected)| *old == style && selected == selection) {
            return;
        }
        let of_curves: Vec<Vec<Marker>> =
            curves.par_iter().map(|curve| markers_of(curve, selection, &style.plot)).collect();
        self.markers.clear();
        self.markers.extend(of_file.iter().flat_map(|curve| markers_of_file(curve, &style.plot)));
        // Selected keys are drawn over the others.
        for is_selected in [false, true] {
            let of_curves = of_curves.iter().flatten();
            self.markers.extend(of_curves.filter(|marker| marker.is_selected == is_selected).copied());
        }
        let of_file = self.markers.iter().filter(|marker| marker.of_file.is_some()).count();
        let places = [0, of_file, self.markers.len()];
        let is_few = |first: &usize| self.markers.len() - first <= MOST_IN_DETAIL;
        self.first_in_detail = places.into_iter().find(is_few).unwrap_or_default();
        self.bounds = bounds_of(selection, curves);
        self.build(ctx);
        self.from = Some((style, selection.clone()));
    }

    fn build(&mut self, ctx: &Context) {
        let diamonds = self.markers.iter().enumerate().flat_map(|(index, marker)| {
            let Marker { at, color, is_selected, of_file, .. } = *marker;
            let own = if is_selected { (5.5, theme::TEXT) } else { (4.5, color) };
            let (reach, fill) = of_file.map_or(own, |reach| (reach, color));
            let is_outlined = index >= self.first_in_detail && of_file.is_none();
            let outline = is_outlined.then_some((at, reach + 1.5, theme::BACKDROP));
            let border = is_selected.then_some((at, reach + 1.0, color));
            let hole = reach - (REACH_OF_FILE[0] - REACH_OF_FILE[1]);
            let hole = (of_file.is_some() && hole > 1.0).then_some((at, hole, theme::BACKDROP));
            [outline, border, Some((at, reach, fill)), hole].into_iter().flatten()
        });
        self.diamonds.replace(ctx, diamonds);
    }

    /// The range of seconds and heights of the selected keys.
    pub(crate) fn bounds(&self) -> Option<Extent> {
        self.bounds
    }

    /// What each key is, its channel, time and position, if there are not too many to be named.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static str, usize, f32, Pos2)> {
        self.markers[self.first_in_detail..].iter().map(|marker| {
            let kind = if marker.of_file.is_some() { "File key" } else { "Key" };
            (kind, marker.channel, marker.time_secs, marker.at)
        })
    }

    pub(crate) fn paint(&self, painter: &Painter) {
        self.diamonds.paint(painter);
    }
}

/// The visible keys of a curve. Those that would be drawn over the one before are left out, unless they are selected.
fn markers_of(curve: &ShownCurve<'_>, selection: &KeySelection, plot: &Plot) -> Vec<Marker> {
    let Plot { rect, extent } = plot;
    let secs = [rect.left() - 6.0, rect.right() + 6.0].map(|x| plot.secs_at(x));
    let secs_per_point = f64::from(extent.secs[1] - extent.secs[0]) / f64::from(rect.width());
    let mut last = pos2(f32::NEG_INFINITY, 0.0);
    let mut times = selection.times_of(curve.name).iter().copied().peekable();
    let mut markers = Vec::new();
    let mut rest = curve.keys_between(secs);
    let mut walk = curve.line.map(Polyline::walk);
    while let [key, later @ ..] = rest {
        rest = later;
        while times.next_if(|time| *time < key.time_secs).is_some() {}
        let is_selected = times.next_if_eq(&key.time_secs).is_some();
        // The height of a key that would be drawn over the one before is not needed.
        if !is_selected && plot.x(key.time_secs) - last.x < 1.0 {
            continue;
        }
        let weight = walk.as_mut().and_then(|walk| walk.at(key.time_secs)).unwrap_or(key.value);
        let at = plot.pos(key.time_secs, curve.scale.height(weight));
        if is_selected || (rect.expand(6.0).contains(at) && at.distance_sq(last) >= LEAST_DISTANCE * LEAST_DISTANCE) {
            last = at;
            let (channel, color) = (curve.channel, curve.color);
            markers.push(Marker { channel, time_secs: key.time_secs, at, color, is_selected, of_file: None });
            // Keys less than a point after this one are passed without finding their positions.
            let near_secs = f64::from(key.time_secs) + 0.99 * secs_per_point;
            let end_secs = times.peek().map_or(near_secs, |&selected| near_secs.min(f64::from(selected)));
            let near = rest.iter().take_while(|key| f64::from(key.time_secs) < end_secs).count();
            rest = &rest[near..];
        }
    }
    markers
}

/// The visible keys of the file on a curve: all of them, unless they are nearer to each other than two could be told
/// apart.
fn markers_of_file(curve: &FileCurve<'_>, plot: &Plot) -> Vec<Marker> {
    let rect = plot.rect;
    let secs = [rect.left() - 6.0, rect.right() + 6.0].map(|x| plot.secs_at(x));
    let (mut last, mut nearest) = (pos2(f32::NEG_INFINITY, 0.0), f32::INFINITY);
    let mut markers = Vec::new();
    for [time_secs, height] in curve.keys_between(secs) {
        let at = plot.pos(time_secs, height);
        let distance = at.distance(last);
        if distance >= LEAST_DISTANCE_OF_FILE && rect.expand(6.0).contains(at) {
            (last, nearest) = (at, nearest.min(distance));
            let (channel, color) = (curve.channel, curve.color);
            markers.push(Marker { channel, time_secs, at, color, is_selected: false, of_file: Some(0.0) });
        }
    }
    let reach = (0.4 * nearest).min(REACH_OF_FILE[0]);
    markers.iter_mut().for_each(|marker| marker.of_file = Some(reach));
    markers
}

fn bounds_of(selection: &KeySelection, curves: &[ShownCurve<'_>]) -> Option<Extent> {
    let mut bounds: Option<Extent> = None;
    for curve in curves {
        for &time_secs in selection.times_of(curve.name) {
            let found = curve.keys.binary_search_by(|key| key.time_secs.total_cmp(&time_secs));
            let Some(&key) = found.ok().and_then(|index| curve.keys.get(index)) else { continue };
            let height = curve.height(key);
            let all = bounds.get_or_insert(Extent { secs: [time_secs; 2], values: [height; 2] });
            all.secs = [all.secs[0].min(time_secs), all.secs[1].max(time_secs)];
            all.values = [all.values[0].min(height), all.values[1].max(height)];
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use egui::Rect;

    use super::*;
    use crate::curves::drawing::ValueScale;
    use smirk_base::random::{signed, unit};
    use smirk_face::motion::Key;

    /// The keys are those that a plain search finds, which asks for the position of every key.
    #[test]
    fn keys_that_would_be_drawn_over_others_are_passed() {
        let rect = Rect::from_min_max(pos2(13.0, 40.0), pos2(900.0, 400.0));
        for seed in 0..200 {
            let secs_per_key = 0.001 + 0.3 * unit(seed, 0).powi(3);
            let start = if seed % 3 == 0 { 86_000.0 } else { 0.0 };
            let key = |index: u64| {
                let time_secs = start + (index as f32 + 0.9 * unit(seed, 2 * index + 9)) * secs_per_key;
                Key::new(time_secs, signed(seed, 2 * index + 10) * unit(seed, 1))
            };
            let mut keys: Vec<Key> = (0..3_000).map(key).collect();
            keys.dedup_by_key(|key| key.time_secs);
            let mut selection = KeySelection::default();
            selection.add("channel", keys.iter().skip(200).step_by(97).map(|key| key.time_secs));
            let scale = ValueScale { offset: 0.0, factor: 1.0 };
            let color = Color32::WHITE;
            let curve = ShownCurve { channel: 3, name: "channel", keys: &keys, color, line: None, scale };
            let end = start + 3_000.0 * secs_per_key;
            let extent = Extent { secs: [start + 0.2 * (end - start) * unit(seed, 2), end], values: [-0.9, 0.8] };
            let plot = Plot { rect, extent };
            let secs = [rect.left() - 6.0, rect.right() + 6.0].map(|x| plot.secs_at(x));
            let mut expected = Vec::new();
            let mut last = pos2(f32::NEG_INFINITY, 0.0);
            for &key in curve.keys_between(secs) {
                let (at, is_selected) = (curve.pos(&plot, key), selection.contains("channel", key.time_secs));
                let is_near = at.x - last.x < 1.0 || at.distance_sq(last) < LEAST_DISTANCE * LEAST_DISTANCE;
                if is_selected || (rect.expand(6.0).contains(at) && !is_near) {
                    last = at;
                    expected.push((key.time_secs, is_selected));
                }
            }
            let found = markers_of(&curve, &selection, &plot);
            let found: Vec<_> = found.iter().map(|marker| (marker.time_secs, marker.is_selected)).collect();
            assert_eq!(found, expected, "{seed}");
            assert!(found.len() > 20, "{seed}: {}", found.len());
        }
    }
}
