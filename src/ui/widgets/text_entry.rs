//! A field that lies over a text while it is typed anew: open until Enter, Esc or a click elsewhere.

use egui::text::{CCursor, CCursorRange};
use egui::{Align2, FontId, Id, Key, Margin, Rect, TextEdit, UiBuilder};

use crate::ui::theme;

/// A text that is being typed.
#[derive(Clone, Debug)]
pub struct Typing {
    text: String,
    is_new: bool,
}

/// How a field looks, and what a screen reader calls it.
pub struct Look<'a> {
    pub name: &'a str,
    pub font: FontId,
    pub align: Align2,
}

/// What became of a field.
pub enum Outcome {
    /// It stays open.
    Open,
    /// The text counts.
    Typed(String),
    /// What was there before counts.
    GivenUp,
}

impl Typing {
    /// Opens the field with all of the text selected.
    pub fn begin(text: &str) -> Self {
        Self { text: text.to_owned(), is_new: true }
    }

    /// Shows the field.
    pub fn field_ui(&mut self, ui: &mut egui::Ui, id: Id, rect: Rect, look: Look<'_>) -> Outcome {
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(id));
        // A field is as tall as a button unless it is told otherwise.
        child.spacing_mut().interact_size.y = rect.height();
        let field = TextEdit::singleline(&mut self.text)
            .id(id)
            .font(look.font)
            .background_color(theme::BACKDROP)
            .margin(Margin::symmetric(4, 1))
            .align(look.align)
            .desired_width(f32::INFINITY)
            .min_size(rect.size());
        let mut output = field.show(&mut child);
        let response = output.response.response.clone().accessible_name(look.name);
        if std::mem::take(&mut self.is_new) {
            response.request_focus();
            let all = CCursorRange::two(CCursor::default(), CCursor::default() + self.text.chars().count());
            output.state.cursor.set_char_range(Some(all));
            output.state.store(ui.ctx(), id);
            Outcome::Open
        } else if response.has_focus() {
            Outcome::Open
        } else if ui.input(|input| input.key_pressed(Key::Escape)) {
            Outcome::GivenUp
        } else {
            Outcome::Typed(std::mem::take(&mut self.text))
        }
    }
}
