//! The progress of a job: its current step, a Cancel button and a progress bar.

use egui::{Align, Button, Label, Layout, vec2};

use crate::ui::theme;

/// The state of the Cancel button.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CancelButton {
    /// The job cannot be cancelled.
    Hidden,
    /// The job can be cancelled.
    Enabled,
    /// The job was cancelled and is finishing its current step.
    Pressed,
}

/// Shows the progress; `fraction` is between 0 and 1. Returns whether Cancel was clicked.
pub(crate) fn progress_ui(ui: &mut egui::Ui, text: &str, fraction: f32, cancel: CancelButton) -> bool {
    let mut is_cancelled = false;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if cancel != CancelButton::Hidden {
                let button = Button::new("Cancel").min_size(vec2(0.0, theme::BAR_HEIGHT));
                is_cancelled = ui.add_enabled(cancel == CancelButton::Enabled, button).clicked();
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
    is_cancelled
}
