//! The pictures of the README: each is made by the program, in a window driven as an artist would, and compared with the stored
//! one. `SMIRK_ACCEPT=1` stores what the program makes today; look at it first.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use image::RgbImage;
use image::imageops::{FilterType, crop_imm, resize};

use crate::SLIDER_Y;
use crate::display::{Display, SIZE, Smirk, mean_difference, settled_face, settled_screen, wait_until};

/// Size of the window in the README's first picture.
const WINDOW_SIZE: [usize; 2] = [1600, 1000];
/// Moment of the bundled head's clip in it: a smile grows.
const WINDOW_SECS: &str = "8.5";
/// Width of the small pictures.
const STEP_WIDTH: u32 = 440;
/// Mean difference per colour channel up to which pictures are taken for the same. The milliseconds in the window differ.
const TOLERANCE: f64 = 0.6;

fn stored_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures").join(name)
}

fn pixels(picture: &RgbImage) -> Vec<[u8; 3]> {
    picture.pixels().map(|pixel| pixel.0).collect()
}

/// How far the stored picture is from today's, which takes its place if that is asked for.
fn difference_to_stored(name: &str, today: &RgbImage) -> f64 {
    let path = stored_path(name);
    if std::env::var_os("SMIRK_ACCEPT").is_some() {
        today.save(&path).unwrap();
    }
    let stored = image::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into_rgb8();
    assert_eq!(stored.dimensions(), today.dimensions(), "{name}");
    mean_difference(&pixels(today), &pixels(&stored))
}

fn assert_current(name: &str, today: &RgbImage) {
    let difference = difference_to_stored(name, today);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    today.save(folder.join(name)).unwrap();
    assert!(
        difference < TOLERANCE,
        "docs/pictures/{name} differs by {difference} from today's, which is in {}: look at it, then SMIRK_ACCEPT=1 ./dev test --test window",
        folder.display(),
    );
}

#[test]
fn the_picture_of_the_window_is_current() {
    let display = Display::start(WINDOW_SIZE);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("window.png");
    let take = |secs: &str| {
        let arguments = [OsStr::new("--screenshot"), path.as_os_str(), OsStr::new("--after"), OsStr::new(secs)];
        let said = Smirk::start(&display, WINDOW_SIZE, arguments).wait();
        assert!(said.contains("1600×1000"), "{said}");
        image::open(&path).unwrap().into_rgb8()
    };
    let today = take(WINDOW_SECS);
    assert_current("window.png", &today);
    let other = mean_difference(&pixels(&take("4.8")), &pixels(&today));
    assert!(other > TOLERANCE, "the comparison does not see another expression: {other}");
}

/// A part of the screen at the width of the README's small pictures.
fn part(display: &Display, [left, top, width, height]: [u32; 4]) -> RgbImage {
    let bytes = settled_screen(display).into_iter().flatten().collect();
    let screen = RgbImage::from_raw(SIZE[0] as u32, SIZE[1] as u32, bytes).unwrap();
    let part = crop_imm(&screen, left, top, width, height).to_image();
    resize(&part, STEP_WIDTH, (height * STEP_WIDTH).div_euclid(width), FilterType::Lanczos3)
}

/// Opens the window with the bundled head, its clip stopped at the start.
fn open(display: &Display, arguments: &[&OsStr]) -> Smirk {
    let smirk = Smirk::start(display, SIZE, arguments.iter().copied());
    display.focus();
    wait_until("the window", || mean_difference(&display.face(), &vec![[0; 3]; 410 * 340]) > 8.0);
    display.xdotool(&["mousemove", "640", "360"]);
    display.xdotool(&["key", "space"]);
    settled_face(display);
    display.xdotool(&["key", "Home"]);
    settled_face(display);
    smirk
}

/// Position of the mark that takes the first row over.
const TAKE_OVER: [&str; 2] = ["159", "150"];

#[test]
fn the_picture_of_dragging_a_slider_is_current() {
    let display = Display::start(SIZE);
    let _smirk = open(&display, &[]);
    display.xdotool(&["key", "ctrl+f"]);
    display.xdotool(&["type", "--delay", "40", "jawOpen"]);
    let resting = settled_face(&display);
    // The clip drives this row until the mark on it is clicked.
    display.xdotool(&["mousemove", TAKE_OVER[0], TAKE_OVER[1], "click", "1"]);
    display.drag([190, SLIDER_Y], [335, SLIDER_Y]);
    display.xdotool(&["mousemove", "640", "690"]);
    let moved = mean_difference(&resting, &settled_face(&display));
    assert!(moved > 0.2, "the slider moved the face by {moved} only; the screen is in {}", display.keep_picture());
    assert_current("step-1-drag.png", &part(&display, [0, 28, 964, 600]));
}

/// A Live Link Face recording of two seconds in which the jaw opens and closes and the lips smile.
fn recording() -> String {
    let mut text = String::from("Timecode,BlendshapeCount,JawOpen,MouthSmileLeft,MouthSmileRight,BrowInnerUp\n");
    for frame in 0..120 {
        let phase = frame as f32 / 120.0 * std::f32::consts::TAU;
        let values = [
            0.35 - 0.35 * (2.0 * phase).cos(),
            0.4 - 0.4 * phase.cos(),
            0.36 - 0.36 * phase.cos(),
            0.3 + 0.3 * phase.sin(),
        ];
        let values = values.map(|value| format!("{value:.4}")).join(",");
        text += &format!("00:00:{:02}:{:02}.000,61,{values}\n", frame / 60, frame % 60);
    }
    text
}

#[test]
fn the_picture_of_a_take_is_current() {
    let display = Display::start(SIZE);
    let folder = tempfile::tempdir().unwrap();
    let take = folder.path().join("take.csv");
    std::fs::write(&take, recording()).unwrap();
    let _smirk = open(&display, &[take.as_os_str()]);
    display.xdotool(&["key", "c"]);
    display.xdotool(&["key", "Home"]);
    for _ in 0..2 {
        display.xdotool(&["key", "shift+Right"]);
    }
    display.xdotool(&["mousemove", "640", "200"]);
    assert_current("step-2-take.png", &part(&display, [0, 28, 964, 692]));
}

#[test]
fn the_picture_of_poses_is_current() {
    let display = Display::start(SIZE);
    let _smirk = open(&display, &[]);
    display.xdotool(&["key", "q"]);
    display.xdotool(&["mousemove", POSE[0], POSE[1], "click", "1"]);
    display.xdotool(&["mousemove", "640", "690"]);
    settled_face(&display);
    assert_current("step-3-poses.png", &part(&display, [316, 28, 964, 600]));
}

/// Position of the second card of the poses.
const POSE: [&str; 2] = ["1197", "250"];

#[test]
fn the_picture_of_a_contact_sheet_is_current() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.png");
    let mut smirk = Command::new(env!("CARGO_BIN_EXE_smirk"));
    let status = smirk.args(["sheet", "--columns", "9", "--cell", "120", "-o"]).arg(&path).status().unwrap();
    assert!(status.success());
    let sheet = image::open(&path).unwrap().into_rgb8();
    let height = (sheet.width() * 28 / 45).min(sheet.height());
    let part = crop_imm(&sheet, 0, 0, sheet.width(), height).to_image();
    assert_current(
        "step-4-sheet.png",
        &resize(&part, STEP_WIDTH, height * STEP_WIDTH / sheet.width(), FilterType::Lanczos3),
    );
}

#[test]
fn the_picture_of_the_blend_modes_is_current() {
    let display = Display::start(SIZE);
    let _smirk = open(&display, &[]);
    display.xdotool(&["mousemove", "1225", "13", "click", "1"]);
    display.xdotool(&["mousemove", "640", "690"]);
    assert_current("step-5-modes.png", &part(&display, [560, 0, 720, 448]));
}
