//! The range that plays, the dope sheet, and time that is inserted or deleted.

use super::{key_pos, keys, press_over_graph, selected, undo, window_with_keys};
use crate::harness::*;
use crate::takes::capture;
use egui::epaint::ClippedShape;
use egui::{Event, Shape};
use smirk_face::motion::Key as MotionKey;

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
fn in_and_out_points_that_are_out_of_sight_cross_no_names_of_the_dope_sheet() {
    let mut harness = window_with_keys();
    for (secs, key) in [(2.0, Key::I), (6.0, Key::O)] {
        harness.state_mut().session.seek(secs);
        harness.key_press(key);
        harness.run_ok();
    }
    press_over_graph(&mut harness, Key::D, Modifiers::NONE);
    let sheet = harness.get_by_label("Keys by channel").rect();
    let is_line_over_names = |clipped: &ClippedShape| match clipped.shape {
        Shape::LineSegment { points: [from, to], .. } => {
            let is_beside = (sheet.left() - 130.0..sheet.left() - 1.0).contains(&from.x);
            from.x == to.x
                && is_beside
                && sheet.y_range().contains(from.lerp(to, 0.5).y)
                && clipped.clip_rect.contains(from.lerp(to, 0.5))
                && (from.y - to.y).abs() > 30.0
        }
        _ => false,
    };
    for share in [0.99, 0.75, 0.3] {
        harness.hover_at(sheet.lerp_inside(Vec2::new(share, 0.5)));
        for _ in 0..12 {
            harness.input_mut().events.push(Event::Zoom(1.25));
            harness.run_ok();
            let crossing = harness.output().shapes.iter().find(|clipped| is_line_over_names(clipped));
            assert!(crossing.is_none(), "zoomed around {share}: {crossing:?} beside {sheet:?}");
        }
        for _ in 0..12 {
            harness.input_mut().events.push(Event::Zoom(0.8));
            harness.run_ok();
        }
    }
}

#[test]
fn the_dope_sheet_moves_all_keys_of_a_row_at_one_time() {
    let mut harness = window_with_keys();
    harness.state_mut().session.keys_mut().edit(|keys| keys.set("jawLeft", MotionKey::new(4.0, 0.25)));
    harness.state_mut().session.keys_mut().edit(|keys| keys.set("browInnerUp", MotionKey::new(4.0, 0.25)));
    harness.run_ok();
    press_over_graph(&mut harness, Key::D, Modifiers::NONE);
    let times = |harness: &Harness<'static, App>, name: &str| {
        harness.state().session.keys().keys_of(name).iter().map(|key| key.time_secs).collect::<Vec<_>>()
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
    harness.state_mut().session.takes_mut().add(vec![capture()]);
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
    press(&mut harness, "Graph");
    assert!(harness.query_by_label("Curves").is_some() && selected(&harness) == 5, "the same keys stay selected");
}

#[test]
fn the_dope_sheet_has_the_keys_of_the_clip_that_plays() {
    let mut app = App::new(head());
    let blink = app.session.head.clips[0].clone();
    app.session.reload(Arc::new(app.session.head.with_clips(vec![blink.clone(), blink])));
    app.session.clips_mut().select_together([0]);
    app.session.timeline_mut().time_all_alike(false);
    app.session.keys_mut().edit(|keys| keys.set("jawOpen", MotionKey::new(4.0, 0.5)));
    app.session.commit();
    app.state.panels.curves_open = true;
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    press_over_graph(&mut harness, Key::D, Modifiers::NONE);
    let sheet = harness.get_by_label("Keys by channel").rect().shrink(1.0);
    drag(&mut harness, sheet.left_top(), sheet.right_bottom(), Modifiers::NONE);
    assert!(harness.query_by_label("jawOpen 4.00 s").is_some() && selected(&harness) == 1);
    harness.state_mut().session.clips_mut().select_together([1]);
    harness.run_ok();
    assert!(harness.query_by_label("jawOpen 4.00 s").is_none() && selected(&harness) == 0);
}

#[test]
fn time_is_inserted_and_deleted_from_in_to_out_by_menu_and_by_keyboard() {
    let mut harness = window_with_keys();
    let before = keys(&harness);
    let range = (Some(2.0), Some(3.5));
    harness.state_mut().session.timeline_mut().edit_range(|timeline| (timeline.in_secs, timeline.out_secs) = range);
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
    harness.state_mut().session.edits.timeline.rate = smirk_face::motion::FrameRate::nearest(8.0);
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

#[test]
fn what_is_pressed_on_a_question_over_in_and_out_does_not_drag_them() {
    let mut harness = window_with_keys();
    let from = harness.get_by_label("Out point on the time bar").rect().center();
    let problem = Some("No space left on device".into());
    harness.state_mut().prompt = Some(Prompt::Quit { name: "walk".into(), project: None, problem, failure: None });
    harness.run_ok();
    drag(&mut harness, from, from - Vec2::new(200.0, 0.0), Modifiers::NONE);
    assert_eq!(harness.state().session.range_secs(), [0.0, 10.0]);
}

#[test]
fn the_dope_sheet_has_the_box_of_the_graph_which_scales_keys_in_time() {
    let mut harness = window_with_keys();
    press_over_graph(&mut harness, Key::D, Modifiers::NONE);
    assert!(harness.query_by_label_contains("Scale keys in time").is_none());
    let sheet = harness.get_by_label("Keys by channel").rect().shrink(1.0);
    drag(&mut harness, sheet.left_top(), sheet.right_bottom(), Modifiers::NONE);
    assert_eq!(selected(&harness), 3);
    let mark = |harness: &Harness<'static, App>, secs: f32| {
        harness.get_by_label(&format!("jawOpen {secs:.2} s")).rect().center().x
    };
    let second = (mark(&harness, 7.0) - mark(&harness, 1.0)) / 6.0;
    let from = harness.get_by_label("Scale keys in time, end").rect().center();
    drag(&mut harness, from, from - Vec2::new(3.0 * second, 0.0), Modifiers::NONE);
    let times: Vec<f32> = keys(&harness).iter().map(|key| key.time_secs).collect();
    let expected = [1.0, 2.5, 4.0];
    assert!(times.iter().zip(expected).all(|(time, other)| (time - other).abs() < 0.05), "{times:?}");
    assert_eq!(keys(&harness).iter().map(|key| key.value).collect::<Vec<_>>(), [0.0, 0.5, 1.0]);
    undo(&mut harness);
    assert_eq!(keys(&harness)[2].time_secs, 7.0);
}

#[test]
fn film_at_the_rate_of_ntsc_is_among_the_frame_rates() {
    let mut harness = window_with_keys();
    press(&mut harness, "Timeline settings");
    press(&mut harness, "23.976");
    let rate = harness.state().session.edits.timeline.rate.frames_per_sec();
    assert!((rate - 24_000.0 / 1001.0).abs() < 1e-9);
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(crate::names::drawn_texts(&harness).iter().any(|text| text == "23.976 fps"));
}
