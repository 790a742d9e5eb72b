//! A reference in the real window.

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
    smirk.stop_at_start();
    let [red, blue] = counts(&smirk);
    assert!(red > 40_000 && blue == 0, "{red} red and {blue} blue pixels at the start");
    smirk.step_to(1.0);
    let [red, blue] = counts(&smirk);
    assert!(blue > 40_000 && red == 0, "{red} red and {blue} blue pixels at one second");
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
