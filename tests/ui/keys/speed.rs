//! Very many keys. How long they take is measured by `cargo bench --bench keys`.

use std::collections::BTreeMap;

use super::selected;
use crate::harness::*;
use smirk_face::motion::Key as MotionKey;

/// Sixty channels with ten thousand keys each.
#[test]
fn very_many_keys_are_drawn_once_and_again_once_for_each_step_of_a_drag() {
    let names: Vec<String> = (0..60).map(|index| format!("shape{index:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let head = Head::new(Asset { name: "big".into(), meshes: vec![mesh("face", &names)], ..Asset::default() });
    let mut app = App::new(Arc::new(head));
    app.session.keys_mut().edit(|keys| *keys = many_keys(&names));
    app.session.commit();
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    harness.key_press(Key::C);
    harness.run_steps(20);
    let drawn = harness.state().curves().drawn_images();
    for _ in 0..20 {
        harness.state_mut().session.advance(0.016);
        harness.step();
    }
    assert_eq!(harness.state().curves().drawn_images(), drawn, "only the play head moved");
    // All keys have the value in the middle of the plot. The box is as wide as about 34 of the 10,000 frames.
    let rect = harness.get_by_label("Curves").rect();
    let middle = rect.center() + Vec2::new(0.3, 0.0);
    let half = Vec2::new(rect.width() * 17.0 / 10_300.0, rect.height() / 2.0 - 4.0);
    drag(&mut harness, middle - half, middle + half, Modifiers::NONE);
    let count = selected(&harness);
    assert!((1000..4000).contains(&count), "{count}");
    drag_towards(&mut harness, middle, middle + Vec2::new(40.0, 0.0));
    assert_eq!(selected(&harness), count, "the selected keys are dragged");
    let drawn = harness.state().curves().drawn_images();
    for step in 1..=20 {
        harness.hover_at(middle + Vec2::new(40.0 + step as f32, step as f32));
        harness.step();
    }
    let redrawn = harness.state().curves().drawn_images() - drawn;
    assert_eq!(redrawn, 20, "an image for each step");
    assert_ne!(*harness.state().session.keys(), many_keys(&names));
}

/// Ten thousand keys per channel, one on each frame of 60 a second, all with the value 0.5.
fn many_keys(names: &[&str]) -> smirk_face::motion::Keys {
    let keys: Vec<MotionKey> = (0..10_000).map(|frame| MotionKey::new(frame as f32 / 60.0, 0.5)).collect();
    let by_name: BTreeMap<&str, &Vec<MotionKey>> = names.iter().map(|name| (*name, &keys)).collect();
    serde_json::from_value(serde_json::to_value(by_name).unwrap()).unwrap()
}
