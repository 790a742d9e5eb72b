//! Controls of the pages in the right panel: numbers that can be reset, group titles and seeds.

use egui::{Align, Layout, Rect, vec2};

use crate::{UiState, theme};

use super::bar::Bar;

/// A slider at `rect` for `value`, which a double-click resets to `rest`. Returns whether the user changed it.
pub(crate) fn bar_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    bar: Bar<'_>,
    value: &mut f32,
    rest: f32,
    state: &mut UiState,
) -> bool {
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
    if output.allows_tooltip {
        output.response.on_hover_text("Double-click to reset, click the number to type");
    }
    output.value.is_some() || output.reset
}

/// [`bar_ui`] in a row of its own.
pub(crate) fn setting_ui(ui: &mut egui::Ui, bar: Bar<'_>, value: &mut f32, rest: f32, state: &mut UiState) -> bool {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT));
    bar_ui(ui, rect, bar, value, rest, state)
}

/// The title of a group, with controls at the right end of its row.
pub(crate) fn title_ui(ui: &mut egui::Ui, name: &str, right: impl FnOnce(&mut egui::Ui)) {
    ui.horizontal(|ui| {
        ui.strong(name);
        ui.with_layout(Layout::right_to_left(Align::Center), right);
    });
}

/// The seed of a random number generator.
pub(crate) fn seed_ui(ui: &mut egui::Ui, label: &str, seed: &mut u32) {
    ui.horizontal(|ui| {
        ui.label("Seed");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let number = egui::DragValue::new(seed).speed(0.1).min_size(vec2(56.0, theme::BAR_HEIGHT));
            ui.add(number).accessible_name(label).on_hover_text("The same seed gives the same result");
        });
    });
}
