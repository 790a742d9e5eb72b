//! Keys are dragged: in time and value, several at once, by the box around them, or given up.

use super::{drag_from_key, key_pos, keys, press_over_graph, select_all, undo, window_with_keys};
use crate::harness::*;
use crate::takes::capture;
use smirk_session::TimingOf;

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
fn a_drag_ends_the_typing_in_a_field_so_that_each_is_an_undo_step_and_keys_act_on_keys() {
    let mut harness = window_with_keys();
    let search = |harness: &mut Harness<'static, App>| {
        harness.get_by_label("Search curves").focus();
        harness.run_ok();
        harness.event(Event::Text("j".into()));
        harness.run_ok();
        assert!(harness.get_by_label("Search curves").is_focused());
    };
    search(&mut harness);
    drag_from_key(&mut harness, 1.0, Vec2::new(0.0, -30.0), Modifiers::NONE);
    let after_first = keys(&harness);
    drag_from_key(&mut harness, 4.0, Vec2::new(0.0, -30.0), Modifiers::NONE);
    undo(&mut harness);
    assert_eq!(keys(&harness), after_first);
    search(&mut harness);
    select_all(&mut harness);
    press_over_graph(&mut harness, Key::Delete, Modifiers::NONE);
    assert!(keys(&harness).is_empty());
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
fn a_drag_of_keys_ends_when_a_take_begins_to_play() {
    let mut harness = window_with_keys();
    harness.state_mut().session.timeline_mut().time_all_alike(false);
    harness.run_ok();
    let from = key_pos(&harness, 4.0);
    drag_towards(&mut harness, from, from + Vec2::new(90.0, 30.0));
    let dragged = keys(&harness);
    harness.state_mut().session.takes_mut().add(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    harness.run_ok();
    let to = from + Vec2::new(200.0, 0.0);
    harness.hover_at(to);
    harness.run_ok();
    harness.drop_at(to);
    harness.run_ok();
    let edits = &harness.state().session.edits;
    assert_eq!(edits.timing(&TimingOf::Head).keys.keys_of("jawOpen"), dragged);
    assert!(keys(&harness).is_empty(), "the take has keys of the head");
}

#[test]
fn a_key_cannot_be_dragged_before_the_start() {
    let mut harness = window_with_keys();
    let from = harness.get_by_label("Key jawOpen 1.00 s").rect().center();
    drag(&mut harness, from, from - Vec2::new(600.0, 0.0), Modifiers::NONE);
    assert_eq!(keys(&harness)[0].time_secs, 0.0);
}

#[test]
fn shift_keeps_a_drag_to_the_stronger_axis_and_times_snap_to_frames() {
    let mut harness = window_with_keys();
    drag_from_key(&mut harness, 4.0, Vec2::new(100.0, 20.0), Modifiers::SHIFT);
    let moved = keys(&harness)[1];
    assert_eq!(moved.value, 0.5);
    let frame = moved.time_secs * 30.0;
    assert!(moved.time_secs > 4.2 && (frame - frame.round()).abs() < 1e-3, "{moved:?}");
    undo(&mut harness);
    drag_from_key(&mut harness, 4.0, Vec2::new(10.0, -40.0), Modifiers::SHIFT);
    let moved = keys(&harness)[1];
    assert!(moved.time_secs == 4.0 && moved.value > 0.55, "{moved:?}");
    undo(&mut harness);
    harness.state_mut().session.edits.timeline.snaps = false;
    drag_from_key(&mut harness, 4.0, Vec2::new(33.0, 0.0), Modifiers::NONE);
    let frame = keys(&harness)[1].time_secs * 30.0;
    assert!((frame - frame.round()).abs() > 1e-3, "off frames without snapping: {frame}");
}

#[test]
fn all_selected_keys_move_together_and_none_before_the_start() {
    let mut harness = window_with_keys();
    let before = keys(&harness);
    select_all(&mut harness);
    drag_from_key(&mut harness, 4.0, Vec2::new(-900.0, 0.0), Modifiers::NONE);
    let times: Vec<f32> = keys(&harness).iter().map(|key| key.time_secs).collect();
    assert_eq!(times, [0.0, 3.0, 6.0], "their distances stay");
    undo(&mut harness);
    assert_eq!(keys(&harness), before, "one step");
}

#[test]
fn the_box_scales_in_time_and_value_and_ctrl_chooses_the_pivot() {
    let mut harness = window_with_keys();
    harness.state_mut().session.seek(4.0);
    harness.run_ok();
    select_all(&mut harness);
    let second = (key_pos(&harness, 7.0).x - key_pos(&harness, 1.0).x) / 6.0;
    let scale = |harness: &mut Harness<'static, App>, label: &str, by: Vec2, modifiers| {
        let from = harness.get_by_label(label).rect().center();
        drag(harness, from, from + by, modifiers);
    };
    let times = |harness: &Harness<'static, App>| keys(harness).iter().map(|key| key.time_secs).collect::<Vec<_>>();
    let near_all = |found: &[f32], expected: [f32; 3]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.05);
    scale(&mut harness, "Scale keys in time, end", Vec2::new(-3.0 * second, 0.0), Modifiers::NONE);
    assert!(near_all(&times(&harness), [1.0, 2.5, 4.0]), "about the start: {:?}", times(&harness));
    undo(&mut harness);
    select_all(&mut harness);
    scale(&mut harness, "Scale keys in time, end", Vec2::new(-1.5 * second, 0.0), Modifiers::COMMAND);
    assert!(near_all(&times(&harness), [2.5, 4.0, 5.5]), "about the play head: {:?}", times(&harness));
    undo(&mut harness);
    select_all(&mut harness);
    let height = key_pos(&harness, 1.0).y - key_pos(&harness, 7.0).y;
    let values = |harness: &Harness<'static, App>| keys(harness).iter().map(|key| key.value).collect::<Vec<_>>();
    scale(&mut harness, "Scale keys in value, top", Vec2::new(0.0, height / 2.0), Modifiers::NONE);
    assert!(near_all(&values(&harness), [0.0, 0.25, 0.5]), "{:?}", values(&harness));
    undo(&mut harness);
    select_all(&mut harness);
    scale(&mut harness, "Scale keys in value, bottom", Vec2::new(0.0, -height / 2.0), Modifiers::NONE);
    assert!(near_all(&values(&harness), [0.5, 0.75, 1.0]), "{:?}", values(&harness));
}
