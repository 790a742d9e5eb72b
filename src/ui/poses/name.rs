//! Editing the name of a pose.

use egui::{Align2, Id, Rect, vec2};

use crate::theme;
use crate::widgets::{EntryOutcome, EntryStyle, TextEntry};
use smirk_editor::session::Session;
use smirk_face::motion::PoseId;

/// A name that is being edited.
#[derive(Clone, Debug)]
pub(crate) struct Renaming {
    /// The pose.
    pub id: PoseId,
    entry: TextEntry,
}

impl Renaming {
    /// Starts editing the name of a pose.
    pub(crate) fn new(session: &Session, id: PoseId) -> Option<Self> {
        Some(Self { id, entry: TextEntry::new(&session.edits.pose(id)?.name) })
    }

    /// Shows the field. Returns whether it is still open.
    pub(crate) fn field_ui(&mut self, ui: &mut egui::Ui, rect: Rect, session: &mut Session) -> bool {
        let id = Id::unique(("pose name", self.id));
        let style = EntryStyle { name: "Pose name", font: theme::small_font(), align: Align2::CENTER_CENTER };
        match self.entry.field_ui(ui, id, rect.shrink2(vec2(0.0, 1.0)), style) {
            EntryOutcome::Open => return true,
            EntryOutcome::Accepted(name) => session.rename_pose(self.id, &name),
            EntryOutcome::Kept => {}
        }
        false
    }
}
