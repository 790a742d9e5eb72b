//! What keys do to their curve: inserted keys, tangents and modes.

use super::{key_pos, keys, press_over_graph, select_all, selected, undo, window_with_keys};
use crate::harness::*;
use crate::names::drawn_texts;
use smirk_face::motion::{KeyMode, Tangents};

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
fn keys_act_on_the_face_again_when_the_graph_is_gone_from_under_the_pointer() {
    let mut harness = window_with_keys();
    // The panel is gone at once, as where a frame takes longer than its animation.
    harness.ctx.all_styles_mut(|style| style.animation_time = 0.0);
    select_all(&mut harness);
    press_over_graph(&mut harness, Key::Delete, Modifiers::NONE);
    assert!(harness.query_by_label("Curves").is_none(), "without keys there is no timeline");
    harness.state_mut().session.camera.distance *= 3.0;
    let far = harness.state().session.camera;
    harness.key_press(Key::F);
    harness.run_ok();
    assert_ne!(harness.state().session.camera, far);
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
        press(&mut harness, button);
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
fn keys_of_a_driven_channel_are_drawn_on_the_sum_and_their_mode_is_switched() {
    let mut harness = window_with_keys();
    harness.state_mut().session.clips_mut().select(Some(0));
    let channel = harness.state().channel("eyeBlinkLeft");
    harness.state_mut().session.seek(4.0);
    harness.state_mut().session.keys_mut().insert(channel, 4.0);
    harness.run_ok();
    let at_key = harness.get_by_label("Key eyeBlinkLeft 4.00 s").rect().center();
    assert!((at_key.y - key_pos(&harness, 4.0).y).abs() < 1.0, "the clip is at 0.5 there, as is the other key");
    drag(&mut harness, at_key, at_key - Vec2::new(0.0, 60.0), Modifiers::NONE);
    let curve = harness.state().session.keys().curve("eyeBlinkLeft").unwrap().clone();
    assert_eq!(curve.mode, KeyMode::Add);
    assert!(curve.keys()[0].value > 0.1 && harness.state().weight("eyeBlinkLeft") > 0.6);
    let shown = harness.state().weight("eyeBlinkLeft");
    press(&mut harness, "Keys over what is below");
    press(&mut harness, "Override");
    assert_eq!(harness.state().session.keys().curve("eyeBlinkLeft").unwrap().mode, KeyMode::Replace);
    assert!(near(harness.state().weight("eyeBlinkLeft"), shown), "the face does not jump");
}

#[test]
fn the_card_of_a_key_says_when_the_key_is_and_not_where_the_pointer_is() {
    let mut harness = window_with_keys();
    let key = key_pos(&harness, 4.0);
    let said = |harness: &mut Harness<'static, App>, at: Pos2| {
        harness.hover_at(at);
        harness.run_ok();
        drawn_texts(harness).into_iter().find(|text| text.contains(" s  f ")).unwrap_or_default()
    };
    for by in [-6.0, 0.0, 6.0] {
        let said = said(&mut harness, key + Vec2::new(by, 0.0));
        assert!(said.starts_with("4.000 s"), "{by}: {said}");
    }
    let beside = said(&mut harness, key + Vec2::new(12.0, 0.0));
    assert!(!beside.is_empty() && !beside.starts_with("4.000 s"), "beside it, the curve is told of: {beside}");
}
