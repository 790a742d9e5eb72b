//! The heat map's legend, and what is under the pointer in the viewport.

use egui::accesskit::Role;
use smirk_graphics::measure::Measure;
use smirk_picture::scene::{HeatAgainst, ViewMode};

use crate::harness::*;

/// Where a point of the world is on the screen.
fn on_screen(harness: &Harness<'_, App>, point: Vec3) -> Pos2 {
    let viewport = harness.get_by_label("Viewport").rect();
    let at = harness.state().session.camera.in_picture(point).unwrap();
    viewport.center() + Vec2::new(at.x, at.y) * viewport.height()
}

/// A point near the corner of the face that its targets move by 0.01 along x.
const POINT: Vec3 = Vec3::new(0.002, 0.004, 0.0);

fn hover(harness: &mut Harness<'static, App>, at: Pos2, modifiers: Modifiers) {
    harness.event(Event::ModifiersChanged(modifiers));
    harness.hover_at(at);
    harness.run_ok();
}

#[test]
fn the_legend_chooses_what_the_heat_map_measures() {
    let mut harness = window(head());
    harness.key_press(Key::Num0);
    harness.run();
    assert_eq!(harness.state().session.edits.look.view, ViewMode::Heat);
    let choose = |harness: &mut Harness<'_, App>, list: &str, choice: &str| {
        harness.get_by_role_and_label(Role::ComboBox, list).click();
        harness.run();
        harness.get_by_role_and_label(Role::Button, choice).click();
        harness.run();
    };
    choose(&mut harness, "Measured", "Normal angle");
    assert_eq!(harness.state().session.edits.look.heat.measure, Measure::Normal);
    harness.get_by_label("Scale from 0° to 45°");
    choose(&mut harness, "Measured", "Area change");
    harness.get_by_label("Scale from -50 % to 50 %");
    choose(&mut harness, "Measured of", "browDownLeft");
    let session = &harness.state().session;
    assert_eq!(session.look().heat.channel, session.head.channel_named("browDownLeft"));
    choose(&mut harness, "Measured of", "Whole face");
    assert_eq!(harness.state().session.look().heat.channel, None);
    let against = format!("Against {}", BlendMode::Cpu.label());
    choose(&mut harness, "Measured of", &against);
    assert_eq!(harness.state().session.edits.look.heat.against, HeatAgainst::Mode(BlendMode::Cpu));
}

#[test]
fn the_pointer_reads_the_value_of_the_heat_map() {
    // One mesh alone: those of the other head lie in one plane, and which of them is met first is up to rounding.
    let meshes = vec![mesh("face", FACE)];
    let mut harness = window(Arc::new(Head::new(Asset { meshes, ..Asset::default() })));
    harness.key_press(Key::Num0);
    harness.run();
    harness.state_mut().session.clock.timeline.playing = false;
    let jaw = harness.state().session.head.channel_named("jawOpen").unwrap();
    harness.state_mut().session.set_channel(jaw, 0.3);
    harness.state_mut().session.edits.look.heat.measure = Measure::EdgeLength;
    let at = on_screen(&harness, POINT + Vec3::X * 0.003);
    hover(&mut harness, at, Modifiers::NONE);
    // The edge of 0.1 to the corner that moves by 0.003 is shorter; at the third corner, 0.02 of the way, nothing changes much.
    harness.get_by_label("-2.94 %");
}

#[test]
fn ctrl_names_what_moves_the_point_and_a_click_goes_to_its_row() {
    let mut harness = window(head());
    let at = on_screen(&harness, POINT);
    hover(&mut harness, at, Modifiers::NONE);
    assert_eq!(harness.query_all_by_label_contains("mm at 1").count(), 0);
    hover(&mut harness, at, Modifiers::COMMAND);
    assert!(harness.query_all_by_label_contains("mm at 1").count() >= 3, "channels that move the point");
    click(&mut harness, at);
    harness.run_ok();
    let is_focused = |node: &egui_kittest::Node<'_>| node.is_focused();
    assert!(harness.get_all_by_role(Role::Slider).any(|node| is_focused(&node)), "a row has the keyboard focus");
}

#[test]
fn a_drag_with_ctrl_moves_the_strongest_channel_and_is_one_step_and_without_it_the_camera_turns() {
    let mut harness = window(head());
    harness.state_mut().session.clock.timeline.playing = false;
    harness.run();
    let (camera, before) = (harness.state().session.camera, harness.state().session.edits.snapshot());
    let (at, end) = (on_screen(&harness, POINT), on_screen(&harness, POINT + Vec3::X * 0.005));
    drag(&mut harness, at, end, Modifiers::COMMAND);
    harness.run_ok();
    let session = &harness.state().session;
    assert_eq!(session.camera, camera, "the camera stays");
    let held: Vec<usize> = (0..session.head.channels.len()).filter(|&channel| session.is_manual(channel)).collect();
    assert_eq!(held.len(), 1, "one channel is held");
    let value = session.channel_value(held[0], &session.bound().weights);
    assert!((value - 0.5).abs() < 0.06, "half of the way at weight 1: {value}");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert!(*harness.state().session.edits == *before, "one undo step");
    drag(&mut harness, at, end + Vec2::new(40.0, 0.0), Modifiers::NONE);
    assert_ne!(harness.state().session.camera, camera);
}
