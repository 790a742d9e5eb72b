//! Material variants, lights and vertex colours from the head's file. Shows nothing if the file has none.

use std::borrow::Cow;

use egui::{Align, ComboBox, Layout};

use crate::theme;
use crate::widgets::text;
use smirk_face::head::Head;
use smirk_picture::scene::{LitBy, Look, VertexColors};

/// Shows the rows above the lights.
pub(super) fn file_look_ui(ui: &mut egui::Ui, head: &Head, look: &mut Look) {
    if !head.variants.is_empty() {
        let name = |variant: Option<usize>| {
            let variant = variant.and_then(|variant| head.variants.get(variant));
            variant.map_or("Default".into(), |variant| text::shown(&variant.name))
        };
        let choices = std::iter::once(None).chain((0..head.variants.len()).map(Some));
        choice_ui(ui, "Variant", "Material variants in the file", &mut look.variant, choices, name);
    }
    if !head.lights.is_empty() {
        let name = |lit_by| match lit_by {
            LitBy::Smirk => "Smirk lights".into(),
            LitBy::File => "File lights".into(),
        };
        let tip = "File lights cast no shadows. Their total brightness is adjusted to that of Smirk's lights";
        choice_ui(ui, "Lights", tip, &mut look.lit_by, [LitBy::Smirk, LitBy::File], name);
    }
    if look.lit_by == LitBy::File {
        for light in &head.lights {
            ui.add(egui::Label::new(egui::RichText::new(text::shown(&light.name)).color(theme::TEXT_WEAK)).truncate());
        }
    }
    let has_colors = head.meshes.iter().any(|mesh| !mesh.vertices.colors.is_empty());
    if has_colors {
        let name = |colors| match colors {
            VertexColors::AsInFile => "As in the file".into(),
            VertexColors::Ignored => "Ignored".into(),
        };
        let tip =
            "The file multiplies its materials by the colours of its vertices. Some programs store masks there instead";
        let choices = [VertexColors::AsInFile, VertexColors::Ignored];
        choice_ui(ui, "Vertex colours", tip, &mut look.vertex_colors, choices, name);
    }
    if has_colors || !(head.variants.is_empty() && head.lights.is_empty()) {
        ui.add_space(theme::GAP);
    }
}

/// A row with a name and a list of choices.
pub(super) fn choice_ui<'n, T: Copy + PartialEq>(
    ui: &mut egui::Ui,
    label: &str,
    tip: &str,
    chosen: &mut T,
    choices: impl IntoIterator<Item = T>,
    name: impl Fn(T) -> Cow<'n, str>,
) {
    ui.horizontal(|ui| {
        ui.label(label).on_hover_text(tip);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let combo = ComboBox::from_id_salt(label).width(theme::COMBO_WIDTH).truncate().selected_text(name(*chosen));
            let combo = combo.show_ui(ui, |ui| {
                for choice in choices {
                    ui.selectable_value(chosen, choice, name(choice));
                }
            });
            combo.response.accessible_name(label).on_hover_text(tip);
        });
    });
}
