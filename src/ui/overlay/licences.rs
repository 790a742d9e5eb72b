//! The licences of Smirk and of what it is made of. `./dev notices` writes the text.

use egui::{RichText, ScrollArea, TextStyle};

use smirk_base::names::Search;

use crate::theme;

const RULE: &str = "\n========\n";

/// Shows the licences that have the words of a search in their text or in the names of the parts under them.
pub(super) fn licences_ui(ui: &mut egui::Ui, area: ScrollArea, search: &Search) {
    let found = smirk_assets::LICENCES.split(RULE).filter(|licence| search.finds(licence));
    let lines: Vec<&str> = found.flat_map(|licence| licence.lines().chain(["", ""])).collect();
    if lines.is_empty() {
        ui.weak("No licence matches.");
    }
    let height = ui.text_style_height(&TextStyle::Monospace);
    ui.spacing_mut().item_spacing.y = 0.0;
    area.hscroll(true).auto_shrink(false).show_rows(ui, height, lines.len(), |ui, rows| {
        for line in &lines[rows] {
            let is_title = line.starts_with("# ");
            let text = RichText::new(line.trim_start_matches("# ")).monospace();
            ui.label(if is_title { text.strong() } else { text.color(theme::TEXT) });
        }
    });
}
