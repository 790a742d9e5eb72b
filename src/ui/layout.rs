//! The window's layout: the panels around the viewport.

use std::sync::Arc;
use std::time::Duration;

use egui::{CentralPanel, Margin, Panel, Popup, Rangef, UiBuilder, vec2};

use smirk_face::head::{Head, OfHead};
use smirk_session::Session;

use crate::channels::ChannelList;
use crate::command::Command;
use crate::context::PanelContext;
use crate::curves::CurvesPanel;
use crate::errors::{self, ErrorStrip};
use crate::guard::{guarded, guarded_elsewhere, guarded_ui};
use crate::keyboard::{self, Keyboard};
use crate::readings::Readings;
use crate::reference::ReferencePane;
use crate::side_panel::SidePanel;
use crate::state::{HeadMarks, PanelSettings, Part, UiState};
use crate::thumbnails::VisiblePictures;
use crate::unsaved_work::WorkList;
use crate::viewport::{NotePins, Pointing, Viewport};
use crate::widgets::{
    PanelSize, TipSide, end_typing_by_drag, focus_ring, forget_nudge, grip_ui, keep_tips_off, last_nudge_secs,
    place_tips,
};
use crate::{avatar, comparison, high_contrast, overlay, poses, prompt, theme, top_bar, transport};

#[derive(Debug, Default)]
pub struct Panels {
    pub work_list: WorkList,
    frame: Frame,
    of_head: OfHead<Remembered>,
}

#[derive(Debug, Default)]
struct Remembered {
    panels: HeadPanels,
    marks: HeadMarks,
}

/// The panels that remember something of the head that they show: its channels, its poses, the keys of its channels,
/// points of its surface.
#[derive(Debug, Default)]
pub struct HeadPanels {
    pub channels: ChannelList,
    pub curves: CurvesPanel,
    pub side: SidePanel,
    pointing: Pointing,
    pins: NotePins,
    errors: ErrorStrip,
}

/// The window around them, which is the same for every head.
#[derive(Debug, Default)]
struct Frame {
    reference: ReferencePane,
    viewport: Viewport,
    keyboard: Keyboard,
    left_size: PanelSize,
    curves_size: PanelSize,
}

impl Panels {
    /// Shows all panels in the root `ui` and applies the user's edits to the session. Returns the commands for the
    /// window.
    pub fn show(
        &mut self,
        ui: &mut egui::Ui,
        session: &mut Session,
        state: &mut UiState,
        readings: &Readings<'_>,
    ) -> Vec<Command> {
        let Self { work_list, frame, of_head } = self;
        if !of_head.is_of(&session.head) {
            // What is dragged belongs to the head before.
            ui.ctx().stop_dragging();
        }
        let Remembered { panels, marks } = of_head.get_or_default(&session.head);
        let shows_work_list = work_list.is_open;
        let mix = session.mix();
        let (commands, actions) = (Vec::new(), Vec::new());
        let mut context = PanelContext { session, state, marks, readings, mix, commands, actions, shows_work_list };
        frame.show(ui, panels, work_list, &mut context);
        let commands = context.commands;
        if marks.begins_anew {
            *of_head = OfHead::default();
        }
        commands
    }

    /// The panels of a head; `None` if they were shown with another one last, or never.
    pub fn of_head(&self, head: &Arc<Head>) -> Option<&HeadPanels> {
        self.of_head.get(head).map(|remembered| &remembered.panels)
    }

    pub fn of_head_mut(&mut self, head: &Arc<Head>) -> &mut HeadPanels {
        &mut self.of_head.get_or_default(head).panels
    }

    /// Keeps what is open, searched and selected when the same head was read again. Channels are found by name.
    pub fn follow_reload(&mut self, before: &Arc<Head>, after: &Arc<Head>) {
        self.of_head.follow_reload(before, after, |Remembered { panels, marks }| {
            let new_of = |channel: usize| after.channel_named(&before.channels[channel].full_name);
            panels.channels.follow_reload(new_of);
            panels.curves.follow_reload();
            panels.side.follow_reload();
            panels.pointing = Pointing::default();
            panels.pins = NotePins::default();
            panels.errors = ErrorStrip::default();
            marks.follow_reload(new_of);
        });
    }
}

impl Frame {
    fn show(
        &mut self,
        ui: &mut egui::Ui,
        panels: &mut HeadPanels,
        work_list: &mut WorkList,
        cx: &mut PanelContext<'_>,
    ) {
        let ctx = ui.ctx().clone();
        let curves = &mut panels.curves;
        guarded(cx, Part::Action, |cx| self.keyboard.handle_keys(&ctx, curves, cx));
        comparison::follow_key(&ctx, cx);
        cx.marks.pointed_at = None;
        cx.marks.dragged_pose.iter_mut().for_each(|dragged| dragged.time_secs = None);
        cx.state.visible_pictures = OfHead::with(&cx.session.head, VisiblePictures::default());
        cx.mix = cx.session.mix();

        let bar = theme::panel(Margin::symmetric(8, 4));
        let top = Panel::top("top").frame(bar).resizable(false).show(ui, |ui| {
            guarded_ui(ui, cx, Part::TopBar, top_bar::top_bar_ui);
        });
        keep_tips_off(&ctx, top.response.rect, TipSide::Below);
        perform_actions(&ctx, panels, cx);
        if errors::is_shown(cx) {
            let strip = Panel::bottom("errors").frame(bar).resizable(false).exact_size(errors::HEIGHT);
            let strip = strip.show(ui, |ui| {
                guarded_ui(ui, cx, Part::Transport, |ui, cx| panels.errors.show_ui(ui, cx));
            });
            keep_tips_off(&ctx, strip.response.rect, TipSide::Above);
        }
        let transport = Panel::bottom("transport").frame(bar).resizable(false).exact_size(40.0);
        let transport = transport.show(ui, |ui| guarded_ui(ui, cx, Part::Transport, transport::transport_ui));
        keep_tips_off(&ctx, transport.response.rect, TipSide::Above);
        // Below both side panels, as wide as the window.
        self.curves_ui(ui, panels, cx);
        self.channels_ui(ui, panels, cx);
        perform_actions(&ctx, panels, cx);
        side_ui(ui, panels, cx);
        perform_actions(&ctx, panels, cx);
        guarded_ui(ui, cx, Part::Reference, |ui, cx| self.reference.show_ui(ui, cx));
        CentralPanel::no_frame().show(ui, |ui| {
            let area = ui.available_rect_before_wrap();
            guarded_ui(ui, cx, Part::Viewport, |ui, cx| {
                self.viewport.show_ui(ui, &mut panels.pointing, &mut panels.pins, cx);
            });
            guarded_elsewhere(cx, Part::Reference, |cx| self.reference.over_ui(ui, area, cx));
            // The picture takes all of the area; the message in its place leaves some for another one.
            let left = ui.available_rect_before_wrap();
            let place = if left.is_positive() { left } else { area };
            let over = &mut ui.new_child(UiBuilder::new().max_rect(place));
            guarded_ui(over, cx, Part::ViewportControls, |ui, cx| self.viewport.overlays_ui(ui, area, cx));
        });
        perform_actions(&ctx, panels, cx);
        guarded(cx, Part::Action, |cx| poses::end_drag(&ctx, cx));
        let curves = &mut panels.curves;
        guarded(cx, Part::Action, |cx| self.keyboard.handle_channel_keys(&ctx, curves, cx));
        // What covers the window must not keep it from being used: it is closed or answered.
        if !guarded(cx, Part::List, |cx| overlay::overlay_ui(ui, cx)) {
            cx.state.overlay = None;
        }
        if !guarded(cx, Part::WorkList, |cx| work_list.show_ui(ui, cx)) {
            work_list.close();
        }
        if !guarded(cx, Part::Question, |cx| {
            prompt::prompt_ui(ui, cx);
            avatar::form_ui(ui, cx);
        }) {
            cx.state.avatar_form = None;
            cx.commands.extend(cx.readings.prompt.map(|prompt| Command::Answer(prompt.harmless_answer())));
        }

        place_tips(&ctx);
        focus_ring(&ctx);
        high_contrast::follow(&ctx, cx.state.panels.high_contrast);
        let is_scrolling = ctx.input(|input| input.is_scrolling());
        cx.state.is_interacting = ctx.egui_is_using_pointer() || is_scrolling;
        if is_scrolling {
            // Requests another frame after the last wheel event, in which `is_interacting` becomes false.
            ctx.request_repaint();
        }
        cx.state.escape_is_taken = ctx.memory(|memory| memory.focused().is_some()) || Popup::is_any_open(&ctx);
        end_typing_by_drag(&ctx);
        commit_when_idle(&ctx, cx.session);
    }

    fn channels_ui(&mut self, ui: &mut egui::Ui, panels: &mut HeadPanels, cx: &mut PanelContext<'_>) {
        let PanelSettings { left_width, left_open, .. } = cx.state.panels;
        let mut is_open = left_open;
        // The list leaves at least two thirds of the window to the viewport and the right panel.
        let widest = (ui.available_width() * 0.33).clamp(320.0, 640.0);
        let range = Rangef::new(320.0, widest);
        self.left_size.apply(ui, "channels", left_width, range);
        let panel = Panel::left("channels").frame(side_frame()).default_size(left_width).size_range(range);
        let shown = panel.show_collapsible(ui, &mut is_open, |ui| {
            guarded_ui(ui, cx, Part::Channels, |ui, cx| panels.channels.show_ui(ui, cx));
        });
        if let Some(shown) = shown.filter(|_| is_open) {
            let rect = shown.response.rect;
            cx.state.panels.left_width = self.left_size.preferred(left_width, rect.width());
            keep_tips_off(ui.ctx(), rect, TipSide::Right);
            grip_ui(ui, [rect.right_top(), rect.right_bottom()], "The list takes at most a third of the width");
        }
        if is_open != left_open {
            cx.state.panels.left_open = is_open;
        }
    }

    /// Shows the curves above the transport, unless there is no timeline to show.
    fn curves_ui(&mut self, ui: &mut egui::Ui, panels: &mut HeadPanels, cx: &mut PanelContext<'_>) {
        let PanelSettings { curves_height, curves_open, .. } = cx.state.panels;
        let has_timeline = cx.session.timeline_secs() > 0.0;
        // Until the plot is shown with the pointer over it.
        panels.curves.is_hovered = false;
        let mut is_open = curves_open && has_timeline;
        // At least four tenths of the height stay for the face and the lists beside it.
        let range = Rangef::new(150.0, (ui.available_height() * 0.6).max(180.0));
        self.curves_size.apply(ui, "curves", curves_height, range);
        let frame = theme::panel(Margin { left: 8, right: 8, top: GRIP_HEIGHT as i8, bottom: 8 });
        let panel = Panel::bottom("curves").frame(frame).default_size(curves_height).size_range(range);
        let panel = panel.resizable(true).drag_to_open(false);
        let shown = panel.show_collapsible(ui, &mut is_open, |ui| {
            guarded_ui(ui, cx, Part::Curves, |ui, cx| panels.curves.show_ui(ui, cx));
        });
        if let Some(shown) = shown.filter(|_| is_open) {
            let rect = shown.response.rect;
            cx.state.panels.curves_height = self.curves_size.preferred(curves_height, rect.height());
            let ends = [rect.left_top(), rect.right_top()].map(|end| end + vec2(0.0, GRIP_HEIGHT * 0.5));
            grip_ui(ui, ends, "The curves take at most six tenths of the height");
        }
        if has_timeline {
            cx.state.panels.curves_open = is_open;
        }
    }
}

/// Performs the actions that buttons and menu items have requested.
fn perform_actions(ctx: &egui::Context, panels: &mut HeadPanels, cx: &mut PanelContext<'_>) {
    for action in std::mem::take(&mut cx.actions) {
        guarded(cx, Part::Action, |cx| keyboard::act(action, &mut panels.curves, cx));
        // Parts of this frame were shown before the action.
        ctx.request_repaint();
    }
}

fn side_ui(ui: &mut egui::Ui, panels: &mut HeadPanels, cx: &mut PanelContext<'_>) {
    let PanelSettings { right_width, right_open, .. } = cx.state.panels;
    let mut is_open = right_open;
    let panel = Panel::right("side").frame(side_frame()).default_size(right_width);
    let panel = panel.size_range(theme::TABS_WIDTH..=480.0);
    let shown = panel.show_collapsible(ui, &mut is_open, |ui| panels.side.show_ui(ui, cx));
    if let Some(shown) = shown.filter(|_| is_open) {
        let rect = shown.response.rect;
        cx.state.panels.right_width = rect.width();
        keep_tips_off(ui.ctx(), rect, TipSide::Left);
        // The viewport takes the pointer up to the edge.
        let ends = [rect.left_top(), rect.left_bottom()].map(|end| end + vec2(3.0, 0.0));
        grip_ui(ui, ends, "As wide as the tabs at least");
    }
    if is_open != right_open {
        cx.state.panels.right_open = is_open;
    }
}

fn side_frame() -> egui::Frame {
    theme::panel(Margin::same(8))
}

const GRIP_HEIGHT: f32 = 10.0;

/// Ends an undo step when the user pauses. A drag is one step, and so is a quick series of arrow keys or wheel events.
fn commit_when_idle(ctx: &egui::Context, session: &mut Session) {
    const SERIES_SECS: f64 = 0.5;
    let (now, is_button_down) = ctx.input(|input| (input.time, input.pointer.any_down()));
    if is_button_down || ctx.text_edit_focused() {
        return;
    }
    match last_nudge_secs(ctx) {
        Some(nudged) if now - nudged < SERIES_SECS => {
            ctx.request_repaint_after(Duration::from_secs_f64(SERIES_SECS - (now - nudged)));
        }
        _ => {
            forget_nudge(ctx);
            session.commit();
        }
    }
}

#[cfg(test)]
mod tests;
