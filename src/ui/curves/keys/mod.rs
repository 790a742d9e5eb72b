//! The user's keys in the curves panel: which are selected, copied and dragged, and how they are drawn.

mod diamonds;
mod gesture;
mod handles;
mod markers;
mod pick;

use smirk_face::motion::{CopiedKeys, KeySelection};
use smirk_session::{Revision, Session};

pub(super) use diamonds::Diamonds;
pub(super) use gesture::{DragInput, Gesture, GestureKind};
pub(super) use handles::Handle;
pub(super) use handles::{
    box_handles, box_rect, handle_at, paint_box, paint_gesture, paint_tangents, tangent_handles, time_handles,
};
pub(super) use markers::{MarkerStyle, Markers};
pub(super) use pick::{REACH, ShownCurve, file_curves, key_at, keys_in, shown_curves};

/// Keys that belong to the file, so that they cannot be selected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileKeys {
    pub count: usize,
    pub channels: Vec<usize>,
}

#[derive(Debug, Default)]
pub(super) struct KeyEditing {
    pub selection: KeySelection,
    /// The keys of the file that were clicked or boxed last.
    pub of_file: FileKeys,
    pub copied: CopiedKeys,
    pub gesture: Option<Gesture>,
    pub markers: Markers,
    /// Text for the clipboard of the system: without any, a paste command would not arrive.
    pub clipboard_text: Option<String>,
    /// The edits in which all selected keys exist.
    checked: Option<Revision>,
}

impl KeyEditing {
    /// Keeps the selected and the copied keys, which are found by the names of their channels.
    pub(super) fn after_reload(self) -> Self {
        Self { selection: self.selection, copied: self.copied, ..Self::default() }
    }

    /// Drops keys from the selection that no longer exist, for example after undo.
    pub(super) fn update_selection(&mut self, session: &Session) {
        let revision = session.edits.revision();
        if self.checked != Some(revision) {
            self.checked = Some(revision);
            self.selection.retain_in(session.keys());
            self.of_file = FileKeys::default();
        }
    }
}
