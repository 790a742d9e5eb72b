//! The right panel: Poses, Motion, Look, Readout and Notes, one at a time.

use egui::{Button, ScrollArea};

use crate::head::{Head, Level};
use crate::session::{Command, Session};

use super::{Page, UiState, WindowView, look, motion, notes, poses, readout, theme};

/// Everything in the panel.
pub fn side_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    tabs_ui(ui, &session.head, &mut state.panels.page);
    ui.add_space(theme::GAP);
    // Lays out only the cards in sight, so it scrolls by itself.
    if state.panels.page == Page::Poses {
        return poses::poses_ui(ui, session, state, view, commands);
    }
    ScrollArea::vertical().id_salt(state.panels.page as u8).auto_shrink(false).show(ui, |ui| match state.panels.page {
        Page::Poses => {}
        Page::Motion => motion::motion_ui(ui, session, state, view.files, commands),
        Page::Look => look::look_ui(ui, &session.head, &mut session.edits.look, state),
        Page::Readout => readout::readout_ui(ui, session, view.readout, &session.weights(), commands),
        Page::Notes => notes::notes_ui(ui, &session.head),
    });
}

fn tabs_ui(ui: &mut egui::Ui, head: &Head, chosen: &mut Page) {
    let tabs = [
        (Page::Poses, "Poses"),
        (Page::Motion, "Motion"),
        (Page::Look, "Look"),
        (Page::Readout, "Readout"),
        (Page::Notes, "Notes"),
    ];
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        // All of them must fit the narrowest panel.
        ui.spacing_mut().button_padding.x = 5.0;
        for (page, name) in tabs {
            let tab = Button::selectable(*chosen == page, name);
            let response = ui.add(tab.min_size(egui::vec2(0.0, theme::BAR_HEIGHT)));
            if response.clicked() {
                *chosen = page;
            }
            if page == Page::Notes && !head.notes.is_empty() {
                let is_bad = head.notes.iter().any(|note| note.level == Level::Warning);
                let color = if is_bad { theme::WARNING } else { theme::ACCENT_BRIGHT };
                ui.painter().circle_filled(response.rect.right_top() + egui::vec2(-2.0, 5.0), 2.5, color);
                response.on_hover_text(format!("{} about the file", head.notes.len()));
            }
        }
    });
}
