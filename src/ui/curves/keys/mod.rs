//! The user's keys in the curves panel: which are selected, copied and dragged, and how they are drawn.

mod diamonds;
mod gesture;
mod handles;
mod markers;
mod pick;

use egui::{CursorIcon, Modifiers, Rect};

use smirk_face::motion::{CopiedKeys, KeySelection};
use smirk_session::{Revision, Session, TimingOf};

use super::extent::Plot;

pub(super) use diamonds::Diamonds;
use gesture::DragInput;
pub(super) use gesture::{Gesture, GestureKind};
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
    /// The edits in which all selected keys exist, and what these keys belong to.
    checked: Option<(Revision, TimingOf)>,
}

impl KeyEditing {
    /// Keeps the selected and the copied keys, which are found by the names of their channels.
    pub(super) fn after_reload(self) -> Self {
        Self { selection: self.selection, copied: self.copied, ..Self::default() }
    }

    /// Drops keys from the selection that no longer exist, for example after undo or when another clip plays.
    pub(super) fn update_selection(&mut self, session: &Session) {
        let now = Some((session.edits.revision(), session.timing_of()));
        if self.checked != now {
            self.checked = now;
            self.selection.retain_in(session.keys());
            self.of_file = FileKeys::default();
        }
    }

    /// Applies the drag, and ends it when the button is released, or when other keys apply because something else plays
    /// now. `keys_in` finds the keys in a rectangle.
    pub(super) fn continue_drag(
        &mut self,
        ui: &egui::Ui,
        plot: &Plot,
        session: &mut Session,
        keys_in: impl FnOnce(&Session, Rect) -> KeySelection,
    ) {
        let Some(mut gesture) = self.gesture.take().filter(|gesture| gesture.of == session.timing_of()) else { return };
        ui.request_repaint();
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, egui::Key::Escape)) {
            gesture.cancel(session, &mut self.selection);
            return;
        }
        let (pointer, modifiers, is_down) =
            ui.input(|input| (input.pointer.latest_pos(), input.modifiers, input.pointer.any_down()));
        if let Some(pointer) = pointer {
            if let Some(rect) = gesture.selecting_rect(pointer) {
                let found = keys_in(session, rect);
                self.selection = combined(&gesture.selected, &found, modifiers);
            } else {
                let input = DragInput { pointer, modifiers };
                gesture.update(session, &mut self.selection, plot.rect, input);
                ui.set_cursor_icon(CursorIcon::Grabbing);
            }
        }
        if is_down {
            self.gesture = Some(gesture);
        }
    }
}

/// The selection after keys were found in a rectangle: with Shift they are added, with Ctrl removed.
pub(super) fn combined(before: &KeySelection, found: &KeySelection, modifiers: Modifiers) -> KeySelection {
    let mut result = if modifiers.shift || modifiers.command { before.clone() } else { KeySelection::default() };
    for (name, times) in found.channels() {
        if modifiers.command {
            result.subtract(name, times.iter().copied());
        } else {
            result.add(name, times.iter().copied());
        }
    }
    result
}
