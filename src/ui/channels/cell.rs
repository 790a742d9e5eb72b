//! One channel's half of a row: its bar, the triangle that opens its single targets, its menu and its tooltip.

use std::time::Duration;

use egui::{Id, Rect, RectAlign, Sense, Tooltip, pos2, vec2};

use crate::head::{Channel, Pair, PairKind};
use crate::motion::{Layer, Mix};
use crate::session::Session;

use crate::ui::widgets::{Bar, BarOutput, Hold, Icon};
use crate::ui::{UiState, theme};

use super::expression_tooltip::expression_ui;
use super::mark::{mark_of, mark_ui, refusal};

/// Where the list notes that a pair is under the hand, and the moment of the last nudge.
fn note(ui: &egui::Ui, state: &mut UiState, pair: usize, output: &BarOutput) {
    if output.response.has_focus() || output.response.dragged() {
        state.touched_pair = Some(pair);
    }
    if output.nudged {
        state.nudged_at_secs = Some(ui.input(|input| input.time));
    }
}

/// Notes the channel that keys are about: the pointer counts for more than the focus a drag left behind.
fn note_at_hand(ui: &egui::Ui, rect: Rect, state: &mut UiState, channel: usize, output: &BarOutput) {
    if ui.rect_contains_pointer(rect) || (output.response.has_focus() && state.row_at_hand.is_none()) {
        state.row_at_hand = Some(channel);
    }
}

/// The slider of a channel over all its targets.
pub fn channel_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    state: &mut UiState,
    pair: usize,
    channel: usize,
    mix: &Mix,
) {
    let head = session.head.clone();
    let info = &head.channels[channel];
    let mark = mark_of(session, channel, mix);
    let mark_width = if mark.is_none() { 0.0 } else { theme::MARK_SIZE + 2.0 };
    let bar_rect = Rect::from_min_max(rect.min, pos2(rect.right() - mark_width, rect.bottom()));
    let has_several = head.moving_targets(channel).len() > 1;
    let hold = hold_of(session, channel, mix);
    let output = Bar {
        name: &info.name,
        // An expression's value is kept between 0 and 1, whatever is asked for.
        open_ended: head.expression_of(channel).is_none(),
        hold,
        mixed: has_several && session.is_mixed(channel, &mix.weights),
        // Names stand below each other, whether there is an arrow before them or not.
        indent: if head.channels.iter().any(|channel| channel.targets.len() > 1) { 18.0 } else { 0.0 },
        ..Bar::new(&info.name, session.channel_value(channel, &mix.weights))
    }
    .show_ui(ui, bar_rect, Id::unique(("channel", channel)));
    note(ui, state, pair, &output);
    note_at_hand(ui, rect, state, channel, &output);
    if let Some(value) = output.value {
        session.set_channel(channel, value);
    }
    if output.reset {
        session.reset_channel(channel);
    }
    // Taken over, it has nothing to explain any more.
    let is_told = hold.refuses() && is_refused_lately(ui, state, channel, output.refused);
    if has_several {
        expander_ui(ui, bar_rect, state, channel, &info.name);
    }
    if let Some(mark) = mark {
        let rect = Rect::from_min_max(pos2(bar_rect.right() + 2.0, rect.top()), rect.max);
        mark_ui(ui, rect, session, channel, mark, is_told);
    }
    output.response.context_menu(|ui| menu_ui(ui, session, state, pair, channel, mix));
    if is_told {
        output.response.show_tooltip_text(refusal(mix, channel));
    } else {
        // Beside the list: below the pointer it would hide the next rows.
        let row = Rect::from_x_y_ranges(ui.max_rect().x_range(), rect.y_range());
        let mut tooltip = Tooltip::for_enabled(&output.response);
        tooltip.popup = tooltip.popup.anchor(row).align(RectAlign::RIGHT_START).gap(theme::GAP_LARGE);
        tooltip.show(|ui| tooltip_ui(ui, session, channel, info, mix));
    }
}

/// Whether a row says why it does not follow: from the moment it is pulled at, and long enough to be read.
fn is_refused_lately(ui: &egui::Ui, state: &mut UiState, channel: usize, is_refused: bool) -> bool {
    const READING_SECS: f64 = 2.5;
    let now = ui.input(|input| input.time);
    if is_refused {
        state.refused = Some((channel, now));
    }
    let left = state.refused.filter(|&(of, _)| of == channel).map_or(0.0, |(_, at)| at + READING_SECS - now);
    if left > 0.0 {
        ui.request_repaint_after(Duration::from_secs_f64(left));
    }
    left > 0.0
}

/// The thinner slider of one of its targets.
pub fn target_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    state: &mut UiState,
    pair: usize,
    (channel, nth): (usize, usize),
    mix: &Mix,
) {
    let head = session.head.clone();
    let Some(&(target, mesh)) = head.moving_targets(channel).get(nth) else { return };
    let rect = Rect::from_center_size(rect.center(), vec2(rect.width(), theme::BAR_HEIGHT_THIN));
    let rect = rect.with_min_x(rect.left() + theme::GAP_LARGE);
    let label = format!("{} · {}", head.channels[channel].name, mesh.name);
    let hold = hold_of(session, channel, mix);
    let output = Bar { name: &mesh.name, open_ended: true, hold, ..Bar::new(&label, mix.weights[target]) }.show_ui(
        ui,
        rect,
        Id::unique(("target", target)),
    );
    note(ui, state, pair, &output);
    note_at_hand(ui, rect, state, channel, &output);
    if let Some(value) = output.value {
        session.set_target(channel, target, value);
    }
    if output.reset {
        session.reset_target(channel, target);
    }
    if output.refused {
        output.response.show_tooltip_text(refusal(mix, channel));
    }
}

fn expander_ui(ui: &mut egui::Ui, bar_rect: Rect, state: &mut UiState, channel: usize, name: &str) {
    let rect = Rect::from_min_size(bar_rect.min, vec2(17.0, bar_rect.height()));
    let is_open = state.expanded.contains(&channel);
    let response = ui.interact(rect, Id::unique(("expand", channel)), Sense::click());
    let label = format!("{} {name}", if is_open { "Fold" } else { "Unfold" });
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    let color = if response.hovered() { theme::TEXT } else { theme::TEXT_WEAK };
    if is_open { Icon::Unfolded } else { Icon::Folded }.paint(ui.painter(), rect, color);
    if response.clicked() && !state.expanded.remove(&channel) {
        state.expanded.insert(channel);
    }
    response.on_hover_text("One slider per mesh");
}

/// What a row looks like under who decides it.
fn hold_of(session: &Session, channel: usize, mix: &Mix) -> Hold {
    match mix.layers[channel] {
        Layer::Muted | Layer::NotSoloed => Hold::Silent,
        _ if session.is_locked(channel, mix) => Hold::Driven,
        Layer::Pose => Hold::Posed,
        _ => Hold::Free,
    }
}

fn menu_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, pair: usize, channel: usize, mix: &Mix) {
    let below = mix.below_manual[channel];
    if session.is_locked(channel, mix) {
        if ui.button(format!("Take over from {}", below.label().to_lowercase())).clicked() {
            session.take_over(channel);
        }
    } else if session.is_taken(channel, mix)
        && ui.button(format!("Give back to {}", below.label().to_lowercase())).clicked()
    {
        session.give_back(channel);
    }
    let item = |text: String, keys| egui::Button::new(text).shortcut_text(keys);
    if ui.add(item(format!("Key here ({:.2} s)", session.playback.time_secs), "K")).clicked() {
        session.key_channel(channel);
    }
    if !session.edits.keys.of(&session.head.channels[channel].full_name).is_empty()
        && ui.button("Clear its keys").clicked()
    {
        session.clear_keys(channel);
    }
    ui.separator();
    if ui.add(item(if session.edits.soloed[channel] { "Unsolo" } else { "Solo" }.into(), "S")).clicked() {
        session.toggle_solo(channel);
    }
    if ui.add(item(if session.edits.muted[channel] { "Unmute" } else { "Mute" }.into(), "M")).clicked() {
        session.toggle_mute(channel);
    }
    ui.separator();
    let free = !session.is_locked(channel, mix);
    if ui.add_enabled(free, egui::Button::new("Reset")).clicked() {
        session.reset_channel(channel);
    }
    // Strangers side by side are no pair, unless the artist has made them one.
    let Pair { second, kind, .. } = &session.head.pairs[pair];
    if second.is_some() && (*kind != PairKind::Neighbours || session.edits.linked[pair]) {
        if ui.button("Reset pair").clicked() {
            session.reset_pair(pair);
        }
        let linked = &mut session.edits.linked[pair];
        if ui.button(if *linked { "Unlink pair" } else { "Link pair" }).clicked() {
            *linked = !*linked;
        }
    }
    let has_several = session.head.moving_targets(channel).len() > 1;
    if has_several && !state.expanded.contains(&channel) && ui.button("One slider per mesh").clicked() {
        state.expanded.insert(channel);
    }
}

fn tooltip_ui(ui: &mut egui::Ui, session: &Session, channel: usize, info: &Channel, mix: &Mix) {
    ui.set_max_width(320.0);
    if let Some(expression) = session.head.expression_of(channel) {
        expression_ui(ui, &session.head, expression);
        held_back_ui(ui, session, channel, mix);
    } else {
        ui.strong(&info.full_name);
        let targets = session.head.moving_targets(channel);
        let meshes: Vec<&str> = targets.iter().map(|(_, mesh)| mesh.name.as_str()).collect();
        ui.label(format!("Moves {}", meshes.join(", ")));
    }
    stack_ui(ui, session, channel);
    if session.is_locked(channel, mix) {
        ui.colored_label(theme::DRIVEN_BRIGHT, "The mark beside it takes it over.");
    } else if session.head.expression_of(channel).is_some() {
        ui.weak("0 to 1. Ctrl drags finely; double click resets.");
    } else {
        ui.weak("Shift drags beyond 0 and 1, Ctrl finely; double click resets.");
    }
}

/// Says so where other expressions leave less of one than its slider asks for.
fn held_back_ui(ui: &mut egui::Ui, session: &Session, channel: usize, mix: &Mix) {
    let asked = session.channel_value(channel, &mix.weights);
    if let Some(shown) = session.head.shown_of_expression(channel, &mix.weights).filter(|shown| shown + 0.005 < asked) {
        ui.colored_label(theme::WARNING, format!("Shown at {shown:.2} just now"));
    }
}

/// Every layer that has a say, the one that wins on top.
fn stack_ui(ui: &mut egui::Ui, session: &Session, channel: usize) {
    let contributions = session.contributions(channel);
    egui::Grid::new("stack").num_columns(2).spacing(vec2(theme::GAP_LARGE, 2.0)).show(ui, |ui| {
        for (place, (layer, value)) in contributions.iter().rev().enumerate() {
            let color = if place == 0 { theme::TEXT } else { theme::TEXT_WEAK };
            ui.colored_label(color, session.layer_name(*layer));
            ui.colored_label(color, format!("{value:.2}"));
            ui.end_row();
        }
    });
}
