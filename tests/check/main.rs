//! `smirk check`: its exit codes, its file of rules, and what it writes.

#![allow(clippy::unwrap_used, reason = "a test")]

mod sarif;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use smirk_support::gltf_builder::GltfBuilder;

const RULES: &str = smirk::lint::Settings::FILE_NAME;

fn check(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smirk")).arg("check").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The exit code and what is written.
fn result(arguments: &[&str]) -> (i32, String) {
    let output = check(arguments);
    (output.status.code().unwrap(), text(&output.stdout))
}

/// Writes a triangle whose shapes lift it by so much; a shape that lifts it by 0 is empty.
fn write_head(file: &Path, shapes: &[(&str, f32)]) {
    let mut builder = GltfBuilder::triangle();
    let deltas =
        |builder: &mut GltfBuilder, up: f32| builder.floats("VEC3", &[0., 0., up, 0., 0., up, 0., 0., up * 2.]);
    let normals = |builder: &mut GltfBuilder, up: f32| builder.floats("VEC3", &[up, up, up].repeat(3));
    let mut target = |&(_, up): &(&str, f32)| {
        let (positions, normals) = (deltas(&mut builder, up), normals(&mut builder, up));
        json!({"POSITION": positions, "NORMAL": normals})
    };
    let targets: Vec<Value> = shapes.iter().map(&mut target).collect();
    builder.primitive()["targets"] = json!(targets);
    let names: Vec<&str> = shapes.iter().map(|shape| shape.0).collect();
    builder.json["meshes"][0]["extras"] = json!({"targetNames": names});
    std::fs::write(file, builder.glb()).unwrap();
}

/// A folder with a head of which one shape is empty.
fn folder_with_an_empty_shape() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let head = folder.path().join("ada.glb");
    write_head(&head, &[("smile", 0.1), ("puff", 0.0)]);
    (folder, head)
}

#[test]
fn a_head_without_faults_succeeds_also_with_warnings_denied() {
    let folder = tempfile::tempdir().unwrap();
    let head = folder.path().join("ada.glb");
    write_head(&head, &[("smile", 0.1)]);
    let head = head.to_str().unwrap();
    for arguments in [&[head][..], &[head, "--deny", "warnings"]] {
        assert_eq!(result(arguments), (0, "1 head: nothing found\n".into()));
    }
}

#[test]
fn warnings_fail_a_check_if_they_are_denied_and_errors_always() {
    let (folder, head) = folder_with_an_empty_shape();
    let head = head.to_str().unwrap();
    let (code, lines) = result(&[head]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(
        lines[0],
        format!("{head}: warning: empty: puff: moves nothing at weight 1; model the shape, or delete it")
    );
    assert_eq!(lines[1..], ["1 head: 1 warning"]);
    assert_eq!(result(&[head, "--deny", "warnings"]).0, 3);
    for (rules, denied, code) in [
        ("[empty]\nlevel = \"error\"", false, 3),
        ("[empty]\nlevel = \"note\"", true, 0),
        ("[empty]\nlevel = \"off\"", true, 0),
        ("[empty]\nallow = [\"puff\"]", true, 0),
        ("[empty]\nallow = [\"smile\"]", true, 3),
        ("[noise]\nlevel = \"error\"", false, 0),
    ] {
        std::fs::write(folder.path().join(RULES), rules).unwrap();
        let arguments = if denied { vec![head, "--deny", "warnings"] } else { vec![head] };
        assert_eq!(result(&arguments).0, code, "{rules}");
    }
    // One file of rules for all heads takes the place of those beside them.
    let other = folder.path().join("other.toml");
    std::fs::write(&other, "[empty]\nlevel = \"error\"").unwrap();
    std::fs::write(folder.path().join(RULES), "[empty]\nlevel = \"off\"").unwrap();
    assert_eq!((result(&[head]).0, result(&[head, "--rules", other.to_str().unwrap()]).0), (0, 3));
}

#[test]
fn each_head_has_the_rules_of_its_folder() {
    let (strict, first) = folder_with_an_empty_shape();
    let (_lenient, second) = folder_with_an_empty_shape();
    std::fs::write(strict.path().join(RULES), "[empty]\nlevel = \"error\"").unwrap();
    let (code, lines) = result(&[first.to_str().unwrap(), second.to_str().unwrap()]);
    assert_eq!(code, 3);
    let levels: Vec<&str> = lines.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(levels, ["error", "warning", "1 error, 1 warning"]);
}

#[test]
fn what_cannot_be_read_is_an_error_and_the_other_heads_are_checked() {
    let (folder, head) = folder_with_an_empty_shape();
    let missing = folder.path().join("gone.glb");
    let output = check(&[missing.to_str().unwrap(), head.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let (lines, error) = (text(&output.stdout), text(&output.stderr));
    assert!(lines.contains(": warning: empty: puff: "), "{lines}");
    assert!(lines.ends_with("2 heads, 1 not checked: 1 warning\n"), "{lines}");
    assert!(error.lines().count() == 1 && error.contains("gone.glb"), "{error}");
    // A check by rules that cannot be read would say nothing.
    std::fs::write(folder.path().join(RULES), "[empty]\nlevel = \"fatal\"").unwrap();
    let rules = folder.path().join(RULES);
    for arguments in [&[head.to_str().unwrap()][..], &[head.to_str().unwrap(), "--rules", rules.to_str().unwrap()]] {
        let output = check(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            error.lines().count() == 1 && error.contains(RULES) && error.contains("line 2: unknown variant"),
            "{error}"
        );
    }
    let gone = folder.path().join("no.toml");
    assert_eq!(result(&[head.to_str().unwrap(), "--rules", gone.to_str().unwrap()]).0, 1);
}

#[test]
fn wrong_usage_exits_with_2() {
    for arguments in [&["--deny", "errors"][..], &["--json", "--sarif"], &["--rules"]] {
        assert_eq!(result(arguments).0, 2, "{arguments:?}");
    }
}

#[test]
fn the_bundled_head_passes_its_own_check() {
    let (code, lines) = result(&["--deny", "warnings"]);
    assert_eq!(code, 0, "{lines}");
}

#[test]
fn what_the_importer_repaired_is_a_warning_of_its_own_rule() {
    let folder = tempfile::tempdir().unwrap();
    let head = folder.path().join("ada.glb");
    let mut builder = GltfBuilder::textured_triangle();
    builder.push("images", json!({"uri": "gone.png"}));
    std::fs::write(&head, builder.glb()).unwrap();
    let head = head.to_str().unwrap();
    let (code, lines) = result(&[head, "--deny", "warnings"]);
    assert!(code == 3 && lines.contains(": warning: import: ") && lines.contains("gone.png"), "{lines}");
    std::fs::write(folder.path().join(RULES), "[import]\nlevel = \"off\"").unwrap();
    assert_eq!(result(&[head, "--deny", "warnings"]).0, 0);
}

#[test]
fn json_has_the_documented_keys() {
    let (folder, head) = folder_with_an_empty_shape();
    let missing = folder.path().join("gone.glb");
    let output = check(&[head.to_str().unwrap(), missing.to_str().unwrap(), "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = &report["files"];
    assert_eq!(files[0]["file"], head.to_str().unwrap());
    assert!(files[0]["error"].is_null() && files[1]["error"].as_str().unwrap().contains("gone.glb"));
    let problem = json!({
        "rule": "empty",
        "level": "warning",
        "object": "puff",
        "channels": ["puff"],
        "message": "moves nothing at weight 1; model the shape, or delete it",
    });
    assert_eq!((&files[0]["problems"], &files[1]["problems"]), (&json!([problem]), &json!([])));
}
