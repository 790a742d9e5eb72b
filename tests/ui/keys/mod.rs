//! Keys in the curves panel.

mod curves;
mod dragging;
mod of_file;
mod selecting;
mod speed;
mod time;

use crate::harness::*;
use smirk_face::motion::Key as MotionKey;

/// The window with three keys on jawOpen and the curves panel open.
fn window_with_keys() -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.clips_mut().select(None);
    // Tests go on with a clip or a take.
    app.session.timeline_mut().time_all_alike(true);
    for (time_secs, value) in [(1.0, 0.0), (4.0, 0.5), (7.0, 1.0)] {
        app.session.keys_mut().edit(|keys| keys.set("jawOpen", MotionKey::new(time_secs, value)));
    }
    app.session.commit();
    app.state.panels.curves_open = true;
    window_of(Vec2::new(1600.0, 1000.0), app)
}

fn keys(harness: &Harness<'static, App>) -> Vec<MotionKey> {
    harness.state().session.keys().keys_of("jawOpen").to_vec()
}

fn undo(harness: &mut Harness<'static, App>) {
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
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
    assert_eq!(harness.state().curves().selected_keys(), 3);
}

fn selected(harness: &Harness<'static, App>) -> usize {
    harness.state().curves().selected_keys()
}
