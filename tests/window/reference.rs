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

/// How many pixels of the reference on the screen have the two colours once the window is at rest.
fn counts(smirk: &Smirk) -> [usize; 2] {
    let picture = smirk.part_at_rest("Reference");
    [RED, BLUE].map(|color| picture.pixels().filter(|pixel| **pixel == color).count())
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

/// Puts programs in the places of ffmpeg and ffprobe: a video with a sound, 48 frames of 24 per second, of which those
/// that are asked for from the first on are red, and others blue.
fn add_ffmpeg(home: &Home) {
    for (name, color) in [("red", RED), ("blue", BLUE)] {
        let pixels = [color.0[0], color.0[1], color.0[2], 255].repeat(64 * 64);
        std::fs::write(home.at(name), pixels).unwrap();
    }
    let facts = json!({"streams": [
        {"codec_type": "video", "width": 64, "height": 64, "avg_frame_rate": "24/1", "nb_frames": "48"},
        {"codec_type": "audio"},
    ]});
    let [red, blue] = ["red", "blue"].map(|name| home.at(name).display().to_string());
    let ffmpeg = format!(r#"case "$*" in *"-ss 0.000000"*) exec /bin/cat {red};; *) exec /bin/cat {blue};; esac"#);
    std::fs::create_dir_all(home.at("bin")).unwrap();
    for (name, script) in [("ffprobe", format!("echo '{facts}'")), ("ffmpeg", ffmpeg)] {
        let program = home.at("bin").join(name);
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn a_video_follows_the_play_head_and_brings_its_sound() {
    let display = Rc::new(Display::start([1280, 900]));
    let home = Rc::new(Home::of_size([1280, 900], &json!({"panels": {"page": "motion", "knows_probing": true}})));
    let video = home.at("burst.mov");
    let sounds = smirk_support::sounds::all();
    std::fs::write(&video, &sounds.iter().find(|(name, _)| *name == "burst.mov").unwrap().1).unwrap();
    let smirk = Smirk::open(&display, &home, [&video]);
    smirk.wait_for("what is lacking", |state| state.says("ffmpeg, which reads videos, is not in the PATH; install it"));
    assert!(!smirk.current().shows("Reference"));
    smirk.quit();

    add_ffmpeg(&home);
    let smirk = Smirk::open(&display, &home, [&video]);
    smirk.wait_for("the reference and its sound", |state| {
        state.shows("Reference") && state.shows("Remove sound burst.mov")
    });
    assert_follows_the_play_head(&smirk);
    smirk.quit();
}
