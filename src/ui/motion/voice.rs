//! The voice that moves the mouth: where it is read from, how much it moves, and the take that it can become.

use egui::{Button, vec2};

use smirk_analysis::voice::{PhoneSet, Voice, VoiceSource};
use smirk_base::file_kind::Content;
use smirk_face::motion::TakeMap;
use smirk_session::Session;

use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::sound::SoundState;
use crate::theme;
use crate::widgets::{
    Bar, checkbox_ui, choice_ui, close_row_ui, list_button_ui, radio_ui, setting_ui, text, title_ui, wrapped_ui,
};

const BY_CONTENT: &str = "By what they say";

pub(super) fn voice_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let session = &mut *cx.session;
    title_ui(ui, "Voice", |ui| {
        let mut enabled = session.edits.voice.enabled;
        let switch = checkbox_ui(ui, &mut enabled, "On").accessible_name("Voice on");
        switch.on_hover_text("Move the mouth by labels of what is said, or by the sound alone");
        if enabled != session.edits.voice.enabled {
            // Who has a sound and no labels means the sound.
            let is_sound = session.edits.markers.is_empty() && session.sound().is_some();
            session.glide(session.edits.transition.duration_secs, |session| {
                session.edits.voice.enabled = enabled;
                if enabled && is_sound {
                    session.edits.voice.source = VoiceSource::Sound;
                }
            });
        }
    });
    if !session.edits.voice.enabled {
        return;
    }
    for (source, label, tip) in [
        (VoiceSource::Labels, "Labels", "The markers of the timeline: phones, visemes or words"),
        (VoiceSource::Sound, "Sound alone", "The sound of what plays"),
    ] {
        let is_chosen = session.edits.voice.source == source;
        if radio_ui(ui, is_chosen, label).on_hover_text(tip).clicked() {
            session.edits.voice.source = source;
        }
    }
    match session.edits.voice.source {
        VoiceSource::Labels => labels_ui(ui, cx),
        VoiceSource::Sound => sound_ui(ui, cx),
    }
    let session = &mut *cx.session;
    if session.spoken().is_some_and(|spoken| !drives_any(spoken.map(), session)) {
        wrapped_ui(ui, "This head has no channels that move a mouth.", theme::WARNING);
    }
    amounts_ui(ui, &mut session.edits.voice);
    bake_ui(ui, cx);
}

fn drives_any(map: &TakeMap, session: &Session) -> bool {
    map.drives_any(&session.head)
}

/// How the labels are spelled, and how many of them are read.
fn labels_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let session = &mut *cx.session;
    close_row_ui(ui, |ui| {
        ui.label("Spelling");
        let chosen = &mut session.edits.voice.phones;
        let shown = chosen.map_or(BY_CONTENT, PhoneSet::label);
        let list = list_button_ui(ui, ui.available_width(), shown, |ui| {
            if choice_ui(ui, chosen.is_none(), BY_CONTENT) {
                *chosen = None;
            }
            for &set in PhoneSet::ALL {
                if choice_ui(ui, *chosen == Some(set), set.label()) {
                    *chosen = Some(set);
                }
            }
        });
        list.accessible_name("Spelling of the labels").on_hover_text("How the texts of the markers are spelled");
    });
    if session.edits.markers.is_empty() {
        wrapped_ui(ui, "No labels: import a TextGrid, labels, mouth cues or visemes.", theme::TEXT_WEAK);
        if ui.button("Import labels…").clicked() {
            cx.commands.push(Command::Choose(OpenAs::File(Some(Content::Markers))));
        }
        return;
    }
    let (words, color) = match session.spoken().and_then(|spoken| spoken.said.labels) {
        None => ("None of the markers says anything in this spelling".to_owned(), theme::WARNING),
        Some(read) if read.read < read.count => {
            let (left, all) = (read.count - read.read, text::counted(read.count, "label"));
            (format!("{left} of {all} are not {}", read.set.label()), theme::WARNING)
        }
        Some(read) => (format!("{} read as {}", text::counted(read.read, "label"), read.set.label()), theme::TEXT_WEAK),
    };
    wrapped_ui(ui, words, color);
}

/// What an estimate is, and why there is none yet.
fn sound_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let session = &mut *cx.session;
    if session.sound().is_none() {
        wrapped_ui(ui, "No sound: choose one above.", theme::TEXT_WEAK);
        return;
    }
    let words = match &cx.state.sound.view.state {
        SoundState::Failed(_) => "The sound cannot be read",
        _ if session.heard().is_none() => "Listening…",
        _ => "An estimate from the sound alone. Labels are more exact",
    };
    wrapped_ui(ui, words, theme::TEXT_WEAK);
}

fn amounts_ui(ui: &mut egui::Ui, voice: &mut Voice) {
    let rest = Voice::default();
    for (label, name, value, rest) in [
        ("Voice amount", "Amount", &mut voice.amount, rest.amount),
        ("Voice jaw", "Jaw", &mut voice.jaw, rest.jaw),
        ("Voice lips", "Lips", &mut voice.lips, rest.lips),
    ] {
        let bar = Bar { name, range: 0.0..=Voice::LARGEST_AMOUNT, ..Bar::named(label) };
        setting_ui(ui, bar, value, rest);
    }
    for (label, name, value, rest, longest_secs) in [
        ("Voice smoothing", "Smoothing", &mut voice.smoothing_secs, rest.smoothing_secs, Voice::LONGEST_SMOOTHING_SECS),
        ("Voice lead", "Lead", &mut voice.lead_secs, rest.lead_secs, Voice::LONGEST_LEAD_SECS),
    ] {
        let bar = Bar { name, range: 0.0..=longest_secs, decimals: 3, unit: " s", ..Bar::named(label) };
        setting_ui(ui, bar, value, rest);
    }
    let brows = checkbox_ui(ui, &mut voice.brows, "Raise the brows with stressed words");
    brows.on_hover_text("Stress as the labels mark it; from the sound, what is louder than the rest");
    checkbox_ui(ui, &mut voice.blinks, "Blink with some of them");
}

fn bake_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let can_bake = cx.session.spoken().is_some();
    let button = Button::new("Bake voice to a take").min_size(vec2(ui.available_width(), theme::BAR_HEIGHT));
    let button = ui.add_enabled(can_bake, button).on_disabled_hover_text("Nothing is said");
    let tip = "Write the mouth into a take of its own, which plays in place of the voice and can be edited";
    if button.on_hover_text(tip).clicked() {
        cx.commands.push(Command::BakeVoice);
    }
}
