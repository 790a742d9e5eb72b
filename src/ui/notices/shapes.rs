//! The notice before shapes are imported: the files, and how their vertices are matched.

use std::path::PathBuf;

use egui::{ComboBox, Label, Rect, RichText};

use crate::theme;
use crate::widgets::text;
use smirk_editor::session::Command;
use smirk_face::head::{Matching, ShapeFile};

use super::card::card_ui;

/// Shows the notice.
pub(super) fn shape_import_ui(
    ui: &mut egui::Ui,
    free: &mut Rect,
    files: &[PathBuf],
    matching: &mut Matching,
    commands: &mut Vec<Command>,
) {
    card_ui(ui, free, 560.0, |ui| {
        let title = match files.len() {
            1 => "Import 1 shape".to_owned(),
            count => format!("Import {count} shapes"),
        };
        ui.add(Label::new(RichText::new(title).strong()));
        let names = files.iter().map(|file| file.file_stem().unwrap_or_default().to_string_lossy());
        let names: Vec<_> = names.map(|name| text::shown(&name).into_owned()).collect();
        ui.add(Label::new(RichText::new(names.join(", ")).color(theme::TEXT_WEAK)).truncate());
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal(|ui| {
            ui.label("Match vertices");
            let combo = ComboBox::from_id_salt("matching").width(180.0).selected_text(matching.label());
            let combo = combo.show_ui(ui, |ui| {
                for choice in Matching::ALL {
                    ui.selectable_value(matching, choice, choice.label()).on_hover_text(explanation(choice));
                }
            });
            combo.response.accessible_name("Matching").on_hover_text(explanation(*matching));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("Import").clicked() {
                    let shape = |path: &PathBuf| ShapeFile { path: path.clone(), matching: *matching };
                    commands.push(Command::ImportShapes(files.iter().map(shape).collect()));
                }
                if ui.button("Cancel").clicked() {
                    commands.push(Command::DismissNotice);
                }
            });
        });
    });
}

fn explanation(matching: Matching) -> &'static str {
    match matching {
        Matching::Auto => "By order if the topology is the same, else by texture coordinates, the rest by position",
        Matching::Order => "By vertex number",
        Matching::Uv => "By texture coordinates, in any vertex order",
        Matching::Position => "By position, and along triangles from vertices that do not move",
    }
}
