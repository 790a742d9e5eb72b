//! The microphone: which one is heard in recordings, and whether it moves the mouth.

use smirk_session::MicrophoneChoice;

use super::small_ui;
use crate::live::LiveState;
use crate::theme;
use crate::widgets::{checkbox_ui, choice_ui, close_row_ui, list_button_ui, text};

pub(super) fn microphone_ui(ui: &mut egui::Ui, live: &mut LiveState) {
    choice_of_microphone_ui(ui, live);
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
    if let Some(problem) = &live.view.microphone.mouth_problem {
        small_ui(ui, text::shown_message(&format!("Nothing moves the mouth: {problem}")), theme::WARNING);
    }
    if let Some(problem) = &live.view.microphone.recording_problem {
        let problem = text::shown_message(&format!("No sound is recorded: {problem}"));
        small_ui(ui, problem, theme::WARNING);
    }
}

fn choice_of_microphone_ui(ui: &mut egui::Ui, live: &mut LiveState) {
    let (chosen, view) = (&mut live.setup.microphone, &live.view);
    close_row_ui(ui, |ui| {
        ui.label("Microphone");
        let response = list_button_ui(ui, ui.available_width(), &name_of(chosen), |ui| {
            ui.set_width(280.0);
            let named = view
                .microphone
                .found
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
