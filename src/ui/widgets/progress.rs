//! The progress of a job: its current step, a Cancel button and a progress bar; and work that is started by a button
//! and has a result.

use egui::{Align, Button, Label, Layout, vec2};

use super::wrapped_ui;
use crate::theme;
use smirk_base::job::JobStatus;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CancelButton {
    Hidden,
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

pub(crate) struct WorkTexts {
    pub begin: &'static str,
    pub again: &'static str,
    /// Shown before it was done for the first time.
    pub not_done: &'static str,
    pub about: &'static str,
}

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
    let label = match status {
        JobStatus::Busy { stage, fraction, is_stopping } => {
            let (text, stop) = if *is_stopping {
                ("Stopping", CancelButton::Pressed)
            } else {
                (stage.as_str(), CancelButton::Enabled)
            };
            return progress_ui(ui, text, *fraction, stop).then_some(WorkAction::Cancel);
        }
        JobStatus::Idle | JobStatus::Failed(_) => texts.begin,
        JobStatus::Done(result) => {
            result_ui(ui, result);
            ui.add_space(theme::GAP);
            texts.again
        }
    };
    let button = ui.add(Button::new(label).min_size(vec2(0.0, theme::BAR_HEIGHT))).on_hover_text(texts.about);
    if let JobStatus::Idle | JobStatus::Failed(_) = status {
        ui.add_space(theme::GAP_SMALL);
    }
    match status {
        JobStatus::Idle => drop(ui.weak(texts.not_done)),
        JobStatus::Failed(message) => drop(wrapped_ui(ui, message, theme::ERROR)),
        JobStatus::Busy { .. } | JobStatus::Done(_) => {}
    }
    button.clicked().then_some(WorkAction::Begin)
}
