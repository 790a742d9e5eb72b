//! The Look page: lights, shading and background.

mod from_file;
mod light_ball;
mod materials;
mod meshes;

use std::ops::RangeInclusive;

use egui::{Align, ComboBox, Layout, Rect, pos2, vec2};

use smirk_editor::session::{Command, Edits, Session};
use smirk_graphics::blend::Normals;
use smirk_picture::scene::{Light, LightSetup, LitBy, Look, Tone};

use super::widgets::{Bar, bar_ui, setting_ui, title_ui};
use super::{UiState, theme};

use from_file::file_look_ui;
use light_ball::light_ball_ui;
use materials::materials_ui;
use meshes::meshes_ui;

const BALL: f32 = theme::BAR_HEIGHT * 3.0 + theme::GAP_SMALL * 2.0;

/// Shows the page.
pub(super) fn look_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, commands: &mut Vec<Command>) {
    let (head, default_look) = (session.head.clone(), session.default_look);
    let head = &*head;
    let Edits { look, roles, hidden_meshes, .. } = &mut *session.edits;
    let Look { variant, view, matcap, isolates_face, .. } = *look;
    let rest = Look { variant, view, matcap, isolates_face, ..Look::default() };
    file_look_ui(ui, head, look);
    if look.lit_by == LitBy::Smirk || head.lights.is_empty() {
        setup_ui(ui, look);
        light_ui(ui, "Key", &mut look.key, &rest.key, state);
        light_ui(ui, "Fill", &mut look.fill, &rest.fill, state);
        light_ui(ui, "Rim", &mut look.rim, &rest.rim, state);
    }
    title_ui(ui, "Shading and background", |_| {});
    for (name, value, rest, range) in [
        ("Ambient", &mut look.ambient, rest.ambient, 0.0..=2.0),
        ("Skin softness", &mut look.softness, rest.softness, 0.0..=1.0),
        ("Gloss", &mut look.gloss, rest.gloss, 0.0..=2.0),
        ("Exposure", &mut look.exposure, rest.exposure, -4.0..=4.0),
    ] {
        let unit = if name == "Exposure" { " EV" } else { "" };
        let bar = Bar { range, unit, ..Bar::new(name, *value) };
        setting_ui(ui, bar, value, rest, state);
    }
    ui.horizontal(|ui| {
        ui.label("Background");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            color_ui(ui, &mut look.background, "Background colour");
        });
    });
    tone_ui(ui, &mut look.tone);
    normals_ui(ui, &mut look.normals);
    ui.add_space(theme::GAP);
    ui.horizontal(|ui| {
        let reset = ui.add_enabled(*look != rest, egui::Button::new("Reset look"));
        let tip = "Reset lights, shading and background to those of Smirk; the variant stays";
        if reset.on_hover_text(tip).clicked() {
            *look = rest;
        }
        let make_default = egui::Button::new("Make this my default");
        let make_default = ui.add_enabled(look.of_any_head().of_materials() != default_look, make_default);
        let tip = "Start every new head with this look. The looks of projects stay as they are";
        if make_default.on_hover_text(tip).on_disabled_hover_text("New heads start with this look").clicked() {
            commands.push(Command::MakeLookDefault);
        }
    });
    ui.add_space(theme::GAP);
    meshes_ui(ui, head, hidden_meshes, look);
    ui.add_space(theme::GAP);
    materials_ui(ui, head, roles, look);
}

fn setup_ui(ui: &mut egui::Ui, look: &mut Look) {
    ui.horizontal(|ui| {
        let tip = "Light set-ups: key, fill, rim, ambient light and exposure together";
        ui.label("Set-up").on_hover_text(tip);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let shown = LightSetup::of(look);
            let combo = ComboBox::from_id_salt("light set-up")
                .width(theme::COMBO_WIDTH)
                .selected_text(shown.map_or("Own", LightSetup::label))
                .show_ui(ui, |ui| {
                    for setup in LightSetup::ALL {
                        let choice = ui.selectable_label(shown == Some(setup), setup.label());
                        if choice.on_hover_text(purpose(setup)).clicked() {
                            *look = setup.applied_to(*look);
                        }
                    }
                });
            combo.response.accessible_name("Light set-up").on_hover_text(shown.map_or(tip, purpose));
        });
    });
    ui.add_space(theme::GAP);
}

fn purpose(setup: LightSetup) -> &'static str {
    match setup {
        LightSetup::ShortKey => "The key is on the far side of the face, so that the near cheek and jaw have form",
        LightSetup::Beauty => "A soft, high key from the front, with few shadows",
        LightSetup::Rembrandt => "A high key from the side; the other side stays dark",
        LightSetup::FlatCheck => "Even light from everywhere, to judge shapes and textures",
    }
}

fn tone_ui(ui: &mut egui::Ui, tone: &mut Tone) {
    ui.horizontal(|ui| {
        let explanation = |tone| match tone {
            Tone::AgX => "Bright colours go to white, as on film",
            Tone::Neutral => "Colours of textures are kept; only highlights are compressed (Khronos PBR Neutral)",
        };
        ui.label("Tone").on_hover_text("How the light of the scene becomes colours of the screen");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let combo = ComboBox::from_id_salt("tone").width(theme::COMBO_WIDTH).selected_text(tone.label()).show_ui(
                ui,
                |ui| {
                    for choice in Tone::ALL {
                        ui.selectable_value(tone, choice, choice.label()).on_hover_text(explanation(choice));
                    }
                },
            );
            combo.response.accessible_name("Tone").on_hover_text(explanation(*tone));
        });
    });
}

fn normals_ui(ui: &mut egui::Ui, normals: &mut Normals) {
    ui.horizontal(|ui| {
        ui.label("Normals").on_hover_text("Where the normals of the deformed mesh come from");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let combo = ComboBox::from_id_salt("normals")
                .width(theme::COMBO_WIDTH)
                .selected_text(normals.label())
                .show_ui(ui, |ui| {
                    for choice in Normals::ALL {
                        ui.selectable_value(normals, choice, choice.label()).on_hover_text(explanation(choice));
                    }
                });
            combo.response.accessible_name("Normals").on_hover_text(explanation(*normals));
        });
    });
}

fn explanation(normals: Normals) -> &'static str {
    match normals {
        Normals::Auto => "From the file; recomputed for meshes whose shapes move vertices but have no normals",
        Normals::Authored => "From the file, as most engines show them",
        Normals::Recomputed => {
            "Recomputed from the deformed mesh, so that folds and creases are shaded correctly. Hard edges stay hard"
        }
    }
}

fn light_ui(ui: &mut egui::Ui, name: &str, light: &mut Light, rest: &Light, state: &mut UiState) {
    title_ui(ui, &format!("{name} light"), |ui| color_ui(ui, &mut light.color, &format!("{name} colour")));
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), BALL));
    light_ball_ui(ui, Rect::from_min_size(area.min, vec2(BALL, BALL)), light, &format!("{name} direction"));
    let values: [(&str, &mut f32, f32, RangeInclusive<f32>, &str); 3] = [
        ("Intensity", &mut light.intensity, rest.intensity, 0.0..=6.0, ""),
        ("Yaw", &mut light.yaw_degrees, rest.yaw_degrees, -180.0..=180.0, "°"),
        ("Pitch", &mut light.pitch_degrees, rest.pitch_degrees, -90.0..=90.0, "°"),
    ];
    for (row, (what, value, rest, range, unit)) in values.into_iter().enumerate() {
        let top = area.top() + row as f32 * theme::ROW_HEIGHT;
        let min = pos2(area.left() + BALL + theme::GAP, top);
        let rect = Rect::from_min_max(min, pos2(area.right(), top + theme::BAR_HEIGHT));
        let label = format!("{name} {}", what.to_lowercase());
        let decimals = if unit.is_empty() { 2 } else { 0 };
        let bar = Bar { name: what, range, unit, decimals, ..Bar::new(&label, *value) };
        bar_ui(ui, rect, bar, value, rest, state);
    }
    ui.add_space(theme::GAP);
}

fn color_ui(ui: &mut egui::Ui, color: &mut [f32; 3], label: &str) {
    let mut picked = *color;
    // The button rounds the colour while converting it to its own colour space, so only a change by the user may be
    // stored.
    if ui.color_edit_button_rgb(&mut picked).accessible_name(label).changed() {
        *color = picked;
    }
}
