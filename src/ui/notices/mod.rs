//! What lies on the picture while a file is read, when there is something to say of one, and while one hovers the window.

mod card;
mod files;
mod shapes;

use egui::{Label, Rect, RichText, Stroke, StrokeKind};

use crate::document::Notice;
use crate::session::Command;

use super::widgets::{Stop, progress_ui};
use super::{UiState, WindowView, theme};

use card::card_ui;

/// Progress, failure or drop hint, as there is one.
pub fn notices_ui(
    ui: &mut egui::Ui,
    picture: Rect,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    match view.loading {
        Notice::Idle => files::files_card_ui(ui, picture, view.files, commands),
        Notice::Busy { name, stage, fraction } => {
            let text = format!("Opening {name}: {stage}");
            busy_ui(ui, picture, &text, *fraction, Some(Command::CancelLoad), commands);
        }
        Notice::Sheet { done, total } if done == total => {
            busy_ui(ui, picture, "Writing the contact sheet", 1.0, None, commands);
        }
        Notice::Sheet { done, total } => {
            let text = format!("Contact sheet: picture {done} of {total}");
            let fraction = *done as f32 / *total as f32;
            busy_ui(ui, picture, &text, fraction, Some(Command::CancelSheet), commands);
        }
        Notice::Shapes { files } => shapes::shapes_card_ui(ui, picture, files, &mut state.matching, commands),
        Notice::Told { title, message } => told_ui(ui, picture, (title, theme::TEXT), message, commands),
        Notice::Failed { title, message } => told_ui(ui, picture, (title, theme::ERROR), message, commands),
    }
    if view.hovering_file {
        drop_hint(ui, picture);
    }
}

fn busy_ui(
    ui: &mut egui::Ui,
    picture: Rect,
    text: &str,
    fraction: f32,
    cancel: Option<Command>,
    commands: &mut Vec<Command>,
) {
    let stop = if cancel.is_some() { Stop::Can } else { Stop::Cannot };
    card_ui(ui, picture, 440.0, |ui| {
        if progress_ui(ui, text, fraction, stop) {
            commands.extend(cancel);
        }
    });
}

fn told_ui(
    ui: &mut egui::Ui,
    picture: Rect,
    (title, color): (&str, egui::Color32),
    message: &str,
    commands: &mut Vec<Command>,
) {
    card_ui(ui, picture, 560.0, |ui| {
        ui.add(Label::new(RichText::new(title).color(color).strong()).wrap());
        egui::ScrollArea::vertical().max_height(180.0).show(ui, |ui| {
            ui.add(Label::new(message).selectable(true).wrap());
        });
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal(|ui| {
            if ui.button("Dismiss").clicked() {
                commands.push(Command::DismissFailure);
            }
            if ui.button("Copy").clicked() {
                ui.copy_text(format!("{title}: {message}"));
            }
        });
    });
}

fn drop_hint(ui: &egui::Ui, picture: Rect) {
    let painter = ui.painter();
    painter.rect_filled(picture, 0.0, theme::DROP_VEIL);
    let frame = picture.shrink(theme::GAP_LARGE);
    painter.rect_stroke(frame, theme::ROUNDING_LARGE, Stroke::new(2.0, theme::ACCENT_BRIGHT), StrokeKind::Inside);
    let text = "Drop a head, a project, a capture or poses to open it";
    painter.text(picture.center(), egui::Align2::CENTER_CENTER, text, theme::hint_font(), theme::TEXT);
}
