//! The rows of the dope sheet: a summary of all keys, then per region a header and its channels.

use std::collections::{BTreeMap, BTreeSet};

use egui::{Color32, Rangef};

use crate::head::Region;
use crate::motion::{Key, KeySelection};
use crate::session::{Revision, Session};
use crate::ui::curves::drawing::{CurveItem, CurveSources};
use crate::ui::theme;

/// A diamond: all keys of a row at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The time of the keys.
    pub time_secs: f32,
    /// Whether all of them are selected.
    pub is_selected: bool,
}

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Its name on the screen.
    pub label: String,
    /// Whether it stands for several channels.
    pub is_summary: bool,
    /// The colour of its diamonds.
    pub color: Color32,
    /// The channel names that its keys are stored under.
    pub names: Vec<String>,
    /// Its visible diamonds. Of those on one pixel, the first.
    pub marks: Vec<Mark>,
}

/// What the rows depend on: the edits, the rows of the list that are selected, the visible seconds and their width.
type Source = (Revision, BTreeSet<CurveItem>, [f32; 2], Rangef);

/// All rows, which are found again only if a key, the selection or the visible range has changed.
#[derive(Debug, Default)]
pub(in crate::ui::curves) struct Rows {
    from: Option<(Source, KeySelection)>,
    rows: Vec<Row>,
}

impl Rows {
    /// Finds the rows, if anything that they depend on has changed.
    pub(super) fn update(
        &mut self,
        session: &Session,
        sources: &CurveSources,
        selected_rows: &BTreeSet<CurveItem>,
        is_shown: impl Fn(CurveItem) -> bool,
        selection: &KeySelection,
        (secs, width): ([f32; 2], Rangef),
    ) {
        let is_same = self.from.as_ref().is_some_and(|((edits, rows, old_secs, old_width), selected)| {
            *edits == session.edits.revision()
                && (rows, *old_secs, *old_width) == (selected_rows, secs, width)
                && selected == selection
        });
        if is_same {
            return;
        }
        let mut regions: BTreeMap<Region, Vec<usize>> = BTreeMap::new();
        for pair in &session.head.pairs {
            let channels = [Some(pair.first), pair.second].into_iter().flatten();
            let has_row =
                |channel: &usize| is_shown(CurveItem::Channel(*channel)) && sources.key_name(*channel).is_some();
            regions.entry(pair.region).or_default().extend(channels.filter(has_row));
        }
        regions.retain(|_, channels| !channels.is_empty());
        let row = |label: String, is_summary: bool, channels: &[usize]| {
            let names: Vec<String> =
                channels.iter().filter_map(|&channel| sources.key_name(channel)).map(str::to_owned).collect();
            let color = match channels {
                [channel] if !is_summary => sources.color(CurveItem::Channel(*channel)),
                _ => theme::TEXT_WEAK,
            };
            let marks = marks(session, &names, selection, secs, width);
            Row { label, is_summary, color, names, marks }
        };
        let all: Vec<usize> = regions.values().flatten().copied().collect();
        self.rows = vec![row("All keys".into(), true, &all)];
        for (region, channels) in &regions {
            self.rows.push(row(region.to_string(), true, channels));
            let names = channels.iter().map(|&channel| (channel, session.head.channels[channel].name.clone()));
            self.rows.extend(names.map(|(channel, name)| row(name, false, &[channel])));
        }
        let source = (session.edits.revision(), selected_rows.clone(), secs, width);
        self.from = Some((source, selection.clone()));
    }

    /// The rows, the summary first.
    pub(super) fn list(&self) -> &[Row] {
        &self.rows
    }
}

/// The diamonds of some channels in the visible seconds.
fn marks(session: &Session, names: &[String], selection: &KeySelection, secs: [f32; 2], width: Rangef) -> Vec<Mark> {
    let per_sec = width.span() / (secs[1] - secs[0]);
    let mut by_pixel: BTreeMap<i32, Mark> = BTreeMap::new();
    for name in names {
        let keys = session.edits.keys.of(name);
        let first = keys.partition_point(|key| key.time_secs < secs[0]);
        let last = keys.partition_point(|key| key.time_secs <= secs[1]);
        let mut pixel_before = None;
        for key in &keys[first..last.max(first)] {
            let pixel = ((key.time_secs - secs[0]) * per_sec) as i32;
            let is_selected = !selection.is_empty() && selection.contains(name, key.time_secs);
            // Of many keys on one pixel, only selected ones have to be looked up again.
            if pixel_before == Some(pixel) && !is_selected {
                continue;
            }
            pixel_before = Some(pixel);
            let mark = by_pixel.entry(pixel).or_insert(Mark { time_secs: key.time_secs, is_selected });
            mark.is_selected &= is_selected;
        }
    }
    by_pixel.into_values().collect()
}

/// All keys of a row from a time to another.
pub(super) fn keys_between(session: &Session, row: &Row, [start, end]: [f32; 2]) -> KeySelection {
    let mut found = KeySelection::default();
    for name in &row.names {
        let is_in = |key: &&Key| (start..=end).contains(&key.time_secs);
        found.add(name, session.edits.keys.of(name).iter().filter(is_in).map(|key| key.time_secs));
    }
    found
}
