//! The list of shortcuts and mouse gestures, shown over the window, in groups and with a search.

use egui::{Align, Grid, Id, Layout, Modal, ScrollArea, TextEdit};

use smirk_base::names::Search;

use crate::channels::legend_ui;
use crate::context::PanelContext;
use crate::shortcuts::{MOUSE, SHORTCUTS};
use crate::theme;

/// Wide enough for the longest rows of both columns. In a narrower window, one is below the other.
const WIDTH: f32 = 1136.0;

/// A row: its group, the keys or the gesture, and what they do.
type Row = (&'static str, String, &'static str);

/// Shows the list if it is open.
pub(crate) fn shortcuts_overlay_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    if !cx.state.shortcuts_open {
        cx.state.shortcuts_search.clear();
        return;
    }
    let window = ui.ctx().content_rect();
    let (width, height) = (WIDTH.min(window.width() - 72.0), window.height() - 140.0);
    let modal = Modal::new(Id::unique("shortcuts")).frame(theme::card().inner_margin(20)).show(ui.ctx(), |ui| {
        ui.set_width(width);
        let closed = ui.horizontal(|ui| {
            ui.heading("Keys and mouse");
            ui.add_space(theme::GAP_LARGE);
            let field = TextEdit::singleline(&mut cx.state.shortcuts_search).hint_text("Search").desired_width(220.0);
            ui.add(field).accessible_name("Search keys and mouse");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.button("Close").clicked()).inner
        });
        ui.add_space(theme::GAP);
        let search = Search::new(&cx.state.shortcuts_search);
        let is_found = |(group, keys, text): &Row| search.finds(&format!("{group} {keys} {text}"));
        let mouse = MOUSE.iter().map(|&(group, gesture, text)| (group, gesture.to_owned(), text));
        let keys: Vec<Row> = keys().into_iter().filter(is_found).collect();
        let mouse: Vec<Row> = mouse.filter(is_found).collect();
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
            if keys.is_empty() && mouse.is_empty() {
                ui.weak("No key and no gesture matches.");
            } else if width < WIDTH {
                mouse_and_legend_ui(ui, &mouse, search.is_empty());
                table_ui(ui, "keys", &keys);
            } else {
                ui.columns_const(|[left, right]| {
                    table_ui(left, "keys", &keys);
                    mouse_and_legend_ui(right, &mouse, search.is_empty());
                });
            }
        });
        closed.inner
    });
    if modal.inner || modal.should_close() {
        cx.state.shortcuts_open = false;
    }
}

fn mouse_and_legend_ui(ui: &mut egui::Ui, mouse: &[Row], has_legend: bool) {
    table_ui(ui, "mouse", mouse);
    if has_legend {
        ui.strong("What drives a row");
        ui.add_space(theme::GAP_SMALL);
        legend_ui(ui);
        ui.add_space(theme::GAP_LARGE);
    }
}

/// Shows rows below the names of their groups. Rows of one group are together.
fn table_ui(ui: &mut egui::Ui, name: &str, rows: &[Row]) {
    ui.spacing_mut().interact_size.y = 18.0;
    for of_group in rows.chunk_by(|(group, ..), (other, ..)| group == other) {
        let group = of_group.first().map_or("", |(group, ..)| *group);
        ui.strong(group);
        ui.add_space(theme::GAP_SMALL);
        Grid::new((name, group)).num_columns(2).spacing([theme::GAP_LARGE, theme::GAP_SMALL]).show(ui, |ui| {
            for (_, keys, text) in of_group {
                ui.colored_label(theme::ACCENT_BRIGHT, keys);
                ui.label(*text);
                ui.end_row();
            }
        });
        ui.add_space(theme::GAP_LARGE);
    }
}

/// One row per action, with all of its keys, group by group.
fn keys() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut groups: Vec<&str> = Vec::new();
    for (index, first) in SHORTCUTS.iter().enumerate() {
        if SHORTCUTS[..index].iter().any(|other| other.action == first.action) {
            continue;
        }
        let same = SHORTCUTS.iter().filter(|other| other.action == first.action);
        let keys = same.map(|shortcut| shortcut.keys).collect::<Vec<_>>().join(", ");
        rows.push((first.action.group(), keys, first.text));
        if !groups.contains(&first.action.group()) {
            groups.push(first.action.group());
        }
    }
    rows.sort_by_key(|(group, ..)| groups.iter().position(|other| other == group));
    rows
}
