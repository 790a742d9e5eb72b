//! Live capture: whether and where Smirk listens, what arrives, how it is mapped and smoothed, and recording.

mod calibration;
mod listening;
mod microphone;
mod recording;
mod sending;

use egui::{Button, Color32, Label, RichText, vec2};

use smirk_face::motion::Smoothing;
use smirk_session::LiveSetup;

use super::mapping::{MappedSource, MappingList};
use crate::context::PanelContext;
use crate::live::LiveView;
use crate::shortcuts::Action;
use crate::theme;
use crate::widgets::{Bar, checkbox_ui, close_row_ui, setting_ui, title_ui};

#[derive(Debug, Default)]
pub(super) struct LiveSection {
    /// The address of the phone while it is typed. It is used once it is complete.
    typed_phone: Option<String>,
    typed_to: Option<String>,
    mapping: MappingList,
}

impl LiveSection {
    pub(super) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        title_ui(ui, "Live", |ui| {
            let mut is_on = cx.state.live.is_on;
            let listen = checkbox_ui(ui, &mut is_on, "Listen").accessible_name("Listen for live faces");
            let tip = "Open the ports at which face-capture apps send. Off, no port is open";
            if listen.on_hover_text(tip).changed() {
                cx.actions.push(Action::Listen);
            }
            if is_on {
                let mut drives = cx.session.live_drives();
                let face = checkbox_ui(ui, &mut drives, "Drive the face").accessible_name("Live drives the face");
                let tip = "Show the live face, above clip and take. Choosing a take to play switches it off";
                if face.on_hover_text(tip).changed() {
                    cx.session.set_live_drives(drives);
                }
            }
        });
        if !cx.state.live.is_on {
            ui.weak(
                "The face of a performer, from Live Link Face, iFacialMocap, VMC, VTube Studio, OpenSeeFace or MediaPipe.",
            );
            return;
        }
        listening::listening_ui(ui, cx, &mut self.typed_phone);
        listening::arriving_ui(ui, cx);
        ui.add_space(theme::GAP_SMALL);
        recording::recording_ui(ui, cx);
        microphone::microphone_ui(ui, &mut cx.state.live);
        ui.add_space(theme::GAP_SMALL);
        filtering_ui(ui, cx);
        if cx.session.live_columns().is_some() {
            calibration::calibration_ui(ui, cx);
            self.mapping.show_ui(ui, cx, MappedSource::Live);
        }
    }

    pub(super) fn sending_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        sending::sending_ui(ui, cx, &mut self.typed_to);
    }
}

fn small_ui(ui: &mut egui::Ui, text: impl Into<String>, color: Color32) {
    ui.add(Label::new(RichText::new(text).small().color(color)).wrap());
}

/// Smoothing and the buffer, with the delay that they cost, and how long a lost face stays.
fn filtering_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let setup = &mut cx.state.live.setup;
    close_row_ui(ui, |ui| {
        ui.label("Buffer");
        for frames in 0..=LiveSetup::MOST_BUFFER_FRAMES {
            let is_chosen = setup.buffer_frames == frames;
            let button = Button::selectable(is_chosen, frames.to_string()).min_size(vec2(28.0, theme::BAR_HEIGHT));
            let tip = "Frames that are held back, so that they are shown as evenly as they were sent";
            let button = ui.add(button).accessible_name(format!("Buffer of {frames} frames"));
            if button.on_hover_text(tip).clicked() {
                setup.buffer_frames = frames;
            }
        }
        ui.weak("frames");
    });
    let (mut smoothing, rest) = (cx.session.edits.live.smoothing, Smoothing::default());
    let bar = Bar {
        name: "Smoothing",
        range: 0.0..=Smoothing::LONGEST_SECS,
        decimals: 3,
        unit: " s",
        ..Bar::named("Live smoothing")
    };
    let mut is_changed = setting_ui(ui, bar, &mut smoothing.secs, rest.secs);
    if smoothing.secs > 0.0 {
        let bar =
            Bar { name: "Follow fast moves", range: 0.0..=Smoothing::LARGEST_RESPONSE, ..Bar::named("Live response") };
        is_changed |= setting_ui(ui, bar, &mut smoothing.response, rest.response);
    }
    if is_changed {
        cx.session.edits.live.smoothing = smoothing.within_reason();
    }
    let mut hold_secs = setup.hold_secs;
    let bar = Bar { range: 0.0..=LiveSetup::LONGEST_HOLD_SECS, unit: " s", ..Bar::named("Hold when lost") };
    if setting_ui(ui, bar, &mut hold_secs, LiveSetup::default().hold_secs) {
        setup.hold_secs = hold_secs.clamp(0.0, LiveSetup::LONGEST_HOLD_SECS);
    }
    small_ui(ui, delay_text(&cx.state.live.view), theme::TEXT_WEAK);
}

fn delay_text(view: &LiveView) -> String {
    let latency = view.latency;
    let [least, fast, still] =
        [0.0, latency.fastest_secs, latency.still_secs].map(|secs| 1000.0 * (latency.buffer_secs + secs));
    if latency.still_secs <= 0.0 {
        return format!("Delay: {least:.0} ms");
    }
    format!("Delay: {fast:.0} ms for what moves fastest, {still:.0} ms for what is still")
}
