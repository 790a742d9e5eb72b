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

/// The keys of a channel whose curve is drawn.
#[derive(Debug)]
pub(crate) struct ShownCurve<'a> {
    pub channel: usize,
    /// The name that its keys are stored under.
    pub name: &'a str,
    pub keys: &'a [Key],
    /// The colour of its curve.
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
    let channels = (0..session.head.channels.len()).filter(|&channel| selection.is_shown(CurveItem::Channel(channel)));
    let curve = |channel: usize| {
        let item = CurveItem::Channel(channel);
        let name = sources.key_name(channel)?;
        let curve = session.keys().curve(name)?;
        let line = if curve.hides_below() { None } else { image.line_of(item) };
        Some(ShownCurve {
            channel,
            name,
            keys: curve.keys(),
            color: sources.color(item),
            line,
            scale: image.scale_of(item),
        })
    };
    channels.filter_map(curve).collect()
}

/// The keys that the clip of the head's file has for a channel whose curve is drawn.
#[derive(Debug)]
pub(crate) struct FileCurve<'a> {
    /// The channel.
    pub channel: usize,
    /// The colour of its curve.
    pub color: Color32,
    clip: &'a Clip,
    curve: &'a Curve,
    element: usize,
    scale: ValueScale,
    end_secs: f32,
}

/// The keys of the file in the curves that are drawn.
pub(crate) fn file_curves<'a>(
    session: &'a Session,
    image: &CurveImage,
    sources: &CurveSources,
    selection: &CurveSelection,
) -> Vec<FileCurve<'a>> {
    let channels = (0..session.head.channels.len()).filter(|&channel| selection.is_shown(CurveItem::Channel(channel)));
    let curve = |channel: usize| {
        let item = CurveItem::Channel(channel);
        let clip = &session.head.clips[sources.clip_in_effect(session, channel)?];
        let (curve, element) = clip.curve_of(*session.head.channels[channel].targets.first()?)?;
        let (color, scale) = (sources.color(item), image.scale_of(item));
        Some(FileCurve { channel, color, clip, curve, element, scale, end_secs: sources.end_secs })
    };
    channels.filter_map(curve).collect()
}

impl FileCurve<'_> {
    /// Time and height of the keys from a time to another. A clip that is shorter than the timeline repeats.
    pub(crate) fn keys_between(&self, [start, end]: [f32; 2]) -> impl Iterator<Item = [f32; 2]> {
        /// More cannot be told apart.
        const MOST: usize = 50_000;
        let (length, end) = (self.clip.duration_secs, end.min(self.end_secs));
        let passes = |secs: f32| if length > 0.0 { secs.max(0.0) / length } else { 0.0 };
        let last_pass = (passes(end).ceil() as usize).saturating_sub(1);
        let of_pass = move |pass: usize| {
            let offset = pass as f32 * length;
            let times = self.curve.times();
            let first = times.partition_point(|time| time + offset < start);
            let last = times.partition_point(|time| time + offset <= end);
            let height = |key: usize| self.scale.height(self.curve.key_value(key, self.element));
            (first..last.max(first)).map(move |key| [times[key] + offset, height(key)])
        };
        (passes(start) as usize..=last_pass).flat_map(of_pass).take(MOST)
    }

    /// Number of keys in a rectangle of the plot.
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

    /// The height at which a key is drawn.
    pub(crate) fn height(&self, key: Key) -> f32 {
        self.scale.height(self.weight(key))
    }

    /// The height of a value of 1 above that of 0.
    pub(crate) fn height_of_one(&self) -> f32 {
        self.scale.factor
    }

    /// Where a key is drawn.
    pub(crate) fn pos(&self, plot: &Plot, key: Key) -> Pos2 {
        plot.pos(key.time_secs, self.height(key))
    }

    /// The keys from a time to another.
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

/// The keys in a rectangle of the plot.
pub(crate) fn keys_in(curves: &[ShownCurve<'_>], plot: &Plot, rect: Rect) -> KeySelection {
    let secs = [rect.left(), rect.right()].map(|x| plot.secs_at(x));
    let mut found = KeySelection::default();
    for curve in curves {
        let is_in = |key: &&Key| rect.y_range().contains(plot.y(curve.height(**key)));
        found.add(curve.name, curve.keys_between(secs).iter().filter(is_in).map(|key| key.time_secs));
    }
    found
}
