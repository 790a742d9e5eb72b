//! The keys whose curves are drawn, and which of them are at a point or in a rectangle.

use egui::{Color32, Pos2, Rect};

use smirk_face::head::{Clip, Curve};
use smirk_face::motion::{Key, KeySelection};
use smirk_session::Session;

use crate::curve_selection::{CurveItem, CurveSelection};
use crate::curves::drawing::{CurveImage, CurveSources, Polyline, ValueScale};
use crate::curves::extent::Plot;

/// The largest distance, in points, at which the pointer touches a key.
pub(crate) const REACH: f32 = 8.0;

#[derive(Debug)]
pub(crate) struct ShownCurve<'a> {
    pub channel: usize,
    pub name: &'a str,
    pub keys: &'a [Key],
    pub color: Color32,
    /// The curve, if its weights at the keys are not the values of these.
    pub(super) line: Option<&'a Polyline>,
    pub(super) scale: ValueScale,
}

/// The keys of the channels that are drawn: those of the selected rows, or of all if none is selected.
pub(crate) fn shown_curves<'a>(
    session: &'a Session,
    image: &'a CurveImage,
    sources: &'a CurveSources,
    selection: &CurveSelection,
) -> Vec<ShownCurve<'a>> {
    let curves = shown_channels(session, selection).filter_map(|(channel, item)| {
        let name = sources.key_name(channel)?;
        let curve = session.keys().curve(name)?;
        let line = if curve.hides_below() { None } else { image.line_of(item) };
        let (color, scale) = (sources.color(item), image.scale_of(item));
        Some(ShownCurve { channel, name, keys: curve.keys(), color, line, scale })
    });
    curves.collect()
}

fn shown_channels(session: &Session, selection: &CurveSelection) -> impl Iterator<Item = (usize, CurveItem)> {
    let channels = (0..session.head.channels.len()).map(|channel| (channel, CurveItem::Channel(channel)));
    channels.filter(|&(_, item)| selection.is_shown(item))
}

/// The keys that the clip of the head's file has for a channel whose curve is drawn.
#[derive(Debug)]
pub(crate) struct FileCurve<'a> {
    pub channel: usize,
    pub color: Color32,
    clip: &'a Clip,
    curve: &'a Curve,
    element: usize,
    scale: ValueScale,
    end_secs: f32,
}

pub(crate) fn file_curves<'a>(
    session: &'a Session,
    image: &CurveImage,
    sources: &CurveSources,
    selection: &CurveSelection,
) -> Vec<FileCurve<'a>> {
    let curves = shown_channels(session, selection).filter_map(|(channel, item)| {
        let clip = &session.head.clips[sources.clip_in_effect(session, channel)?];
        let (curve, element) = clip.curve_of(*session.head.channels[channel].targets.first()?)?;
        let (color, scale) = (sources.color(item), image.scale_of(item));
        Some(FileCurve { channel, color, clip, curve, element, scale, end_secs: sources.end_secs })
    });
    curves.collect()
}

impl FileCurve<'_> {
    /// Time and height of the keys from a time to another. A clip that is shorter than the timeline repeats.
    pub(crate) fn keys_between(&self, [start, end]: [f32; 2]) -> impl Iterator<Item = [f32; 2]> {
        /// More cannot be told apart.
        const MOST: usize = 50_000;
        let (length, end) = (self.clip.duration_secs, end.min(self.end_secs));
        let [first, last] = [start, end].map(|secs| if length > 0.0 { secs.max(0.0) / length } else { 0.0 });
        let passes = first as usize..=(last.ceil() as usize).saturating_sub(1);
        let keys = passes.flat_map(move |pass| {
            let offset = pass as f32 * length;
            let times = self.curve.times();
            let first = times.partition_point(|time| time + offset < start);
            let last = times.partition_point(|time| time + offset <= end);
            (first..last.max(first))
                .map(move |key| [times[key] + offset, self.scale.height(self.curve.key_value(key, self.element))])
        });
        keys.take(MOST)
    }

    pub(crate) fn count_in(&self, plot: &Plot, rect: Rect) -> usize {
        let secs = [rect.left(), rect.right()].map(|x| plot.secs_at(x));
        self.keys_between(secs).filter(|[_, height]| rect.y_range().contains(plot.y(*height))).count()
    }
}

impl ShownCurve<'_> {
    /// The weight at a key: its value, or its sum with what is below.
    pub(crate) fn weight(&self, key: Key) -> f32 {
        self.line.and_then(|line| line.at(key.time_secs)).unwrap_or(key.value)
    }

    pub(crate) fn height(&self, key: Key) -> f32 {
        self.scale.height(self.weight(key))
    }

    pub(crate) fn height_of_one(&self) -> f32 {
        self.scale.factor
    }

    pub(crate) fn pos(&self, plot: &Plot, key: Key) -> Pos2 {
        plot.pos(key.time_secs, self.height(key))
    }

    pub(crate) fn keys_between(&self, secs: [f32; 2]) -> &[Key] {
        Key::between(self.keys, secs)
    }
}

/// The key nearest to a point, if one is near enough: the index of its curve, and the key.
pub(crate) fn key_at(curves: &[ShownCurve<'_>], plot: &Plot, point: Pos2) -> Option<(usize, Key)> {
    let secs = [point.x - REACH, point.x + REACH].map(|x| plot.secs_at(x));
    let near = curves.iter().enumerate().flat_map(|(index, curve)| {
        curve.keys_between(secs).iter().map(move |&key| (index, key, curve.pos(plot, key).distance(point)))
    });
    let nearest = near.min_by(|a, b| a.2.total_cmp(&b.2)).filter(|(_, _, distance)| *distance <= REACH);
    nearest.map(|(index, key, _)| (index, key))
}

pub(crate) fn keys_in(curves: &[ShownCurve<'_>], plot: &Plot, rect: Rect) -> KeySelection {
    let secs = [rect.left(), rect.right()].map(|x| plot.secs_at(x));
    let mut found = KeySelection::default();
    for curve in curves {
        let keys = curve.keys_between(secs).iter();
        let keys = keys.filter(|key| rect.y_range().contains(plot.y(curve.height(**key))));
        found.add(curve.name, keys.map(|key| key.time_secs));
    }
    found
}
