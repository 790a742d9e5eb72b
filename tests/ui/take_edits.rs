//! The edits of a take on the Motion page.

use crate::harness::*;
use crate::takes::{capture, open_page, take_of};
use smirk_face::motion::{EditKind, TakeEdit};

/// The window with a take of ten seconds, paused at two seconds, and the Motion page open.
fn window_with_take() -> Harness<'static, App> {
    let mut harness = window(head());
    let take = take_of("capture", &["JawOpen", "EyeBlinkRight", "Kiss", "HeadYaw"], 601);
    harness.state_mut().session.takes_mut().add(vec![take]);
    harness.state_mut().session.clock.timeline.playing = false;
    harness.state_mut().session.seek(2.0);
    harness.run_ok();
    open_page(&mut harness);
    harness
}

fn add(harness: &mut Harness<'static, App>, kind: &str) {
    press(harness, "Add edit");
    press(harness, kind);
}

fn edits(harness: &Harness<'static, App>) -> Vec<TakeEdit> {
    harness.state().session.take().unwrap().edits.clone()
}

fn labels(harness: &Harness<'static, App>) -> Vec<&'static str> {
    edits(harness).iter().map(|edit| edit.kind.label()).collect()
}

#[test]
fn a_gain_shows_on_the_face_while_it_is_dragged_and_is_one_undo_step() {
    let mut harness = window_with_take();
    let before = harness.state().weight("jawOpen");
    add(&mut harness, "Gain");
    assert_eq!(harness.state().weight("jawOpen"), before);
    let (from, to) = (at(&harness, "Edit gain", 0.5), at(&harness, "Edit gain", 1.0));
    drag_towards(&mut harness, from, to);
    assert!(near(harness.state().weight("jawOpen"), 2.0 * before), "before the button is released");
    harness.drop_at(to);
    harness.run_ok();
    harness.remove_cursor();
    harness.run_ok();
    assert_eq!(edits(&harness)[0].kind, EditKind::Gain(2.0));
    assert!(harness.state_mut().session.undo());
    assert_eq!(edits(&harness)[0].kind, EditKind::Gain(1.0), "the whole drag is one step");
    assert!(harness.state_mut().session.undo());
    assert!(edits(&harness).is_empty());
}

#[test]
fn every_kind_is_in_the_menu_and_has_its_numbers() {
    let mut harness = window_with_take();
    let with_range = EditKind::all(2.0).into_iter().filter(|kind| kind.has_range());
    for kind in with_range.clone() {
        add(&mut harness, kind.label());
        assert!(harness.query_by_label("Edit the whole take").is_some());
    }
    let kinds: Vec<_> = edits(&harness).iter().map(|edit| edit.kind).collect();
    assert_eq!(kinds, with_range.collect::<Vec<_>>());
    assert_eq!(edits(&harness)[8].span, Some([2.0, 2.5]), "a bridge begins at the play head");
    assert_eq!(edits(&harness)[0].span, None);
    add(&mut harness, "Frame rate");
    assert_eq!(edits(&harness)[0].kind, EditKind::FrameRate(60.0), "before all others");
    assert!(harness.query_by_label("Edit the whole take").is_none());
    assert_eq!(harness.state().session.take().unwrap().edited().frames_per_sec, Some(60.0));
}

#[test]
fn edits_are_switched_moved_and_removed() {
    let mut harness = window_with_take();
    for kind in ["Gain", "Offset", "Clamp"] {
        add(&mut harness, kind);
    }
    press(&mut harness, "Edit 2 Offset on");
    assert_eq!(edits(&harness).iter().map(|edit| edit.enabled).collect::<Vec<_>>(), [true, false, true]);
    let row = |harness: &Harness<'static, App>, label: &str| harness.get_by_label(label).rect().center();
    let (from, to) = (row(&harness, "Edit 3 Clamp"), row(&harness, "Edit 1 Gain"));
    drag(&mut harness, from, to, Modifiers::NONE);
    assert_eq!(labels(&harness), ["Clamp", "Gain", "Offset"]);
    assert!(harness.query_by_label("Edit lowest").is_some(), "the moved edit stays selected");
    press(&mut harness, "Remove edit 2 Gain");
    assert_eq!(labels(&harness), ["Clamp", "Offset"]);
    assert!(harness.query_by_label("Edit lowest").is_some());
    press(&mut harness, "Edit 1 Clamp");
    assert!(harness.query_by_label("Edit lowest").is_none(), "a second click closes it");
    press(&mut harness, "Edit 2 Offset");
    assert!(harness.query_by_label("Edit offset").is_some());
}

#[test]
fn undo_may_shorten_the_list_while_an_edit_is_dragged_in_it() {
    let mut harness = window_with_take();
    for kind in ["Gain", "Offset", "Clamp", "Smooth"] {
        add(&mut harness, kind);
    }
    let row = |harness: &Harness<'static, App>, label: &str| harness.get_by_label(label).rect().center();
    let (from, to) = (row(&harness, "Edit 1 Gain"), row(&harness, "Edit 4 Smooth"));
    drag_towards(&mut harness, from, to);
    assert_eq!(labels(&harness), ["Offset", "Clamp", "Smooth", "Gain"]);
    for expected in [&["Gain", "Offset", "Clamp", "Smooth"][..], &["Gain", "Offset", "Clamp"]] {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        harness.run_ok();
        assert_eq!(labels(&harness), expected);
    }
    harness.drop_at(to);
    harness.run_ok();
    assert!(harness.query_by_label("Edit 3 Clamp").is_some(), "the page is still shown");
}

#[test]
fn the_range_comes_from_the_play_head_and_the_columns_from_the_selected_curves() {
    let mut harness = window_with_take();
    harness.key_press(Key::C);
    harness.run_ok();
    press(&mut harness, "Curve jawOpen");
    add(&mut harness, "Offset");
    assert_eq!(edits(&harness)[0].columns, Some(vec!["JawOpen".to_owned()]));
    press(&mut harness, "Edit all columns");
    assert_eq!(edits(&harness)[0].columns, None);
    press(&mut harness, "Edit the selected curves");
    assert_eq!(edits(&harness)[0].columns, Some(vec!["JawOpen".to_owned()]));
    press(&mut harness, "Start here");
    harness.state_mut().session.seek(5.0);
    harness.run_ok();
    press(&mut harness, "End here");
    assert_eq!(edits(&harness)[0].span, Some([2.0, 5.0]));
    drag_slider(&mut harness, "Edit ease in", 0.1, 0.5);
    assert!(near(edits(&harness)[0].ease_in_secs, 0.5));
    drag_slider(&mut harness, "Edit end", 0.5, 0.8);
    assert!(near(edits(&harness)[0].span.unwrap()[1], 8.0));
    press(&mut harness, "Edit the whole take");
    assert_eq!(edits(&harness)[0].span, None);
    let range = (Some(1.0), Some(4.0));
    harness.state_mut().session.timeline_mut().edit_range(|timeline| (timeline.in_secs, timeline.out_secs) = range);
    harness.run_ok();
    for kind in ["Smooth", "Fill gap"] {
        add(&mut harness, kind);
        let new = edits(&harness).into_iter().find(|edit| edit.kind.label() == kind).unwrap();
        assert_eq!(new.span, Some([1.0, 4.0]), "from in to out");
    }
}

#[test]
fn the_keys_that_a_reduction_leaves_are_counted_while_its_tolerance_is_dragged() {
    let mut harness = window_with_take();
    add(&mut harness, "Reduce to keys");
    let keys = |harness: &Harness<'static, App>| {
        let node = harness.get_by_label_contains("keys of 2404 samples");
        let text = egui_kittest::kittest::NodeT::accesskit_node(&node).value().unwrap_or_default();
        text.split(' ').next().unwrap().parse::<usize>().unwrap()
    };
    let before = keys(&harness);
    let (from, to) = (at(&harness, "Edit tolerance", 0.1), at(&harness, "Edit tolerance", 0.9));
    drag_towards(&mut harness, from, to);
    assert!(keys(&harness) < before, "{} of {before}", keys(&harness));
    harness.drop_at(to);
    harness.run_ok();
}

#[test]
fn resetting_to_the_recording_switches_all_off_and_on_again() {
    let mut harness = window_with_take();
    let recorded = harness.state().weight("jawOpen");
    add(&mut harness, "Offset");
    drag_slider(&mut harness, "Edit offset", 0.5, 0.7);
    assert!(harness.state().weight("jawOpen") > recorded + 0.3);
    press(&mut harness, "Reset to the recording");
    assert_eq!(harness.state().weight("jawOpen"), recorded);
    press(&mut harness, "Use all edits");
    assert!(harness.state().weight("jawOpen") > recorded + 0.3);
}

#[test]
fn edits_of_another_take_are_listed_when_it_is_chosen() {
    let mut harness = window_with_take();
    add(&mut harness, "Gain");
    harness.state_mut().session.takes_mut().add(vec![capture()]);
    harness.run_steps(3);
    assert!(harness.query_by_label("Edit 1 Gain").is_none() && harness.query_by_label("Edit gain").is_none());
    let first = harness.state().session.edits.takes[0].id;
    harness.state_mut().session.takes_mut().remove(first);
    harness.run_steps(3);
    let last = harness.state().session.edits.takes[0].id;
    harness.state_mut().session.takes_mut().remove(last);
    harness.run_steps(3);
    assert!(harness.query_by_label("Add edit").is_none());
}

#[test]
fn edits_are_moved_by_their_menu_and_by_keys_that_go_on_moving_the_same_edit() {
    let mut harness = window_with_take();
    for kind in ["Gain", "Offset", "Clamp"] {
        add(&mut harness, kind);
    }
    let choose = |harness: &mut Harness<'static, App>, row: &str, item: &str| {
        let pos = harness.get_by_label(row).rect().center();
        right_click(harness, pos);
        // The label of an entry with a shortcut has the shortcut too.
        let entry =
            if item.starts_with("Move") { harness.get_by_label_contains(item) } else { harness.get_by_label(item) };
        entry.click();
        harness.run_ok();
    };
    choose(&mut harness, "Edit 3 Clamp", "Move up");
    assert_eq!(labels(&harness), ["Gain", "Clamp", "Offset"]);
    assert!(harness.query_by_label("Edit lowest").is_some(), "the moved edit stays selected");
    choose(&mut harness, "Edit 1 Gain", "Move down");
    assert_eq!(labels(&harness), ["Clamp", "Gain", "Offset"]);
    choose(&mut harness, "Edit 2 Gain", "Switch off");
    assert_eq!(edits(&harness).iter().map(|edit| edit.enabled).collect::<Vec<_>>(), [true, false, true]);
    choose(&mut harness, "Edit 2 Gain", "Remove");
    assert_eq!(labels(&harness), ["Clamp", "Offset"]);
    add(&mut harness, "Straight line");
    press(&mut harness, "Edit 2 Straight line");
    for (key, expected) in [
        (Key::ArrowUp, ["Straight line", "Clamp", "Offset"]),
        (Key::ArrowUp, ["Straight line", "Clamp", "Offset"]),
        (Key::ArrowDown, ["Clamp", "Straight line", "Offset"]),
        (Key::ArrowDown, ["Clamp", "Offset", "Straight line"]),
        (Key::ArrowDown, ["Clamp", "Offset", "Straight line"]),
    ] {
        harness.key_press_modifiers(Modifiers::ALT, key);
        harness.run_ok();
        assert_eq!(labels(&harness), expected);
    }
    harness.state_mut().session.undo();
    assert_eq!(labels(&harness), ["Clamp", "Straight line", "Offset"], "each move is a step");
}

#[test]
fn a_column_is_exchanged_with_that_of_the_other_side_from_its_menu_and_back() {
    let mut app = App::new(head());
    app.session.takes_mut().add(vec![take_of("capture", &["JawOpen", "EyeBlinkLeft", "EyeBlinkRight"], 601)]);
    let mut harness = window_of(Vec2::new(1280.0, 1600.0), app);
    open_page(&mut harness);
    press(&mut harness, "Mapping: 3 of 3 columns");
    let swap = |harness: &mut Harness<'static, App>| {
        harness.get_by_label("EyeBlinkLeft drives eyeBlinkLeft").click_secondary();
        harness.run_steps(3);
        press_in_menu(harness, "Swap left and right");
        harness.run_steps(2);
    };
    swap(&mut harness);
    let columns = Some(vec!["EyeBlinkLeft".to_owned()]);
    assert_eq!(edits(&harness), [TakeEdit { kind: EditKind::Mirror, columns, ..TakeEdit::default() }]);
    swap(&mut harness);
    assert!(edits(&harness).is_empty(), "once more takes it back");
    harness.get_by_label("JawOpen drives jawOpen").click_secondary();
    harness.run_steps(3);
    assert!(harness.query_by_label("Swap left and right").is_none(), "it has no other side");
}

#[test]
fn the_selected_columns_of_a_take_are_not_those_of_another() {
    let mut harness = window_with_take();
    harness.key_press(Key::C);
    harness.run_ok();
    press(&mut harness, "List columns");
    press(&mut harness, "Column Kiss");
    harness.state_mut().state.panels.curves_open = false;
    harness.run_ok();
    harness.state_mut().session.takes_mut().add(vec![take_of("another", &["A", "B", "C", "D"], 601)]);
    harness.state_mut().session.clock.timeline.playing = false;
    harness.run_ok();
    add(&mut harness, "Offset");
    assert_eq!(edits(&harness)[0].columns, None);
}
