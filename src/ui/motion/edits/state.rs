//! Which edit of the take is selected.

use crate::session::{TakeEntry, TakeId};

/// The edit whose numbers are shown.
#[derive(Debug, Default)]
pub(in crate::ui) struct TakeEditsState {
    take: Option<TakeId>,
    pub(super) selected: Option<usize>,
}

impl TakeEditsState {
    /// Shows the numbers of no edit when another take is chosen or the edit is gone.
    pub(super) fn update(&mut self, entry: &TakeEntry) {
        if self.take != Some(entry.id) {
            (self.take, self.selected) = (Some(entry.id), None);
        }
        self.selected.take_if(|selected| *selected >= entry.edits.len());
    }
}
