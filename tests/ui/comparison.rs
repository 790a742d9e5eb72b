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
