//! The rows of the dope sheet: a summary of all keys, then per region a header and its channels.

use std::collections::{BTreeMap, BTreeSet};

use egui::{Color32, Rangef};
use rayon::prelude::*;

use crate::curves::drawing::{CurveItem, CurveSources};
use crate::theme;
use smirk_editor::session::{Revision, Session};
use smirk_face::head::Region;
use smirk_face::motion::{Key, KeySelection};

/// A diamond: all keys of a row at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The whole points from the left edge.
    pixel: i32,
    /// The time of the keys.
    pub time_secs: f32,
    /// Whether all of them are selected. Of the keys that a channel has on one pixel, the first counts.
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
pub(in crate::curves) struct Rows {
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
        let all: Vec<usize> = regions.values().flatten().copied().collect();
        let (head, keys) = (&session.head, &session.edits.keys);
        let of_channels = all.par_iter().map(|&channel| {
            let name = sources.key_name(channel).unwrap_or_default();
            Row {
                label: head.channels[channel].name.clone(),
                is_summary: false,
                color: sources.color(CurveItem::Channel(channel)),
                names: vec![name.to_owned()],
                marks: marks(keys.of(name), selection.times_of(name), secs, width),
            }
        });
        let mut of_channels: Vec<Row> = of_channels.collect();
        let summary = |label: String, rows: &[Row]| Row {
            label,
            is_summary: true,
            color: theme::TEXT_WEAK,
            names: rows.iter().flat_map(|row| row.names.clone()).collect(),
            marks: united(rows.iter().flat_map(|row| &row.marks)),
        };
        self.rows = vec![summary("All keys".into(), &of_channels)];
        for (region, channels) in &regions {
            let later = of_channels.split_off(channels.len());
            self.rows.push(summary(region.to_string(), &of_channels));
            self.rows.append(&mut of_channels);
            of_channels = later;
        }
        let source = (session.edits.revision(), selected_rows.clone(), secs, width);
        self.from = Some((source, selection.clone()));
    }

    /// The rows, the summary first.
    pub(super) fn list(&self) -> &[Row] {
        &self.rows
    }
}

/// The diamonds of a channel in the visible seconds: the first key on each pixel. `selected` are times in order.
fn marks(keys: &[Key], selected: &[f32], secs: [f32; 2], width: Rangef) -> Vec<Mark> {
    let per_sec = width.span() / (secs[1] - secs[0]);
    let mut marks: Vec<Mark> = Vec::new();
    for key in Key::between(keys, secs) {
        let pixel = ((key.time_secs - secs[0]) * per_sec) as i32;
        if marks.last().is_none_or(|mark| mark.pixel != pixel) {
            let is_selected = selected.binary_search_by(|time| time.total_cmp(&key.time_secs)).is_ok();
            marks.push(Mark { pixel, time_secs: key.time_secs, is_selected });
        }
    }
    marks
}

/// The diamonds of several rows as one row. Of those on one pixel, the earliest.
fn united<'a>(marks: impl Iterator<Item = &'a Mark>) -> Vec<Mark> {
    let mut by_pixel: Vec<Option<Mark>> = Vec::new();
    for &mark in marks {
        let index = mark.pixel.max(0) as usize;
        if index >= by_pixel.len() {
            by_pixel.resize(index + 1, None);
        }
        let united = by_pixel[index].get_or_insert(mark);
        united.is_selected &= mark.is_selected;
        united.time_secs = united.time_secs.min(mark.time_secs);
    }
    by_pixel.into_iter().flatten().collect()
}

/// All keys of a row from a time to another.
pub(super) fn keys_between(session: &Session, row: &Row, secs: [f32; 2]) -> KeySelection {
    let mut found = KeySelection::default();
    for name in &row.names {
        found.add(name, Key::between(session.edits.keys.of(name), secs).iter().map(|key| key.time_secs));
    }
    found
}
