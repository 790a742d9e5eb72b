//! Notices about unsaved work of an earlier run, and about a project whose head does not open.

use egui::{Align, Label, Layout, Rect, RichText};

use crate::theme;
use crate::widgets::text;
use smirk_base::date::{age_text, now_unix_secs};
use smirk_editor::document::{DocumentStatus, MissingHead, WorkHint};
use smirk_editor::session::{Command, WorkCommand};

use super::card::card_ui;

/// Shows the more important of the two, if any.
pub(super) fn file_notice_ui(ui: &mut egui::Ui, free: &mut Rect, files: &DocumentStatus, commands: &mut Vec<Command>) {
    if let Some(missing) = &files.missing_head {
        missing_head_ui(ui, free, missing, commands);
    } else if let Some(hint) = &files.work_hint {
        work_hint_ui(ui, free, hint, commands);
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

/// The least width of a notice in which text and buttons share a line.
const LEAST_WIDTH_OF_LINE: f32 = 460.0;

fn work_hint_ui(ui: &mut egui::Ui, free: &mut Rect, hint: &WorkHint, commands: &mut Vec<Command>) {
    card_ui(ui, free, 640.0, |ui| {
        let restore = match hint {
            WorkHint::Earlier { newest, count: 1 } => Some(("Restore", WorkCommand::Restore(newest.id))),
            WorkHint::Earlier { newest, .. } => Some(("Restore newest", WorkCommand::Restore(newest.id))),
            WorkHint::SetAside(_) => None,
        };
        let others = [("Recover work…", WorkCommand::List), ("Later", WorkCommand::DismissNotice)];
        let text = hint_text(hint);
        let is_narrow = ui.available_width() < LEAST_WIDTH_OF_LINE;
        if is_narrow {
            ui.add(Label::new(&text).wrap());
        }
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                // From right to left.
                for (label, command) in others.into_iter().rev().chain(restore) {
                    if ui.button(label).clicked() {
                        commands.push(Command::Work(command));
                    }
                }
                if !is_narrow {
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.add(Label::new(&text).truncate()).on_hover_text(&text);
                    });
                }
            });
        });
    });
}

fn hint_text(hint: &WorkHint) -> String {
    match hint {
        WorkHint::SetAside(name) => {
            format!("Your unsaved work on {} was set aside. File › Recover work… lists it.", text::shown(name))
        }
        WorkHint::Earlier { newest, count } => {
            let age = age_text(newest.written_unix_secs, now_unix_secs());
            let from = age.map(|age| format!(" from {age}")).unwrap_or_default();
            match count {
                1 => format!("Unsaved work on {}{from}.", text::shown(&newest.name)),
                _ => format!(
                    "Unsaved work of {count} earlier sessions. The newest is on {}{from}.",
                    text::shown(&newest.name)
                ),
            }
        }
    }
}
