//! One channel's half of a row: its bar, the triangle that opens its single targets, and the mark that takes it over
//! from the clip or gives it back.

use egui::{Id, Rect, RectAlign, Sense, Tooltip, pos2, vec2};

use crate::head::Channel;
use crate::session::{Driver, Session};

use super::bar::{Bar, BarOutput, Hold};
use super::icon::{Icon, icon_button_ui};
use super::{UiState, theme};

/// Where the list notes that a pair is under the hand, and the moment of the last nudge.
fn note(ui: &egui::Ui, state: &mut UiState, pair: usize, output: &BarOutput) {
    if output.response.has_focus() || output.response.dragged() {
        state.touched_pair = Some(pair);
    }
    if output.nudged {
        state.nudged_at_secs = Some(ui.input(|input| input.time));
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
    weights: &[f32],
) {
    let head = session.head.clone();
    let info = &head.channels[channel];
    let driver = session.driver(channel);
    let mark_width = if driver == Driver::Manual { 0.0 } else { theme::MARK_SIZE + 2.0 };
    let bar_rect = Rect::from_min_max(rect.min, pos2(rect.right() - mark_width, rect.bottom()));
    let has_several = info.targets.len() > 1;
    let output = Bar {
        name: &info.name,
        open_ended: true,
        hold: if driver == Driver::Clip { Hold::Driven } else { Hold::Free },
        mixed: has_several && session.is_mixed(channel, weights),
        indent: if has_several { 18.0 } else { 0.0 },
        ..Bar::new(&info.name, session.channel_value(channel, weights))
    }
    .show_ui(ui, bar_rect, Id::unique(("channel", channel)));
    note(ui, state, pair, &output);
    if let Some(value) = output.value {
        session.set_channel(channel, value);
    }
    if output.reset {
        session.reset_channel(channel);
    }
    if has_several {
        expander_ui(ui, bar_rect, state, channel, &info.name);
    }
    driver_mark_ui(ui, Rect::from_min_max(pos2(bar_rect.right() + 2.0, rect.top()), rect.max), session, channel);
    output.response.context_menu(|ui| menu_ui(ui, session, state, pair, channel));
    if output.refused {
        output.response.show_tooltip_text("The clip drives this row. Click its lock to take it over.");
    } else {
        // Beside the list: below the pointer it would hide the next rows.
        let row = Rect::from_x_y_ranges(ui.max_rect().x_range(), rect.y_range());
        let mut tooltip = Tooltip::for_enabled(&output.response);
        tooltip.popup = tooltip.popup.anchor(row).align(RectAlign::RIGHT_START).gap(theme::GAP_LARGE);
        tooltip.show(|ui| tooltip_ui(ui, session, channel, info));
    }
}

/// The thinner slider of one of its targets.
pub fn target_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    state: &mut UiState,
    pair: usize,
    (channel, nth): (usize, usize),
    weights: &[f32],
) {
    let head = session.head.clone();
    let Some(&target) = head.channels[channel].targets.get(nth) else { return };
    let Some((mesh, _)) = head.target(target) else { return };
    let rect = Rect::from_center_size(rect.center(), vec2(rect.width(), theme::BAR_HEIGHT_THIN));
    let rect = rect.with_min_x(rect.left() + theme::GAP_LARGE);
    let label = format!("{} · {}", head.channels[channel].name, mesh.name);
    let hold = if session.driver(channel) == Driver::Clip { Hold::Driven } else { Hold::Free };
    let output = Bar { name: &mesh.name, open_ended: true, hold, ..Bar::new(&label, weights[target]) }.show_ui(
        ui,
        rect,
        Id::unique(("target", target)),
    );
    note(ui, state, pair, &output);
    if let Some(value) = output.value {
        session.set_target(channel, target, value);
    }
    if output.reset {
        session.reset_target(channel, target);
    }
    if output.refused {
        output.response.show_tooltip_text("The clip drives this channel. Click its lock to take it over.");
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

fn driver_mark_ui(ui: &mut egui::Ui, rect: Rect, session: &mut Session, channel: usize) {
    let name = session.head.channels[channel].name.clone();
    let id = Id::unique(("driver", channel));
    match session.driver(channel) {
        Driver::Manual => {}
        Driver::Clip => {
            let label = format!("Take over {name}");
            let tip = "Driven by the clip. Click to take it over.";
            if icon_button_ui(ui, rect, id, (Icon::Lock, theme::DRIVEN_BRIGHT), &label, tip).clicked() {
                session.take_over(channel);
            }
        }
        Driver::Taken => {
            let label = format!("Give back {name}");
            let tip = "Taken over. Click to give it back to the clip.";
            if icon_button_ui(ui, rect, id, (Icon::GiveBack, theme::TEXT_WEAK), &label, tip).clicked() {
                session.give_back(channel);
            }
        }
    }
}

fn menu_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, pair: usize, channel: usize) {
    let driver = session.driver(channel);
    let free = driver != Driver::Clip;
    if ui.add_enabled(free, egui::Button::new("Reset")).clicked() {
        session.reset_channel(channel);
    }
    if session.head.pairs[pair].second.is_some() {
        if ui.button("Reset pair").clicked() {
            session.reset_pair(pair);
        }
        let linked = &mut session.edits.linked[pair];
        if ui.button(if *linked { "Unlink pair" } else { "Link pair" }).clicked() {
            *linked = !*linked;
        }
    }
    match driver {
        Driver::Manual => {}
        Driver::Clip => {
            if ui.button("Take over from clip").clicked() {
                session.take_over(channel);
            }
        }
        Driver::Taken => {
            if ui.button("Give back to clip").clicked() {
                session.give_back(channel);
            }
        }
    }
    if !state.expanded.contains(&channel) && ui.button("One slider per mesh").clicked() {
        state.expanded.insert(channel);
    }
}

fn tooltip_ui(ui: &mut egui::Ui, session: &Session, channel: usize, info: &Channel) {
    ui.set_max_width(320.0);
    ui.strong(&info.full_name);
    let meshes = info.targets.iter().filter_map(|&target| session.head.target(target));
    let meshes: Vec<&str> = meshes.map(|(mesh, _)| mesh.name.as_str()).collect();
    ui.label(format!("Moves {}", meshes.join(", ")));
    ui.label(format!("At rest {:.2}", session.channel_default(channel)));
    match session.driver(channel) {
        Driver::Clip => ui.colored_label(theme::DRIVEN_BRIGHT, "Driven by the clip; the lock takes it over."),
        Driver::Manual | Driver::Taken => ui.weak("Shift drags beyond 0 and 1, Ctrl finely; double click resets."),
    };
}
