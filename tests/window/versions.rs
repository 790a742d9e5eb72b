//! Two versions of a head in the window.

use std::ffi::OsStr;
use std::rc::Rc;

use image::RgbImage;
use serde_json::json;
use smirk_editor::export::glb;
use smirk_face::head::{Head, Target};
use smirk_files::import::embedded;

use crate::display::{Display, SMALL, mean_difference};
use crate::home::Home;
use crate::smirk::Smirk;

/// The bundled head whose jaw opens to a side, with another name for a shape.
fn edited(head: &Head) -> Head {
    let jaw = head.meshes[0].targets.iter().find(|target| target.name == "jawOpen").unwrap();
    let aside = Target {
        positions: jaw.positions.iter().map(|delta| *delta + glam::Vec3::X * delta.length() * 0.7).collect(),
        ..jaw.clone()
    };
    head.with_targets(vec![(0, aside)], Vec::new())
}

/// The mean of two pictures.
fn mean(a: &RgbImage, b: &RgbImage) -> RgbImage {
    let bytes = a.iter().zip(b.iter()).map(|(a, b)| ((u16::from(*a) + u16::from(*b)) / 2) as u8).collect();
    RgbImage::from_raw(a.width(), a.height(), bytes).unwrap()
}

#[test]
fn a_version_is_seen_while_b_is_held_over_the_head_beside_it_and_as_a_difference() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["v12.glb", "v13.glb"].map(|name| folder.path().join(name));
    let head = embedded().unwrap();
    std::fs::write(&old, glb(&head).unwrap()).unwrap();
    std::fs::write(&new, glb(&edited(&head)).unwrap()).unwrap();
    let display = Rc::new(Display::start(SMALL));
    // The Report page needs no more width than other pages; the picture needs some for two faces.
    let settings = json!({"panels": {"left_open": false, "right_width": 320.0}, "reloads_head": false});
    let home = Rc::new(Home::new(&settings));
    let arguments: [&OsStr; 3] = [old.as_ref(), OsStr::new("--compare"), new.as_ref()];
    let smirk = Smirk::open(&display, &home, arguments);
    smirk.wait_until("both versions to be read", || home.log().contains("v13.glb opened"));
    smirk.stop_at_start();

    // The jaw is what moved: a click opens it, on both.
    smirk.click("jawOpen");
    smirk.wait_for("the jaw to open", |state| state.value("jawOpen") == 1.0);
    smirk.point_at("Time");
    let a = smirk.face_at_rest();
    smirk.display.xdotool(&["keydown", "b"]);
    smirk.act(&[]);
    let b = smirk.face_at_rest();
    let apart = mean_difference(&a, &b);
    assert!(apart > 0.3, "B is A but for {apart}; {}", smirk.evidence());
    smirk.act(&["keyup", "b"]);
    let again = smirk.face_at_rest();
    let (from_a, from_b) = (mean_difference(&a, &again), mean_difference(&b, &again));
    assert!(from_a < 0.5 * from_b, "{from_a} from A, {from_b} from B");

    smirk.press(&["shift+b"]);
    let beside = smirk.face_at_rest();
    assert!(mean_difference(&a, &beside) > 3.0, "side by side; {}", smirk.evidence());
    smirk.press(&["shift+b"]);
    // The camera frames the face again when both halves become one picture.
    let over = smirk.face_at_rest();
    smirk.act(&["keydown", "b"]);
    let b = smirk.face_at_rest();
    smirk.act(&["keyup", "b"]);
    smirk.press(&["shift+b"]);
    let a = smirk.face_at_rest();
    let (from_mean, from_a) = (mean_difference(&over, &mean(&a, &b)), mean_difference(&over, &a));
    assert!(from_mean < 0.6 && from_a > 2.0 * from_mean, "{from_mean} from the mean of both, {from_a} from A");

    smirk.click("Difference");
    smirk.point_at("Time");
    let difference = smirk.face_at_rest();
    // What the heat map paints of a surface that did not move, and of one that did.
    let is_violet = |pixel: &&image::Rgb<u8>| pixel[2] > 50 && pixel[1] < 30;
    let is_green = |pixel: &&image::Rgb<u8>| pixel[1] > 110 && pixel[1] > pixel[0];
    let [violet, green] = [difference.pixels().filter(is_violet).count(), difference.pixels().filter(is_green).count()];
    assert!(violet > 10_000 && green > 1_000, "{violet} at 0, {green} moved; {}", smirk.evidence());

    // Where that is switched off, a head whose file changes is left alone: a change of B that comes later is noticed already.
    std::fs::write(&old, "another file").unwrap();
    std::fs::write(&new, "another file").unwrap();
    smirk.wait_for("the change of B", |state| state.says("B has changed since it was read"));
    let log = home.log();
    assert!(!log.contains("reloaded") && !log.contains("broken"), "{log}");

    std::fs::remove_file(&new).unwrap();
    let (said, settings) = smirk.quit();
    assert_eq!(said, "", "Smirk complained");
    assert_eq!(settings["reloads_head"].as_bool(), Some(false));
}
