//! The Motion page: takes, the sequence, blinking, gaze and the blend rule.

use crate::harness::*;
use crate::takes::{capture, open_page};
use smirk_base::file_kind::Content;
use smirk_face::motion::{BlendRule, Blink, Layer, SequenceWrap};
use smirk_session::{TakeEntry, TakeId};
use smirk_ui::OpenAs;

fn page_with_a_take() -> Harness<'static, App> {
    let mut harness = window(head());
    harness.state_mut().session.takes_mut().add(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    open_page(&mut harness);
    harness
}

#[test]
fn the_chosen_take_drives_channels_until_it_is_unloaded() {
    let mut harness = page_with_a_take();
    assert!(harness.query_by_label_contains("Take capture").is_some());
    let (from, to) = (at(&harness, "Time", 0.1), at(&harness, "Time", 0.5));
    drag(&mut harness, from, to, Modifiers::NONE);
    assert!(near(harness.state().weight("jawOpen"), 0.5));
    assert!(harness.query_by_label("Take over jawOpen").is_some(), "the channel is marked as driven");
    let jaw = harness.state().channel("jawOpen");
    assert_eq!(harness.state().session.mix().layers[jaw], Layer::Take);
    press(&mut harness, "Take capture");
    assert_eq!(harness.state().session.edits.take, Some(TakeId(0)), "a second click does not unload it");
    press(&mut harness, "Take");
    press(&mut harness, "No take");
    assert_eq!(harness.state().session.edits.take, None);
    assert!(harness.query_by_label("Take over jawOpen").is_none());
    press(&mut harness, "Compare take capture");
    assert_eq!(harness.state().session.edits.compared_take, Some(TakeId(0)));
    press(&mut harness, "Remove take capture");
    assert!(harness.state().session.edits.takes.is_empty());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(harness.state().session.edits.takes.len(), 1, "undo restores a removed take");
    press(&mut harness, "Import…");
    assert_eq!(harness.state().commands, [Command::Choose(OpenAs::File(Some(Content::Takes)))]);
}

#[test]
fn a_take_is_calibrated_and_all_columns_scaled() {
    let mut harness = page_with_a_take();
    harness.state_mut().session.seek(2.0);
    press(&mut harness, "Calibrate here");
    harness.state_mut().session.advance(1.0);
    assert!(near(harness.state().weight("jawOpen"), 0.0));
    harness.state_mut().session.seek(6.0);
    assert!(near(harness.state().weight("jawOpen"), 0.4));
    drag_slider(&mut harness, "Take gain", 0.5, 0.75);
    assert!(near(harness.state().weight("jawOpen"), 0.6));
    press(&mut harness, "Clear");
    harness.state_mut().session.advance(1.0);
    assert!(near(harness.state().weight("jawOpen"), 0.9));
    drag_slider(&mut harness, "Take smoothing", 0.0, 0.2);
    let columns = &harness.state().session.take().unwrap().map.columns;
    assert!(columns.iter().all(|column| near(column.smoothing_secs, 0.1)));
}

#[test]
fn unmapped_columns_and_channels_are_listed() {
    let mut harness = page_with_a_take();
    harness.get_by_label("1 unmapped column").click();
    harness.run();
    assert!(harness.query_by_label("Kiss").is_some() && harness.query_by_label("HeadYaw").is_none());
    assert!(harness.query_by_label("31 unmapped channels").is_some());
}

fn add_to_sequence(harness: &mut Harness<'static, App>, pose: &str) {
    press(harness, "Add pose");
    press(harness, pose);
}

/// Replaces the poses by two, *only jawOpen* and *only mouthPucker*.
fn store_poses(app: &mut App) {
    app.session.edits.poses.clear();
    for name in ["jawOpen", "mouthPucker"] {
        let channel = app.channel(name);
        app.session.channel_mut(channel).set(1.0);
        app.session.poses_mut().store(&format!("only {name}"));
        app.session.reset_all();
    }
}

#[test]
fn a_sequence_needs_two_poses_and_its_slider_blends_them() {
    let mut app = App::new(head());
    store_poses(&mut app);
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    open_page(&mut harness);
    add_to_sequence(&mut harness, "only jawOpen");
    assert!(harness.query_by_label("A sequence needs at least two poses; it has one.").is_some());
    assert!(harness.query_by_label("Sequence position").is_none());
    add_to_sequence(&mut harness, "only mouthPucker");
    drag_slider(&mut harness, "Sequence position", 0.0, 0.5);
    harness.state_mut().session.advance(1.0);
    let app = harness.state();
    assert!(near(app.weight("jawOpen"), 0.5) && near(app.weight("mouthPucker"), 0.5), "half of each");
    assert!(app.session.edits.sequence.enabled, "moving the slider turns the sequence on");
    harness.get_by_label("Stop at the end").click();
    press(&mut harness, "Play sequence");
    assert_eq!(harness.state().session.edits.sequence.wrap, SequenceWrap::Clamp);
    harness.state_mut().session.advance(60.0);
    assert!(near(harness.state().weight("mouthPucker"), 1.0));
    harness.run();
    let (from, to) = (at(&harness, "1 only jawOpen", 0.3), at(&harness, "2 only mouthPucker", 0.3));
    drag(&mut harness, from, to, Modifiers::NONE);
    assert!(harness.query_by_label("1 only mouthPucker").is_some(), "the poses were reordered");
    press(&mut harness, "Remove only jawOpen from the sequence");
    assert_eq!(harness.state().session.edits.sequence.steps.len(), 1);
}

#[test]
fn its_switch_starts_a_sequence_whose_poses_have_times_of_their_own() {
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1280.0, 720.0)] {
        let mut app = App::new(head());
        app.session.clips_mut().select(None);
        store_poses(&mut app);
        let mut harness = window_of(size, app);
        open_page(&mut harness);
        add_to_sequence(&mut harness, "only jawOpen");
        add_to_sequence(&mut harness, "only mouthPucker");
        assert!(!harness.state().session.sequence_plays() && harness.state().session.timeline_secs() == 0.0);
        press(&mut harness, "Sequence on");
        let session = &harness.state().session;
        assert!(session.sequence_plays() && session.clock.timeline.playing && near(session.timeline_secs(), 2.0));
        harness.state_mut().session.advance(0.75);
        assert!(near(harness.state().weight("jawOpen"), 0.5) && near(harness.state().weight("mouthPucker"), 0.5));
        let number = harness.get_by_label("Hold of 1 only jawOpen").rect().center();
        drag(&mut harness, number, number + Vec2::new(60.0, 0.0), Modifiers::NONE);
        let steps = &harness.state().session.edits.sequence.steps;
        assert!(steps[0].hold_secs > 0.7 && steps[0].transition_secs == 0.5 && steps[1].hold_secs == 0.5, "{steps:?}");
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        harness.run_ok();
        assert_eq!(harness.state().session.edits.sequence.steps[0].hold_secs, 0.5, "the drag is one undo step");
        harness.get_by_label("Sequence has its own clock").scroll_to_me();
        harness.run_ok();
        press(&mut harness, "Sequence has its own clock");
        let session = &harness.state().session;
        assert!(session.sequence_plays() && session.timeline_secs() == 0.0, "it goes on without the timeline");
        press(&mut harness, "Pause sequence");
        assert!(!harness.state().session.sequence_plays());
    }
}

#[test]
fn blinking_closes_the_eyes_over_time() {
    let mut app = App::new(head());
    app.session.clips_mut().select(None);
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    open_page(&mut harness);
    press(&mut harness, "Blink on");
    press(&mut harness, "Blink now");
    assert!(harness.state().weight("eyeBlinkLeft") < 0.1);
    let shut_secs = f64::from(Blink::default().close_secs + 0.01);
    harness.state_mut().session.advance(shut_secs);
    assert!(near(harness.state().weight("eyeBlinkLeft"), 1.0) && near(harness.state().weight("eyeBlinkRight"), 1.0));
    harness.state_mut().session.advance(1.0);
    assert_eq!(harness.state().weight("eyeBlinkLeft"), 0.0);
    drag_slider(&mut harness, "Double blinks", 0.1, 0.5);
    assert!(near(harness.state().session.edits.blink.double_part, 0.5));
    drag_slider(&mut harness, "Blink interval", 0.5, 0.25);
    assert!(near(harness.state().session.edits.blink.wait_secs, 3.0));
    press(&mut harness, "Blink channels");
    press(&mut harness, "Choose browInnerUp");
    assert_eq!(harness.state().session.edits.blink.channels, ["browInnerUp"]);
}

#[test]
fn the_blend_rule_changes_weights_but_not_sliders() {
    let mut app = App::new(head());
    for name in ["jawOpen", "mouthPucker"] {
        let channel = app.channel(name);
        app.session.channel_mut(channel).set(1.0);
    }
    app.session.clips_mut().select(None);
    let mut harness = window_of(Vec2::new(1600.0, 1200.0), app);
    open_page(&mut harness);
    assert!(near(harness.state().weight("jawOpen"), 1.0));
    press(&mut harness, "Normalised");
    let app = harness.state();
    assert_eq!(app.session.edits.rule, BlendRule::Normalised);
    assert!(near(app.weight("jawOpen"), 0.5), "two full channels are scaled to one half");
    assert!(near(app.session.head.channel_value(app.channel("jawOpen"), &app.session.mix().weights), 1.0));
}

#[test]
fn missing_takes_can_be_located_or_removed() {
    let mut harness = window(head());
    let problem = "/projects/walk.csv: cannot be read: No such file or directory".to_owned();
    let missing = TakeEntry { name: "walk".into(), problem: Some(problem), ..TakeEntry::default() };
    harness.state_mut().session.edits.takes.push(missing);
    open_page(&mut harness);
    harness.get_by_label_contains("walk: /projects/walk.csv: cannot be read");
    harness.get_by_label("Locate…").click();
    harness.run();
    harness.state_mut().session.edits.takes[0].is_solved = true;
    harness.get_by_label("Locate…").click();
    harness.run();
    harness.get_by_label("Remove missing take walk").click();
    harness.run();
    let expected =
        [Content::Takes, Content::Frames].map(|content| Command::Choose(OpenAs::MissingTake(TakeId(0), content)));
    assert_eq!(harness.state().commands, expected);
    assert!(harness.state().session.edits.takes.is_empty());
}

#[test]
fn blinks_are_baked_to_keys_in_one_step_and_automatic_blinking_is_off() {
    let mut app = App::new(head());
    app.session.clips_mut().select(None);
    let mut harness = window_of(Vec2::new(1600.0, 1200.0), app);
    open_page(&mut harness);
    assert!(harness.query_by_label("Bake blinks to keys").is_none(), "there is nothing to bake while it is off");
    press(&mut harness, "Blink on");
    drag_slider(&mut harness, "Blink interval", 0.5, 0.25);
    press(&mut harness, "Bake blinks to keys");
    let session = &harness.state().session;
    assert!(!session.edits.blink.enabled);
    let count = session.keys().keys_of("eyeBlinkLeft").len();
    assert!(count >= 8 && session.keys().keys_of("eyeBlinkRight").len() == count, "{count}");
    let said = harness.state().commands.clone();
    let [Command::ShowStatus(said)] = said.as_slice() else { panic!("{said:?}") };
    assert!(said.starts_with(&format!("{} keys on eyeBlinkLeft, eyeBlinkRight for ", 2 * count)), "{said}");
    assert!(said.ends_with("from 0.00 s to 10.00 s. Automatic blinking is off"), "{said}");
    harness.state_mut().session.undo();
    assert!(harness.state().session.edits.blink.enabled && harness.state().session.keys().is_empty(), "one step");

    harness.state_mut().session.timeline_mut().edit_range(|timeline| timeline.set_out(Some(0.25)));
    harness.run_ok();
    press(&mut harness, "Bake blinks to keys");
    let Some(Command::ShowStatus(said)) = harness.state().commands.last().cloned() else { panic!("nothing was said") };
    assert!(said.starts_with("No blinks were baked. No blink starts from 0.00 to 0.25 s"), "{said}");
    assert!(harness.state().session.edits.blink.enabled && harness.state().session.keys().is_empty());
}
