//! Project files of which single values are damaged: everything else opens, notes name what is lost, and saving keeps the file as it
//! was.

use smirk_face::head::Note;
use smirk_fuzz_checks::own_files::check_project;
use smirk_session::{TakeEntry, Timing};

use crate::project::*;

/// A project in a file, and the notes of opening it.
fn opened(file: &Path) -> (Project, Vec<Note>) {
    let project = Project::read(file).unwrap_or_else(|error| panic!("{error}"));
    let mut session = session(head(&FACE), project.head.source());
    let takes = project.read_takes(&session.head);
    let notes = project.apply(&mut session, &takes);
    (project, notes)
}

/// The takes of a project, without their keys.
fn takes(project: &Project) -> Vec<TakeEntry> {
    let takes = project.edits.takes.iter().cloned();
    takes.map(|entry| TakeEntry { timing: Timing::default(), ..entry }).collect()
}

/// The notes on what could not be read.
fn lost(notes: &[Note]) -> Vec<String> {
    notes.iter().filter(|note| note.message.contains("left out")).map(ToString::to_string).collect()
}

#[test]
fn a_damaged_value_is_left_out_and_named_and_everything_else_opens() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let sound = Project::read(&file).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    for (from, to, place, words) in [
        ("\"multipass\"", "\"magic\"", "mode", "\"magic\" is not one of cpu, vertex, compute, multipass"),
        ("\"gloss\": 1.7", "\"gloss\": 1e300", "look.gloss", "1e300 is not a number"),
        ("\"gloss\": 1.7", "\"gloss\": null", "look.gloss", "null is not a number"),
        ("\"gloss\": 1.7", "\"gloss\": \"1.7\"", "look.gloss", "\"1.7\" is not a number"),
        ("\"enabled\": true", "\"enabled\": \"yes\"", "sequence.enabled", "true or false"),
        ("\"value\": 0.1", "\"value\": [0.1]", "keys.eyeBlinkLeft[0]", "value: [0.1] is not a number"),
        ("\"noseWrinkle\": 0.3", "\"noseWrinkle\": {}", "weights.noseWrinkle", "{} is not a number"),
        ("\"name\": \"Elsewhere\"", "\"name\": 7", ".name", "7 is not a text"),
        ("\"take\": 1", "\"take\": -1", "take", "-1 is not a whole number"),
    ] {
        assert!(text.contains(from), "{from}");
        std::fs::write(&file, format!("\u{feff}{}", text.replacen(from, to, 1))).unwrap();
        let (project, notes) = opened(&file);
        let lost = lost(&notes);
        let line = 1 + text[..text.find(from).unwrap()].matches('\n').count();
        assert_eq!(lost.len(), 1, "{to}: {lost:?}");
        assert!(lost[0].contains(place) && lost[0].contains(words), "{to}: {lost:?}");
        // An object that is left out begins some lines before its damaged member.
        assert!((line - 3..=line).any(|line| lost[0].contains(&format!("(line {line})"))), "{to}: {line} {lost:?}");
        assert!(notes.iter().any(|note| note.message.contains("walk.smirk.damaged.bak")), "{notes:?}");
        assert_eq!(project.edits.sliders, sound.edits.sliders);
        assert_eq!(takes(&project), takes(&sound));
        assert_eq!(project.edits.poses.len(), sound.edits.poses.len());
        check_project(&project, &file);
    }
}

#[test]
fn the_file_as_it_was_is_kept_whatever_is_saved_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let damaged = std::fs::read_to_string(&file).unwrap().replace("\"gloss\": 1.7", "\"gloss\": \"much\"");
    let kept = folder.path().join("walk.smirk.damaged.bak");
    std::fs::write(&file, &damaged).unwrap();
    let (project, notes) = opened(&file);
    assert_eq!(lost(&notes).len(), 1);
    for look in [1.0, 1.25, 1.5] {
        let mut project = project.clone();
        project.edits.look.gloss = look;
        project.write(&file).unwrap();
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), damaged);
    }
    assert!(lost(&opened(&file).1).is_empty(), "what was saved is sound");
    std::fs::write(&file, &damaged).unwrap();
    Project::default().write(&file).unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("walk.smirk.damaged-2.bak")).unwrap(), damaged);
}

#[test]
fn a_file_is_not_replaced_while_what_is_lost_cannot_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let damaged = std::fs::read_to_string(&file).unwrap().replace("\"gloss\": 1.7", "\"gloss\": \"much\"");
    std::fs::write(&file, &damaged).unwrap();
    // The name of the copy would be too long.
    let long = folder.path().join(format!("{}.smirk", "a".repeat(240)));
    std::fs::rename(&file, &long).unwrap();
    assert!(Project::default().write(&long).is_err());
    assert_eq!(std::fs::read_to_string(&long).unwrap(), damaged);
}

#[test]
fn one_damaged_key_among_thousands_and_one_broken_pose_are_lost_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.smirk");
    let key = |at: usize| match at {
        777 => r#"{"time_secs":777,"value":"x"}"#.to_owned(),
        at => format!(r#"{{"time_secs":{at},"value":0.5}}"#),
    };
    let keys: Vec<String> = (0..5000).map(key).collect();
    let poses = r#"[{"id":1000,"name":"a","weights":{"jawOpen":1}},"broken",{"id":1001,"name":"b","weights":{}}]"#;
    let keys = keys.join(",\n");
    std::fs::write(&file, format!("{{\"smirk\":\"project\",\n\"poses\":{poses},\n\"keys\":{{\"jawOpen\":[{keys}]}}}}"))
        .unwrap();
    let (project, notes) = opened(&file);
    assert_eq!((project.edits.keys.keys_of("jawOpen").len(), project.edits.poses.len()), (4999, 2));
    let lost = lost(&notes);
    assert!(lost[0].starts_with("poses[1]: ") && lost[0].contains("(line 2)"), "{lost:?}");
    assert!(lost[1].starts_with("keys.jawOpen[777]: value: \"x\"") && lost[1].contains("(line 780)"), "{lost:?}");
}

#[test]
fn a_damaged_mark_of_the_kind_does_not_lose_a_project() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let text = std::fs::read_to_string(&file).unwrap();
    for mark in ["\"smirk\": 7", "\"smirk\": null", "\"smi\": \"project\""] {
        std::fs::write(&file, text.replacen("\"smirk\": \"project\"", mark, 1)).unwrap();
        assert!(!opened(&file).0.edits.sliders.is_empty(), "{mark}");
    }
}

#[test]
fn many_damaged_values_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.smirk");
    let sliders: Vec<String> = (0..10_000).map(|at| format!("\"s{at}\":[]")).collect();
    std::fs::write(&file, format!(r#"{{"smirk":"project","sliders":{{{}}}}}"#, sliders.join(","))).unwrap();
    let (_, notes) = opened(&file);
    assert!(notes.len() < 20, "{}", notes.len());
    assert!(notes.iter().any(|note| note.message.starts_with("9988 more values")), "{notes:?}");
}
