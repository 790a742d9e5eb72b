//! Review notes: what they are pinned to, their moment and picture, undo, and merging.

use std::sync::Arc;

use super::{channel, layer, session, weight};
use glam::{Vec2, Vec3};
use smirk_base::date::Date;
use smirk_face::head::{Asset, Bounds, Head, Mesh, Part, Vertices};
use smirk_face::motion::Layer;
use smirk_scene::{HeatAgainst, ViewMode};
use smirk_session::{
    Edits, NoteId, NotePicture, NoteState, NoteStroke, NotedTime, PinnedTo, ReviewNote, Session, SurfacePoint,
};

const ASPECT: f32 = 1.5;

fn add(session: &mut Session, text: &str, pinned_to: PinnedTo) -> NoteId {
    let id = session.notes_mut().add("Ada", text, pinned_to, ASPECT);
    session.commit();
    id
}

fn note(session: &Session, id: NoteId) -> &ReviewNote {
    session.edits.note(id).unwrap()
}

/// A mesh of this many triangles in a row, each of three vertices of its own.
fn face(name: &str, triangles: u32) -> Mesh {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let positions: Vec<Vec3> =
        (0..triangles).flat_map(|triangle| corners.map(|at| at + Vec3::X * triangle as f32)).collect();
    let index_count = 3 * triangles;
    Mesh {
        name: name.into(),
        vertices: Vertices { normals: vec![Vec3::Z; positions.len()], positions, ..Vertices::default() },
        indices: (0..3 * triangles).collect(),
        parts: vec![Part { first_index: 0, index_count, material: 0, flat_shaded: false }],
        ..Mesh::default()
    }
}

fn head_of(meshes: Vec<Mesh>) -> Arc<Head> {
    Arc::new(Head::new(Asset { name: "head".into(), meshes, ..Asset::default() }))
}

#[test]
fn a_note_has_its_moment_and_every_change_of_it_is_a_step_of_undo() {
    let mut session = session();
    let jaw = channel(&session, "jawOpen");
    session.channel_mut(jaw).set(0.5);
    session.commit();
    let time = NotedTime { plays: "talk".into(), start_secs: 2.0, end_secs: 2.0 };
    session.seek(2.0);
    assert_eq!(session.noted_time(), Some(time.clone()));
    let id = add(&mut session, "Too wide", PinnedTo { time: Some(time.clone()), ..PinnedTo::default() });
    let moment = note(&session, id).moment.clone().unwrap();
    assert_eq!(moment.weights["jawOpen"], 0.5);
    assert!((moment.weights["eyeBlinkLeft"] - 0.25).abs() < 1e-4, "as the clip has it: {:?}", moment.weights);
    assert!(!moment.weights.contains_key("mouthFunnel"), "it is at rest");
    assert!(moment.camera.is_that_of(&session.camera));
    let mut texts = vec![note(&session, id).clone()];
    let point = SurfacePoint { mesh: "face".into(), vertices: [0, 1, 2], weights: [0.2, 0.3, 0.5] };
    let stroke = NoteStroke { is_arrow: true, points: vec![[0.0, 0.0], [0.1, 0.2]] };
    let steps: [&dyn Fn(&mut Session); 8] = [
        &|session| session.notes_mut().set_text(id, "Much too wide"),
        &|session| session.notes_mut().pin_to_point(id, point.clone(), Vec2::new(0.1, -0.2), ASPECT),
        &|session| session.notes_mut().draw(id, stroke.clone(), ASPECT),
        &|session| session.notes_mut().clear_strokes(id),
        &|session| session.notes_mut().reply(id, "Bo", "  Mended\n"),
        &|session| session.notes_mut().set_state(id, NoteState::Done),
        &|session| session.notes_mut().pin_to(id, |pins| pins.time = None),
        &|session| session.notes_mut().pin_to(id, |pins| pins.channels.push("jawOpen".into())),
    ];
    for (nth, step) in steps.iter().enumerate() {
        step(&mut session);
        session.commit();
        let after = note(&session, id).clone();
        assert_ne!(after, *texts.last().unwrap(), "step {nth} changes the note");
        texts.push(after);
    }
    assert_eq!(note(&session, id).replies[0].text, "Mended");
    assert_eq!(texts[2].moment.as_ref().unwrap().point, Some([0.1, -0.2]));
    let none_of: [&dyn Fn(&mut Session); 4] = [
        &|session| session.notes_mut().set_text(id, "Much too wide"),
        &|session| session.notes_mut().reply(id, "Bo", " \n "),
        &|session| session.notes_mut().set_state(id, NoteState::Done),
        &|session| session.notes_mut().set_text(NoteId(1), "of no note"),
    ];
    for step in none_of {
        let before = session.edits.snapshot();
        step(&mut session);
        assert!(*session.edits == *before, "what changes nothing is no step");
    }
    session.notes_mut().delete(id);
    session.commit();
    assert!(session.edits.notes.is_empty());
    for before in texts.iter().rev() {
        assert!(session.undo());
        assert_eq!(note(&session, id), before);
    }
    assert!(session.undo());
    assert!(session.edits.notes.is_empty(), "it was not made yet");
    (0..=texts.len()).for_each(|_| assert!(session.redo()));
    assert!(session.edits.notes.is_empty(), "it is deleted again");
}

#[test]
fn a_note_brings_back_its_view_its_time_and_its_face() {
    let mut session = session();
    let (jaw, funnel) = (channel(&session, "jawOpen"), channel(&session, "mouthFunnel"));
    session.channel_mut(funnel).set(0.75);
    session.seek(4.0);
    // The head has one vertex, which no camera sees.
    session.camera.scene_bounds = Bounds { min: -Vec3::ONE, max: Vec3::ONE };
    session.camera.distance = 5.0;
    let time = session.noted_time();
    let camera = session.camera;
    let id = add(&mut session, "", PinnedTo { time, ..PinnedTo::default() });
    session.clips_mut().select(None);
    session.channel_mut(funnel).set(0.0);
    session.channel_mut(jaw).set(1.0);
    (session.camera.yaw, session.camera.distance) = (1.0, camera.distance * 2.0);
    session.clock.timeline.playing = true;
    session.notes_mut().go_to(id);
    assert_eq!(session.camera, camera);
    assert!(session.plays_clip(0) && !session.clock.timeline.playing);
    assert_eq!(session.clock.timeline.time_secs, 4.0);
    assert_eq!((weight(&session, "jawOpen"), weight(&session, "mouthFunnel")), (1.0, 0.0), "sliders stay");
    session.seek(8.0);
    session.notes_mut().show_face(id);
    for (name, expected) in [("jawOpen", 0.4), ("mouthFunnel", 0.75), ("eyeBlinkLeft", 0.5), ("mouthSmileLeft", 0.0)] {
        let shown = weight(&session, name);
        assert!((shown - expected).abs() < 1e-3, "{name}: {shown}");
        assert_eq!(layer(&session, name), Layer::Manual, "{name} is held");
    }
    // A view that does not show the head is not taken over, and neither is a time of what is not there.
    let mut lost = note(&session, id).clone();
    lost.id = NoteId(7);
    lost.moment.as_mut().unwrap().camera.distance = f32::NAN;
    lost.pinned_to.time = Some(NotedTime { plays: "gone".into(), start_secs: 1.0, end_secs: 1.0 });
    session.notes_mut().merge([lost]).unwrap();
    let (camera, secs) = (session.camera, session.clock.timeline.time_secs);
    session.notes_mut().go_to(NoteId(7));
    assert_eq!((session.camera, session.clock.timeline.time_secs), (camera, secs));
    let moment = note(&session, NoteId(7)).moment.clone().unwrap();
    assert!(session.noted_face(&moment).camera.distance.is_finite(), "its picture shows the head");
    assert_eq!(session.noted_face(&moment).weights.len(), session.mix().weights.len());
}

#[test]
fn the_face_of_a_note_is_in_the_light_of_its_moment_on_every_state_of_the_head() {
    let mut session = session();
    session.edits.look.exposure = 1.5;
    session.edits.hidden_meshes = ["hat".to_owned()].into();
    (session.edits.look.view, session.edits.look.heat.against) = (ViewMode::Heat, HeatAgainst::Compared);
    session.commit();
    let id = add(&mut session, "", PinnedTo::default());
    session.edits.look.exposure = -1.0;
    session.edits.hidden_meshes.clear();
    let look_on = |session: &mut Session, meshes: Vec<Mesh>| {
        session.reload(head_of(meshes));
        let moment = note(session, id).moment.clone().unwrap();
        (session.noted_face(&moment).look, session.look())
    };
    for (meshes, hidden) in [(vec![face("face", 1)], None), (vec![face("face", 1), face("hat", 1)], Some(1))] {
        let (look, now) = look_on(&mut session, meshes);
        assert_eq!((look.exposure, now.exposure, look.view), (1.5, -1.0, ViewMode::Shaded));
        assert_eq!(hidden.is_some_and(|hat| look.hidden.contains(hat)), hidden.is_some());
        assert!(!now.hidden.contains(1));
    }
    // A pin that is set in another light shows that from then on.
    let point = SurfacePoint { mesh: "face".into(), vertices: [0, 1, 2], weights: [0.2, 0.3, 0.5] };
    session.notes_mut().pin_to_point(id, point, Vec2::ZERO, ASPECT);
    let mut moment = note(&session, id).moment.clone().unwrap();
    assert_eq!(session.noted_face(&moment).look.exposure, -1.0);
    // A note of an earlier version has no look.
    moment.look = None;
    session.edits.look.exposure = 0.5;
    assert_eq!(session.noted_face(&moment).look.exposure, 0.5);
}

#[test]
fn a_picture_is_given_without_a_step_of_undo_and_only_to_the_moment_that_it_shows() {
    let mut session = session();
    let id = add(&mut session, "a", PinnedTo::default());
    let before = note(&session, id).moment.clone().unwrap();
    session.notes_mut().set_text(id, "b");
    session.commit();
    let picture = NotePicture(Arc::from([1, 2, 3]));
    session.notes_mut().give_picture(id, &before, &picture);
    session.notes_mut().give_picture(id, &before, &NotePicture(Arc::from([4])));
    assert_eq!(note(&session, id).picture, Some(picture.clone()), "one that is there stays");
    assert!(session.undo());
    assert_eq!((note(&session, id).text.as_str(), &note(&session, id).picture), ("a", &Some(picture.clone())));
    assert!(session.redo());
    // Drawn from another view, the note shows another moment, and waits for its picture.
    session.camera.yaw += 0.5;
    let stroke = NoteStroke { is_arrow: false, points: vec![[0.0, 0.0], [0.1, 0.0]] };
    session.notes_mut().draw(id, stroke, ASPECT);
    session.commit();
    assert_eq!(note(&session, id).picture, None);
    session.notes_mut().give_picture(id, &before, &picture);
    assert_eq!(note(&session, id).picture, None, "that is not its moment any more");
    let now = note(&session, id).moment.clone().unwrap();
    let other = NotePicture(Arc::from([5]));
    session.notes_mut().give_picture(id, &now, &other);
    assert_eq!(note(&session, id).picture, Some(other));
    assert!(session.undo());
    assert_eq!(note(&session, id).picture, Some(picture));
}

#[test]
fn a_point_is_on_every_head_that_has_its_triangle_and_the_note_stays_on_the_others() {
    let point = SurfacePoint { mesh: "face".into(), vertices: [4, 5, 3], weights: [0.2, 0.3, 0.5] };
    let on = |meshes: Vec<Mesh>| point.on(&head_of(meshes)).map(|bound| (bound.mesh, bound.vertices));
    assert_eq!(on(vec![face("face", 2)]), Some((0, [4, 5, 3])), "whatever corner is named first");
    assert_eq!(on(vec![face("hair", 9), face("face", 3)]), Some((1, [4, 5, 3])), "meshes are found by name");
    assert_eq!(on(vec![face("face", 1)]), None, "there are fewer vertices");
    assert_eq!(on(vec![face("hair", 9)]), None);
    let other = Mesh { indices: vec![0, 1, 2, 0, 4, 5], ..face("face", 2) };
    assert_eq!(on(vec![other]), None, "no triangle has these vertices");
    assert_eq!(SurfacePoint { vertices: [3, 3, 4], ..point.clone() }.on(&head_of(vec![face("face", 2)])), None);
    assert_eq!(SurfacePoint { vertices: [u32::MAX; 3], ..point.clone() }.on(&head_of(vec![face("face", 2)])), None);
    let mut session = session();
    let id = add(&mut session, "here", PinnedTo { point: Some(point.clone()), ..PinnedTo::default() });
    session.reload(head_of(vec![face("face", 1)]));
    assert_eq!(note(&session, id).pinned_to.point, Some(point), "it may come back with the next file");
}

#[test]
fn merging_says_what_is_new_and_is_one_step_of_undo() {
    let mut session = session();
    let (a, b) = (add(&mut session, "a", PinnedTo::default()), add(&mut session, "b", PinnedTo::default()));
    let before = session.edits.snapshot();
    let mut others: Vec<ReviewNote> = session.edits.notes.iter().map(|note| (**note).clone()).collect();
    let later = "2999-01-01T00:00:00Z".parse().unwrap();
    let earlier = "1999-01-01T00:00:00Z".parse().unwrap();
    let [of_a, of_b] = [a, b].map(|id| others.iter().position(|note| note.id == id).unwrap());
    (others[of_a].state, others[of_a].state_set) = (NoteState::Done, later);
    (others[of_a].text, others[of_a].edited) = ("older text".into(), earlier);
    (others[of_b].text, others[of_b].edited) = ("b, seen again".into(), later);
    let new = ReviewNote { id: NoteId(9), text: "new".into(), ..others[of_a].clone() };
    others.push(new);
    let changed = session.notes_mut().merge(others.clone()).unwrap();
    session.commit();
    assert_eq!(changed.to_string(), "1 new note, 1 changed state, 1 changed text, 1 older text left out");
    assert_eq!((note(&session, a).text.as_str(), note(&session, a).state), ("a", NoteState::Done));
    assert_eq!(note(&session, b).text, "b, seen again");
    assert_eq!((session.edits.notes.len(), session.edits.open_notes()), (3, 1));
    assert!(note(&session, a).moment.is_some());
    assert_eq!(session.notes_mut().merge(others).unwrap().to_string(), "1 older text left out");
    assert!(session.undo());
    assert!(*session.edits == *before);
}

#[test]
fn a_number_is_given_once_and_comes_back_with_its_note() {
    let mut session = session();
    let numbers = |session: &Session| session.edits.notes.iter().map(|note| note.number).collect::<Vec<_>>();
    let [_, b, c] = ["a", "b", "c"].map(|text| add(&mut session, text, PinnedTo::default()));
    session.notes_mut().delete(b);
    session.notes_mut().delete(c);
    session.commit();
    add(&mut session, "d", PinnedTo::default());
    assert_eq!(numbers(&session), [1, 4], "that of the last note is not given again either");
    assert!(session.undo() && session.undo());
    assert_eq!(numbers(&session), [1, 2, 3], "undo gives a note back with its number");
    assert!(session.redo() && session.redo());
    // As the project is saved and read.
    let text = serde_json::to_string(&*session.edits).unwrap();
    let read = || serde_json::from_str::<Edits>(&text).unwrap();
    let mut edits = read().within_reason();
    assert_eq!((edits.last_note_number, &edits.notes), (4, &session.edits.notes));
    let other = |id: u64, number| ReviewNote { id: NoteId(id), number, ..(*edits.notes[0]).clone() };
    let (taken, free, without) = (other(7, 4), other(8, 9), other(9, 0));
    edits.merge_notes([taken, free, without]).unwrap();
    let number = |id: u64| edits.note(NoteId(id)).unwrap().number;
    assert_eq!([7, 8, 9].map(number), [10, 9, 11], "one that is taken is given anew");
    // Projects of earlier versions have no numbers.
    let mut earlier = read();
    earlier.last_note_number = 0;
    for note in &mut earlier.notes {
        let note = Arc::make_mut(note);
        (note.number, note.created) = (0, if note.text == "a" { Date::default() } else { Date::now() });
    }
    earlier.notes.reverse();
    let earlier = earlier.within_reason();
    assert_eq!(
        earlier.notes.iter().map(|note| (note.number, note.text.as_str())).collect::<Vec<_>>(),
        [(1, "a"), (2, "d")]
    );
    let senseless = r#"{"last_note_number": 4294967295, "notes": [
        {"id": "0000000000000001", "number": 4294967295}, {"id": "0000000000000002", "number": 5}]}"#;
    let senseless = serde_json::from_str::<Edits>(senseless).unwrap().within_reason();
    assert_eq!(senseless.notes.iter().map(|note| note.number).collect::<Vec<_>>(), [5, 6]);
}

#[test]
fn notes_of_a_file_are_brought_to_reason() {
    let text = r#"{"notes": [
        {"id": "00000000000000ff", "text": "late", "created": "2026-11-29T10:00:00Z",
         "point": {"mesh": "face", "vertices": [0, 1, 2], "weights": [3, -1, 1]},
         "time": {"start_secs": 1e39, "end_secs": 2},
         "strokes": [{"points": [[1e30, -1e30]]}],
         "replies": [{"id": "0000000000000001", "date": "2026-11-29T12:00:00Z"},
                     {"id": "0000000000000002", "date": "2026-11-29T11:00:00Z"},
                     {"id": "0000000000000002", "date": "2026-11-29T13:00:00Z"}]},
        {"id": "0000000000000001", "point": {"mesh": "face", "vertices": [0, 1, 2], "weights": [0, 0, 0]}},
        {"id": "00000000000000ff", "text": "again"}
    ]}"#;
    let edits: Edits = serde_json::from_str(text).unwrap();
    let edits = edits.within_reason();
    let [first, second] = &edits.notes[..] else { panic!("{:?}", edits.notes) };
    assert_eq!((first.id, second.id), (NoteId(1), NoteId(255)), "numbered in the order of their dates, each id once");
    assert_eq!((first.pinned_to.point.as_ref(), second.text.as_str()), (None, "late"));
    assert_eq!(second.pinned_to.point.as_ref().unwrap().weights, [0.5, 0.0, 0.5]);
    assert_eq!((&second.pinned_to.time, second.strokes[0].points[0]), (&None, [16.0, -16.0]));
    assert_eq!(second.replies.iter().map(|reply| reply.id.0).collect::<Vec<_>>(), [2, 1]);
    let long = NoteStroke { is_arrow: false, points: (0..9999).map(|at| [at as f32 * 1e-4, f32::NAN]).collect() };
    let mut session = session();
    let id = add(&mut session, "", PinnedTo::default());
    session.notes_mut().draw(id, long, ASPECT);
    let points = &note(&session, id).strokes[0].points;
    assert!(points.len() <= 2000 && points.iter().all(|point| point[1] == 0.0), "{} points", points.len());
    session.notes_mut().set_text(id, &"😀".repeat(9999));
    assert_eq!(note(&session, id).text.chars().count(), ReviewNote::LONGEST_TEXT);
    for id in ["\"ff\"", "\"00000000000000fg\"", "\"+0000000000000ff\"", "7"] {
        assert!(serde_json::from_str::<NoteId>(id).is_err(), "{id}");
    }
}
