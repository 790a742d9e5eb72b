//! A number with a rest value, and the titles between groups of them: what the pages on the right are made of.

use egui::{Align, Layout, Rect, vec2};

use crate::ui::{UiState, theme};

use super::bar::Bar;

/// A bar at `rect` over a value that a double click puts back to `rest`. Whether the hand set it.
pub fn bar_ui(ui: &mut egui::Ui, rect: Rect, bar: Bar<'_>, value: &mut f32, rest: f32, state: &mut UiState) -> bool {
    let id = ui.scope_id().with(bar.label);
    let output = bar.show_ui(ui, rect, id);
    if let Some(new) = output.value {
        *value = new;
    }
    if output.reset {
        *value = rest;
    }
    if output.nudged {
        state.nudged_at_secs = Some(ui.input(|input| input.time));
    }
    output.response.on_hover_text("Double click resets; click the number to type");
    output.value.is_some() || output.reset
}

/// The same in a row of its own.
pub fn setting_ui(ui: &mut egui::Ui, bar: Bar<'_>, value: &mut f32, rest: f32, state: &mut UiState) -> bool {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT));
    bar_ui(ui, rect, bar, value, rest, state)
}

/// The name of a group, and what stands at the right end of its line.
pub fn title_ui(ui: &mut egui::Ui, name: &str, right: impl FnOnce(&mut egui::Ui)) {
    ui.horizontal(|ui| {
        ui.strong(name);
        ui.with_layout(Layout::right_to_left(Align::Center), right);
    });
}

/// A whole number on the right of its name.
pub fn seed_ui(ui: &mut egui::Ui, label: &str, seed: &mut u32) {
    ui.horizontal(|ui| {
        ui.label("Seed");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let number = egui::DragValue::new(seed).speed(0.1).min_size(vec2(56.0, theme::BAR_HEIGHT));
            ui.add(number).accessible_name(label).on_hover_text("Equal seeds give the same performance");
        });
    });
}
