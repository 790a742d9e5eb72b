//! A number that is dragged or typed.

use std::cell::RefCell;
use std::rc::Rc;

use egui::{DragValue, Key, Response, Widget};

use super::text;

/// A `DragValue` of egui that takes what was typed after Enter or a click elsewhere. With a text that is no number it
/// stays open, and says why; Esc keeps the old value.
pub(crate) struct NumberField<'a>(pub DragValue<'a>);

impl Widget for NumberField<'_> {
    fn ui(self, ui: &mut egui::Ui) -> Response {
        let id = ui.next_auto_id();
        let [refused_id, reopened_id, ended_id] = ["refused", "reopened", "ended"].map(|name| id.with(name));
        // In the frame of the Tab key, the next control takes the focus.
        if ui.data_mut(|data| data.remove_temp(reopened_id)).unwrap_or(false) {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        // egui takes the text in the frame after Esc.
        let is_ended = ui.data_mut(|data| data.remove_temp(ended_id)).unwrap_or(false);
        let typed = Rc::new(RefCell::new(None));
        let parsed = typed.clone();
        let response = ui.add(self.0.update_while_editing(false).custom_parser(move |text| {
            let number = if is_ended { None } else { parse_number(text) };
            *parsed.borrow_mut() = Some((text.to_owned(), number.is_some() || is_ended));
            number
        }));
        let mut refused: Option<String> = ui.data_mut(|data| data.remove_temp(refused_id));
        if let Some((text, is_taken)) = typed.take() {
            if !is_taken {
                ui.data_mut(|data| data.insert_temp(reopened_id, true));
                ui.request_repaint();
            }
            refused = (!is_taken).then_some(text);
        }
        let (is_escape, is_typing) = ui.input(|input| {
            let mut events = input.events.iter();
            let is_typing = events.any(|event| matches!(event, egui::Event::Text(_) | egui::Event::Paste(_)));
            (input.key_pressed(Key::Escape), is_typing)
        });
        if is_escape || is_typing || response.dragged() {
            refused = None;
        }
        if is_escape && response.lost_focus() {
            ui.data_mut(|data| data.insert_temp(ended_id, true));
        }
        if let Some(text) = refused {
            response.show_tooltip_text(no_number(&text, "Esc keeps the old value"));
            ui.data_mut(|data| data.insert_temp(refused_id, text));
        }
        response
    }
}

/// A finite number with a decimal point or comma.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    text.trim().replace(',', ".").replace('−', "-").parse().ok().filter(|number: &f64| number.is_finite())
}

/// Why a text is refused, and how to keep the old value.
pub(super) fn no_number(text: &str, keep: &str) -> String {
    let what_to_do = format!("Type a number, such as 0.5. {keep}");
    match text.trim() {
        "" => what_to_do,
        text => format!("“{}” is no number. {what_to_do}", text::shown(text)),
    }
}
