//! The voice: a source below the keys that markers or a sound give, and its take.

use std::path::Path;
use std::sync::Arc;

use super::{layer, session, weight};
use smirk_analysis::voice::{Heard, VoiceSource};
use smirk_face::motion::{Key, Layer, Marker, Markers};
use smirk_session::{ComparedWith, Edits, FileRef, Session, SoundTrack};

fn label(time_secs: f32, lasts_secs: f32, text: &str) -> Marker {
    Marker { time_secs, lasts_secs, text: text.into() }
}

/// A session without a clip that says *m a m*.
fn speaking() -> Session {
    let mut session = session();
    session.clips_mut().select(None);
    session.edits.markers = Markers::new(vec![label(1.0, 0.1, "M"), label(1.1, 0.4, "AA1"), label(1.5, 0.1, "M")]);
    session.edits.voice.enabled = true;
    session
}

fn jaw(session: &mut Session, secs: f32) -> f32 {
    session.seek(secs);
    weight(session, "jawOpen")
}

/// The vowel *a* from 0.5 to 1 s of two seconds.
fn sound() -> Vec<f32> {
    let pulse = |index: usize| if (8_000..16_000).contains(&index) && index.is_multiple_of(133) { 1.0 } else { 0.0 };
    let (mut before, mut earlier) = (0.0, 0.0);
    let ring = |index: usize| {
        let now = pulse(index) + 1.86 * before - 0.95 * earlier;
        (earlier, before) = (before, now);
        0.05 * now
    };
    (0..32_000).map(ring).collect()
}

#[test]
fn markers_move_the_mouth_below_the_keys_and_above_the_clip() {
    let mut session = speaking();
    assert!((1.85..1.92).contains(&session.timeline_secs()), "it lasts until the mouth is at rest after what is said");
    assert!(jaw(&mut session, 1.3) > 0.4 && jaw(&mut session, 1.05) < 0.01 && jaw(&mut session, 1.55) < 0.01);
    assert_eq!(layer(&session, "jawOpen"), Layer::Voice);
    session.clips_mut().select(Some(0));
    session.seek(1.3);
    assert_eq!((layer(&session, "jawOpen"), layer(&session, "eyeBlinkLeft")), (Layer::Voice, Layer::Clip));
    session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(1.3, 0.9)));
    session.seek(1.3);
    assert_eq!(layer(&session, "jawOpen"), Layer::Keys);
    session.edits.voice.enabled = false;
    assert!(session.spoken().is_none());
}

#[test]
fn a_change_of_a_marker_or_a_slider_changes_the_mouth_and_can_be_undone() {
    let mut session = speaking();
    session.commit();
    let before = jaw(&mut session, 1.3);
    session.edits.voice.amount = 0.5;
    assert!((jaw(&mut session, 1.3) - 0.5 * before).abs() < 1e-3);
    session.commit();
    session.edits.markers.rename(1, "IY1");
    assert!(jaw(&mut session, 1.3) < 0.3 * before);
    session.commit();
    assert!(session.undo() && session.undo());
    assert_eq!(jaw(&mut session, 1.3), before);
    let spoken = session.spoken().unwrap();
    session.edits.blink.enabled = true;
    assert!(Arc::ptr_eq(&session.spoken().unwrap().take, &spoken.take), "nothing that it depends on has changed");
}

#[test]
fn the_sound_of_what_plays_is_heard_once_and_moves_with_its_offset() {
    let mut session = session();
    session.clips_mut().select(None);
    (session.edits.voice.enabled, session.edits.voice.source) = (true, VoiceSource::Sound);
    assert!(session.unheard().is_none() && session.spoken().is_none(), "there is no sound");
    session.timeline_mut().set_sound(SoundTrack::new(Path::new("voice.wav"), 2.0));
    let file = session.unheard().unwrap().clone();
    session.hear(FileRef::new(Path::new("other.wav")), Arc::new(Heard::default()));
    assert_eq!(session.unheard(), Some(&file), "that was another sound");
    session.hear(file, Arc::new(Heard::new(&sound(), 16_000)));
    assert!(session.unheard().is_none() && session.spoken().unwrap().said.labels.is_none());
    assert!(jaw(&mut session, 0.75) > 0.15 && jaw(&mut session, 0.2) < 0.02 && jaw(&mut session, 1.5) < 0.02);
    session.compared_with = ComparedWith::Saved;
    session.saved_edits = Some(session.edits.snapshot());
    let jaw_of_b = |session: &Session| session.b().with(|b| weight(b, "jawOpen")).unwrap();
    session.seek(0.75);
    let said = jaw_of_b(&session);
    assert!(said > 0.15);
    session.hear(FileRef::new(Path::new("voice.wav")), Arc::new(Heard::default()));
    assert!(jaw_of_b(&session) < 0.02, "B is made again of what is heard now");
    session.hear(FileRef::new(Path::new("voice.wav")), Arc::new(Heard::new(&sound(), 16_000)));
    assert_eq!(jaw_of_b(&session), said);
    session.timeline_mut().change_sound(|track| Some(track.at(0.75)));
    assert!(jaw(&mut session, 0.75) < 0.05 && jaw(&mut session, 1.5) > 0.15);
}

#[test]
fn a_baked_voice_is_a_take_with_the_sound_that_plays_in_its_place() {
    let mut session = speaking();
    session.timeline_mut().set_sound(SoundTrack::new(Path::new("voice.wav"), 2.0));
    let before = [1.05, 1.2, 1.3, 1.55].map(|secs| jaw(&mut session, secs));
    let take = session.spoken().unwrap().take;
    session.takes_mut().add_baked_voice((*take).clone());
    assert!(!session.edits.voice.enabled && session.sound().is_some());
    assert_eq!([1.05, 1.2, 1.3, 1.55].map(|secs| jaw(&mut session, secs)), before);
    assert_eq!(layer(&session, "jawOpen"), Layer::Take);
}

#[test]
fn a_project_keeps_the_voice_and_those_of_earlier_versions_have_none() {
    let session = speaking();
    let text = serde_json::to_string(&*session.edits).unwrap();
    assert_eq!(serde_json::from_str::<Edits>(&text).unwrap().voice, session.edits.voice);
    assert!(!serde_json::from_str::<Edits>("{}").unwrap().voice.enabled);
    let odd = serde_json::from_str::<Edits>(r#"{"voice":{"amount":1e30,"lead_secs":-3}}"#).unwrap().within_reason();
    assert_eq!((odd.voice.amount, odd.voice.lead_secs), (2.0, 0.0));
}
