//! Closing with work that cannot be kept, and two windows with one project.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use crate::display::{Display, SIZE, Smirk, mean_difference, wait_until};

/// Long enough for a window to save, or to show a question instead.
const A_WHILE: Duration = Duration::from_secs(3);

/// How many poses a project has beyond those that the bundled head comes with.
fn own_poses(file: &Path) -> usize {
    let project: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let names = project["poses"].as_array().into_iter().flatten().map(|pose| pose["name"].as_str().unwrap());
    names.filter(|name| name.starts_with("Pose ")).count()
}

/// Saves the face as so many poses, and then the project.
fn add_poses_and_save(display: &Display, count: usize) {
    add_poses(display, count);
    display.xdotool(&["key", "ctrl+s"]);
}

/// Saves the face as so many poses, each with the name that it is given.
fn add_poses(display: &Display, count: usize) {
    for _ in 0..count {
        for key in ["ctrl+k", "Return"] {
            display.xdotool(&["key", key]);
            std::thread::sleep(Duration::from_millis(1500));
        }
    }
}

/// Presses keys one after the other, each in a frame of its own.
fn press(display: &Display, keys: &[&str]) {
    for key in keys {
        display.xdotool(&["key", key]);
        std::thread::sleep(Duration::from_millis(400));
    }
}

#[test]
fn two_windows_with_one_project_replace_each_others_work_only_when_asked() {
    let display = Display::start(SIZE);
    let config = Rc::new(tempfile::tempdir().unwrap());
    let project = config.path().join("shared.smirk");
    std::fs::write(&project, r#"{"smirk":"project","version":1,"head":"embedded"}"#).unwrap();
    let mut windows = [(); 2].map(|()| Smirk::start_again(&display, config.clone(), [project.as_os_str()]));
    let [one, other] = [0, 1].map(|index| display.window_of(&windows[index].process));
    for window in [&one, &other] {
        display.wait_for_title(window, "shared — Smirk");
    }

    display.bring_to_front(&one);
    add_poses_and_save(&display, 1);
    wait_until("the first window to save", || own_poses(&project) == 1);

    display.bring_to_front(&other);
    display.wait_for_title(&other, "shared (changed on disk) — Smirk");
    add_poses_and_save(&display, 2);
    std::thread::sleep(A_WHILE);
    assert_eq!(own_poses(&project), 1, "it was replaced unasked");
    // The second answer after the first, which has the keyboard focus: Overwrite.
    press(&display, &["Tab", "Tab", "Return"]);
    wait_until("the other window to overwrite", || own_poses(&project) == 2);
    assert_eq!(own_poses(&config.path().join("shared.smirk.bak")), 1);
    display.wait_for_title(&other, "shared — Smirk");

    display.bring_to_front(&one);
    display.wait_for_title(&one, "shared (changed on disk) — Smirk");
    add_poses_and_save(&display, 2);
    std::thread::sleep(A_WHILE);
    assert_eq!(own_poses(&project), 2, "it was replaced unasked in the other direction");
    // Load theirs.
    press(&display, &["Tab", "Return"]);
    display.wait_for_title(&one, "shared — Smirk");
    let kept = std::fs::read_dir(config.path().join("recovery")).unwrap().flatten();
    let kept: String = kept.filter_map(|entry| std::fs::read_to_string(entry.path()).ok()).collect();
    assert!(kept.contains("Pose 3"), "the unsaved work of the window that loaded theirs is not kept");
    add_poses_and_save(&display, 1);
    wait_until("the first window to save", || own_poses(&project) == 3);

    for (smirk, window) in windows.iter_mut().zip([&one, &other]) {
        display.bring_to_front(window);
        display.xdotool(&["key", "ctrl+q"]);
        smirk.wait();
    }
}

#[test]
fn quitting_with_work_that_cannot_be_kept_asks_and_saves() {
    let display = Display::start(SIZE);
    let config = Rc::new(tempfile::tempdir().unwrap());
    // A file in the place of the folder of unsaved work: nobody can write into that, not even root.
    std::fs::write(config.path().join("recovery"), "").unwrap();
    let mut smirk = Smirk::start_again(&display, config.clone(), []);
    display.focus();
    wait_until("the window", || mean_difference(&display.face(), &vec![[0; 3]; 410 * 340]) > 8.0);
    add_poses(&display, 1);
    display.xdotool(&["key", "ctrl+q"]);
    std::thread::sleep(A_WHILE);
    assert!(smirk.process.try_wait().unwrap().is_none(), "it ended, and the work is lost");
    // Stay, and ask again.
    press(&display, &["Escape", "ctrl+q"]);
    // Save as; there is no file dialog here, so that the file's name has to be read before the window closes.
    press(&display, &["Return"]);
    let saved = || {
        let entries = std::fs::read_dir(config.path()).unwrap().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|is| is == "smirk")).count()
    };
    wait_until("the project to be saved", || saved() == 1);
    std::thread::sleep(A_WHILE);
    press(&display, &["Return"]);
    smirk.wait();
    assert_eq!(saved(), 1);
}
