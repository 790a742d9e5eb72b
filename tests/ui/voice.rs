//! The voice on the Motion page.

use crate::harness::*;
use crate::takes::open_page;
use egui_kittest::kittest::NodeT;
use smirk_analysis::voice::{Heard, PhoneSet, VoiceSource};
use smirk_face::motion::{Layer, Marker};
use smirk_files::audio::Sound;
use smirk_session::SoundTrack;
use std::path::Path;

fn window_with(labels: &[&str]) -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.clips_mut().select(None);
    let markers = labels.iter().enumerate().map(|(index, label)| Marker {
        time_secs: 1.0 + 0.2 * index as f32,
        text: (*label).into(),
        lasts_secs: 0.2,
    });
    app.session.timeline_mut().add_markers(markers.collect());
    app.state.panels.curves_open = true;
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    open_page(&mut harness);
    harness
}

#[test]
fn labels_move_the_mouth_and_the_page_says_how_they_are_read() {
    let mut harness = window_with(&["M", "AA1", "M", "§"]);
    press(&mut harness, "Voice on");
    harness.run_ok();
    harness.get_by_label("1 of 4 labels are not ARPABET");
    harness.state_mut().session.seek(1.3);
    harness.run_ok();
    let session = &harness.state().session;
    let jaw = session.head.channel_named("jawOpen").unwrap();
    assert_eq!(session.mix().layers[jaw], Layer::Voice);
    press(&mut harness, "Spelling of the labels");
    press(&mut harness, "IPA, MFA");
    assert_eq!(harness.state().session.edits.voice.phones, Some(PhoneSet::Ipa));
    harness.get_by_label("None of the markers says anything in this spelling");
    let bake = harness.get_by_label("Bake voice to a take");
    assert!(bake.accesskit_node().is_disabled());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(harness.state().session.edits.voice.phones, None);
    press(&mut harness, "Bake voice to a take");
    assert_eq!(harness.state().commands, [Command::BakeVoice]);
    press(&mut harness, "Raise the brows with stressed words");
    press(&mut harness, "Blink with some of them");
    assert!(harness.state().session.edits.voice.brows && harness.state().session.edits.voice.blinks);
    press(&mut harness, "Voice on");
    assert!(harness.query_by_label("Voice amount").is_none() && !harness.state().session.edits.voice.enabled);
}

#[test]
fn a_sound_without_labels_is_listened_to_and_called_an_estimate() {
    let mut harness = window_with(&[]);
    press(&mut harness, "Voice on");
    harness.get_by_label_contains("No labels: import");
    press(&mut harness, "Voice on");
    let track = SoundTrack::new(Path::new("/voices/ada.wav"), 2.0);
    let file = track.file.clone();
    harness.state_mut().session.timeline_mut().set_sound(track);
    let samples: Vec<i16> = (0..16_000).map(|frame| if frame % 80 < 8 { 12_000 } else { 0 }).collect();
    let sound = Sound::new(8000, 1, samples);
    let heard = Heard::new(&sound.mono(), 8000);
    harness.state_mut().state.sound.view.state = SoundState::Ready(Arc::new(sound));
    harness.run_ok();
    press(&mut harness, "Voice on");
    assert_eq!(harness.state().session.edits.voice.source, VoiceSource::Sound);
    harness.get_by_label("Listening…");
    harness.state_mut().session.hear(file, Arc::new(heard));
    harness.run_ok();
    harness.get_by_label("An estimate from the sound alone. Labels are more exact");
    press(&mut harness, "Labels");
    assert_eq!(harness.state().session.edits.voice.source, VoiceSource::Labels);
    assert!(harness.state_mut().session.undo());
}
