//! Recording: the button, the countdown, the name and the microphone.

use egui::{Button, RichText, TextEdit, vec2};

use smirk_session::{LiveSetup, MicrophoneChoice};

use super::small_ui;
use crate::context::PanelContext;
use crate::live::{LiveState, RecordingView};
use crate::theme;
use crate::widgets::{NumberField, checkbox_ui, choice_ui, close_row_ui, list_button_ui, text};

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
    microphone_ui(ui, live);
    let has_microphone = live.setup.microphone != MicrophoneChoice::None;
    ui.add_enabled_ui(has_microphone, |ui| {
        let mouth = checkbox_ui(ui, &mut live.setup.microphone_moves_mouth, "Move the mouth by the microphone");
        let tip = "Amount, jaw and lips are those of Voice";
        mouth.on_hover_text(tip).on_disabled_hover_text("Choose a microphone first");
        if live.setup.microphone_moves_mouth {
            let keeps = checkbox_ui(ui, &mut live.setup.keeps_captured_mouth, "Only of faces that have none");
            keeps.on_hover_text("A captured face with columns of the mouth keeps them");
        }
    });
    if let Some(problem) = &live.view.mouth_problem {
        small_ui(ui, text::shown_message(&format!("Nothing moves the mouth: {problem}")), theme::WARNING);
    }
    if let Some(problem) = &live.view.sound_problem {
        let problem = text::shown_message(&format!("No sound is recorded: {problem}"));
        small_ui(ui, problem, theme::WARNING);
    }
}

fn microphone_ui(ui: &mut egui::Ui, live: &mut LiveState) {
    let (chosen, view) = (&mut live.setup.microphone, &live.view);
    close_row_ui(ui, |ui| {
        ui.label("Microphone");
        let response = list_button_ui(ui, ui.available_width(), &name_of(chosen), |ui| {
            ui.set_width(280.0);
            let named = view
                .microphones
                .iter()
                .map(|microphone| MicrophoneChoice::Named { id: microphone.id.clone(), name: microphone.name.clone() });
            let mut choices: Vec<MicrophoneChoice> =
                [MicrophoneChoice::None, MicrophoneChoice::Default].into_iter().chain(named).collect();
            // A chosen microphone that is not connected stays chosen.
            if !choices.contains(chosen) {
                choices.push(chosen.clone());
            }
            for choice in choices {
                if choice_ui(ui, *chosen == choice, name_of(&choice)) {
                    *chosen = choice;
                }
            }
        });
        if response.clicked() {
            live.finds_microphones = true;
        }
        let tip = "What is heard during a recording becomes the sound of the take";
        response.on_hover_text(tip).accessible_name("Microphone of recordings");
    });
}

fn name_of(choice: &MicrophoneChoice) -> String {
    match choice {
        MicrophoneChoice::None => "None".to_owned(),
        MicrophoneChoice::Default => "The default one".to_owned(),
        MicrophoneChoice::Named { name, .. } => text::shown(name).into_owned(),
    }
}
