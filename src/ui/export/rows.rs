//! Rows of the Export page: a name at the left, a control at the right.

use egui::{Align, ComboBox, DragValue, Layout};

use crate::theme;

/// A name, and a control at the right end of its row.
pub(super) fn row_ui(ui: &mut egui::Ui, name: &str, tip: &str, control: impl FnOnce(&mut egui::Ui)) {
    ui.horizontal(|ui| {
        ui.label(name).on_hover_text(tip);
        ui.with_layout(Layout::right_to_left(Align::Center), control);
    });
}

/// A choice between named values, each with an explanation.
pub(super) fn choice_ui<T: Copy + PartialEq>(
    ui: &mut egui::Ui,
    name: &str,
    value: &mut T,
    choices: &[T],
    words: impl Fn(T) -> (String, &'static str),
) {
    let (shown, tip) = words(*value);
    row_ui(ui, name, tip, |ui| {
        let combo = ComboBox::from_id_salt(name).width(WIDE).truncate().selected_text(shown).show_ui(ui, |ui| {
            for &choice in choices {
                let (words, tip) = words(choice);
                ui.selectable_value(value, choice, words).on_hover_text(tip);
            }
        });
        combo.response.accessible_name(name).on_hover_text(tip);
    });
}

/// A number that is dragged or typed.
pub(super) fn number_ui<T: egui::emath::Numeric>(
    ui: &mut egui::Ui,
    name: &str,
    tip: &str,
    value: &mut T,
    range: std::ops::RangeInclusive<T>,
    unit: &str,
) {
    row_ui(ui, name, tip, |ui| {
        let number = DragValue::new(value).range(range).suffix(unit).speed(0.2);
        ui.add_sized(egui::vec2(64.0, theme::BAR_HEIGHT), number).accessible_name(name).on_hover_text(tip);
    });
}

/// Width of the choices.
const WIDE: f32 = 160.0;
