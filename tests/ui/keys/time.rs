//! The range that plays, the dope sheet, and time that is inserted or cut out.

use super::{key_pos, keys, press_over_graph, selected, undo, window_with_keys};
use crate::harness::*;
use smirk::motion::Key as MotionKey;

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
    let sheet = harness.get_by_label("Keys by channel").rect().shrink(1.0);
    drag(&mut harness, sheet.left_top(), sheet.right_bottom(), Modifiers::NONE);
    assert_eq!(selected(&harness), 5);
    harness.get_by_label("Graph").click();
    harness.run_ok();
    assert!(harness.query_by_label("Curves").is_some() && selected(&harness) == 5, "the same keys stay selected");
}

#[test]
fn time_is_inserted_and_cut_out_between_in_and_out() {
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
    choose(&mut harness, "Insert the time from in to out");
    assert_eq!(times(&harness), [1.0, 5.5, 8.5]);
    choose(&mut harness, "Cut the time from in to out");
    assert_eq!(keys(&harness), before);
    choose(&mut harness, "Cut the time from in to out");
    assert_eq!(times(&harness), [1.0, 2.5, 5.5]);
    undo(&mut harness);
    assert_eq!(keys(&harness), before);
}
