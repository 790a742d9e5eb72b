//! A pose's name, and the field over it while it is typed anew: open until Enter, Esc or a click elsewhere.

use egui::text::{CCursor, CCursorRange};
use egui::{Id, Key, Margin, Rect, TextEdit, UiBuilder, vec2};

use crate::motion::PoseId;
use crate::session::Session;

use super::theme;

/// A name that is being typed.
#[derive(Clone, Debug)]
pub struct Renaming {
    /// Whose.
    pub id: PoseId,
    text: String,
    is_new: bool,
}

impl Renaming {
    /// Opens the field with all of the name selected.
    pub fn begin(session: &Session, id: PoseId) -> Option<Self> {
        Some(Self { id, text: session.edits.pose(id)?.name.clone(), is_new: true })
    }

    /// Shows the field; false when it is done.
    pub fn field_ui(&mut self, ui: &mut egui::Ui, rect: Rect, session: &mut Session) -> bool {
        let id = Id::unique(("pose name", self.id));
        let rect = rect.shrink2(vec2(0.0, 1.0));
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(id));
        // A field is as tall as a button unless it is told otherwise.
        child.spacing_mut().interact_size.y = rect.height();
        let field = TextEdit::singleline(&mut self.text)
            .id(id)
            .font(theme::small_font())
            .background_color(theme::BACKDROP)
            .margin(Margin::symmetric(3, 1))
            .align(egui::Align2::CENTER_CENTER)
            .desired_width(f32::INFINITY)
            .min_size(rect.size());
        let mut output = field.show(&mut child);
        let response = output.response.response.clone().accessible_name("Name of the pose");
        if std::mem::take(&mut self.is_new) {
            response.request_focus();
            let all = CCursorRange::two(CCursor::default(), CCursor::default() + self.text.chars().count());
            output.state.cursor.set_char_range(Some(all));
            output.state.store(ui.ctx(), id);
            return true;
        }
        if response.has_focus() {
            return true;
        }
        if !ui.input(|input| input.key_pressed(Key::Escape)) {
            session.rename_pose(self.id, &self.text);
        }
        false
    }
}
