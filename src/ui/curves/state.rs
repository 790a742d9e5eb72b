//! What the curves panel remembers: what is listed, what is chosen, which part of the time is in sight.

use std::collections::BTreeSet;

use egui::{Id, Pos2};

use super::extent::Extent;
use super::lines::{Item, Picture, Sources};
use crate::motion::{Key, Keys};
use crate::session::{Session, TakeId};

/// A key that a drag moves.
#[derive(Clone, Debug)]
pub struct HeldKey {
    pub id: Id,
    pub channel: usize,
    /// The name it was set under.
    pub name: String,
    /// Where the drag began.
    pub grabbed: Pos2,
    /// Where it was.
    pub from: Key,
    /// Where it is.
    pub key: Key,
    /// All keys as they were: the one that is dragged pushes none aside for good.
    pub before: Keys,
    /// What was in sight: a scale that followed the key would run away under the hand.
    pub extent: Extent,
}

/// The panel's own state.
#[derive(Debug, Default)]
pub struct CurvesState {
    pub(super) search: String,
    /// The columns of the take are listed instead of the head's channels.
    pub(super) lists_columns: bool,
    /// Drawn; nothing chosen: everything is.
    pub(super) chosen: BTreeSet<Item>,
    /// Where a choice with Shift begins.
    pub(super) anchor: Option<Item>,
    /// Under the pointer, in the list or the plot: drawn bold.
    pub(super) pointed: Option<Item>,
    /// Seconds in sight; none: all there are.
    pub(super) secs: Option<[f32; 2]>,
    /// Values in sight; none: as many as the lines have.
    pub(super) values: Option<[f32; 2]>,
    pub(super) picture: Picture,
    /// The key that a drag moves.
    pub(super) held_key: Option<HeldKey>,
    /// The take whose columns may be chosen.
    take: Option<TakeId>,
}

impl CurvesState {
    /// Lists the columns of the take that plays, all of them.
    pub fn list_columns(&mut self) {
        self.lists_columns = true;
        self.search.clear();
    }

    /// How often lines were drawn anew: standing still and playing must not.
    pub fn drawn_pictures(&self) -> usize {
        self.picture.drawn()
    }

    /// Columns belong to one take: with another, none is chosen.
    pub(super) fn follow_take(&mut self, session: &Session) {
        let take = session.take().map(|entry| entry.id);
        if take != self.take {
            self.take = take;
            self.chosen.retain(|item| matches!(item, Item::Channel(_)));
            self.anchor = None;
            self.secs = None;
        }
        if take.is_none() {
            self.lists_columns = false;
        }
    }

    /// Columns of the take behind what is chosen in the list on show.
    pub(super) fn chosen_columns(&self, sources: &Sources) -> Vec<usize> {
        let mut columns: Vec<usize> = Vec::new();
        for &item in self.chosen.iter().filter(|item| item.is_column() == self.lists_columns) {
            match item {
                Item::Column(column) => columns.push(column),
                Item::Channel(channel) => columns.extend(sources.take_columns(channel)),
            }
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}
