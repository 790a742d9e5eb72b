//! `smirk solve`: a take that was exported as a cache comes back, as a file of each kind, with a report.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use smirk_face::head::{Asset, Head};
use smirk_files::import;
use smirk_support::small_head;

use crate::process::{SMIRK, isolated, stderr};

fn smirk(arguments: &[&str], folder: &Path) -> Output {
    isolated(SMIRK).args(arguments).current_dir(folder).output().unwrap()
}

fn done(arguments: &[&str], folder: &Path) -> String {
    let output = smirk(arguments, folder);
    let said = stderr(&output);
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

fn refused(arguments: &[&str], folder: &Path) -> (Option<i32>, String) {
    let output = smirk(arguments, folder);
    let said = stderr(&output);
    assert!(!output.status.success() && said.lines().count() == 1, "{arguments:?}: {said}");
    (output.status.code(), said)
}

#[test]
fn a_cache_becomes_a_take_of_every_kind_and_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, head) = (folder.path(), small_head::write(folder.path()));
    let head = head.file_name().unwrap().to_str().unwrap();
    done(&["export", "mesh", head, "-o", "a.mdd", "--clip", "0", "--fps", "25"], folder);
    for output in ["take.csv", "take.json", "take.glb"] {
        done(&["solve", head, "a.mdd", "-o", output, "--report", "report.json", "--ridge", "0"], folder);
        let takes = import::open_takes(&folder.join(output)).unwrap();
        let jaw = takes[0].columns.iter().position(|column| column.name == "jawOpen").unwrap();
        for secs in [0.0, 1.0, 2.5, 4.0] {
            let value = takes[0].sample(jaw, secs);
            assert!((value - secs / 4.0).abs() < 1e-4, "{output} at {secs}: {value}");
        }
    }
    let report: Value = serde_json::from_slice(&std::fs::read(folder.join("report.json")).unwrap()).unwrap();
    let frames = report["frames"].as_array().unwrap();
    assert_eq!((frames.len(), frames[50]["time_secs"].as_f64()), (101, Some(2.0)));
    assert!(frames.iter().all(|frame| frame["largest_mm"].as_f64().unwrap() < 1e-2), "{frames:?}");
    assert_eq!(report["channels"].as_array().unwrap().len(), 3);
    done(&["solve", head, "a.mdd", "-o", "some.csv", "--channels", "jawOpen,mouthSmileLeft", "--fps", "50"], folder);
    let some = std::fs::read_to_string(folder.join("some.csv")).unwrap();
    assert!(some.lines().nth(2).unwrap().starts_with("0.02,"), "{some}");
}

/// Frames with times of their own: those of a recording that lost some.
#[test]
fn uneven_times_are_kept_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, head) = (folder.path(), small_head::write(folder.path()));
    let head = head.file_name().unwrap().to_str().unwrap();
    done(&["export", "mesh", head, "-o", "a.mdd", "--clip", "0", "--fps", "25"], folder);
    let mut cache = std::fs::read(folder.join("a.mdd")).unwrap();
    for frame in 50..101_u16 {
        let secs = f32::from(frame) / 25.0 + 2.0;
        cache[8 + 4 * usize::from(frame)..][..4].copy_from_slice(&secs.to_be_bytes());
    }
    std::fs::write(folder.join("a.mdd"), cache).unwrap();
    let said = done(&["solve", head, "a.mdd", "-o", "take.csv", "--ridge", "0"], folder);
    assert!(!said.contains("are assumed"), "{said}");
    let take = &import::open_takes(&folder.join("take.csv")).unwrap()[0];
    let jaw = take.columns.iter().position(|column| column.name == "jawOpen").unwrap();
    assert!((take.duration_secs - 6.0).abs() < 0.05, "{}", take.duration_secs);
    assert!((take.sample(jaw, 6.0) - 1.0).abs() < 1e-2, "{}", take.sample(jaw, 6.0));
}

#[test]
fn one_mesh_becomes_a_pose_and_what_does_not_go_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, head) = (folder.path(), small_head::write(folder.path()));
    let head = head.file_name().unwrap().to_str().unwrap();
    done(&["export", "mesh", head, "-o", "smile.obj", "--pose", "jawOpen=0.25,mouthSmileLeft=0.75"], folder);
    done(&["solve", head, "smile.obj", "-o", "smile.json"], folder);
    let poses = import::open_poses(&folder.join("smile.json")).unwrap();
    let (name, weights) = &poses[0];
    assert!(
        name == "smile" && (weights["jawOpen"] - 0.25).abs() < 1e-4 && (weights["mouthSmileLeft"] - 0.75).abs() < 1e-4
    );
    for (arguments, code, words) in [
        (&["solve", head, "smile.obj", "-o", "a.xyz"][..], 2, "--format"),
        (&["solve", head, "gone.pc2", "-o", "a.csv"], 1, "was not found"),
        (&["solve", head, "smile.obj", "-o", "a.csv", "--channels", "nose"], 1, "has 3 channels"),
        (&["solve", head, "smile.obj", "-o", "a.csv", "--channels", "expressions"], 1, "no VRM avatar"),
        (&["solve", head, "smile.obj", "-o", "smile.obj"], 1, "smile.obj"),
    ] {
        let (found, said) = refused(arguments, folder);
        assert!(found == Some(code) && said.contains(words), "{arguments:?}: {found:?} {said}");
    }
}

#[test]
fn the_movement_that_channels_lack_is_written_as_a_shape() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, head) = (folder.path(), small_head::write(folder.path()));
    let head = head.file_name().unwrap().to_str().unwrap();
    done(&["export", "mesh", head, "-o", "smile.obj", "--pose", "mouthSmileLeft=0.75"], folder);
    let solve = ["solve", head, "smile.obj", "-o", "pose.json", "--lacking", "lacking.obj"];
    let said = done(&solve, folder);
    assert!(said.contains("lack nothing") && !folder.join("lacking.obj").exists(), "{said}");
    // Without the channel of the smile, the smile is what is lacking.
    done(&[&solve[..], &["--channels", "jawOpen", "--still-head"]].concat(), folder);
    let points = |name: &str| -> Vec<f32> {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
        lines.flat_map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<f32>>()).collect()
    };
    done(&["export", "mesh", head, "-o", "rest.obj"], folder);
    let [smile, lacking, rest] = ["smile.obj", "lacking.obj", "rest.obj"].map(points);
    let apart = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert_eq!(smile.len(), lacking.len());
    let (from_smile, from_rest) = (apart(&smile, &lacking), apart(&rest, &lacking));
    assert!(from_smile < 0.05 * from_rest, "{from_smile} from the smile, {from_rest} from rest");
    let (code, said) = refused(&["solve", head, "smile.obj", "-o", "a.csv", "--lacking", "a.pc2"], folder);
    assert!(code == Some(2) && said.contains("--lacking"), "{said}");
}

#[test]
fn a_mapping_is_fitted_to_the_head_that_a_take_was_made_for() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, file) = (folder.path(), small_head::write(folder.path()));
    let Asset { mut meshes, rig, .. } = import::open(&file).unwrap().asset;
    for (target, name) in meshes[0].targets.iter_mut().zip(["gape", "wink", "grin"]) {
        name.clone_into(&mut target.name);
        target.positions.iter_mut().for_each(|delta| *delta *= 0.5);
    }
    let source = Head::new(Asset { meshes, rig, ..Asset::default() });
    std::fs::write(folder.join("actor.glb"), smirk_export::glb(&source).unwrap()).unwrap();
    std::fs::write(folder.join("take.csv"), "time,gape,grin\n0,0,1\n1,0.8,0\n").unwrap();
    let head = file.file_name().unwrap().to_str().unwrap();
    let take = ["--take", "take.csv", "--source-head", "actor.glb", "-o", "out.csv"];
    let said = done(&[&["export", "animation", head][..], &take].concat(), folder);
    assert!(said.contains("left of each movement") && said.contains("gape 0.00 mm"), "{said}");
    let take = &import::open_takes(&folder.join("out.csv")).unwrap()[0];
    let value = |name: &str, secs: f32| {
        let column = take.columns.iter().position(|column| column.name == name).unwrap();
        take.sample(column, secs)
    };
    for (name, secs, expected) in [("jawOpen", 1.0, 0.4), ("mouthSmileLeft", 0.0, 0.5), ("eyeBlinkLeft", 1.0, 0.0)] {
        assert!((value(name, secs) - expected).abs() < 2e-3, "{name}: {}", value(name, secs));
    }
}
