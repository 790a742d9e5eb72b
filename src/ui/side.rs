//! The right panel: Motion, Look, Readout and Notes, one at a time.

use egui::{Button, ScrollArea};

use crate::motion::Mix;
use crate::session::{Command, Session};

use super::{Page, UiState, WindowView, look, motion, notes, readout, theme};

/// Everything in the panel.
pub fn side_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    mix: &Mix,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        // Five tabs in 272 points.
        ui.spacing_mut().item_spacing.x = 1.0;
        ui.spacing_mut().button_padding.x = 6.0;
        let notes = match session.head.notes.len() {
            0 => "Notes".to_owned(),
            count => format!("Notes {count}"),
        };
        for (page, name) in
            [(Page::Motion, "Motion"), (Page::Look, "Look"), (Page::Readout, "Readout"), (Page::Notes, &notes)]
        {
            let tab = Button::selectable(state.panels.page == page, name);
            if ui.add(tab.min_size(egui::vec2(0.0, theme::BAR_HEIGHT))).clicked() {
                state.panels.page = page;
            }
        }
    });
    ui.add_space(theme::GAP);
    ScrollArea::vertical().id_salt(state.panels.page as u8).auto_shrink(false).show(ui, |ui| match state.panels.page {
        Page::Motion => motion::motion_ui(ui, session, state, commands),
        Page::Look => look::look_ui(ui, &mut session.edits.look, state),
        Page::Readout => readout::readout_ui(ui, session, view.readout, &mix.weights, commands),
        Page::Notes => notes::notes_ui(ui, &session.head),
    });
}
