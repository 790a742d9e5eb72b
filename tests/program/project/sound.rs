//! The sounds that a project names: found again where they went, and not lost when they are gone.

use crate::project::*;

#[test]
fn a_sound_moves_with_the_project_and_one_that_is_gone_is_named_and_kept() {
    let root = tempfile::tempdir().unwrap();
    let (old, new) = (root.path().join("old"), root.path().join("new"));
    std::fs::create_dir_all(&old).unwrap();
    let before = full_session(&old);
    saved(&before, &old);
    std::fs::rename(&old, &new).unwrap();
    let (after, notes) = reopened(&new.join("walk.smirk"), head(&FACE));
    let sound = after.sound().unwrap();
    assert_eq!((&*sound.file, sound.offset_secs, sound.duration_secs), (&*new.join("voice.wav"), -0.25, 4.5));
    assert!(notes.iter().all(|note| !note.contains("sound")), "{notes:?}");

    std::fs::remove_file(new.join("voice.wav")).unwrap();
    let (without, notes) = reopened(&new.join("walk.smirk"), head(&FACE));
    assert!(notes.iter().any(|note| note.contains("voice.wav") && note.contains("Motion page")), "{notes:?}");
    // Nothing was found where the project is now, so that the place that it names counts.
    std::fs::create_dir_all(old.join("voice.wav")).unwrap();
    let (_, notes) = reopened(&new.join("walk.smirk"), head(&FACE));
    let said = notes.iter().find(|note| note.contains("voice.wav")).unwrap();
    assert!(said.contains("it is a folder, not a file") && !said.contains("not found"), "{said}");
    let gone = without.sound().unwrap();
    assert!(gone.file.ends_with("voice.wav") && (gone.offset_secs, gone.duration_secs) == (-0.25, 4.5), "{gone:?}");
    let stored = Project::from_session(&without).edits.takes[1].sound.clone().unwrap();
    assert_eq!(*stored.file, *gone.file, "it is saved again");
}

#[test]
fn the_files_of_sounds_are_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let project = Project::from_session(&full_session(folder.path()));
    let error = project.write(&folder.path().join("voice.wav")).unwrap_err().to_string();
    assert!(error.contains("voice.wav"), "{error}");
}

#[test]
fn wild_numbers_of_a_sound_and_of_markers_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.smirk");
    let text = r#"{"smirk":"project","sound":{"file":{"path":"/gone.wav"},"offset_secs":1e30,"duration_secs":-5},
        "markers":[{"time_secs":3,"text":"b"},{"time_secs":-1e30,"text":"a"},{"text":"no time"}]}"#;
    std::fs::write(&file, text).unwrap();
    let (session, ..) = reopened(&file, head(&FACE));
    let sound = session.sound().unwrap();
    assert_eq!((sound.offset_secs, sound.duration_secs), (SoundTrack::MOST_OFFSET_SECS, 0.0));
    let markers: Vec<_> = session.edits.markers.all().iter().map(|marker| (marker.time_secs, &*marker.text)).collect();
    assert_eq!(markers, [(0.0, "a"), (0.0, "no time"), (3.0, "b")]);
}
