//! What lies on the picture while a file is read, when there is something to say of one, and while one hovers the window.

use egui::{Label, Rect, RichText, Stroke, StrokeKind, UiBuilder, pos2};

use crate::readout::Loading;
use crate::session::Command;

use super::progress::{Stop, progress_ui};
use super::{UiState, WindowView, files_card, shapes_card, theme};

/// Progress, failure or drop hint, as there is one.
pub fn loading_ui(
    ui: &mut egui::Ui,
    picture: Rect,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    match view.loading {
        Loading::Idle => files_card::files_card_ui(ui, picture, view.files, commands),
        Loading::Busy { name, stage, fraction } => {
            let text = format!("Opening {name}: {stage}");
            busy_ui(ui, picture, &text, *fraction, Some(Command::CancelLoad), commands);
        }
        Loading::Sheet { done, total } if done == total => {
            busy_ui(ui, picture, "Writing the contact sheet", 1.0, None, commands);
        }
        Loading::Sheet { done, total } => {
            let text = format!("Contact sheet: picture {done} of {total}");
            let fraction = *done as f32 / *total as f32;
            busy_ui(ui, picture, &text, fraction, Some(Command::CancelSheet), commands);
        }
        Loading::Shapes { files } => shapes_card::shapes_card_ui(ui, picture, files, &mut state.matching, commands),
        Loading::Told { title, message } => told_ui(ui, picture, (title, theme::TEXT), message, commands),
        Loading::Failed { title, message } => told_ui(ui, picture, (title, theme::ERROR), message, commands),
    }
    if view.hovering_file {
        drop_hint(ui, picture);
    }
}

/// A card at the top of the picture.
pub(super) fn card_ui(ui: &mut egui::Ui, picture: Rect, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let width = width.min(picture.width() - 2.0 * theme::GAP_LARGE).max(160.0);
    let min = pos2((picture.center().x - width / 2.0).round(), picture.top() + theme::GAP_LARGE);
    let area = Rect::from_min_max(min, pos2(min.x + width, picture.bottom() - 64.0));
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("loading"));
    theme::card().show(&mut child, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
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
