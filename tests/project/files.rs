//! Project files, sound and broken.

use crate::*;
use smirk::document::ProjectError;

fn refusal(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.smirk");
    std::fs::write(&file, text).unwrap();
    let message = Project::read(&file).expect_err(text).to_string();
    assert!(message.contains("walk.smirk") && !message.contains('\n'), "{message}");
    message
}

#[test]
fn a_newer_version_is_refused_by_its_number() {
    let message = refusal(r#"{"smirk":"project","version":7,"head":{"from":"the future"}}"#);
    assert!(message.contains("version 7") && message.contains("up to version 1"), "{message}");
}

#[test]
fn a_broken_file_says_where_and_what_to_do() {
    for (text, words) in [
        ("{\n \"smirk\": \"project\",\n \"poses\": [", "line 3"),
        ("{\n \"smirk\": \"project\",\n \"keys\": 7\n}", "line 3"),
        ("{\n \"smirk\": \"project\",\n \"rule\": \"magic\"\n}", "magic"),
        (r#"{"smirk":"project","posing":[{"pose":1,"amount":1e300}]}"#, ".posing[0].amount"),
        (r#"{"smirk":"poses","version":1}"#, "project"),
        ("", "line 1"),
        ("[]", "project"),
    ] {
        let message = refusal(text);
        assert!(message.contains(words), "{text}: {message}");
    }
    assert!(refusal("{").contains("text editor"));
    let deep = format!(r#"{{"smirk":"project","x":{}"#, "[".repeat(100_000));
    assert!(refusal(&deep).contains("recursion"));
}

#[test]
fn the_save_before_is_named_when_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let session = full_session(folder.path());
    let file = saved(&session, folder.path());
    saved(&session, folder.path());
    std::fs::write(&file, "{").unwrap();
    let message = Project::read(&file).unwrap_err().to_string();
    assert!(message.contains("walk.smirk.bak"), "{message}");
    std::fs::rename(folder.path().join("walk.smirk.bak"), &file).unwrap();
    assert_eq!(Project::read(&file).unwrap().poses, Project::of(&session, &Unresolved::default()).poses);
}

#[test]
fn fields_of_other_versions_are_no_error_and_missing_ones_are_as_in_a_new_session() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.smirk");
    std::fs::write(&file, r#"{"smirk":"project","blink":{"seed":3,"mood":1},"weather":{"rain":[1]}}"#).unwrap();
    let (session, unresolved, notes) = reopened(&file, head(&FACE));
    let untouched = crate::session(head(&FACE), HeadSource::Embedded);
    assert_eq!(session.edits.blink.seed, 3);
    assert_eq!((&session.edits.poses, session.clock), (&untouched.edits.poses, untouched.clock));
    assert_eq!((unresolved, notes), (Unresolved::default(), Vec::new()));
}

#[test]
fn what_cannot_be_written_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let session = full_session(folder.path());
    let file = saved(&session, folder.path());
    let before = std::fs::read(&file).unwrap();
    // A folder where the backup belongs: there can be none, so there is no new file either.
    std::fs::create_dir(folder.path().join("walk.smirk.bak")).unwrap();
    let error = Project::default().write(&file).unwrap_err();
    assert!(matches!(error, ProjectError::Unwritable { .. }) && error.to_string().contains("unchanged"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 3, "project, capture, and the folder in the way");
    let nowhere = Project::default().write(&folder.path().join("no/such.smirk")).unwrap_err();
    assert!(nowhere.to_string().contains("such.smirk"));
    assert!(Project::read(folder.path()).unwrap_err().to_string().contains("regular file"));
}
