//! The window's layout: which panels there are, and how they share the room.

use std::time::Duration;

use egui::{CentralPanel, Margin, Panel, Rangef};

use crate::motion::Mix;
use crate::session::{Command, Session};

use super::{PanelSettings, UiState, WindowView};
use super::{channels, curves, shortcuts, side, theme, top_bar, transport, viewport};

/// Lays the whole window out in the root `ui` and lets the hand edit the session.
pub fn show(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, view: &WindowView<'_>) -> Vec<Command> {
    let ctx = ui.ctx().clone();
    let mut commands = Vec::new();
    state.follow(&session.head);
    shortcuts::take_keys(&ctx, session, state, view, &mut commands);
    (state.row_at_hand, state.poses_in_sight) = (None, Vec::new());
    let mix = session.mix();

    let bar = || theme::panel(Margin::symmetric(8, 4));
    Panel::top("top").frame(bar()).resizable(false).show(ui, |ui| {
        top_bar::top_bar_ui(ui, session, state, view, &mut commands);
    });
    Panel::bottom("transport").frame(bar()).resizable(false).exact_size(40.0).show(ui, |ui| {
        transport::transport_ui(ui, session, state);
    });
    curves_panel_ui(ui, session, state, &mix);
    side_panels_ui(ui, session, state, view, &mix, &mut commands);
    CentralPanel::no_frame().show(ui, |ui| {
        viewport::viewport_ui(ui, session, state, view, &mut commands);
    });
    shortcuts::take_row_keys(&ctx, session, state, view, &mut commands);
    shortcuts::shortcuts_overlay_ui(ui, state);

    let is_scrolling = ctx.input(|input| input.is_scrolling());
    state.interacting = ctx.egui_is_using_pointer() || is_scrolling;
    if is_scrolling {
        // One more frame after the last notch, so that the app sees the hand rest.
        ctx.request_repaint();
    }
    commit_when_done(&ctx, session, state);
    commands
}

fn curves_panel_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, mix: &Mix) {
    let PanelSettings { curves_height, mut curves_open, .. } = state.panels;
    let tallest = (ui.available_height() * 0.6).max(180.0);
    let room = Rangef::new(150.0, tallest);
    state.curves_size.fit(ui, "curves", curves_height, room);
    let panel = Panel::bottom("curves").frame(theme::panel(Margin::same(8))).default_size(curves_height);
    let panel = panel.size_range(room).drag_to_open(false);
    let shown = panel.show_collapsible(ui, &mut curves_open, |ui| curves::curves_ui(ui, session, state, mix));
    if let Some(shown) = shown.filter(|_| curves_open) {
        state.panels.curves_height = state.curves_size.wish(curves_height, shown.response.rect.height());
    }
    state.panels.curves_open = curves_open;
}

fn side_panels_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    mix: &Mix,
    commands: &mut Vec<Command>,
) {
    let frame = || theme::panel(Margin { left: 8, right: 8, top: 8, bottom: 8 });
    let PanelSettings { left_width, right_width, mut left_open, mut right_open, .. } = state.panels;
    // The picture is what the window is for: the list leaves it two thirds.
    let widest = (ui.available_width() * 0.34).clamp(320.0, 640.0);
    let room = Rangef::new(320.0, widest);
    state.left_size.fit(ui, "channels", left_width, room);
    let left = Panel::left("channels").frame(frame()).default_size(left_width).size_range(room);
    let shown = left.show_collapsible(ui, &mut left_open, |ui| {
        channels::channels_ui(ui, session, state, mix);
    });
    if let Some(shown) = shown.filter(|_| left_open) {
        state.panels.left_width = state.left_size.wish(left_width, shown.response.rect.width());
    }
    let right = Panel::right("side").frame(frame()).default_size(right_width).size_range(256.0..=480.0);
    let shown = right.show_collapsible(ui, &mut right_open, |ui| {
        side::side_ui(ui, session, state, view, commands);
    });
    if let Some(shown) = shown.filter(|_| right_open) {
        state.panels.right_width = shown.response.rect.width();
    }
    (state.panels.left_open, state.panels.right_open) = (left_open, right_open);
}

/// Ends a step of undo once the hand rests: a drag is one step, and so is a burst of keys or wheel notches.
fn commit_when_done(ctx: &egui::Context, session: &mut Session, state: &mut UiState) {
    const BURST_SECS: f64 = 0.5;
    let (now, held) = ctx.input(|input| (input.time, input.pointer.any_down()));
    if held || ctx.text_edit_focused() {
        return;
    }
    match state.nudged_at_secs {
        Some(nudged) if now - nudged < BURST_SECS => {
            ctx.request_repaint_after(Duration::from_secs_f64(BURST_SECS - (now - nudged)));
        }
        _ => {
            state.nudged_at_secs = None;
            session.commit();
        }
    }
}
