//! The tooltip of a channel.

use egui::vec2;

use smirk_face::head::{Expression, Head, MaskKind, Override, listed};
use smirk_face::motion::{Layer, Mix};
use smirk_session::Session;

use super::status::layer_mark_ui;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::text;

/// The largest number of meshes that a tooltip lists; more would make it taller than the window.
const MOST_MESHES: usize = 12;

/// Shows everything about a channel: its meaning, what it moves, the layers that set it, and how it can be moved.
pub(super) fn tooltip_ui(ui: &mut egui::Ui, cx: &PanelContext<'_>, channel: usize) {
    let (session, mix) = (&*cx.session, &*cx.mix);
    ui.set_max_width(320.0);
    if let Some(expression) = session.head.expression_of(channel) {
        expression_ui(ui, &session.head, expression);
        limited_ui(ui, session, channel, mix);
    } else {
        ui.strong(text::shown(&session.head.channels[channel].full_name));
        let targets = session.head.moving_targets(channel);
        let meshes: Vec<_> = targets.iter().map(|(_, mesh)| text::shown(&mesh.name)).collect();
        ui.label(format!("Moves {}", listed(&meshes, MOST_MESHES)));
    }
    if let Some(corrective) = session.head.correctives.of_channel(channel) {
        let state = if session.follows_others(channel) { "" } else { " (off)" };
        ui.colored_label(
            theme::layer_tint(Layer::Corrective).bright,
            format!("Follows {}{state}", text::shown(&corrective.drive_in_words())),
        );
    }
    layers_ui(ui, session, channel);
    if session.follows_others(channel) {
        ui.weak("It cannot be moved: move what drives it. Mute it to see the face without it.");
        return;
    }
    if session.is_driven(channel, mix) {
        let below = mix.below_manual[channel];
        ui.colored_label(theme::layer_tint(below).bright, "Drag to take over.");
    } else if session.is_taken(channel, mix) {
        ui.weak("Taken over. The arrow gives it back.");
    }
    if session.head.expression_of(channel).is_some() {
        ui.weak("Range 0 to 1. Ctrl-drag: finer. Double-click: reset.");
    } else {
        ui.weak("Shift-drag: beyond 0 and 1. Ctrl-drag: finer. Double-click: reset.");
    }
}

/// Shows by how much other expressions limit this one.
fn limited_ui(ui: &mut egui::Ui, session: &Session, channel: usize, mix: &Mix) {
    let wanted = session.head.channel_value(channel, &mix.weights);
    if let Some(shown) = session.head.expression_output(channel, &mix.weights).filter(|shown| shown + 0.005 < wanted) {
        ui.colored_label(theme::WARNING, format!("Limited to {shown:.2} by other expressions"));
    }
}

fn layers_ui(ui: &mut egui::Ui, session: &Session, channel: usize) {
    let contributions = session.contributions(channel);
    egui::Grid::new("stack").num_columns(2).spacing(vec2(theme::GAP_LARGE, 2.0)).show(ui, |ui| {
        for (index, (layer, value)) in contributions.iter().rev().enumerate() {
            let color = if index == 0 { theme::TEXT } else { theme::TEXT_WEAK };
            ui.horizontal(|ui| {
                layer_mark_ui(ui, *layer);
                ui.colored_label(color, text::shown(&session.layer_name(*layer)));
            });
            ui.colored_label(color, format!("{value:.2}"));
            ui.end_row();
        }
    });
}

/// The largest number of listed targets; more would make the tooltip taller than the window.
const MOST_NAMES: usize = 10;

/// Binds beyond this number are not listed; the tooltip is built anew every frame.
const MOST_BINDS: usize = 1000;

/// Shows everything about an expression except the layers that set its value.
fn expression_ui(ui: &mut egui::Ui, head: &Head, expression: &Expression) {
    ui.strong(match expression.preset.map(|preset| preset.name()) {
        Some(preset) if preset != expression.name => format!("{} (VRM's {preset})", text::shown(&expression.name)),
        _ => text::shown(&expression.name).into_owned(),
    });
    let response = expression.response.as_ref();
    let of_materials = response.map_or(&[][..], |response| &response.materials);
    if !expression.moves() && expression.materials.is_empty() && of_materials.is_empty() {
        ui.label("Moves nothing");
    }
    let mut changed: Vec<usize> = expression.materials.iter().map(|bind| bind.material).collect();
    changed.extend(of_materials.iter().map(|track| track.material));
    changed.sort_unstable();
    changed.dedup();
    let named = changed.iter().filter_map(|&material| head.materials.get(material));
    let materials: Vec<_> = named.map(|material| text::shown(&material.name)).collect();
    if !materials.is_empty() {
        ui.label(format!("Changes the material {}", listed(&materials, MOST_NAMES)));
    }
    let names = names(head, expression);
    for (name, weight) in names.iter().take(MOST_NAMES) {
        ui.label(format!("Moves {} by {weight:.2}", text::shown(name)));
    }
    if names.len() > MOST_NAMES {
        ui.label(format!("and {} more", names.len() - MOST_NAMES));
    }
    let mut joints: Vec<usize> =
        response.into_iter().flat_map(|response| &response.clip.node_tracks).map(|track| track.node).collect();
    joints.sort_unstable();
    joints.dedup();
    let joints = joints.iter().filter_map(|&node| head.rig.nodes.get(node));
    let joints: Vec<_> = joints.map(|node| text::shown(&node.name)).collect();
    if !joints.is_empty() {
        let noun = if joints.len() == 1 { "joint" } else { "joints" };
        ui.label(format!("Moves the {noun} {}", listed(&joints, MOST_NAMES)));
    }
    if expression.is_binary {
        ui.label("On or off: on above 0.5");
    }
    for (what, by) in [
        ("blinking", expression.override_blink),
        ("gaze", expression.override_look_at),
        ("speech", expression.override_mouth),
    ] {
        match by {
            Override::None => {}
            Override::Block => drop(ui.label(format!("Blocks {what}"))),
            Override::Blend => drop(ui.label(format!("Fades out {what}"))),
        }
    }
    for (kind, words) in [(true, "Fades out"), (false, "Blocks")] {
        let masks = expression.masks.iter().filter(|mask| match mask.kind {
            MaskKind::Blend => kind,
            MaskKind::Block { .. } => !kind,
            MaskKind::Unknown => false,
        });
        let masked: Vec<_> = masks.map(|mask| text::shown(&mask.target)).collect();
        if !masked.is_empty() {
            ui.label(format!("{words} {}", listed(&masked, MOST_NAMES)));
        }
    }
}

/// Names and weights of the expression's targets. Equal ones on several meshes are listed once.
fn names<'h>(head: &'h Head, expression: &Expression) -> Vec<(&'h str, f32)> {
    let mut names = Vec::new();
    for bind in expression.binds.iter().take(MOST_BINDS) {
        let named = head.target(bind.target).map(|(_, target)| (target.name.as_str(), bind.weight));
        names.extend(named.filter(|named| !names.contains(named)));
    }
    names
}
