//! The sound of what plays, how loud it is, and the markers.

use egui::{Align, Button, DragValue, Label, Layout, RichText, vec2};

use crate::widgets::{Bar, Icon, icon_button_inline_ui, setting_ui, text, title_ui};
use crate::{SoundState, SoundView, UiState, theme};
use smirk_editor::session::{Command, Session, SoundTrack};
use smirk_face::motion::Markers;

/// Shows the group.
pub(super) fn sound_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &SoundView,
    commands: &mut Vec<Command>,
) {
    title_ui(ui, "Sound", |ui| {
        let choose = ui.button("Choose…").on_hover_text("WAV, FLAC, MP3, OGG, M4A, or a film with sound");
        if choose.clicked() {
            commands.push(Command::ImportSoundDialog);
        }
    });
    match session.sound().cloned() {
        None => drop(ui.weak("No sound. Drop one on the window, or keep it beside a capture under the same name.")),
        Some(track) => {
            track_ui(ui, session, &track, view, commands);
            if !matches!(view.state, SoundState::Failed(_)) {
                offset_ui(ui, session, &track);
            }
            loudness_ui(ui, state);
        }
    }
    if let Some(problem) = &view.problem {
        problem_ui(ui, problem, commands);
    }
    markers_ui(ui, session, commands);
}

/// The name of the file, what it belongs to, and a button that removes it.
fn track_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    track: &SoundTrack,
    view: &SoundView,
    commands: &mut Vec<Command>,
) {
    let name = track.file.file_name().unwrap_or(track.file.as_os_str()).to_string_lossy().into_owned();
    let (words, color) = match &view.state {
        SoundState::Failed(problem) => (format!("{}: {problem}", text::shown(&name)), theme::WARNING),
        SoundState::None | SoundState::Decoding => (format!("{}, decoding…", text::shown(&name)), theme::TEXT_WEAK),
        SoundState::Ready(_) => (format!("{}  {:.1} s", text::shown(&name), track.duration_secs), theme::TEXT),
    };
    let is_failed = matches!(view.state, SoundState::Failed(_));
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let icon = (Icon::Close, theme::TEXT_WEAK);
            let tip = "Remove it from the timeline; the file stays";
            if icon_button_inline_ui(ui, icon, &format!("Remove sound {name}"), tip).clicked() {
                session.change_sound(|_| None);
            }
            if is_failed && ui.button("Locate…").on_hover_text("Choose the file; the offset is kept").clicked() {
                commands.push(Command::ImportSoundDialog);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let label = Label::new(RichText::new(text::shown_message(&words)).color(color)).truncate();
                ui.add(label).on_hover_ui(|ui| {
                    ui.label(text::shown_message(&track.file.display().to_string()));
                    ui.weak(format!("Belongs to {}", text::shown(&session.sound_owner())));
                });
            });
        });
    });
}

/// Where it begins, in frames.
fn offset_ui(ui: &mut egui::Ui, session: &mut Session, track: &SoundTrack) {
    let rate = session.sound_rate();
    ui.horizontal(|ui| {
        ui.label("Offset");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut frames = rate.frame_at(track.offset_secs);
            let most = rate.frame_at(SoundTrack::MOST_OFFSET_SECS);
            let field = DragValue::new(&mut frames)
                .range(-most..=most)
                .speed(0.25)
                .max_decimals(2)
                .suffix(" f")
                .min_size(vec2(72.0, theme::BAR_HEIGHT));
            let response = ui.add(field).accessible_name("Sound offset in frames");
            if response.changed() {
                let offset_secs = (frames / rate.frames_per_sec()) as f32;
                session.change_sound(|track| Some(track.at(offset_secs)));
            }
            let tip = format!(
                "Frames of {} fps from the start of the timeline to the start of the sound: {:+.3} s",
                rate.label(),
                track.offset_secs
            );
            response.on_hover_text(tip);
        });
    });
}

fn loudness_ui(ui: &mut egui::Ui, state: &mut UiState) {
    let mut volume = state.loudness.volume;
    let bar = Bar { name: "Volume", range: 0.0..=1.0, ..Bar::new("Sound volume", volume) };
    if setting_ui(ui, bar, &mut volume, 1.0, state) {
        state.loudness.volume = volume.clamp(0.0, 1.0);
    }
    ui.checkbox(&mut state.loudness.is_muted, "Mute")
        .on_hover_text("Without sound, the wall clock moves the play head");
}

/// Why nothing is heard.
fn problem_ui(ui: &mut egui::Ui, problem: &str, commands: &mut Vec<Command>) {
    ui.add(Label::new(RichText::new(text::shown_message(problem)).color(theme::WARNING)).wrap());
    if ui.button("Try again").on_hover_text("Look for a sound device now").clicked() {
        commands.push(Command::RetrySound);
    }
}

/// How many markers there are, and what can be done with all of them.
fn markers_ui(ui: &mut egui::Ui, session: &mut Session, commands: &mut Vec<Command>) {
    let count = session.edits.markers.all().len();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        ui.weak(if count == 0 { "Markers".to_owned() } else { text::counted(count, "marker") });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let clear = ui.add_enabled(count > 0, Button::new("Remove all").small());
            if clear.on_hover_text("Remove every marker of the timeline").clicked() {
                session.edits.markers = Markers::default();
            }
            let import = ui.add(Button::new("Import markers…").small());
            if import.on_hover_text("Labels of Audacity, or a TextGrid of Praat").clicked() {
                commands.push(Command::ImportMarkersDialog);
            }
        });
    });
}
