//! Keys in the curves panel: dragged, cancelled, deleted and undone.

use crate::harness::*;
use smirk::motion::Key as MotionKey;

/// The window with three keys on jawOpen and the curves panel open.
fn window_with_keys() -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.select_clip(None);
    for (time_secs, value) in [(1.0, 0.0), (4.0, 0.5), (7.0, 1.0)] {
        app.session.edits.keys.set("jawOpen", MotionKey::new(time_secs, value));
    }
    app.session.commit();
    app.state.panels.curves_open = true;
    window_of(Vec2::new(1600.0, 1000.0), app)
}

fn keys(harness: &Harness<'static, App>) -> Vec<MotionKey> {
    harness.state().session.edits.keys.of("jawOpen").to_vec()
}

fn undo(harness: &mut Harness<'static, App>) {
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
}

#[test]
fn a_key_is_dragged_in_time_and_value_past_another_in_one_step() {
    let mut harness = window_with_keys();
    let before = keys(&harness);
    let from = harness.get_by_label("Key jawOpen 4.00 s").rect().center();
    let last = harness.get_by_label("Key jawOpen 7.00 s").rect().center();
    let first = harness.get_by_label("Key jawOpen 1.00 s").rect().center();
    let to = egui::pos2(last.x + (last.x - from.x) / 3.0, first.y + (last.y - first.y) / 4.0);
    drag(&mut harness, from, to, Modifiers::NONE);
    let after = keys(&harness);
    assert_eq!(after.len(), 3, "{after:?}");
    assert!((after[2].time_secs - 8.0).abs() < 0.02 && near(after[2].value, 0.25), "{after:?}");
    assert_eq!(after[..2], [before[0], before[2]], "the key that was passed stays");
    assert_eq!(harness.state().session.clock.timeline.time_secs, 0.0, "the timeline was not scrubbed");
    undo(&mut harness);
    assert_eq!(keys(&harness), before);
}

#[test]
fn escape_cancels_a_drag_without_an_undo_step() {
    let mut harness = window_with_keys();
    let before = keys(&harness);
    let from = harness.get_by_label("Key jawOpen 4.00 s").rect().center();
    drag_towards(&mut harness, from, from + Vec2::new(90.0, 30.0));
    assert_ne!(keys(&harness), before);
    harness.key_press(Key::Escape);
    harness.run_ok();
    harness.hover_at(from + Vec2::new(200.0, 0.0));
    harness.run_ok();
    harness.drop_at(from + Vec2::new(200.0, 0.0));
    harness.run_ok();
    assert_eq!(keys(&harness), before);
    assert_eq!(harness.state().session.clock.timeline.time_secs, 0.0, "the rest of the drag does not scrub");
    assert!(!harness.state().session.can_redo());
    undo(&mut harness);
    assert!(keys(&harness).is_empty(), "undo removes the step before the drag");
}

#[test]
fn a_key_cannot_be_dragged_before_the_start() {
    let mut harness = window_with_keys();
    let from = harness.get_by_label("Key jawOpen 1.00 s").rect().center();
    drag(&mut harness, from, from - Vec2::new(600.0, 0.0), Modifiers::NONE);
    assert_eq!(keys(&harness)[0].time_secs, 0.0);
}

#[test]
fn a_key_is_deleted_by_menu_and_by_keyboard_and_undo_restores_it() {
    let mut harness = window_with_keys();
    let before = keys(&harness);
    harness.get_by_label("Key jawOpen 4.00 s").click_secondary();
    harness.run_ok();
    harness.get_by_label("Delete key").click();
    harness.run_ok();
    assert_eq!(keys(&harness), [before[0], before[2]]);
    let over = harness.get_by_label("Key jawOpen 7.00 s").rect().center();
    harness.hover_at(over);
    harness.run_ok();
    harness.key_press(Key::Delete);
    harness.run_ok();
    assert_eq!(keys(&harness), before[..1]);
    let over = harness.get_by_label("Key jawOpen 1.00 s").rect().center();
    harness.hover_at(over);
    harness.run_ok();
    harness.key_press(Key::Backspace);
    harness.run_ok();
    assert!(keys(&harness).is_empty());
    (0..3).for_each(|_| undo(&mut harness));
    assert_eq!(keys(&harness), before);
}
