//! `smirk measure`: made recordings have the errors that they were made with, in every kind of file.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use smirk_support::small_head;

use crate::process::{SMIRK, isolated, stderr};

const POINTS: usize = 20;

fn smirk(arguments: &[&str], folder: &Path) -> Output {
    isolated(SMIRK).args(arguments).current_dir(folder).output().unwrap()
}

fn measured(arguments: &[&str], folder: &Path) -> Value {
    let output = smirk(&[&["measure", "--json"], arguments].concat(), folder);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn near(value: &Value, expected: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() < 1e-6 * expected.abs().max(1.0)
}

/// Writes frames of points as `.npy`: `place` gives the number of a frame, a point and an axis.
fn write_npy(path: &Path, frames: usize, place: impl Fn(usize, usize, usize) -> f32) {
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({frames}, {POINTS}, 3), }}\n");
    let mut bytes = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
    for frame in 0..frames {
        for point in 0..POINTS {
            (0..3).for_each(|axis| bytes.extend(place(frame, point, axis).to_le_bytes()));
        }
    }
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn made_arrays_have_the_errors_that_they_were_made_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rest = |point: usize, axis: usize| (point * 3 + axis) as f32 * 0.01;
    // In metres: point 3 is off by 2 cm in every second frame of the first ten.
    write_npy(&folder.join("a.npy"), 12, |frame, point, axis| {
        rest(point, axis) + if point == 3 && axis == 1 && frame % 2 == 0 { 0.02 } else { 0.0 }
    });
    write_npy(&folder.join("true.npy"), 10, |_, point, axis| rest(point, axis));
    std::fs::write(folder.join("lips.json"), "[3, 4,5]").unwrap();
    let report = measured(&["a.npy", "true.npy", "--lips", "lips.json", "--unit", "m", "--csv", "e.csv"], folder);
    assert_eq!((report["frames"].as_u64(), report["unit"].as_str()), (Some(10), Some("mm")));
    assert!((report["mean"].as_f64().unwrap() - 5.0 * 20.0 / (10.0 * POINTS as f64)).abs() < 1e-3, "{report}");
    assert!((report["lip_vertex_error"].as_f64().unwrap() - 10.0).abs() < 1e-3, "{report}");
    assert!((report["lip_vertex_error_squared"].as_f64().unwrap() - 200.0).abs() < 0.05, "{report}");
    assert_eq!((report["largest_vertex"].as_u64(), report["closures"].as_u64()), (Some(3), None));
    let table = std::fs::read_to_string(folder.join("e.csv")).unwrap();
    assert_eq!(table.lines().count(), 11);
    assert!(table.starts_with("frame,mean,largest,vertex,lips,gap,gap_of_truth\n0,"), "{table}");
    let same = measured(&["true.npy", "true.npy"], folder);
    assert!(near(&same["mean"], 0.0) && same["unit"] == "file" && same["lip_vertex_error"].is_null());
    let said = smirk(&["measure", "a.npy", "true.npy"], folder);
    assert!(stderr(&said).contains("12 frames are compared with 10"), "{}", stderr(&said));
}

/// A take and the points that were exported from it are the same recording.
#[test]
fn a_capture_on_a_head_is_compared_with_points_in_another_order_and_unit() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let head = small_head::write(folder);
    let head = head.file_name().unwrap().to_str().unwrap();
    std::fs::write(folder.join("talk.csv"), "Time,jawOpen\n0,0\n0.5,1\n1,0\n").unwrap();
    let export = ["export", "mesh", head, "--take", "talk.csv", "--fps", "30", "-o"];
    for output in ["talk.pc2", "talk.####.obj"] {
        let output = smirk(&[&export[..], &[output]].concat(), folder);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    for frames in ["talk.pc2", "talk.####.obj"] {
        let report = measured(&[frames, "talk.csv", "--head", head, "--fps", "30"], folder);
        assert!(report["frames"] == 31 && report["unit"] == "mm", "{report}");
        assert!(report["largest"].as_f64().unwrap() < 1e-2, "{frames}: {report}");
    }
    std::fs::write(folder.join("half.csv"), "Time,jawOpen\n0,0\n0.5,0.5\n1,0\n").unwrap();
    let report = measured(&["half.csv", "talk.csv", "--head", head], folder);
    let said = smirk(&["measure", "half.csv", "talk.csv", "--head", head], folder);
    assert!(stderr(&said).contains("is known to move its lips"), "{}", stderr(&said));
    let halved = measured(&["talk.csv", "half.csv", "--head", head], folder);
    assert!(report["largest"].as_f64().unwrap() > 1.0 && report["largest"] == halved["largest"], "{report}");
    let keys =
        r#"[{"time_secs": 0, "value": 0, "tangents": "linear"}, {"time_secs": 1, "value": 1, "tangents": "linear"}]"#;
    let keys = format!(r#"{{"smirk": "keys", "version": 1, "curves": [{{"channel": "jawOpen", "keys": {keys}}}]}}"#);
    std::fs::write(folder.join("keys.json"), keys).unwrap();
    for (rate, is_said) in [(&[][..], true), (&["--fps", "30"], false)] {
        let arguments = [&["measure", "keys.json", "talk.csv", "--head", head], rate].concat();
        let said = stderr(&smirk(&arguments, folder));
        assert_eq!(said.contains("keys.json: has no frame rate: 30 frames per second are compared"), is_said, "{said}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let head = small_head::write(folder);
    let head = head.file_name().unwrap().to_str().unwrap();
    write_npy(&folder.join("a.npy"), 2, |_, point, _| point as f32);
    std::fs::write(folder.join("talk.csv"), "Time,jawOpen\n0,0\n1,1\n").unwrap();
    std::fs::write(folder.join("far.txt"), "1 20").unwrap();
    std::fs::write(folder.join("none.txt"), " ,").unwrap();
    for (arguments, said) in [
        (&["a.npy", "talk.csv"][..], "--head"),
        (&["a.npy", head], "vertices"),
        (&["a.npy", "a.npy", "--lips", "far.txt"], "\"20\" is no vertex"),
        (&["a.npy", "a.npy", "--lips", "none.txt"], "no numbers"),
        (&["a.npy", "gone.npy"], "gone.npy"),
        (&["a.npy", "talk.csv", "--head", head], "not those of"),
    ] {
        let output = smirk(&[&["measure"], arguments].concat(), folder);
        let text = stderr(&output);
        assert!(output.status.code() == Some(1) && text.contains(said), "{arguments:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}
