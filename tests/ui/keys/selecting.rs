//! Keys are selected, and what is selected is deleted, copied, pasted, isolated and fitted.

use super::{key_pos, keys, press_over_graph, select_all, selected, undo, window_with_keys};
use crate::harness::*;
use smirk_face::motion::Key as MotionKey;

#[test]
fn a_key_is_deleted_by_menu_and_by_keyboard_and_undo_restores_it() {
    let mut harness = window_with_keys();
    let before = keys(&harness);
    harness.get_by_label("Key jawOpen 4.00 s").click_secondary();
    harness.run_ok();
    harness.get_by_label_contains("Delete key").click();
    harness.run_ok();
    assert_eq!(keys(&harness), [before[0], before[2]]);
    for (secs, key, left) in [(7.0, Key::Delete, 1), (1.0, Key::Backspace, 0)] {
        let over = key_pos(&harness, secs);
        click(&mut harness, over);
        assert_eq!(selected(&harness), 1);
        press_over_graph(&mut harness, key, Modifiers::NONE);
        assert_eq!(keys(&harness), before[..left]);
    }
    (0..3).for_each(|_| undo(&mut harness));
    assert_eq!(keys(&harness), before);
}

#[test]
fn a_box_selects_keys_and_adds_and_removes_with_shift_and_ctrl() {
    let mut harness = window_with_keys();
    let around = |harness: &Harness<'static, App>, secs: f32| {
        let at = key_pos(harness, secs);
        (at - Vec2::new(30.0, 8.0), at + Vec2::new(30.0, 8.0))
    };
    let (from, to) = around(&harness, 4.0);
    drag(&mut harness, from, to, Modifiers::NONE);
    assert_eq!(selected(&harness), 1);
    let (from, to) = around(&harness, 7.0);
    drag(&mut harness, from, to, Modifiers::SHIFT);
    assert_eq!(selected(&harness), 2);
    let (from, to) = around(&harness, 4.0);
    drag(&mut harness, from, to, Modifiers::COMMAND);
    assert_eq!(selected(&harness), 1);
    let (from, to) = around(&harness, 1.0);
    drag(&mut harness, from, to, Modifiers::NONE);
    assert_eq!(selected(&harness), 1, "without a modifier, only what is in the box is selected");
    press_over_graph(&mut harness, Key::A, Modifiers::COMMAND);
    assert_eq!(selected(&harness), 3);
    let rect = harness.get_by_label("Curves").rect();
    click(&mut harness, rect.left_bottom() + Vec2::new(40.0, -6.0));
    assert_eq!(selected(&harness), 0, "a click between the curves selects nothing");
}

#[test]
fn keys_are_copied_cut_and_pasted_at_the_play_head_onto_the_selected_row() {
    let mut harness = window_with_keys();
    let before = keys(&harness);
    select_all(&mut harness);
    harness.hover_at(at(&harness, "Curves", 0.995));
    harness.run_ok();
    harness.event(Event::Cut);
    harness.run_ok();
    assert!(keys(&harness).is_empty());
    harness.state_mut().session.clips_mut().select(Some(0));
    harness.state_mut().session.seek(1.0);
    harness.run_ok();
    harness.event(Event::Paste("3 keys".into()));
    harness.run_ok();
    assert_eq!((keys(&harness), selected(&harness)), (before, 3), "at their own times again");
    harness.event(Event::Copy);
    harness.run_ok();
    press(&mut harness, "Curve eyeBlinkLeft");
    harness.state_mut().session.seek(0.0);
    harness.hover_at(at(&harness, "Curves", 0.995));
    harness.run_ok();
    harness.event(Event::Paste("3 keys".into()));
    harness.run_ok();
    let pasted = harness.state().session.keys().keys_of("eyeBlinkLeft").to_vec();
    let times: Vec<f32> = pasted.iter().map(|key| key.time_secs).collect();
    assert_eq!(times, [0.0, 3.0, 6.0]);
    press_over_graph(&mut harness, Key::M, Modifiers::SHIFT);
    assert_eq!(harness.state().session.keys().keys_of("eyeBlinkRight"), pasted, "mirrored");
}

#[test]
fn keys_isolate_fit_and_normalise_their_curves() {
    let mut harness = window_with_keys();
    harness.state_mut().session.clips_mut().select(Some(0));
    harness.state_mut().session.keys_mut().edit(|keys| keys.set("mouthPucker", MotionKey::new(2.0, 0.25)));
    harness.run_ok();
    let before = key_pos(&harness, 4.0);
    click(&mut harness, before);
    press_over_graph(&mut harness, Key::F, Modifiers::NONE);
    assert!(harness.query_by_label("Key mouthPucker 2.00 s").is_none(), "only the selected key is in view");
    press_over_graph(&mut harness, Key::A, Modifiers::NONE);
    assert!((key_pos(&harness, 4.0) - before).length() < 0.5);
    press_over_graph(&mut harness, Key::H, Modifiers::NONE);
    assert!(harness.query_by_label("Key mouthPucker 2.00 s").is_none());
    press_over_graph(&mut harness, Key::H, Modifiers::NONE);
    let low = harness.get_by_label("Key mouthPucker 2.00 s").rect().center();
    press_over_graph(&mut harness, Key::N, Modifiers::NONE);
    let normal = harness.get_by_label("Key mouthPucker 2.00 s").rect().center();
    assert!((low - normal).length() > 5.0, "its own range is drawn from bottom to top");
}
