//! Recording: the button, the countdown and the name.

use egui::{Button, RichText, TextEdit, vec2};

use smirk_session::LiveSetup;

use crate::context::PanelContext;
use crate::live::RecordingView;
use crate::theme;
use crate::widgets::{NumberField, close_row_ui, text};

pub(super) fn recording_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let live = &mut cx.state.live;
    let (label, is_running) = match &live.view.recording {
        RecordingView::Idle => (format!("● Record {}", text::shown(&live.view.next_take)), false),
        RecordingView::Countdown { secs } => (format!("In {:.0} … cancel", secs.ceil()), true),
        RecordingView::Running { name, secs, .. } => (format!("■ Stop {}  {secs:.1} s", text::shown(name)), true),
        RecordingView::Reading => ("Reading the take…".to_owned(), false),
    };
    let fill = if is_running { theme::RECORDING } else { theme::WELL };
    let button = Button::new(RichText::new(label).strong().color(theme::TEXT)).fill(fill);
    let button = ui.add_sized(vec2(ui.available_width(), theme::BAR_HEIGHT + theme::GAP_SMALL), button);
    let button = button.accessible_name(if is_running { "Stop recording" } else { "Record" });
    if button.on_hover_text("T: record, and end it. Every frame is on disk at once").clicked() {
        live.records = !live.records;
    }
    close_row_ui(ui, |ui| {
        ui.label("Name");
        let name = TextEdit::singleline(&mut live.setup.take_name)
            .hint_text("Take")
            .char_limit(80)
            .min_size(vec2(0.0, theme::BAR_HEIGHT))
            .desired_width(ui.available_width() - 136.0);
        ui.add(name).accessible_name("Name of takes").on_hover_text("A number is added, which counts up");
        let countdown = &mut live.setup.countdown_secs;
        ui.label("starts in");
        let number =
            egui::DragValue::new(countdown).range(0..=LiveSetup::LONGEST_COUNTDOWN_SECS).suffix(" s").speed(0.05);
        let number = ui.add(NumberField(number.min_size(vec2(ui.available_width(), theme::BAR_HEIGHT))));
        number.accessible_name("Countdown").on_hover_text("The countdown before a recording");
    });
}
