//! Two versions of a head in the window.

use std::ffi::OsStr;
use std::rc::Rc;

use image::RgbImage;
use serde_json::json;
use smirk_export::glb;
use smirk_face::head::{Head, Target};
use smirk_files::import::{embedded, open};
use smirk_support::small_head;

use crate::display::{Display, SMALL, mean_difference};
use crate::home::Home;
use crate::smirk::Smirk;
use crate::state::State;

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

/// The frames are what was read: the folder itself is not, and changes with every file that is put into it.
#[test]
fn recorded_frames_are_read_again_when_one_of_them_changes() {
    let home = Rc::new(Home::new(&json!({})));
    let head = small_head::write(home.path());
    let frames = home.path().join("frames");
    std::fs::create_dir(&frames).unwrap();
    let mesh = &open(&head).unwrap().meshes[0];
    let write = |frame: usize, lower: f32| {
        let lowered = mesh.vertices.positions.iter().map(|at| [at.x, at.y - lower * at.z.max(0.0), at.z]);
        let points: String = lowered.map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
        let faces = mesh.indices.chunks(3).map(|face| format!("f {} {} {}\n", face[0] + 1, face[1] + 1, face[2] + 1));
        std::fs::write(frames.join(format!("{frame}.obj")), points + &faces.collect::<String>()).unwrap();
    };
    (0..3).for_each(|frame| write(frame, 0.1 * frame as f32));
    let display = Rc::new(Display::start(SMALL));
    let arguments: [&OsStr; 3] = [head.as_ref(), OsStr::new("--compare"), frames.as_ref()];
    let smirk = Smirk::open(&display, &home, arguments);
    smirk.wait_for("the frames to be read", |state| state.says("3 frames of frames are B"));
    smirk.stop_at_start();
    std::fs::write(frames.join("notes.txt"), "the second take").unwrap();
    let is_changed = |state: &State| state.says("B has changed since it was read");
    // A later change of the head is noticed after anything that was noticed of B.
    small_head::write(home.path());
    smirk.wait_until("the head to be read again", || home.log().contains("reloaded"));
    assert!(!is_changed(&smirk.wait_until_at_rest()), "{}", smirk.evidence());
    write(2, 0.4);
    smirk.wait_for("the change of a frame", is_changed);
    smirk.click("Read it again");
    smirk.wait_for("the frames to be read again", |state| !is_changed(state));
    std::fs::remove_dir_all(&frames).unwrap();
    smirk.wait_for("the loss of the frames", |state| state.says("B is gone from its folder"));
    assert_eq!(smirk.quit().0, "", "Smirk complained");
}
