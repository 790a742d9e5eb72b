//! Sliders: drag, type, keys, wheel, links and single targets.

use crate::harness::*;
use crate::takes::take_of;
use smirk_face::motion::Layer;

#[test]
fn dragging_a_slider_moves_its_targets_on_all_meshes_and_nothing_else() {
    let mut harness = window(head());
    let before = harness.state().session.weights();
    drag_slider(&mut harness, "jawOpen", 0.2, 0.75);
    let app = harness.state();
    let channel = &app.session.head.channels[app.channel("jawOpen")];
    assert_eq!(channel.targets.len(), 3, "face, teeth and tongue open together");
    let after = app.session.weights();
    for (target, (before, after)) in before.iter().zip(after.iter()).enumerate() {
        if channel.targets.contains(&target) {
            assert!(near(*after, 0.75), "target {target}: {after}");
        } else {
            assert_eq!(before, after, "target {target}");
        }
    }
}

#[test]
fn a_plain_drag_stops_at_the_ends_and_shift_goes_beyond() {
    let mut harness = window(head());
    drag_slider(&mut harness, "mouthFunnel", 0.5, 1.6);
    assert_eq!(harness.state().weight("mouthFunnel"), 1.0);
    let (from, to) = (at(&harness, "mouthFunnel", 0.3), at(&harness, "mouthFunnel", 0.8));
    drag(&mut harness, from, to, Modifiers::SHIFT);
    let beyond = harness.state().weight("mouthFunnel");
    assert!(beyond > 1.3 && beyond < 1.55, "{beyond}");
    drag(&mut harness, to, from, Modifiers::COMMAND);
    let fine = harness.state().weight("mouthFunnel");
    assert!(fine < beyond - 0.02 && fine > beyond - 0.06, "{fine}");
}

#[test]
fn all_pairs_are_linked_at_once_and_alt_moves_one_side() {
    let mut harness = window(head());
    harness.state_mut().session.clips_mut().select(None);
    harness.run_ok();
    press(&mut harness, "Link all");
    drag_slider(&mut harness, "mouthSmileLeft", 0.1, 0.5);
    assert!(near(harness.state().weight("mouthSmileRight"), harness.state().weight("mouthSmileLeft")));
    let (from, to) = (at(&harness, "mouthSmileRight", 0.5), at(&harness, "mouthSmileRight", 0.9));
    drag(&mut harness, from, to, Modifiers::ALT);
    let [left, right] = ["mouthSmileLeft", "mouthSmileRight"].map(|name| harness.state().weight(name));
    assert!((left - 0.5).abs() < 0.03 && (right - 0.9).abs() < 0.03, "{left} {right}");
    // A pair can be unlinked by itself; another head of the same names is linked again, as the artist works.
    press(&mut harness, "Unlink mouthSmile");
    harness.get_by_label("Link mouthSmile");
    let before = harness.state().session.edits.clone();
    press(&mut harness, "Link all");
    assert!(harness.state().session.bound().linked.iter().all(|linked| !linked));
    harness.state_mut().session.undo();
    assert_eq!(harness.state().session.edits.linked, before.linked);
    harness.state_mut().session.replace_head(head(), HeadSource::File("other.glb".into()));
    assert!(harness.state().session.edits.links_sides && harness.state().session.edits.linked.is_empty());
}

#[test]
fn a_linked_pair_moves_together_until_unlinked() {
    let mut harness = window(head());
    harness.get_by_label("Link mouthSmile").click();
    harness.run();
    drag_slider(&mut harness, "mouthSmileLeft", 0.2, 0.6);
    assert!(
        near(harness.state().weight("mouthSmileLeft"), 0.6) && near(harness.state().weight("mouthSmileRight"), 0.6)
    );
    harness.get_by_label("Unlink mouthSmile").click();
    harness.run();
    drag_slider(&mut harness, "mouthSmileRight", 0.6, 0.1);
    assert!(
        near(harness.state().weight("mouthSmileLeft"), 0.6) && near(harness.state().weight("mouthSmileRight"), 0.1)
    );
}

#[test]
fn single_targets_are_expanded_and_mark_their_channel_as_mixed() {
    let mut harness = window(head());
    assert!(harness.query_by_label("jawOpen · teeth_lower").is_none());
    harness.get_by_label("Expand jawOpen").click();
    harness.run();
    drag_slider(&mut harness, "jawOpen · teeth_lower", 0.1, 0.5);
    let app = harness.state();
    let jaw = app.channel("jawOpen");
    let values: Vec<f32> =
        app.session.head.channels[jaw].targets.iter().map(|&target| app.session.weights()[target]).collect();
    assert!(values[0] == 0.0 && near(values[1], 0.5) && values[2] == 0.0, "{values:?}");
    assert!(app.session.head.is_mixed(jaw, &app.session.weights()));
    harness.get_by_label("Collapse jawOpen").click();
    harness.run();
    assert!(harness.query_by_label("jawOpen · teeth_lower").is_none());
}

#[test]
fn any_number_can_be_typed() {
    let mut harness = window(head());
    for (typed, value) in [("1.5", 1.5), ("-0.5", -0.5), ("30%", 0.3)] {
        let number = at(&harness, "mouthPucker", 0.93);
        click(&mut harness, number);
        harness.event(Event::Text(typed.into()));
        harness.key_press(Key::Enter);
        harness.run_ok();
        assert!(
            near(harness.state().weight("mouthPucker"), value),
            "{typed}: {}",
            harness.state().weight("mouthPucker")
        );
    }
    harness.key_press(Key::Enter);
    harness.run_ok();
    harness.event(Event::Text("0.9".into()));
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(near(harness.state().weight("mouthPucker"), 0.3), "Esc keeps the value");
}

/// What the window gets of a key with a character.
fn type_key(harness: &mut Harness<'static, App>, key: Key, text: &str) {
    harness.key_press(key);
    harness.event(Event::Text(text.into()));
    harness.run_ok();
}

#[test]
fn a_number_typed_on_a_slider_is_its_value_and_applies_no_pose() {
    let mut app = App::new(head());
    app.session.poses_mut().store("mine");
    app.session.poses_mut().clear();
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    let middle = at(&harness, "mouthPucker", 0.3);
    click(&mut harness, middle);
    let before = harness.state().weight("mouthPucker");
    for (key, text) in [(Key::Minus, "-"), (Key::Num1, "1"), (Key::Period, "."), (Key::Num5, "5")] {
        type_key(&mut harness, key, text);
        assert_eq!(harness.state().weight("mouthPucker"), before, "until Enter");
    }
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert!(near(harness.state().weight("mouthPucker"), -1.5), "{}", harness.state().weight("mouthPucker"));
    type_key(&mut harness, Key::Num1, "1");
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(near(harness.state().weight("mouthPucker"), -1.5), "Esc keeps the value");
    assert!(harness.state().session.edits.applied_poses.is_empty());
    harness.ctx.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
    harness.run_ok();
    type_key(&mut harness, Key::Num1, "1");
    assert_eq!(harness.state().session.edits.applied_poses.len(), 1, "without a slider it is the first pose");
}

#[test]
fn a_double_click_on_a_number_selects_all_of_it() {
    let mut harness = window(head());
    for (value, text) in [(-0.25, "-0.25"), (1.5, "1.50")] {
        let funnel = harness.state().channel("mouthFunnel");
        harness.state_mut().session.channel_mut(funnel).set(value);
        // More than a double-click after the last one.
        harness.run_steps(60);
        for fraction in [0.9, 0.97] {
            let number = at(&harness, "mouthFunnel", fraction);
            click(&mut harness, number);
            click(&mut harness, number);
            assert_eq!(harness.get_by_label("Value of mouthFunnel").value().as_deref(), Some(text));
            harness.event(Event::Text("0.3".into()));
            harness.key_press(Key::Enter);
            harness.run_ok();
            assert!(near(harness.state().weight("mouthFunnel"), 0.3), "{}", harness.state().weight("mouthFunnel"));
            harness.state_mut().session.channel_mut(funnel).set(value);
            harness.run_steps(60);
        }
    }
}

#[test]
fn a_text_that_is_no_number_keeps_the_field_open_with_the_reason() {
    let mut harness = window(head());
    drag_slider(&mut harness, "mouthPucker", 0.1, 0.4);
    let is_open = |harness: &Harness<'static, App>| harness.query_by_label("Value of mouthPucker").is_some();
    let reason = |harness: &Harness<'static, App>, reason: &str| harness.query_by_label_contains(reason).is_some();
    for (typed, why) in [("0..5", "“0..5” is no number"), ("", "Type a number"), ("1e99", "“1e99” is no number")]
    {
        let number = at(&harness, "mouthPucker", 0.93);
        click(&mut harness, number);
        harness.key_press(Key::Delete);
        harness.event(Event::Text(typed.into()));
        harness.run_ok();
        assert!(!reason(&harness, "Type a number"), "not while it is typed");
        harness.key_press(Key::Enter);
        harness.run_steps(4);
        assert!(is_open(&harness) && reason(&harness, why), "{typed}");
        assert!(reason(&harness, "Esc keeps 0.40"), "{typed}");
        // Also after a click elsewhere.
        click(&mut harness, egui::pos2(800.0, 400.0));
        harness.run_steps(4);
        assert!(is_open(&harness) && reason(&harness, why), "{typed}");
        harness.key_press(Key::Escape);
        harness.run_steps(4);
        assert!(!is_open(&harness) && !reason(&harness, why));
        assert!(near(harness.state().weight("mouthPucker"), 0.4));
        harness.run_steps(60);
    }
    // A better text is taken.
    let number = at(&harness, "mouthPucker", 0.93);
    click(&mut harness, number);
    harness.event(Event::Text("x".into()));
    harness.key_press(Key::Enter);
    harness.run_steps(4);
    harness.key_press(Key::Backspace);
    harness.event(Event::Text("0.6".into()));
    harness.run_ok();
    assert!(!reason(&harness, "is no number"), "the reason goes when another text is typed");
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert!(!is_open(&harness) && near(harness.state().weight("mouthPucker"), 0.6));
}

#[test]
fn a_typed_number_goes_far_beyond_the_range_but_not_without_end() {
    let mut harness = window(head());
    for (typed, expected) in [("4.5", 4.5), ("1e9", 11.0), ("-1e9", -10.0)] {
        let number = at(&harness, "mouthPucker", 0.93);
        click(&mut harness, number);
        harness.event(Event::Text(typed.into()));
        harness.run_ok();
        harness.key_press(Key::Enter);
        harness.run_ok();
        assert_eq!(harness.state().weight("mouthPucker"), expected, "{typed}");
        harness.run_steps(60);
    }
}

#[test]
fn a_number_without_a_slider_keeps_its_field_open_with_the_reason_too() {
    let mut harness = window(head());
    let reason = |harness: &Harness<'static, App>, reason: &str| harness.query_by_label_contains(reason).is_some();
    let speed = |harness: &Harness<'static, App>| harness.state().session.clock.timeline.speed;
    let type_text = |harness: &mut Harness<'static, App>, text: &str| {
        harness.key_press(Key::Delete);
        harness.event(Event::Text(text.into()));
        harness.run_steps(2);
    };
    for leave in [Key::Enter, Key::Tab] {
        harness.get_by_label("Speed").click();
        harness.run_steps(2);
        type_text(&mut harness, "fast");
        assert!(!reason(&harness, "is no number"), "not while it is typed");
        harness.key_press(leave);
        harness.run_steps(4);
        assert!(reason(&harness, "“fast” is no number"), "{leave:?}");
        assert!(harness.get_by_label("Speed").is_focused(), "{leave:?}");
        assert_eq!(speed(&harness), 1.0);
        harness.key_press(Key::Escape);
        harness.run_steps(4);
        assert!(!reason(&harness, "is no number"));
        assert_eq!(speed(&harness), 1.0);
    }
    // A better text is taken, also with a decimal comma.
    harness.get_by_label("Speed").click();
    harness.run_steps(2);
    type_text(&mut harness, "x");
    harness.key_press(Key::Enter);
    harness.run_steps(4);
    type_text(&mut harness, "0,5");
    assert!(!reason(&harness, "is no number"), "the reason goes when another text is typed");
    harness.key_press(Key::Enter);
    harness.run_steps(4);
    assert_eq!(speed(&harness), 0.5);
}

#[test]
fn a_number_that_is_not_changed_is_not_rounded() {
    let mut harness = window(head());
    drag_slider(&mut harness, "mouthPucker", 0.1, 0.4567);
    let exact = harness.state().weight("mouthPucker");
    assert!(!near(exact * 100.0, (exact * 100.0).round()), "{exact} has more digits than are shown");
    let number = at(&harness, "mouthPucker", 0.93);
    for key in [Key::Enter, Key::Tab, Key::Escape] {
        click(&mut harness, number);
        assert!(harness.query_by_label("Value of mouthPucker").is_some());
        harness.key_press(key);
        harness.run_ok();
        assert!(harness.query_by_label("Value of mouthPucker").is_none());
        assert_eq!(harness.state().weight("mouthPucker").to_bits(), exact.to_bits(), "{key:?}");
    }
}

#[test]
fn double_click_resets() {
    let mut harness = window(head());
    drag_slider(&mut harness, "jawOpen", 0.2, 0.8);
    let name = at(&harness, "jawOpen", 0.4);
    harness.run_steps(60);
    harness.hover_at(name);
    for _ in 0..2 {
        harness.drag_at(name);
        harness.event(Event::PointerButton {
            pos: name,
            button: egui::PointerButton::Primary,
            pressed: false,
            modifiers: Modifiers::NONE,
        });
    }
    harness.run_ok();
    assert_eq!(harness.state().weight("jawOpen"), 0.0);
}

#[test]
fn keys_move_the_focused_slider() {
    let mut harness = window(head());
    harness.get_by_label("jawForward").focus();
    harness.run_ok();
    let mut press = |modifiers, key| {
        harness.key_press_modifiers(modifiers, key);
        harness.run_ok();
        harness.state().weight("jawForward")
    };
    assert!((press(Modifiers::NONE, Key::ArrowUp) - 0.01).abs() < 1e-6);
    assert!((press(Modifiers::SHIFT, Key::ArrowUp) - 0.11).abs() < 1e-6);
    assert!((press(Modifiers::NONE, Key::ArrowDown) - 0.10).abs() < 1e-6);
    harness.key_press(Key::Home);
    harness.run_ok();
    assert_eq!(harness.state().weight("jawForward"), 0.0);
}

#[test]
fn the_wheel_scrolls_over_a_slider_and_edits_it_only_with_ctrl() {
    let mut harness = window_of(Vec2::new(1280.0, 500.0), App::new(head()));
    let wheel = |notches, modifiers| wheel(MouseWheelUnit::Line, notches, modifiers);
    drag_slider(&mut harness, "browInnerUp", 0.2, 0.5);
    let top = harness.get_by_label("browInnerUp").rect().top();
    let over = at(&harness, "browInnerUp", 0.5);
    harness.hover_at(over);
    harness.event(wheel(-1.0, Modifiers::NONE));
    harness.run_steps(30);
    assert!(near(harness.state().weight("browInnerUp"), 0.5), "a slider that was dragged is not edited");
    let scrolled = harness.get_by_label("browInnerUp").rect().top();
    assert!(scrolled < top - 10.0, "the list scrolls: from {top} to {scrolled}");

    // With Ctrl it edits what is under the pointer, wherever the keyboard focus is, and the list stays.
    let over = at(&harness, "cheekPuff", 0.5);
    harness.hover_at(over);
    harness.event(Event::ModifiersChanged(Modifiers::COMMAND));
    for notches in [2.0, 1.0, -1.0] {
        harness.event(wheel(notches, Modifiers::COMMAND));
        harness.run_steps(30);
    }
    assert!((harness.state().weight("cheekPuff") - 0.04).abs() < 1e-6, "{}", harness.state().weight("cheekPuff"));
    assert!(near(harness.state().weight("browInnerUp"), 0.5));
    assert_eq!(harness.get_by_label("browInnerUp").rect().top(), scrolled);
    // A series is one step of undo.
    harness.event(Event::ModifiersChanged(Modifiers::NONE));
    harness.run_steps(60);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(harness.state().weight("cheekPuff"), 0.0);
}

#[test]
fn left_and_right_step_frames_unless_a_text_field_has_the_focus() {
    let mut harness = window(head());
    let press = |harness: &mut Harness<'static, App>, modifiers, key| {
        harness.key_press_modifiers(modifiers, key);
        harness.run_ok();
        harness.state().session.clock.timeline.time_secs
    };
    for label in ["jawForward", "Reset all", "Loop"] {
        harness.state_mut().session.seek(2.0);
        harness.get_by_label(label).focus();
        harness.run_ok();
        assert!((press(&mut harness, Modifiers::NONE, Key::ArrowRight) - 2.0 - 1.0 / 30.0).abs() < 1e-5, "{label}");
        assert!((press(&mut harness, Modifiers::NONE, Key::ArrowLeft) - 2.0).abs() < 1e-5, "{label} keeps the focus");
        assert!((press(&mut harness, Modifiers::SHIFT, Key::ArrowRight) - 2.5).abs() < 1e-5, "{label}");
    }
    assert_eq!(harness.state().weight("jawForward"), 0.0);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    harness.event(Event::Text("jaw".into()));
    harness.run_ok();
    assert_eq!(press(&mut harness, Modifiers::NONE, Key::ArrowLeft), 2.5, "the text cursor moves");
    let take = take_of("take", &["jawOpen"], 600);
    harness.state_mut().session.takes_mut().add(vec![take]);
    harness.state_mut().session.clock.timeline.playing = false;
    harness.key_press(Key::Escape);
    harness.run_ok();
    harness.state_mut().session.seek(2.508);
    assert!((press(&mut harness, Modifiers::NONE, Key::ArrowRight) - 151.0 / 60.0).abs() < 1e-5, "from frame to frame");
}

#[test]
fn after_a_drag_no_tooltip_appears_until_the_pointer_has_left_the_row() {
    let mut harness = window(head());
    let (from, to) = (at(&harness, "jawOpen", 0.2), at(&harness, "jawOpen", 0.6));
    let is_shown = |harness: &mut Harness<'static, App>, pos| {
        harness.hover_at(pos);
        harness.run_steps(120);
        harness.query_by_label_contains("Moves face").is_some()
    };
    assert!(is_shown(&mut harness, from));
    drag_towards(&mut harness, from, to);
    let button = egui::PointerButton::Primary;
    // The pointer stays where the button is released.
    harness.event(Event::PointerButton { pos: to, button, pressed: false, modifiers: Modifiers::NONE });
    harness.run_ok();
    assert!(!is_shown(&mut harness, to + Vec2::new(1.0, 0.0)), "the artist looks at the face");
    let elsewhere = harness.get_by_label("Viewport").rect().center();
    is_shown(&mut harness, elsewhere);
    assert!(is_shown(&mut harness, to));
}

/// A face and teeth with the target jawOpen, and eyes with an empty target of the same name, as some exporters write
/// it.
fn head_with_empty_targets() -> Arc<Head> {
    let mut eyes = mesh("eyes", &["jawOpen"]);
    eyes.targets[0] = Target::from_dense("jawOpen".into(), 0.0, &[], &[], &[]);
    let meshes =
        vec![mesh("face", &["jawOpen", "mouthSmileLeft", "mouthSmileRight"]), eyes, mesh("teeth", &["jawOpen"])];
    Arc::new(Head::new(Asset { name: "exported".into(), meshes, ..Asset::default() }))
}

#[test]
fn only_meshes_that_a_channel_moves_are_named_and_have_a_slider() {
    let mut harness = window(head_with_empty_targets());
    let over = at(&harness, "jawOpen", 0.4);
    harness.hover_at(over);
    harness.run_steps(90);
    assert!(harness.query_by_label("Moves face, teeth").is_some());
    harness.get_by_label("Expand jawOpen").click();
    harness.run();
    assert!(harness.query_by_label("jawOpen · eyes").is_none());
    drag_slider(&mut harness, "jawOpen · teeth", 0.1, 0.5);
    assert!(near(harness.state().session.weights()[4], 0.5));
}

#[test]
fn the_menu_of_a_single_channel_has_no_pair_items() {
    let mut harness = window(head_with_empty_targets());
    let mut offers = |label: &str| {
        harness.get_by_label(label).click_secondary();
        harness.run_ok();
        let offers = harness.query_by_label("Link pair").is_some();
        harness.key_press(Key::Escape);
        harness.run_ok();
        offers
    };
    assert!(offers("mouthSmileLeft") && !offers("jawOpen"));
}

#[test]
fn channels_that_are_not_left_and_right_have_rows_of_their_own_and_no_link_until_their_menu_links_them() {
    let mut harness = window(head());
    let row = |harness: &Harness<'static, App>, label: &str| harness.get_by_label(label).rect();
    let (open, forward) = (row(&harness, "jawOpen"), row(&harness, "jawForward"));
    assert!(forward.top() > open.bottom() && open.x_range() == forward.x_range());
    let smile = ["mouthSmileLeft", "mouthSmileRight"].map(|label| row(&harness, label));
    assert!(smile[0].y_range() == smile[1].y_range() && smile[0].left() == open.left());
    assert!(harness.query_by_label("Link jawOpen / jawForward").is_none());
    harness.get_by_label("jawOpen").click_secondary();
    harness.run_ok();
    press(&mut harness, "Link with jawForward");
    drag_slider(&mut harness, "jawOpen", 0.1, 0.5);
    assert!(near(harness.state().weight("jawForward"), 0.5));
    press(&mut harness, "Unlink jawOpen / jawForward");
    drag_slider(&mut harness, "jawOpen", 0.5, 0.9);
    assert!(near(harness.state().weight("jawForward"), 0.5));
}

#[test]
fn keys_over_the_name_of_a_pair_are_for_both_of_its_channels() {
    let mut harness = window(head());
    harness.state_mut().session.clips_mut().select(None);
    harness.run_ok();
    let name = harness.get_by_label("mouthSmileLeft").rect().left_center() - Vec2::new(40.0, 0.0);
    harness.hover_at(name);
    harness.run_ok();
    harness.key_press(Key::M);
    harness.run_ok();
    let muted = |harness: &Harness<'static, App>| {
        ["mouthSmileLeft", "mouthSmileRight", "jawOpen"]
            .map(|name| harness.state().session.bound().sliders.muted[harness.state().channel(name)])
    };
    assert_eq!(muted(&harness), [true, true, false]);
    right_click(&mut harness, name);
    harness.get_by_label_contains("Mute pair").click();
    harness.run_ok();
    assert_eq!(muted(&harness), [false; 3]);
}

#[test]
fn an_expanded_pair_has_a_row_per_mesh_with_both_sliders() {
    let sides = ["eyeBlinkLeft", "eyeBlinkRight"];
    let meshes = vec![mesh("face", &sides), mesh("lashes", &sides), mesh("left_eye", &sides[..1])];
    let mut harness = window(Arc::new(Head::new(Asset { name: "head".into(), meshes, ..Asset::default() })));
    harness.get_by_label("Expand eyeBlink").click();
    harness.run();
    let row = |label: &str| harness.get_by_label(label).rect();
    for mesh in ["face", "lashes"] {
        let [left, right] = sides.map(|name| row(&format!("{name} · {mesh}")));
        assert!(left.y_range() == right.y_range() && left.right() < right.left(), "{mesh}");
    }
    assert_eq!(row("eyeBlinkLeft · left_eye").x_range(), row("eyeBlinkLeft").x_range());
    assert!(harness.query_by_label("eyeBlinkRight · left_eye").is_none());
    harness.get_by_label("Collapse eyeBlink").click();
    harness.run();
    assert!(harness.query_by_label("eyeBlinkLeft · face").is_none());
}

#[test]
fn no_name_of_the_bundled_head_is_shortened_in_the_smallest_list() {
    let mut app = App::new(Arc::new(smirk_files::import::embedded().unwrap()));
    app.state.panels.right_open = false;
    // As wide as the list is in a window of 1000 by 600; so high that no row is hidden.
    app.state.panels.left_width = 0.0;
    let harness = window_of(Vec2::new(1000.0, 1900.0), app);
    let texts = crate::names::drawn_texts(&harness);
    let session = &harness.state().session;
    for pair in &session.head.pairs {
        let channels = [Some(pair.first), pair.second].into_iter().flatten();
        let names: Vec<_> = match pair.is_left_and_right {
            true => vec![pair.label.as_str()],
            false => channels.map(|channel| session.head.channels[channel].name.as_str()).collect(),
        };
        for name in names {
            assert_eq!(texts.iter().filter(|text| *text == name).count(), 1, "{name}");
        }
    }
    assert!(harness.get_by_label("eyeBlinkLeft").rect().width() >= 72.0);
    assert!(harness.get_by_label("jawOpen").rect().right() < 330.0, "the list is as narrow as it can be");
}

#[test]
fn a_row_that_shows_zero_has_no_tint_even_if_its_weight_is_only_almost_zero() {
    let tinted = |weight: f32| {
        let mut app = App::new(head());
        app.session.clips_mut().select(None);
        let jaw = app.channel("jawOpen");
        app.session.channel_mut(jaw).set(weight);
        let harness = window_of(Vec2::new(1600.0, 1000.0), app);
        let row = harness.get_by_label("jawOpen").rect();
        let fill = theme::layer_tint(Layer::Manual).fill;
        let is_fill = |shape: &egui::Shape| matches!(shape, egui::Shape::Rect(rect) if rect.fill == fill);
        let on_row = harness.output().shapes.iter().filter(|clipped| row.expand(1.0).contains_rect(clipped.clip_rect));
        on_row.filter(|clipped| clipped.clip_rect.width() > 0.0 && is_fill(&clipped.shape)).count()
    };
    assert_eq!((tinted(0.004), tinted(-0.004), tinted(0.006)), (0, 0, 1));
}
