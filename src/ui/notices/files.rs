//! What lies on the picture when an earlier run left work, or a project its head.

use egui::{Label, Rect, RichText};

use crate::document::{DocumentStatus, MissingHead, UnsavedWork};
use crate::session::Command;
use crate::ui::theme;

use super::card::card_ui;

/// The one card that matters most, if any.
pub fn files_card_ui(ui: &mut egui::Ui, picture: Rect, files: &DocumentStatus, commands: &mut Vec<Command>) {
    if let Some(missing) = &files.missing_head {
        missing_head_ui(ui, picture, missing, commands);
    } else if let Some(work) = &files.unsaved_work {
        unsaved_work_ui(ui, picture, work, commands);
    }
}

fn missing_head_ui(ui: &mut egui::Ui, picture: Rect, missing: &MissingHead, commands: &mut Vec<Command>) {
    card_ui(ui, picture, 560.0, |ui| {
        let title = format!("The head of {} does not open", missing.project);
        ui.add(Label::new(RichText::new(title).color(theme::ERROR).strong()).wrap());
        ui.add(Label::new(&missing.problem).selectable(true).wrap());
        ui.add(Label::new("The rest of the project waits. Show Smirk where the head is now, and it opens.").wrap());
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal(|ui| {
            for (text, command) in [("Find it…", Command::LocateHead), ("Dismiss", Command::DismissFailure)] {
                if ui.button(text).clicked() {
                    commands.push(command);
                }
            }
        });
    });
}

fn unsaved_work_ui(ui: &mut egui::Ui, picture: Rect, work: &UnsavedWork, commands: &mut Vec<Command>) {
    card_ui(ui, picture, 560.0, |ui| {
        let text = format!("Work from {} on {} was not saved.", work.age, work.name);
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
