//! The state of the curves panel: what is listed, what is selected, and which range is visible.

use std::collections::BTreeSet;

use egui::{Id, Pos2};

use super::drawing::{CurveImage, CurveItem, CurveSources};
use super::extent::Extent;
use crate::motion::{Key, Keys};
use crate::session::{Session, TakeId};

/// A key that is being dragged.
#[derive(Clone, Debug)]
pub(super) struct DraggedKey {
    pub id: Id,
    pub channel: usize,
    /// The channel name that the key is stored under.
    pub name: String,
    /// Pointer position at the start of the drag.
    pub grabbed: Pos2,
    /// The key before the drag.
    pub from: Key,
    /// The key at its current position.
    pub key: Key,
    /// All keys before the drag, so that a key that the dragged one replaced on its way is restored.
    pub before: Keys,
    /// The visible range at the start of the drag. It stays fixed, because a scale that adapts to the key would move it
    /// away from the pointer.
    pub extent: Extent,
}

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
    /// The key that is being dragged.
    pub(super) dragged_key: Option<DraggedKey>,
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
