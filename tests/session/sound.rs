//! The sound of what plays, and markers on the timeline.

use std::path::Path;

use super::session;
use smirk_face::head::{Curve, Interpolation};
use smirk_face::motion::{FrameRate, Marker, Take, TakeColumn};
use smirk_session::{Session, SoundTrack};

fn sound(name: &str, secs: f32) -> SoundTrack {
    SoundTrack::new(Path::new(name), secs)
}

fn add_take(session: &mut Session, secs: f32) {
    let curve = Curve::new(Interpolation::Linear, vec![0.0, secs], vec![0.0, 1.0], 1).unwrap();
    session.takes_mut().add(vec![Take {
        name: "talk".into(),
        source: None,
        frames_per_sec: Some(30.0),
        start_timecode: None,
        columns: vec![TakeColumn { name: "jawOpen".into(), track: 0, element: 0 }],
        tracks: vec![curve],
        body: None,
        duration_secs: secs,
        notes: Vec::new(),
    }]);
}

fn name(session: &Session) -> Option<String> {
    Some(session.sound()?.file.display().to_string())
}

#[test]
fn a_take_has_its_own_sound_and_everything_else_that_of_the_timeline() {
    let mut session = session();
    session.clips_mut().select(None);
    session.timeline_mut().set_sound(sound("music.ogg", 7.0));
    assert_eq!((name(&session), session.timeline_secs()), (Some("music.ogg".into()), 7.0));
    add_take(&mut session, 4.0);
    assert_eq!((name(&session), session.timeline_secs()), (Some("music.ogg".into()), 4.0), "a take that has none");
    session.timeline_mut().set_sound(sound("voice.wav", 9.0));
    assert_eq!((name(&session), session.sound_owner()), (Some("voice.wav".into()), "take talk".into()));
    assert_eq!((session.sound_rate(), session.timeline_secs()), (FrameRate::nearest(30.0), 4.0));
    let take = session.edits.take;
    session.takes_mut().select(None);
    assert_eq!(name(&session), Some("music.ogg".into()));
    session.takes_mut().select(take);
    session.timeline_mut().change_sound(|_| None);
    assert_eq!(name(&session), Some("music.ogg".into()));
    session.timeline_mut().change_sound(|_| None);
    assert_eq!(name(&session), None);
}

#[test]
fn a_take_whose_capture_is_missing_has_no_sound_to_give_or_to_change() {
    let mut session = session();
    session.clips_mut().select(None);
    session.timeline_mut().set_sound(sound("music.ogg", 7.0));
    add_take(&mut session, 4.0);
    session.timeline_mut().set_sound(sound("voice.wav", 4.0));
    session.edits.takes[0].problem = Some("The file is gone.".into());
    session.timeline_mut().change_sound(|track| Some(track.at(0.5)));
    assert_eq!((name(&session), session.sound().unwrap().offset_secs), (Some("music.ogg".into()), 0.5));
    session.timeline_mut().set_sound(sound("other.ogg", 5.0));
    assert_eq!(name(&session), Some("other.ogg".into()));
    let of_take = session.edits.takes[0].sound.as_ref().unwrap();
    assert_eq!((of_take.file.display().to_string().as_str(), of_take.offset_secs), ("voice.wav", 0.0));
}

#[test]
fn changes_of_the_sound_and_of_markers_can_be_undone() {
    let mut session = session();
    session.commit();
    session.timeline_mut().set_sound(sound("voice.wav", 3.0));
    session.commit();
    session.timeline_mut().change_sound(|track| Some(track.at(0.5)));
    session.commit();
    session.seek(1.0);
    session.timeline_mut().add_marker();
    session.commit();
    assert!(session.undo() && session.edits.markers.is_empty());
    assert!(session.undo() && session.sound().unwrap().offset_secs == 0.0);
    assert!(session.undo() && session.sound().is_none());
    assert!(session.redo() && session.redo() && session.redo());
    assert_eq!((session.sound().unwrap().offset_secs, session.edits.markers.all().len()), (0.5, 1));
}

#[test]
fn inserted_and_deleted_time_moves_what_is_later() {
    let mut session = session();
    session.clips_mut().select(None);
    session.timeline_mut().set_sound(sound("voice.wav", 10.0).at(2.0));
    let marker = |time_secs, text: &str| Marker { time_secs, text: text.into(), ..Marker::default() };
    session.timeline_mut().add_markers(vec![marker(1.0, "a"), marker(6.0, "b")]);
    let range = |session: &mut Session, from: f32, to: f32| {
        session.timeline_mut().edit_range(|timeline| timeline.set_in(Some(from)));
        session.timeline_mut().edit_range(|timeline| timeline.set_out(Some(to)));
    };
    let state = |session: &Session| {
        let times: Vec<f32> = session.edits.markers.all().iter().map(|marker| marker.time_secs).collect();
        (session.sound().unwrap().offset_secs, times)
    };
    range(&mut session, 1.5, 2.0);
    session.timeline_mut().insert_time().unwrap();
    assert_eq!(state(&session), (2.5, vec![1.0, 6.5]));
    range(&mut session, 5.0, 6.0);
    session.timeline_mut().insert_time().unwrap();
    assert_eq!(state(&session), (2.5, vec![1.0, 7.5]), "the recording stays as it is");
    range(&mut session, 0.0, 3.0);
    session.timeline_mut().delete_time().unwrap();
    assert_eq!(state(&session), (-0.5, vec![4.5]), "its start is cut off");
}

#[test]
fn the_play_head_goes_from_marker_to_marker() {
    let mut session = session();
    session.clips_mut().select(None);
    session.timeline_mut().set_sound(sound("voice.wav", 10.0));
    session
        .timeline_mut()
        .add_markers(["a", "b"].map(|text| Marker { time_secs: 2.0, text: text.into(), ..Marker::default() }).into());
    session.timeline_mut().add_markers(vec![
        Marker { time_secs: 5.0, text: "c".into(), ..Marker::default() },
        Marker { time_secs: 50.0, text: "d".into(), ..Marker::default() },
    ]);
    session.clock.timeline.playing = true;
    let mut times = Vec::new();
    while session.timeline_mut().go_to_marker(true) && times.len() < 9 {
        times.push(session.clock.timeline.time_secs);
    }
    assert_eq!(times, [2.0, 5.0, 50.0]);
    assert!(!session.clock.timeline.playing && session.timeline_mut().go_to_marker(false));
    assert_eq!(session.clock.timeline.time_secs, 5.0);
}

#[test]
fn a_timeline_with_markers_alone_reaches_to_the_last() {
    let mut session = session();
    session.clips_mut().select(None);
    assert_eq!(session.timeline_secs(), 0.0);
    session.timeline_mut().add_markers(vec![Marker { time_secs: 3.0, text: "ma".into(), ..Marker::default() }]);
    assert_eq!(session.timeline_secs(), 3.0);
    let label = |time_secs, lasts_secs| Marker { time_secs, text: "say".into(), lasts_secs };
    session.timeline_mut().add_markers(vec![label(1.0, 3.25), label(2.0, 0.5)]);
    assert_eq!(session.timeline_secs(), 4.25, "to where the last label ends");
    session.timeline_mut().set_sound(sound("voice.wav", 2.0).at(2.5));
    assert_eq!(session.timeline_secs(), 4.5);
}
