//! The keys of the clip that the head's file has.

use super::{press_over_graph, selected, undo};
use crate::harness::*;
use crate::names::drawn_texts;
use crate::takes::capture;
use smirk_face::motion::KeyMode;

/// The window with the clip, which has keys of both blinks at 0 and 8 s, and the curves open.
fn window_with_clip() -> Harness<'static, App> {
    let mut app = App::new(head());
    app.state.panels.curves_open = true;
    window_of(Vec2::new(1600.0, 1000.0), app)
}

fn at_key(harness: &Harness<'static, App>, channel: &str, secs: f32) -> Pos2 {
    harness.get_by_label(&format!("File key {channel} {secs:.2} s")).rect().center()
}

/// The weight of both blinks at some moments.
fn weights(harness: &mut Harness<'static, App>) -> Vec<f32> {
    let app = harness.state_mut();
    let mut at = |secs: f32| {
        app.session.seek(secs);
        ["eyeBlinkLeft", "eyeBlinkRight"].map(|name| app.weight(name))
    };
    (0..17).flat_map(|half| at(half as f32 * 0.5)).collect()
}

#[test]
fn keys_of_the_file_are_shown_and_a_box_says_whose_they_are_and_makes_keys_of_them() {
    let mut harness = window_with_clip();
    let before = weights(&mut harness);
    assert!(harness.query_by_label("Convert to keys").is_none());
    let rect = harness.get_by_label("Curves").rect().shrink(2.0);
    drag(&mut harness, rect.left_top(), rect.right_bottom(), Modifiers::NONE);
    assert_eq!(selected(&harness), 0);
    harness.get_by_label("4 keys of 2 channels belong to the file: double-click adds a key over it");
    press(&mut harness, "Convert to keys");
    let said = Command::ShowStatus("4 keys on 2 channels in place of the clip's".into());
    assert!(harness.state().commands.contains(&said), "{:?}", harness.state().commands);
    assert_eq!(harness.state().session.keys().channels().count(), 2);
    assert!(
        harness.query_by_label("Convert to keys").is_none() && harness.query_by_label_contains("File key").is_none()
    );
    harness.get_by_label("Key eyeBlinkLeft 8.00 s");
    assert_eq!(weights(&mut harness), before, "the face stays as it is");
    undo(&mut harness);
    assert!(harness.state().session.keys().is_empty(), "one step");
    at_key(&harness, "eyeBlinkRight", 8.0);
}

#[test]
fn the_card_of_a_key_of_the_file_says_when_that_is() {
    let mut harness = window_with_clip();
    let last = at_key(&harness, "eyeBlinkLeft", 8.0);
    harness.hover_at(last - Vec2::new(6.0, 0.0));
    harness.run_ok();
    let said = drawn_texts(&harness);
    assert!(said.iter().any(|text| text.starts_with("8.000 s  f ")), "{said:?}");
}

#[test]
fn a_click_on_a_key_of_the_file_says_so_and_a_double_click_on_its_curve_adds_one_over_it() {
    let mut harness = window_with_clip();
    press(&mut harness, "Curve eyeBlinkLeft");
    let (first, last) = (at_key(&harness, "eyeBlinkLeft", 0.0), at_key(&harness, "eyeBlinkLeft", 8.0));
    click(&mut harness, last - Vec2::new(2.0, 0.0));
    harness.get_by_label("1 key of eyeBlinkLeft belongs to the file: double-click adds a key over it");
    harness.run_steps(40);
    let middle = first.lerp(last, 0.5);
    for _ in 0..2 {
        click(&mut harness, middle);
    }
    let curve = harness.state().session.keys().curve("eyeBlinkLeft").cloned().unwrap();
    assert_eq!((curve.mode, curve.keys().len(), curve.keys()[0].value), (KeyMode::Add, 1, 0.0));
    assert!(harness.query_by_label("Convert to keys").is_none(), "said once");
    // With keys of one's own over it, the clip stays.
    let rect = harness.get_by_label("Curves").rect().shrink(2.0);
    drag(&mut harness, rect.left_top(), rect.right_bottom(), Modifiers::NONE);
    assert_eq!(selected(&harness), 1, "keys of one's own are what a box is for");
    assert!(harness.query_by_label("Convert to keys").is_none());
}

#[test]
fn the_menu_converts_the_selected_rows_and_says_what_is_left() {
    let mut harness = window_with_clip();
    let menu = |harness: &mut Harness<'static, App>| {
        harness.get_by_label("Curves").click_secondary();
        harness.run_ok();
        press(harness, "Convert the clip to keys");
    };
    menu(&mut harness);
    assert!(harness.state().session.keys().is_empty(), "no row is selected");
    harness.key_press(Key::Escape);
    harness.run_ok();
    press(&mut harness, "Curve eyeBlinkLeft");
    menu(&mut harness);
    assert_eq!(harness.state().session.keys().channels().collect::<Vec<_>>(), ["eyeBlinkLeft"]);
    let all = 0..harness.state().session.head.channels.len();
    let converted = harness.state_mut().session.keys_mut().convert_clip(all);
    assert_eq!((converted.channels, converted.keys, converted.keyed, converted.unlike), (1, 2, 1, 0));
}

#[test]
fn a_take_hides_the_keys_of_the_clip_and_the_dope_sheet_says_where_they_are() {
    let mut harness = window_with_clip();
    press_over_graph(&mut harness, Key::D, Modifiers::NONE);
    let texts = drawn_texts(&harness);
    assert!(texts.iter().any(|text| text.starts_with("No keys of your own")), "{texts:?}");
    harness.state_mut().session.takes_mut().add(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    press(&mut harness, "Graph");
    assert!(harness.query_by_label("File key eyeBlinkRight 8.00 s").is_none(), "the take drives it");
    at_key(&harness, "eyeBlinkLeft", 8.0);
}

#[test]
fn steps_splines_jumps_and_clips_that_repeat_are_converted_as_they_play() {
    let mut app = App::new(head());
    let jaw = app.channel("jawForward");
    let target = app.session.head.channels[jaw].targets[0];
    let track = |curve: Curve| Track { first_target: target, curve };
    let curve = |interpolation, times: &[f32], values: &[f32]| {
        Curve::new(interpolation, times.to_vec(), values.to_vec(), 1).unwrap()
    };
    let spline = [0.0, 0.25, 1.0, -0.5, 1.0, 0.0, 0.0, 0.5, 2.0];
    let still = Clip::new("still".into(), vec![track(curve(Interpolation::Step, &[0.0, 5.0], &[0.0, 0.0]))]);
    for moving in [
        curve(Interpolation::Step, &[0.0, 0.5, 1.5], &[0.25, 1.0, 0.5]),
        curve(Interpolation::Linear, &[0.25, 1.0, 1.0, 2.0], &[0.0, 1.0, 0.25, 0.5]),
        curve(Interpolation::CubicSpline, &[0.0, 1.0, 1.75], &spline),
    ] {
        let what = format!("{:?}", moving.interpolation());
        let clips = vec![still.clone(), Clip::new("moving".into(), vec![track(moving)])];
        app.session.reload(Arc::new(app.session.head.with_clips(clips)));
        app.session.clips_mut().select_together([0, 1]);
        app.session.keys_mut().edit(|keys| *keys = Default::default());
        let weights = |app: &mut App| -> Vec<f32> {
            let mut at = |step: u32| {
                app.session.seek(0.013 + step as f32 * 0.05);
                app.weight("jawForward")
            };
            (0..98).map(&mut at).collect()
        };
        let before = weights(&mut app);
        assert_eq!(app.session.keys_mut().convert_clip([jaw]).channels, 1);
        for (step, (a, b)) in before.iter().zip(weights(&mut app)).enumerate() {
            assert!((a - b).abs() < 3e-3, "{what} at step {step}: {a} became {b}");
        }
    }
}
