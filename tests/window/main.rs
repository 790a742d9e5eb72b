//! A real window, a real mouse, a real keyboard: Smirk under Xvfb, driven by xdotool and seen through the frame buffer of the
//! display. `./dev test` installs what this needs.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test")]

mod display;
mod editing;
mod ends;
mod exports;
mod hot_reload;
mod kills;
mod large;
mod live;
mod outputs;
mod pictures;
mod reference;
mod saving;
mod slider;
mod soak;
mod versions;

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use smirk_editor::document::Document;
use smirk_editor::session::{HeadSource, Session};
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::Look;
use smirk_support::test_files::real_heads;

use display::{Display, SIZE, Smirk, mean_difference, settled_face, wait_until};
use slider::column;

/// Height of the first slider while the search shows one row only.
const SLIDER_Y: usize = 150;

#[test]
fn an_artist_opens_a_head_drags_a_slider_and_switches_modes() {
    let display = Display::start(SIZE);
    let ict = real_heads().map(|heads| heads.join("ict/ict_facekit.glb"));
    let head = ict.filter(|path| path.exists());
    let smirk = Smirk::start(&display, SIZE, head.as_deref().map(Path::as_os_str));
    wait_for_window(&display);
    if head.is_some() {
        // The title changes once the head has taken the bundled one's place.
        display.xdotool(&["search", "--sync", "--onlyvisible", "--name", "ict_facekit"]);
    }

    display.xdotool(&["mousemove", "640", "360"]);
    display.xdotool(&["key", "space"]);
    display.xdotool(&["key", "ctrl+f"]);
    display.xdotool(&["type", "--delay", "40", "mouthFrown"]);
    let neutral = settled_face(&display);
    let mut last = neutral.clone();

    display.drag([column(0.1), SLIDER_Y], [column(0.7), SLIDER_Y]);
    // Off the slider, whose tooltip would lie over the face.
    display.xdotool(&["mousemove", "640", "360"]);
    let dragged = settled_face(&display);
    let moved = mean_difference(&last, &dragged);
    assert!(moved > 0.2, "the drag moved the face by {moved} only; the screen is in {}", display.keep_picture());
    last = dragged;

    display.xdotool(&["key", "Escape"]);
    for mode in ["1", "2", "3", "4"] {
        display.xdotool(&["key", mode]);
        let face = settled_face(&display);
        let apart = mean_difference(&last, &face);
        assert!(apart < 0.05, "mode {mode} draws another face: {apart}");
    }

    display.xdotool(&["key", "ctrl+z"]);
    wait_until("undo to bring the neutral face back", || mean_difference(&neutral, &display.face()) < 0.05);

    let config = smirk.config.clone();
    let (said, settings) = smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");
    assert_eq!(settings["mode"], "multipass");
    let log = std::fs::read_to_string(config.path().join("smirk.log")).unwrap();
    assert!(log.starts_with("Smirk ") && log.contains(", driver "), "{log}");
}

/// Position of the button Restore on the card about unsaved work, beside its letters.
const RESTORE: [usize; 2] = [727, 73];
/// The colour of a button that is not under the pointer.
const BUTTON: [u8; 3] = [46, 46, 50];

fn wait_for_window(display: &Display) {
    display.focus();
    wait_until("the window", || mean_difference(&display.face(), &vec![[0; 3]; 410 * 340]) > 8.0);
}

#[test]
fn work_survives_a_kill_is_offered_and_comes_back() {
    let display = Display::start(SIZE);
    let mut first = Smirk::start(&display, SIZE, []);
    let config = first.config.clone();
    let files = |folder: &str, extension: &str| {
        let entries = std::fs::read_dir(config.path().join(folder)).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|is| is == extension)).count()
    };
    wait_for_window(&display);
    display.xdotool(&["mousemove", "640", "360"]);
    for key in ["space", "Home", "ctrl+f"] {
        display.xdotool(&["key", key]);
    }
    display.xdotool(&["type", "--delay", "40", "mouthFrown"]);
    let neutral = settled_face(&display);
    display.drag([column(0.1), SLIDER_Y], [column(0.7), SLIDER_Y]);
    display.xdotool(&["mousemove", "640", "360"]);
    wait_until("the work to be kept", || files("recovery", "json") == 1);
    let frowning = settled_face(&display);
    let moved = mean_difference(&neutral, &frowning);
    assert!(moved > 0.2, "the drag moved the face by {moved} only; the screen is in {}", display.keep_picture());
    let has_picture = || {
        let entries = std::fs::read_dir(config.path().join("recovery")).into_iter().flatten().flatten();
        let texts = entries.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
        texts.into_iter().any(|text| text.contains(r#""picture":"iVBOR"#))
    };
    wait_until("the picture of the work, a PNG in base64", has_picture);
    // On Unix, this is kill -9.
    first.process.kill().unwrap();
    first.process.wait().unwrap();

    // Another display: this one shows the killed window until the next one covers it.
    drop(display);
    let display = Display::start(SIZE);
    let second = Smirk::start_again(&display, config.clone(), []);
    wait_for_window(&display);
    let has_notice = || display.row(RESTORE[1], RESTORE[0]..RESTORE[0] + 4) == [BUTTON; 4];
    wait_until("the notice of unsaved work", has_notice);
    let [x, y] = RESTORE.map(|position| position.to_string());
    display.xdotool(&["mousemove", &x, &y, "click", "1"]);
    display.xdotool(&["mousemove", "640", "360"]);
    wait_until("the work to come back", || mean_difference(&display.face(), &frowning) < moved * 0.1);
    assert_eq!(files("recovery", "json"), 1, "it is still on no disk but there");

    display.xdotool(&["key", "ctrl+s"]);
    wait_until("the project to be saved", || files("", "smirk") == 1);
    let (said, settings) = second.quit(&display);
    assert_eq!(said, "", "Smirk complained");
    assert_eq!((files("recovery", "json"), files("recovery", "lock")), (0, 0), "all is saved");
    assert!(settings["recent"][0].as_str().unwrap().ends_with(".smirk"), "{settings}");
}

#[test]
fn a_dialog_that_is_cancelled_at_once_saves_nothing() {
    let display = Display::start(SIZE);
    let config = Rc::new(tempfile::tempdir().unwrap());
    let zenity = config.path().join("bin/zenity");
    std::fs::create_dir(config.path().join("bin")).unwrap();
    std::fs::write(&zenity, "#!/bin/sh\necho \"$@\" >>\"$HOME/asked\"\nexit 1\n").unwrap();
    std::fs::set_permissions(&zenity, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let smirk = Smirk::start_again(&display, config.clone(), []);
    wait_for_window(&display);
    let times_asked = || std::fs::read_to_string(config.path().join("asked")).map_or(0, |asked| asked.lines().count());
    display.xdotool(&["key", "ctrl+s"]);
    wait_until("the dialog", || times_asked() == 1);
    // The second dialog opens only after the answer of the first is in.
    display.xdotool(&["key", "ctrl+s"]);
    wait_until("the second dialog", || times_asked() == 2);
    let (said, _) = smirk.quit(&display);
    assert_eq!(said, "");
    let saved = std::fs::read_dir(config.path())
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "smirk"));
    assert_eq!(saved.count(), 0);
}

#[test]
fn the_look_of_a_project_does_not_become_the_default() {
    let display = Display::start(SIZE);
    let config = Rc::new(tempfile::tempdir().unwrap());
    let settings = r#"{"window_size":[1280,720],"look":{"gloss":1.25}}"#;
    std::fs::write(config.path().join("settings.json"), settings).unwrap();
    let look = Look { gloss: 0.25, exposure: 0.5, ..Look::default() };
    let head = Arc::new(smirk_files::import::embedded().unwrap());
    let project = config.path().join("another_look.smirk");
    Document::new(Session::new(head, HeadSource::Embedded, look, BlendMode::Cpu), None).save(&project).unwrap();

    let smirk = Smirk::start_again(&display, config, [project.as_os_str()]);
    display.focus();
    // The title changes once the project is open.
    display.xdotool(&["search", "--sync", "--onlyvisible", "--name", "another_look"]);
    let (said, settings) = smirk.quit(&display);
    assert_eq!(said, "");
    assert!(settings["recent"][0].as_str().unwrap().ends_with("another_look.smirk"), "{settings}");
    let saved = |name: &str| settings["look"][name].as_f64().map(|value| value as f32);
    assert_eq!([saved("gloss"), saved("exposure")], [Some(1.25), Some(Look::default().exposure)]);
}
