//! The window's layout: the panels around the viewport.

use std::time::Duration;

use egui::{CentralPanel, Margin, Panel, Popup, Rangef, Rect, vec2};

use smirk_editor::session::{Command, Session};
use smirk_face::motion::Mix;
use smirk_files::audio::Sound;

use super::widgets::focus_ring;
use super::{PanelSettings, UiState, WindowView};
use super::{
    channels, comparison, curves, prompt, reference, shortcuts, side_panel, theme, top_bar, transport, unsaved_work,
    viewport,
};

/// Shows all panels in the root `ui` and applies the user's edits to the session. Returns what the window has to do.
pub fn show(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, view: &WindowView<'_>) -> Vec<Command> {
    let ctx = ui.ctx().clone();
    let mut commands = Vec::new();
    state.clear_for_new_head(&session.head);
    shortcuts::handle_keys(&ctx, session, state, view, &mut commands);
    comparison::follow_key(&ctx, session, state, view);
    state.pointed_at = None;
    (state.visible_poses, state.visible_combinations) = (Vec::new(), Vec::new());
    let mix = session.mix();

    let bar = || theme::panel(Margin::symmetric(8, 4));
    Panel::top("top").frame(bar()).resizable(false).show(ui, |ui| {
        top_bar::top_bar_ui(ui, session, state, view, &mut commands);
    });
    Panel::bottom("transport").frame(bar()).resizable(false).exact_size(40.0).show(ui, |ui| {
        transport::transport_ui(ui, session, state, view.sound, &mut commands);
    });
    side_panels_ui(ui, session, state, view, &mix, &mut commands);
    curves_panel_ui(ui, session, state, &mix, view.sound.sound());
    reference::pane_ui(ui, session, state, view, &mut commands);
    CentralPanel::no_frame().show(ui, |ui| {
        viewport::viewport_ui(ui, session, state, view, &mut commands);
    });
    shortcuts::handle_channel_keys(&ctx, session, state, view, &mut commands);
    shortcuts::shortcuts_overlay_ui(ui, state);
    unsaved_work::unsaved_work_ui(ui, state, view, &mut commands);
    if let Some(prompt) = view.prompt {
        prompt::prompt_ui(ui, prompt, &mut commands);
    }

    focus_ring(&ctx);
    theme::high_contrast::follow(&ctx, state.panels.high_contrast);
    let is_scrolling = ctx.input(|input| input.is_scrolling());
    state.is_interacting = ctx.egui_is_using_pointer() || is_scrolling;
    if is_scrolling {
        // Requests another frame after the last wheel event, in which `is_interacting` becomes false.
        ctx.request_repaint();
    }
    state.escape_is_taken = ctx.memory(|memory| memory.focused().is_some()) || Popup::is_any_open(&ctx);
    commands.extend(state.curves.told.take().map(Command::ShowStatus));
    commit_when_idle(&ctx, session, state);
    commands
}

/// Shows the curves below the viewport, unless there is no timeline to show.
fn curves_panel_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, mix: &Mix, sound: Option<&Sound>) {
    let PanelSettings { curves_height, curves_open, .. } = state.panels;
    let has_timeline = session.timeline_secs() > 0.0;
    let mut is_open = curves_open && has_timeline;
    // At least four tenths of the height stay for the face.
    let range = Rangef::new(150.0, (ui.available_height() * 0.6).max(180.0));
    state.curves_panel.apply(ui, "curves", curves_height, range);
    let frame = theme::panel(Margin { left: 8, right: 8, top: GRIP_HEIGHT as i8, bottom: 8 });
    let panel = Panel::bottom("curves").frame(frame).default_size(curves_height).size_range(range);
    let panel = panel.resizable(true).drag_to_open(false);
    let shown = panel.show_collapsible(ui, &mut is_open, |ui| curves::curves_ui(ui, session, state, mix, sound));
    if let Some(shown) = shown.filter(|_| is_open) {
        let rect = shown.response.rect;
        state.panels.curves_height = state.curves_panel.preferred(curves_height, rect.height());
        paint_grip(ui, Rect::from_center_size(rect.center_top() + vec2(0.0, GRIP_HEIGHT * 0.5), vec2(40.0, 4.0)));
    }
    if has_timeline {
        state.panels.curves_open = is_open;
    }
}

/// Height of the upper edge of the curves, by which they are resized.
const GRIP_HEIGHT: f32 = 10.0;

/// Marks the edge that is dragged to resize a panel.
fn paint_grip(ui: &egui::Ui, grip: Rect) {
    let is_near = ui.rect_contains_pointer(grip.expand2(vec2(grip.width(), 3.0)));
    ui.painter().rect_filled(grip, 2.0, if is_near { theme::TEXT_WEAK } else { theme::ICON_FAINT });
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
    // The list leaves at least two thirds of the window to the viewport and the right panel.
    let widest = (ui.available_width() * 0.34).clamp(320.0, 640.0);
    let range = Rangef::new(320.0, widest);
    state.left_panel.apply(ui, "channels", left_width, range);
    let left = Panel::left("channels").frame(frame()).default_size(left_width).size_range(range);
    let shown = left.show_collapsible(ui, &mut left_open, |ui| {
        channels::channels_ui(ui, session, state, view, mix, commands);
    });
    if let Some(shown) = shown.filter(|_| left_open) {
        state.panels.left_width = state.left_panel.preferred(left_width, shown.response.rect.width());
    }
    let right = Panel::right("side").frame(frame()).default_size(right_width).size_range(theme::TABS_WIDTH..=480.0);
    let shown = right.show_collapsible(ui, &mut right_open, |ui| {
        side_panel::side_panel_ui(ui, session, state, view, commands);
    });
    if let Some(shown) = shown.filter(|_| right_open) {
        state.panels.right_width = shown.response.rect.width();
    }
    (state.panels.left_open, state.panels.right_open) = (left_open, right_open);
}

/// Ends an undo step when the user pauses. A drag is one step, and so is a quick series of arrow keys or wheel events.
fn commit_when_idle(ctx: &egui::Context, session: &mut Session, state: &mut UiState) {
    const BURST_SECS: f64 = 0.5;
    let (now, is_button_down) = ctx.input(|input| (input.time, input.pointer.any_down()));
    if is_button_down || ctx.text_edit_focused() {
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
