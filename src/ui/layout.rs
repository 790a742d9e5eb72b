//! The window's layout: the panels around the viewport.

use std::sync::{Arc, Weak};
use std::time::Duration;

use egui::{CentralPanel, Margin, Panel, Popup, Rangef, vec2};

use smirk_face::head::Head;
use smirk_session::{Command, Session};

use crate::channels::ChannelList;
use crate::context::PanelContext;
use crate::curves::CurvesPanel;
use crate::keyboard::{self, Keyboard};
use crate::readings::Readings;
use crate::reference::ReferencePane;
use crate::side_panel::SidePanel;
use crate::state::{PanelSettings, UiState};
use crate::thumbnails::VisiblePictures;
use crate::unsaved_work::WorkList;
use crate::viewport::Viewport;
use crate::widgets::{PanelSize, focus_ring, forget_nudge, grip_ui, last_nudge_secs};
use crate::{comparison, high_contrast, overlay, prompt, theme, top_bar, transport};

/// The panels of the window, each with what it remembers between frames.
#[derive(Debug, Default)]
pub struct Panels {
    /// The channel list.
    pub channels: ChannelList,
    /// The curves panel.
    pub curves: CurvesPanel,
    /// The list of unsaved work.
    pub work_list: WorkList,
    side: SidePanel,
    reference: ReferencePane,
    viewport: Viewport,
    keyboard: Keyboard,
    left_size: PanelSize,
    curves_size: PanelSize,
    /// The head that the panels were shown with last.
    head: Weak<Head>,
}

impl Panels {
    /// Shows all panels in the root `ui` and applies the user's edits to the session. Returns the commands for the window.
    pub fn show(
        &mut self,
        ui: &mut egui::Ui,
        session: &mut Session,
        state: &mut UiState,
        readings: &Readings<'_>,
    ) -> Vec<Command> {
        self.follow_head(&session.head, state);
        let shows_work_list = self.work_list.is_open;
        let mix = session.mix();
        let (commands, actions) = (Vec::new(), Vec::new());
        let mut context = PanelContext { session, state, readings, mix, commands, actions, shows_work_list };
        self.show_in(ui, &mut context);
        context.commands
    }

    fn show_in(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let ctx = ui.ctx().clone();
        self.keyboard.handle_keys(&ctx, &mut self.curves, cx);
        comparison::follow_key(&ctx, cx);
        cx.state.pointed_at = None;
        cx.state.visible_pictures = VisiblePictures::default();
        cx.mix = cx.session.mix();

        let bar = || theme::panel(Margin::symmetric(8, 4));
        Panel::top("top").frame(bar()).resizable(false).show(ui, |ui| top_bar::top_bar_ui(ui, cx));
        self.perform_actions(&ctx, cx);
        Panel::bottom("transport").frame(bar()).resizable(false).exact_size(40.0).show(ui, |ui| {
            transport::transport_ui(ui, cx);
        });
        // Below both side panels, as wide as the window.
        self.curves_ui(ui, cx);
        self.channels_ui(ui, cx);
        self.perform_actions(&ctx, cx);
        self.side_ui(ui, cx);
        self.perform_actions(&ctx, cx);
        self.reference.show_ui(ui, cx);
        CentralPanel::no_frame().show(ui, |ui| {
            let area = ui.available_rect_before_wrap();
            self.viewport.show_ui(ui, cx);
            self.reference.over_ui(ui, area, cx);
            self.viewport.overlays_ui(ui, area, cx);
        });
        self.perform_actions(&ctx, cx);
        self.keyboard.handle_channel_keys(&ctx, &mut self.curves, cx);
        overlay::overlay_ui(ui, cx);
        self.work_list.show_ui(ui, cx);
        prompt::prompt_ui(ui, cx);

        focus_ring(&ctx);
        high_contrast::follow(&ctx, cx.state.panels.high_contrast);
        let is_scrolling = ctx.input(|input| input.is_scrolling());
        cx.state.is_interacting = ctx.egui_is_using_pointer() || is_scrolling;
        if is_scrolling {
            // Requests another frame after the last wheel event, in which `is_interacting` becomes false.
            ctx.request_repaint();
        }
        cx.state.escape_is_taken = ctx.memory(|memory| memory.focused().is_some()) || Popup::is_any_open(&ctx);
        commit_when_idle(&ctx, cx.session);
    }

    /// Performs the actions that buttons and menu items have requested.
    fn perform_actions(&mut self, ctx: &egui::Context, cx: &mut PanelContext<'_>) {
        for action in std::mem::take(&mut cx.actions) {
            keyboard::act(action, &mut self.curves, cx);
            // Parts of this frame were shown before the action.
            ctx.request_repaint();
        }
    }

    fn channels_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let PanelSettings { left_width, left_open, .. } = cx.state.panels;
        let mut is_open = left_open;
        // The list leaves at least two thirds of the window to the viewport and the right panel.
        let widest = (ui.available_width() * 0.33).clamp(320.0, 640.0);
        let range = Rangef::new(320.0, widest);
        self.left_size.apply(ui, "channels", left_width, range);
        let panel = Panel::left("channels").frame(side_frame()).default_size(left_width).size_range(range);
        let shown = panel.show_collapsible(ui, &mut is_open, |ui| self.channels.show_ui(ui, cx));
        if let Some(shown) = shown.filter(|_| is_open) {
            let rect = shown.response.rect;
            cx.state.panels.left_width = self.left_size.preferred(left_width, rect.width());
            grip_ui(ui, [rect.right_top(), rect.right_bottom()], "The list takes at most a third of the width");
        }
        if is_open != left_open {
            cx.state.panels.left_open = is_open;
        }
    }

    fn side_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let PanelSettings { right_width, right_open, .. } = cx.state.panels;
        let mut is_open = right_open;
        let panel = Panel::right("side").frame(side_frame()).default_size(right_width);
        let panel = panel.size_range(theme::TABS_WIDTH..=480.0);
        let shown = panel.show_collapsible(ui, &mut is_open, |ui| self.side.show_ui(ui, cx));
        if let Some(shown) = shown.filter(|_| is_open) {
            let rect = shown.response.rect;
            cx.state.panels.right_width = rect.width();
            // The viewport takes the pointer up to the edge.
            let ends = [rect.left_top(), rect.left_bottom()].map(|end| end + vec2(3.0, 0.0));
            grip_ui(ui, ends, "As wide as the tabs at least");
        }
        if is_open != right_open {
            cx.state.panels.right_open = is_open;
        }
    }

    /// Shows the curves above the transport, unless there is no timeline to show.
    fn curves_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let PanelSettings { curves_height, curves_open, .. } = cx.state.panels;
        let has_timeline = cx.session.timeline_secs() > 0.0;
        let mut is_open = curves_open && has_timeline;
        // At least four tenths of the height stay for the face and the lists beside it.
        let range = Rangef::new(150.0, (ui.available_height() * 0.6).max(180.0));
        self.curves_size.apply(ui, "curves", curves_height, range);
        let frame = theme::panel(Margin { left: 8, right: 8, top: GRIP_HEIGHT as i8, bottom: 8 });
        let panel = Panel::bottom("curves").frame(frame).default_size(curves_height).size_range(range);
        let panel = panel.resizable(true).drag_to_open(false);
        let shown = panel.show_collapsible(ui, &mut is_open, |ui| self.curves.show_ui(ui, cx));
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

    /// Clears everything that refers to channels and poses of another head.
    fn follow_head(&mut self, head: &Arc<Head>, state: &mut UiState) {
        if std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            return;
        }
        self.head = Arc::downgrade(head);
        self.channels = ChannelList::default();
        self.curves = CurvesPanel::default();
        self.viewport.forget_head();
        self.side.forget_head();
        state.curve_selection = Default::default();
        state.saved_pose = None;
        state.forget_channels();
    }

    /// Keeps what is open, searched and selected when the same head was read again. Channels are found by name.
    pub fn follow_reload(&mut self, before: &Head, head: &Arc<Head>, state: &mut UiState) {
        let new_of = |channel: usize| head.channel_named(&before.channels.get(channel)?.full_name);
        self.head = Arc::downgrade(head);
        self.channels.follow_reload(new_of);
        self.curves.follow_reload();
        self.viewport.forget_head();
        self.side.follow_reload();
        state.curve_selection.follow_reload(new_of);
        state.forget_channels();
    }
}

/// The frame of the panels at both sides.
fn side_frame() -> egui::Frame {
    theme::panel(Margin { left: 8, right: 8, top: 8, bottom: 8 })
}

/// Height of the upper edge of the curves, by which they are resized.
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
