//! Project files that do not fit: one error with line and column, the file stays as it was, and the save before it opens.

use smirk_editor::document::ProjectError;

use crate::project::*;

/// The message of opening a file that cannot be read.
fn refused(file: &Path) -> String {
    match Project::read(file) {
        Err(error @ ProjectError::Broken { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_value_that_does_not_fit_is_an_error_with_line_and_column_and_the_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let text = std::fs::read_to_string(&file).unwrap();
    for (from, to, words) in [
        ("\"multipass\"", "\"magic\"", "`magic`"),
        ("\"gloss\": 1.7", "\"gloss\": 1e300", "1e300"),
        ("\"gloss\": 1.7", "\"gloss\": null", "null"),
        ("\"gloss\": 1.7", "\"gloss\": \"1.7\"", "\"1.7\""),
        ("\"enabled\": true", "\"enabled\": \"yes\"", "\"yes\""),
        ("\"value\": 0.1", "\"value\": [0.1]", "sequence"),
        ("\"noseWrinkle\": 0.3", "\"noseWrinkle\": {}", "map"),
        ("\"name\": \"Elsewhere\"", "\"name\": 7", "7"),
        ("\"take\": 1", "\"take\": -1", "-1"),
        ("\"smirk\": \"project\"", "\"smirk\": 7", "7"),
    ] {
        assert!(text.contains(from), "{from}");
        let damaged = format!("\u{feff}{}", text.replacen(from, to, 1));
        std::fs::write(&file, &damaged).unwrap();
        let error = refused(&file);
        let line = 1 + text[..text.find(from).unwrap()].matches('\n').count();
        assert!(error.starts_with(&format!("{}: ", file.display())) && error.contains(words), "{to}: {error}");
        assert!(error.contains(&format!(" at line {line} column ")), "{to}, line {line}: {error}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), damaged);
    }
}

#[test]
fn the_save_before_a_damaged_one_opens_as_unsaved_work_of_its_project() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let mut later = Project::read(&file).unwrap();
    later.edits.look.gloss = 1.25;
    later.write(&file).unwrap();
    let damaged = std::fs::read_to_string(&file).unwrap().replace("\"gloss\": 1.25", "\"gloss\": \"much\"");
    std::fs::write(&file, &damaged).unwrap();
    let backup = folder.path().join("walk.smirk.bak");
    assert!(
        refused(&file).ends_with(&format!("or open {}, the save before it", backup.display())),
        "{}",
        refused(&file)
    );
    let content = import::content_of(&backup);
    assert_eq!(content, smirk_base::file_kind::Content::Project);
    let pending = PendingProject::read(&backup).unwrap();
    assert_eq!((pending.project.edits.look.gloss, pending.is_changed), (1.7, true));
    assert_eq!(
        (pending.file, pending.known),
        (Some(file.clone()), None),
        "the damaged file is replaced only when asked"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), damaged);
}
