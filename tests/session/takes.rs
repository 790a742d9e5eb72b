//! Takes: what they turn, and their edits.

use std::sync::Arc;

use super::{NAMES, session, weight};
use glam::Vec3;
use smirk_base::file_kind::Content;
use smirk_face::head::{
    Asset, Clip, Curve, Head, Interpolation, LocalTransform, Mesh, Node, NodePath, NodeTrack, Rig, Target, Trs,
    Vertices,
};
use smirk_face::motion::{EditKind, Take, TakeColumn, TakeEdit};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

#[test]
fn a_take_turns_head_and_eyes_beside_its_weights_and_on_top_of_a_clip() {
    let node = |name: &str, parent, translation| Node {
        name: name.into(),
        parent,
        rest: LocalTransform::Trs(Trs { translation, ..Trs::IDENTITY }),
    };
    let nodes = vec![node("neck", None, Vec3::Y), node("Head", Some(0), Vec3::Y), node("eye.L", Some(1), Vec3::Z)];
    let vertices = Vertices { positions: vec![Vec3::NEG_ONE, Vec3::ONE], ..Vertices::default() };
    let target = Target::from_dense("jawOpen".into(), 0.0, &[Vec3::X], &[], &[]);
    let mesh = Mesh { node: Some(2), vertices, targets: vec![target], ..Mesh::default() };
    let curve = Curve::new(Interpolation::Linear, vec![0.0], vec![0.0, 5.0, 0.0], 3).unwrap();
    let lift = NodeTrack { node: 0, path: NodePath::Translation, curve };
    let clips = vec![Clip::new("lift".into(), vec![]).with_node_tracks(vec![lift])];
    let rig = Rig { nodes, ..Rig::default() };
    let head = Head::new(Asset { meshes: vec![mesh], rig, clips, ..Asset::default() });
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let names = ["JawOpen", "HeadYaw", "LeftEyePitch"];
    let column = |(element, name): (usize, &&str)| TakeColumn { name: (*name).into(), track: 0, element };
    let columns = names.iter().enumerate().map(column).collect();
    let values = vec![0.0, 0.0, 0.0, 1.0, 0.5, 0.25];
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], values, 3).unwrap();
    session.takes_mut().add(vec![Take {
        name: "walk".into(),
        source: None,
        frames_per_sec: None,
        start_timecode: None,
        columns,
        tracks: vec![curve],
        body: None,
        duration_secs: 2.0,
        notes: Vec::new(),
    }]);
    session.seek(1.0);
    let moved = |session: &Session, node: usize, point: Vec3| session.world_from_nodes()[node].transform_point3(point);
    let turned = Vec3::new(0.25_f32.sin(), 6.0, 0.25_f32.cos());
    assert_eq!(session.weights()[0], 0.5);
    assert!(
        moved(&session, 1, Vec3::Z).distance(turned) < 1e-6,
        "a quarter of a radian to the own left, lifted by the clip"
    );
    assert!(moved(&session, 2, Vec3::ZERO).distance(turned) < 1e-6, "the eye goes along");
    assert!(moved(&session, 2, Vec3::Z).y < 6.0 - 0.1, "and looks down");

    session.edits.head_and_eyes.head = false;
    assert_eq!(moved(&session, 1, Vec3::Z), Vec3::new(0.0, 6.0, 1.0));
    assert!((moved(&session, 2, Vec3::Z).y - (6.0 - 0.125_f32.sin())).abs() < 1e-6);
    session.edits.head_and_eyes.eyes = false;
    session.clips_mut().select(None);
    assert!(session.world_from_nodes().is_empty());

    session.edits.head_and_eyes.head = true;
    session.seek(2.0);
    let id = session.edits.take.unwrap();
    session.takes_mut().edit_map(id, |map, _| map.columns[1].gain = -1.0);
    assert!(moved(&session, 1, Vec3::Z).x < -0.4, "the gain of a column turns its sign round");
    session.takes_mut().select(None);
    assert!(session.world_from_nodes().is_empty(), "without a take nothing is turned");
}

/// A take of the eyes and the jaw, ten seconds at 60 frames per second.
fn take() -> Take {
    let times: Vec<f32> = (0..601).map(|frame| frame as f32 / 60.0).collect();
    let values = times.iter().flat_map(|time| [1.0, 2.0, 3.0].map(|speed| 0.5 + 0.5 * (time * speed).sin())).collect();
    let column = |element: usize| TakeColumn { name: NAMES[element].into(), track: 0, element };
    Take {
        name: "take".into(),
        source: None,
        frames_per_sec: Some(60.0),
        start_timecode: None,
        columns: (0..3).map(column).collect(),
        tracks: vec![Curve::new(Interpolation::Linear, times, values, 3).unwrap()],
        body: None,
        duration_secs: 10.0,
        notes: Vec::new(),
    }
}

#[test]
fn the_clip_of_the_bundled_head_ends_with_the_first_capture_that_is_opened_and_plays_again_if_it_is_chosen() {
    let longer_than_capture = Session::new(
        Arc::new(Head::new(Asset { clips: vec![long_clip()], ..Asset::default() })),
        HeadSource::Embedded,
        Look::default(),
        BlendMode::Cpu,
    );
    let mut session = longer_than_capture.clone();
    assert_eq!((session.clip_names().len(), session.timeline_secs()), (1, 20.0));
    session.takes_mut().add_opened(vec![take()], Content::Takes);
    assert_eq!((session.clip_names().len(), session.timeline_secs()), (0, 10.0));
    session.clips_mut().select_together([0]);
    session.takes_mut().add_opened(vec![take()], Content::Takes);
    assert_eq!((session.clip_names().len(), session.timeline_secs()), (1, 20.0), "the artist has chosen it");
    // The clip of a file may belong to the capture, as the motion of a body does.
    let mut session = longer_than_capture;
    session.source = HeadSource::File("head.glb".into());
    session.takes_mut().add_opened(vec![take()], Content::Takes);
    assert_eq!((session.clip_names().len(), session.timeline_secs()), (1, 20.0));
    // Frames that were solved say all of the face.
    session.takes_mut().add_opened(vec![take()], Content::Frames);
    assert_eq!((session.clip_names().len(), session.timeline_secs()), (0, 10.0));
}

#[test]
fn a_missing_take_that_is_located_keeps_its_edits_and_another_of_its_name_stays_missing() {
    let mut session = session();
    let ids = session.takes_mut().add(vec![take(), take()]);
    let gain = TakeEdit { kind: EditKind::Gain(0.5), ..TakeEdit::default() };
    session.takes_mut().change_edits(ids[1], |edits| edits.push(gain));
    session.takes_mut().edit_map(ids[1], |map, _| map.columns[0].gain = 2.0);
    for entry in &mut session.edits.takes {
        *entry = std::mem::take(entry).without_data(Some("cannot be read".into()));
    }
    let renamed = Take { name: "take_02".into(), ..take() };
    assert_eq!(session.takes_mut().locate(ids[1], vec![renamed], Content::Frames), [ids[1]]);
    let [first, second] = &session.edits.takes[..] else { panic!("no take is added") };
    assert!(first.is_missing() && !second.is_missing());
    assert_eq!((second.name.as_str(), second.content()), ("take_02", Content::Frames));
    assert_eq!((second.edits.len(), second.map.columns[0].gain), (1, 2.0));
    assert_eq!(session.edits.take, Some(ids[1]));
    // Of several, the one of its name.
    let others = vec![Take { name: "other".into(), ..take() }, take()];
    assert_eq!(session.takes_mut().locate(ids[0], others, Content::Takes), [ids[0]]);
    assert_eq!(session.edits.takes.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["take", "take_02"]);
}

/// A clip of 20 seconds.
fn long_clip() -> Clip {
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 20.0], vec![0.0; 6], 3).unwrap();
    let lift = NodeTrack { node: 0, path: NodePath::Translation, curve };
    Clip::new("lift".into(), vec![]).with_node_tracks(vec![lift])
}

#[test]
fn what_is_kept_for_another_head_may_move_it() {
    let changes: [fn(&mut Session); 4] = [
        |session| drop(session.takes_mut().add(vec![take()])),
        |session| session.edits.blink.enabled = true,
        |session| session.edits.gaze.enabled = true,
        |session| session.channel_mut(0).set(1.0),
    ];
    let rests: Vec<bool> = changes
        .into_iter()
        .map(|change| {
            let mut session = session();
            assert!(session.leaves_another_head_at_rest());
            change(&mut session);
            session.leaves_another_head_at_rest()
        })
        .collect();
    assert_eq!(rests, [false, false, false, true], "sliders are those of the head");
}

#[test]
fn undo_takes_the_edits_of_a_take_back_one_by_one_and_exactly() {
    let mut session = session();
    session.clips_mut().select(None);
    session.takes_mut().add(vec![take()]);
    session.clock.timeline.playing = false;
    session.commit();
    let id = session.take().unwrap().id;
    let kinds = EditKind::all(2.0);
    let mut curves = vec![session.take().unwrap().edited()];
    for (index, kind) in kinds.into_iter().enumerate() {
        let start = (index * 7 % 10) as f32 * 0.6;
        let edit = TakeEdit { kind, span: Some([start, start + 2.0]), ..TakeEdit::default() };
        session.takes_mut().change_edits(id, |edits| edits.insert(index / 2, edit));
        session.commit();
        curves.push(session.take().unwrap().edited());
    }
    for (undone, curve) in curves.iter().enumerate().rev() {
        assert_eq!(session.take().unwrap().edited().tracks, curve.tracks, "with {undone} edits");
        assert!(undone == 0 || session.undo());
    }
    while session.redo() {}
    assert_eq!(session.take().unwrap().edited().tracks, curves[kinds.len()].tracks);
    session.takes_mut().change_edits(id, |edits| edits.iter_mut().for_each(|edit| edit.enabled = false));
    let entry = session.take().unwrap();
    assert!(Arc::ptr_eq(&entry.edited(), &entry.take), "all off is the recording");
}

#[test]
fn the_face_and_the_timeline_follow_the_edits_of_the_take() {
    let mut session = session();
    session.clips_mut().select(None);
    session.takes_mut().add(vec![take()]);
    session.clock.timeline.playing = false;
    let id = session.take().unwrap().id;
    session.seek(4.0);
    let before = weight(&session, "jawOpen");
    let jaw = Some(vec!["jawOpen".to_owned()]);
    let gain = TakeEdit { kind: EditKind::Gain(0.5), columns: jaw, ..TakeEdit::default() };
    session.takes_mut().change_edits(id, |edits| edits.push(gain));
    assert!((weight(&session, "jawOpen") - 0.5 * before).abs() < 1e-6);
    session.seek(10.0);
    let cut = TakeEdit { kind: EditKind::DeleteTime, span: Some([3.0, 6.0]), ..TakeEdit::default() };
    session.takes_mut().change_edits(id, |edits| edits.push(cut));
    assert!((session.timeline_secs() - 7.0).abs() < 1e-4);
    assert!((session.clock.timeline.time_secs - 7.0).abs() < 1e-4, "the play head stays on the timeline");
    let edited = session.take().unwrap().edited();
    for _ in 0..10 {
        session.advance(0.01);
        session.mix();
    }
    assert!(Arc::ptr_eq(&session.take().unwrap().edited(), &edited), "playing computes nothing");
}
