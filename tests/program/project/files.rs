//! Reading and writing project files, also broken ones.

use crate::project::*;
use smirk_editor::document::ProjectError;

use crate::process::{SMIRK, isolated, stderr};

/// The error of reading a project file with this text.
fn read_error(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.smirk");
    std::fs::write(&file, text).unwrap();
    let message = Project::read(&file).expect_err(text).to_string();
    assert!(message.contains("walk.smirk") && !message.contains('\n'), "{message}");
    message
}

#[test]
fn a_later_version_of_the_format_is_refused() {
    let message = read_error(r#"{"smirk":"project","version":7,"head":{"from":"the future"}}"#);
    assert!(message.contains("version 7") && message.contains("up to version 1"), "{message}");
}

#[test]
fn the_error_of_a_broken_file_says_where_it_is_broken_and_what_to_do() {
    for (text, words) in [
        ("{\n \"smirk\": \"project\",\n \"poses\": [", "line 3"),
        ("{\n \"smirk\": \"project\",\n \"look\": {\"gloss\": NaN}\n}", "line 3 column 20"),
        (r#"{"smirk":"poses","version":1}"#, "project"),
        (r#"{"smirk":7,"version":1}"#, "project"),
        ("", "line 1"),
        ("[]", "project"),
    ] {
        let message = read_error(text);
        assert!(message.contains(words), "{text}: {message}");
    }
    assert!(read_error("{").contains("text editor"));
    let deep = format!(r#"{{"smirk":"project","x":{}"#, "[".repeat(100_000));
    assert!(read_error(&deep).contains("line 1"));
}

#[test]
fn the_error_of_a_broken_file_names_its_backup() {
    let folder = tempfile::tempdir().unwrap();
    let session = full_session(folder.path());
    let file = saved(&session, folder.path());
    saved(&session, folder.path());
    std::fs::write(&file, "{").unwrap();
    let message = Project::read(&file).unwrap_err().to_string();
    assert!(message.contains("walk.smirk.bak"), "{message}");
    std::fs::rename(folder.path().join("walk.smirk.bak"), &file).unwrap();
    assert_eq!(Project::read(&file).unwrap().edits.poses, Project::from_session(&session).edits.poses);
}

#[test]
fn unknown_fields_are_ignored_and_missing_ones_get_the_value_of_a_new_session() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.smirk");
    std::fs::write(&file, r#"{"smirk":"project","blink":{"seed":3,"mood":1},"weather":{"rain":[1]}}"#).unwrap();
    let (session, notes) = reopened(&file, head(&FACE));
    let untouched = crate::project::session(head(&FACE), HeadSource::Embedded);
    assert_eq!(session.edits.blink.seed, 3);
    assert_eq!((&session.edits.poses, session.clock), (&untouched.edits.poses, untouched.clock));
    assert_eq!(notes, [""; 0]);
}

#[test]
fn a_save_that_fails_leaves_the_file_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let session = full_session(folder.path());
    let file = saved(&session, folder.path());
    let before = std::fs::read(&file).unwrap();
    // The backup cannot be written, since a folder has its name; then the project must not be written either.
    std::fs::create_dir(folder.path().join("walk.smirk.bak")).unwrap();
    let error = Project::default().write(&file).unwrap_err();
    assert!(matches!(error, ProjectError::Unwritable { .. }) && error.to_string().contains("unchanged"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 5, "project, capture, two sounds, and the folder in the way");
    let nowhere = Project::default().write(&folder.path().join("no/such.smirk")).unwrap_err();
    assert!(nowhere.to_string().contains("such.smirk"));
    assert!(Project::read(folder.path()).unwrap_err().to_string().contains("it is a folder"));
}

#[test]
fn a_project_finds_its_head_from_any_working_folder() {
    let root = tempfile::tempdir().unwrap();
    let [heads, projects, elsewhere] = ["heads", "artist/projects", "elsewhere"].map(|name| root.path().join(name));
    for folder in [&heads, &projects, &elsewhere] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let model = heads.join("ada.glb");
    std::fs::write(&model, smirk_support::gltf_builder::GltfBuilder::triangle().glb()).unwrap();
    let head = Arc::new(import::open(&model).unwrap());
    let file = saved(&session(head, HeadSource::File(model)), &projects);
    let file_name = file.file_name().unwrap().to_str().unwrap();
    for (folder, name) in [
        (&projects, file_name.to_owned()),
        (&elsewhere, format!("../artist/projects/{file_name}")),
        (&root.path().join("artist"), format!("projects/{file_name}")),
    ] {
        let mut command = isolated(SMIRK);
        command.current_dir(folder).args(["export", "head", &name, "-o", "saved.glb"]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        assert_eq!(import::open(&folder.join("saved.glb")).unwrap().triangle_count(), 1);
    }
}
