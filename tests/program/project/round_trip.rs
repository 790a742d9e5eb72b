//! A session that is saved and opened again is the same session.

use smirk_base::progress::Progress;
use smirk_face::head::{Matching, ShapeFile};

use crate::project::*;

#[test]
fn everything_that_was_set_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let before = full_session(folder.path());
    let (after, notes) = reopened(&saved(&before, folder.path()), head(&FACE));
    assert!(notes.len() == 1 && notes[0].contains("noseWrinkle"), "{notes:?}");

    // The curves were read again, so takes are compared by their content.
    let curves = |session: &Session| -> Vec<_> { session.edits.takes.iter().map(|entry| entry.take.clone()).collect() };
    assert_eq!(curves(&after), curves(&before));
    let edited = |session: &Session| session.take().unwrap().edited().tracks.clone();
    assert_eq!(edited(&after), edited(&before));
    assert_ne!(edited(&after), curves(&after)[1].tracks, "the edits have an effect");
    let mut edits = after.edits.clone();
    for (entry, old) in edits.takes.iter_mut().zip(&before.edits.takes) {
        entry.take = old.take.clone();
    }
    // How columns find their channels is saved in the settings, not in the project.
    edits.matching.clone_from(&before.edits.matching);
    assert_eq!(edits, before.edits);
    assert_eq!(after.source, before.source);
    assert_eq!((after.camera, after.mode), (before.camera, before.mode));
    let clips = |session: &Session| session.clips().map(|clip| clip.name.clone()).collect::<Vec<_>>();
    assert_eq!((clips(&after), clips(&before)), (vec!["Idle".into(), "Talk".into()], clips(&after)));
    assert_eq!((after.clock.timeline.looping, after.clock.timeline.speed), (false, 0.5));
    assert!(!after.can_undo(), "undo does not go back beyond the opening");
    assert_eq!(Project::from_session(&after), Project::from_session(&before));
}

#[test]
fn a_project_from_before_there_were_edits_opens_without_any() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let mut text: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    for take in text["takes"].as_array_mut().unwrap() {
        take.as_object_mut().unwrap().remove("edits");
    }
    std::fs::write(&file, text.to_string()).unwrap();
    let (after, _) = reopened(&file, head(&FACE));
    let entry = after.take().unwrap();
    assert!(entry.edits.is_empty() && Arc::ptr_eq(&entry.edited(), &entry.take));
}

#[test]
fn more_edits_than_a_take_can_have_are_left_out_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let mut project = Project::from_session(&full_session(folder.path()));
    project.edits.takes[1].edits = vec![TakeEdit::default(); TakeEdit::MOST + 5];
    let file = folder.path().join("walk.smirk");
    project.write(&file).unwrap();
    let (after, notes) = reopened(&file, head(&FACE));
    assert_eq!(after.take().unwrap().edits.len(), TakeEdit::MOST);
    assert!(notes.iter().any(|note| note.contains("only the first 200 of its 205 edits")), "{notes:?}");
}

#[test]
fn the_project_of_an_unchanged_session_is_short() {
    let folder = tempfile::tempdir().unwrap();
    let before = session(Arc::new(import::embedded().unwrap()), HeadSource::Embedded);
    let file = saved(&before, folder.path());
    let project = Project::read(&file).unwrap();
    let edits = &project.edits;
    assert!(edits.sliders.is_empty() && edits.linked.is_empty() && edits.takes.is_empty());
    let (after, notes) = reopened(&file, before.head.clone());
    assert_eq!((after.edits, notes), (before.edits, Vec::<String>::new()));
}

#[test]
fn the_file_is_readable_json() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(saved(&full_session(folder.path()), folder.path())).unwrap();
    for line in [r#""smirk": "project""#, r#""version": 1"#, r#""value": 0.8"#, r#""relative": "ada.glb""#] {
        assert!(text.contains(line), "no {line} in {text}");
    }
}

#[test]
fn shapes_of_the_bundled_head_are_carried_over_again() {
    let folder = tempfile::tempdir().unwrap();
    let bundled = import::embedded().unwrap();
    let bare = bundled.with_targets_alone(vec![Vec::new(); bundled.meshes.len()]);
    let file = folder.path().join("bare.glb");
    std::fs::write(&file, smirk_export::glb(&bare).unwrap()).unwrap();
    let bare = import::open(&file).unwrap();
    let (whole, report) =
        import::add_shapes(&bare, &[ShapeFile::of_face(HeadSource::Embedded)], Progress::NONE).unwrap();
    assert_eq!((report.carried.len(), report.carried[0].count), (1, whole.channels.len()));
    let mut before = session(Arc::new(bare), HeadSource::File(file));
    before.add_shapes(Arc::new(whole), vec![ShapeFile::of_face(HeadSource::Embedded)]);
    let jaw = before.head.channel_named("jawOpen").unwrap();
    before.channel_mut(jaw).set(0.75);
    let project = Project::read(&saved(&before, folder.path())).unwrap();
    // The head that the program contains is no file that could be missing.
    assert_eq!(project.files().len(), 1);
    let (head, missing) = project.open_head(Progress::NONE).unwrap();
    assert!(missing.is_empty(), "{missing:?}");
    let of = |head: &Head| head.target(head.channels[jaw].targets[0]).unwrap().1.positions.clone();
    assert_eq!(of(&head), of(&before.head));
    let (after, _) = reopened(&folder.path().join("walk.smirk"), Arc::new(head));
    assert_eq!(
        (after.shapes().to_vec(), after.head.channel_value(jaw, &after.mix().weights)),
        (before.shapes().to_vec(), 0.75)
    );
}

#[test]
fn imported_shapes_are_imported_again_and_a_missing_one_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, z: f32| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("v 0 0 0\nv 1 0 0\nv 0 1 {z}\nf 1 2 3\n")).unwrap();
        path
    };
    let (neutral, smile, frown) = (write("ada.obj", 0.0), write("smile.obj", 0.5), write("frown.obj", -0.5));
    let shape = |path: &PathBuf| ShapeFile::new(path.clone(), Matching::Order);
    let bare = import::open(&neutral).unwrap();
    let (whole, _) = import::add_shapes(&bare, &[shape(&smile), shape(&frown)], Progress::NONE).unwrap();
    let mut before = session(Arc::new(bare), HeadSource::File(neutral));
    before.add_shapes(Arc::new(whole), vec![shape(&smile), shape(&frown)]);
    before.channel_mut(1).set(0.75);
    let file = saved(&before, folder.path());

    let project = Project::read(&file).unwrap();
    let (head, missing) = project.open_head(Progress::NONE).unwrap();
    let (after, _) = reopened(&file, Arc::new(head));
    assert!(missing.is_empty() && after.shapes() == before.shapes());
    assert_eq!(after.head.channel_value(1, &after.mix().weights), 0.75);

    std::fs::remove_file(&frown).unwrap();
    let (head, missing) = project.open_head(Progress::NONE).unwrap();
    assert_eq!((head.channels.len(), missing.len()), (1, 1));
    assert!(missing[0].subject.to_string().contains("frown.obj"), "{missing:?}");
    let (after, _) = reopened(&file, Arc::new(head));
    let again = Project::from_session(&after);
    assert_eq!((again.shapes.len(), again.edits.sliders["frown"].value), (2, Some(0.75)));
}
