//! The Look page: material variants, lights, shading and background, and what the meshes and materials of the head
//! show.

mod cards;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::RangeInclusive;

use egui::{Align, Label, Layout, Rect, RichText, pos2, vec2};

use smirk_face::head::{Axis, ChosenAxes, Head, Role};
use smirk_scene::{LashStyle, Light, Look, MeshSet, Normals, Tone, VertexColors, ViewMode};
use smirk_session::Edits;

use crate::command::Command;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{
    Bar, Choice, Icon, bar_ui, checkbox_ui, icon_button_inline_ui, light_ball_ui, row_ui, setting_ui, text, title_ui,
};

const BALL: f32 = theme::BAR_HEIGHT * 3.0 + theme::GAP_SMALL * 2.0;
/// The largest number of materials that are listed; a head has fewer.
const MOST_MATERIALS: usize = 64;

pub(crate) fn look_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let session = &mut *cx.session;
    let (head, default_look) = (session.head.clone(), session.default_look);
    let head = &*head;
    cards::looks_ui(ui, cx);
    let session = &mut *cx.session;
    file_look_ui(ui, head, &mut session.edits);
    let Edits { look, lit_by_file, roles, hidden_meshes, .. } = &mut *session.edits;
    let Look { view, matcap, isolates_face, .. } = *look;
    let rest = Look { view, matcap, isolates_face, ..default_look.for_head(head) };
    let factory = Look { view, matcap, isolates_face, ..Look::default() };
    if !*lit_by_file || head.lights.is_empty() {
        light_ui(ui, "Key", &mut look.key, &rest.key);
        light_ui(ui, "Fill", &mut look.fill, &rest.fill);
        light_ui(ui, "Rim", &mut look.rim, &rest.rim);
    }
    title_ui(ui, "Shading and background", |_| {});
    for (name, value, rest, range) in [
        ("Ambient", &mut look.ambient, rest.ambient, 0.0..=2.0),
        ("Skin softness", &mut look.softness, rest.softness, 0.0..=1.0),
        ("Gloss", &mut look.gloss, rest.gloss, 0.0..=2.0),
        ("Exposure", &mut look.exposure, rest.exposure, -4.0..=4.0),
    ] {
        let unit = if name == "Exposure" { " EV" } else { "" };
        let has_effect = name != "Skin softness" || !head.has_toon();
        ui.add_enabled_ui(has_effect, |ui| setting_ui(ui, Bar { range, unit, ..Bar::named(name) }, value, rest));
    }
    row_ui(ui, "Background", "", |ui| color_ui(ui, &mut look.background, "Background colour"));
    // Clay is no material of the file.
    let is_painted = head.has_toon() && view != ViewMode::Clay;
    tone_ui(ui, &mut look.tone, is_painted);
    normals_ui(ui, &mut look.normals);
    ui.add_space(theme::GAP);
    ui.horizontal(|ui| {
        let reset = ui.add_enabled(*look != rest || *lit_by_file, egui::Button::new("Reset look"));
        let tip = "Reset lights, shading and background to your default; the variant stays";
        if reset.on_hover_text(tip).clicked() {
            (*look, *lit_by_file) = (rest, false);
        }
        if rest != factory {
            let reset = ui.add_enabled(*look != factory || *lit_by_file, egui::Button::new("Factory"));
            if reset.on_hover_text("Reset them to those of Smirk; your default stays").clicked() {
                (*look, *lit_by_file) = (factory, false);
            }
        }
        let make_default = egui::Button::new("Make default").truncate();
        let make_default = ui.add_enabled(look.of_any_head().of_materials() != default_look, make_default);
        let tip = "Start every new head with this look. The looks of projects stay as they are";
        if make_default.on_hover_text(tip).on_disabled_hover_text("New heads start with this look").clicked() {
            cx.commands.push(Command::MakeLookDefault);
        }
    });
    ui.add_space(theme::GAP);
    meshes_ui(ui, head, hidden_meshes, look);
    ui.add_space(theme::GAP);
    materials_ui(ui, head, roles, look);
    ui.add_space(theme::GAP);
    axes_ui(ui, head, &mut session.edits.axes);
}

/// Which axes of the head's file are up and front.
fn axes_ui(ui: &mut egui::Ui, head: &Head, axes: &mut ChosenAxes) {
    title_ui(ui, "Axes of the file", |_| {});
    let (found, stands) = (head.rig.found, head.standing_as(*axes));
    let as_found = |axis: Axis| match found {
        Some(found) if [found.up(), found.front()].contains(&axis) => {
            (format!("As found ({})", axis.label()).into(), "As the eyes, the mouth and the sides of the face tell")
        }
        Some(_) => (format!("Usual ({})", axis.label()).into(), "What is usual beside the other axis"),
        None => (format!("Not found ({})", axis.label()).into(), "Nothing tells, so that it is as in the file"),
    };
    let ChosenAxes { mut up, mut front } = *axes;
    let choices = || std::iter::once(None).chain(Axis::EACH.iter().copied().map(Some));
    let without_up = head.standing_as(ChosenAxes { up: None, ..*axes }).up();
    Choice::new("Up", "Which axis of the file is up. Saved heads stay as in their files").row_ui(
        ui,
        &mut up,
        choices(),
        |up| match up {
            None => as_found(without_up),
            Some(axis @ Axis::PlusY) => (axis.label().into(), "As in Maya and glTF"),
            Some(axis @ Axis::PlusZ) => (axis.label().into(), "As in Blender, 3ds Max, Unreal and most scans"),
            Some(axis) => (axis.label().into(), ""),
        },
    );
    let across = choices().filter(|front| front.is_none_or(|front| front.is_across(stands.up())));
    let without_front = head.standing_as(ChosenAxes { front: None, ..*axes }).front();
    Choice::new("Front", "Which axis of the file the face looks along").row_ui(ui, &mut front, across, |front| {
        front.map_or_else(|| as_found(without_front), |axis| (axis.label().into(), ""))
    });
    *axes = ChosenAxes { up, front }.within_reason();
}

/// `is_painted`: the colours are those that the maker of an avatar painted, and no tone changes them.
fn tone_ui(ui: &mut egui::Ui, tone: &mut Tone, is_painted: bool) {
    if is_painted {
        let tip = "Avatars with toon materials keep the colours they were painted with";
        row_ui(ui, "Tone", tip, |ui| _ = ui.label("As painted"));
        return;
    }
    let choice = Choice::new("Tone", "How the light of the scene becomes colours of the screen");
    choice.row_ui(ui, tone, Tone::ALL, |tone| {
        let explanation = match tone {
            Tone::AgX => "Bright colours go to white, as on film",
            Tone::Neutral => "Colours of textures are kept; only highlights are compressed (Khronos PBR Neutral)",
        };
        (tone.label().into(), explanation)
    });
}

fn normals_ui(ui: &mut egui::Ui, normals: &mut Normals) {
    let choice = Choice::new("Normals", "Where the normals of the deformed mesh come from");
    choice.row_ui(ui, normals, Normals::ALL, |normals| {
        let explanation = match normals {
            Normals::Auto => "From the file; recomputed for meshes whose shapes move vertices but have no normals",
            Normals::Authored => "From the file, as most engines show them",
            Normals::Recomputed => {
                "Recomputed from the deformed mesh, so that folds and creases are shaded correctly. Hard edges stay hard"
            }
        };
        (normals.label().into(), explanation)
    });
}

fn light_ui(ui: &mut egui::Ui, name: &str, light: &mut Light, rest: &Light) {
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
        bar_ui(ui, rect, Bar { name: what, range, unit, decimals, ..Bar::named(&label) }, value, rest);
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

/// Material variants, lights and vertex colours from the head's file. Shows nothing if the file has none.
fn file_look_ui(ui: &mut egui::Ui, head: &Head, edits: &mut Edits) {
    if !head.variants.is_empty() {
        let choices = std::iter::once(None).chain((0..head.variants.len()).map(Some));
        let before = edits.variant_of(head);
        let mut chosen = before;
        Choice::new("Variant", "Material variants in the file").row_ui(ui, &mut chosen, choices, |variant| {
            (variant.map_or("Default".into(), |variant: usize| text::shown(&head.variants[variant].name)), "")
        });
        if chosen != before {
            edits.choose_variant(head, chosen);
        }
    }
    if !head.lights.is_empty() {
        let tip = "File lights cast no shadows. Their total brightness is adjusted to that of Smirk's lights";
        Choice::new("Lights", tip).row_ui(ui, &mut edits.lit_by_file, [false, true], |is_lit_by_file| {
            (if is_lit_by_file { "File lights" } else { "Smirk lights" }.into(), "")
        });
    }
    if edits.lit_by_file {
        for light in &head.lights {
            ui.add(Label::new(RichText::new(text::shown(&light.name)).color(theme::TEXT_WEAK)).truncate());
        }
    }
    let has_colors = head.meshes.iter().any(|mesh| !mesh.vertices.colors.is_empty());
    if has_colors {
        let tip =
            "The file multiplies its materials by the colours of its vertices. Some programs store masks there instead";
        let choices = [VertexColors::AsInFile, VertexColors::Ignored];
        Choice::new("Vertex colours", tip).row_ui(ui, &mut edits.look.vertex_colors, choices, |colors| match colors {
            VertexColors::AsInFile => ("As in the file".into(), ""),
            VertexColors::Ignored => ("Ignored".into(), ""),
        });
    }
    if has_colors || !(head.variants.is_empty() && head.lights.is_empty()) {
        ui.add_space(theme::GAP);
    }
}

fn meshes_ui(ui: &mut egui::Ui, head: &Head, hidden: &mut BTreeSet<String>, look: &mut Look) {
    title_ui(ui, "Meshes", |_| {});
    ui.horizontal(|ui| {
        let isolate = checkbox_ui(ui, &mut look.isolates_face, "Without hair and lashes");
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

/// What the materials of the head show: found by name, motion and colour, unless the artist chooses.
fn materials_ui(ui: &mut egui::Ui, head: &Head, roles: &mut BTreeMap<String, Role>, look: &mut Look) {
    title_ui(ui, "Materials", |_| {});
    ui.add_enabled_ui(!head.has_toon(), |ui| {
        let tip = "Lashes beside the eyes that are plain cards, without a texture of hairs";
        let lashes = Choice::new("Plain lashes", tip);
        lashes.row_ui(ui, &mut look.lashes, LashStyle::ALL, |style| (style.label().into(), ""));
        checkbox_ui(ui, &mut look.gives_iris, "Bare eyes get an iris")
            .on_hover_text("Eyes without a texture and without an iris of their own are drawn with one");
    });
    let mut names = HashSet::new();
    let tip = if head.has_toon() {
        "What the material is of. An avatar is shaded by its materials alone"
    } else {
        "What the material is shaded as"
    };
    let rows = head.materials.iter().zip(&head.roles).filter(|(material, _)| names.insert(material.name.as_str()));
    for (material, &found) in rows.take(MOST_MATERIALS) {
        role_ui(ui, (&material.name, tip), found, roles);
    }
    let more = names.len().saturating_sub(MOST_MATERIALS);
    if more > 0 {
        ui.label(format!("and {}", text::counted(more, "more material")));
    }
}

fn role_ui(ui: &mut egui::Ui, (name, tip): (&str, &str), found: Role, roles: &mut BTreeMap<String, Role>) {
    let shown = text::shown(name).into_owned();
    let before = roles.get(name).copied();
    let mut chosen = before;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let label = format!("Role of {shown}");
            let choices = std::iter::once(None).chain(Role::ALL.iter().copied().map(Some));
            Choice::new(&label, tip).list_ui(ui, &mut chosen, choices, |role| match role {
                None => (format!("Automatic ({})", found.label()).into(), ""),
                Some(role) => (Cow::Borrowed(role.label()), ""),
            });
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
