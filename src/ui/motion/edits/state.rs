//! Which edit of the take is selected.

use smirk_editor::session::{Session, TakeEntry, TakeId};

/// The edit whose numbers are shown.
#[derive(Debug, Default)]
pub(crate) struct TakeEditsState {
    take: Option<TakeId>,
    pub(super) selected: Option<usize>,
    /// Whether its numbers are to be scrolled into view.
    pub(super) is_new: bool,
}

impl TakeEditsState {
    /// The range of the selected edit in seconds; `None` for the whole take.
    pub(crate) fn span(&self, session: &Session) -> Option<[f32; 2]> {
        let entry = session.take().filter(|entry| self.take == Some(entry.id))?;
        entry.edits.get(self.selected?)?.span.map(|[a, b]| [a.min(b), a.max(b)])
    }

    /// Shows the numbers of no edit when another take is chosen or the edit is gone.
    pub(super) fn update(&mut self, entry: &TakeEntry) {
        if self.take != Some(entry.id) {
            (self.take, self.selected) = (Some(entry.id), None);
        }
        self.selected.take_if(|selected| *selected >= entry.edits.len());
    }
}
