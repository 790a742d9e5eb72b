//! Ends at which nobody closes the window: signals, a display server that is gone, and starts that fail.

use std::os::unix::process::ExitStatusExt;
use std::rc::Rc;

use serde_json::json;

use crate::display::{Display, SMALL};
use crate::home::Home;
use crate::slider::{SliderWindow, TOLERANCE};
use crate::smirk::Smirk;

fn assert_kept(window: &SliderWindow, seen: f32, said: &str) {
    let recovered = window.recovered();
    assert!(recovered.len() == 1 && (recovered[0] - seen).abs() < TOLERANCE, "{recovered:?}, not {seen}: {said}");
    assert!(said.contains("Unsaved work is kept in "), "{said}");
    assert!(window.temporaries().is_empty(), "{:?}", window.temporaries());
}

#[test]
fn a_signal_closes_the_window_and_unsaved_work_is_kept() {
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        let window = SliderWindow::open(&Rc::new(Display::start(SMALL)));
        let seen = window.edit(0.6);
        window.smirk.signal(name);
        let (status, said) = window.smirk.wait_for_end();
        // Whether the window had the time to close, or what waits for signals wrote its work, depends on the machine.
        assert_eq!(status.signal(), Some(number), "{status}: {said}");
        assert!(said.contains(&format!("Ended by SIG{name}")), "{said}");
        assert_kept(&window, seen, &said);
    }
}

#[test]
fn unsaved_work_is_kept_when_the_display_server_is_gone() {
    for name in ["KILL", "TERM"] {
        let display = Rc::new(Display::start(SMALL));
        let window = SliderWindow::open(&display);
        let seen = window.edit(0.6);
        display.signal(name);
        let (status, said) = window.smirk.wait_for_end();
        assert!(status.code().is_some_and(|code| code != 0), "{status}: {said}");
        assert!(said.contains("The connection to the display server is lost"), "{said}");
        assert_kept(&window, seen, &said);
    }
}

#[test]
fn unsaved_work_is_kept_by_a_signal_while_the_display_server_hangs() {
    let display = Rc::new(Display::start(SMALL));
    let window = SliderWindow::open(&display);
    let seen = window.edit(0.6);
    display.signal("STOP");
    window.smirk.signal("TERM");
    let (status, said) = window.smirk.wait_for_end();
    display.signal("CONT");
    assert_eq!(status.signal(), Some(15), "{status}: {said}");
    assert!(said.contains("Ended by SIGTERM"), "{said}");
    assert_kept(&window, seen, &said);
}

#[test]
fn a_wayland_display_where_nothing_answers_is_passed_over_for_x11() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let smirk = Smirk::open_in(&display, &home, None::<&str>, &[("WAYLAND_DISPLAY", "wayland-7")]);
    let (said, _) = smirk.quit();
    assert!(said.contains("no Wayland compositor answers at ") && said.lines().count() == 1, "{said}");
}

#[test]
fn a_window_without_an_adapter_says_what_the_commands_say() {
    let display = Rc::new(Display::start(SMALL));
    let without = [("VK_DRIVER_FILES", "/nowhere"), ("VK_ICD_FILENAMES", "/nowhere")];
    let home = Rc::new(Home::new(&json!({})));
    let (status, said) = Smirk::start(&display, &home, None::<&str>, &without).wait_for_end();
    let picture = home.at("x.png");
    let render = ["render".as_ref(), "-o".as_ref(), picture.as_os_str()];
    let (_, command_said) = Smirk::start(&display, &home, render, &without).wait_for_end();
    assert_eq!(status.code(), Some(1));
    assert!(said.contains("no graphics adapter found") && said.contains("Install a Vulkan driver"), "{said}");
    // Debug builds let the Vulkan loader speak as well.
    let last_line = |said: &str| said.lines().last().unwrap_or_default().to_owned();
    assert_eq!(last_line(&said), last_line(&command_said));
    let log = home.log();
    assert!(log.contains("no graphics adapter found"), "{log}");
}
