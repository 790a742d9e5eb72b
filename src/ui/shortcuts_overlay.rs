//! The list of shortcuts and mouse gestures, shown over the window.

use egui::{Align, Grid, Id, Layout, Modal, ScrollArea};

use crate::channels::legend_ui;
use crate::context::PanelContext;
use crate::shortcuts::{MOUSE, SHORTCUTS};
use crate::theme;

/// Wide enough for the longest rows of both columns. In a narrower window, one is below the other.
const WIDTH: f32 = 1136.0;

/// Shows the list if it is open.
pub(crate) fn shortcuts_overlay_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    if !cx.state.shortcuts_open {
        return;
    }
    let window = ui.ctx().content_rect();
    let (width, height) = (WIDTH.min(window.width() - 72.0), window.height() - 140.0);
    let modal = Modal::new(Id::unique("shortcuts")).frame(theme::card().inner_margin(20)).show(ui.ctx(), |ui| {
        ui.set_width(width);
        let closed = ui.horizontal(|ui| {
            ui.heading("Keys and mouse");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.button("Close").clicked()).inner
        });
        ui.add_space(theme::GAP);
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
            if width < WIDTH {
                mouse_and_legend_ui(ui);
                ui.add_space(theme::GAP_LARGE);
                table_ui(ui, "keys", keys());
            } else {
                ui.columns_const(|[left, right]| {
                    table_ui(left, "keys", keys());
                    mouse_and_legend_ui(right);
                });
            }
        });
        closed.inner
    });
    if modal.inner || modal.should_close() {
        cx.state.shortcuts_open = false;
    }
}

fn mouse_and_legend_ui(ui: &mut egui::Ui) {
    table_ui(ui, "mouse", MOUSE.iter().map(|&(gesture, text)| (gesture.to_owned(), text)));
    ui.add_space(theme::GAP_LARGE);
    ui.strong("What drives a row");
    ui.add_space(theme::GAP_SMALL);
    legend_ui(ui);
}

fn table_ui<'a>(ui: &mut egui::Ui, name: &str, rows: impl Iterator<Item = (String, &'a str)>) {
    ui.spacing_mut().interact_size.y = 18.0;
    Grid::new(name).num_columns(2).spacing([theme::GAP_LARGE, theme::GAP_SMALL]).show(ui, |ui| {
        for (keys, text) in rows {
            ui.colored_label(theme::ACCENT_BRIGHT, keys);
            ui.label(text);
            ui.end_row();
        }
    });
}

/// One row per action, with all of its keys.
fn keys() -> impl Iterator<Item = (String, &'static str)> {
    let is_first = |index: usize| !SHORTCUTS[..index].iter().any(|other| other.action == SHORTCUTS[index].action);
    SHORTCUTS.iter().enumerate().filter(move |&(index, _)| is_first(index)).map(|(_, first)| {
        let same = SHORTCUTS.iter().filter(|other| other.action == first.action);
        (same.map(|shortcut| shortcut.keys).collect::<Vec<_>>().join(", "), first.text)
    })
}
