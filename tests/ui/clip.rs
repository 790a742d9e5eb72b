//! Channels that a clip drives, and the transport bar.

use crate::harness::*;
use crate::takes::take_of;
use smirk_face::motion::{Key as MotionKey, Layer};

fn is_driven(harness: &Harness<'static, App>, channel: usize) -> bool {
    let session = &harness.state().session;
    session.is_driven(channel, &session.mix())
}

fn is_taken(harness: &Harness<'static, App>, channel: usize) -> bool {
    let session = &harness.state().session;
    session.is_taken(channel, &session.mix())
}

#[test]
fn a_drag_takes_a_driven_slider_over_and_the_others_stay_driven() {
    let mut harness = window(head());
    let before = harness.state().weight("eyeBlinkLeft");
    assert!(near(before, 0.25), "a quarter into the clip: {before}");
    let (from, to) = (at(&harness, "eyeBlinkLeft", 0.3), at(&harness, "eyeBlinkLeft", 0.6));
    drag(&mut harness, from, from, Modifiers::NONE);
    let blink = harness.state().channel("eyeBlinkLeft");
    assert!(is_driven(&harness, blink), "a click takes nothing over");
    drag(&mut harness, from, to, Modifiers::NONE);
    assert!(near(harness.state().weight("eyeBlinkLeft"), 0.6) && is_taken(&harness, blink));
    harness.get_by_label("Give back eyeBlinkLeft");
    harness.state_mut().session.seek(4.0);
    assert!(near(harness.state().weight("eyeBlinkLeft"), 0.6), "the slider holds its value");
    assert!(near(harness.state().weight("eyeBlinkRight"), 0.5), "the clip still drives the other side");
    harness.get_by_label("Clear 1 taken over").click();
    harness.run();
    harness.state_mut().session.advance(1.0);
    assert!(is_driven(&harness, blink) && near(harness.state().weight("eyeBlinkLeft"), 0.5));
}

/// Ctrl-drag is ten times finer, so that the value stays near the one at the start.
#[test]
fn a_relative_drag_begins_at_the_value_that_is_shown_whatever_drives_the_row() {
    let app = || App::new(head());
    let mut keyed = app();
    keyed.session.keys_mut().edit(|keys| keys.set("eyeBlinkLeft", MotionKey::new(0.0, 0.7)));
    let mut posed = app();
    posed.session.poses_mut().add([("Shut".into(), [("eyeBlinkLeft".into(), 0.8)].into())]);
    let shut = posed.pose("Shut");
    posed.session.poses_mut().set_amount(shut, 1.0);
    let mut taken = app();
    taken.session.takes_mut().add(vec![take_of("take", &["eyeBlinkLeft"], 60)]);
    taken.session.clock.timeline.playing = false;
    let mut blinking = app();
    blinking.session.edits.blink.enabled = true;
    for (layer, app) in [
        (Layer::Clip, app()),
        (Layer::Keys, keyed),
        (Layer::Pose, posed),
        (Layer::Take, taken),
        (Layer::Blink, blinking),
    ] {
        let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
        let blink = harness.state().channel("eyeBlinkLeft");
        assert_eq!(harness.state().session.mix().layers[blink], layer);
        let shown = harness.state().weight("eyeBlinkLeft");
        let (from, to) = (at(&harness, "eyeBlinkLeft", 0.2), at(&harness, "eyeBlinkLeft", 0.4));
        drag(&mut harness, from, to, Modifiers::COMMAND);
        let after = harness.state().weight("eyeBlinkLeft");
        assert!((after - shown - 0.02).abs() < 0.008, "{layer:?}: {shown} {after}");
        assert!(is_taken(&harness, blink) && harness.query_by_label("Give back eyeBlinkLeft").is_some(), "{layer:?}");
    }
}

#[test]
fn a_channel_is_taken_over_without_a_jump_and_given_back() {
    let mut harness = window(head());
    let blink = harness.state().channel("eyeBlinkLeft");
    harness.get_by_label("Take over eyeBlinkLeft").click();
    harness.run();
    assert!(is_taken(&harness, blink));
    assert!(near(harness.state().weight("eyeBlinkLeft"), 0.25), "starts at the clip's value");
    drag_slider(&mut harness, "eyeBlinkLeft", 0.2, 0.8);
    harness.state_mut().session.seek(0.0);
    let app = harness.state();
    for &target in &app.session.head.channels[blink].targets {
        assert!(near(app.session.weights()[target], 0.8), "lids and lashes keep the value of the slider");
    }
    harness.get_by_label("Give back eyeBlinkLeft").click();
    harness.run();
    assert!(is_driven(&harness, blink));
    assert_eq!(harness.state().weight("eyeBlinkLeft"), 0.0);
}

#[test]
fn the_clip_is_played_scrubbed_and_unloaded() {
    let mut harness = window(head());
    harness.key_press(Key::Space);
    harness.run();
    assert_eq!(harness.state().session.secs_until_motion(), Some(0.0));
    let (from, to) = (at(&harness, "Time", 0.1), at(&harness, "Time", 0.5));
    drag(&mut harness, from, to, Modifiers::NONE);
    let app = harness.state();
    assert!((app.session.clock.timeline.time_secs - 4.0).abs() < 0.05 && app.session.clock.timeline.playing);
    harness.state_mut().session.advance(1.0);
    assert!((harness.state().session.clock.timeline.time_secs - 5.0).abs() < 0.05);
    harness.key_press(Key::L);
    harness.run();
    assert!(!harness.state().session.clock.timeline.looping);
    harness.state_mut().session.advance(60.0);
    assert!(!harness.state().session.clock.timeline.playing, "stops at the end");
    harness.run();
    harness.get_by_label("Play").click();
    harness.run();
    assert_eq!(harness.state().session.clock.timeline.time_secs, 0.0, "play at the end starts over");
    harness.get_by_label("Clip").click();
    harness.run();
    harness.get_by_label("No clip").click();
    harness.run();
    let blink = harness.state().channel("eyeBlinkLeft");
    assert!(!is_driven(&harness, blink));
}

#[test]
fn a_clip_that_moves_only_nodes_plays_and_drives_no_channel() {
    let mut harness = window(nodding_head());
    assert!(harness.query_by_label("No animation").is_none());
    harness.get_by_label("Show curves").click();
    harness.run();
    harness.get_by_label_contains("Clip: Nod moves nodes, not channels");
    let (from, to) = (at(&harness, "Time", 0.1), at(&harness, "Time", 0.5));
    drag(&mut harness, from, to, Modifiers::NONE);
    let session = &harness.state().session;
    let turned = session.world_from_nodes()[0].to_scale_rotation_translation().1;
    assert!(
        (turned.to_axis_angle().1 - 0.6_f32.asin()).abs() < 0.02,
        "half of the rotation at half of the time: {turned}"
    );
    drag_slider(&mut harness, "eyeSquintLeft", 0.3, 0.9);
    assert!(near(harness.state().weight("eyeSquintLeft"), 0.9));
    harness.get_by_label("Clip").click();
    harness.run();
    harness.get_by_label("No clip").click();
    harness.run();
    assert!(harness.state().session.world_from_nodes().is_empty(), "without a clip all nodes rest");
}

/// A head with the clips of [`head`] and of [`nodding_head`], and a third one that drives what the first drives.
fn head_with_clips() -> Arc<Head> {
    let (face, nod) = (head(), nodding_head());
    let mut clips = vec![face.clips[0].clone(), nod.clips[0].clone(), face.clips[0].clone()];
    let half = |track: &Track| Track {
        curve: Curve::new(Interpolation::Linear, vec![0.0], vec![0.5; track.curve.width()], track.curve.width())
            .unwrap(),
        ..track.clone()
    };
    clips[2] = Clip::new("Half".into(), clips[2].tracks.iter().map(half).collect());
    let mut meshes = face.meshes.clone();
    meshes.iter_mut().for_each(|mesh| mesh.node = Some(0));
    Arc::new(Head::new(Asset { name: "ada".into(), meshes, rig: nod.rig.clone(), clips, ..Asset::default() }))
}

#[test]
fn ticked_clips_play_together_and_a_click_on_a_name_plays_one_alone() {
    let mut harness = window(head_with_clips());
    assert!(
        near(harness.state().weight("eyeBlinkLeft"), 0.25) && harness.state().session.world_from_nodes().is_empty()
    );
    harness.get_by_label("Clip").click();
    harness.run();
    harness.get_by_label("Also play Nod").click();
    harness.run();
    assert!(near(harness.state().weight("eyeBlinkLeft"), 0.25));
    assert_eq!(harness.state().session.world_from_nodes().len(), 1, "the face blinks while the head nods");
    assert_eq!(harness.state().session.clock.timeline.time_secs, 2.0, "the play head stays");
    assert_eq!(harness.get_by_label("Clip").value().as_deref(), Some("2 clips"));
    harness.get_by_label("Also play Half").click();
    harness.run();
    assert!(near(harness.state().weight("eyeBlinkLeft"), 0.5), "the later one counts");
    harness.get_by_label("Also play Blink").click();
    harness.run();
    let names = |app: &App| app.session.clips().map(|clip| clip.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(harness.state()), ["Nod", "Half"]);
    harness.get_by_label_contains("Nod  8.0 s").click();
    harness.run();
    assert_eq!(names(harness.state()), ["Nod"]);
    assert!(harness.query_by_label("Also play Nod").is_none(), "the list is closed");
    assert_eq!(harness.state().weight("eyeBlinkLeft"), 0.0);
}
