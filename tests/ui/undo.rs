//! Undo, reset, and opening another head.

use crate::harness::*;

#[test]
fn a_drag_is_one_undo_step_and_so_is_a_burst_of_keys() {
    let mut harness = window(head());
    drag_slider(&mut harness, "jawOpen", 0.1, 0.7);
    drag_slider(&mut harness, "jawForward", 0.1, 0.5);
    for _ in 0..5 {
        harness.key_press(Key::ArrowUp);
    }
    harness.run_steps(60);
    let undo = |harness: &mut Harness<'static, App>, modifiers: Modifiers| {
        harness.key_press_modifiers(modifiers, Key::Z);
        harness.run_ok();
        (harness.state().weight("jawOpen"), harness.state().weight("jawForward"))
    };
    let redo = Modifiers::COMMAND | Modifiers::SHIFT;
    let (open, forward) = undo(&mut harness, Modifiers::COMMAND);
    assert!(near(open, 0.7) && near(forward, 0.5), "five key presses undone together: {open} {forward}");
    let (open, forward) = undo(&mut harness, Modifiers::COMMAND);
    assert!(near(open, 0.7) && forward == 0.0, "the whole drag undone: {open} {forward}");
    assert_eq!(undo(&mut harness, Modifiers::COMMAND), (0.0, 0.0));
    assert_eq!(undo(&mut harness, Modifiers::COMMAND), (0.0, 0.0), "nothing left to undo");
    let (open, forward) = undo(&mut harness, redo);
    assert!(near(open, 0.7) && forward == 0.0, "{open} {forward}");
    harness.get_by_label("Look").click();
    harness.run();
    drag_slider(&mut harness, "Key intensity", 0.4, 0.9);
    assert!(near(harness.state().session.edits.look.key.intensity, 5.4));
    assert!(!harness.state().session.can_redo(), "a new edit clears the redo steps");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(harness.state().session.edits.look, Look::default(), "the look is undone too");
}

#[test]
fn an_idle_window_edits_nothing() {
    let mut harness = window(head());
    harness.run_steps(30);
    assert!(!harness.state().session.can_undo());
    assert_eq!(harness.state().session.edits.look, Look::default());
    assert!(harness.state().commands.is_empty());
    assert!(!harness.state().state.is_interacting);
}

#[test]
fn reset_all_keeps_the_look_and_can_be_undone() {
    let mut harness = window(head());
    harness.get_by_label("Look").click();
    harness.run();
    drag_slider(&mut harness, "jawOpen", 0.1, 0.7);
    drag_slider(&mut harness, "Gloss", 0.4, 0.9);
    let look = harness.state().session.edits.look;
    harness.get_by_label("Reset all").click();
    harness.run();
    assert_eq!(harness.state().weight("jawOpen"), 0.0);
    assert_eq!(harness.state().session.edits.look, look);
    assert_ne!(look, Look::default());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert!(near(harness.state().weight("jawOpen"), 0.7));
}

#[test]
fn reset_all_says_what_still_drives_the_face() {
    let mut harness = window(head());
    let mut said = || {
        harness.get_by_label("Reset all").click();
        harness.run();
        let said = harness.state_mut().commands.pop();
        harness.state_mut().session.clips_mut().select(None);
        harness.run();
        said
    };
    let clip = "All sliders reset. Clip: Blink still drives 2 channels";
    assert_eq!(said(), Some(Command::ShowStatus(clip.into())));
    assert_eq!(said(), Some(Command::ShowStatus("All sliders reset".into())));
}

#[test]
fn another_head_keeps_the_mode_and_starts_with_the_default_look() {
    let mut harness = window(head());
    harness.get_by_label("Look").click();
    harness.run();
    drag_slider(&mut harness, "jawOpen", 0.1, 0.7);
    let default = harness.state().session.edits.look;
    drag_slider(&mut harness, "Gloss", 0.4, 0.9);
    harness.get_by_label("Expand jawOpen").click();
    harness.run();
    let look = harness.state().session.edits.look;
    assert_ne!(look, default);
    let same = harness.state().session.head.clone();
    harness.state_mut().session.replace_head(same, HeadSource::Embedded);
    harness.run();
    assert_eq!(harness.state().session.edits.look, look, "the same file read again");
    harness.get_by_label("Make default").scroll_to_me();
    harness.run();
    harness.get_by_label("Make default").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::MakeLookDefault]);
    let other = |name: &str| {
        let head = Head::new(Asset { name: "other".into(), meshes: vec![mesh("face", &[name])], ..Asset::default() });
        (Arc::new(head), HeadSource::File(format!("{name}.glb").into()))
    };
    let (first, source) = other("frown");
    harness.state_mut().session.replace_head(first, source);
    assert_eq!(harness.state().session.edits.look, default);
    harness.state_mut().session.default_look = look;
    let (second, source) = other("smile");
    harness.state_mut().session.replace_head(second, source);
    harness.run();
    let app = harness.state();
    assert_eq!((app.session.mode, app.session.edits.look), (BlendMode::Compute, look));
    assert!(!app.session.can_undo() && app.list().expanded_channels.is_empty());
    assert!(harness.query_by_label("smile").is_some() && harness.query_by_label("jawOpen").is_none());
}
