//! The pictures of the README and of the page about the head: each is made by the program, in a window driven as an artist would or by
//! a command, and compared with the stored one. `SMIRK_ACCEPT=1` stores what the program makes today; look at it first.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{FilterType, crop_imm, replace, resize};
use image::{ImageFormat, RgbImage};
use serde_json::json;
use smirk_support::programs::isolated;

use crate::display::{Display, mean_difference};
use crate::home::Home;
use crate::smirk::Smirk;

/// Size of the window in the README's small pictures.
const SIZE: [usize; 2] = [1280, 720];
/// Size of the window in the README's first picture.
const WINDOW_SIZE: [usize; 2] = [1600, 1000];
/// Moment of the bundled head's clip in it: a smile grows.
const WINDOW_SECS: f32 = 8.5;
/// Samples of a small picture, in which a pixel has several of the window's.
const SAMPLES: &str = "4";
/// Width of the small pictures.
const STEP_WIDTH: u32 = 440;
/// Mean difference per colour channel up to which pictures are taken for the same. The milliseconds in the window differ.
const TOLERANCE: f64 = 0.6;

fn stored_path(name: &str) -> PathBuf {
    smirk_support::repository().join("docs/pictures").join(name)
}

/// The bytes of the file that keeps a picture: a JPEG for photographs of the head, which would be large otherwise.
fn encoded(name: &str, picture: &RgbImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    if name.ends_with(".jpg") {
        JpegEncoder::new_with_quality(&mut bytes, 90).encode_image(picture).unwrap();
    } else {
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    }
    bytes.into_inner()
}

/// How far the stored picture is from today's, which takes its place if that is asked for.
fn difference_to_stored(name: &str, today: &RgbImage) -> f64 {
    let path = stored_path(name);
    let today = encoded(name, today);
    if std::env::var_os("SMIRK_ACCEPT").is_some() {
        std::fs::write(&path, &today).unwrap();
    }
    let today = &image::load_from_memory(&today).unwrap().into_rgb8();
    let stored = image::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into_rgb8();
    assert_eq!(stored.dimensions(), today.dimensions(), "{name}");
    mean_difference(today, &stored)
}

/// What is to be said of a picture that is not current.
fn complaint(name: &str, today: &RgbImage) -> Option<String> {
    let difference = difference_to_stored(name, today);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    today.save(folder.join(name)).unwrap();
    (difference >= TOLERANCE).then(|| {
        format!(
            "docs/pictures/{name} differs by {difference} from today's, which is in {}: look at it, then SMIRK_ACCEPT=1 ./dev test --test window",
            folder.display(),
        )
    })
}

fn assert_current(name: &str, today: &RgbImage) {
    assert_eq!(complaint(name, today), None);
}

/// A part of the screen at the width of the README's small pictures, once the window is at rest.
fn part(smirk: &Smirk, [left, top, width, height]: [u32; 4]) -> RgbImage {
    smirk.wait_until_at_rest();
    let part = crop_imm(&smirk.display.picture(), left, top, width, height).to_image();
    resize(&part, STEP_WIDTH, (height * STEP_WIDTH).div_euclid(width), FilterType::Lanczos3)
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
fn the_pictures_of_the_window_and_of_the_steps_in_it_are_current() {
    let display = Rc::new(Display::start(WINDOW_SIZE));
    let home = Rc::new(Home::of_size(WINDOW_SIZE, &json!({})));
    let take = home.at("take.csv");
    std::fs::write(&take, recording()).unwrap();
    home.answer_dialogs(&take);
    let smirk = Smirk::start(&display, &home, ["--samples", SAMPLES], &[]).opened();
    smirk.stop_at_start();
    let mut complaints = Vec::new();
    let mut compare = |name: &str, part: RgbImage| complaints.extend(complaint(name, &part));

    smirk.step_to(WINDOW_SECS);
    smirk.wait_until_at_rest();
    compare("window.png", display.picture());
    smirk.resize(SIZE);
    smirk.stop_at_start();

    smirk.click("Blend mode");
    // Off the list, to a place that is on none of the pictures.
    smirk.point_at("Time");
    smirk.wait_for("the list of blend modes", |state| state.says("Multi-pass"));
    compare("step-5-modes.png", part(&smirk, [560, 0, 720, 448]));
    smirk.press(&["Escape"]);
    smirk.wait_for("the list to go", |state| !state.says("Multi-pass"));

    // A drag.
    smirk.search("jawOpen");
    let (shown, resting) = ([0, 28, 964, 600], smirk.face_at_rest());
    let rested = part(&smirk, shown);
    // The clip drives this row until the mark on it is clicked.
    smirk.click("Take over jawOpen");
    smirk.wait_for("the row to be taken over", |state| state.shows("Give back jawOpen"));
    smirk.drag_slider("jawOpen", 0.16, 0.67);
    smirk.point_at("Time");
    let moved = mean_difference(&resting, &smirk.face_at_rest());
    assert!(moved > 0.2, "the slider moved the face by {moved} only; {}", smirk.evidence());
    let dragged = part(&smirk, shown);
    let apart = mean_difference(&rested, &dragged);
    assert!(apart > TOLERANCE, "the comparison does not see another expression: {apart}");
    compare("step-1-drag.png", dragged);
    smirk.click("Give back jawOpen");
    smirk.wait_for("the clip to drive the row again", |state| state.shows("Take over jawOpen"));
    smirk.press(&["ctrl+f"]);
    smirk.press(&["ctrl+a", "BackSpace"]);
    smirk.press(&["Escape"]);

    // A pose.
    let before = smirk.current();
    smirk.press(&["q"]);
    smirk.click("Pose Smile");
    smirk.point_at("Time");
    smirk
        .wait_for("the pose", |state| state.widget("Amount of Smile").is_some_and(|amount| amount.number == Some(1.0)));
    compare("step-3-poses.png", part(&smirk, [316, 28, 964, 600]));
    smirk.undo_to(&before);
    smirk.press(&["w"]);

    // A take. Home is a key of the window only while no widget has the keyboard.
    smirk.press(&["Escape"]);
    smirk.press(&["ctrl+o"]);
    smirk.wait_for("the take to play", |state| state.is_playing);
    smirk.stop_at_start();
    smirk.press(&["c"]);
    smirk.step_to(1.0);
    compare("step-2-take.png", part(&smirk, [0, 28, 964, 692]));

    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_picture_of_a_contact_sheet_is_current() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.png");
    let mut smirk = isolated(env!("CARGO_BIN_EXE_smirk"), folder.path());
    let status =
        smirk.args(["sheet", "--columns", "9", "--cell", "96", "--samples", "1", "-o"]).arg(&path).status().unwrap();
    assert!(status.success());
    let sheet = image::open(&path).unwrap().into_rgb8();
    let height = (sheet.width() * 28 / 45).min(sheet.height());
    let part = crop_imm(&sheet, 0, 0, sheet.width(), height).to_image();
    assert_current(
        "step-4-sheet.png",
        &resize(&part, STEP_WIDTH, height * STEP_WIDTH / sheet.width(), FilterType::Lanczos3),
    );
}

/// One picture on the sheet of the bundled head: the size that it is drawn at, the part that is shown, the view, and the pose.
type Shot = ([u32; 2], [u32; 4], &'static str, &'static str);

const WHOLE: [u32; 2] = [900, 1080];
const CLOSE: [u32; 2] = [1350, 1620];
/// The part of a picture that shows the face from forehead to chin.
const FACE: [u32; 4] = [174, 200, 560, 672];
/// Front, three quarters and profile; eyes and mouth; blink, smile, anger, pucker and jaw.
const SHOTS: [Shot; 10] = [
    (WHOLE, [134, 110, 640, 768], "front", ""),
    (WHOLE, [189, 110, 640, 768], "threequarter", ""),
    (WHOLE, [129, 60, 760, 912], "left", ""),
    (CLOSE, [481, 466, 400, 480], "front", ""),
    (CLOSE, [481, 786, 400, 480], "front", ""),
    (WHOLE, FACE, "front", "eyeBlinkLeft=1,eyeBlinkRight=1"),
    (
        WHOLE,
        FACE,
        "front",
        "mouthSmileLeft=0.8,mouthSmileRight=0.8,cheekSquintLeft=0.5,cheekSquintRight=0.5,jawOpen=0.12",
    ),
    (WHOLE, FACE, "front", "Anger"),
    (WHOLE, FACE, "front", "mouthPucker=1"),
    (WHOLE, [174, 260, 560, 672], "front", "jawOpen=0.7"),
];
/// The size of each on the sheet, and their number in a row.
const SHOT_SIZE: [u32; 2] = [200, 240];
const SHOTS_IN_A_ROW: u32 = 5;

#[test]
fn the_pictures_of_the_bundled_head_are_current() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shot.png");
    let [width, height] = SHOT_SIZE;
    let rows = SHOTS.len() as u32 / SHOTS_IN_A_ROW;
    let mut sheet = RgbImage::new(width * SHOTS_IN_A_ROW, height * rows);
    for (index, ([across, down], [left, top, shown_across, shown_down], view, pose)) in (0..).zip(SHOTS) {
        let mut smirk = isolated(env!("CARGO_BIN_EXE_smirk"), folder.path());
        smirk
            .args(["render", "--samples", "8", "--view", view, "--size", &format!("{across}x{down}"), "-o"])
            .arg(&path);
        if !pose.is_empty() {
            smirk.args(["--pose", pose]);
        }
        assert!(smirk.status().unwrap().success());
        let shot = image::open(&path).unwrap().into_rgb8();
        let part = crop_imm(&shot, left, top, shown_across, shown_down).to_image();
        let (column, row) = (index % SHOTS_IN_A_ROW, index / SHOTS_IN_A_ROW);
        let part = resize(&part, width, height, FilterType::Lanczos3);
        replace(&mut sheet, &part, i64::from(column * width), i64::from(row * height));
    }
    assert_current("head-after.jpg", &sheet);
}
