//! Correctives in a session: what drives them, what does not, the switch, mute and solo, undo, and what is exported.

use smirk_face::head::{Asset, CombinationMethod, Corrective, Drive, Driver};
use smirk_face::motion::BlendRule;

use super::*;

/// The head of the other tests, whose `mouthFunnel` follows `jawOpen` × `mouthSmileLeft`.
fn with_corrective() -> Session {
    let plain = session();
    let driver = |name: &str| Driver { name: name.into(), full_weight: 1.0 };
    let drivers = vec![driver("jawOpen"), driver("mouthSmileLeft")];
    let drive = Drive::Combination(CombinationMethod::Product, drivers);
    let correctives = vec![Corrective { target: "mouthFunnel".into(), drive }];
    let (meshes, clips) = (plain.head.meshes.clone(), plain.head.clips.clone());
    let head =
        Head::new(Asset { name: "head".into(), meshes, clips, declared_correctives: correctives, ..Asset::default() });
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.edits.poses.clear();
    session.clock.timeline.playing = false;
    session
}

fn moved() -> Session {
    let mut session = with_corrective();
    session.channel_mut(channel(&session, "jawOpen")).set(0.5);
    session.channel_mut(channel(&session, "mouthSmileLeft")).set(0.5);
    session.commit();
    session
}

#[test]
fn whatever_moves_the_drivers_drives_the_corrective() {
    let mut session = with_corrective();
    session.channel_mut(channel(&session, "mouthSmileLeft")).set(1.0);
    session.seek(4.0);
    assert_eq!((weight(&session, "mouthFunnel"), layer(&session, "mouthFunnel")), (0.4, Layer::Corrective), "the clip");
    assert_eq!(session.weights()[5], 0.4);
    let pose = add(&mut session, "Open", &[("jawOpen", 0.8), ("mouthFunnel", 0.1)]);
    session.poses_mut().set_amount(pose, 1.0);
    assert_eq!(session.weights()[5], 0.8, "a pose; what it says about the corrective itself does not count");
    let funnel = channel(&session, "mouthFunnel");
    let stack = session.contributions(funnel);
    assert_eq!(stack, [(Layer::Rest, 0.0), (Layer::Pose, 0.1), (Layer::Corrective, 0.8)]);
}

#[test]
fn a_hand_does_not_move_a_corrective() {
    let mut session = moved();
    let funnel = channel(&session, "mouthFunnel");
    let before = session.edits.snapshot();
    session.channel_mut(funnel).set(0.9);
    session.channel_mut(funnel).set_target(5, 0.9);
    session.channels_mut([funnel]).set(0.9);
    session.channel_mut(funnel).take_over();
    session.keys_mut().key(funnel);
    assert_eq!((*session.edits.snapshot()).clone(), (*before).clone());
    assert!(session.follows_others(funnel) && session.weights()[5] == 0.25);
}

#[test]
fn the_switch_makes_it_a_slider_again_and_is_undone() {
    let mut session = moved();
    let funnel = channel(&session, "mouthFunnel");
    session.edits.plays_correctives = false;
    session.commit();
    assert_eq!((session.weights()[5], layer(&session, "mouthFunnel")), (0.0, Layer::Rest));
    session.channel_mut(funnel).set(0.9);
    session.commit();
    assert_eq!((session.weights()[5], layer(&session, "mouthFunnel")), (0.9, Layer::Manual));
    session.edits.plays_correctives = true;
    session.commit();
    assert_eq!(session.weights()[5], 0.25, "the slider is under the corrective");
    assert!(session.undo() && session.weights()[5] == 0.9);
    assert!(session.undo() && session.undo() && session.weights()[5] == 0.25);
    assert!(session.redo() && session.weights()[5] == 0.0);
}

#[test]
fn a_muted_corrective_is_at_rest_and_a_soloed_one_is_heard_with_its_drivers() {
    let mut session = moved();
    let (funnel, jaw) = (channel(&session, "mouthFunnel"), channel(&session, "jawOpen"));
    session.channel_mut(channel(&session, "mouthSmileRight")).set(0.7);
    session.channel_mut(funnel).toggle_mute();
    assert_eq!((session.weights()[5], layer(&session, "mouthFunnel")), (0.0, Layer::Muted));
    session.channel_mut(funnel).toggle_mute();
    session.channel_mut(funnel).toggle_solo();
    assert_eq!(session.weights().to_vec(), [0.0, 0.0, 0.5, 0.5, 0.0, 0.25], "the drivers are heard, others are not");
    session.channel_mut(funnel).toggle_solo();
    session.channel_mut(jaw).toggle_mute();
    assert_eq!(session.weights()[5], 0.0, "without a driver");
}

#[test]
fn under_the_normalised_rule_it_follows_what_is_left_of_the_drivers_and_does_not_count() {
    let mut session = with_corrective();
    session.edits.rule = BlendRule::Normalised;
    session.channel_mut(channel(&session, "jawOpen")).set(1.0);
    session.channel_mut(channel(&session, "mouthSmileLeft")).set(1.0);
    assert_eq!(session.weights().to_vec(), [0.0, 0.0, 0.5, 0.5, 0.0, 0.25]);
    assert_eq!(weight(&session, "jawOpen"), 1.0, "its slider");
    session.edits.plays_correctives = false;
    assert_eq!(session.weights().to_vec(), [0.0, 0.0, 0.5, 0.5, 0.0, 0.0]);
}

#[test]
fn an_expression_of_vrm_drives_a_corrective_through_its_targets() {
    let plain = with_corrective();
    let binds =
        vec![smirk_face::head::Bind { target: 2, weight: 0.5 }, smirk_face::head::Bind { target: 5, weight: 1.0 }];
    let expressions = vec![smirk_face::head::Expression { name: "aa".into(), binds, ..Default::default() }];
    let correctives = plain.head.declared_correctives.clone();
    let asset =
        Asset { meshes: plain.head.meshes.clone(), expressions, declared_correctives: correctives, ..Asset::default() };
    let mut session = Session::new(Arc::new(Head::new(asset)), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.channel_mut(channel(&session, "aa")).set(1.0);
    session.channel_mut(channel(&session, "mouthSmileLeft")).set(0.5);
    assert_eq!(session.weights().to_vec(), [0.0, 0.0, 0.5, 0.5, 0.0, 0.25]);
}
