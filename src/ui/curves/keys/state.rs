//! What is selected, copied and dragged.

use smirk_editor::session::{Revision, Session};
use smirk_face::motion::{CopiedKeys, KeySelection};

use super::gesture::Gesture;
use super::markers::Markers;

/// The state of editing keys.
#[derive(Debug, Default)]
pub(crate) struct KeyEditing {
    /// The selected keys.
    pub selection: KeySelection,
    /// The keys that were copied last.
    pub copied: CopiedKeys,
    /// What is being dragged.
    pub gesture: Option<Gesture>,
    /// The drawn keys.
    pub markers: Markers,
    /// Text for the clipboard of the system: without any, a paste command would not arrive.
    pub clipboard_text: Option<String>,
    /// The edits in which all selected keys exist.
    checked: Option<Revision>,
}

impl KeyEditing {
    /// Drops keys from the selection that no longer exist, for example after undo.
    pub(crate) fn update_selection(&mut self, session: &Session) {
        let revision = session.edits.revision();
        if self.checked != Some(revision) {
            self.checked = Some(revision);
            self.selection.retain_in(&session.edits.keys);
        }
    }
}
