//! The numbers of a mend that makes or changes an expression.

use std::collections::BTreeMap;

use egui::{Button, DragValue, TextEdit, vec2};

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{
    Bar, Choice, Icon, NumberField, checkbox_ui, close_row_ui, icon_button_inline_ui, row_ui, setting_ui,
    shape_picker_ui, text,
};
use smirk_analysis::mend::{Effect, Kind, MaterialEffect, Mend, PresetChoice, SetExpression};
use smirk_base::names;
use smirk_face::head::{Expression, Head, Override, Preset, ToonColor};
use smirk_face::motion::Pose;
use smirk_session::Session;

/// An expression of the face that is shown, under a name that is free.
pub(crate) fn expression_of_face(session: &Session) -> Mend {
    Kind::Expression(SetExpression::of_face(free_name(session, "expression 1"), face(session))).into()
}

/// An expression of a pose alone, under its name.
pub(crate) fn expression_of_pose(session: &Session, pose: &Pose) -> Mend {
    let head = &session.head;
    let mut weights = pose.weights_on(head, &vec![0.0; head.target_count() + head.expressions.len()]);
    head.resolve(&mut weights);
    let name = free_name(session, pose.name.trim());
    Kind::Expression(SetExpression::of_face(name, moved(head, &weights))).into()
}

/// The mend that changes or deletes an expression: one of the list that makes it, else a new one.
pub(super) fn mend_of(session: &Session, name: &str) -> Option<usize> {
    let makes = |mend: &Mend| match &mend.kind {
        Kind::Expression(set) => !set.delete && mend.enabled && set.final_name(&session.head) == name,
        _ => false,
    };
    session.edits.mends.iter().rposition(makes)
}

/// Whether the file of the head has an expression.
pub(super) fn is_of_file(session: &Session, name: &str) -> bool {
    session.unmended().expressions.iter().any(|expression| expression.name == name)
}

/// The weights of the face that is shown, by the names of shapes; without those that correctives drive.
pub(crate) fn face(session: &Session) -> BTreeMap<String, f32> {
    moved(&session.head, &session.weights())
}

fn moved(head: &Head, weights: &[f32]) -> BTreeMap<String, f32> {
    let channels = head.target_channels().iter().enumerate();
    let moved = channels
        .filter(|(channel, _)| head.is_active(*channel, weights) && head.correctives.of_channel(*channel).is_none());
    moved.map(|(channel, of_head)| (of_head.full_name.clone(), head.channel_value(channel, weights))).collect()
}

fn free_name(session: &Session, name: &str) -> String {
    names::free_name(name, " ", |name| {
        session.head.expressions.iter().all(|other| other.name != name) && mend_of(session, name).is_none()
    })
}

/// Shows the numbers of the mend at `index`. Those that it does not change are those of the head.
pub(super) fn expression_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, index: usize, set: &mut SetExpression) {
    let head = cx.session.head.clone();
    if set.delete {
        ui.weak(format!("{} is no longer there", text::shown(&set.name)));
        return;
    }
    let now = head.expressions.iter().find(|expression| expression.name == set.final_name(&head));
    let none = Expression::default();
    let now = now.unwrap_or(&none);
    name_ui(ui, cx.session, index, set);
    let before = set.preset.unwrap_or(PresetChoice(now.preset));
    let mut preset = before;
    let presets = std::iter::once(None).chain(Preset::ALL.iter().copied().map(Some)).map(PresetChoice);
    let words = |choice: PresetChoice| (choice.0.map_or("Own name", Preset::name).into(), "");
    let choice = Choice { label: "Preset", ..Choice::new("Expression preset", "What other programs know it as") };
    choice.row_ui(ui, &mut preset, presets, words);
    if preset != before {
        set.preset = Some(preset);
    }
    binds_ui(ui, cx, now, set);
    let mut is_binary = set.is_binary.unwrap_or(now.is_binary);
    let binary = checkbox_ui(ui, &mut is_binary, "Only on or off").accessible_name("Expression is on or off");
    if binary.on_hover_text("On above one half, without anything between").changed() {
        set.is_binary = Some(is_binary);
    }
    ui.weak("While it is on:");
    let overrides = [
        ("Blinks", "Expression overrides blinks", now.override_blink, &mut set.override_blink),
        ("Gaze", "Expression overrides gaze", now.override_look_at, &mut set.override_look_at),
        ("Mouth", "Expression overrides the mouth", now.override_mouth, &mut set.override_mouth),
    ];
    for (label, name, now, set) in overrides {
        let before = set.unwrap_or(now);
        let mut chosen = before;
        let words = |each: Override| match each {
            Override::None => ("Stays".into(), "Other expressions of this kind go on beside it"),
            Override::Block => ("Is blocked".into(), "Other expressions of this kind are off while it is on"),
            Override::Blend => ("Fades".into(), "Other expressions of this kind fade as it sets in"),
        };
        Choice { label, ..Choice::new(name, "") }.row_ui(ui, &mut chosen, Override::ALL, words);
        if chosen != before {
            *set = Some(chosen);
        }
    }
    effects_ui(ui, &head, now, set);
}

fn name_ui(ui: &mut egui::Ui, session: &Session, index: usize, set: &mut SetExpression) {
    let made_before = session.edits.mends[..index].iter().any(|mend| matches!(mend.kind, Kind::Expressions(_)));
    let mut name = set.rename.as_ref().unwrap_or(&set.name).clone();
    let field = row_ui(ui, "Name", "", |ui| {
        ui.add(TextEdit::singleline(&mut name).desired_width(theme::COMBO_WIDTH)).accessible_name("Expression name")
    });
    if field.changed() {
        // One that was there before is called something else.
        match made_before || is_of_file(session, &set.name) {
            true => set.rename = Some(name).filter(|name| *name != set.name),
            false => set.name = name,
        }
    }
}

fn binds_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, now: &Expression, set: &mut SetExpression) {
    let head = cx.session.head.clone();
    let before = set.binds.clone().unwrap_or_else(|| {
        let named = now.binds.iter().filter_map(|bind| Some((head.target(bind.target)?.1.name.clone(), bind.weight)));
        named.collect()
    });
    let mut binds = before.clone();
    for (name, weight) in &mut binds {
        let label = format!("Weight of {name}");
        setting_ui(ui, Bar { name: &text::shown(name), ..Bar::named(&label) }, weight, 1.0);
    }
    let chosen: Vec<String> = binds.keys().cloned().collect();
    if let Some(new) = shape_picker_ui(ui, &head, &chosen, "Expression shapes", "Choose shapes") {
        binds = new.into_iter().map(|name| (name.clone(), binds.get(&name).copied().unwrap_or(1.0))).collect();
    }
    close_row_ui(ui, |ui| {
        let tip = "The shapes of the face that is shown, with their weights";
        if ui.button("From the face").on_hover_text(tip).clicked() {
            binds = face(cx.session);
        }
        let channel = head.target_channels().len() + head.expressions.iter().take_while(|it| *it != now).count();
        let is_there = channel < head.channels.len();
        let tip = "The face at rest with this expression alone";
        if ui.add_enabled(is_there, Button::new("Show")).on_hover_text(tip).clicked() {
            cx.session.channels_mut(0..head.channels.len()).reset();
            cx.session.channel_mut(channel).set(1.0);
        }
    });
    if binds != before {
        set.binds = Some(binds);
    }
}

/// What the expression does to materials.
fn effects_ui(ui: &mut egui::Ui, head: &Head, now: &Expression, set: &mut SetExpression) {
    let before = set.materials.clone().unwrap_or_else(|| {
        let named = now.materials.iter().filter_map(|bind| {
            let material = head.materials.get(bind.material)?.name.clone();
            Some(MaterialEffect { material, effect: Effect::new(bind.value) })
        });
        named.collect()
    });
    let mut effects = before.clone();
    let mut names: Vec<&str> = head.materials.iter().map(|material| material.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut removed = None;
    for (number, MaterialEffect { material, effect }) in effects.iter_mut().enumerate() {
        close_row_ui(ui, |ui| {
            let mut chosen = names.iter().position(|name| name == material).unwrap_or(usize::MAX);
            let name = format!("Material {}", number + 1);
            let words = |at: usize| (names.get(at).map_or_else(|| text::shown(material), |it| text::shown(it)), "");
            Choice { width: 110.0, ..Choice::new(&name, "") }.list_ui(ui, &mut chosen, 0..names.len(), words);
            color_ui(ui, number + 1, effect);
            let label = format!("Remove effect {}", number + 1);
            if icon_button_inline_ui(ui, (Icon::Close, theme::TEXT_WEAK), &label, "Remove").clicked() {
                removed = Some(number);
            }
            if let Some(new) = names.get(chosen) {
                (*new).clone_into(material);
            }
        });
        if let Effect::TextureTransform { scale, offset } = effect {
            close_row_ui(ui, |ui| {
                let numbers =
                    scale.iter_mut().map(|it| ("Scale", it)).chain(offset.iter_mut().map(|it| ("Offset", it)));
                for ((what, number_of), axis) in numbers.zip(["u", "v", "u", "v"]) {
                    let field = DragValue::new(number_of).speed(0.01).fixed_decimals(2);
                    let field = ui.add(NumberField(field.min_size(vec2(48.0, theme::BAR_HEIGHT))));
                    let name = format!("{what} {axis} {}", number + 1);
                    field.accessible_name(name).on_hover_text(format!("{what} along {axis}"));
                }
            });
        }
    }
    removed.map(|number| effects.remove(number));
    let menu = ui.menu_button("Add effect", |ui| {
        let kinds = [
            ("Colour", Effect::Color([1.0, 0.5, 0.5, 1.0])),
            ("Light", Effect::Emission([0.5; 3])),
            ("Texture", Effect::TextureTransform { scale: [1.0; 2], offset: [0.0; 2] }),
        ];
        let of_toon = ToonColor::ALL.map(|which| (which.label(), Effect::Toon { which, color: [0.5; 3] }));
        let kinds = kinds.into_iter().chain(of_toon);
        for (kind, effect) in kinds {
            if ui.button(kind).clicked() {
                effects
                    .extend(names.first().map(|material| MaterialEffect { material: (*material).to_owned(), effect }));
            }
        }
    });
    menu.response.on_hover_text("What it does to a material: its colour, the light it emits, where its textures are");
    if effects != before {
        set.materials = Some(effects);
    }
}

fn color_ui(ui: &mut egui::Ui, number: usize, effect: &mut Effect) {
    match effect {
        Effect::Color(color) => {
            let mut picked = *color;
            // The button rounds the colour, so that only a change of it is kept.
            let button = ui.color_edit_button_rgba_unmultiplied(&mut picked);
            if button.accessible_name(format!("Colour {number}")).on_hover_text("Colour").changed() {
                *color = picked;
            }
        }
        Effect::Emission(light) => {
            let mut picked = *light;
            let button = ui.color_edit_button_rgb(&mut picked);
            if button.accessible_name(format!("Light {number}")).on_hover_text("Light that it emits").changed() {
                *light = picked;
            }
        }
        Effect::Toon { which, color } => {
            let mut picked = *color;
            let button = ui.color_edit_button_rgb(&mut picked);
            if button.accessible_name(format!("{} {number}", which.label())).on_hover_text(which.label()).changed() {
                *color = picked;
            }
        }
        Effect::TextureTransform { .. } => _ = ui.weak("scale and offset"),
    }
}
