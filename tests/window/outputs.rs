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

/// Takes a screenshot, which fails with an exit code; what the program wrote to the error stream.
fn fails(code: i32, display: &Rc<Display>, file: &Path, output: &Path) -> String {
    let (status, said) = start(display, &[file], output).wait_for_end();
    assert_eq!(status.code(), Some(code), "{said}");
    said
}

#[test]
fn a_screenshot_has_the_size_of_the_window_and_replaces_no_file_of_a_project() {
    let display = Rc::new(Display::start(SMALL));
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let face = "mtllib face.mtl\nusemtl skin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n";
    std::fs::write(at("face.obj"), face).unwrap();
    std::fs::write(at("face.mtl"), "newmtl skin\nmap_Kd skin.png\n").unwrap();
    image::RgbImage::new(4, 4).save(at("skin.png")).unwrap();
    save_project(&at("walk.smirk"), at("face.obj"));
    std::fs::write(at("take.csv"), "Time,jawOpen\n0,0\n1,1\n").unwrap();
    let head = small_head::write(folder.path());
    let said = start(&display, &[&head, &at("take.csv")], &at("window.png")).wait_for_success();
    assert!(said.contains("960×600") && said.lines().count() == 1, "{said}");
    let dimensions = image::image_dimensions(at("window.png")).unwrap();
    assert_eq!([dimensions.0, dimensions.1].map(|extent| extent as usize), SMALL);
    let said = fails(1, &display, &at("walk.smirk"), &at("skin.png"));
    assert!(said.contains(&format!("cannot write {}: it is an input", at("skin.png").display())), "{said}");
    assert_eq!(image::image_dimensions(at("skin.png")).unwrap(), (4, 4), "it was replaced");
    // A file that is named is an input whatever the output is called; others are found out when they are opened.
    for (name, start, code, words) in [
        ("face.obj", "mtllib", 2, "must end in .png"),
        ("face.mtl", "newmtl", 2, "must end in .png"),
        ("walk.smirk", "{", 1, "it is an input"),
    ] {
        let said = fails(code, &display, &at("walk.smirk"), &at(name));
        assert!(said.contains(words), "{said}");
        assert!(std::fs::read_to_string(at(name)).unwrap().starts_with(start), "{name} was replaced");
    }
    std::fs::write(at("bad.glb"), "no model").unwrap();
    let said = fails(1, &display, &at("bad.glb"), &at("picture.png"));
    assert!(said.contains("bad.glb did not open: "), "{said}");
    assert!(image::open(at("picture.png")).is_ok(), "the window with the message is on the picture");
}
