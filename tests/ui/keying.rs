//! Setting keys: on a channel, a region, a pose, on all moved channels, and while a slider is dragged.

use crate::harness::*;
use crate::names::drawn_texts;
use smirk_face::motion::KeyMode;

/// The window without a clip, at one second of a timeline of some seconds.
fn window_to_key() -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.clips_mut().select(None);
    app.session.keys_mut().edit(|keys| keys.set("mouthPucker", smirk_face::motion::Key::new(5.0, 0.0)));
    app.session.seek(1.0);
    app.session.commit();
    window_of(Vec2::new(1600.0, 1000.0), app)
}

fn press_over(harness: &mut Harness<'static, App>, label: &str, key: Key) {
    let center = harness.get_by_label(label).rect().center();
    harness.hover_at(center);
    harness.run_ok();
    harness.key_press(key);
    harness.run_ok();
}

/// Time and value of each key of a channel.
fn keys_of(harness: &Harness<'static, App>, channel: &str) -> Vec<(f32, f32)> {
    harness.state().session.keys().keys_of(channel).iter().map(|key| (key.time_secs, key.value)).collect()
}

/// The names of all channels with a key at one second.
fn keyed(harness: &Harness<'static, App>) -> Vec<String> {
    let keys = harness.state().session.keys();
    let has_key = |name: &&str| keys.keys_of(name).iter().any(|key| (key.time_secs - 1.0).abs() < 1e-3);
    keys.channels().filter(has_key).map(str::to_owned).collect()
}

#[test]
fn k_keys_what_is_under_the_pointer_a_row_a_region_a_pose_or_a_curve() {
    let mut harness = window_to_key();
    harness.state_mut().session.channels_mut([0]).set(0.25);
    harness.run_ok();
    let first = harness.state().session.head.channels[0].full_name.clone();
    press_over(&mut harness, &first, Key::K);
    assert_eq!(keys_of(&harness, &first), [(1.0, 0.25)]);
    harness.state_mut().session.undo();
    harness.run_ok();

    let region = harness.state().session.head.channels[0].region;
    press_over(&mut harness, &region.to_string(), Key::K);
    let in_region = harness.state().session.head.channels.iter().filter(|channel| channel.region == region).count();
    assert_eq!(keyed(&harness).len(), in_region);
    harness.state_mut().session.undo();
    harness.run_ok();

    let pose = harness.state().session.edits.poses[0].clone();
    press_over(&mut harness, &format!("Pose {}", pose.name), Key::K);
    for (name, weight) in &pose.weights {
        for channel in harness.state().session.head.channel_alike(name) {
            let name = harness.state().session.head.channels[channel].full_name.clone();
            assert_eq!(keys_of(&harness, &name)[0], (1.0, *weight), "{name}");
        }
    }
    harness.state_mut().session.undo();
    harness.run_ok();

    harness.state_mut().state.panels.curves_open = true;
    harness.run_ok();
    press_over(&mut harness, "Curve mouthPucker", Key::K);
    assert_eq!(keyed(&harness), ["mouthPucker"]);
}

#[test]
fn shift_k_keys_what_was_moved_and_what_has_keys_and_ctrl_shift_k_only_what_was_moved() {
    let mut harness = window_to_key();
    let jaw = harness.state().channel("jawOpen");
    harness.state_mut().session.channels_mut([jaw]).set(0.5);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::K);
    harness.run_ok();
    assert_eq!((keyed(&harness), keys_of(&harness, "jawOpen")), (vec!["jawOpen".to_owned()], vec![(1.0, 0.5)]));
    harness.state_mut().session.undo();
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::K);
    harness.run_ok();
    assert_eq!(keyed(&harness), ["jawOpen", "mouthPucker"]);
    assert_eq!(keys_of(&harness, "jawOpen"), [(1.0, 0.5), (5.0, 0.0)], "the face at five seconds stays as it was");
    // Once more: the keys put everything where it is.
    let before = harness.state().session.keys().clone();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::K);
    harness.run_ok();
    assert_eq!(*harness.state().session.keys(), before);
}

/// How far the face is from a pose.
fn distance(harness: &Harness<'static, App>, pose: &str) -> f32 {
    let session = &harness.state().session;
    let pose = session.edits.poses.iter().find(|other| other.name == pose).unwrap();
    let expected = pose.weights_on(&session.head, &session.head.default_weights());
    let shown = session.mix();
    shown.weights.iter().zip(&expected).map(|(shown, expected)| (shown - expected).abs()).fold(0.0, f32::max)
}

#[test]
fn poses_keyed_one_after_another_are_seen_at_their_keys() {
    const POSES: [&str; 4] = ["Neutral", "Smile", "Surprise", "Anger"];
    let mut app = App::new(head());
    app.session.clips_mut().select(None);
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    for (secs, pose) in POSES.into_iter().enumerate() {
        harness.state_mut().session.seek(secs as f32);
        harness.run_ok();
        // Whoever looks at a pose first keys the same.
        if secs % 2 == 1 {
            press(&mut harness, &format!("Pose {pose}"));
        }
        press_over(&mut harness, &format!("Pose {pose}"), Key::K);
        let said = harness.state().commands.last().cloned();
        assert!(
            matches!(&said, Some(Command::ShowStatus(said)) if said.starts_with(&format!("{pose} is keyed on"))),
            "{said:?}"
        );
        assert!(!harness.state().session.clock.timeline.playing, "the first key does not start playback");
    }
    for (secs, pose) in POSES.into_iter().enumerate() {
        harness.state_mut().session.seek(secs as f32);
        assert!(distance(&harness, pose) < 1e-4, "{pose} is off by {}", distance(&harness, pose));
    }
}

#[test]
fn the_menu_of_a_pose_keys_the_pose_or_only_its_channels() {
    for (item, at_neutral) in [("Key this pose here K", true), ("Key only its channels Ctrl+Shift+K", false)] {
        let mut harness = window_to_key();
        harness.state_mut().session.keys_mut().edit(|keys| {
            keys.set("jawOpen", smirk_face::motion::Key::new(0.0, 0.5));
        });
        open_menu(&mut harness, "Pose Wink");
        press(&mut harness, item);
        assert_eq!(keyed(&harness).contains(&"jawOpen".to_owned()), at_neutral, "{item}");
        assert_eq!(distance(&harness, "Wink") < 1e-4, at_neutral, "{item}");
    }
}

#[test]
fn a_pose_that_is_dragged_onto_the_timeline_is_a_key_there() {
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1000.0, 600.0)] {
        for target in ["Time", "Curves"] {
            let mut harness = window_to_key();
            harness.set_size(size);
            harness.state_mut().state.panels.curves_open = true;
            harness.run_ok();
            let card = harness.get_by_label("Pose Smile").rect();
            let to = harness.get_by_label(target).rect().center();
            drag(&mut harness, card.left_top() + Vec2::splat(20.0), to, Modifiers::NONE);
            harness.run_ok();
            let secs = harness.state().session.clock.timeline.time_secs;
            assert!((3.0..7.0).contains(&secs), "{target}: {secs}");
            assert!(distance(&harness, "Smile") < 1e-4, "{target}");
            assert!(harness.state().session.keys().keys_of("mouthSmileLeft").iter().any(|key| key.time_secs == secs));
            harness.state_mut().session.undo();
            assert!(harness.state().session.keys().keys_of("mouthSmileLeft").is_empty(), "one step");
        }
    }
}

#[test]
fn a_pose_that_is_dragged_is_dropped_also_while_its_page_is_hidden() {
    let mut harness = window_to_key();
    let card = harness.get_by_label("Pose Smile").rect();
    let to = harness.get_by_label("Time").rect().center();
    drag_towards(&mut harness, card.left_top() + Vec2::splat(20.0), to);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::E);
    harness.run_ok();
    assert!(harness.query_by_label("Pose Smile").is_none(), "the Export page is shown");
    let says_when =
        |harness: &Harness<'static, App>| drawn_texts(harness).iter().any(|text| text.starts_with("Key at"));
    assert!(says_when(&harness));
    harness.drop_at(to);
    harness.run_ok();
    assert!(distance(&harness, "Smile") < 1e-4);
    assert!(!harness.state().session.keys().keys_of("mouthSmileLeft").is_empty());
    assert!(!says_when(&harness), "the drag has ended");
}

#[test]
fn comma_and_period_go_from_key_to_key_and_home_and_end_to_the_ends() {
    let mut harness = window_to_key();
    harness.state_mut().session.keys_mut().edit(|keys| {
        [0.5, 2.0].into_iter().for_each(|secs| keys.set("jawOpen", smirk_face::motion::Key::new(secs, 0.5)));
    });
    let mut go = |key: Key| {
        harness.key_press(key);
        harness.run_ok();
        harness.state().session.clock.timeline.time_secs
    };
    assert_eq!([Key::Period, Key::Period, Key::Period].map(&mut go), [2.0, 5.0, 5.0]);
    assert_eq!([Key::Comma, Key::Comma, Key::Comma].map(&mut go), [2.0, 0.5, 0.5]);
    assert_eq!([Key::End, Key::Home].map(&mut go), [10.0, 0.0]);
    // With selected rows, only their keys count.
    harness.state_mut().state.panels.curves_open = true;
    harness.run_ok();
    press(&mut harness, "Curve mouthPucker");
    harness.ctx.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
    harness.key_press(Key::Period);
    harness.run_ok();
    assert_eq!(harness.state().session.clock.timeline.time_secs, 5.0);
}

#[test]
fn the_rows_of_the_curve_list_have_a_menu() {
    let mut harness = window_to_key();
    harness.state_mut().state.panels.curves_open = true;
    harness.run_ok();
    let row = "Curve mouthPucker";
    open_menu(&mut harness, row);
    press(&mut harness, "Set key at 1.00 s K");
    assert_eq!(keyed(&harness), ["mouthPucker"]);
    open_menu(&mut harness, row);
    press(&mut harness, "Select its keys");
    assert_eq!(harness.state().curves().selected_keys(), 2);
    open_menu(&mut harness, row);
    press(&mut harness, "Delete its keys");
    assert!(harness.state().session.keys().is_empty());
    harness.state_mut().session.undo();
    harness.state_mut().state.panels.left_open = false;
    harness.run_ok();
    open_menu(&mut harness, row);
    press(&mut harness, "Show its slider");
    assert!(harness.state().state.panels.left_open);
}

#[test]
fn a_greyed_timeline_says_what_starts_it() {
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1000.0, 600.0)] {
        let mut app = App::new(head());
        app.session.clips_mut().select(None);
        let mut harness = window_of(size, app);
        harness.get_by_label("Choose a clip, or press K for the first key");
        let bare = Head::new(Asset { meshes: vec![mesh("face", FACE)], ..Asset::default() });
        harness.state_mut().session.start_anew(Arc::new(bare), HeadSource::Embedded);
        harness.run_ok();
        harness.get_by_label("No animation: open a take, or press K for the first key");
    }
}

#[test]
fn the_row_over_the_curves_is_whole_in_both_windows() {
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1280.0, 720.0)] {
        let mut harness = window_to_key();
        harness.set_size(size);
        harness.state_mut().state.panels.curves_open = true;
        harness.run_ok();
        let right = harness.get_by_label("Curves").rect().right();
        for label in
            ["Dope sheet", "Keys over what is below", "Auto key", "Fit", "Normalise", "Difference", "Timeline settings"]
        {
            let rect = harness.get_by_label(label).rect();
            assert!(rect.right() <= right + 1.0, "{label}: {rect} ends beyond {right}");
        }
    }
}

#[test]
fn with_auto_key_dragging_a_slider_sets_the_key_and_over_a_clip_it_adds() {
    let mut harness = window_to_key();
    drag_slider(&mut harness, "jawOpen", 0.0, 0.5);
    assert!(keyed(&harness).is_empty());
    harness.state_mut().session.undo();
    harness.key_press_modifiers(Modifiers::ALT, Key::K);
    harness.run_ok();
    assert!(harness.state().session.edits.timeline.auto_keys);
    drag_slider(&mut harness, "jawOpen", 0.0, 0.5);
    let shown = harness.state().weight("jawOpen");
    let keys = keys_of(&harness, "jawOpen");
    assert!(keys.len() == 1 && near(keys[0].1, shown) && shown > 0.3, "{keys:?} {shown}");
    let jaw = harness.state().channel("jawOpen");
    assert!(!harness.state().session.bound().sliders.manual[jaw], "the key sets the channel");
    harness.state_mut().session.undo();
    assert!(keyed(&harness).is_empty(), "one step");

    harness.state_mut().session.clips_mut().select(Some(0));
    harness.state_mut().session.clock.timeline.playing = false;
    harness.state_mut().session.seek(1.0);
    harness.run_ok();
    let blink = "eyeBlinkLeft";
    drag_slider(&mut harness, blink, 0.2, 0.7);
    let curve = harness.state().session.keys().curve(blink).unwrap().clone();
    assert_eq!((curve.mode, curve.keys().len()), (KeyMode::Add, 1));
}

fn open_menu(harness: &mut Harness<'static, App>, label: &str) {
    let over = at(harness, label, 0.3);
    right_click(harness, over);
}

#[test]
fn the_menu_of_a_row_sets_the_mode_of_its_keys_and_the_graph_and_the_dope_sheet_follow_at_once() {
    let mut harness = window_to_key();
    harness.state_mut().session.clips_mut().select(Some(0));
    harness.state_mut().session.clock.timeline.playing = false;
    harness.state_mut().session.seek(4.0);
    harness.state_mut().state.panels.curves_open = true;
    harness.run_ok();
    let blink = "eyeBlinkLeft";
    open_menu(&mut harness, blink);
    assert!(harness.query_by_label_contains("Its keys").is_none(), "there are none yet");
    harness.get_by_label_contains("Set key at 4.00 s").click();
    harness.run_ok();
    let curve = |harness: &Harness<'static, App>| harness.state().session.keys().curve(blink).cloned();
    assert_eq!(curve(&harness).unwrap().mode, KeyMode::Add);
    assert!(near(harness.state().weight(blink), 0.5) && near(curve(&harness).unwrap().keys()[0].value, 0.0));
    press(&mut harness, &format!("Curve {blink}"));
    let is_drawn = |harness: &Harness<'static, App>, text: &str| drawn_texts(harness).iter().any(|drawn| drawn == text);
    assert!(is_drawn(&harness, "Additive") && harness.query_by_label("Key eyeBlinkLeft 4.00 s").is_some());
    let drawn = harness.state().curves().drawn_images();
    open_menu(&mut harness, blink);
    press(&mut harness, "Its keys add to what is below");
    press(&mut harness, "Override");
    assert_eq!(curve(&harness).unwrap().mode, KeyMode::Replace);
    assert!(near(harness.state().weight(blink), 0.5), "the weight at the key stays");
    assert!(harness.state().curves().drawn_images() > drawn, "the graph is drawn with the new mode");
    assert!(is_drawn(&harness, "Override") && !is_drawn(&harness, "Additive"), "the row over the graph says it too");
    harness.state_mut().session.seek(8.0);
    harness.run_ok();
    assert!(near(harness.state().weight(blink), 0.5), "the row shows the key alone");
    harness.state_mut().session.seek(4.0);
    press(&mut harness, "Dope sheet");
    assert!(harness.query_by_label("eyeBlinkLeft 4.00 s").is_some());
    open_menu(&mut harness, blink);
    press(&mut harness, "Delete the key at 4.00 s");
    assert!(curve(&harness).is_none() && harness.query_by_label("eyeBlinkLeft 4.00 s").is_none());
    harness.state_mut().session.undo();
    assert_eq!(curve(&harness).unwrap().mode, KeyMode::Replace, "one step");
}

#[test]
fn with_auto_key_the_slider_of_one_mesh_says_that_it_sets_no_key() {
    let mut harness = window_to_key();
    let jaw = harness.state().channel("jawOpen");
    harness.state_mut().list_mut().expanded_channels.insert(jaw);
    harness.run_ok();
    drag_slider(&mut harness, "jawOpen · teeth_lower", 0.1, 0.5);
    assert!(harness.state().commands.is_empty(), "without auto key there is nothing to say");
    harness.key_press_modifiers(Modifiers::ALT, Key::K);
    harness.run_ok();
    drag_slider(&mut harness, "jawOpen · teeth_lower", 0.5, 0.7);
    let said = harness.state().commands.clone();
    let [Command::ShowStatus(said)] = said.as_slice() else { panic!("{said:?}") };
    assert!(said.contains("jawOpen on teeth_lower alone") && said.contains("Drag the slider of jawOpen"), "{said}");
    assert!(keyed(&harness).is_empty());
    drag_slider(&mut harness, "jawOpen", 0.0, 0.5);
    assert_eq!((keyed(&harness), harness.state().commands.len()), (vec!["jawOpen".to_owned()], 1));
}
