//! A reference in the real window.

use std::os::unix::fs::PermissionsExt;
use std::rc::Rc;

use image::{Rgb, RgbImage};
use serde_json::json;

use crate::display::{Display, SMALL};
use crate::home::Home;
use crate::smirk::Smirk;

const RED: Rgb<u8> = Rgb([230, 20, 10]);
const BLUE: Rgb<u8> = Rgb([10, 30, 240]);

/// How many pixels of the reference on the screen have a colour once the window is at rest. JPEG makes it a little
/// another.
fn count(smirk: &Smirk, color: Rgb<u8>) -> usize {
    let picture = smirk.part_at_rest("Reference");
    let is_near = |pixel: &&Rgb<u8>| pixel.0.iter().zip(color.0).all(|(a, b)| a.abs_diff(b) <= 4);
    picture.pixels().filter(is_near).count()
}

fn counts(smirk: &Smirk) -> [usize; 2] {
    [RED, BLUE].map(|color| count(smirk, color))
}

/// The reference is red at the start, and blue at one second.
fn assert_follows_the_play_head(smirk: &Smirk) {
    smirk.stop_at_start();
    let [red, blue] = counts(smirk);
    assert!(red > 40_000 && blue == 0, "{red} red and {blue} blue pixels at the start");
    smirk.step_to(1.0);
    let [red, blue] = counts(smirk);
    assert!(blue > 40_000 && red == 0, "{red} red and {blue} blue pixels at one second");
}

#[test]
fn numbered_images_of_a_folder_follow_the_play_head_beside_the_face() {
    let display = Rc::new(Display::start(SMALL));
    let folder = tempfile::tempdir().unwrap();
    for number in 8..=30 {
        let color = if number == 8 { RED } else { BLUE };
        RgbImage::from_pixel(64, 64, color).save(folder.path().join(format!("frame_{number}.png"))).unwrap();
    }
    let home = Rc::new(Home::new(&json!({"panels": {"right_open": false}})));
    let smirk = Smirk::open(&display, &home, [folder.path()]);
    smirk.wait_for("the reference", |state| state.shows("Reference"));
    assert_follows_the_play_head(&smirk);
    smirk.quit();

    // One image of the folder stands for all of them.
    let smirk = Smirk::open(&display, &home, [&folder.path().join("frame_12.png")]);
    smirk.wait_for("the reference", |state| state.shows("Reference"));
    smirk.stop_at_start();
    smirk.step_to(1.0);
    let [red, blue] = counts(&smirk);
    assert!(blue > 40_000 && red == 0, "{red} red and {blue} blue pixels at one second");
    smirk.quit();
}

/// The colour of a frame of the video: from red at the start to blue from one second on.
fn color(frame: usize) -> Rgb<u8> {
    let part = frame.min(24) as f32 / 24.0;
    Rgb([0, 1, 2].map(|channel| (f32::from(RED[channel]) * (1.0 - part) + f32::from(BLUE[channel]) * part) as u8))
}

/// Puts a program in the place of one that is installed.
fn add_program(home: &Home, name: &str, script: &str) {
    std::fs::create_dir_all(home.at("bin")).unwrap();
    let program = home.at("bin").join(name);
    let path = std::env::var("PATH").unwrap();
    std::fs::write(&program, format!("#!/bin/sh\nPATH='{path}'\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Puts programs in the places of ffmpeg and ffprobe: a video with a sound and 48 frames, 24 per second.
fn add_ffmpeg(home: &Home) {
    for frame in 0..48 {
        RgbImage::from_pixel(64, 64, color(frame)).save(home.at(&format!("{frame}.jpg"))).unwrap();
    }
    let facts = json!({"streams": [
        {"codec_type": "video", "width": 64, "height": 64, "avg_frame_rate": "24/1", "nb_frames": "48"},
        {"codec_type": "audio"},
    ]});
    add_program(home, "ffprobe", &format!("echo '{facts}'"));
    let folder = home.path().display();
    let ffmpeg = format!(
        r#"while [ $# -gt 0 ]; do
            case $1 in -ss) secs=$2;; -frames:v) count=$2;; esac
            shift
        done
        frame=$(awk "BEGIN {{ print int($secs * 24 + 0.5) }}")
        end=$((frame + count))
        while [ $frame -lt $end ] && [ $frame -lt 48 ]; do
            cat '{folder}'/$frame.jpg
            frame=$((frame + 1))
        done"#
    );
    add_program(home, "ffmpeg", &ffmpeg);
}

#[test]
fn a_video_follows_the_play_head_and_brings_its_sound() {
    let display = Rc::new(Display::start([1280, 900]));
    let home = Rc::new(Home::of_size([1280, 900], &json!({"panels": {"page": "motion", "knows_probing": true}})));
    let video = home.at("burst.mov");
    let sounds = smirk_support::sounds::all();
    std::fs::write(&video, &sounds.iter().find(|(name, _)| *name == "burst.mov").unwrap().1).unwrap();
    add_ffmpeg(&home);
    let smirk = Smirk::open(&display, &home, [&video]);
    smirk.wait_for("the reference and its sound", |state| {
        state.shows("Reference") && state.shows("Remove sound burst.mov")
    });
    assert_follows_the_play_head(&smirk);
    // While the play head is dragged to and fro, the frame there is shown.
    let ruler = smirk.widget("Time");
    for [from, to] in [[0.01, 0.06], [0.06, 0.03], [0.03, 0.075]] {
        smirk.drag(ruler.at([from, 0.5]), ruler.at([to, 0.5]));
        let state = smirk.wait_until_at_rest();
        let frame = (state.play_head_secs * 24.0 + 1e-3) as usize;
        assert!((1..24).contains(&frame), "frame {frame}, from {from} to {to}");
        let shown = count(&smirk, color(frame));
        assert!(shown > 40_000, "{shown} pixels of frame {frame}; {}", smirk.evidence());
        assert!(smirk.current().says(&format!("{} of 48", frame + 1)));
    }
    smirk.quit();
}

#[test]
fn the_reference_stays_where_a_video_cannot_be_read() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({"panels": {"right_open": false}})));
    let photo = home.at("photo.png");
    RgbImage::from_pixel(64, 64, RED).save(&photo).unwrap();
    let video = home.at("shot.mp4");
    std::fs::write(&video, b"no video").unwrap();
    home.answer_dialogs(&video);
    let smirk = Smirk::open(&display, &home, [&photo]);
    smirk.wait_for("the reference", |state| state.shows("Reference"));
    smirk.stop_at_start();
    let fails = |problem: &str| {
        smirk.click("Open another reference");
        smirk.wait_for("the problem", |state| state.says(problem));
        smirk.click("Dismiss");
        smirk.wait_for("the message to be closed", |state| !state.says(problem));
        assert!(smirk.current().says("photo.png"));
        let red = count(&smirk, RED);
        assert!(red > 40_000, "{red} red pixels; {}", smirk.evidence());
    };
    fails("ffmpeg, which reads videos, is not in the PATH; install it");
    add_ffmpeg(&home);
    add_program(&home, "ffprobe", "echo 'shot.mp4: Invalid data found' >&2; exit 1");
    fails("the video cannot be read: Invalid data found");
    smirk.quit();
}
