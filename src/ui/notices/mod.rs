//! Notices at the top of the viewport: progress, messages, questions, and the hint while a file is dragged over the
//! window.

mod card;
mod files;
mod notice;
mod shapes;

pub use notice::{Notice, SheetStatus};

use egui::{Label, Rect, RichText, Stroke, StrokeKind};

use smirk_editor::session::Command;

use super::export::running_ui;
use super::widgets::{CancelButton, progress_ui, text};
use super::{Page, UiState, WindowView, theme};

use card::card_ui;

/// Shows the notice, if there is one, and the drop hint.
pub(super) fn notices_ui(
    ui: &mut egui::Ui,
    viewport: Rect,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    let mut free = viewport;
    let free = &mut free;
    match view.notice {
        Notice::Idle => files::file_notice_ui(ui, free, view.document, commands),
        Notice::Loading { name, stage, fraction } => {
            // Before the first report of the job there is no stage.
            let name = text::shown(name);
            let text = if stage.is_empty() { format!("Opening {name}") } else { format!("Opening {name}: {stage}") };
            busy_ui(ui, free, &text, *fraction, Some(Command::CancelLoad), commands);
        }
        Notice::Drawing { name, fraction } => {
            busy_ui(ui, free, &format!("Drawing {}", text::shown(name)), *fraction, None, commands);
        }
        Notice::MatchShapes { files } => shapes::shape_import_ui(ui, free, files, &mut state.matching, commands),
        Notice::Info { title, message } => message_ui(ui, free, (title, theme::TEXT), message, commands),
        Notice::Failure { title, message } => message_ui(ui, free, (title, theme::ERROR), message, commands),
    }
    if let Some(sheet) = view.sheet {
        sheet_ui(ui, free, sheet, commands);
    }
    // The page shows it too, if it is on screen.
    if let Some(export) = view.export.running.as_ref().filter(|_| !state.shows_page(Page::Export)) {
        card_ui(ui, free, 440.0, |ui| running_ui(ui, export, commands));
    }
    if view.is_file_hovering {
        drop_hint_ui(ui, viewport);
    }
}

fn sheet_ui(ui: &mut egui::Ui, free: &mut Rect, sheet: SheetStatus, commands: &mut Vec<Command>) {
    let waiting = match sheet.waiting {
        0 => String::new(),
        waiting => format!(" · {waiting} more to draw"),
    };
    match sheet.drawing {
        Some((done, total)) => {
            let text = format!("Contact sheet: picture {done} of {total}{waiting}");
            busy_ui(ui, free, &text, done as f32 / total as f32, Some(Command::CancelSheet), commands);
        }
        None => busy_ui(ui, free, &format!("Writing the contact sheet{waiting}"), 1.0, None, commands),
    }
}

fn busy_ui(
    ui: &mut egui::Ui,
    free: &mut Rect,
    text: &str,
    fraction: f32,
    cancel: Option<Command>,
    commands: &mut Vec<Command>,
) {
    let stop = if cancel.is_some() { CancelButton::Enabled } else { CancelButton::Hidden };
    card_ui(ui, free, 440.0, |ui| {
        if progress_ui(ui, text, fraction, stop) {
            commands.extend(cancel);
        }
    });
}

fn message_ui(
    ui: &mut egui::Ui,
    free: &mut Rect,
    (title, color): (&str, egui::Color32),
    message: &str,
    commands: &mut Vec<Command>,
) {
    card_ui(ui, free, 560.0, |ui| {
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
    let text = "Drop a head, project, take, pose or reference image to open it";
    painter.text(viewport.center(), egui::Align2::CENTER_CENTER, text, theme::hint_font(), theme::TEXT);
}
