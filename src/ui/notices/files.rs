//! Notices about unsaved work of an earlier run, and about a project whose head does not open.

use egui::{Label, Rect, RichText};

use crate::document::{DocumentStatus, MissingHead, UnsavedWork};
use crate::session::Command;
use crate::ui::theme;
use crate::ui::widgets::text;

use super::card::card_ui;

/// Shows the more important of the two, if any.
pub(super) fn file_notice_ui(ui: &mut egui::Ui, free: &mut Rect, files: &DocumentStatus, commands: &mut Vec<Command>) {
    if let Some(missing) = &files.missing_head {
        missing_head_ui(ui, free, missing, commands);
    } else if let Some(work) = &files.unsaved_work {
        unsaved_work_ui(ui, free, work, commands);
    }
}

fn missing_head_ui(ui: &mut egui::Ui, free: &mut Rect, missing: &MissingHead, commands: &mut Vec<Command>) {
    card_ui(ui, free, 560.0, |ui| {
        let title = format!("Cannot open the head of {}", text::shown(&missing.project));
        ui.add(Label::new(RichText::new(title).color(theme::ERROR).strong()).wrap());
        ui.add(Label::new(text::shown_message(&missing.problem)).selectable(true).wrap());
        ui.add(Label::new("Locate the head's file to open the project.").wrap());
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal(|ui| {
            for (text, command) in [("Locate…", Command::LocateHead), ("Dismiss", Command::DismissNotice)] {
                if ui.button(text).clicked() {
                    commands.push(command);
                }
            }
        });
    });
}

fn unsaved_work_ui(ui: &mut egui::Ui, free: &mut Rect, work: &UnsavedWork, commands: &mut Vec<Command>) {
    card_ui(ui, free, 560.0, |ui| {
        let text = format!("Unsaved work on {} from {}.", text::shown(&work.name), work.age);
        ui.add(Label::new(text).wrap());
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal(|ui| {
            for (text, command) in [("Restore", Command::RestoreWork), ("Discard", Command::DiscardWork)] {
                if ui.button(text).clicked() {
                    commands.push(command);
                }
            }
            if work.more > 0 {
                ui.colored_label(theme::TEXT_WEAK, format!("{} more", work.more));
            }
        });
    });
}
