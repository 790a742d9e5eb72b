//! Which layer sets a channel: sliders, solo and mute, keys; evaluated once a frame.

use std::sync::Arc;

use super::{add, channel, layer, session, weight};
use smirk_analysis::measure::MeasuredHead;
use smirk_face::head::{Asset, Head};
use smirk_face::motion::{Layer, PoseId, TimeStep};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, MirroredMix, Session};

#[test]
fn a_head_whose_file_has_weights_at_rest_can_rest_at_zero() {
    let plain = session();
    let mut meshes = plain.head.meshes.clone();
    meshes[0].targets.iter_mut().for_each(|target| target.default_weight = 1.0);
    let asset = Asset { name: "head".into(), meshes, clips: plain.head.clips.clone(), ..Asset::default() };
    let mut session = Session::new(Arc::new(Head::new(asset)), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.clock.timeline.playing = false;
    let [jaw, smile] = ["jawOpen", "mouthSmileLeft"].map(|name| channel(&session, name));
    assert_eq!((weight(&session, "mouthSmileLeft"), session.channel_default(smile)), (1.0, 1.0));
    session.edits.rests_at_zero = true;
    session.commit();
    assert_eq!((weight(&session, "mouthSmileLeft"), session.channel_default(smile)), (0.0, 0.0));
    // A pose has what is not at rest now, and nothing else.
    session.channel_mut(smile).set(1.0);
    let smiling = session.poses_mut().store("smiling");
    let pose = session.edits.pose(smiling).unwrap();
    assert_eq!(pose.weights.get("mouthSmileLeft"), Some(&1.0));
    let alone = pose.weights_on(&session.head, &session.bound().sliders.rest);
    assert_eq!(alone.iter().sum::<f32>(), pose.weights.values().sum::<f32>(), "{:?}", pose.weights);
    // So has a heat map.
    let (heat, measured) = (session.look().heat, MeasuredHead::new(&session.head));
    let largest = |weights: &[f32]| {
        let values = heat.values(&session.head, &measured, weights, None).unwrap();
        values.into_iter().flatten().fold(0.0, f32::max)
    };
    assert!(largest(&vec![0.0; session.head.target_count()]) == 0.0 && largest(&session.head.default_weights()) > 0.0);
    session.reset_all();
    // What plays still plays, and resets go to 0.
    session.seek(8.0);
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (0.8, Layer::Clip));
    session.channel_mut(smile).set(0.5);
    session.channel_mut(jaw).set(0.5);
    session.reset_all();
    assert_eq!((weight(&session, "mouthSmileLeft"), weight(&session, "jawOpen")), (0.0, 0.8));
    session.commit();
    while session.edits.rests_at_zero {
        session.undo();
    }
    assert_eq!(weight(&session, "mouthSmileLeft"), 1.0, "undo goes back to the weights of the file");
}

#[test]
fn a_dragged_slider_shows_what_its_edits_say_and_is_one_step_of_undo() {
    let mut session = session();
    let smile = channel(&session, "mouthSmileLeft");
    session.edits.link_all(true);
    session.commit();
    let before = session.edits.snapshot();
    for step in 1..=4 {
        session.seek(step as f32);
        session.channel_mut(smile).set(step as f32 * 0.125);
        let mut fresh = Session::new(session.head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        fresh.start_from((*session.edits).clone());
        fresh.seek(step as f32);
        assert_eq!(
            (&*session.mix(), &session.bound().sliders.weights),
            (&*fresh.mix(), &fresh.bound().sliders.weights)
        );
        assert_eq!((*session.edits.snapshot()).clone(), (*session.edits).clone());
        assert_eq!(weight(&session, "mouthSmileRight"), step as f32 * 0.125);
    }
    session.commit();
    let copy = session.clone();
    session.channel_mut(smile).set(0.75);
    assert_eq!([&session, &copy].map(|session| weight(session, "mouthSmileLeft")), [0.75, 0.5]);
    session.channel_mut(smile).set(0.25);
    assert_eq!([&session, &copy].map(|session| weight(session, "mouthSmileLeft")), [0.25, 0.5]);
    assert!(session.undo() && weight(&session, "mouthSmileLeft") == 0.5);
    assert!(session.undo() && *session.edits == *before && weight(&session, "mouthSmileLeft") == 0.0);
    assert!(session.redo() && session.redo() && weight(&session, "mouthSmileRight") == 0.25);
}

#[test]
fn mute_hides_a_value_and_does_not_change_what_is_done_with_it() {
    let mut session = session();
    let [jaw, left] = ["jawOpen", "mouthSmileLeft"].map(|name| channel(&session, name));
    session.seek(4.0);
    let of_clip = weight(&session, "jawOpen");
    assert!(of_clip > 0.0);
    session.channel_mut(left).set(0.7);
    session.channels_mut(vec![jaw, left]).toggle_mute();
    assert_eq!([weight(&session, "jawOpen"), weight(&session, "mouthSmileLeft")], [0.0, 0.0]);
    session.channel_mut(left).mirror();
    session.advance(1.0);
    assert_eq!(weight(&session, "mouthSmileRight"), 0.7);
    session.channel_mut(jaw).take_over();
    session.channels_mut(vec![jaw, left]).toggle_mute();
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (of_clip, Layer::Manual));
}

#[test]
fn a_channel_taken_over_from_a_clip_stays_manual_under_poses_that_do_not_name_it() {
    let mut session = session();
    let [jaw, funnel] = ["jawOpen", "mouthFunnel"].map(|name| channel(&session, name));
    session.seek(4.0);
    session.channel_mut(jaw).take_over();
    session.channel_mut(jaw).set(0.1);
    session.channel_mut(funnel).set(0.3);
    let smile = add(&mut session, "Smile", &[("mouthSmileLeft", 0.5)]);
    session.poses_mut().apply(smile);
    session.advance(1.0);
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (0.1, Layer::Manual));
    assert_eq!(weight(&session, "mouthFunnel"), 0.0, "a channel that nothing moves is given back");
    let open = add(&mut session, "Open", &[("jawOpen", 0.9)]);
    session.poses_mut().apply(open);
    session.advance(1.0);
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (0.9, Layer::Pose), "it is named now");
    session.channel_mut(jaw).take_over();
    session.channel_mut(jaw).set(0.2);
    session.poses_mut().apply(smile);
    session.advance(1.0);
    assert_eq!(
        (weight(&session, "jawOpen"), layer(&session, "jawOpen")),
        (0.2, Layer::Manual),
        "manual over pose and clip"
    );
    session.poses_mut().clear();
    session.advance(1.0);
    assert_eq!((weight(&session, "mouthSmileLeft"), weight(&session, "jawOpen")), (0.0, 0.2));
    session.give_back_all();
    session.advance(1.0);
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (0.4, Layer::Clip));
    assert!(!session.can_clear_poses());
}

#[test]
fn a_frame_evaluates_the_stack_once_and_every_change_is_seen() {
    let mut session = session();
    let pose = add(&mut session, "Open", &[("jawOpen", 0.9)]);
    session.channel_mut(channel(&session, "mouthFunnel")).set(0.2);
    assert!(Arc::ptr_eq(&session.mix(), &session.mix()) && Arc::ptr_eq(&session.weights(), &session.weights()));
    type Change = fn(&mut Session, PoseId);
    let changes: [(&str, Change); 9] = [
        ("a slider", |session, _| session.channel_mut(5).set(0.3)),
        ("an edit through a field", |session, _| {
            session.edits.sliders.values_mut().for_each(|slider| slider.value = Some(0.4))
        }),
        ("time", |session, _| session.seek(4.0)),
        ("a pose", |session, pose| session.poses_mut().set_amount(pose, 0.5)),
        ("the weights of a pose", |session, pose| session.poses_mut().replace(pose)),
        ("a mute", |session, _| session.channel_mut(5).toggle_mute()),
        ("a step of undo", |session, _| assert!(session.undo())),
        ("the choice of clip", |session, _| session.clips_mut().select(None)),
        ("another head", |session, _| {
            let copy = session.head.with_targets(Vec::new(), Vec::new());
            session.replace_head(Arc::new(copy), HeadSource::Embedded);
        }),
    ];
    session.poses_mut().rename(pose, "Open");
    for (name, change) in changes {
        let before = session.mix();
        change(&mut session, pose);
        assert!(!Arc::ptr_eq(&before, &session.mix()), "{name} is not seen");
        assert!(Arc::ptr_eq(&session.mix(), &session.mix()), "{name}: evaluated twice");
    }
    // A fade advances with the clock alone.
    let funnel = channel(&session, "mouthFunnel");
    session.glide(1.0, |session| session.channels_mut([funnel]).set(0.9));
    let start = weight(&session, "mouthFunnel");
    session.advance(TimeStep::paused(0.5));
    assert!(weight(&session, "mouthFunnel") > start);
}

#[test]
fn mirroring_the_face_swaps_both_sides_of_a_pair_or_neither() {
    let mut session = session();
    session.seek(4.0);
    session.channel_mut(channel(&session, "mouthSmileLeft")).set(0.6);
    session.channel_mut(channel(&session, "eyeBlinkLeft")).take_over();
    session.channel_mut(channel(&session, "eyeBlinkLeft")).set(0.9);
    let right = channel(&session, "eyeBlinkRight");
    assert_eq!(session.mirror_mix(), MirroredMix { changed: 4, taken_over: vec![right], left: vec![] });
    session.advance(1.0);
    assert_eq!((weight(&session, "mouthSmileLeft"), weight(&session, "mouthSmileRight")), (0.0, 0.6));
    assert_eq!((weight(&session, "eyeBlinkLeft"), weight(&session, "eyeBlinkRight")), (0.5, 0.9));
    assert_eq!(layer(&session, "eyeBlinkRight"), Layer::Manual, "the side that the clip drove is taken over");

    // A pose on one side, and the clip on the other.
    session.reset_all();
    session.advance(1.0);
    let wink = session.poses_mut().store("wink");
    let pose = [("eyeBlinkLeft".to_owned(), 0.8)].into();
    Arc::make_mut(session.edits.poses.iter_mut().find(|pose| pose.id == wink).unwrap()).weights = pose;
    session.poses_mut().apply(wink);
    session.advance(1.0);
    assert_eq!((weight(&session, "eyeBlinkLeft"), layer(&session, "eyeBlinkLeft")), (0.8, Layer::Pose));
    session.mirror_mix();
    session.advance(1.0);
    assert_eq!((weight(&session, "eyeBlinkLeft"), weight(&session, "eyeBlinkRight")), (0.5, 0.8));
}

#[test]
fn mirroring_leaves_a_pair_that_animation_alone_moves() {
    let mut session = session();
    session.clips_mut().select(None);
    let [left, right] = ["eyeBlinkLeft", "eyeBlinkRight"].map(|name| channel(&session, name));
    session.channel_mut(right).set(0.7);
    session.keys_mut().key(right);
    assert_eq!(session.mirror_mix(), MirroredMix { changed: 0, taken_over: vec![], left: vec![right] });
    session.advance(1.0);
    assert_eq!((weight(&session, "eyeBlinkLeft"), weight(&session, "eyeBlinkRight")), (0.0, 0.7));
    assert_eq!((layer(&session, "eyeBlinkLeft"), session.bound().sliders.manual[left]), (Layer::Rest, false));
}

#[test]
fn solo_and_mute_are_the_highest_layers_and_a_key_gives_its_channel_back() {
    let mut session = session();
    let [jaw, funnel] = ["jawOpen", "mouthFunnel"].map(|name| channel(&session, name));
    session.seek(4.0);
    session.channel_mut(funnel).set(0.5);
    session.channel_mut(funnel).toggle_solo();
    assert_eq!((layer(&session, "jawOpen"), weight(&session, "jawOpen")), (Layer::NotSoloed, 0.0));
    assert_eq!(weight(&session, "mouthFunnel"), 0.5);
    session.channel_mut(jaw).toggle_solo();
    session.channel_mut(funnel).toggle_mute();
    assert_eq!((layer(&session, "mouthFunnel"), weight(&session, "jawOpen")), (Layer::Muted, 0.4));
    session.channel_mut(funnel).toggle_mute();
    session.keys_mut().key(funnel);
    assert_eq!((layer(&session, "mouthFunnel"), weight(&session, "mouthFunnel")), (Layer::Keys, 0.5));
    session.reset_all();
    assert_eq!(weight(&session, "mouthFunnel"), 0.5, "keys are not reset");
    session.keys_mut().edit_channel(funnel, |keys, name| keys.clear(name));
    assert_eq!((layer(&session, "mouthFunnel"), layer(&session, "jawOpen")), (Layer::Rest, Layer::Clip));
}
