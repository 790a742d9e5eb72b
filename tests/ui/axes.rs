//! Up and Front of the Look page: which axes of a head's file are shown up and to the front.

use egui::accesskit::Role;
use smirk_export::ExportKind;
use smirk_face::head::{Axis, ChosenAxes, Standing};

use crate::harness::*;

fn choose(harness: &mut Harness<'_, App>, list: &str, choice: &str) {
    harness.get_by_role_and_label(Role::ComboBox, list).click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, choice).click();
    harness.run();
}

#[test]
fn the_look_page_sets_up_and_front_and_undo_takes_them_back() {
    let mut harness = window_of(Vec2::new(1280.0, 1600.0), App::new(head()));
    harness.get_by_label("Look").click();
    harness.run();
    let axes = |harness: &Harness<'_, App>| harness.state().session.edits.axes;
    choose(&mut harness, "Up", "+Z");
    assert_eq!(axes(&harness), ChosenAxes { up: Some(Axis::PlusZ), front: None });
    // The front follows: that of a head as found would be parallel to what is up now.
    let stands = |harness: &Harness<'_, App>| harness.state().session.head.standing_as(axes(harness));
    assert_eq!(stands(&harness), Standing::new(Axis::PlusZ, Axis::MinusY).unwrap());
    harness.get_by_role_and_label(Role::ComboBox, "Front").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Not found (−Y)").click();
    harness.run();
    choose(&mut harness, "Front", "+X");
    assert_eq!(axes(&harness), ChosenAxes { up: Some(Axis::PlusZ), front: Some(Axis::PlusX) });
    choose(&mut harness, "Up", "−X");
    assert_eq!(axes(&harness), ChosenAxes { up: Some(Axis::MinusX), front: None }, "no face looks along what is up");
    // Nothing tells of the triangles of this head.
    choose(&mut harness, "Up", "Not found (+Y)");
    assert_eq!(axes(&harness), ChosenAxes::default());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(axes(&harness).up, Some(Axis::MinusX), "the choice can be undone");
}

#[test]
fn a_head_that_lies_can_be_exported_as_shown() {
    let mut lying = window(Arc::new(head().turned_to(Standing::new(Axis::PlusZ, Axis::MinusY).unwrap())));
    let mut upright = window(head());
    for (harness, is_offered) in [(&mut lying, true), (&mut upright, false)] {
        harness.state_mut().state.export.kind = ExportKind::Head;
        harness.get_by_label("Export").click();
        harness.run();
        assert_eq!(harness.query_by_label("Upright, as shown").is_some(), is_offered);
    }
    // An animation has a head by choice.
    lying.state_mut().state.export.kind = ExportKind::Animation;
    lying.state_mut().state.export.with_head = false;
    lying.run();
    assert!(lying.query_by_label("Upright, as shown").is_none());
    lying.get_by_label("With the head").click();
    lying.run();
    lying.get_by_label("Upright, as shown").click();
    lying.run();
    assert!(lying.state().state.export.as_shown);
}
