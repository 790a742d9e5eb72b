//! Two versions of a head in the window.

use std::ffi::OsStr;
use std::path::Path;

use smirk_editor::export::{OutputPath, save_glb};
use smirk_face::head::{Head, Target};
use smirk_files::import::embedded;

use crate::display::{Display, SIZE, Smirk, mean_difference, settled_face, wait_until};

/// Position of the box "Difference" of the Report page.
const DIFFERENCE: [usize; 2] = [1008, 205];
/// Position of the first channel in the list of those that moved.
const FIRST_MOVED: [usize; 2] = [1020, 286];

/// The bundled head whose jaw opens to a side, with another name for a shape.
fn edited(head: &Head) -> Head {
    let jaw = head.meshes[0].targets.iter().find(|target| target.name == "jawOpen").unwrap();
    let aside = Target {
        positions: jaw.positions.iter().map(|delta| *delta + glam::Vec3::X * delta.length() * 0.5).collect(),
        ..jaw.clone()
    };
    head.with_targets(vec![(0, aside)], Vec::new())
}

fn log(config: &Path) -> String {
    std::fs::read_to_string(config.join("smirk.log")).unwrap_or_default()
}

/// The mean of two pictures.
fn mean(a: &[[u8; 3]], b: &[[u8; 3]]) -> Vec<[u8; 3]> {
    let of = |(a, b): (&[u8; 3], &[u8; 3])| [0, 1, 2].map(|at| ((u16::from(a[at]) + u16::from(b[at])) / 2) as u8);
    a.iter().zip(b).map(of).collect()
}

fn click(display: &Display, [x, y]: [usize; 2]) {
    display.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    display.xdotool(&["click", "1"]);
    display.xdotool(&["mousemove", "640", "700"]);
}

#[test]
fn a_version_is_seen_while_b_is_held_over_the_head_beside_it_and_as_a_difference() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["v12.glb", "v13.glb"].map(|name| folder.path().join(name));
    let head = embedded().unwrap();
    save_glb(&OutputPath::new(&old), &head).unwrap();
    save_glb(&OutputPath::new(&new), &edited(&head)).unwrap();
    let display = Display::start(SIZE);
    let arguments: [&OsStr; 3] = [old.as_ref(), OsStr::new("--compare"), new.as_ref()];
    let smirk = Smirk::start(&display, SIZE, arguments);
    let config = smirk.config.path().to_owned();
    wait_until("both versions to be read", || log(&config).contains("v13.glb opened"));
    display.focus();
    display.xdotool(&["mousemove", "640", "700"]);
    display.xdotool(&["key", "space"]);

    // The jaw is what moved: a click opens it, on both.
    click(&display, FIRST_MOVED);
    let a = settled_face(&display);
    display.xdotool(&["keydown", "b"]);
    let b = settled_face(&display);
    let apart = mean_difference(&a, &b);
    assert!(apart > 0.3, "B is A but for {apart}; the screen is in {}", display.keep_picture());
    display.xdotool(&["keyup", "b"]);
    // The inside of the mouth may only now be as dark as it is.
    wait_until("A to be back", || {
        let face = display.face();
        mean_difference(&a, &face) < 0.5 * mean_difference(&b, &face)
    });

    display.xdotool(&["key", "shift+b"]);
    let beside = settled_face(&display);
    assert!(mean_difference(&a, &beside) > 3.0, "side by side; the screen is in {}", display.keep_picture());
    display.xdotool(&["key", "shift+b"]);
    // The camera frames the face again when both halves become one picture.
    let over = settled_face(&display);
    display.xdotool(&["keydown", "b"]);
    let b = settled_face(&display);
    display.xdotool(&["keyup", "b"]);
    display.xdotool(&["key", "shift+b"]);
    let a = settled_face(&display);
    let (from_mean, from_a) = (mean_difference(&over, &mean(&a, &b)), mean_difference(&over, &a));
    assert!(from_mean < 0.6 && from_a > 2.0 * from_mean, "{from_mean} from the mean of both, {from_a} from A");

    click(&display, DIFFERENCE);
    let difference = settled_face(&display);
    let is_violet = |pixel: &&[u8; 3]| pixel[2] > 50 && pixel[1] < 30;
    let is_green = |pixel: &&[u8; 3]| pixel[1] > 110 && pixel[1] > pixel[0];
    let [violet, green] = [difference.iter().filter(is_violet).count(), difference.iter().filter(is_green).count()];
    assert!(violet > 10_000 && green > 1_000, "{violet} at 0, {green} moved; {}", display.keep_picture());

    std::fs::remove_file(&new).unwrap();
    let (said, _) = smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");
}
