//! The list of shortcuts and mouse gestures, in groups.

use egui::Grid;

use smirk_base::names::Search;

use crate::channels::legend_ui;
use crate::shortcuts::{MOUSE, SHORTCUTS};
use crate::theme;

/// A row: its group, the keys or the gesture, and what they do.
type Row = (&'static str, String, &'static str);

/// Shows what a search finds. Where there is room, keys and mouse are beside each other.
pub(super) fn shortcuts_ui(ui: &mut egui::Ui, search: &Search, has_room: bool) {
    let mouse = MOUSE.iter().map(|&(group, gesture, text)| (group, gesture.to_owned(), text)).collect();
    let [keys, mouse] = [keys(), mouse].map(|mut rows: Vec<Row>| {
        rows.retain(|(group, keys, text)| search.finds(&format!("{group} {keys} {text}")));
        rows
    });
    if keys.is_empty() && mouse.is_empty() {
        ui.weak("No key and no gesture matches.");
    } else if has_room {
        ui.columns_const(|[left, right]| {
            table_ui(left, "keys", &keys);
            mouse_and_legend_ui(right, &mouse, search.is_empty());
        });
    } else {
        mouse_and_legend_ui(ui, &mouse, search.is_empty());
        table_ui(ui, "keys", &keys);
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
        // What does not fit beside the keys is on more than one line.
        let font = theme::body_font();
        let widths = of_group
            .iter()
            .map(|(_, keys, _)| ui.painter().layout_no_wrap(keys.clone(), font.clone(), theme::TEXT).size().x);
        let most = ui.available_width() - widths.fold(0.0, f32::max) - 2.0 * theme::GAP_LARGE;
        let grid = Grid::new((name, group)).num_columns(2).spacing([theme::GAP_LARGE, theme::GAP_SMALL]);
        grid.max_col_width(most).show(ui, |ui| {
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
