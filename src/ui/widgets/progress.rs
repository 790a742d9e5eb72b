//! What is under way: a line that says what, a button that stops it, a rail that fills.

use egui::{Align, Button, Label, Layout, vec2};

use crate::ui::theme;

/// Whether it can be stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It has no button.
    Cannot,
    /// The button waits.
    Can,
    /// It was pressed: what is under way ends its step.
    Asked,
}

/// Shows it; true when the button is pressed. `fraction`: 0..1.
pub fn progress_ui(ui: &mut egui::Ui, text: &str, fraction: f32, stop: Stop) -> bool {
    let mut is_stopped = false;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if stop != Stop::Cannot {
                let button = Button::new("Cancel").min_size(vec2(0.0, theme::BAR_HEIGHT));
                is_stopped = ui.add_enabled(stop == Stop::Can, button).clicked();
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(text).truncate());
            });
        });
    });
    ui.add_space(theme::GAP_SMALL);
    let (_, rail) = ui.allocate_space(vec2(ui.available_width(), 4.0));
    ui.painter().rect_filled(rail, 2.0, theme::WELL_HOVERED);
    let done = rail.with_max_x(egui::lerp(rail.x_range(), fraction.clamp(0.0, 1.0)));
    ui.painter().rect_filled(done, 2.0, theme::ACCENT_BRIGHT);
    is_stopped
}
