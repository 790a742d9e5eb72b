//! The state of the curves panel: what is listed, what is selected, and which range is visible.

use std::collections::BTreeSet;

use super::dope_sheet::Rows;
use super::drawing::{CurveImage, CurveItem, CurveSources};
use super::keys::KeyEditing;
use super::lanes::MarkerLane;
use smirk_editor::session::{Session, TakeId};

/// The state of the curves panel.
#[derive(Debug, Default)]
pub struct CurvesState {
    pub(super) search: String,
    /// Whether the columns of the take are listed instead of the head's channels.
    pub(super) lists_columns: bool,
    /// Items whose curves are drawn; all are if none is selected.
    pub(super) selected: BTreeSet<CurveItem>,
    /// Start of a selection with Shift.
    pub(super) anchor: Option<CurveItem>,
    /// The item under the pointer, in the list or the plot. Its curve is drawn bold.
    pub(super) hovered: Option<CurveItem>,
    /// The visible seconds; `None` for the whole timeline.
    pub(super) visible_secs: Option<[f32; 2]>,
    /// The visible values; `None` for the range of all curves.
    pub(super) visible_values: Option<[f32; 2]>,
    pub(super) image: CurveImage,
    /// Whether each curve is drawn with its own range of values.
    pub(super) is_normalised: bool,
    /// Whether the difference from what the face is compared with is drawn.
    pub(super) shows_difference: bool,
    /// Whether the dope sheet is shown instead of the graph.
    pub(super) shows_dope_sheet: bool,
    /// The rows of the dope sheet.
    pub(super) rows: Rows,
    /// How far the dope sheet is scrolled down, in points.
    pub(super) scroll: f32,
    /// The selected keys and what is done with them.
    pub(super) keys: KeyEditing,
    /// What is done with a marker.
    pub(super) markers: MarkerLane,
    /// What a command did, to be shown to the user.
    pub told: Option<String>,
    /// Whether the pointer was over the plot in the last frame, so that keys act on it.
    pub(super) is_hovered: bool,
    /// The take whose columns are listed.
    take: Option<TakeId>,
}

impl CurvesState {
    /// Lists all columns of the take that plays.
    pub fn list_columns(&mut self) {
        self.lists_columns = true;
        self.search.clear();
    }

    /// The number of times that the curve image was drawn. Playback must not increase it.
    pub fn drawn_images(&self) -> usize {
        self.image.times_drawn()
    }

    /// Whether shortcuts act on keys: the pointer is over the graph or the dope sheet.
    pub(crate) fn takes_keys(&self) -> bool {
        self.is_hovered
    }

    /// Number of selected keys.
    pub fn selected_keys(&self) -> usize {
        self.keys.selection.len()
    }

    /// The selected rows that are channels.
    pub(super) fn selected_channels(&self) -> impl Iterator<Item = usize> {
        self.selected.iter().filter_map(|item| match item {
            CurveItem::Channel(channel) => Some(*channel),
            CurveItem::Column(_) => None,
        })
    }

    /// Whether the curve of an item is drawn: it is selected, or no item of its list is.
    pub(super) fn is_shown(&self, item: CurveItem) -> bool {
        self.selected.contains(&item) || !self.selected.iter().any(|other| other.is_column() == item.is_column())
    }

    /// Clears the selection of columns when another take plays.
    pub(super) fn update_take(&mut self, session: &Session) {
        let take = session.take().map(|entry| entry.id);
        if take != self.take {
            self.take = take;
            self.selected.retain(|item| matches!(item, CurveItem::Channel(_)));
            self.anchor = None;
            self.visible_secs = None;
        }
        if take.is_none() {
            self.lists_columns = false;
        }
    }

    /// Keeps what is shown and selected when the head was read again; `new_of` has the new index of a channel.
    pub fn follow_reload(&mut self, new_of: impl Fn(usize) -> Option<usize>) {
        let moved = |item: &CurveItem| match *item {
            CurveItem::Channel(channel) => new_of(channel).map(CurveItem::Channel),
            CurveItem::Column(column) => Some(CurveItem::Column(column)),
        };
        self.selected = self.selected.iter().filter_map(moved).collect();
        self.anchor = None;
        self.hovered = None;
        self.keys.gesture = None;
        // Both are found again from the new head.
        self.rows = Rows::default();
        self.image = CurveImage::default();
    }

    /// Whether any curve is selected.
    pub(super) fn has_selection(&self) -> bool {
        !self.selected.is_empty()
    }

    /// The take's columns that the selected items are driven by.
    pub(super) fn selected_columns(&self, sources: &CurveSources) -> Vec<usize> {
        let mut columns: Vec<usize> = Vec::new();
        for &item in self.selected.iter().filter(|item| item.is_column() == self.lists_columns) {
            match item {
                CurveItem::Column(column) => columns.push(column),
                CurveItem::Channel(channel) => columns.extend(sources.take_columns(channel)),
            }
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}
