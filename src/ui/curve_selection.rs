//! Which curves are selected: rows of the list beside the curves, which are channels of the head or columns of the
//! take.

use std::collections::BTreeSet;

use smirk_session::{Session, TakeId};

/// A row of the list: a channel or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum CurveItem {
    Channel(usize),
    /// Index into the columns of the take that plays.
    Column(usize),
}

impl CurveItem {
    pub(crate) fn is_column(self) -> bool {
        matches!(self, Self::Column(_))
    }

    pub(crate) fn name(self, session: &Session) -> &str {
        match self {
            Self::Channel(channel) => session.head.channels.get(channel).map_or("", |channel| &channel.name),
            Self::Column(column) => {
                let columns = session.take().map_or(&[][..], |entry| &entry.take.columns);
                columns.get(column).map_or("", |column| &column.name)
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct CurveSelection {
    /// Items whose curves are drawn; all are if none is selected.
    pub items: BTreeSet<CurveItem>,
    pub lists_columns: bool,
    /// Start of a selection with Shift.
    pub anchor: Option<CurveItem>,
    pub take: Option<TakeId>,
}

impl CurveSelection {
    /// Whether the curve of an item is drawn: it is selected, or no item of its list is.
    pub(crate) fn is_shown(&self, item: CurveItem) -> bool {
        self.items.contains(&item) || !self.items.iter().any(|other| other.is_column() == item.is_column())
    }

    pub(crate) fn channels(&self) -> impl Iterator<Item = usize> {
        self.items.iter().filter_map(|item| match item {
            CurveItem::Channel(channel) => Some(*channel),
            CurveItem::Column(_) => None,
        })
    }

    /// The take's columns that the selected items are driven by. `columns_of` has those of a channel.
    pub(crate) fn columns<'a>(&self, columns_of: impl Fn(usize) -> &'a [usize]) -> Vec<usize> {
        let mut columns: Vec<usize> = Vec::new();
        for &item in self.items.iter().filter(|item| item.is_column() == self.lists_columns) {
            match item {
                CurveItem::Column(column) => columns.push(column),
                CurveItem::Channel(channel) => columns.extend(columns_of(channel)),
            }
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The columns of the take that plays that the selected items are driven by; empty if none is selected.
    pub(crate) fn columns_of_take(&self, session: &Session) -> Vec<usize> {
        let Some(entry) = session.take().filter(|_| !self.items.is_empty()) else { return Vec::new() };
        // While the curves are not shown, the selected columns may be those of another take.
        if self.lists_columns && self.take != Some(entry.id) {
            return Vec::new();
        }
        let driven = entry.map.driven(&session.head);
        self.columns(|channel| {
            let found = driven.binary_search_by_key(&channel, |(of, _)| *of);
            found.map_or(&[], |index| driven[index].1.columns())
        })
    }

    /// Clears the selection of columns when another take plays. Returns whether one does.
    pub(crate) fn follow_take(&mut self, session: &Session) -> bool {
        let take = session.take().map(|entry| entry.id);
        let is_other = take != self.take;
        if is_other {
            self.take = take;
            self.items.retain(|item| !item.is_column());
            self.anchor = None;
        }
        if take.is_none() {
            self.lists_columns = false;
        }
        is_other
    }

    /// Keeps the selection when the head was read again; `new_of` has the new index of a channel.
    pub(crate) fn follow_reload(&mut self, new_of: impl Fn(usize) -> Option<usize>) {
        let items = self.items.iter().filter_map(|item| match *item {
            CurveItem::Channel(channel) => new_of(channel).map(CurveItem::Channel),
            CurveItem::Column(column) => Some(CurveItem::Column(column)),
        });
        self.items = items.collect();
        self.anchor = None;
    }
}
