//! `--watch`: commands that draw again when the files of the head change.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test")]

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use serde_json::json;
use smirk_editor::document::Document;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};
use smirk_support::HANGS_AFTER;
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::slow_writing::write_in_pieces;

use crate::process::{SMIRK, isolated};

/// A triangle with a target, and with a colour.
fn head(red: f32) -> Vec<u8> {
    let mut file = GltfBuilder::triangle();
    let deltas = file.floats("VEC3", &[0., 0., 0., 0.5, 0., 0., 0., 0., 0.]);
    file.push("materials", json!({"pbrMetallicRoughness": {"baseColorFactor": [red, 0.1, 0.1, 1.0]}}));
    file.primitive()["targets"] = json!([{"POSITION": deltas}]);
    file.primitive()["material"] = json!(0);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["jawOpen"]});
    file.glb()
}

/// A command that watches, and the lines that it prints.
struct Watching {
    process: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(arguments: &[&str]) -> Self {
        let mut process = isolated(SMIRK).args(arguments).arg("--watch").stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(process.stderr.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { process, lines }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(HANGS_AFTER).expect("another line")
    }

    /// Ends it as a task manager does. Ctrl+C would be ignored where the tests run in the background of a shell.
    fn interrupt(mut self) {
        let status = Command::new("sh").args(["-c", &format!("kill -TERM {}", self.process.id())]).status().unwrap();
        assert!(status.success());
        assert_eq!(self.process.wait().unwrap().signal(), Some(15), "it ends as every command does");
        assert_eq!(self.lines.recv_timeout(HANGS_AFTER).ok(), None);
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // A failed test must not leave a process behind.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Replaces a file in one step.
fn replace(path: &Path, bytes: &[u8]) {
    let temporary = path.with_extension("tmp");
    std::fs::write(&temporary, bytes).unwrap();
    std::fs::rename(&temporary, path).unwrap();
}

#[test]
fn a_picture_is_drawn_again_whenever_the_head_is_written_and_a_broken_one_is_an_error_that_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (file, picture) = (folder.path().join("head.glb"), folder.path().join("face.png"));
    std::fs::write(&file, head(0.2)).unwrap();
    let [head_file, output] = [&file, &picture].map(|path| path.to_str().unwrap());
    let render = ["render", head_file, "-o", output, "--size", "16x12", "--samples", "0"];
    let watching = Watching::start(&render);
    let is_drawn = |line: &str| line.contains("face.png, 16×12 pixels, drawn in ");
    let line = watching.line();
    assert!(is_drawn(&line), "{line}");
    let dark = image::open(&picture).unwrap().into_rgba8();

    let never_rested = write_in_pieces(&file, &head(0.9)).unwrap();
    let mut line = watching.line();
    while !is_drawn(&line) && !never_rested {
        line = watching.line();
    }
    assert!(is_drawn(&line), "{line}");
    let light = image::open(&picture).unwrap().into_rgba8();
    assert_ne!(light, dark);

    replace(&file, &head(0.9)[..100]);
    let line = watching.line();
    assert!(line.starts_with(&format!("smirk: {}: ", file.display())), "{line}");
    assert_eq!(image::open(&picture).unwrap().into_rgba8(), light, "the picture stays");

    // The line of the error is printed as soon as its reading has begun.
    replace(&file, &head(0.2));
    let line = watching.line();
    assert!(is_drawn(&line), "{line}");
    assert_eq!(image::open(&picture).unwrap().into_rgba8(), dark);
    watching.interrupt();
}

#[test]
fn a_sheet_is_drawn_again_when_its_project_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (file, sheet) = (folder.path().join("head.glb"), folder.path().join("sheet.png"));
    std::fs::write(&file, head(0.2)).unwrap();
    let project = folder.path().join("look.smirk");
    let with_exposure = |exposure: f32| {
        let (head, look) = (smirk_files::import::open(&file).unwrap(), Look { exposure, ..Look::default() });
        let session = Session::new(Arc::new(head), HeadSource::File(file.clone()), look, BlendMode::Cpu);
        let other = folder.path().join(format!("{exposure}.smirk"));
        Document::new(session, None).save(&other).unwrap();
        std::fs::read(other).unwrap()
    };
    std::fs::write(&project, with_exposure(0.0)).unwrap();
    let [project_file, output] = [&project, &sheet].map(|path| path.to_str().unwrap());
    let watching = Watching::start(&["sheet", project_file, "-o", output, "--cell", "48", "--samples", "0"]);
    let mut before = None;
    for write in [None, Some((&file, head(0.9))), Some((&project, with_exposure(1.0)))] {
        if let Some((path, bytes)) = write {
            replace(path, &bytes);
        }
        let line = watching.line();
        assert!(line.contains("sheet.png, ") && line.contains(" pixels, drawn in "), "{line}");
        let drawn = Some(image::open(&sheet).unwrap().into_rgba8());
        assert_ne!(drawn, before);
        before = drawn;
    }
    watching.interrupt();
}

#[test]
fn there_is_nothing_to_watch_without_a_file() {
    let output = isolated(SMIRK).args(["render", "-o", "x.png", "--watch"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
