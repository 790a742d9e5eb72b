//! Smoothing and the buffer, with the delay that they cost, and how long a lost face stays.

use egui::{Button, RichText, vec2};

use super::LiveView;
use super::listening::wrapped_ui;
use crate::widgets::{Bar, setting_ui};
use crate::{UiState, theme};
use smirk_editor::session::{LiveSetup, Session};
use smirk_face::motion::Smoothing;

/// Shows the settings.
pub(super) fn filtering_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, view: &LiveView) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        ui.label("Buffer");
        for frames in 0..=LiveSetup::MOST_BUFFER_FRAMES {
            let is_chosen = state.live.setup.buffer_frames == frames;
            let button = Button::selectable(is_chosen, frames.to_string()).min_size(vec2(28.0, theme::BAR_HEIGHT));
            let tip = "Frames that are held back, so that they are shown as evenly as they were sent";
            let button = ui.add(button).accessible_name(format!("Buffer of {frames} frames"));
            if button.on_hover_text(tip).clicked() {
                state.live.setup.buffer_frames = frames;
            }
        }
        ui.weak("frames");
    });
    let (mut smoothing, rest) = (session.edits.live.smoothing, Smoothing::default());
    let bar = Bar {
        name: "Smoothing",
        range: 0.0..=Smoothing::LONGEST_SECS,
        decimals: 3,
        unit: " s",
        ..Bar::new("Live smoothing", smoothing.secs)
    };
    let mut is_changed = setting_ui(ui, bar, &mut smoothing.secs, rest.secs, state);
    if smoothing.secs > 0.0 {
        let bar = Bar {
            name: "Follow fast moves",
            range: 0.0..=Smoothing::LARGEST_RESPONSE,
            ..Bar::new("Live response", smoothing.response)
        };
        is_changed |= setting_ui(ui, bar, &mut smoothing.response, rest.response, state);
    }
    if is_changed {
        session.edits.live.smoothing = smoothing.within_reason();
    }
    let mut hold_secs = state.live.setup.hold_secs;
    let bar = Bar {
        name: "Hold when lost",
        range: 0.0..=LiveSetup::LONGEST_HOLD_SECS,
        unit: " s",
        ..Bar::new("Hold when lost", hold_secs)
    };
    if setting_ui(ui, bar, &mut hold_secs, LiveSetup::default().hold_secs, state) {
        state.live.setup.hold_secs = hold_secs.clamp(0.0, LiveSetup::LONGEST_HOLD_SECS);
    }
    wrapped_ui(ui, RichText::new(delay_text(view)).color(theme::TEXT_WEAK));
}

fn delay_text(view: &LiveView) -> String {
    let latency = view.latency;
    let millis = |secs: f32| format!("{:.0} ms", 1000.0 * secs);
    if latency.still_secs <= 0.0 {
        return format!("Delay: {}", millis(latency.buffer_secs));
    }
    let (fast, still) = (latency.buffer_secs + latency.fastest_secs, latency.buffer_secs + latency.still_secs);
    format!("Delay: {} for what moves fastest, {} for what is still", millis(fast), millis(still))
}
