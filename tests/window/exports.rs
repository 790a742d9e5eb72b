//! The Export page in a real window: a picture, an animation and a contact sheet become files.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use crate::display::{Display, Smirk, mean_difference, wait_until};

/// High enough for the whole page.
const HIGH: [usize; 2] = [1280, 1000];
/// The colour of the button that exports.
const ACCENT: [u8; 3] = [44, 94, 148];

/// A window with the page open, whose file dialog always answers `file`.
fn open_page(display: &Display, request: &str, file: &Path) -> Smirk {
    let config = Rc::new(tempfile::tempdir().unwrap());
    let settings = format!(r#"{{"window_size":[{},{}],"export":{request}}}"#, HIGH[0], HIGH[1]);
    std::fs::write(config.path().join("settings.json"), settings).unwrap();
    let zenity = config.path().join("bin/zenity");
    std::fs::create_dir(config.path().join("bin")).unwrap();
    std::fs::write(&zenity, format!("#!/bin/sh\necho '{}'\n", file.display())).unwrap();
    std::fs::set_permissions(&zenity, PermissionsExt::from_mode(0o755)).unwrap();
    let smirk = Smirk::start_again(display, config, []);
    display.focus();
    wait_until("the window", || mean_difference(&display.face(), &vec![[0; 3]; 410 * 340]) > 8.0);
    // A clip that plays would take most of a slow machine's time from what is exported.
    display.xdotool(&["mousemove", "640", "360", "key", "space", "key", "ctrl+e"]);
    smirk
}

/// The middle of the button: of the longest line in its colour at the right edge of the window.
fn button(display: &Display) -> Option<[usize; 2]> {
    let picture = display.picture();
    let is_button = |x: usize, y: usize| picture[y * HIGH[0] + x] == ACCENT;
    let right = HIGH[0] * 3 / 4;
    let rows = (0..HIGH[1]).map(|y| (y, (right..HIGH[0]).filter(|&x| is_button(x, y)).count()));
    let (top, wide) = rows.filter(|(_, count)| *count > 200).min_by_key(|(y, _)| *y)?;
    let left = (right..HIGH[0]).find(|&x| is_button(x, top))?;
    Some([left + wide / 2, top + 8])
}

#[test]
fn the_page_writes_a_picture_an_animation_and_a_contact_sheet() {
    let display = Display::start(HIGH);
    let folder = tempfile::tempdir().unwrap();
    for (request, name, start) in [
        (
            r#"{"kind":"pictures","is_one_moment":true,"size":[96,64],"samples":1}"#,
            "face.png",
            b"\x89PNG\r\n\x1a\n".as_slice(),
        ),
        (
            r#"{"kind":"animation","animation":"livelink"}"#,
            "face.csv",
            b"Timecode,BlendshapeCount,EyeBlinkLeft".as_slice(),
        ),
        (r#"{"kind":"sheet","sheet":"expressions","is_pdf":true}"#, "sheet.pdf", b"%PDF-1.7\n".as_slice()),
    ] {
        let file = folder.path().join(name);
        let smirk = open_page(&display, request, &file);
        // On a busy machine the page may still move after it was first drawn.
        let mut places = Vec::new();
        display.wait_until("the button of the page", || {
            std::thread::sleep(Duration::from_millis(300));
            places.push(button(&display));
            places.last_chunk::<4>().is_some_and(|last| last[0].is_some() && last.iter().all(|place| *place == last[0]))
        });
        let [x, y] = places.pop().flatten().unwrap().map(|position| position.to_string());
        display.xdotool(&["mousemove", &x, &y]);
        std::thread::sleep(Duration::from_millis(300));
        display.xdotool(&["click", "1"]);
        // The sheet has 55 pictures, which a software adapter draws for a second each.
        display.wait_at_most(Duration::from_secs(300), name, || file.exists());
        let bytes = std::fs::read(&file).unwrap();
        assert!(bytes.starts_with(start), "{name} begins otherwise");
        match name {
            "face.png" => assert_eq!(image::load_from_memory(&bytes).unwrap().into_rgb8().dimensions(), (96, 64)),
            "face.csv" => assert!(bytes.iter().filter(|&&byte| byte == b'\n').count() > 100),
            _ => assert!(bytes.ends_with(b"%%EOF\n")),
        }
        let (said, settings) = smirk.quit(&display);
        assert!(!said.contains("error"), "{said}");
        assert_eq!(settings["export"]["kind"], serde_json::from_str::<serde_json::Value>(request).unwrap()["kind"]);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "and no other file");
}
