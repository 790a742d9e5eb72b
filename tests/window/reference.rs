//! A reference in the real window.

use std::ffi::OsStr;
use std::path::Path;

use image::{Rgb, RgbImage};

use crate::display::{Display, SIZE, Smirk};

const RED: Rgb<u8> = Rgb([230, 20, 10]);
const BLUE: Rgb<u8> = Rgb([10, 30, 240]);

/// How many pixels of the window have these colours so many seconds into the clip.
fn count(display: &Display, reference: &Path, secs: &str) -> [usize; 2] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("window.png");
    let arguments =
        [reference.as_os_str(), OsStr::new("--screenshot"), path.as_os_str(), OsStr::new("--after"), OsStr::new(secs)];
    Smirk::start(display, SIZE, arguments).wait();
    let picture = image::open(&path).unwrap().into_rgb8();
    [RED, BLUE].map(|color| picture.pixels().filter(|pixel| **pixel == color).count())
}

#[test]
fn numbered_images_of_a_folder_follow_the_play_head_beside_the_face() {
    let display = Display::start(SIZE);
    let folder = tempfile::tempdir().unwrap();
    for number in 8..=30 {
        let color = if number == 8 { RED } else { BLUE };
        RgbImage::from_pixel(64, 64, color).save(folder.path().join(format!("frame_{number}.png"))).unwrap();
    }
    let at_start = count(&display, folder.path(), "0");
    assert!(at_start[0] > 40_000 && at_start[1] == 0, "{at_start:?}");
    let later = count(&display, &folder.path().join("frame_12.png"), "1");
    assert!(later[1] > 40_000 && later[0] == 0, "{later:?}");
}
