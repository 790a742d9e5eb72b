//! A and B: what the picture shows while B is held.

use smirk_session::ComparedWith;

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
    harness.state_mut().session.takes_mut().add(vec![capture(), take_of("other", &["JawOpen"], 60)]);
    harness.state_mut().session.clock.timeline.playing = false;
    hold(&mut harness, true);
    assert!(!harness.state().state.shows_b, "there is nothing to compare with");
    assert!(harness.query_by_label_contains("No take to compare with").is_some());
    hold(&mut harness, false);
    assert!(harness.query_by_label_contains("No take to compare with").is_none());
    open_page(&mut harness);
    press(&mut harness, "Compare take other");
    hold(&mut harness, true);
    assert!(harness.state().state.shows_b && harness.query_by_label("B: other").is_some());
    hold(&mut harness, false);
    assert!(!harness.state().state.shows_b && harness.query_by_label("B: other").is_none());
}

#[test]
fn what_b_is_can_be_chosen() {
    let mut harness = window(head());
    harness.state_mut().session.takes_mut().add(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    press(&mut harness, "Compared with");
    press(&mut harness, "Untouched recording");
    assert_eq!(harness.state().session.compared_with, ComparedWith::Recording);
    hold(&mut harness, true);
    assert!(harness.state().state.shows_b && harness.query_by_label("B: capture, untouched").is_some());
    hold(&mut harness, false);
    press(&mut harness, "Compared with");
    press(&mut harness, "State at the last save");
    hold(&mut harness, true);
    assert!(!harness.state().state.shows_b && harness.query_by_label_contains("save the project first").is_some());
}

#[test]
fn a_b_that_is_typed_is_a_letter() {
    let mut harness = window(head());
    harness.state_mut().session.takes_mut().add(vec![capture()]);
    harness.state_mut().session.compared_with = ComparedWith::Recording;
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    hold(&mut harness, true);
    assert!(!harness.state().state.shows_b);
}

#[test]
fn a_and_b_share_the_viewport_and_the_camera() {
    let mut harness = window(head());
    harness.state_mut().session.takes_mut().add(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    let whole = harness.state().state.viewport_size_px;
    press(&mut harness, "Compared with");
    press(&mut harness, "Side by side");
    assert!(harness.state().state.beside_min_px.is_none(), "there is no B yet");
    assert!(harness.query_by_label_contains("No take to compare with").is_some());
    harness.state_mut().session.compared_with = ComparedWith::Recording;
    harness.run_ok();
    let state = &harness.state().state;
    let (half, [left, top]) = (state.viewport_size_px, state.beside_min_px.unwrap());
    assert_eq!((half[0], half[1], top), (whole[0] / 2, whole[1], state.viewport_min_px[1]));
    assert_eq!(left + half[0], state.viewport_min_px[0] + whole[0]);
    assert!(harness.query_by_label("A").is_some() && harness.query_by_label("B: capture, untouched").is_some());
    let viewport = harness.get_by_label("Viewport").rect();
    let (camera, from) = (harness.state().session.camera, viewport.right_center() - Vec2::new(60.0, 0.0));
    drag(&mut harness, from, from - Vec2::new(40.0, 0.0), Modifiers::NONE);
    assert_ne!(harness.state().session.camera, camera, "a drag on B moves the camera of both");
    hold(&mut harness, true);
    assert!(!harness.state().state.shows_b, "B is shown already");
}

/// The window with two takes, their curves, and the difference switched on.
fn window_with_difference(with: ComparedWith) -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.clips_mut().select(None);
    let low = Take {
        tracks: vec![Curve::new(Interpolation::Linear, vec![0.0, 10.0], vec![0.0, 0.25], 1).unwrap()],
        ..take_of("low", &["JawOpen"], 601)
    };
    app.session.takes_mut().add(vec![capture(), low]);
    app.session.edits.compared_take = Some(app.session.edits.takes[1].id);
    app.session.compared_with = with;
    app.session.clock.timeline.playing = false;
    app.state.panels.curves_open = true;
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    press(&mut harness, "Difference");
    harness
}

#[test]
fn the_difference_from_another_take_is_drawn_and_its_largest_value_said() {
    let mut harness = window_with_difference(ComparedWith::Take);
    press(&mut harness, "Curve jawOpen");
    let caption = "largest A − B: +0.750 at 10.00 s, jawOpen";
    let (plot, rect) = (harness.get_by_label("Curves").rect(), harness.get_by_label(caption).rect());
    assert!(plot.contains_rect(rect), "{rect} is not within {plot}");
    press(&mut harness, caption);
    assert!(near(harness.state().session.clock.timeline.time_secs, 10.0), "a click goes there");
    let drawn = harness.state().curves().drawn_images();
    harness.run_steps(5);
    assert_eq!(harness.state().curves().drawn_images(), drawn, "nothing is drawn while nothing changes");
    press(&mut harness, "List columns");
    press(&mut harness, "Column JawOpen");
    assert!(harness.query_by_label("largest A − B: +0.750 at 10.00 s, JawOpen").is_some());
    press(&mut harness, "Difference");
    assert!(harness.query_by_label_contains("largest A − B").is_none());
    assert!(harness.state().curves().drawn_images() > drawn);
    harness.state_mut().session.edits.compared_take = None;
    press(&mut harness, "Difference");
    assert!(harness.query_by_label_contains("No take to compare with").is_some());
}

#[test]
fn the_difference_from_the_recording_is_that_of_edits_and_keys() {
    let mut harness = window_with_difference(ComparedWith::Recording);
    assert!(harness.query_by_label("A = B in these rows, B being capture, untouched").is_some());
    harness.state_mut().session.edits.takes[0].map.columns[0].gain = 0.5;
    harness.run_ok();
    assert!(harness.query_by_label("largest A − B: -0.500 at 10.00 s, jawOpen").is_some());
    harness.state_mut().session.seek(5.0);
    let kiss = harness.state().channel("tongueOut");
    harness.state_mut().session.channel_mut(kiss).set(0.75);
    harness.state_mut().session.keys_mut().key(kiss);
    harness.run_ok();
    assert!(harness.query_by_label("largest A − B: +0.750 at 0.00 s, tongueOut").is_some());
}

#[test]
fn the_difference_from_the_last_save_is_what_was_changed_since() {
    let mut harness = window_with_difference(ComparedWith::Saved);
    assert!(harness.query_by_label_contains("save the project first").is_some());
    let saved = harness.state().session.edits.snapshot();
    harness.state_mut().session.saved_edits = Some(saved);
    harness.run_ok();
    assert!(harness.query_by_label("A = B in these rows, B being State at the last save").is_some());
    harness.state_mut().session.seek(5.0);
    let jaw = harness.state().channel("jawOpen");
    harness.state_mut().session.keys_mut().key(jaw);
    harness.state_mut().session.keys_mut().edit(|keys| keys.set("jawOpen", smirk_face::motion::Key::new(5.0, 0.25)));
    harness.run_ok();
    assert!(harness.query_by_label("largest A − B: +0.250 at 0.00 s, jawOpen").is_some());
    press(&mut harness, "Normalise");
    assert!(harness.query_by_label("largest A − B: +0.250 at 0.00 s, jawOpen").is_some());
}

#[test]
fn the_compared_take_can_be_chosen_in_the_menu() {
    let mut harness = window_with_difference(ComparedWith::Recording);
    press(&mut harness, "Compared with");
    assert!(harness.query_by_label("Compare with capture").is_none(), "it plays already");
    press(&mut harness, "Compare with low");
    assert_eq!(harness.state().session.compared_with, ComparedWith::Take);
    assert!(harness.query_by_label("largest A − B: +1.000 at 10.00 s, eyeBlinkRight").is_some());
}

#[test]
fn the_errors_of_two_takes_are_a_curve_under_the_timeline() {
    let mut harness = window(head());
    harness
        .state_mut()
        .session
        .takes_mut()
        .add(vec![take_of("capture", &["JawOpen"], 60), take_of("other", &["EyeBlinkLeft"], 60)]);
    harness.state_mut().session.clock.timeline.playing = false;
    assert!(harness.query_by_label("Error over time").is_none());
    press(&mut harness, "Compared with");
    press(&mut harness, "Compare with other");
    press(&mut harness, "Compared with");
    press(&mut harness, "Error over time");
    harness.key_press(Key::Escape);
    harness.run_ok();
    for _ in 0..10_000 {
        if harness.query_by_label_contains("largest ").is_some() {
            break;
        }
        std::thread::yield_now();
        harness.run_steps(1);
    }
    assert!(harness.query_by_label_contains("A against other").is_some());
    harness.get_by_label_contains("mean 0.00 mm");
    // A click goes to a frame.
    let place = at(&harness, "Error over time", 0.5);
    click(&mut harness, place);
    let half = harness.state().session.timeline_secs() * 0.5;
    let time_secs = harness.state().session.clock.timeline.time_secs;
    assert!((time_secs - half).abs() < 0.05, "{time_secs} of {half}");
    assert!(
        harness.query_by_label_contains("largest 0.00").is_none(),
        "{:?}",
        harness.get_by_label_contains("largest ")
    );
    harness.state_mut().session.seek(0.0);
    harness.get_by_label_contains("largest ").click();
    harness.run_ok();
    assert!(harness.state().session.clock.timeline.time_secs > 0.0);
    // It closes where it was opened.
    press(&mut harness, "Compared with");
    harness.get_by_role_and_label(egui::accesskit::Role::CheckBox, "Error over time").click();
    harness.run_ok();
    assert!(harness.query_by_label_contains("A against other").is_none());
}
