//! The mapping of the selected columns of the take.

use egui::ScrollArea;

use smirk_editor::session::Session;

use crate::widgets::{ColumnEdit, column_map_ui, text};

/// Shows the controls. A change applies to all of `columns`.
pub(super) fn selected_columns_ui(ui: &mut egui::Ui, session: &mut Session, columns: &[usize]) {
    let Some(entry) = session.take().cloned() else { return };
    let shown: Vec<_> = columns.iter().filter_map(|&column| entry.map.columns.get(column)).collect();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let title = match shown[..] {
            [column] => text::shown(&column.column).into_owned(),
            _ => format!("{} columns", columns.len()),
        };
        ui.add(egui::Label::new(egui::RichText::new(title).strong()).truncate());
        match (column_map_ui(ui, &session.head, &shown, true), columns) {
            (Some(ColumnEdit::Channels(channels)), &[column]) => session.map_column(entry.id, column, channels),
            (Some(ColumnEdit::Numbers(change)), _) => session.edit_take_map(entry.id, |map, _| {
                columns.iter().for_each(|&column| map.columns.get_mut(column).into_iter().for_each(&change));
            }),
            _ => {}
        }
    });
}
