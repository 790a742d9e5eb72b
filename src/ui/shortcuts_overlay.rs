//! The list of keys and mouse gestures that covers the window on request.

use egui::{Align, Grid, Id, Layout, Modal, ScrollArea};

use super::shortcuts::{MOUSE, SHORTCUTS};
use super::{UiState, theme};

/// Shows it while it is open.
pub fn shortcuts_overlay_ui(ui: &mut egui::Ui, state: &mut UiState) {
    if !state.shortcuts_open {
        return;
    }
    let height = ui.ctx().content_rect().height() - 160.0;
    let modal = Modal::new(Id::unique("shortcuts")).frame(theme::card().inner_margin(20)).show(ui.ctx(), |ui| {
        ui.set_width(640.0);
        let closed = ui.horizontal(|ui| {
            ui.heading("Keys and mouse");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.button("Close").clicked()).inner
        });
        ui.add_space(theme::GAP);
        ScrollArea::vertical().max_height(height).show(ui, |ui| {
            ui.columns_const(|[left, right]| {
                table_ui(left, "keys", SHORTCUTS.iter().map(|shortcut| (shortcut.keys, shortcut.text)));
                table_ui(right, "mouse", MOUSE.iter().copied());
            });
        });
        closed.inner
    });
    if modal.inner || modal.should_close() {
        state.shortcuts_open = false;
    }
}

fn table_ui<'a>(ui: &mut egui::Ui, name: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    Grid::new(name).num_columns(2).spacing([theme::GAP_LARGE, theme::GAP_SMALL]).show(ui, |ui| {
        for (keys, text) in rows {
            ui.colored_label(theme::ACCENT_BRIGHT, keys);
            ui.label(text);
            ui.end_row();
        }
    });
}
