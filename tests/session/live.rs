//! Live faces: what they drive, how they are smoothed and delayed, and what happens when they are lost.

use std::sync::Arc;

use super::{channel, layer, session, weight};
use smirk_face::motion::{DrivenChannel, Key, Layer, LiveFace, Smoothing};
use smirk_files::live::{Calibration, CalibrationKind, LiveFrame, LiveStream};
use smirk_session::Session;

/// A frame of the jaw, the smile in another dialect, a head that is turned, and a name without a channel.
fn frame(time_secs: f64, jaw: f32) -> LiveFrame {
    let columns = ["JawOpen", "mouth_smile_L", "HeadYaw", "Sneeze"].map(str::to_owned);
    LiveFrame {
        subject: "Ada".into(),
        time_secs: Some(time_secs),
        is_tracked: true,
        columns: Arc::new(columns),
        values: vec![jaw, 0.25, 0.5, 1.0],
    }
}

fn stream(buffer_frames: u8, smoothing: Smoothing) -> LiveStream {
    let mut stream = LiveStream::default();
    (stream.hold_secs, stream.buffer_frames, stream.smoothing) = (0.5, buffer_frames, smoothing);
    stream
}

/// A stream that shows frames as they arrive.
fn direct() -> LiveStream {
    stream(0, Smoothing::default())
}

/// Sends frames 60 times a second, the first at time 0.
fn send(stream: &mut LiveStream, count: u32, frame: impl Fn(f64) -> LiveFrame) {
    for index in 0..count {
        let secs = f64::from(index) / 60.0;
        stream.arrive(&frame(secs), secs);
    }
}

/// Shows a face of the jaw.
fn show(session: &mut Session, jaw: f32) {
    let LiveFrame { columns, values, .. } = frame(0.0, jaw);
    session.show_live(Some(LiveFace { columns, values, presence: 1.0 }));
}

#[test]
fn a_live_face_drives_above_clip_and_take_and_below_keys_and_sliders() {
    let mut session = session();
    session.seek(4.0);
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (0.4, Layer::Clip));
    show(&mut session, 0.75);
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (0.75, Layer::Live));
    assert_eq!(weight(&session, "mouthSmileLeft"), 0.25, "names are matched in every dialect");
    assert_eq!(layer(&session, "eyeBlinkLeft"), Layer::Clip, "what it does not send stays");
    assert!((session.mix().turns.head.yaw - 0.5).abs() < 1e-6);
    session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(0.0, 0.125)));
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (0.125, Layer::Keys));
    let jaw = channel(&session, "jawOpen");
    session.channel_mut(jaw).set(0.9);
    show(&mut session, 0.1);
    assert_eq!(weight(&session, "jawOpen"), 0.9, "what was touched by hand stays so");
    session.show_live(None);
    assert_eq!(layer(&session, "mouthSmileLeft"), Layer::Rest);
}

#[test]
fn only_a_new_frame_makes_a_new_mix_and_names_are_bound_once() {
    let mut session = session();
    show(&mut session, 0.5);
    let before = session.mix();
    show(&mut session, 0.5);
    assert!(Arc::ptr_eq(&before, &session.mix()));
    show(&mut session, 0.6);
    assert!(!Arc::ptr_eq(&before, &session.mix()));
    let map = session.live_map().unwrap();
    assert!(Arc::ptr_eq(&map, &session.live_map().unwrap()));
    assert_eq!(map.unmapped_names(session.live_columns().unwrap().iter().map(String::as_str)), ["Sneeze"]);
}

#[test]
fn columns_are_mapped_scaled_and_calibrated_in_undo_steps_and_a_recording_gets_their_numbers() {
    let mut session = session();
    show(&mut session, 0.5);
    session.edits.live.edit("jawOpen", |map| (map.gain, map.clamp) = (3.0, Some([0.0, 1.0])));
    session.commit();
    assert_eq!(weight(&session, "jawOpen"), 1.0);
    session.edits.matching.aliases.set("Sneeze", vec![DrivenChannel::new("mouthFunnel")]);
    session.commit();
    assert_eq!(weight(&session, "mouthFunnel"), 1.0);
    let mut stream = direct();
    stream.set_calibration(Some(Calibration::new(CalibrationKind::Neutral)));
    send(&mut stream, 30, |secs| frame(secs, 0.5));
    session.edits.live.calibrate(stream.calibration().unwrap());
    assert_eq!((weight(&session, "jawOpen"), weight(&session, "mouthSmileLeft")), (0.0, 0.0));
    session.undo();
    assert_eq!(weight(&session, "jawOpen"), 1.0);
    session.redo();
    let take = |id: u32| smirk_face::motion::Take {
        name: format!("Take {id}"),
        source: None,
        frames_per_sec: None,
        start_timecode: None,
        columns: vec![smirk_face::motion::TakeColumn { name: "JawOpen".into(), track: 0, element: 0 }],
        tracks: vec![
            smirk_face::head::Curve::new(smirk_face::head::Interpolation::Linear, vec![0.0, 1.0], vec![0.5, 0.6], 1)
                .unwrap(),
        ],
        body: None,
        duration_secs: 1.0,
        notes: Vec::new(),
    };
    let id = session.add_recording(take(1), None);
    assert_eq!((session.edits.take, session.edits.takes[0].map.columns[0].gain), (None, 3.0));
    assert_eq!(session.edits.takes[0].map.columns[0].neutral, 0.5);
    session.edits.take_mut(id).unwrap().is_starred ^= true;
    assert!(session.edits.takes[0].is_starred);
    session.takes_mut().select(Some(id));
    session.clips_mut().select_together([]);
    session.seek(1.0);
    assert!((weight(&session, "jawOpen") - 0.3).abs() < 1e-6, "a take that is chosen plays, although a face is heard");
    session.show_live(None);
    show(&mut session, 0.5);
    assert_eq!(layer(&session, "jawOpen"), Layer::Take, "also after the port was changed");
    session.set_live_drives(true);
    assert_eq!(layer(&session, "jawOpen"), Layer::Live);
}

#[test]
fn a_face_that_is_lost_is_held_and_then_fades_to_what_is_below() {
    let (mut stream, mut session) = (direct(), session());
    let mut shown = |stream: &mut LiveStream, now_secs: f64| {
        let due = stream.due_in_secs(now_secs);
        session.show_live(stream.face(now_secs));
        (weight(&session, "jawOpen"), due)
    };
    assert_eq!(shown(&mut stream, 0.0), (0.0, None), "nothing was heard");
    send(&mut stream, 61, |secs| frame(secs, 0.8));
    assert_eq!(shown(&mut stream, 1.0).0, 0.8);
    // Frames without a face go on for a while, with other values.
    let lost = LiveFrame { is_tracked: false, ..frame(1.1, 0.1) };
    assert_eq!(stream.arrive(&lost, 1.1), None);
    let (held, due) = shown(&mut stream, 1.25);
    assert!(held == 0.8 && due.is_some_and(|secs| (secs - 0.25).abs() < 1e-6), "{held} {due:?}");
    let (half, due) = shown(&mut stream, 1.75);
    assert!((half - 0.4).abs() < 1e-5 && due == Some(0.0), "{half} {due:?}");
    assert_eq!(shown(&mut stream, 2.0), (0.0, None), "nothing is to be drawn any more");
    stream.arrive(&frame(9.0, 0.6), 9.0);
    let (back, due) = shown(&mut stream, 9.0 + 0.075);
    assert!((back - 0.3).abs() < 1e-5 && due == Some(0.0), "it comes back without a jump: {back}");
    assert_eq!(shown(&mut stream, 9.2).0, 0.6);
}

#[test]
fn what_is_shown_depends_on_the_frames_and_not_on_how_often_the_window_draws() {
    let smoothing = Smoothing { secs: 0.1, response: 0.5 };
    for buffer_frames in [0, 1, 2] {
        let mut often = stream(buffer_frames, smoothing);
        let mut never = often.clone();
        let mut furthest = 0.0_f32;
        for index in 0..120_u32 {
            let secs = f64::from(index) / 60.0;
            let frame = frame(secs, 0.5 + 0.5 * (secs as f32 * 9.0).sin());
            assert_eq!(often.arrive(&frame, secs), Some(secs));
            never.arrive(&frame, secs);
            for millis in 0..16 {
                let shown = often.face(secs + f64::from(millis) / 1000.0);
                furthest = shown.map_or(furthest, |shown| furthest.max((shown.values[0] - frame.values[0]).abs()));
            }
        }
        let [often, never] = [&mut often, &mut never].map(|stream| stream.face(2.1).unwrap());
        assert_eq!(often, never);
        assert!(furthest > 0.1, "it was smoothed: {furthest}");
    }
}

#[test]
fn a_buffer_shows_every_frame_later_and_a_clock_that_jumps_freezes_nothing() {
    for buffer_frames in [0, 1, 2] {
        let mut stream = stream(buffer_frames, Smoothing::default());
        let mut longest = 0;
        let (mut last, mut same) = (f32::NAN, 0);
        for index in 0..600_u32 {
            let now_secs = f64::from(index) / 60.0;
            let jump = [0.0, 7200.0, -86_400.0, 1e9, 0.0][index as usize / 120];
            stream.arrive(&frame(now_secs + jump, index as f32 / 600.0), now_secs);
            let jaw = stream.face(now_secs + 0.001).unwrap().values[0];
            same = if jaw == last { same + 1 } else { 0 };
            (last, longest) = (jaw, longest.max(same));
        }
        assert!(longest <= 3, "buffer {buffer_frames}: the face stood still for {longest} frames");
        let latency = stream.latency();
        assert!((latency.buffer_secs - f32::from(buffer_frames) / 60.0).abs() < 1e-3, "{latency:?}");
    }
}

#[test]
fn another_sender_with_another_clock_and_other_columns_takes_over_at_once() {
    let mut stream = direct();
    send(&mut stream, 30, |secs| frame(1e6 + secs, 0.2));
    stream.change_sender();
    let other = LiveFrame { columns: Arc::new(["jawOpen".to_owned()]), values: vec![0.9], ..frame(3.0, 0.0) };
    let secs = stream.arrive(&other, 0.6).unwrap();
    assert!((secs - 0.6).abs() < 1e-6, "the time goes on: {secs}");
    let face = stream.face(0.6).unwrap();
    assert_eq!((face.values.as_slice(), face.columns.len(), face.presence), (&[0.9][..], 1, 1.0));
    let broken = LiveFrame { values: vec![0.1, 0.2], ..other };
    assert_eq!(stream.arrive(&broken, 0.7), None, "a frame without a value per column");
}
