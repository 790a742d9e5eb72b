//! Closing with work that cannot be kept, and two windows with one project.

use std::rc::Rc;

use serde_json::json;
use smirk_support::small_head;

use crate::display::{Display, SMALL};
use crate::home::{Home, own_poses, save_project};
use crate::smirk::Smirk;

/// Saves the face as so many poses, and then the project.
fn add_poses_and_save(smirk: &Smirk, count: usize) {
    for _ in 0..count {
        smirk.save_pose();
    }
    smirk.press(&["ctrl+s"]);
}

/// Waits until a button has the keyboard.
fn wait_for_focus_on(smirk: &Smirk, button: &str) {
    smirk.wait_for(button, |state| state.widget(button).is_some_and(|button| button.is_focused));
}

#[test]
fn two_windows_with_one_project_replace_each_others_work_only_when_asked() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let project = home.at("shared.smirk");
    save_project(&project, small_head::write(home.path()));
    let windows = [(); 2].map(|()| Smirk::open(&display, &home, [&project]));
    let [one, other] = &windows;
    for window in [one, other] {
        window.wait_for_title("shared — Smirk");
        window.focus();
        // What plays would take the time of the other window.
        window.stop_at_start();
    }

    one.focus();
    add_poses_and_save(one, 1);
    one.wait_until("the first window to save", || own_poses(&project) == 1);

    other.focus();
    other.wait_for_title("shared (changed on disk) — Smirk");
    add_poses_and_save(other, 2);
    wait_for_focus_on(other, "Keep mine as…");
    assert_eq!(own_poses(&project), 1, "it was replaced unasked");
    for answer in ["Load theirs", "Overwrite"] {
        other.press(&["Tab"]);
        wait_for_focus_on(other, answer);
    }
    other.press(&["Return"]);
    other.wait_until("the other window to overwrite", || own_poses(&project) == 2);
    assert_eq!(own_poses(&home.at("shared.smirk.bak")), 1);
    other.wait_for_title("shared — Smirk");

    one.focus();
    one.wait_for_title("shared (changed on disk) — Smirk");
    add_poses_and_save(one, 2);
    wait_for_focus_on(one, "Keep mine as…");
    assert_eq!(own_poses(&project), 2, "it was replaced unasked in the other direction");
    one.press(&["Tab"]);
    wait_for_focus_on(one, "Load theirs");
    one.press(&["Return"]);
    one.wait_for_title("shared — Smirk");
    let kept = home.files("recovery", "").into_iter().filter_map(|file| std::fs::read_to_string(file).ok());
    let kept: String = kept.collect();
    assert!(kept.contains("Pose 3"), "the unsaved work of the window that loaded theirs is not kept");
    add_poses_and_save(one, 1);
    one.wait_until("the first window to save", || own_poses(&project) == 3);

    for smirk in windows {
        smirk.focus();
        smirk.quit();
    }
}

#[test]
fn quitting_with_work_that_cannot_be_kept_asks_and_saves() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    // A file in the place of the folder of unsaved work: nobody can write into that, not even root.
    std::fs::write(home.at("recovery"), "").unwrap();
    let smirk = Smirk::open(&display, &home, None::<&str>);
    smirk.save_pose();
    smirk.press(&["ctrl+q"]);
    wait_for_focus_on(&smirk, "Save as…");
    assert!(smirk.is_running(), "it ended, and the work is lost");
    smirk.press(&["Escape"]);
    smirk.wait_for("the question to go", |state| !state.shows("Save as…"));
    smirk.press(&["ctrl+q"]);
    wait_for_focus_on(&smirk, "Save as…");
    // There is no file dialog here, so that the file's name has to be read before the window closes.
    smirk.press(&["Return"]);
    let saved = || home.files("", ".smirk").len();
    smirk.wait_until("the project to be saved", || saved() == 1);
    wait_for_focus_on(&smirk, "Quit");
    assert!(smirk.current().says("The project was saved to "));
    smirk.display.xdotool(&["key", "Return"]);
    smirk.wait_for_success();
    assert_eq!(saved(), 1);
}

#[test]
fn a_dialog_that_asked_about_another_head_saves_nothing() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let head = small_head::write(home.path());
    let [other, saved, is_answered] = ["other.glb", "saved.smirk", "answered"].map(|name| home.at(name));
    std::fs::copy(&head, &other).unwrap();
    home.set_dialog(&format!(
        "case \"$*\" in *--save*) while [ ! -e '{}' ]; do sleep 0.05; done; echo '{}';; *) echo '{}';; esac\n",
        is_answered.display(),
        saved.display(),
        other.display()
    ));
    let smirk = Smirk::open(&display, &home, [&head]);
    smirk.wait_for_title("small_head — Smirk");
    smirk.press(&["ctrl+shift+s"]);
    smirk.press(&["ctrl+o"]);
    smirk.wait_for_title("other — Smirk");
    std::fs::write(&is_answered, "").unwrap();
    smirk.wait_for("the message", |state| state.says("Another head was opened while the dialog was open"));
    assert!(!saved.exists());
    assert_eq!(smirk.quit().0, "");
}
