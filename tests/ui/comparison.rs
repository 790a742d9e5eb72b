//! A and B: what the picture shows while B is held.

use smirk::session::ComparedWith;

use crate::harness::*;
use crate::takes::{capture, open_page, take_of};

fn hold(harness: &mut Harness<'static, App>, is_held: bool) {
    let event =
        Event::Key { key: Key::B, physical_key: None, pressed: is_held, repeat: false, modifiers: Modifiers::NONE };
    harness.event(event);
    harness.run_ok();
}

#[test]
fn while_b_is_held_the_picture_shows_the_compared_take() {
    let mut harness = window(head());
    harness.state_mut().session.add_takes(vec![capture(), take_of("other", &["JawOpen"], 60)]);
    harness.state_mut().session.clock.timeline.playing = false;
    hold(&mut harness, true);
    assert!(!harness.state().state.shows_b, "there is nothing to compare with");
    assert!(harness.query_by_label_contains("No take to compare with").is_some());
    hold(&mut harness, false);
    assert!(harness.query_by_label_contains("No take to compare with").is_none());
    open_page(&mut harness);
    harness.get_by_label("Compare take other").click();
    harness.run_ok();
    hold(&mut harness, true);
    assert!(harness.state().state.shows_b && harness.query_by_label("B: other").is_some());
    hold(&mut harness, false);
    assert!(!harness.state().state.shows_b && harness.query_by_label("B: other").is_none());
}

#[test]
fn what_b_is_can_be_chosen() {
    let mut harness = window(head());
    harness.state_mut().session.add_takes(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    harness.get_by_label("Compared with").click();
    harness.run_ok();
    harness.get_by_label("Untouched recording").click();
    harness.run_ok();
    assert_eq!(harness.state().session.compared_with, ComparedWith::Recording);
    hold(&mut harness, true);
    assert!(harness.state().state.shows_b && harness.query_by_label("B: capture, untouched").is_some());
    hold(&mut harness, false);
    harness.get_by_label("Compared with").click();
    harness.run_ok();
    harness.get_by_label("State at the last save").click();
    harness.run_ok();
    hold(&mut harness, true);
    assert!(!harness.state().state.shows_b && harness.query_by_label_contains("save the project first").is_some());
}

#[test]
fn a_b_that_is_typed_is_a_letter() {
    let mut harness = window(head());
    harness.state_mut().session.add_takes(vec![capture()]);
    harness.state_mut().session.compared_with = ComparedWith::Recording;
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    hold(&mut harness, true);
    assert!(!harness.state().state.shows_b);
}

#[test]
fn a_and_b_share_the_viewport_and_the_camera() {
    let mut harness = window(head());
    harness.state_mut().session.add_takes(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    let whole = harness.state().state.viewport_size_px;
    harness.get_by_label("Compared with").click();
    harness.run_ok();
    harness.get_by_label("Side by side").click();
    harness.run_ok();
    assert!(harness.state().state.beside_min_px.is_none(), "there is no B yet");
    assert!(harness.query_by_label_contains("No take to compare with").is_some());
    harness.state_mut().session.compared_with = ComparedWith::Recording;
    harness.run_ok();
    let state = &harness.state().state;
    let (half, [left, top]) = (state.viewport_size_px, state.beside_min_px.unwrap());
    assert_eq!((half[0], half[1], top), (whole[0] / 2, whole[1], state.viewport_min_px[1]));
    assert_eq!(left + half[0], state.viewport_min_px[0] + whole[0]);
    assert!(harness.query_by_label("A").is_some() && harness.query_by_label("B: capture, untouched").is_some());
    let viewport = harness.get_by_label("Viewport").rect();
    let (camera, from) = (harness.state().session.camera, viewport.right_center() - Vec2::new(60.0, 0.0));
    drag(&mut harness, from, from - Vec2::new(40.0, 0.0), Modifiers::NONE);
    assert_ne!(harness.state().session.camera, camera, "a drag on B moves the camera of both");
    hold(&mut harness, true);
    assert!(!harness.state().state.shows_b, "B is shown already");
}
