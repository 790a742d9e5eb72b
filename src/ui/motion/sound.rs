//! The sound of what plays, and how loud it is.

use egui::{Align, DragValue, Label, Layout, RichText};

use smirk_base::file_kind::Content;
use smirk_session::{Session, SoundTrack};

use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::sound::{SoundPanel, SoundState};
use crate::theme;
use crate::widgets::{Bar, Icon, Number, checkbox_ui, icon_button_inline_ui, setting_ui, text, title_ui, wrapped_ui};

pub(super) fn sound_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    title_ui(ui, "Sound", |ui| {
        let choose = ui.button("Choose…").on_hover_text("WAV, FLAC, MP3, OGG, M4A, or a film with sound");
        if choose.clicked() {
            cx.commands.push(Command::Choose(OpenAs::File(Some(Content::Sound))));
        }
    });
    match cx.session.sound().cloned() {
        None => drop(ui.weak("No sound. Drop one on the window, or keep it beside a capture under the same name.")),
        Some(track) => {
            track_ui(ui, &track, cx);
            if let SoundState::Ready(sound) = &cx.state.sound.view.state
                && let Some(damage) = sound.damage()
            {
                wrapped_ui(ui, text::shown_message(&damage), theme::WARNING);
            }
            if !matches!(cx.state.sound.view.state, SoundState::Failed(_)) {
                offset_ui(ui, cx.session, &track);
            }
            loudness_ui(ui, cx);
        }
    }
    problem_ui(ui, &mut cx.state.sound);
}

/// The name of the file, what it belongs to, and a button that removes it.
fn track_ui(ui: &mut egui::Ui, track: &SoundTrack, cx: &mut PanelContext<'_>) {
    let state = &cx.state.sound.view.state;
    let name = track.file.file_name().unwrap_or(track.file.as_os_str()).to_string_lossy().into_owned();
    let (words, color) = match state {
        SoundState::Failed(problem) => (format!("{}: {problem}", text::shown(&name)), theme::WARNING),
        SoundState::None | SoundState::Decoding => (format!("{}, decoding…", text::shown(&name)), theme::TEXT_WEAK),
        SoundState::Ready(_) => (format!("{}  {:.1} s", text::shown(&name), track.duration_secs), theme::TEXT),
    };
    let is_failed = matches!(state, SoundState::Failed(_));
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let icon = (Icon::Close, theme::TEXT_WEAK);
            let tip = "Remove it from the timeline; the file stays";
            if icon_button_inline_ui(ui, icon, &format!("Remove sound {name}"), tip).clicked() {
                cx.session.timeline_mut().change_sound(|_| None);
            }
            if is_failed && ui.button("Locate…").on_hover_text("Choose the file; the offset is kept").clicked() {
                cx.commands.push(Command::Choose(OpenAs::File(Some(Content::Sound))));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let label = Label::new(RichText::new(text::shown_message(&words)).color(color)).truncate();
                let label = label.show_tooltip_when_elided(false);
                ui.add(label).on_hover_ui(|ui| {
                    ui.label(text::shown_message(&track.file.display().to_string()));
                    ui.weak(format!("Belongs to {}", text::shown(&cx.session.sound_owner())));
                });
            });
        });
    });
}

fn offset_ui(ui: &mut egui::Ui, session: &mut Session, track: &SoundTrack) {
    let rate = session.sound_rate();
    let mut frames = rate.frame_at(track.offset_secs);
    let most = rate.frame_at(SoundTrack::MOST_OFFSET_SECS);
    let field = DragValue::new(&mut frames).range(-most..=most).speed(0.25).max_decimals(2).suffix(" f");
    let number = Number { label: "Offset", name: "Sound offset in frames", tip: "", width: 72.0 };
    let response = number.row_ui(ui, field);
    if response.changed() {
        let offset_secs = (frames / rate.frames_per_sec()) as f32;
        session.timeline_mut().change_sound(|track| Some(track.at(offset_secs)));
    }
    response.on_hover_text(format!(
        "Frames of {} fps from the start of the timeline to the start of the sound: {:+.3} s",
        rate.label(),
        track.offset_secs
    ));
}

fn loudness_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let loudness = &mut cx.state.sound.loudness;
    // A typed number is limited to the ends of the bar.
    setting_ui(ui, Bar { name: "Volume", ..Bar::named("Sound volume") }, &mut loudness.volume, 1.0);
    checkbox_ui(ui, &mut loudness.is_muted, "Mute").on_hover_text("Without sound, the wall clock moves the play head");
}

fn problem_ui(ui: &mut egui::Ui, sound: &mut SoundPanel) {
    let Some(problem) = &sound.view.problem else { return };
    wrapped_ui(ui, text::shown_message(problem), theme::WARNING);
    sound.retries |= ui.button("Try again").on_hover_text("Look for a sound device now").clicked();
}

/// Width of the button in the transport bar, with the space before it.
pub(crate) fn sound_button_width(session: &Session) -> f32 {
    if session.sound().is_some() { 30.0 } else { 0.0 }
}

/// Whether the sound is heard, in the transport bar. A click mutes it, or looks for a device if there is none.
pub(crate) fn sound_button_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    if cx.session.sound().is_none() {
        return;
    }
    let SoundPanel { loudness, retries, view, .. } = &mut cx.state.sound;
    let problem = match &view.state {
        SoundState::Failed(problem) => Some(problem),
        SoundState::None | SoundState::Decoding | SoundState::Ready(_) => view.problem.as_ref(),
    };
    if let Some(problem) = problem {
        let tip = format!("{}. Click to try again", text::shown_message(problem));
        *retries |= icon_button_inline_ui(ui, (Icon::Silent, theme::WARNING), "No sound", &tip).clicked();
        return;
    }
    let (icon, color, label, tip) = match loudness.is_muted {
        false => (Icon::Sound, theme::TEXT_WEAK, "Mute the sound", "Mute. The volume is on the Motion page"),
        true => (Icon::Silent, theme::ICON_WEAK, "Unmute the sound", "Muted. Click to hear it"),
    };
    loudness.is_muted ^= icon_button_inline_ui(ui, (icon, color), label, tip).clicked();
}
