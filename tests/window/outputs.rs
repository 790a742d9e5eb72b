//! What a window that only takes a screenshot says, and what it leaves alone.

use std::ffi::OsStr;
use std::path::Path;
use std::rc::Rc;

use serde_json::json;

use crate::display::{Display, SMALL};
use crate::home::{Home, save_project};
use crate::smirk::Smirk;
use smirk_support::small_head;

/// Takes a screenshot.
fn start(display: &Rc<Display>, files: &[&Path], output: &Path) -> Smirk {
    let arguments = ["--samples", "1", "--after", "0.1", "--screenshot"].map(OsStr::new);
    let arguments = arguments.into_iter().chain([output.as_os_str()]).chain(files.iter().map(|file| file.as_os_str()));
    Smirk::start(display, &Rc::new(Home::new(&json!({}))), arguments, &[])
}

/// Takes a screenshot, which fails; what the program wrote to the error stream.
fn fails(display: &Rc<Display>, file: &Path, output: &Path) -> String {
    let (status, said) = start(display, &[file], output).wait_for_end();
    assert_eq!(status.code(), Some(1), "{said}");
    said
}

#[test]
fn a_screenshot_has_the_size_of_the_window_and_replaces_no_file_of_a_project() {
    let display = Rc::new(Display::start(SMALL));
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("face.obj"), "mtllib face.mtl\nusemtl skin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    std::fs::write(at("face.mtl"), "newmtl skin\nKd 1 0 0\n").unwrap();
    save_project(&at("walk.smirk"), at("face.obj"));
    std::fs::write(at("take.csv"), "Time,jawOpen\n0,0\n1,1\n").unwrap();
    let head = small_head::write(folder.path());
    let said = start(&display, &[&head, &at("take.csv")], &at("window.png")).wait_for_success();
    assert!(said.contains("960×600") && said.lines().count() == 1, "{said}");
    let dimensions = image::image_dimensions(at("window.png")).unwrap();
    assert_eq!([dimensions.0, dimensions.1].map(|extent| extent as usize), SMALL);
    for (name, start) in [("face.obj", "mtllib"), ("face.mtl", "newmtl"), ("walk.smirk", "{")] {
        let said = fails(&display, &at("walk.smirk"), &at(name));
        let words = format!("cannot write {}: it is an input", at(name).display());
        assert!(said.contains(&words), "{said}");
        assert!(std::fs::read_to_string(at(name)).unwrap().starts_with(start), "{name} was replaced");
    }
    std::fs::write(at("bad.glb"), "no model").unwrap();
    let said = fails(&display, &at("bad.glb"), &at("picture.png"));
    assert!(said.contains("bad.glb did not open: "), "{said}");
    assert!(image::open(at("picture.png")).is_ok(), "the window with the message is on the picture");
}
