//! The progress of a job: its current step, a Cancel button and a progress bar; and work that is started by a button and has a result.

use egui::{Align, Button, Label, Layout, RichText, vec2};

use crate::theme;
use smirk_base::job::JobStatus;

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

/// The texts of [`work_ui`].
pub(crate) struct WorkTexts {
    /// On the button that starts it.
    pub begin: &'static str,
    /// On the button that repeats it.
    pub again: &'static str,
    /// Shown before it was done for the first time.
    pub not_done: &'static str,
    /// What the buttons do.
    pub about: &'static str,
}

/// What the user requests of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkAction {
    Begin,
    Cancel,
}

/// Shows a job: the button that starts it, its progress, or its result, which `result_ui` shows.
pub(crate) fn work_ui<T>(
    ui: &mut egui::Ui,
    status: &JobStatus<T>,
    texts: &WorkTexts,
    result_ui: impl FnOnce(&mut egui::Ui, &T),
) -> Option<WorkAction> {
    let button_ui = |ui: &mut egui::Ui, text: &str| {
        let button = Button::new(text).min_size(vec2(0.0, theme::BAR_HEIGHT));
        ui.add(button).on_hover_text(texts.about).clicked().then_some(WorkAction::Begin)
    };
    match status {
        JobStatus::Busy { stage, fraction, is_stopping } => {
            let (text, stop) = if *is_stopping {
                ("Stopping", CancelButton::Pressed)
            } else {
                (stage.as_str(), CancelButton::Enabled)
            };
            progress_ui(ui, text, *fraction, stop).then_some(WorkAction::Cancel)
        }
        JobStatus::Idle => {
            let action = button_ui(ui, texts.begin);
            ui.add_space(theme::GAP_SMALL);
            ui.weak(texts.not_done);
            action
        }
        JobStatus::Failed(message) => {
            let action = button_ui(ui, texts.begin);
            ui.add_space(theme::GAP_SMALL);
            ui.add(Label::new(RichText::new(message).color(theme::ERROR)).wrap());
            action
        }
        JobStatus::Done(result) => {
            result_ui(ui, result);
            ui.add_space(theme::GAP);
            button_ui(ui, texts.again)
        }
    }
}
