//! The heat map's legend, and what is under the pointer in the viewport.

use egui::accesskit::Role;
use smirk_analysis::measure::Measure;
use smirk_scene::{HeatAgainst, ViewMode};

use crate::harness::*;

/// Where a point of the world is on the screen.
pub(crate) fn on_screen(harness: &Harness<'_, App>, point: Vec3) -> Pos2 {
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
    harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
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
fn the_legend_stays_within_a_narrow_viewport() {
    let mut narrowest = f32::INFINITY;
    for width in [1600.0, 1000.0, 800.0, 760.0] {
        let mut harness = window_of(Vec2::new(width, 600.0), App::new(head()));
        harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
        harness.run();
        let viewport = harness.get_by_label("Viewport").rect();
        narrowest = narrowest.min(viewport.width());
        let scale = harness.get_by_label_contains("Scale from ").rect();
        let lists =
            ["Measured", "Measured of", "Scale"].map(|list| harness.get_by_role_and_label(Role::ComboBox, list).rect());
        let end = harness.get_by_label("End of the scale").rect();
        for control in [scale, end].into_iter().chain(lists) {
            assert!(viewport.contains_rect(control), "{width} points: {control} in {viewport}");
        }
        assert!(lists[2].right() <= end.left() && lists[2].width() >= 30.0, "{width} points: {lists:?} and {end}");
        assert!(lists.windows(2).all(|two| two[0].bottom() <= two[1].top()), "{width} points: {lists:?}");
    }
    assert!((124.0..=140.0).contains(&narrowest), "{narrowest} points");
}

#[test]
fn the_pointer_reads_the_value_of_the_heat_map() {
    // One mesh alone: those of the other head lie in one plane, and which of them is met first is up to rounding.
    let meshes = vec![mesh("face", FACE)];
    let mut harness = window(Arc::new(Head::new(Asset { meshes, ..Asset::default() })));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
    harness.run();
    harness.state_mut().session.clock.timeline.playing = false;
    let jaw = harness.state().session.head.channel_named("jawOpen").unwrap();
    harness.state_mut().session.channel_mut(jaw).set(0.3);
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
    let held: Vec<usize> =
        (0..session.head.channels.len()).filter(|&channel| session.bound().sliders.manual[channel]).collect();
    assert_eq!(held.len(), 1, "one channel is held");
    let value = session.head.channel_value(held[0], &session.bound().sliders.weights);
    assert!((value - 0.5).abs() < 0.06, "half of the way at weight 1: {value}");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert!(*harness.state().session.edits == *before, "one undo step");
    drag(&mut harness, at, end + Vec2::new(40.0, 0.0), Modifiers::NONE);
    assert_ne!(harness.state().session.camera, camera);
}

/// A head on which `up` moves the corner along y, `wide` a little less along x, and `near` towards the viewer, with the camera before it.
fn directions() -> Harness<'static, App> {
    let moved = |name: &str, by: Vec3| Target::from_dense(name.into(), 0.0, &[by, Vec3::ZERO, Vec3::ZERO], &[], &[]);
    let targets = vec![
        moved("up", Vec3::Y * 0.012),
        moved("wide", Vec3::X * 0.009),
        moved("near", Vec3::Z * 0.05),
        moved("slight", Vec3::new(-0.00001, 0.0, 0.0)),
    ];
    let meshes = vec![Mesh { targets, ..mesh("face", &[]) }];
    let mut app = App::new(Arc::new(Head::new(Asset { meshes, ..Asset::default() })));
    app.session.camera.turn_to(smirk_scene::View::Front, &app.session.head, 1.0);
    window_of(Vec2::new(1600.0, 1000.0), app)
}

/// The channels that are not at rest, with their values.
fn moved_values(harness: &Harness<'static, App>) -> Vec<(String, f32)> {
    let session = &harness.state().session;
    let weights = session.mix().weights.clone();
    let values = session.head.channels.iter().enumerate();
    let values = values.map(|(index, channel)| (channel.name.clone(), session.head.channel_value(index, &weights)));
    values.filter(|(_, value)| *value != 0.0).collect()
}

#[test]
fn a_drag_picks_the_shape_whose_motion_fits_it_and_its_sign_and_names_it() {
    let mut harness = directions();
    let at = on_screen(&harness, POINT);
    for (name, way) in [("up", Vec2::new(0.0, -60.0)), ("wide", Vec2::new(60.0, 6.0)), ("up", Vec2::new(20.0, -60.0))] {
        harness.event(Event::ModifiersChanged(Modifiers::COMMAND));
        harness.hover_at(at);
        let button = |pos, pressed| Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::COMMAND,
        };
        harness.event(button(at, true));
        harness.hover_at(at + way * 0.02);
        harness.run_ok();
        assert_eq!(moved_values(&harness), [], "too short to be told");
        harness.hover_at(at + way);
        harness.run_ok();
        let (found, value) = moved_values(&harness)[0].clone();
        assert_eq!((found.as_str(), moved_values(&harness).len()), (name, 1), "{way}");
        harness.get_by_label(&format!("{name} {value:.2}"));
        harness.event(button(at + way, false));
        harness.event(Event::ModifiersChanged(Modifiers::NONE));
        harness.run_ok();
        harness.state_mut().session.reset_all();
        harness.state_mut().session.advance(1.0);
    }
    // Backwards, what is up goes down; nothing goes below rest.
    let up = harness.state().channel("up");
    harness.state_mut().session.channel_mut(up).set(0.1);
    let at = on_screen(&harness, POINT + Vec3::Y * 0.0012);
    drag(&mut harness, at, at + Vec2::new(0.0, 40.0), Modifiers::COMMAND);
    let value = harness.state().weight("up");
    assert!((0.0..0.09).contains(&value), "{:?}", moved_values(&harness));
    harness.state_mut().session.reset_all();
    harness.state_mut().session.advance(1.0);
    let (camera, at) = (harness.state().session.camera, on_screen(&harness, POINT));
    drag(&mut harness, at, at + Vec2::new(-40.0, 0.0), Modifiers::COMMAND);
    assert_eq!(moved_values(&harness), [], "no shape goes that way");
    assert_eq!(harness.state().session.camera, camera);
}

#[test]
fn a_drag_moves_both_sides_with_shift_or_where_they_are_linked_and_one_with_alt() {
    let moved = |name: &str, corner: usize| {
        let mut deltas = [Vec3::ZERO; 3];
        deltas[corner] = Vec3::Y * 0.012;
        Target::from_dense(name.into(), 0.0, &deltas, &[], &[])
    };
    let meshes = vec![Mesh { targets: vec![moved("smileLeft", 0), moved("smileRight", 1)], ..mesh("face", &[]) }];
    let mut app = App::new(Arc::new(Head::new(Asset { meshes, ..Asset::default() })));
    app.session.camera.turn_to(smirk_scene::View::Front, &app.session.head, 1.0);
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    let at = on_screen(&harness, POINT);
    let held = Modifiers::COMMAND;
    for (modifiers, is_linked, count) in
        [(held, false, 1), (held | Modifiers::SHIFT, false, 2), (held, true, 2), (held | Modifiers::ALT, true, 1)]
    {
        harness.state_mut().session.edits.link_all(is_linked);
        harness.run_ok();
        let (camera, before) = (harness.state().session.camera, harness.state().session.edits.snapshot());
        hover(&mut harness, at, modifiers);
        harness.get_by_label("Drag moves it; Shift: both sides, Alt: this side");
        drag(&mut harness, at, at + Vec2::new(0.0, -60.0), modifiers);
        harness.run_ok();
        let values = moved_values(&harness);
        assert!(values.len() == count && values[0].0 == "smileLeft", "{modifiers:?}, {is_linked}: {values:?}");
        assert!(values.iter().all(|(_, value)| *value == values[0].1), "{values:?}");
        assert_eq!(harness.state().session.camera, camera);
        harness.event(Event::ModifiersChanged(Modifiers::NONE));
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        harness.run();
        assert!(*harness.state().session.edits == *before, "one undo step");
    }
}

#[test]
fn a_right_click_on_the_face_says_what_moves_it_and_acts_on_it() {
    let mut harness = directions();
    let at = on_screen(&harness, POINT);
    let open = |harness: &mut Harness<'static, App>, chosen: Option<&str>, entry: &str| {
        right_click(harness, at);
        harness.get_by_label("What moves this point of face");
        if let Some(chosen) = chosen {
            harness.get_by_label_contains(chosen).click();
            harness.run_ok();
        }
        press(harness, entry);
        assert!(harness.query_by_label("What moves this point of face").is_none(), "the menu is closed");
    };
    right_click(&mut harness, at);
    let left = |name: &str| harness.get_by_label_contains(name).rect().top();
    assert!(left("near,") < left("up,") && left("up,") < left("wide,"), "the strongest first");
    assert!(harness.query_by_label_contains("slight,").is_none(), "three");
    harness.key_press(Key::Escape);
    harness.run_ok();
    open(&mut harness, None, "Heat map of near");
    let look = harness.state().session.look();
    assert_eq!((look.view, look.heat.channel), (ViewMode::Heat, harness.state().session.head.channel_named("near")));
    open(&mut harness, Some("wide,"), "Solo wide");
    assert!(harness.state().session.bound().sliders.soloed[harness.state().channel("wide")]);
    open(&mut harness, Some("up,"), "Select row");
    harness.run_ok();
    assert!(harness.get_by_role_and_label(Role::Slider, "up").is_focused());
    open(&mut harness, None, "Add note here");
    harness.run_ok();
    let note = &harness.state().session.edits.notes[0];
    let point = note.pinned_to.point.as_ref().unwrap();
    assert!(point.mesh == "face" && note.moment.as_ref().unwrap().point.is_some());
    let typed = harness.get_by_role_and_label(Role::MultilineTextInput, "Text of note 1");
    assert!(typed.is_focused(), "it can be typed at once");
    let beside = harness.get_by_label("Viewport").rect().left_top() + Vec2::splat(120.0);
    right_click(&mut harness, beside);
    harness.get_by_label("No surface here");
}

#[test]
fn a_pointer_that_rests_over_the_face_brings_one_hint_and_never_again() {
    let mut harness = directions();
    let at = on_screen(&harness, POINT);
    let is_hinted =
        |harness: &Harness<'static, App>| harness.query_by_label_contains("Right-click: what moves").is_some();
    let beside = harness.get_by_label("Viewport").rect().left_top() + Vec2::splat(120.0);
    harness.hover_at(beside);
    harness.run_steps(240);
    assert!(!is_hinted(&harness), "there is no face");
    harness.hover_at(at);
    harness.run_steps(60);
    assert!(!is_hinted(&harness));
    harness.run_steps(150);
    let hint = harness.get_by_label_contains("Right-click: what moves").rect();
    let viewport = harness.get_by_label("Viewport").rect();
    assert!(viewport.contains_rect(hint) && hint.bottom() < viewport.top() + 60.0, "{hint} is at the upper edge");
    harness.run_steps(600);
    assert!(!is_hinted(&harness) && harness.state().state.panels.knows_probing);
    harness.hover_at(beside);
    harness.run_ok();
    harness.hover_at(at);
    harness.run_steps(300);
    assert!(!is_hinted(&harness));
    let mut harness = directions();
    hover(&mut harness, at, Modifiers::COMMAND);
    assert!(harness.state().state.panels.knows_probing, "who has found it needs no hint");
}

#[test]
fn keys_alone_probe_the_face_and_turn_the_camera() {
    let mut harness = window(head());
    harness.state_mut().session.clips_mut().select(None);
    harness.state_mut().session.clock.timeline.playing = false;
    harness.run_ok();
    let press = |harness: &mut Harness<'static, App>, modifiers, key| {
        harness.key_press_modifiers(modifiers, key);
        harness.run_ok();
    };
    let camera = |harness: &Harness<'static, App>| {
        let camera = &harness.state().session.camera;
        [camera.yaw, camera.pitch]
    };
    let before = camera(&harness);
    press(&mut harness, Modifiers::ALT, Key::ArrowLeft);
    press(&mut harness, Modifiers::ALT, Key::ArrowUp);
    let turned = camera(&harness);
    assert!(turned[0] != before[0] && turned[1] != before[1], "{before:?} {turned:?}");
    press(&mut harness, Modifiers::ALT, Key::ArrowRight);
    press(&mut harness, Modifiers::ALT, Key::ArrowDown);
    let back = camera(&harness);
    assert!(back.iter().zip(before).all(|(a, b)| (a - b).abs() < 1e-5), "{before:?} {back:?}");

    harness.get_by_label("Viewport").focus();
    harness.run_ok();
    let time = |harness: &Harness<'static, App>| harness.state().session.clock.timeline.time_secs;
    let still = time(&harness);
    let target = on_screen(&harness, POINT);
    let viewport = harness.get_by_label("Viewport").rect();
    let steps = (target - viewport.center()) / (0.01 * viewport.height());
    let ways = [(steps.x, Key::ArrowRight, Key::ArrowLeft), (steps.y, Key::ArrowDown, Key::ArrowUp)];
    for (steps, forwards, backwards) in ways {
        for _ in 0..steps.abs().round() as usize {
            press(&mut harness, Modifiers::NONE, if steps > 0.0 { forwards } else { backwards });
        }
    }
    assert_eq!(time(&harness), still, "arrows move the cursor, not the play head");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    harness.get_by_label_contains("What moves this point of");
    harness.get_by_label_contains("Heat map of").click();
    harness.run_ok();
    assert_eq!(harness.state().session.edits.look.view, ViewMode::Heat);
    // Without the focus, arrows step through time again.
    harness.state_mut().session.clips_mut().select(Some(0));
    harness.get_by_label("Loop").focus();
    harness.run_ok();
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert!(time(&harness) > still);
}
