//! A text field over the number of a bar, in which the user types a value.

use egui::{Align2, Id, Key, Rect};

use crate::theme;

use super::text_entry::{EntryOutcome, EntryStyle, TextEntry};

/// Opens the field of the bar `id`, with all of `text` selected.
pub(super) fn open(ui: &egui::Ui, id: Id, text: &str) {
    ui.data_mut(|data| data.insert_temp(id, TextEntry::new(text)));
}

/// Whether the field is open.
pub(super) fn is_open(ui: &egui::Ui, id: Id) -> bool {
    ui.data(|data| data.get_temp::<TextEntry>(id).is_some())
}

/// Shows the field if it is open. Returns the typed number when the field is closed.
pub(super) fn field_ui(ui: &mut egui::Ui, id: Id, rect: Rect, label: &str) -> Option<f32> {
    let mut entry = ui.data(|data| data.get_temp::<TextEntry>(id))?;
    let name = format!("Value of {label}");
    let style = EntryStyle { name: &name, font: theme::number_font(), align: Align2::RIGHT_CENTER };
    let outcome = entry.field_ui(ui, id.with("field"), rect, style);
    if let EntryOutcome::Open = outcome {
        ui.data_mut(|data| data.insert_temp(id, entry));
        return None;
    }
    ui.data_mut(|data| data.remove::<TextEntry>(id));
    if ui.input(|input| input.key_pressed(Key::Escape) || input.key_pressed(Key::Enter)) {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    if let EntryOutcome::Accepted(text) = outcome { parse(&text) } else { None }
}

/// A finite number with a decimal point or comma, or a percentage.
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
    fn points_commas_and_percentages_are_numbers() {
        assert_eq!(parse(" 1.5 "), Some(1.5));
        assert_eq!(parse("-0,25"), Some(-0.25));
        assert_eq!(parse("50 %"), Some(0.5));
        for text in ["", "abc", "inf", "NaN", "1e99"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
