//! Sound and markers: the Motion page, the transport bar, the waveform and the marker lane.

use std::path::Path;

use crate::harness::*;
use crate::names::drawn_texts;
use crate::takes::{capture, open_page};
use egui_kittest::kittest::NodeT;
use smirk_base::file_kind::Content;
use smirk_face::motion::Marker;
use smirk_files::audio::Sound;
use smirk_session::SoundTrack;
use smirk_ui::OpenAs;

/// The window with a take of ten seconds that has a sound, paused, and the curves open.
fn window_with_sound(size: Vec2) -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.takes_mut().add(vec![capture()]);
    app.session.clock.timeline.playing = false;
    app.session.timeline_mut().set_sound(SoundTrack::new(Path::new("/voices/ada.wav"), 8.0));
    let samples = (0..8 * 8000).map(|frame| if frame / 4000 % 2 == 0 { 12_000 } else { 0 }).collect();
    app.state.sound.view.state = SoundState::Ready(Arc::new(Sound::new(8000, 1, samples)));
    app.state.panels.curves_open = true;
    window_of(size, app)
}

fn large() -> Harness<'static, App> {
    window_with_sound(Vec2::new(1600.0, 1000.0))
}

#[test]
fn the_motion_page_shows_the_sound_and_its_offset_in_frames_of_the_take() {
    let mut harness = large();
    open_page(&mut harness);
    harness.get_by_label_contains("ada.wav  8.0 s");
    let offset = harness.get_by_label("Sound offset in frames");
    offset.click();
    harness.run_ok();
    harness.get_by_label("Sound offset in frames").type_text("-30");
    harness.key_press(Key::Enter);
    harness.run_ok();
    let track = harness.state().session.sound().unwrap().clone();
    assert!((track.offset_secs + 0.5).abs() < 1e-6, "{} at 60 fps", track.offset_secs);
    press(&mut harness, "Remove sound ada.wav");
    assert!(harness.state().session.sound().is_none());
    harness.get_by_label_contains("No sound. Drop one");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert!(harness.state().session.sound().is_some());
}

#[test]
fn sounds_and_markers_are_chosen_in_dialogs() {
    let mut harness = large();
    open_page(&mut harness);
    press(&mut harness, "Choose…");
    press(&mut harness, "Import markers");
    assert_eq!(
        harness.state().commands,
        [Command::Choose(OpenAs::File(Some(Content::Sound))), Command::Choose(OpenAs::File(Some(Content::Markers)))]
    );
}

#[test]
fn a_file_that_is_gone_is_named_and_can_be_located() {
    let mut harness = large();
    harness.state_mut().state.sound.view.state = SoundState::Failed("cannot be read: it is gone".into());
    open_page(&mut harness);
    harness.get_by_label_contains("ada.wav: cannot be read");
    assert!(harness.query_by_label("Sound offset in frames").is_none());
    press(&mut harness, "Locate…");
    press(&mut harness, "No sound");
    assert_eq!(harness.state().commands, [Command::Choose(OpenAs::File(Some(Content::Sound)))]);
    assert!(harness.state().state.sound.retries);
}

#[test]
fn what_is_missing_of_a_damaged_file_is_said() {
    let mut harness = large();
    let mut sound = Sound::new(8000, 1, vec![0; 16_000]);
    sound.cut_off = Some("its end is missing".into());
    harness.state_mut().state.sound.view.state = SoundState::Ready(Arc::new(sound));
    open_page(&mut harness);
    harness.get_by_label_contains("Only its first 2.0 s could be read: its end is missing.");
}

#[test]
fn the_loudspeaker_mutes_and_says_why_nothing_is_heard() {
    let mut harness = large();
    press(&mut harness, "Mute the sound");
    assert!(harness.state().state.sound.loudness.is_muted);
    press(&mut harness, "Unmute the sound");
    assert!(!harness.state().state.sound.loudness.is_muted);
    harness.state_mut().state.sound.view.problem =
        Some("No sound: no sound server runs (PulseAudio or PipeWire)".into());
    open_page(&mut harness);
    harness.get_by_label_contains("no sound server runs");
    harness.get_by_label("Try again").scroll_to_me();
    harness.run_ok();
    press(&mut harness, "Try again");
    assert!(harness.state().state.sound.retries);
    harness.state_mut().session.timeline_mut().change_sound(|_| None);
    harness.run_ok();
    assert!(harness.query_by_label("Mute the sound").is_none() && harness.query_by_label("No sound").is_none());
}

#[test]
fn the_waveform_is_between_ruler_and_curves_at_both_sizes() {
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1280.0, 720.0)] {
        let mut harness = window_with_sound(size);
        let (ruler, curves) = (harness.get_by_label("Ruler").rect(), harness.get_by_label("Curves").rect());
        let waveform = harness.get_by_label("Waveform").rect();
        assert!(waveform.top() >= ruler.bottom() - 1.0 && waveform.bottom() <= curves.top() + 1.0);
        assert!(curves.height() > 60.0 && (waveform.width() - curves.width()).abs() < 2.0);
        harness.state_mut().session.timeline_mut().change_sound(|_| None);
        harness.run_ok();
        assert!(harness.query_by_label("Waveform").is_none());
        assert!(harness.get_by_label("Curves").rect().height() > curves.height());
    }
}

fn add_markers(harness: &mut Harness<'static, App>) {
    let marker = |time_secs, text: &str| Marker { time_secs, text: text.into(), ..Marker::default() };
    harness.state_mut().session.timeline_mut().add_markers(vec![marker(2.0, "mama"), marker(6.0, "papa")]);
    harness.run_ok();
}

fn markers(harness: &Harness<'static, App>) -> Vec<(f32, String)> {
    let markers = harness.state().session.edits.markers.all().iter();
    markers.map(|marker| (marker.time_secs, marker.text.clone())).collect()
}

#[test]
fn markers_are_added_gone_to_and_passed_by_keys() {
    let mut harness = large();
    add_markers(&mut harness);
    let time = |harness: &Harness<'static, App>| harness.state().session.clock.timeline.time_secs;
    harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowRight);
    harness.run_ok();
    assert_eq!(time(&harness), 2.0);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowRight);
    harness.run_ok();
    assert_eq!(time(&harness), 6.0);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowLeft);
    harness.run_ok();
    assert_eq!(time(&harness), 2.0);
    harness.state_mut().session.seek(4.0);
    harness.key_press_modifiers(Modifiers::ALT, Key::M);
    harness.run_ok();
    assert_eq!(markers(&harness)[1], (4.0, "Marker 3".into()));
    press(&mut harness, "Marker papa");
    assert_eq!(time(&harness), 6.0);
}

/// A word that ends in the middle of a letter looks like another word.
#[test]
fn texts_of_markers_are_shortened_before_the_next_marker_and_left_out_where_not_a_letter_fits() {
    let mut harness = window_with_sound(Vec2::new(1280.0, 720.0));
    let marker = |time_secs, text: &str| Marker { time_secs, text: text.into(), ..Marker::default() };
    harness.state_mut().session.timeline_mut().add_markers(vec![
        marker(1.0, "supercalifragilisticexpialidocious"),
        marker(3.0, "hidden"),
        marker(3.4, "ma"),
        marker(9.9, "the words at the end"),
    ]);
    harness.run_ok();
    let drawn = drawn_texts(&harness);
    let is_drawn = |text: &str| drawn.iter().any(|drawn| drawn == text);
    assert!(is_drawn("ma") && !is_drawn("hidden") && !is_drawn("…"), "{drawn:?}");
    assert!(!is_drawn("supercalifragilisticexpialidocious") && !is_drawn("the words at the end"), "{drawn:?}");
    let is_short = |text: &String| text.starts_with("su") && text.contains('…') && text.ends_with('s');
    assert!(drawn.iter().any(is_short), "{drawn:?}");
}

#[test]
fn a_marker_is_dragged_past_another_in_one_step_of_undo() {
    let mut harness = large();
    add_markers(&mut harness);
    let [mama, papa] = ["Marker mama", "Marker papa"].map(|label| harness.get_by_label(label).rect());
    let per_sec = (papa.left() - mama.left()) / 4.0;
    let from = mama.left_center() + Vec2::new(3.0, 0.0);
    drag(&mut harness, from, from + Vec2::new(6.0 * per_sec, 0.0), Modifiers::NONE);
    harness.run_ok();
    let moved = markers(&harness);
    assert_eq!((moved[0].1.as_str(), moved[1].1.as_str()), ("papa", "mama"));
    assert!((moved[1].0 - 8.0).abs() < 0.1, "{moved:?}");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(markers(&harness)[0], (2.0, "mama".into()));
}

/// Types a name for a marker after a double click, without Enter.
fn type_name(harness: &mut Harness<'static, App>, marker: &str, name: &str) {
    let at = harness.get_by_label(marker).rect().left_center() + Vec2::new(4.0, 0.0);
    for _ in 0..2 {
        harness.event(Event::PointerMoved(at));
        for pressed in [true, false] {
            let button = egui::PointerButton::Primary;
            harness.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
        }
    }
    harness.run_ok();
    harness.get_by_label("Name of the marker").type_text(name);
    harness.run_ok();
}

#[test]
fn a_name_that_is_typed_is_that_of_its_marker_although_another_is_dragged_past_it() {
    let mut harness = large();
    add_markers(&mut harness);
    let [mama, papa] = ["Marker mama", "Marker papa"].map(|label| harness.get_by_label(label).rect());
    type_name(&mut harness, "Marker papa", "papi");
    let from = mama.left_center() + Vec2::new(3.0, 0.0);
    drag(&mut harness, from, from + Vec2::new(1.5 * (papa.left() - mama.left()), 0.0), Modifiers::NONE);
    harness.key_press(Key::Enter);
    harness.run_ok();
    let moved = markers(&harness);
    assert_eq!((moved[0].clone(), moved[1].1.as_str()), ((6.0, "papi".into()), "mama"));
}

#[test]
fn a_marker_is_renamed_by_a_double_click_and_deleted_in_its_menu() {
    let mut harness = large();
    add_markers(&mut harness);
    type_name(&mut harness, "Marker mama", "mami");
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert_eq!(markers(&harness)[0], (2.0, "mami".into()));
    harness.get_by_label("Marker papa").click_secondary();
    harness.run_ok();
    press(&mut harness, "Delete marker");
    assert_eq!(markers(&harness), [(2.0, "mami".into())]);
}

#[test]
fn the_export_page_offers_the_sound_where_the_format_has_one() {
    let mut harness = large();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::E);
    harness.state_mut().state.export.kind = smirk_export::ExportKind::Film;
    harness.run_ok();
    assert!(harness.get_by_label("With the sound").accesskit_node().is_disabled(), "a WebP has no sound");
    harness.state_mut().state.export.film = smirk_export::FilmFormat::Mp4;
    harness.run_ok();
    press(&mut harness, "With the sound");
    assert!(!harness.state().state.export.with_sound);
}
