//! Names from files on the terminal: nothing in them moves the cursor, changes colours, reorders text or goes on without end,
//! and JSON holds them exactly.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use smirk_support::gltf_builder::GltfBuilder;

use crate::process::smirk;

/// Names that a hostile or broken exporter may write.
fn hostile_names() -> Vec<String> {
    vec![
        "jaw\x1b[2J\x1b]0;title\x07Open".into(),
        "\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\".into(),
        "smile\u{202e}tfeL\u{202c}".into(),
        "\u{2067}isolated\u{2069}\u{200f}\u{200e}".into(),
        "two\nlines\r\tand\u{2028}more\u{2029}".into(),
        "zero\u{200b}width\u{2060}\u{feff}".into(),
        "delete\x7f\u{9b}31mred".into(),
        "tagged\u{e0061}\u{e0062}".into(),
        format!("heap{}", "\u{316}\u{301}".repeat(300)),
        format!("{}end", "x".repeat(1 << 20)),
        "口を開ける".into(),
        "ابتسامة عريضة".into(),
    ]
}

/// Writes a triangle whose mesh, targets and clip have such names.
fn hostile_head(folder: &Path) -> PathBuf {
    let names = hostile_names();
    let mut file = GltfBuilder::triangle();
    let targets: Vec<Value> = names
        .iter()
        .enumerate()
        .map(|(index, _)| {
            let moved = 0.1 + index as f32 * 0.01;
            json!({"POSITION": file.floats("VEC3", &[0., 0., moved, 0., moved, 0., 0., 0., 0.])})
        })
        .collect();
    file.primitive()["targets"] = json!(targets);
    file.json["meshes"][0]["extras"] = json!({"targetNames": names});
    file.json["meshes"][0]["name"] = json!("face\x1b[31m\u{202e}");
    let times = file.floats("SCALAR", &[0.0, 1.0]);
    let weights = file.floats("SCALAR", &vec![1.0; names.len() * 2]);
    let channel = json!({"sampler": 0, "target": {"node": 0, "path": "weights"}});
    let sampler = json!({"input": times, "output": weights});
    file.push("animations", json!({"name": "clip\x1b[5m\u{9b}", "channels": [channel], "samplers": [sampler]}));
    let path = folder.join("hostile.glb");
    std::fs::write(&path, file.glb()).unwrap();
    path
}

/// Whether a terminal obeys a character, or hides it, or orders other text by it.
fn is_raw(letter: char) -> bool {
    (letter.is_control() && letter != '\n')
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || ('\u{e0000}'..='\u{e007f}').contains(&letter)
}

#[track_caller]
fn assert_printable(bytes: &[u8], longest_line: usize) {
    let text = std::str::from_utf8(bytes).unwrap();
    let raw: String = text.chars().filter(|&letter| is_raw(letter)).collect();
    assert_eq!(raw, "", "in {} characters", text.chars().count());
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(longest <= longest_line, "a line of {longest} characters");
    assert!(!text.contains(&"\u{316}\u{301}".repeat(10)), "a heap of accents");
}

#[test]
fn nothing_in_a_name_reaches_the_terminal_raw() {
    let folder = tempfile::tempdir().unwrap();
    let head = hostile_head(folder.path());
    let head = head.to_str().unwrap();
    let table = smirk(&["inspect", head]);
    assert!(table.status.success());
    assert_printable(&table.stdout, 2500);
    assert_printable(&table.stderr, 1000);
    let table = String::from_utf8(table.stdout).unwrap();
    for shown in ["jaw<U+001B>[2J<U+001B>]0;title<U+0007>Open", "smile<U+202E>tfeL", "口を開ける", "ابتسامة عريضة"]
    {
        assert!(table.contains(shown), "{shown} is not in\n{table}");
    }
    assert!(table.contains("\n12 channels in "), "{table}");
    assert!(table.contains("\n1 clip\n"), "{table}");

    let picture = folder.path().join("face.png");
    let picture = picture.to_str().unwrap();
    for (option, value) in [("--clip", "no\x1b[2Jclip"), ("--pose", "no\u{202e}pose"), ("--pose", "no\x1bchannel=1")] {
        let error = smirk(&["render", head, "-o", picture, option, value]);
        assert_eq!(error.status.code(), Some(1));
        assert_printable(&error.stderr, 25_000);
        assert_eq!(String::from_utf8_lossy(&error.stderr).lines().count(), 1);
    }
    let error = smirk(&["inspect", "no/such\x1b[2J\u{202e}.glb"]);
    assert_printable(&error.stderr, 1000);
    let usage = smirk(&["--no\x1b[2Jflag"]);
    assert_printable(&usage.stderr, 1000);
}

#[test]
fn json_holds_names_exactly_and_cannot_change_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let head = hostile_head(folder.path());
    let output = smirk(&["inspect", "--json", head.to_str().unwrap()]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.chars().filter(|&letter| is_raw(letter)).count(), 0);
    let report: Value = serde_json::from_str(&text).unwrap();
    let targets = report["meshes"][0]["targets"].as_array().unwrap();
    for (target, name) in targets.iter().map(|target| target.as_str().unwrap()).zip(&hostile_names()) {
        // The importer stores a name only up to a length.
        let is_cut = name.len() > 1024 && target.len() >= 500 && name.starts_with(&target[..500]);
        assert!(target == name || is_cut, "{target:?}");
    }
    assert_eq!(targets.len(), hostile_names().len());
    assert_eq!(report["meshes"][0]["name"], "face\x1b[31m\u{202e}");
    assert_eq!(report["clips"][0]["name"], "clip\x1b[5m\u{9b}");
    assert!(text.contains("口を開ける"), "what every terminal shows is not escaped");
}

#[test]
fn columns_of_a_table_are_aligned_in_every_script() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = GltfBuilder::triangle();
    file.json["meshes"][0]["name"] = json!("顔");
    let mut other = file.json["meshes"][0].clone();
    other["name"] = json!("teeth");
    let mesh = file.push("meshes", other);
    file.push("nodes", json!({"mesh": mesh}));
    let path = folder.path().join("head.glb");
    std::fs::write(&path, file.glb()).unwrap();
    let table = String::from_utf8(smirk(&["inspect", path.to_str().unwrap()]).stdout).unwrap();
    let row = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{table}"));
    // 顔 takes two cells, as many as two letters.
    assert_eq!(row("顔").chars().count() + 1, row("teeth").chars().count(), "{table}");
}
