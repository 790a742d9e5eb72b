//! Closing with work that cannot be kept, and two windows with one project.

use std::path::Path;
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

/// Lets dialogs to save answer with `saved` and others with `opened`. Those that `waits` names, `save` or `open`,
/// answer only once there is a file `answered` in the home folder.
fn set_dialogs(home: &Home, saved: &Path, opened: &Path, waits: &str) {
    home.set_dialog(&format!(
        "hold() {{ [ $1 != {waits} ] || while [ ! -e '{}' ]; do sleep 0.05; done; }}\n\
         case \"$*\" in *--save*) hold save; echo '{}';; *) hold open; echo '{}';; esac\n",
        home.at("answered").display(),
        saved.display(),
        opened.display()
    ));
}

#[test]
fn a_dialog_that_asked_about_another_head_or_project_saves_nothing() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let head = small_head::write(home.path());
    let [head_2, project, project_2, saved, answered] =
        ["other.glb", "one.smirk", "two.smirk", "saved.smirk", "answered"].map(|name| home.at(name));
    std::fs::copy(&head, &head_2).unwrap();
    [&project, &project_2].into_iter().for_each(|project| save_project(project, head.clone()));
    for (first, second, titles) in [(&head, &head_2, ["small_head", "other"]), (&project, &project_2, ["one", "two"])] {
        set_dialogs(&home, &saved, second, "save");
        let smirk = Smirk::open(&display, &home, [first]);
        smirk.wait_for_title(&format!("{} — Smirk", titles[0]));
        smirk.press(&["ctrl+shift+s"]);
        smirk.press(&["ctrl+o"]);
        smirk.wait_for_title(&format!("{} — Smirk", titles[1]));
        std::fs::write(&answered, "").unwrap();
        smirk.wait_for("the message", |state| state.says("was opened while the dialog was open"));
        assert!(!saved.exists());
        assert_eq!(smirk.quit().0, "");
        std::fs::remove_file(&answered).unwrap();
    }
}

#[test]
fn a_question_about_a_changed_project_goes_when_another_project_is_opened() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let head = small_head::write(home.path());
    let [project, project_2] = ["one.smirk", "two.smirk"].map(|name| home.at(name));
    [&project, &project_2].into_iter().for_each(|project| save_project(project, head.clone()));
    set_dialogs(&home, &project, &project_2, "open");
    let smirk = Smirk::open(&display, &home, [&project]);
    smirk.wait_for_title("one — Smirk");
    smirk.press(&["ctrl+o"]);
    // Another program writes the same with one more space.
    std::fs::write(&project, std::fs::read_to_string(&project).unwrap() + " ").unwrap();
    smirk.press(&["ctrl+s"]);
    wait_for_focus_on(&smirk, "Keep mine as…");
    std::fs::write(home.at("answered"), "").unwrap();
    smirk.wait_for_title("two — Smirk");
    smirk.wait_for("the question to go", |state| !state.shows("Keep mine as…"));
    assert_eq!(smirk.quit().0, "");
}

#[test]
fn settings_that_cannot_be_kept_are_reported_once() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let settings = home.at("settings.json");
    // A folder in the place of the file: nobody can write into that, not even root.
    std::fs::remove_file(&settings).unwrap();
    std::fs::create_dir(&settings).unwrap();
    let smirk = Smirk::open(&display, &home, [&small_head::write(home.path())]);
    smirk.stop_at_start();
    let dismiss = |message: &'static str| {
        smirk.wait_for(message, |state| state.says(message) && state.says("settings.json"));
        smirk.click("Dismiss");
        smirk.wait_for("the message to go", |state| !state.says(message));
    };
    let choose = |key: &str, mode: &str| {
        smirk.press(&[key]);
        smirk.wait_for(mode, |state| state.mode == mode);
        smirk.wait_until_at_rest()
    };
    dismiss("Settings were reset");
    choose("ctrl+2", "vertex");
    dismiss("Settings are not kept");
    // They are saved after the frame that is at rest: the next one would show the message.
    choose("ctrl+4", "multipass");
    assert!(!choose("ctrl+3", "compute").says("Settings are not kept"), "it is said again");
    std::fs::remove_dir(&settings).unwrap();
    choose("ctrl+2", "vertex");
    smirk.wait_until("the settings to be kept", || settings.is_file());
    assert_eq!(smirk.quit().1["mode"], "vertex");
}

#[test]
fn a_window_that_was_to_be_closed_once_saved_stays_open_after_another_question() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let head = small_head::write(home.path());
    let [other, saved, answered] = ["other.glb", "saved.smirk", "answered"].map(|name| home.at(name));
    std::fs::copy(&head, &other).unwrap();
    home.set_dialog(&format!(
        "case \"$*\" in *--save*) touch \"$HOME/cancelled\"; exit 1;; esac\n\
         while [ ! -e '{}' ]; do sleep 0.05; done; echo '{}'\n",
        answered.display(),
        other.display()
    ));
    let smirk = Smirk::open(&display, &home, [&head]);
    smirk.wait_for_title("small_head — Smirk");
    smirk.save_pose();
    smirk.press(&["ctrl+o"]);
    smirk.press(&["ctrl+q"]);
    smirk.click("Save as…");
    smirk.wait_until("the dialog to be cancelled", || home.at("cancelled").exists());
    std::fs::write(&answered, "").unwrap();
    wait_for_focus_on(&smirk, "Start anew");
    smirk.press(&["Return"]);
    smirk.wait_for_title("other — Smirk");
    home.answer_dialogs(&saved);
    smirk.press(&["ctrl+s"]);
    smirk.wait_for_title("saved — Smirk");
    smirk.press(&["ctrl+2"]);
    smirk.wait_for("another mode", |state| state.mode == "vertex");
    smirk.quit();
}
