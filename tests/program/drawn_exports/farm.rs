//! The examples of docs/exporting.md for render farms, run as they stand there, with small pictures.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::drawn_exports::SMALL_HEAD;
use crate::process::{SMIRK, names, stderr};

/// The code of the page in a language, as blocks, with the folder of the shots in the place of that of the page.
fn blocks(language: &str, shots: &Path) -> Vec<String> {
    let page = smirk_support::repository().join("docs/exporting.md");
    let page = std::fs::read_to_string(page).unwrap().replace("/shots", shots.to_str().unwrap());
    let start = format!("```{language}\n");
    page.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// A project, a folder for pictures, and a program `smirk` that draws small ones.
fn shots() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let project = json!({"smirk": "project", "version": 1, "head": {"file": {"path": SMALL_HEAD.as_str()}}});
    std::fs::write(folder.path().join("face.smirk"), project.to_string()).unwrap();
    ["out", "bin"].iter().for_each(|name| std::fs::create_dir(folder.path().join(name)).unwrap());
    let program = folder.path().join("bin/smirk");
    let script = format!("#!/bin/sh\nexec '{}' \"$@\" --size 24x20 --samples 1\n", SMIRK);
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

/// Runs a command whose first program is found in `bin` of the folder.
fn run(folder: &Path, program: &str, arguments: &[String], task: &str) {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder.join("bin")).chain(std::env::split_paths(&paths));
    let output = Command::new(program)
        .args(arguments)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("SLURM_ARRAY_TASK_ID", task)
        .output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {}", stderr(&output));
}

fn pictures(frames: std::ops::Range<i32>) -> Vec<String> {
    frames.map(|frame| format!("face.{frame:04}.png")).collect()
}

#[test]
fn the_script_for_slurm_draws_the_frames_of_its_task() {
    let folder = shots();
    let [script] = &blocks("sh", folder.path())[..] else { panic!("one script") };
    assert!(script.contains("#SBATCH --array=0-11 "));
    run(folder.path(), "sh", &["-c".into(), script.clone()], "11");
    assert_eq!(names(&folder.path().join("out")), pictures(110..120));
    run(folder.path(), "sh", &["-c".into(), script.clone()], "0");
    assert_eq!(names(&folder.path().join("out")), [pictures(0..10), pictures(110..120)].concat());
}

#[test]
fn the_job_for_opencue_draws_the_frames_of_its_chunk() {
    let folder = shots();
    let [job] = &blocks("python", folder.path())[..] else { panic!("one job") };
    let list = job.split("command=[").nth(1).unwrap().split(']').next().unwrap();
    // The strings of the list stand between every other quotation mark.
    let words: Vec<String> = list.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert_eq!(words[0], "smirk");
    // OpenCue puts the frames of a chunk into the places of these words.
    let chunk = |first: &str, last: &str| -> Vec<String> {
        let word = |word: &String| word.replace("#FRAME_START#", first).replace("#FRAME_END#", last);
        words[1..].iter().map(word).collect()
    };
    assert!(job.contains("chunk=10, range=\"0-119\""));
    let program = folder.path().join("bin/smirk");
    run(folder.path(), program.to_str().unwrap(), &chunk("40", "42"), "");
    assert_eq!(names(&folder.path().join("out")), pictures(40..43));
}
