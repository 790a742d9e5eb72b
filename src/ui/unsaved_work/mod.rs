//! The list of unsaved work: what earlier runs of the program left, and the trash.

mod pictures;
mod row;
mod state;

pub use state::WorkList;

use egui::{Align, Id, Label, Layout, Modal, RichText, ScrollArea};

use smirk_editor::document::{RecoveryFolder, UnsavedWork};
use smirk_editor::session::{Command, WorkCommand};

use super::widgets::text::counted;
use super::{UiState, WindowView, theme};
use row::row_ui;
use state::Question;

/// Shows the list over the window if it is open.
pub(super) fn unsaved_work_ui(ui: &egui::Ui, state: &mut UiState, view: &WindowView<'_>, commands: &mut Vec<Command>) {
    if !state.work_list.is_open {
        return;
    }
    let list = &mut state.work_list;
    let size = ui.ctx().content_rect().size();
    let modal = Modal::new(Id::unique("unsaved work")).frame(theme::card().inner_margin(20)).show(ui.ctx(), |ui| {
        ui.set_width(840.0_f32.min(size.x - 80.0));
        let is_closed = ui.horizontal(|ui| {
            ui.heading("Recover work");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.button("Close").clicked()).inner
        });
        ui.add_space(theme::GAP);
        if let Some(problem) = &list.problem {
            ui.add(Label::new(RichText::new(problem).color(theme::ERROR)).selectable(true).wrap());
            ui.add_space(theme::GAP);
        }
        ScrollArea::vertical().max_height(size.y - 180.0).show(ui, |ui| {
            ui.set_width(ui.available_width());
            list_ui(ui, list, view, commands);
        });
        is_closed.inner
    });
    if modal.inner || modal.should_close() {
        state.work_list.close();
    }
}

fn list_ui(ui: &mut egui::Ui, list: &mut WorkList, view: &WindowView<'_>, commands: &mut Vec<Command>) {
    let (trash, works): (Vec<&UnsavedWork>, Vec<&UnsavedWork>) =
        view.document.works.iter().partition(|work| list.is_in_trash_section(work));
    if works.is_empty() {
        ui.add(Label::new("There is no unsaved work.").wrap());
        note_ui(ui, "If Smirk ends before you have saved, you find your work here at the next start.");
    } else {
        note_ui(ui, "Work that was never saved. It stays here until you restore it or move it to the trash.");
    }
    for work in works {
        row_ui(ui, list, work, commands);
    }
    if view.document.works_in_use > 0 {
        let text = format!("{} more in use by other windows of Smirk.", view.document.works_in_use);
        note_ui(ui, &text);
    }
    if !trash.is_empty() {
        ui.add_space(theme::GAP_LARGE);
        trash_ui(ui, list, &trash, commands);
    }
}

fn trash_ui(ui: &mut egui::Ui, list: &mut WorkList, trash: &[&UnsavedWork], commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.strong("Trash");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if list.question == Some(Question::EmptyTrash) {
                if ui.button("Keep").clicked() {
                    list.question = None;
                }
                let text = format!("Delete {} for good", counted(trash.len(), "work"));
                if ui.button(RichText::new(text).color(theme::ERROR)).clicked() {
                    list.question = None;
                    commands.push(Command::Work(WorkCommand::EmptyTrash));
                }
            } else if ui.button("Empty trash…").clicked() {
                list.question = Some(Question::EmptyTrash);
            }
        });
    });
    let (works, mega_bytes) = (RecoveryFolder::TRASH_WORKS, RecoveryFolder::TRASH_BYTES >> 20);
    note_ui(
        ui,
        &format!("Keeps the last {works} works, at most {mega_bytes} MB. Beyond that, the oldest are deleted."),
    );
    for work in trash {
        row_ui(ui, list, work, commands);
    }
}

fn note_ui(ui: &mut egui::Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).color(theme::TEXT_WEAK)).wrap());
    ui.add_space(theme::GAP_SMALL);
}
