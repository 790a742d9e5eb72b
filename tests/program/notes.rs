//! `smirk notes`, and what other commands do with the review notes of a project.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use smirk_support::small_head;

use crate::process::{names, smirk, stderr};

const FIRST: &str = "00000000000000a1";
const SECOND: &str = "00000000000000a2";

/// A project of a small head with two notes: an open one with hostile text, and one that is done.
fn write_project(folder: &Path) -> PathBuf {
    let head = small_head::write(folder);
    let dates = "2026-01-02T09:00:00Z";
    let notes = json!([
        {
            "id": FIRST, "text": "<script>alert(1)</script> & *too wide*\nsecond line", "author": "=Ada",
            "created": dates, "edited": dates, "state": "open", "state_set": dates,
            "channels": ["jawOpen"], "time": { "start_secs": 1.0, "end_secs": 2.0 },
            "replies": [{ "id": "00000000000000b1", "date": dates, "author": "Bo", "text": "@seen" }],
        },
        { "id": SECOND, "text": "Lid", "author": "Ada", "created": dates, "edited": dates, "state": "done", "state_set": dates },
    ]);
    let file = json!({ "path": head, "relative": head.file_name().unwrap().to_str() });
    let project = json!({ "smirk": "project", "version": 1, "head": { "file": file }, "notes": notes });
    let path = folder.join("face.smirk");
    fs::write(&path, project.to_string()).unwrap();
    path
}

/// What the command writes to standard output.
fn written(arguments: &[&str]) -> String {
    let output = smirk(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn notes_of(project: &Path) -> Vec<Value> {
    let text = written(&["notes", project.to_str().unwrap(), "--format", "json"]);
    serde_json::from_str::<Value>(&text).unwrap()["notes"].as_array().unwrap().clone()
}

#[test]
fn notes_are_written_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let project = write_project(folder.path());
    let project = project.to_str().unwrap();
    let html = written(&["notes", project]);
    assert!(html.starts_with("<!doctype html>") && html.contains("2 notes: 1 open, 1 done"), "{html}");
    assert!(!html.contains("<script") && html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; *too wide*"));
    assert!(!html.contains("http:") && !html.contains("https:") && html.contains("Content-Security-Policy"));
    let of_pictures = html.lines().find(|line| line.starts_with("figure img {")).unwrap();
    for part in ["width: auto;", "height: auto;", "max-width: 100%;"] {
        assert!(of_pictures.contains(part), "a picture with less room than its size keeps its shape: {of_pictures}");
    }
    let markdown = written(&["notes", project, "--format", "md"]);
    assert!(markdown.contains("## 1. [ ] \\<script\\>") && markdown.contains("## 2. [x] Lid"), "{markdown}");
    assert!(markdown.contains("second line") && markdown.contains("> **Bo**"), "{markdown}");
    let table = written(&["notes", project, "--format", "csv"]);
    assert_eq!(table.matches("\r\n").count(), 4, "a heading, two notes and a reply: {table}");
    assert!(table.contains("'=Ada") && table.contains("'@seen"), "a spreadsheet runs no formula: {table}");
    let notes = notes_of(Path::new(project));
    assert_eq!((notes.len(), &notes[0]["id"], &notes[1]["state"]), (2, &json!(FIRST), &json!("done")));
    // The name of the output says the format, and every format writes the same there.
    for (name, text) in
        [("a.html", html), ("a.htm", written(&["notes", project])), ("a.md", markdown), ("a.csv", table)]
    {
        let output = folder.path().join(name);
        written(&["notes", project, "-o", output.to_str().unwrap()]);
        // The moment of writing is in the heading.
        let without_time = |text: &str| text.lines().filter(|line| !line.contains("2 notes:")).collect::<String>();
        assert_eq!(without_time(&fs::read_to_string(output).unwrap()), without_time(&text), "{name}");
    }
}

#[test]
fn a_table_that_was_changed_is_merged_into_a_project_by_ids() {
    let folder = tempfile::tempdir().unwrap();
    let project = write_project(folder.path());
    let before = fs::read(&project).unwrap();
    let [changed, answers, merged, again] =
        ["changed.csv", "answers.csv", "merged.smirk", "again.smirk"].map(|name| folder.path().join(name));
    let table = written(&["notes", project.to_str().unwrap(), "--format", "csv"]);
    // One person sets a state in the table that was sent; another sends new rows, with semicolons.
    let set = |line: &str| {
        if line.contains(FIRST) { line.replacen("open,2026-01-02T09:00:00Z", "done,", 1) } else { line.into() }
    };
    let lines: Vec<String> = table.split("\r\n").map(set).collect();
    assert_ne!(lines.join("\r\n"), table);
    fs::write(&changed, lines.join("\r\n")).unwrap();
    fs::write(&answers, format!("text;author;reply_to\nYes;Cy;{SECOND}\nNostril too round;Cy;\n")).unwrap();
    let words = |project: &Path, output: &Path| {
        let paths = [project, &changed, &answers, output].map(|path| path.to_str().unwrap().to_owned());
        let [project, changed, answers, output] = paths;
        ["notes".into(), project, "--merge".into(), changed, "--merge".into(), answers, "-o".into(), output]
    };
    let run = |project: &Path, output: &Path| {
        let run = smirk(&words(project, output).each_ref().map(String::as_str));
        assert!(run.status.success(), "{}", stderr(&run));
        stderr(&run)
    };
    let said = run(&project, &merged);
    assert!(said.contains("1 new note, 1 new reply, 1 changed state"), "{said}");
    assert_eq!(fs::read(&project).unwrap(), before, "the project itself stays as it was");
    let notes = notes_of(&merged);
    assert_eq!(notes.len(), 3);
    assert_eq!((&notes[0]["state"], &notes[0]["replies"][0]["text"]), (&json!("done"), &json!("@seen")));
    let second = notes.iter().find(|note| note["id"] == SECOND).unwrap();
    assert_eq!((&second["replies"][0]["text"], &second["text"]), (&json!("Yes"), &json!("Lid")));
    assert!(notes.iter().any(|note| note["text"] == "Nostril too round" && note["author"] == "Cy"));
    let said = run(&merged, &again);
    assert!(!said.contains("new note") && !said.contains("new reply"), "merging twice adds nothing: {said}");
    assert_eq!(notes_of(&again).len(), 3);
}

#[test]
fn a_check_fails_because_of_open_notes_if_it_is_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let project = write_project(folder.path());
    let project = project.to_str().unwrap();
    let codes = |arguments: &[&str]| smirk(arguments).status.code();
    let open = smirk(&["check", project, "--open-notes"]);
    let said = String::from_utf8_lossy(&open.stdout).into_owned();
    assert_eq!(open.status.code(), Some(3), "{said}{}", stderr(&open));
    assert!(said.contains("note 1 of =Ada") && !said.contains("note 2"), "{said}");
    let done = fs::read_to_string(project).unwrap().replace("\"state\":\"open\"", "\"state\":\"done\"");
    let closed = folder.path().join("closed.smirk");
    fs::write(&closed, done).unwrap();
    let head = folder.path().join(names(folder.path()).iter().find(|name| name.ends_with(".glb")).unwrap());
    let plain = codes(&["check", head.to_str().unwrap()]);
    assert_eq!(codes(&["check", closed.to_str().unwrap(), "--open-notes"]), plain, "as the head alone");
}

#[test]
fn what_is_no_project_or_no_table_is_an_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let project = write_project(folder.path());
    let project = project.to_str().unwrap();
    let take = folder.path().join("take.csv");
    fs::write(&take, "Time,jawOpen\n0,0\n").unwrap();
    let wrong = folder.path().join("wrong.csv");
    fs::write(&wrong, "id,text\n7,x\n").unwrap();
    let (take, wrong, output) = (take.to_str().unwrap(), wrong.to_str().unwrap(), folder.path().join("b.smirk"));
    let output = output.to_str().unwrap();
    let before = names(folder.path());
    let cases: [(&[&str], &str); 6] = [
        (&["notes", take], "take.csv"),
        (&["notes", "missing.smirk"], "missing.smirk"),
        (&["notes", project, "--merge", take, "-o", output], "no column `text`"),
        (&["notes", project, "--merge", wrong, "-o", output], "line 2: `7` in the column id"),
        (&["notes", project, "--merge", wrong, "-o", "b.csv"], "must end in .smirk"),
        (&["notes", project, "--merge", "missing.csv", "-o", output], "missing.csv"),
    ];
    for (arguments, words) in cases {
        let run = smirk(arguments);
        let said = stderr(&run);
        assert!(!run.status.success() && said.contains(words), "{arguments:?}: {said}");
        assert_eq!(said.trim().lines().count(), 1, "{arguments:?}: {said}");
        assert_eq!(names(folder.path()), before, "{arguments:?}");
    }
}
