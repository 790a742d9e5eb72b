//! `smirk check`: its exit codes, its file of rules, and what it writes.

#![allow(clippy::unwrap_used, reason = "a test")]

mod sarif;

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};
use smirk_support::gltf_builder::GltfBuilder;

use crate::process::{SMIRK, isolated};

const RULES: &str = smirk_analysis::lint::Settings::FILE_NAME;

fn check(arguments: &[&str]) -> Output {
    isolated(SMIRK).arg("check").args(arguments).output().unwrap()
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
            error.lines().count() == 1 && error.contains(RULES) && error.contains("line 2, column 9: unknown variant"),
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

/// Two sheets one over the other; `push` and `lift` bulge them so far that they meet only together.
fn write_two_sheets(file: &Path) {
    const SIDE: usize = 9;
    let corner = |index: usize| [(index % SIDE) as f32 * 0.02, (index / SIDE) as f32 * 0.02];
    let middle = |[x, y]: [f32; 2]| (1.0 - (x - 0.08).hypot(y - 0.08) / 0.07).max(0.0);
    let mut builder = GltfBuilder::empty();
    // The lower sheet is turned a little, so that no edges lie above each other.
    let places: Vec<[f32; 2]> = (0..SIDE * SIDE).map(corner).collect();
    let lower = places.iter().map(|[x, y]| [x + y * 0.03 + 0.001, y - x * 0.03 + 0.003, -0.01]);
    let positions: Vec<f32> = places.iter().map(|[x, y]| [*x, *y, 0.0]).chain(lower).flatten().collect();
    let deltas = |of_upper: f32, of_lower: f32| -> Vec<f32> {
        let sheet = |up: f32| places.iter().map(move |place| [0.0, 0.0, up * middle(*place)]).collect::<Vec<_>>();
        sheet(of_upper).into_iter().chain(sheet(of_lower)).flatten().collect()
    };
    let mut triangles: Vec<u16> = Vec::new();
    for cell in (0..SIDE * (SIDE - 1)).filter(|cell| cell % SIDE != SIDE - 1) {
        for first in [0, SIDE * SIDE] {
            let [a, b, c, d] = [cell, cell + 1, cell + SIDE + 1, cell + SIDE].map(|corner| (corner + first) as u16);
            triangles.extend([a, b, c, a, c, d]);
        }
    }
    let normals = [0.0, 0.0, 1.0].repeat(SIDE * SIDE * 2);
    let [positions, normals] = [positions, normals].map(|values| builder.floats("VEC3", &values));
    let indices = builder.indices(&triangles);
    let targets = [(-0.007, 0.0), (0.0, 0.007)].map(|(upper, lower)| builder.floats("VEC3", &deltas(upper, lower)));
    let targets = targets.map(|positions| json!({"POSITION": positions, "NORMAL": normals}));
    let primitive = json!({
        "attributes": {"POSITION": positions, "NORMAL": normals}, "indices": indices, "targets": targets, "material": 0,
    });
    builder.push("materials", json!({"name": "skin"}));
    builder.push("meshes", json!({"primitives": [primitive], "extras": {"targetNames": ["push", "lift"]}}));
    builder.push("nodes", json!({"mesh": 0}));
    std::fs::write(file, builder.glb()).unwrap();
}

#[test]
fn combinations_are_tried_on_demand_and_measured_against_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let head = folder.path().join("sheets.glb");
    write_two_sheets(&head);
    let head = head.to_str().unwrap();
    assert_eq!(result(&[head]).0, 0);
    let (code, lines) = result(&[head, "--combinations", "--deny", "warnings"]);
    assert_eq!(code, 3, "{lines}");
    let of_rule: Vec<&str> = lines.lines().filter(|line| line.contains(": combination: ")).collect();
    assert!(
        of_rule.len() == 1 && of_rule[0].contains(": warning: combination: push + lift: skin through skin along "),
        "{lines}"
    );
    for rules in ["[combination]\nlimit = 500.0", "[combination]\nallow = [\"lift\"]", "[combination]\nlevel = \"off\""]
    {
        std::fs::write(folder.path().join(RULES), rules).unwrap();
        let (_, lines) = result(&[head, "--combinations"]);
        assert!(!lines.contains(": combination: "), "{rules}: {lines}");
    }
    // A picture needs one head, and what it shows.
    let picture = folder.path().join("worst.png");
    let picture = picture.to_str().unwrap();
    assert_eq!(result(&[head, "-o", picture]).0, 2);
    assert_eq!(result(&[head, head, "--combinations", "-o", picture]).0, 2);
    assert_eq!(result(&[head, "--combinations", "-o", head]).0, 2);
    std::fs::remove_file(folder.path().join(RULES)).unwrap();
    assert_eq!(result(&[head, "--combinations", "-o", picture]).0, 0);
    assert!(image::open(picture).unwrap().width() > 240);
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
