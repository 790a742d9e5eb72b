//! One channel in a row of the list: its slider, its menu and its tooltip; and the sliders of its targets.

use std::time::Duration;

use egui::{Align2, Id, Rect, RectAlign, Stroke, StrokeKind, Tooltip, Vec2, pos2, vec2};

use smirk_editor::session::Session;
use smirk_face::head::{Channel, Corrective, Head, listed};
use smirk_face::motion::{Layer, Mix};

use crate::widgets::{Bar, BarOutput, BarState, context_menu_ui, text};
use crate::{PointedAt, UiState, theme};

use super::columns::TRIANGLE_WIDTH;
use super::expression_tooltip::expression_ui;
use super::menu::menu_ui;
use super::status::{LOCKED, MUTED, layer_mark_ui, status_button_ui, status_of};

/// Stores which pair is being edited, and when arrow keys or the wheel last changed a value.
fn track_edit(ui: &egui::Ui, state: &mut UiState, pair: usize, output: &BarOutput) {
    if output.response.has_focus() || output.response.dragged() {
        state.edited_pair = Some(pair);
    }
    if output.nudged {
        state.nudged_at_secs = Some(ui.input(|input| input.time));
    }
}

/// Stores the channel that K, M and S act on. The pointer takes precedence over the keyboard focus, which stays on the
/// last dragged slider.
fn track_shortcut_channel(ui: &egui::Ui, rect: Rect, state: &mut UiState, channel: usize, output: &BarOutput) {
    if ui.rect_contains_pointer(rect) || (output.response.has_focus() && state.pointed_at.is_none()) {
        state.pointed_at = Some(PointedAt::Channel(channel));
    }
}

/// The slider of a channel, which sets all of its targets. `side` is the letter that is drawn on it.
pub(super) fn channel_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    state: &mut UiState,
    (pair, channel, side): (usize, usize, &str),
    mix: &Mix,
) {
    let head = session.head.clone();
    let info = &head.channels[channel];
    let status = status_of(session, channel, mix);
    let has_several = head.moving_targets(channel).len() > 1;
    let bar_state = bar_state_of(channel, mix);
    let corrective = head.correctives.of_channel(channel).filter(|_| mix.layers[channel] == Layer::Corrective);
    let follows = corrective.map(Corrective::drive_in_words).filter(|_| side.is_empty());
    let output = Bar {
        // The mark takes the place of the letter, because two narrow sliders have no room for both.
        name: match &follows {
            Some(follows) => follows,
            None if status.is_some() => "",
            None => side,
        },
        indent: if follows.is_some() { theme::ICON_BUTTON_SIZE } else { 0.0 },
        // The value of an expression is always limited to 0 to 1.
        open_ended: head.expression_of(channel).is_none(),
        state: bar_state,
        mixed: has_several && session.is_mixed(channel, &mix.weights),
        quiet_at_zero: true,
        ..Bar::new(&info.name, session.channel_value(channel, &mix.weights))
    }
    .show_ui(ui, rect, Id::unique(("channel", channel)));
    if state.pointing.marked.contains(&channel) {
        let stroke = Stroke::new(1.0, theme::ACCENT_BRIGHT);
        ui.painter().rect_stroke(rect, theme::ROUNDING, stroke, StrokeKind::Inside);
    }
    track_edit(ui, state, pair, &output);
    track_shortcut_channel(ui, rect, state, channel, &output);
    if output.drag_started {
        session.take_over(channel);
    }
    if let Some(value) = output.value {
        session.set_channel(channel, value);
    }
    if output.reset {
        session.reset_channel(channel);
    }
    if session.edits.timeline.auto_keys && (output.value.is_some() || output.reset) {
        session.key_channel(channel);
    }
    // The explanation is hidden as soon as the channel is no longer muted.
    let refusal = refusal_of(bar_state);
    let shows_refusal = refusal.is_some() && was_refused_recently(ui, state, channel, output.edit_refused);
    if let Some(status) = status {
        let mark = Rect::from_center_size(
            pos2(rect.left() + 2.0 + theme::ICON_BUTTON_SIZE / 2.0, rect.center().y),
            Vec2::splat(theme::ICON_BUTTON_SIZE),
        );
        if status_button_ui(ui, mark, session, channel, status, shows_refusal) {
            show_drivers(state, &head, channel);
        }
    }
    context_menu_ui(&output.response, |ui| menu_ui(ui, session, state, pair, channel, mix));
    if let Some(refusal) = refusal.filter(|_| shows_refusal) {
        output.response.show_tooltip_text(refusal);
    } else if output.allows_tooltip {
        // At the side of the list, because below the pointer it would cover the next rows.
        let row = Rect::from_x_y_ranges(ui.max_rect().x_range(), rect.y_range());
        let mut tooltip = Tooltip::for_enabled(&output.response);
        tooltip.popup = tooltip.popup.anchor(row).align(RectAlign::RIGHT_START).gap(theme::GAP_LARGE);
        tooltip.show(|ui| tooltip_ui(ui, session, channel, info, mix));
    }
}

/// Why a slider does not move; none if it does.
fn refusal_of(state: BarState) -> Option<&'static str> {
    match state {
        BarState::Muted => Some(MUTED),
        BarState::Locked(_) => Some(LOCKED),
        BarState::Manual | BarState::Driven(_) => None,
    }
}

/// Shows the channels that drive a channel in the list, and marks their rows.
fn show_drivers(state: &mut UiState, head: &Head, channel: usize) {
    let drivers: Vec<usize> = head.correctives.drivers_of(channel).into_iter().map(|(driver, _)| driver).collect();
    if let Some(&first) = drivers.first() {
        state.reveal(head, first);
        state.pointing.marked = drivers;
    }
}

/// Whether a row explains why it does not move: from the moment the user tries to drag it, and long enough to read.
fn was_refused_recently(ui: &egui::Ui, state: &mut UiState, channel: usize, is_refused: bool) -> bool {
    const READING_SECS: f64 = 2.5;
    let now = ui.input(|input| input.time);
    if is_refused {
        state.refused_row = Some((channel, now));
    }
    let left = state.refused_row.filter(|&(of, _)| of == channel).map_or(0.0, |(_, at)| at + READING_SECS - now);
    if left > 0.0 {
        ui.request_repaint_after(Duration::from_secs_f64(left));
    }
    left > 0.0
}

/// The name of a mesh and the thinner slider of one target of a channel. Returns what is to be said, if anything is.
pub(super) fn target_ui(
    ui: &mut egui::Ui,
    (name, slider): (Rect, Rect),
    session: &mut Session,
    state: &mut UiState,
    pair: usize,
    [channel, target]: [usize; 2],
    mix: &Mix,
) -> Option<String> {
    let head = session.head.clone();
    let (mesh, _) = head.target(target)?;
    mesh_name_ui(ui, name, &mesh.name);
    let rect = Rect::from_center_size(slider.center(), vec2(slider.width(), theme::BAR_HEIGHT_THIN));
    let label = format!("{} · {}", head.channels[channel].name, mesh.name);
    let bar_state = bar_state_of(channel, mix);
    let output = Bar {
        name: "",
        open_ended: true,
        state: bar_state,
        quiet_at_zero: true,
        ..Bar::new(&label, mix.weights[target])
    }
    .show_ui(ui, rect, Id::unique(("target", target)));
    track_edit(ui, state, pair, &output);
    track_shortcut_channel(ui, rect, state, channel, &output);
    if output.drag_started {
        session.take_over(channel);
    }
    if let Some(value) = output.value {
        session.set_target(channel, target, value);
    }
    if output.reset {
        session.reset_target(channel, target);
    }
    if let Some(refusal) = refusal_of(bar_state).filter(|_| output.edit_refused) {
        output.response.show_tooltip_text(refusal);
    }
    // A drag is one message.
    let begins = output.drag_started || ((output.value.is_some() || output.reset) && !output.response.dragged());
    let name = &head.channels[channel].name;
    (session.edits.timeline.auto_keys && begins).then(|| {
        let (name, mesh) = (text::shown(name), text::shown(&mesh.name));
        format!("No key set: keys are per channel, and this moved {name} on {mesh} alone. Drag the slider of {name} to set one")
    })
}

/// The name of a mesh, to the right of the names of channels.
fn mesh_name_ui(ui: &egui::Ui, rect: Rect, name: &str) {
    let rect = rect.with_min_x(rect.left() + TRIANGLE_WIDTH + theme::GAP);
    let shown = text::elide_middle(ui.painter(), name, &theme::small_font(), rect.width());
    ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, shown, theme::small_font(), theme::TEXT_WEAK);
}

/// How a channel's slider looks and whether it can be edited, given the layer that sets the channel.
fn bar_state_of(channel: usize, mix: &Mix) -> BarState {
    match mix.layers[channel] {
        Layer::Muted | Layer::NotSoloed => BarState::Muted,
        Layer::Rest | Layer::Manual => BarState::Manual,
        Layer::Corrective => BarState::Locked(Layer::Corrective),
        layer => BarState::Driven(layer),
    }
}

/// The largest number of meshes that a tooltip lists; more would make it taller than the window.
const MOST_MESHES: usize = 12;

fn tooltip_ui(ui: &mut egui::Ui, session: &Session, channel: usize, info: &Channel, mix: &Mix) {
    ui.set_max_width(320.0);
    if let Some(expression) = session.head.expression_of(channel) {
        expression_ui(ui, &session.head, expression);
        limited_ui(ui, session, channel, mix);
    } else {
        ui.strong(text::shown(&info.full_name));
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
    let wanted = session.channel_value(channel, &mix.weights);
    if let Some(shown) = session.head.expression_output(channel, &mix.weights).filter(|shown| shown + 0.005 < wanted) {
        ui.colored_label(theme::WARNING, format!("Limited to {shown:.2} by other expressions"));
    }
}

/// All layers that set the channel, the one in effect on top.
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
