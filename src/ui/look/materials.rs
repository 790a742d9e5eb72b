//! What the materials of the head show: found by name, motion and colour, unless the artist chooses.

use std::collections::{BTreeMap, HashSet};

use egui::{Align, ComboBox, Label, Layout};

use super::from_file::choice_ui;
use crate::theme;
use crate::widgets::{text, title_ui};
use smirk_face::head::{Head, Role};
use smirk_picture::scene::{LashStyle, Look};

/// So many materials have a row; a file of thousands is no head.
const MOST: usize = 64;

/// Shows the section.
pub(super) fn materials_ui(ui: &mut egui::Ui, head: &Head, roles: &mut BTreeMap<String, Role>, look: &mut Look) {
    title_ui(ui, "Materials", |_| {});
    let name = |style| match style {
        LashStyle::AsLashes => "As lashes".into(),
        LashStyle::Hidden => "Hidden".into(),
        LashStyle::AsInFile => "As in the file".into(),
    };
    let tip = "Lashes and brows that are plain cards, without a texture of hairs";
    let choices = [LashStyle::AsLashes, LashStyle::Hidden, LashStyle::AsInFile];
    choice_ui(ui, "Plain lashes", tip, &mut look.lashes, choices, name);
    ui.checkbox(&mut look.gives_iris, "Bare eyes get an iris")
        .on_hover_text("Eyes without a texture and without an iris of their own are drawn with one");
    let mut names = HashSet::new();
    let rows = head.materials.iter().zip(&head.roles).filter(|(material, _)| names.insert(material.name.as_str()));
    for (material, &found) in rows.take(MOST) {
        role_ui(ui, &material.name, found, roles);
    }
    let more = names.len().saturating_sub(MOST);
    if more > 0 {
        ui.label(format!("and {}", text::counted(more, "more material")));
    }
}

/// A material's name and its role. All materials of one name have one role.
fn role_ui(ui: &mut egui::Ui, name: &str, found: Role, roles: &mut BTreeMap<String, Role>) {
    let shown = text::shown(name).into_owned();
    let automatic = format!("Automatic ({})", found.label());
    let before = roles.get(name).copied();
    let mut chosen = before;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let combo = ComboBox::from_id_salt(name).width(theme::COMBO_WIDTH).truncate();
            let combo = combo.selected_text(before.map_or(automatic.clone(), |role| role.label().to_owned())).show_ui(
                ui,
                |ui| {
                    ui.selectable_value(&mut chosen, None, automatic);
                    for role in Role::ALL {
                        ui.selectable_value(&mut chosen, Some(role), role.label());
                    }
                },
            );
            let tip = format!("What {shown} is shaded as");
            combo.response.accessible_name(format!("Role of {shown}")).on_hover_text(tip);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(Label::new(shown).truncate()));
        })
    });
    if chosen != before {
        match chosen {
            Some(role) => roles.insert(name.to_owned(), role),
            None => roles.remove(name),
        };
    }
}
