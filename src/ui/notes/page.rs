//! The Notes page: the list of review notes, and what is done with it as a whole.

use std::collections::HashMap;

use egui::{Button, TextEdit};

use super::card::Before;
use super::{MOST, add_here, listed};
use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::notes_state::NoteFilter;
use crate::shortcuts::{Action, keys_of};
use crate::theme;
use crate::widgets::{close_row_ui, text};
use smirk_export::ExportRequest;
use smirk_session::{NoteId, SheetOf};

#[derive(Default)]
pub(crate) struct NotesPage {
    /// The replies that are being typed.
    pub(super) replies: HashMap<NoteId, String>,
    pub(super) before: Option<Before>,
}

impl std::fmt::Debug for NotesPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NotesPage").field("replies", &self.replies).finish_non_exhaustive()
    }
}

impl NotesPage {
    /// What stays above the list while that is scrolled.
    pub(crate) fn head_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        commands_ui(ui, cx);
        let open = cx.session.edits.open_notes();
        let all = cx.session.edits.notes.len();
        close_row_ui(ui, |ui| {
            for ((filter, name), count) in NoteFilter::ALL.into_iter().zip([open, all - open, all]) {
                let tab = Button::selectable(cx.state.notes.filter == filter, format!("{name} {count}"));
                if ui.add(tab.frame_when_inactive(true)).accessible_name(format!("{name} notes")).clicked() {
                    cx.state.notes.filter = filter;
                    cx.state.notes.selected = None;
                }
            }
        });
        ui.add_space(theme::GAP_SMALL);
    }

    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let all = cx.session.edits.notes.len();
        cx.state.thumbnail_textures.remove_outdated(cx.readings.thumbnails_of(&cx.session.head));
        let notes = listed(cx.session, &cx.state.notes);
        if notes.is_empty() {
            ui.weak(match (all, cx.state.notes.filter) {
                (0, _) => "No notes yet. Add one on what you see: on the face, a channel, a frame or a finding.",
                (_, NoteFilter::Done) => "No note is done.",
                _ => "No note is open.",
            });
        }
        let count = notes.len();
        let selected = cx.state.notes.selected;
        let shown = notes.into_iter().enumerate().filter(|(at, note)| *at < MOST || selected == Some(note.id));
        for (_, note) in shown {
            self.card_ui(ui, cx, &note);
            ui.add_space(theme::GAP_SMALL);
        }
        if count > MOST {
            ui.weak(format!("… and {}. An export has all of them.", text::counted(count - MOST, "more note")));
        }
        ui.add_space(theme::GAP);
        author_ui(ui, cx);
    }
}

fn commands_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    close_row_ui(ui, |ui| {
        // All four fit the narrowest panel.
        ui.spacing_mut().button_padding.x = 5.0;
        let add = ui.button("Add note").on_hover_text(format!(
            "A note on what is seen now, at the play head ({}, also with the pointer on a channel)",
            keys_of(Action::AddNote)
        ));
        if add.clicked() {
            add_here(cx);
        }
        let import = ui.button("Import…").accessible_name("Import notes");
        if import.on_hover_text("Take over the notes, replies and states of others from a .csv").clicked() {
            cx.commands.push(Command::Choose(OpenAs::Notes));
        }
        let has_notes = !cx.session.edits.notes.is_empty();
        let export = ui.add_enabled(has_notes, Button::new("Export…")).accessible_name("Export notes");
        let tip = "One page with pictures (.html), Markdown (.md), a table (.csv) or .json, as the name ends";
        if export.on_hover_text(tip).clicked() {
            cx.commands.push(Command::ExportNotes);
        }
        let sheet = ui.add_enabled(has_notes, Button::new("Sheet…")).accessible_name("Sheet of notes");
        if sheet.on_hover_text("A contact sheet with the face of each note, its number and its text").clicked() {
            cx.commands.push(Command::Export(ExportRequest::of_sheet(SheetOf::Notes)));
        }
    });
}

fn author_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    ui.horizontal(|ui| {
        ui.weak("Your name");
        let field = TextEdit::singleline(&mut cx.state.author).char_limit(80).desired_width(160.0);
        let field = field.hint_text(crate::state::login_name());
        ui.add(field).accessible_name("Your name").on_hover_text("The author of new notes and replies");
    });
}
