//! The meshes of the head, each of which can be hidden.

use std::collections::{BTreeSet, HashSet};

use egui::{Label, RichText};

use crate::theme;
use crate::widgets::{Icon, icon_button_inline_ui, text, title_ui};
use smirk_face::head::Head;
use smirk_picture::scene::{Look, MeshSet};

/// Shows the section.
pub(super) fn meshes_ui(ui: &mut egui::Ui, head: &Head, hidden: &mut BTreeSet<String>, look: &mut Look) {
    title_ui(ui, "Meshes", |_| {});
    ui.horizontal(|ui| {
        let isolate = ui.checkbox(&mut look.isolates_face, "Without hair and lashes");
        isolate.on_hover_text("Leave out hair, lashes and brows, so that the face is seen (H)");
        if ui.add_enabled(!hidden.is_empty(), egui::Button::new("Show all")).clicked() {
            hidden.clear();
        }
    });
    let mut seen = HashSet::new();
    let names: Vec<&str> = head
        .meshes
        .iter()
        .take(MeshSet::MOST)
        .map(|mesh| mesh.name.as_str())
        .filter(|name| seen.insert(*name))
        .collect();
    for name in &names {
        mesh_ui(ui, name, &names, hidden);
    }
    let more = head.meshes.len().saturating_sub(MeshSet::MOST);
    if more > 0 {
        ui.label(format!("and {}", text::counted(more, "more mesh")));
    }
}

/// An eye and the name of a mesh. All meshes of one name are hidden together.
fn mesh_ui(ui: &mut egui::Ui, name: &str, all: &[&str], hidden: &mut BTreeSet<String>) {
    let (is_hidden, shown) = (hidden.contains(name), text::shown(name));
    ui.horizontal(|ui| {
        let (icon, color) = if is_hidden { (Icon::ClosedEye, theme::ICON_FAINT) } else { (Icon::Eye, theme::TEXT) };
        let label = format!("{} {shown}", if is_hidden { "Show" } else { "Hide" });
        let tip = format!("{label}. Alt-click: this mesh alone, or all");
        if icon_button_inline_ui(ui, (icon, color), &label, &tip).clicked() {
            if ui.input(|input| input.modifiers.alt) {
                show_alone(name, all, hidden);
            } else if !hidden.remove(name) {
                hidden.insert(name.to_owned());
            }
        }
        let color = if is_hidden { theme::TEXT_WEAK } else { theme::TEXT };
        ui.add(Label::new(RichText::new(shown.as_ref()).color(color)).truncate());
    });
}

/// Hides all meshes but this one; if they are hidden already, shows them.
fn show_alone(name: &str, all: &[&str], hidden: &mut BTreeSet<String>) {
    let others: BTreeSet<String> = all.iter().filter(|other| **other != name).map(|&other| other.to_owned()).collect();
    if !hidden.contains(name) && others.is_subset(hidden) {
        hidden.retain(|name| !others.contains(name));
    } else {
        hidden.remove(name);
        hidden.extend(others);
    }
}
