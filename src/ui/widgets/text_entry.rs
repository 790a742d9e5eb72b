//! A text field that is shown over a text while it is edited, until Enter, Esc or a click elsewhere.

use egui::text::{CCursor, CCursorRange};
use egui::{Align2, FontId, Id, Key, Margin, Rect, TextEdit, UiBuilder};

use crate::theme;

#[derive(Clone, Debug)]
pub(crate) struct TextEntry {
    text: String,
    old_text: String,
    refused: Option<String>,
    is_first_frame: bool,
}

/// Font, alignment and accessible name of the field.
pub(crate) struct EntryStyle<'a> {
    pub name: &'a str,
    pub font: FontId,
    pub align: Align2,
    /// Whether the text is a number, all of which a double-click selects; of other texts it selects a word.
    pub is_number: bool,
}

pub(crate) enum EntryOutcome {
    Open,
    /// The field was closed; the typed text replaces the old one.
    Accepted(String),
    /// The field was closed with Esc or without a change: the old text stays, and what it only shows rounded.
    Kept,
}

impl TextEntry {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), old_text: text.to_owned(), refused: None, is_first_frame: true }
    }

    pub(crate) fn typed(typed: String, old_text: &str) -> Self {
        Self { text: typed, ..Self::new(old_text) }
    }

    /// Keeps the field open with a text that was accepted and cannot be used.
    pub(crate) fn refuse(&mut self) {
        self.refused = Some(self.text.clone());
    }

    pub(crate) fn refused(&self) -> Option<&str> {
        self.refused.as_deref().filter(|refused| *refused == self.text)
    }

    pub(crate) fn old_text(&self) -> &str {
        &self.old_text
    }

    pub(crate) fn field_ui(&mut self, ui: &mut egui::Ui, id: Id, rect: Rect, style: EntryStyle<'_>) -> EntryOutcome {
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(id));
        // By default a text field is as tall as a button.
        child.spacing_mut().interact_size.y = rect.height();
        let field = TextEdit::singleline(&mut self.text)
            .id(id)
            .font(style.font)
            .background_color(theme::BACKDROP)
            .margin(Margin::symmetric(4, 1))
            .align(style.align)
            .desired_width(f32::INFINITY)
            .min_size(rect.size());
        let mut output = field.show(&mut child);
        let response = output.response.response.clone().accessible_name(style.name);
        let is_new = std::mem::take(&mut self.is_first_frame);
        if is_new || (style.is_number && response.double_clicked()) {
            response.request_focus();
            let end = CCursor::default() + self.text.chars().count();
            let is_typed = is_new && self.text != self.old_text;
            let start = if is_typed { end } else { CCursor::default() };
            output.state.cursor.set_char_range(Some(CCursorRange::two(start, end)));
            output.state.store(ui.ctx(), id);
            EntryOutcome::Open
        } else if response.has_focus() {
            EntryOutcome::Open
        } else if self.text == self.old_text || ui.input(|input| input.key_pressed(Key::Escape)) {
            EntryOutcome::Kept
        } else {
            EntryOutcome::Accepted(self.text.clone())
        }
    }
}
