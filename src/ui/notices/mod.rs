//! Notices at the top of the viewport: progress, messages, questions, and the hint while a file is dragged over the
//! window.

mod card;
mod files;
mod notice;
mod shapes;

pub use notice::Notice;

use egui::{Label, Rect, RichText, Stroke, StrokeKind};

use crate::session::Command;

use super::widgets::{CancelButton, progress_ui, text};
use super::{UiState, WindowView, theme};

use card::card_ui;

/// Shows the notice, if there is one, and the drop hint.
pub(super) fn notices_ui(
    ui: &mut egui::Ui,
    viewport: Rect,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    match view.notice {
        Notice::Idle => files::file_notice_ui(ui, viewport, view.document, commands),
        Notice::Loading { name, stage, fraction } => {
            // Before the first report of the job there is no stage.
            let name = text::shown(name);
            let text = if stage.is_empty() { format!("Opening {name}") } else { format!("Opening {name}: {stage}") };
            busy_ui(ui, viewport, &text, *fraction, Some(Command::CancelLoad), commands);
        }
        Notice::ContactSheet { done, total } if done == total => {
            busy_ui(ui, viewport, "Writing the contact sheet", 1.0, None, commands);
        }
        Notice::ContactSheet { done, total } => {
            let text = format!("Contact sheet: picture {done} of {total}");
            let fraction = *done as f32 / *total as f32;
            busy_ui(ui, viewport, &text, fraction, Some(Command::CancelSheet), commands);
        }
        Notice::MatchShapes { files } => shapes::shape_import_ui(ui, viewport, files, &mut state.matching, commands),
        Notice::Info { title, message } => message_ui(ui, viewport, (title, theme::TEXT), message, commands),
        Notice::Failure { title, message } => message_ui(ui, viewport, (title, theme::ERROR), message, commands),
    }
    if view.is_file_hovering {
        drop_hint_ui(ui, viewport);
    }
}

fn busy_ui(
    ui: &mut egui::Ui,
    viewport: Rect,
    text: &str,
    fraction: f32,
    cancel: Option<Command>,
    commands: &mut Vec<Command>,
) {
    let stop = if cancel.is_some() { CancelButton::Enabled } else { CancelButton::Hidden };
    card_ui(ui, viewport, 440.0, |ui| {
        if progress_ui(ui, text, fraction, stop) {
            commands.extend(cancel);
        }
    });
}

fn message_ui(
    ui: &mut egui::Ui,
    viewport: Rect,
    (title, color): (&str, egui::Color32),
    message: &str,
    commands: &mut Vec<Command>,
) {
    card_ui(ui, viewport, 560.0, |ui| {
        let title = text::shown_message(title);
        ui.add(Label::new(RichText::new(&title).color(color).strong()).wrap());
        egui::ScrollArea::vertical().max_height(180.0).show(ui, |ui| {
            ui.add(Label::new(text::shown_message(message)).selectable(true).wrap());
        });
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal(|ui| {
            if ui.button("Dismiss").clicked() {
                commands.push(Command::DismissNotice);
            }
            if ui.button("Copy").clicked() {
                ui.copy_text(format!("{title}: {message}"));
            }
        });
    });
}

fn drop_hint_ui(ui: &egui::Ui, viewport: Rect) {
    let painter = ui.painter();
    painter.rect_filled(viewport, 0.0, theme::DROP_OVERLAY);
    let frame = viewport.shrink(theme::GAP_LARGE);
    painter.rect_stroke(frame, theme::ROUNDING_LARGE, Stroke::new(2.0, theme::ACCENT_BRIGHT), StrokeKind::Inside);
    let text = "Drop a head, project, take or pose file to open it";
    painter.text(viewport.center(), egui::Align2::CENTER_CENTER, text, theme::hint_font(), theme::TEXT);
}
