//! The slider of a channel in a row of the list, and those of its targets.

use std::time::Duration;

use egui::{Align2, Rect, Stroke, StrokeKind, Vec2, pos2, vec2};

use smirk_face::head::Corrective;
use smirk_face::motion::{Layer, Mix};

use super::rows::TRIANGLE_WIDTH;
use super::status::{LOCKED, MUTED, status_button_ui, status_of};
use super::tooltip::tooltip_ui;
use super::{ChannelList, id_of};
use crate::context::PanelContext;
use crate::state::{HeadMarks, PointedAt};
use crate::theme;
use crate::widgets::{Bar, BarOutput, BarState, context_menu_ui, text};

impl ChannelList {
    fn track_edit(&mut self, channel: usize, output: &BarOutput) {
        if output.response.has_focus() || output.response.dragged() {
            self.edited_channel = Some(channel);
        }
    }

    /// The slider of a channel, which sets all of its targets. `side` is the letter that is drawn on it.
    pub(super) fn channel_ui(
        &mut self,
        ui: &mut egui::Ui,
        rect: Rect,
        cx: &mut PanelContext<'_>,
        pair: usize,
        channel: usize,
        side: &str,
    ) {
        let (session, mix) = (&mut *cx.session, cx.mix.clone());
        let head = session.head.clone();
        let name = head.shown_name(channel);
        let status = status_of(session, channel, &mix);
        let has_several = head.moving_targets(channel).len() > 1;
        let bar_state = bar_state_of(channel, &mix);
        let corrective = head.correctives.of_channel(channel).filter(|_| mix.layers[channel] == Layer::Corrective);
        let follows = corrective.map(Corrective::drive_in_words).filter(|_| side.is_empty());
        let output = Bar {
            name: follows.as_deref().unwrap_or(side),
            indent: if status.is_some() { theme::ICON_BUTTON_SIZE } else { 0.0 },
            // The value of an expression is always limited to 0 to 1.
            open_ended: head.expression_of(channel).is_none(),
            state: bar_state,
            mixed: has_several && session.head.is_mixed(channel, &mix.weights),
            quiet_at_zero: true,
            ..Bar::new(&name, session.head.channel_value(channel, &mix.weights))
        }
        .show_ui(ui, rect, id_of("channel", &head, channel));
        if cx.marks.marked_channels.contains(&channel) {
            let stroke = Stroke::new(1.0, theme::ACCENT_BRIGHT);
            ui.painter().rect_stroke(rect, theme::ROUNDING, stroke, StrokeKind::Inside);
        }
        self.track_edit(channel, &output);
        track_shortcut_channel(ui, rect, cx.marks, channel, &output);
        // With Alt, one side of a linked pair moves alone. What the other side was driven by goes on then.
        let is_alone = ui.input(|input| input.modifiers.alt);
        if output.drag_started && !is_alone {
            session.channel_mut(channel).take_over();
        }
        match output.value {
            Some(value) if is_alone => session.channels_mut([channel]).set(value),
            Some(value) => session.channel_mut(channel).set(value),
            None => {}
        }
        if output.reset {
            session.channel_mut(channel).reset();
        }
        if session.edits.timeline.auto_keys && (output.value.is_some() || output.reset) {
            session.keys_mut().key(channel);
        }
        // The explanation is hidden as soon as the channel is no longer muted.
        let refusal = refusal_of(bar_state);
        let shows_refusal = refusal.is_some() && self.was_refused_recently(ui, channel, output.edit_refused);
        if let Some(status) = status {
            let mark = Rect::from_center_size(
                pos2(rect.left() + 2.0 + theme::ICON_BUTTON_SIZE / 2.0, rect.center().y),
                Vec2::splat(theme::ICON_BUTTON_SIZE),
            );
            // After a drag that was refused, the button that would allow it is highlighted.
            if shows_refusal {
                ui.painter().rect_filled(mark, theme::ROUNDING, theme::WELL_HOVERED);
            }
            if status_button_ui(ui, mark, session, channel, status) {
                let drivers = head.correctives.drivers_of(channel);
                if !drivers.is_empty() {
                    cx.marks.mark(drivers.into_iter().map(|(driver, _)| driver).collect(), &mut cx.state.panels);
                }
            }
        }
        context_menu_ui(&output.response, |ui| self.menu_ui(ui, cx, pair, channel));
        if let Some(refusal) = refusal.filter(|_| shows_refusal) {
            output.response.show_tooltip_text(refusal);
        } else if output.allows_tooltip {
            output.response.on_hover_ui(|ui| tooltip_ui(ui, cx, channel));
        }
    }

    /// Whether a row explains why it does not move: from the moment the user tries to drag it, and long enough to read.
    fn was_refused_recently(&mut self, ui: &egui::Ui, channel: usize, is_refused: bool) -> bool {
        const READING_SECS: f64 = 2.5;
        let now = ui.input(|input| input.time);
        if is_refused {
            self.refused_row = Some((channel, now));
        }
        let left = self.refused_row.filter(|&(of, _)| of == channel).map_or(0.0, |(_, at)| at + READING_SECS - now);
        if left > 0.0 {
            ui.request_repaint_after(Duration::from_secs_f64(left));
        }
        left > 0.0
    }

    /// The name of a mesh and the thinner slider of one target of a channel. Returns the status text to show, if any.
    pub(super) fn target_ui(
        &mut self,
        ui: &mut egui::Ui,
        name: Rect,
        slider: Rect,
        cx: &mut PanelContext<'_>,
        [channel, target]: [usize; 2],
    ) -> Option<String> {
        let (session, mix) = (&mut *cx.session, cx.mix.clone());
        let head = session.head.clone();
        let (mesh, _) = head.target(target)?;
        mesh_name_ui(ui, name, &mesh.name);
        let rect = Rect::from_center_size(slider.center(), vec2(slider.width(), theme::BAR_HEIGHT_THIN));
        let label = format!("{} · {}", head.channels[channel].name, mesh.name);
        let bar_state = bar_state_of(channel, &mix);
        let place = head.channels[channel].targets.iter().position(|&other| other == target);
        let id = id_of("target", &head, channel).with((&mesh.name, place));
        let output = Bar {
            name: "",
            open_ended: true,
            state: bar_state,
            quiet_at_zero: true,
            ..Bar::new(&label, mix.weights[target])
        }
        .show_ui(ui, rect, id);
        self.track_edit(channel, &output);
        track_shortcut_channel(ui, rect, cx.marks, channel, &output);
        if output.drag_started {
            session.channel_mut(channel).take_over();
        }
        if let Some(value) = output.value {
            session.channel_mut(channel).set_target(target, value);
        }
        if output.reset {
            let rest = session.bound().sliders.rest[target];
            session.channel_mut(channel).set_target(target, rest);
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
}

/// Stores the channel that K, M and S act on. The pointer takes precedence over the keyboard focus, which stays on the
/// last dragged slider.
fn track_shortcut_channel(ui: &egui::Ui, rect: Rect, marks: &mut HeadMarks, channel: usize, output: &BarOutput) {
    if ui.rect_contains_pointer(rect) || (output.response.has_focus() && marks.pointed_at.is_none()) {
        marks.pointed_at = Some(PointedAt::Channel(channel));
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
