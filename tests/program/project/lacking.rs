//! What the head or the disk does not have is reported, and saved again.

use smirk_face::head::Variant;
use smirk_session::TakeId;

use crate::project::*;

#[test]
fn names_that_the_head_does_not_have_are_saved_again() {
    let folder = tempfile::tempdir().unwrap();
    let before = full_session(folder.path());
    let file = saved(&before, folder.path());
    let stored = Project::read(&file).unwrap();

    let small = head(&["jawOpen", "frown"]);
    let (mut between, notes) = reopened(&file, small);
    for name in ["mouthSmileLeft", "eyeBlinkRight", "mouthSmileLeft + mouthSmileRight"] {
        assert!(notes.iter().any(|note| note.contains(name)), "{name} is not in {notes:?}");
    }
    let jaw = between.head.channel_named("jawOpen").unwrap();
    between.channel_mut(jaw).set(0.125);
    Project::from_session(&between).write(&file).unwrap();

    let (after, _) = reopened(&file, head(&FACE));
    let mut expected = stored.clone();
    expected.edits.sliders.get_mut("jawOpen").unwrap().targets.clear();
    expected.edits.sliders.get_mut("jawOpen").unwrap().value = Some(0.125);
    assert_eq!(Project::from_session(&after), expected);
}

#[test]
fn a_clip_and_a_mesh_that_the_head_does_not_have_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let without_teeth = Arc::new(Head::new(Asset {
        name: "ada".into(),
        meshes: vec![head(&FACE).meshes[0].clone()],
        ..Asset::default()
    }));
    let (session, notes) = reopened(&file, without_teeth);
    assert!(notes.iter().any(|note| note.contains("Talk")), "{notes:?}");
    let again = Project::from_session(&session);
    let stored = Project::read(&file).unwrap();
    assert_eq!(again.playback, stored.playback);
    let teeth = &again.edits.sliders["jawOpen"].targets;
    assert!(teeth.iter().any(|target| target.mesh == "teeth" && target.value == -0.5), "{teeth:?}");
}

#[test]
fn where_another_head_has_what_was_missing_the_session_counts() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let winter = || vec![Variant { name: "winter".into(), ..Variant::default() }];
    let mut stored = Project::read(&file).unwrap();
    stored.edits.variant = Some("winter".into());
    stored.write(&file).unwrap();
    let empty = Head::new(Asset { name: "ada".into(), ..Asset::default() });
    let (mut session, _) = reopened(&file, Arc::new(empty));
    let kept = Project::from_session(&session);
    assert_eq!(
        (&kept.edits.linked, &kept.edits.variant, &kept.playback),
        (&stored.edits.linked, &stored.edits.variant, &stored.playback)
    );
    assert!(!kept.edits.linked.is_empty() && kept.playback.unwrap().clip.is_some());

    let full = head(&FACE);
    let (meshes, clips) = (full.meshes.clone(), full.clips.clone());
    let full = Head::new(Asset { meshes, clips, variants: winter(), ..Asset::default() });
    session.replace_head(Arc::new(full), HeadSource::File("/other.glb".into()));
    session.clips_mut().select(None);
    let jaw = session.head.channel_named("jawOpen").unwrap();
    let first = session.head.channels[jaw].targets[0];
    session.channel_mut(jaw).set_target(first, 0.25);
    let again = Project::from_session(&session);
    assert_eq!((again.edits.linked.len(), again.edits.variant, again.playback.unwrap().clip), (0, None, None));
    assert_eq!(again.edits.sliders["jawOpen"].targets.len(), 2, "one weight a mesh");
}

#[test]
fn clips_of_one_name_are_distinguished() {
    let folder = tempfile::tempdir().unwrap();
    let twins = || {
        let head = head(&FACE);
        let mut clips = head.clips.clone();
        clips.iter_mut().for_each(|clip| clip.name = "Take".into());
        Arc::new(Head::new(Asset { meshes: head.meshes.clone(), clips, ..Asset::default() }))
    };
    let mut before = session(twins(), HeadSource::File(folder.path().join("ada.glb")));
    before.clips_mut().select(Some(1));
    let file = saved(&before, folder.path());
    assert_eq!(reopened(&file, twins()).0.clips().count(), 1);
    assert!(reopened(&file, twins()).0.plays_clip(1));
}

#[test]
fn a_take_whose_capture_is_missing_is_reported_and_keeps_its_mapping() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let stored = Project::read(&file).unwrap();
    let (capture, moved) = (folder.path().join("walk.json"), folder.path().join("elsewhere/walk.json"));
    std::fs::create_dir(moved.parent().unwrap()).unwrap();
    std::fs::rename(&capture, &moved).unwrap();

    let (mut session, notes) = reopened(&file, head(&FACE));
    assert_eq!(notes.iter().filter(|note| note.contains("take \"walk\"") && note.contains("walk.json")).count(), 2);
    let missing = |session: &Session| session.edits.takes.iter().filter(|entry| entry.is_missing()).count();
    assert!(session.edits.playable_takes().next().is_none() && session.take().is_none());
    assert_eq!(Project::from_session(&session).edits.takes, stored.edits.takes);
    assert_eq!(Project::from_session(&session).edits.take, Some(TakeId(1)), "the choice is kept too");
    session.commit();

    assert_eq!(missing(&session), 2);
    let import = |session: &mut Session| {
        let ids = session.takes_mut().add(import::open_takes(&moved).unwrap());
        session.edits.take_entry(ids[0]).unwrap().clone()
    };
    assert_eq!(import(&mut session).map, stored.edits.takes[0].map);
    session.commit();
    let second = import(&mut session);
    assert_eq!((second.map.columns[0].gain, second.edits.len()), (1.75, 2));
    assert_eq!((missing(&session), session.edits.takes.len()), (0, 2));
    import(&mut session);
    assert_eq!(session.edits.takes.len(), 3, "only two takes were missing");
    assert!(session.undo() && missing(&session) == 1);
    assert_eq!(
        Project::from_session(&session).edits.takes[1],
        stored.edits.takes[1],
        "the import was undone: it is missing again"
    );
    assert!(session.undo());
    assert_eq!(Project::from_session(&session).edits, stored.edits, "and is the chosen take");
    let first = session.edits.takes[0].id;
    session.takes_mut().remove(first);
    assert_eq!((missing(&session), Project::from_session(&session).edits.take), (1, Some(TakeId(0))));
    let first = session.edits.takes[0].id;
    session.takes_mut().remove(first);
    assert_eq!((session.edits.takes.len(), Project::from_session(&session).edits.take), (0, None));
}

#[test]
fn of_several_clips_the_missing_ones_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let stored = Project::read(&file).unwrap();
    let full = head(&FACE);
    let clips = vec![full.clips[1].clone()];
    let one = || Arc::new(Head::new(Asset { meshes: full.meshes.clone(), clips: clips.clone(), ..Asset::default() }));
    let (mut session, notes) = reopened(&file, one());
    assert!(
        session.plays_clip(0) && notes.iter().any(|note| note.contains("clip") && note.contains("Idle")),
        "{notes:?}"
    );
    let names = |project: &Project| {
        let timeline = project.playback.clone().unwrap();
        let mut names: Vec<String> =
            timeline.clip.into_iter().chain(timeline.more_clips.into_iter().map(|clip| clip.name)).collect();
        names.sort();
        names
    };
    assert_eq!(names(&Project::from_session(&session)), names(&stored));
    session.clips_mut().toggle(0);
    session.clips_mut().toggle(0);
    assert_eq!(names(&Project::from_session(&session)), names(&stored));
}

#[test]
fn a_project_from_before_turns_turns_nothing_and_plays_its_one_clip() {
    let text = br#"{"smirk": "project", "playback": {"clip": "Talk", "looping": true, "speed": 1.0}}"#;
    let project = Project::from_bytes(text, Path::new("/walk.smirk")).unwrap();
    let mut session = session(head(&FACE), HeadSource::Embedded);
    project.apply(&mut session, &smirk_editor::document::TakeFiles::default());
    assert_eq!(session.edits.head_and_eyes, HeadAndEyes::OFF);
    assert_eq!(session.clips().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["Talk"]);
}
