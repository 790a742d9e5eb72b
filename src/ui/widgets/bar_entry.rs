//! Typing a bar's value: a field over its number, open from a click or Enter.

use egui::{Align2, Id, Key, Rect};

use crate::ui::theme;

use super::text_entry::{Look, Outcome, Typing};

/// Opens the field over the bar `id`, with all of `text` selected.
pub fn begin(ui: &egui::Ui, id: Id, text: &str) {
    ui.data_mut(|data| data.insert_temp(id, Typing::begin(text)));
}

/// Whether the field is open.
pub fn is_open(ui: &egui::Ui, id: Id) -> bool {
    ui.data(|data| data.get_temp::<Typing>(id).is_some())
}

/// Shows the field if it is open; the number, once, when it was closed with one in it.
pub fn field_ui(ui: &mut egui::Ui, id: Id, rect: Rect, label: &str) -> Option<f32> {
    let mut typing = ui.data(|data| data.get_temp::<Typing>(id))?;
    let name = format!("Value of {label}");
    let look = Look { name: &name, font: theme::number_font(), align: Align2::RIGHT_CENTER };
    let outcome = typing.field_ui(ui, id.with("field"), rect, look);
    if let Outcome::Open = outcome {
        ui.data_mut(|data| data.insert_temp(id, typing));
        return None;
    }
    ui.data_mut(|data| data.remove::<Typing>(id));
    if ui.input(|input| input.key_pressed(Key::Escape) || input.key_pressed(Key::Enter)) {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    if let Outcome::Typed(text) = outcome { parse(&text) } else { None }
}

/// A finite number, with a point or a comma, or a percentage.
fn parse(text: &str) -> Option<f32> {
    let text = text.trim().replace(',', ".");
    let (digits, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim(), 0.01),
        None => (text.as_str(), 1.0),
    };
    digits.parse::<f32>().ok().map(|number| number * scale).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn numbers_people_type() {
        assert_eq!(parse(" 1.5 "), Some(1.5));
        assert_eq!(parse("-0,25"), Some(-0.25));
        assert_eq!(parse("50 %"), Some(0.5));
        for text in ["", "abc", "inf", "NaN", "1e99"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
