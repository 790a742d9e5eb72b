//! Keys in the curves panel: selected, dragged, scaled, copied, deleted and undone; tangents, modes and the range that plays.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::harness::*;
use crate::takes::capture;
use smirk::motion::{Key as MotionKey, KeyMode, Tangents};

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

/// Presses a key while the pointer is over the graph.
fn press_over_graph(harness: &mut Harness<'static, App>, key: Key, modifiers: Modifiers) {
    let over = at(harness, "Curves", 0.995);
    harness.hover_at(over);
    harness.run_ok();
    harness.key_press_modifiers(modifiers, key);
    harness.run_ok();
}

fn key_pos(harness: &Harness<'static, App>, secs: f32) -> Pos2 {
    harness.get_by_label(&format!("Key jawOpen {secs:.2} s")).rect().center()
}

fn drag_from_key(harness: &mut Harness<'static, App>, secs: f32, by: Vec2, modifiers: Modifiers) {
    let from = key_pos(harness, secs);
    drag(harness, from, from + by, modifiers);
}

/// Selects all keys by a box that is dragged over the whole plot.
fn select_all(harness: &mut Harness<'static, App>) {
    let rect = harness.get_by_label("Curves").rect().shrink(2.0);
    drag(harness, rect.left_top(), rect.right_bottom(), Modifiers::NONE);
    assert_eq!(harness.state().state.curves.selected_keys(), 3);
}

fn selected(harness: &Harness<'static, App>) -> usize {
    harness.state().state.curves.selected_keys()
}

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

#[test]
fn a_double_click_on_a_curve_inserts_a_key_that_keeps_the_value() {
    let mut harness = window_with_keys();
    // Between the last key and the end, the curve is flat.
    let (from, to) = (key_pos(&harness, 7.0), key_pos(&harness, 4.0));
    let point = egui::pos2(from.x + (from.x - to.x) / 2.0, from.y);
    for _ in 0..2 {
        harness.hover_at(point);
        harness.drag_at(point);
        harness.drop_at(point);
    }
    harness.run_ok();
    let after = keys(&harness);
    assert_eq!(after.len(), 4, "{after:?}");
    assert!((after[3].time_secs - 8.5).abs() < 0.05 && after[3].value == 1.0, "{after:?}");
    assert_eq!((after[3].tangents, selected(&harness)), (Tangents::Auto, 1));
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
    harness.state_mut().session.select_clip(Some(0));
    harness.state_mut().session.seek(1.0);
    harness.run_ok();
    harness.event(Event::Paste("3 keys".into()));
    harness.run_ok();
    assert_eq!((keys(&harness), selected(&harness)), (before, 3), "at their own times again");
    harness.event(Event::Copy);
    harness.run_ok();
    harness.get_by_label("Curve eyeBlinkLeft").click();
    harness.run_ok();
    harness.state_mut().session.seek(0.0);
    harness.hover_at(at(&harness, "Curves", 0.995));
    harness.run_ok();
    harness.event(Event::Paste("3 keys".into()));
    harness.run_ok();
    let pasted = harness.state().session.edits.keys.of("eyeBlinkLeft").to_vec();
    let times: Vec<f32> = pasted.iter().map(|key| key.time_secs).collect();
    assert_eq!(times, [0.0, 3.0, 6.0]);
    press_over_graph(&mut harness, Key::M, Modifiers::SHIFT);
    assert_eq!(harness.state().session.edits.keys.of("eyeBlinkRight"), pasted, "mirrored");
}

#[test]
fn tangents_are_chosen_by_button_and_dragged_by_their_handles() {
    let mut harness = window_with_keys();
    let middle = key_pos(&harness, 4.0);
    click(&mut harness, middle);
    for (button, expected) in [
        ("Linear tangents", Tangents::Linear),
        ("Step tangents", Tangents::Step),
        ("Auto clamped tangents", Tangents::Auto),
    ] {
        harness.get_by_label(button).click();
        harness.run_ok();
        assert_eq!(keys(&harness)[1].tangents, expected);
    }
    let handle = |harness: &Harness<'static, App>, side: &str| {
        harness.get_by_label(&format!("Tangent {side} jawOpen 4.00 s")).rect().center()
    };
    let from = handle(&harness, "after");
    drag(&mut harness, from, egui::pos2(from.x, middle.y), Modifiers::NONE);
    let Tangents::Free(slope) = keys(&harness)[1].tangents else { panic!("{:?}", keys(&harness)) };
    assert!(slope.abs() < 0.02, "{slope}");
    let from = handle(&harness, "before");
    drag(&mut harness, from, from + Vec2::new(0.0, 30.0), Modifiers::ALT);
    let Tangents::Broken { incoming, outgoing } = keys(&harness)[1].tangents else { panic!("{:?}", keys(&harness)) };
    assert!(incoming > 0.2 && outgoing.abs() < 0.02, "{incoming} {outgoing}");
    (0..5).for_each(|_| undo(&mut harness));
    assert_eq!(keys(&harness)[1].tangents, Tangents::Auto);
}

#[test]
fn keys_isolate_fit_and_normalise_their_curves() {
    let mut harness = window_with_keys();
    harness.state_mut().session.select_clip(Some(0));
    harness.state_mut().session.edits.keys.set("mouthPucker", MotionKey::new(2.0, 0.25));
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

#[test]
fn keys_of_a_driven_channel_are_drawn_on_the_sum_and_their_mode_is_switched() {
    let mut harness = window_with_keys();
    harness.state_mut().session.select_clip(Some(0));
    let channel = harness.state().channel("eyeBlinkLeft");
    harness.state_mut().session.seek(4.0);
    harness.state_mut().session.insert_key(channel, 4.0);
    harness.run_ok();
    let at_key = harness.get_by_label("Key eyeBlinkLeft 4.00 s").rect().center();
    assert!((at_key.y - key_pos(&harness, 4.0).y).abs() < 1.0, "the clip is at 0.5 there, as is the other key");
    drag(&mut harness, at_key, at_key - Vec2::new(0.0, 60.0), Modifiers::NONE);
    let curve = harness.state().session.edits.keys.curve("eyeBlinkLeft").unwrap().clone();
    assert_eq!(curve.mode, KeyMode::Add);
    assert!(curve.keys()[0].value > 0.1 && harness.state().weight("eyeBlinkLeft") > 0.6);
    let shown = harness.state().weight("eyeBlinkLeft");
    harness.get_by_label("Keys over what is below").click();
    harness.run_ok();
    harness.get_by_label("Replace").click();
    harness.run_ok();
    assert_eq!(harness.state().session.edits.keys.curve("eyeBlinkLeft").unwrap().mode, KeyMode::Replace);
    assert!(near(harness.state().weight("eyeBlinkLeft"), shown), "the face does not jump");
}

#[test]
fn in_and_out_are_set_by_keys_and_by_their_handles_and_playback_stays_between_them() {
    let mut harness = window_with_keys();
    harness.state_mut().session.seek(2.0);
    harness.key_press(Key::I);
    harness.run_ok();
    harness.state_mut().session.seek(6.0);
    harness.key_press(Key::O);
    harness.run_ok();
    assert_eq!(harness.state().session.range_secs(), [2.0, 6.0]);
    let from = harness.get_by_label("Out point").rect().center();
    let second = (key_pos(&harness, 7.0).x - key_pos(&harness, 1.0).x) / 6.0;
    drag(&mut harness, from, from - Vec2::new(second, 0.0), Modifiers::NONE);
    let [start, end] = harness.state().session.range_secs();
    assert!(start == 2.0 && (end - 5.0).abs() < 0.05, "{end}");
    assert_eq!(harness.state().session.clock.timeline.time_secs, 6.0, "the play head stays");
    harness.state_mut().session.clock.timeline.playing = true;
    for _ in 0..20 {
        harness.state_mut().session.advance(0.5);
        let time_secs = harness.state().session.clock.timeline.time_secs;
        assert!((start..=end).contains(&time_secs), "{time_secs}");
    }
    harness.state_mut().session.clock.timeline.playing = false;
    harness.key_press_modifiers(Modifiers::ALT, Key::I);
    harness.key_press_modifiers(Modifiers::ALT, Key::O);
    harness.run_ok();
    assert_eq!(harness.state().session.range_secs(), [0.0, 10.0]);
}

#[test]
fn the_dope_sheet_moves_all_keys_of_a_row_at_one_time() {
    let mut harness = window_with_keys();
    harness.state_mut().session.edits.keys.set("jawLeft", MotionKey::new(4.0, 0.25));
    harness.state_mut().session.edits.keys.set("browInnerUp", MotionKey::new(4.0, 0.25));
    harness.run_ok();
    press_over_graph(&mut harness, Key::D, Modifiers::NONE);
    let times = |harness: &Harness<'static, App>, name: &str| {
        harness.state().session.edits.keys.of(name).iter().map(|key| key.time_secs).collect::<Vec<_>>()
    };
    let mark = |harness: &Harness<'static, App>, label: &str| harness.get_by_label(label).rect().center();
    let second = (mark(&harness, "jawOpen 7.00 s").x - mark(&harness, "jawOpen 1.00 s").x) / 6.0;
    let from = mark(&harness, "jawOpen 4.00 s");
    drag(&mut harness, from, from + Vec2::new(second, 9.0), Modifiers::NONE);
    assert_eq!((times(&harness, "jawOpen"), times(&harness, "jawLeft")), (vec![1.0, 5.0, 7.0], vec![4.0]));
    assert_eq!(keys(&harness)[1].value, 0.5);
    undo(&mut harness);
    let from = mark(&harness, "All keys 4.00 s");
    drag(&mut harness, from, from + Vec2::new(second, 0.0), Modifiers::NONE);
    assert_eq!(times(&harness, "jawOpen"), [1.0, 5.0, 7.0]);
    assert_eq!((times(&harness, "jawLeft"), times(&harness, "browInnerUp")), (vec![5.0], vec![5.0]));
    undo(&mut harness);
    assert_eq!(times(&harness, "browInnerUp"), [4.0], "one step");
    let from = mark(&harness, "All keys 4.00 s");
    drag(&mut harness, from, from + Vec2::new(second, 0.0), Modifiers::ALT);
    assert_eq!(times(&harness, "jawOpen"), [1.0, 5.0, 8.0], "later keys move too");
    undo(&mut harness);
    harness.state_mut().session.add_takes(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    harness.state_mut().session.commit();
    harness.run_ok();
    let second = (mark(&harness, "jawOpen 7.00 s").x - mark(&harness, "jawOpen 1.00 s").x) / 6.0;
    let from = mark(&harness, "All keys 4.00 s");
    drag(&mut harness, from, from + Vec2::new(second, 0.0), Modifiers::ALT);
    assert_eq!(times(&harness, "jawOpen"), [1.0, 5.0, 8.0]);
    let longer = harness.state().session.take().unwrap().edited().duration_secs;
    assert!((longer - 11.0).abs() < 0.02, "the take moves along: {longer} s");
    undo(&mut harness);
    assert_eq!(harness.state().session.take().unwrap().edits, [], "one step");
    undo(&mut harness);
    let sheet = harness.get_by_label("Keys by channel").rect().shrink(1.0);
    drag(&mut harness, sheet.left_top(), sheet.right_bottom(), Modifiers::NONE);
    assert_eq!(selected(&harness), 5);
    harness.get_by_label("Graph").click();
    harness.run_ok();
    assert!(harness.query_by_label("Curves").is_some() && selected(&harness) == 5, "the same keys stay selected");
}

#[test]
fn time_is_inserted_and_deleted_from_in_to_out_by_menu_and_by_keyboard() {
    let mut harness = window_with_keys();
    let before = keys(&harness);
    let timeline = &mut harness.state_mut().session.edits.timeline;
    (timeline.in_secs, timeline.out_secs) = (Some(2.0), Some(3.5));
    harness.run_ok();
    let times = |harness: &Harness<'static, App>| keys(harness).iter().map(|key| key.time_secs).collect::<Vec<_>>();
    let choose = |harness: &mut Harness<'static, App>, entry: &str| {
        harness.get_by_label("Curves").click_secondary();
        harness.run_ok();
        harness.get_by_label_contains(entry).click();
        harness.run_ok();
    };
    choose(&mut harness, "Insert time from in to out");
    assert_eq!(times(&harness), [1.0, 2.0, 3.5, 5.5, 8.5], "held from 2 to 3.5 s");
    undo(&mut harness);
    assert_eq!(keys(&harness), before, "one step");
    choose(&mut harness, "Delete time from in to out");
    assert_eq!(times(&harness), [1.0, 2.0, 2.1, 2.5, 5.5]);
    undo(&mut harness);
    press_over_graph(&mut harness, Key::I, Modifiers::COMMAND);
    assert_eq!(times(&harness), [1.0, 2.0, 3.5, 5.5, 8.5]);
    assert_eq!(harness.state().session.range_secs(), [2.0, 3.5], "no in point was set");
    press_over_graph(&mut harness, Key::Delete, Modifiers::COMMAND);
    assert_eq!(times(&harness), [1.0, 2.0, 4.0, 7.0]);
    let told = |harness: &mut Harness<'static, App>| match harness.state_mut().commands.pop() {
        Some(Command::ShowStatus(text)) => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(told(&mut harness), "1.50 s deleted in all curves");
    press_over_graph(&mut harness, Key::Delete, Modifiers::COMMAND);
    assert!(told(&mut harness).contains("set in (I) or out (O) first"), "the range is gone");
    assert_eq!(times(&harness), [1.0, 2.0, 4.0, 7.0]);
}

#[test]
fn scrubbing_snaps_to_frames_unless_ctrl_is_held() {
    let mut harness = window_with_keys();
    harness.state_mut().session.edits.timeline.rate = smirk::motion::FrameRate::nearest(8.0);
    harness.run_ok();
    let frames = |harness: &Harness<'static, App>| f64::from(harness.state().session.clock.timeline.time_secs) * 8.0;
    let is_whole = |frames: f64| (frames - frames.round()).abs() < 1e-3;
    for label in ["Time", "Ruler"] {
        for (snaps, modifiers, expected) in [
            (true, Modifiers::NONE, true),
            (true, Modifiers::COMMAND, false),
            (false, Modifiers::NONE, false),
            (false, Modifiers::COMMAND, true),
        ] {
            harness.state_mut().session.edits.timeline.snaps = snaps;
            let (from, to) = (at(&harness, label, 0.301), at(&harness, label, 0.517));
            drag(&mut harness, from, to, modifiers);
            let frames = frames(&harness);
            assert!(frames > 30.0 && is_whole(frames) == expected, "{label}, {snaps}, {modifiers:?}: frame {frames}");
        }
    }
}

#[test]
fn in_and_out_are_dragged_on_the_time_bar_and_a_click_on_them_moves_nothing() {
    let mut harness = window_with_keys();
    harness.state_mut().session.seek(3.0);
    let bar = harness.get_by_label("Time").rect();
    let second = (bar.width() - 12.0) / 10.0;
    let mark = |harness: &Harness<'static, App>, name: &str| {
        harness.get_by_label(&format!("{name} on the time bar")).rect().center()
    };
    let from = mark(&harness, "In point");
    drag(&mut harness, from, from + Vec2::new(2.0 * second, 0.0), Modifiers::NONE);
    let from = mark(&harness, "Out point");
    drag(&mut harness, from, from - Vec2::new(3.0 * second, 0.0), Modifiers::NONE);
    let [start, end] = harness.state().session.range_secs();
    assert!((start - 2.0).abs() < 0.03 && (end - 7.0).abs() < 0.03, "{start} to {end}");
    let timeline = harness.state().session.edits.timeline;
    for name in ["In point", "Out point"] {
        let at = mark(&harness, name) + Vec2::new(3.0, 0.0);
        click(&mut harness, at);
    }
    assert_eq!(harness.state().session.edits.timeline, timeline);
    assert_eq!(harness.state().session.clock.timeline.time_secs, 3.0, "the play head stays");
}

/// Sixty channels with ten thousand keys each.
#[test]
fn very_many_keys_are_drawn_once_and_dragged_quickly() {
    let names: Vec<String> = (0..60).map(|index| format!("shape{index:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let head = Head::new(Asset { name: "big".into(), meshes: vec![mesh("face", &names)], ..Asset::default() });
    let mut app = App::new(Arc::new(head));
    app.session.edits.keys = many_keys(&names);
    app.session.commit();
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    let frame = |harness: &mut Harness<'static, App>| {
        let began = Instant::now();
        harness.state_mut().session.advance(0.016);
        harness.step();
        began.elapsed()
    };
    let least = |harness: &mut Harness<'static, App>| (0..20).map(|_| frame(harness)).min().unwrap();
    let closed = least(&mut harness);
    harness.key_press(Key::C);
    harness.run_steps(20);
    let drawn = harness.state().state.curves.drawn_images();
    let open = least(&mut harness);
    assert_eq!(harness.state().state.curves.drawn_images(), drawn, "only the play head moved");
    // All keys have the value in the middle of the plot. The box is as wide as about 34 of the 10,000 frames.
    let rect = harness.get_by_label("Curves").rect();
    let middle = rect.center() + Vec2::new(0.3, 0.0);
    let half = Vec2::new(rect.width() * 17.0 / 10_300.0, rect.height() / 2.0 - 4.0);
    drag(&mut harness, middle - half, middle + half, Modifiers::NONE);
    let count = selected(&harness);
    assert!((1000..4000).contains(&count), "{count}");
    drag_towards(&mut harness, middle, middle + Vec2::new(40.0, 0.0));
    assert_eq!(selected(&harness), count, "the selected keys are dragged");
    let mut step = 0.0;
    let dragged = (0..20).map(|_| {
        step += 1.0;
        harness.hover_at(middle + Vec2::new(40.0 + step, step));
        let began = Instant::now();
        harness.step();
        began.elapsed()
    });
    let dragged = dragged.min().unwrap();
    let cost = open.saturating_sub(closed);
    println!("a frame takes {open:?} with the keys, {closed:?} without, {dragged:?} while {count} keys are dragged");
    assert!(cost < Duration::from_millis(40), "{cost:?}: many times what it should be even on a busy machine");
    assert!(dragged < Duration::from_millis(250), "{dragged:?}: many times what it should be even on a busy machine");
    assert_ne!(harness.state().session.edits.keys, many_keys(&names));
}

/// Ten thousand keys per channel, one on each frame of 60 a second, all with the value 0.5.
fn many_keys(names: &[&str]) -> smirk::motion::Keys {
    let keys: Vec<MotionKey> = (0..10_000).map(|frame| MotionKey::new(frame as f32 / 60.0, 0.5)).collect();
    let by_name: BTreeMap<&str, &Vec<MotionKey>> = names.iter().map(|name| (*name, &keys)).collect();
    serde_json::from_value(serde_json::to_value(by_name).unwrap()).unwrap()
}
