//! Saving over files that other windows change, and closing when the work cannot be kept.

use std::fs;
use std::path::Path;

use smirk_editor::document::{FileState, Found, NotKept, ProjectError, RecoveryFolder};

use crate::project::document::Fixture;
use crate::project::*;

/// What the file of a project sets the smile to.
fn smile_in(file: &Path) -> Option<f32> {
    Project::read(file).unwrap().edits.sliders["mouthSmileLeft"].value
}

/// Two windows that have the same project open.
fn two_windows() -> (Fixture, Fixture, PathBuf) {
    let (mut one, mut other) = (Fixture::new(), Fixture::new());
    let file = one.folder.path().join("walk.smirk");
    one.smile(0.125);
    one.document.save(&file).unwrap();
    other.open(&PendingProject::read(&file).unwrap());
    (one, other, file)
}

fn found(result: Result<Vec<String>, ProjectError>) -> Found {
    match result {
        Err(ProjectError::Changed { found, .. }) => found,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn a_project_that_another_window_changed_is_replaced_only_when_asked_for_in_both_directions() {
    let (mut one, mut other, file) = two_windows();
    other.smile(0.25);
    other.document.save(&file).unwrap();
    one.smile(0.5);
    let theirs = found(one.document.save(&file));
    assert_eq!(theirs, Found::at(&file));
    assert_eq!(smile_in(&file), Some(0.25), "nothing was written");
    assert!(one.document.is_unsaved());
    one.document.save_over(&file, theirs).unwrap();
    assert_eq!((smile_in(&file), one.document.is_unsaved()), (Some(0.5), false));
    one.smile(0.625);
    one.document.save(&file).unwrap();
    other.smile(0.75);
    let theirs = found(other.document.save(&file));
    one.smile(0.875);
    one.document.save(&file).unwrap();
    found(other.document.save_over(&file, theirs));
    assert_eq!(smile_in(&file), Some(0.875), "this is not what was asked about");
}

#[test]
fn keeping_ones_own_work_under_another_name_replaces_nothing_unasked() {
    let (mut one, mut other, file) = two_windows();
    other.smile(0.25);
    other.document.save(&file).unwrap();
    one.smile(0.5);
    let mine = one.folder.path().join("mine.smirk");
    one.document.save(&mine).unwrap();
    assert_eq!((one.document.file(), smile_in(&file), smile_in(&mine)), (Some(mine.as_path()), Some(0.25), Some(0.5)));
    other.document.save(&file).unwrap();
    found(other.document.save(&mine));
    assert_eq!(smile_in(&mine), Some(0.5), "a file that was never open here");
    other.document.save_as(&mine).expect("the file dialog has asked");
    assert_eq!(smile_in(&mine), Some(0.25));
    one.smile(0.75);
    found(one.document.save_as(&mine));
}

#[test]
fn loading_theirs_keeps_ones_own_work_as_an_offer() {
    let (mut one, mut other, file) = two_windows();
    other.smile(0.25);
    other.document.save(&file).unwrap();
    one.smile(0.5);
    found(one.document.save(&file));
    one.open(&PendingProject::read(&file).unwrap());
    assert_eq!((one.offers(), one.document.is_unsaved(), one.document.file_state()), (1, false, FileState::Same));
    one.smile(0.75);
    one.document.save(&file).unwrap();
    assert_eq!(smile_in(&file), Some(0.75), "theirs is known now");
}

#[test]
fn the_content_counts_not_the_time() {
    let (mut one, _, file) = two_windows();
    let (text, time) = (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().modified().unwrap());
    fs::write(&file, &text).unwrap();
    one.smile(0.5);
    one.document.save(&file).unwrap();
    let other_text = String::from_utf8(fs::read(&file).unwrap()).unwrap().replace("0.5", "0.7");
    fs::write(&file, other_text).unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    one.smile(0.75);
    found(one.document.save(&file));
}

#[test]
fn title_and_state_say_what_became_of_the_file() {
    let (mut one, mut other, file) = two_windows();
    one.document.look_at_file(one.now);
    assert_eq!((one.document.title(), one.document.file_state()), ("walk — Smirk".into(), FileState::Same));
    other.smile(0.25);
    other.document.save(&file).unwrap();
    one.document.look_at_file(one.now);
    assert_eq!(one.document.title(), "walk (changed on disk) — Smirk");
    assert_eq!(one.document.status().file_state, FileState::Changed);
    one.smile(0.5);
    assert_eq!(one.document.title(), "• walk (changed on disk) — Smirk");
    let theirs = found(one.document.save(&file));
    one.document.save_over(&file, theirs).unwrap();
    assert_eq!(one.document.title(), "walk — Smirk");
}

#[test]
fn work_whose_project_was_deleted_is_unsaved_and_kept() {
    let (mut one, _, file) = two_windows();
    fs::remove_file(&file).unwrap();
    one.document.close().unwrap();
    assert_eq!(one.document.title(), "• walk (deleted on disk) — Smirk");
    assert!(one.written().contains("0.125"), "closing keeps it, although it was saved");
    fs::remove_dir_all(one.recovery()).unwrap();

    let (mut one, _, file) = two_windows();
    fs::remove_file(&file).unwrap();
    one.document.look_at_file(one.now);
    assert_eq!(one.wait(2.5), Vec::<String>::new());
    assert!(one.written().contains("0.125"), "so does the autosave");
    one.document.save(&file).unwrap();
    assert_eq!((one.document.title(), one.record_count()), ("walk — Smirk".into(), 0));
}

#[test]
fn restored_work_knows_what_its_project_held() {
    let (mut one, mut other, file) = two_windows();
    one.smile(0.5);
    one.document.close().unwrap();
    let session = one.document.session.clone();
    // Only when the first document is gone is its recovery file unlocked.
    one.document = Document::new(session.clone(), None);
    one.document = Document::new(session, Some(RecoveryFolder::open(one.recovery()).0));
    let offer = newest_offer(&mut one.document).unwrap();
    one.open(&offer);
    other.smile(0.25);
    other.document.save(&file).unwrap();
    found(one.document.save(&file));
    fs::remove_file(&file).unwrap();
    one.document.save(&file).unwrap();
    assert_eq!(smile_in(&file), Some(0.5));
}

#[test]
fn closing_says_when_work_would_be_lost() {
    let mut fixture = Fixture::new();
    fs::write(fixture.recovery(), "no folder").unwrap();
    fixture.document.close().expect("there is nothing to keep");
    fixture.smile(0.5);
    // No time has passed, and `update` has not noticed the edit.
    let problem = fixture.document.close().unwrap_err();
    let NotKept::Unwritable { folder, .. } = &problem else { panic!("{problem:?}") };
    assert_eq!(folder, &fixture.recovery());
    assert!(problem.to_string().contains(folder.to_str().unwrap()), "{problem}");
    fs::remove_file(fixture.recovery()).unwrap();
    fixture.document.close().expect("it can be kept now");
    assert!(fixture.written().contains("0.5"));
}

#[test]
fn without_a_recovery_folder_the_artist_is_told_once_and_asked_on_closing() {
    let mut fixture = Fixture::new();
    fixture.document = Document::new(session(head(&FACE), HeadSource::Embedded), None);
    fixture.document.close().expect("there is nothing to keep");
    fixture.smile(0.5);
    let messages = fixture.wait(2.5);
    assert!(messages.len() == 1 && messages[0].contains("no home folder"), "{messages:?}");
    assert!(matches!(fixture.document.close(), Err(NotKept::NoFolder)));
    fixture.smile(0.75);
    assert_eq!(fixture.wait(2.5), Vec::<String>::new());
    fixture.document.save(&fixture.folder.path().join("walk.smirk")).unwrap();
    fixture.document.close().unwrap();
}
