//! The Notes page: what the importer converted, skipped or repaired.

use egui::{Label, RichText};

use crate::head::{Head, Level};

use super::icon::Icon;
use super::theme;

/// Everything on the page.
pub fn notes_ui(ui: &mut egui::Ui, head: &Head) {
    if head.notes.is_empty() {
        ui.weak("The file opened as it is: nothing was converted, skipped or repaired.");
        return;
    }
    for note in &head.notes {
        let (icon, color) = match note.level {
            Level::Info => (Icon::Info, theme::ACCENT_BRIGHT),
            Level::Warning => (Icon::Warning, theme::WARNING),
        };
        ui.horizontal_top(|ui| {
            let (_, rect) = ui.allocate_space(egui::vec2(16.0, 18.0));
            icon.paint(ui.painter(), rect, color);
            ui.vertical(|ui| {
                ui.add(Label::new(RichText::new(&note.object).color(theme::TEXT_WEAK)).selectable(true).wrap());
                ui.add(Label::new(&note.message).selectable(true).wrap());
            });
        });
        ui.add_space(theme::GAP);
    }
}
