//! The list of curves: for each channel those of its clip, its take, the compared take and its keys; for each column of
//! the take its mapped values.

use std::collections::BTreeMap;

use egui::Color32;

use smirk_face::head::{PairKind, canonical_name};
use smirk_face::motion::{ColumnMix, DrivenChannel, Key, KeyCurve, Take};
use smirk_session::{Session, TakeEntry};

use super::source::PointSource;
use crate::curve_selection::{CurveItem, CurveSelection};
use crate::theme;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineStyle {
    Solid,
    /// Another curve overrides this one or adds to it.
    Faint,
    Dashed,
    /// The recording under a curve that edits of the take, or keys, have changed.
    Ghost,
    /// The curve less that of what it is compared with, filled from zero.
    Difference,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlotCurve {
    pub item: CurveItem,
    pub style: LineStyle,
    pub color: Color32,
    pub source: PointSource,
}

#[derive(Clone, Debug, Default)]
struct ChannelSources {
    /// The last of the clips that drive it: the one in effect.
    clip: Option<usize>,
    take: Option<ColumnMix>,
    compared: Option<ColumnMix>,
    /// The channel name that the keys are stored under, if there are any.
    keys: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct CurveSources {
    channels: Vec<ChannelSources>,
    colors: Vec<Color32>,
    column_colors: Vec<Color32>,
    /// What each item differs by from what it is compared with; empty unless [`Self::compare`] was called.
    pub(super) differences: BTreeMap<CurveItem, PointSource>,
    pub end_secs: f32,
}

pub(crate) fn sources(session: &Session) -> CurveSources {
    let head = &session.head;
    let mut channels = vec![ChannelSources::default(); head.channels.len()];
    for (index, clip) in head.clips.iter().enumerate().filter(|(index, _)| session.plays_clip(*index)) {
        clip.driven_channels().for_each(|channel| channels[channel].clip = Some(index));
    }
    if let Some(entry) = session.take() {
        entry.map.driven(head).into_iter().for_each(|(channel, mix)| channels[channel].take = Some(mix));
    }
    let compared = session.edits.compared_take.and_then(|id| session.edits.take_entry(id));
    if let Some(entry) = compared {
        entry.map.driven(head).into_iter().for_each(|(channel, mix)| channels[channel].compared = Some(mix));
    }
    for name in session.keys().channels() {
        for channel in head.channel_alike(name) {
            channels[channel].keys = Some(name.to_owned());
        }
    }
    let colors = channel_colors(session);
    let compared_secs = compared.map_or(0.0, |entry| entry.edited().duration_secs);
    CurveSources {
        column_colors: column_colors(session, &colors),
        colors,
        channels,
        differences: BTreeMap::new(),
        end_secs: session.timeline_secs().max(compared_secs),
    }
}

/// The colour of each channel. Left and right of a pair share a hue.
fn channel_colors(session: &Session) -> Vec<Color32> {
    let head = &session.head;
    let mut colors = vec![Color32::WHITE; head.channels.len()];
    for (row, pair) in head.pairs.iter().enumerate() {
        colors[pair.first] = theme::curve_color(row, false);
        if let Some(second) = pair.second {
            let shares_hue = pair.kind != PairKind::Neighbours;
            colors[second] = theme::curve_color(if shares_hue { row } else { row + head.pairs.len() }, shares_hue);
        }
    }
    colors
}

/// The colour of each column of the take that plays: that of the only channel that it drives, or one of its own.
fn column_colors(session: &Session, colors: &[Color32]) -> Vec<Color32> {
    let Some(entry) = session.take() else { return Vec::new() };
    let columns = (0..entry.take.columns.len()).map(|column| {
        let channel = match entry.map.columns.get(column).map(|map| map.channels.as_slice()) {
            Some([DrivenChannel { channel, .. }]) => session.head.channel_named(channel),
            _ => None,
        };
        channel.map_or_else(|| theme::curve_color(column + session.head.pairs.len(), false), |channel| colors[channel])
    });
    columns.collect()
}

impl CurveSources {
    pub(crate) fn take_columns(&self, channel: usize) -> &[usize] {
        self.channels.get(channel).and_then(|of| of.take.as_ref()).map_or(&[], ColumnMix::columns)
    }

    /// The clip whose curve of a channel is drawn: that in effect, unless a take or keys hide it.
    pub(crate) fn clip_in_effect(&self, session: &Session, channel: usize) -> Option<usize> {
        let of = self.channels.get(channel)?;
        let is_hidden = of.take.is_some() || self.key_curve(session, channel).is_some_and(KeyCurve::hides_below);
        of.clip.filter(|_| !is_hidden)
    }

    pub(crate) fn color(&self, item: CurveItem) -> Color32 {
        let color = match item {
            CurveItem::Channel(channel) => self.colors.get(channel),
            CurveItem::Column(column) => self.column_colors.get(column),
        };
        color.copied().unwrap_or(theme::TEXT)
    }

    pub(crate) fn key_curve<'a>(&self, session: &'a Session, channel: usize) -> Option<&'a KeyCurve> {
        session.keys().curve(self.key_name(channel)?)
    }

    pub(crate) fn keys<'a>(&self, session: &'a Session, channel: usize) -> &'a [Key] {
        self.key_curve(session, channel).map_or(&[], KeyCurve::keys)
    }

    pub(crate) fn key_name(&self, channel: usize) -> Option<&str> {
        self.channels.get(channel)?.keys.as_deref()
    }

    /// All items of a list: the animated channels, or the columns of the take.
    pub(crate) fn items(&self, session: &Session, columns: bool) -> Vec<CurveItem> {
        if columns {
            let count = session.take().map_or(0, |entry| entry.take.columns.len());
            return (0..count).map(CurveItem::Column).collect();
        }
        let channels = self.channels.iter().enumerate().map(|(channel, of)| (CurveItem::Channel(channel), of));
        let listed = channels.filter(|(item, of)| {
            let moves = of.clip.is_some() || of.keys.is_some() || of.take.is_some() || of.compared.is_some();
            moves || self.differences.contains_key(item)
        });
        listed.map(|(item, _)| item).collect()
    }

    /// The curves of the selected items, or of all if none is selected. Solid curves come last, so that they are drawn
    /// over the others.
    pub(crate) fn curves(&self, session: &Session, selection: &CurveSelection) -> Vec<PlotCurve> {
        let (items, selected) = (self.items(session, selection.lists_columns), &selection.items);
        let any_selected = items.iter().any(|item| selected.contains(item));
        let shown = items.into_iter().filter(|item| !any_selected || selected.contains(item));
        let mut curves: Vec<PlotCurve> = shown.flat_map(|item| self.curves_of(session, item, any_selected)).collect();
        curves.sort_by_key(|curve| curve.style == LineStyle::Solid);
        curves
    }

    /// The curves of an item. What an artist has edited is always shown under the result; a clip that a take overrides
    /// is shown only `with_overridden`.
    pub(super) fn curves_of(&self, session: &Session, item: CurveItem, with_overridden: bool) -> Vec<PlotCurve> {
        let end_secs = self.end_secs;
        let playing = session.take();
        let compared = session.edits.compared_take.and_then(|id| session.edits.take_entry(id));
        let mut curves = Vec::new();
        let color = self.color(item);
        let mut add = |style, source| curves.push(PlotCurve { item, style, color, source });
        if let Some(difference) = self.differences.get(&item) {
            add(LineStyle::Difference, difference.clone());
        }
        let of_take =
            |entry: &TakeEntry, mix: &ColumnMix| PointSource::of_take(&entry.edited(), &entry.map, mix, end_secs);
        let of_recording = |entry: &TakeEntry, mix: &ColumnMix| {
            let is_edited = mix.all_columns().any(|column| is_edited(&entry.take, &entry.edited(), column));
            is_edited.then(|| PointSource::of_take(&entry.take, &entry.map, mix, end_secs))
        };
        match item {
            CurveItem::Column(column) => {
                let Some(entry) = playing else { return curves };
                let name = entry.take.columns.get(column).map(|column| canonical_name(&column.name));
                let alike = compared.and_then(|other| {
                    let mut columns = other.take.columns.iter();
                    Some((other, columns.position(|column| Some(canonical_name(&column.name)) == name)?))
                });
                if let Some((other, column)) = alike {
                    add(LineStyle::Dashed, of_take(other, &ColumnMix::by_column(column)));
                }
                of_recording(entry, &ColumnMix::by_column(column))
                    .into_iter()
                    .for_each(|source| add(LineStyle::Ghost, source));
                add(LineStyle::Solid, of_take(entry, &ColumnMix::by_column(column)));
            }
            CurveItem::Channel(channel) => {
                let of = &self.channels[channel];
                let keys = self.key_curve(session, channel);
                if let (Some(entry), Some(mix)) = (compared, &of.compared) {
                    add(LineStyle::Dashed, of_take(entry, mix));
                }
                let mut below = None;
                if let Some(clip) = of.clip {
                    let source = PointSource::of_clip(&session.head, clip, channel, end_secs);
                    below = Some(source.clone());
                    match (of.take.is_none(), keys) {
                        (true, None) => add(LineStyle::Solid, source),
                        (true, Some(_)) => add(LineStyle::Faint, source),
                        (false, _) if with_overridden => add(LineStyle::Faint, source),
                        (false, _) => {}
                    }
                }
                if let (Some(entry), Some(mix)) = (playing, &of.take) {
                    let recording = of_recording(entry, mix);
                    let source = of_take(entry, mix);
                    below = Some(source.clone());
                    let style = match (keys, &recording) {
                        (None, _) => LineStyle::Solid,
                        (Some(_), None) => LineStyle::Ghost,
                        (Some(_), Some(_)) => LineStyle::Faint,
                    };
                    recording.into_iter().for_each(|source| add(LineStyle::Ghost, source));
                    add(style, source);
                }
                if let Some(curve) = keys {
                    let rest = session.channel_default(channel);
                    add(LineStyle::Solid, PointSource::of_keys(curve, below, rest, end_secs));
                }
            }
        }
        curves
    }
}

fn is_edited(recording: &Take, edited: &Take, column: usize) -> bool {
    match (recording.curve_of(column), edited.curve_of(column)) {
        (Some((curve, element)), Some((other, other_element))) => !curve.is_copy_of(other) || element != other_element,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use smirk_face::head::{Asset, Clip, Curve, Head, Interpolation, Mesh, Track};
    use smirk_face::motion::{EditKind, KeyMode, TakeEdit};
    use smirk_scene::{BlendMode, Look};
    use smirk_session::HeadSource;

    /// A session with a take on two channels, the first of which a clip drives too.
    fn session() -> Session {
        let names = ["jawOpen", "mouthFunnel"];
        let mesh = Mesh::with_targets(names);
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], vec![0.0, 1.0], 1).unwrap();
        let clips = vec![Clip::new("clip".into(), vec![Track { first_target: 0, curve }])];
        let head = Head::new(Asset { name: "test".into(), meshes: vec![mesh], clips, ..Asset::default() });
        let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], vec![0.0, 1.0, 0.5, 0.5], 2).unwrap();
        session.takes_mut().add(vec![Take { name: "take".into(), ..Take::of_curve(names, curve) }]);
        session
    }

    fn curves(session: &Session, columns: bool) -> Vec<PlotCurve> {
        sources(session).curves(session, &CurveSelection { lists_columns: columns, ..CurveSelection::default() })
    }

    #[test]
    fn the_recording_is_drawn_under_the_curves_that_edits_change() {
        let mut session = session();
        assert!(curves(&session, true).iter().all(|curve| curve.style == LineStyle::Solid));
        let before = curves(&session, true);
        let edit = TakeEdit { kind: EditKind::Gain(2.0), columns: Some(vec!["jawOpen".into()]), ..TakeEdit::default() };
        let id = session.edits.takes[0].id;
        session.takes_mut().change_edits(id, |edits| edits.push(edit));
        for columns in [true, false] {
            let drawn = curves(&session, columns);
            let styles: Vec<_> = drawn.iter().map(|curve| (curve.item, curve.style)).collect();
            let item = if columns { CurveItem::Column } else { CurveItem::Channel };
            let expected = [(item(0), LineStyle::Ghost), (item(0), LineStyle::Solid), (item(1), LineStyle::Solid)];
            assert_eq!(styles, expected);
            assert_eq!(drawn[0].source, before[0].source, "the ghost is the recording");
            assert!(drawn[1].source != before[0].source && drawn[2].source == before[1].source);
        }
    }

    #[test]
    fn what_keys_change_is_drawn_under_them_whether_they_replace_it_or_add_to_it() {
        let styles = |session: &Session, selected: &[CurveItem]| -> Vec<LineStyle> {
            let items = selected.iter().copied().collect();
            let curves = sources(session).curves(session, &CurveSelection { items, ..CurveSelection::default() });
            curves.iter().filter(|curve| curve.item == CurveItem::Channel(0)).map(|curve| curve.style).collect()
        };
        let (all, first) = (&[][..], &[CurveItem::Channel(0)][..]);
        let mut session = session();
        let unkeyed = curves(&session, false);
        assert_eq!(styles(&session, all), [LineStyle::Solid]);
        assert_eq!(styles(&session, first), [LineStyle::Faint, LineStyle::Solid], "the clip that the take overrides");
        session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(1.0, 0.5)));
        for &mode in KeyMode::ALL {
            session.keys_mut().edit(|keys| keys.edit_curve("jawOpen", |curve| curve.mode = mode));
            assert_eq!(styles(&session, all), [LineStyle::Ghost, LineStyle::Solid], "{mode:?}");
            assert_eq!(curves(&session, false)[0].source, unkeyed[0].source, "the ghost is the recording");
        }
        let id = session.edits.takes[0].id;
        let edit = TakeEdit { kind: EditKind::Gain(2.0), ..TakeEdit::default() };
        session.takes_mut().change_edits(id, |edits| edits.push(edit));
        assert_eq!(
            styles(&session, all),
            [LineStyle::Ghost, LineStyle::Faint, LineStyle::Solid],
            "and the edited take"
        );
        session.takes_mut().select(None);
        assert_eq!(styles(&session, all), [LineStyle::Solid], "the keys belong to the take");
        session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(1.0, 0.5)));
        assert_eq!(styles(&session, all), [LineStyle::Faint, LineStyle::Solid], "the clip");
    }
}
