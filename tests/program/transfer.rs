//! `smirk transfer`: what is written, what is said, and what is refused.

use std::fs;
use std::path::Path;
use std::process::Output;

use smirk_export::glb;
use smirk_files::import;
use smirk_support::small_head;

use crate::process::{SMIRK, isolated, stderr};

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn transfer(folder: &Path, arguments: &[&str]) -> Output {
    isolated(SMIRK).current_dir(folder).arg("transfer").args(arguments).output().unwrap()
}

#[test]
fn a_head_without_shapes_gets_those_of_the_bundled_head() {
    let folder = tempfile::tempdir().unwrap();
    let bundled = import::embedded().unwrap();
    let bare = bundled.with_targets_alone(vec![Vec::new(); bundled.meshes.len()]);
    fs::write(folder.path().join("bare.glb"), glb(&bare).unwrap()).unwrap();
    let arguments = ["bundled", "bare.glb", "-o", "new.glb", "--shapes", "jawOpen,eyeBlinkLeft", "--json"];
    let output = transfer(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let names: Vec<&str> = report["shapes"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["jawOpen", "eyeBlinkLeft"]);
    let head = import::open(&folder.path().join("new.glb")).unwrap();
    assert_eq!(head.channels.iter().map(|channel| channel.name.as_str()).collect::<Vec<_>>(), names);
    // The skin, the teeth and the tongue follow the jaw; the shapes have normals.
    let moved = head.meshes.iter().filter(|mesh| mesh.targets.iter().any(|target| target.name == "jawOpen"));
    assert!(moved.count() >= 2);
    assert!(head.meshes.iter().flat_map(|mesh| &mesh.targets).all(|target| !target.normals.is_empty()));
    // The points of the report are what --points reads.
    let points = report["points"].to_string();
    assert!(points.contains("mouthLeft"), "{points}");
    fs::write(folder.path().join("points.json"), points).unwrap();
    let again = ["bundled", "bare.glb", "-o", "again.glb", "--shapes", "jawOpen", "--points", "points.json"];
    let output = transfer(folder.path(), &again);
    assert!(output.status.success() && stdout(&output).contains("1 shape of bundled"), "{}", stdout(&output));
    // A pose of several weights is one shape, which is the only one.
    let pose = ["bundled", "bare.glb", "-o", "pose.glb", "--pose", "jawOpen=0.5", "--pose", "mouthPucker=1"];
    let output = transfer(folder.path(), &pose);
    assert!(output.status.success() && stdout(&output).contains("1 shape of bundled; pose "), "{}", stderr(&output));
    // Where it is refused, the report has the points that were found.
    fs::write(folder.path().join("points.json"), r#"{"mouthLeft": [0.03, 2, 0], "mouthRight": [-0.03, 2, 0]}"#)
        .unwrap();
    let refused = ["bundled", "bare.glb", "-o", "refused.glb", "--points", "points.json", "--json"];
    let output = transfer(folder.path(), &refused);
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(!output.status.success() && report["refused"].is_string() && report["points"]["mouthLeft"].is_array());
    assert!(!folder.path().join("refused.glb").exists());
}

#[test]
fn what_cannot_be_carried_over_is_said_in_one_line_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let small = small_head::write(folder.path());
    let small = small.to_str().unwrap();
    fs::write(folder.path().join("points.json"), r#"{"mouth": [0, 0, 0]}"#).unwrap();
    let cases: [(&[&str], &str); 4] = [
        (&["bundled", small], "no two eyeballs were found"),
        (&[small, small], "has no shapes to carry over: no two eyeballs were found"),
        (&["bundled", small, "--points", "points.json"], "unknown variant `mouth`"),
        (&["bundled", small, "--pose", "jawOpen=0"], "--pose: it moves nothing of Bundled head"),
    ];
    for (arguments, expected) in cases {
        let output = transfer(folder.path(), &[arguments, &["-o", "new.glb"]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains(expected) && stderr(&output).lines().count() == 1, "{}", stderr(&output));
        assert!(!folder.path().join("new.glb").exists());
    }
}
