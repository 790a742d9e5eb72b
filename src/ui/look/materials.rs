//! What the materials of the head show: found by name, motion and colour, unless the artist chooses.

use std::collections::{BTreeMap, HashSet};

use egui::{Align, ComboBox, Label, Layout};

use crate::head::{Head, Role};
use crate::scene::{LashStyle, Look};
use crate::ui::theme;
use crate::ui::widgets::{text, title_ui};

/// So many materials have a row; a file of thousands is no head.
const MOST: usize = 64;

/// Shows the section.
pub(super) fn materials_ui(ui: &mut egui::Ui, head: &Head, roles: &mut BTreeMap<String, Role>, look: &mut Look) {
    title_ui(ui, "Materials", |_| {});
    lashes_ui(ui, &mut look.lashes);
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

fn lashes_ui(ui: &mut egui::Ui, lashes: &mut LashStyle) {
    let name = |style| match style {
        LashStyle::AsLashes => "As lashes",
        LashStyle::Hidden => "Hidden",
        LashStyle::AsInFile => "As in the file",
    };
    let tip = "Lashes and brows that are plain cards, without a texture of hairs";
    ui.horizontal(|ui| {
        ui.label("Plain lashes").on_hover_text(tip);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let combo = ComboBox::from_id_salt("plain lashes").width(theme::COMBO_WIDTH).selected_text(name(*lashes));
            let combo = combo.show_ui(ui, |ui| {
                for style in [LashStyle::AsLashes, LashStyle::Hidden, LashStyle::AsInFile] {
                    ui.selectable_value(lashes, style, name(style));
                }
            });
            combo.response.accessible_name("Plain lashes").on_hover_text(tip);
        });
    });
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
