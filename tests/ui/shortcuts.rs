//! Keys while a menu, a list or a popup takes them.

use egui::accesskit::Role;
use egui_kittest::kittest::NodeT;
use smirk_scene::ViewMode;
use smirk_session::ComparedWith;
use smirk_ui::Page;
use smirk_ui::shortcuts::{SHORTCUTS, Shortcut};

use crate::harness::*;
use crate::takes::take_of;

/// A window in which every shortcut would do something.
fn busy_window(page: Page) -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.takes_mut().add(vec![take_of("take", &["jawOpen", "mouthPucker"], 60)]);
    app.session.clock.timeline.playing = false;
    app.session.clock.timeline.time_secs = 0.5;
    app.session.compared_with = ComparedWith::Recording;
    app.session.edits.look.view = ViewMode::Heat;
    app.state.panels.page = page;
    window_of(Vec2::new(1600.0, 1400.0), app)
}

/// What keys may change.
fn state_of(harness: &Harness<'static, App>) -> String {
    let app = harness.state();
    let session = &app.session;
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        session.edits.revision(),
        session.clock.timeline,
        session.mode,
        session.camera,
        app.state.panels,
        app.state.comparison,
        app.state.overlay,
    )
}

/// Opens something by its accessible name, and gives the row of `eyeBlinkLeft` the keyboard focus before, so that its keys would act.
fn open(harness: &mut Harness<'static, App>, name: &str) {
    harness.get_by_label("eyeBlinkLeft").focus();
    harness.run_ok();
    match name {
        "eyeBlinkLeft" | "Pose Smile" => harness.get_by_label(name).click_secondary(),
        // The label of a list's row has the same name.
        name => {
            harness.query_all_by_label(name).find(|node| node.accesskit_node().role() != Role::Label).unwrap().click()
        }
    }
    harness.run_ok();
    assert!(egui::Popup::is_any_open(&harness.ctx), "{name} opens nothing");
}

#[test]
fn no_shortcut_acts_behind_a_menu_a_list_or_a_popup() {
    for (page, name) in [
        (Page::Look, "Tone"),
        (Page::Look, "Key colour"),
        (Page::Poses, "Measured of"),
        (Page::Poses, "Blend mode"),
        (Page::Poses, "Take"),
        (Page::Poses, "File"),
        (Page::Poses, "Compared with"),
        (Page::Poses, "eyeBlinkLeft"),
        (Page::Poses, "Pose Smile"),
        (Page::Motion, "Add edit"),
    ] {
        let mut harness = busy_window(page);
        open(&mut harness, name);
        let before = state_of(&harness);
        let commands = harness.state().commands.len();
        // Space clicks what has the focus, which closes its menu.
        let is_pressed = |shortcut: &&Shortcut| !shortcut.action.ends_typing() && shortcut.key != Key::Space;
        for shortcut in SHORTCUTS.iter().filter(is_pressed) {
            harness.key_press_modifiers(shortcut.modifiers, shortcut.key);
            harness.run_ok();
            assert_eq!(state_of(&harness), before, "{} behind {name}", shortcut.keys);
        }
        for key in [Key::Delete, Key::Home, Key::ArrowUp, Key::F2] {
            harness.key_press(key);
            harness.run_ok();
            assert_eq!(state_of(&harness), before, "{key:?} behind {name}");
        }
        assert_eq!(harness.state().commands.len(), commands, "behind {name}");
        harness.key_press(Key::Escape);
        harness.run_ok();
        assert!(!egui::Popup::is_any_open(&harness.ctx), "{name}");
        harness.key_press(Key::H);
        harness.run_ok();
        assert!(harness.state().session.edits.look.isolates_face, "after {name} is closed, keys act again");
    }
}

#[test]
fn b_is_not_shown_while_it_is_typed_into_a_list() {
    let mut harness = busy_window(Page::Poses);
    open(&mut harness, "Measured of");
    harness.key_down(Key::B);
    harness.run_ok();
    assert!(!harness.state().state.shows_b);
    harness.key_up(Key::B);
    harness.key_press(Key::Escape);
    harness.run_ok();
    harness.key_down(Key::B);
    harness.run_ok();
    assert!(harness.state().state.shows_b, "without the list, it is shown");
}

#[test]
fn the_file_is_saved_from_behind_a_menu_which_closes() {
    let mut harness = busy_window(Page::Poses);
    open(&mut harness, "View");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    harness.run_ok();
    assert_eq!(harness.state().commands, [Command::SaveProject]);
    assert!(!egui::Popup::is_any_open(&harness.ctx));
}

#[test]
fn a_letter_with_alt_or_shift_is_not_the_plain_letter() {
    let mut harness = busy_window(Page::Poses);
    let before = state_of(&harness);
    let plain = SHORTCUTS.iter().filter(|shortcut| shortcut.modifiers.is_none() && shortcut.keys.len() == 1);
    for shortcut in plain.filter(|shortcut| shortcut.keys.chars().all(|key| key.is_ascii_alphabetic())) {
        for modifiers in [Modifiers::ALT, Modifiers::SHIFT] {
            let is_own = |other: &Shortcut| other.key == shortcut.key && other.modifiers == modifiers;
            if SHORTCUTS.iter().any(is_own) {
                continue;
            }
            harness.key_press_modifiers(modifiers, shortcut.key);
            harness.run_ok();
            assert_eq!(state_of(&harness), before, "{modifiers:?} and {}", shortcut.keys);
        }
    }
    // A keyboard may need Shift for a digit.
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Num6);
    harness.run_ok();
    assert!(!harness.state().session.edits.applied_poses.is_empty(), "the sixth pose");
}

#[test]
fn alt_and_a_letter_opens_a_menu_and_arrows_go_through_it_and_to_the_others() {
    let mut harness = busy_window(Page::Poses);
    let before = state_of(&harness);
    let press = |harness: &mut Harness<'static, App>, modifiers, key| {
        harness.key_press_modifiers(modifiers, key);
        harness.run_ok();
    };
    let items = [(Key::F, "Open recent"), (Key::E, "Undo"), (Key::V, "High contrast"), (Key::H, "Show log file")];
    for (key, item) in items {
        press(&mut harness, Modifiers::ALT, key);
        for (_, other) in items {
            let is_shown = harness.query_by_label_contains(other).is_some();
            assert_eq!(is_shown, other == item, "{other} after Alt+{key:?}");
        }
    }
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(!egui::Popup::is_any_open(&harness.ctx));
    for (right, item) in [(0, "Open recent"), (3, "Show log file"), (4, "Open recent")] {
        press(&mut harness, Modifiers::NONE, Key::F10);
        for _ in 0..right {
            press(&mut harness, Modifiers::NONE, Key::ArrowRight);
        }
        assert!(harness.query_by_label(item).is_some(), "{item} after F10 and {right} times Right");
        press(&mut harness, Modifiers::NONE, Key::Escape);
    }
    assert_eq!(state_of(&harness), before, "the play head stays, and nothing else acts");
    press(&mut harness, Modifiers::NONE, Key::F10);
    press(&mut harness, Modifiers::NONE, Key::ArrowLeft);
    press(&mut harness, Modifiers::NONE, Key::ArrowDown);
    press(&mut harness, Modifiers::NONE, Key::ArrowDown);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(harness.state().commands, [Command::ShowLogFile]);
}

#[test]
fn alt_and_a_letter_opens_no_menu_over_a_question_or_while_text_is_typed() {
    let mut harness = busy_window(Page::Poses);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::ALT, Key::F);
    harness.run_ok();
    assert!(!egui::Popup::is_any_open(&harness.ctx));
    harness.key_press(Key::Escape);
    harness.key_press(Key::F1);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::ALT, Key::F);
    harness.run_ok();
    assert!(!egui::Popup::is_any_open(&harness.ctx));
}

#[test]
fn the_key_of_a_blend_mode_that_is_unavailable_says_why() {
    let mut harness = window(head());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num4);
    harness.run_ok();
    let reason = Command::ShowStatus("The adapter cannot write storage buffers.".into());
    let app = harness.state();
    assert!(app.commands.contains(&reason) && app.session.mode == BlendMode::Compute, "{:?}", app.commands);
}
