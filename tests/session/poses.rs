//! Poses: applied in part, stored, copied, mirrored, and reached by transitions.

use super::{add, channel, layer, session, weight};
use smirk_face::motion::{Layer, PoseId, SequenceStep, TimeStep};
use smirk_session::Session;

#[test]
fn half_a_pose_is_halfway_between_itself_and_the_clip() {
    let mut session = session();
    session.seek(4.0);
    let open = add(&mut session, "Open", &[("jawOpen", 1.0)]);
    session.poses_mut().set_amount(open, 0.5);
    assert!((weight(&session, "jawOpen") - 0.7).abs() < 1e-6);
    session.poses_mut().set_amount(open, f32::NAN);
    assert_eq!(session.edits.pose_amount(open), 0.5, "NaN changes nothing");
    session.poses_mut().set_amount(open, 0.0);
    assert_eq!(layer(&session, "jawOpen"), Layer::Clip);
}

#[test]
fn a_transition_to_a_pose_is_smooth_whatever_it_interrupts() {
    let mut session = session();
    session.clock.timeline.playing = true;
    let one = add(&mut session, "One", &[("jawOpen", 1.0), ("mouthSmileLeft", 0.5), ("eyeBlinkLeft", 0.2)]);
    let two = add(&mut session, "Two", &[("mouthSmileLeft", -0.5), ("mouthFunnel", 1.0)]);
    let mut last = session.mix().weights.clone();
    // The loop ends before the end of the clip, where the clip itself jumps.
    for frame in 0..470 {
        match frame % 60 {
            0 => session.poses_mut().apply(one),
            7 => session.poses_mut().apply(two),
            20 => _ = session.mirror_mix(),
            31 => session.give_back_all(),
            43 => session.poses_mut().clear(),
            _ => {}
        }
        let weights = session.mix().weights.clone();
        let step = last.iter().zip(&weights).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(step < 0.1, "frame {frame} moves by {step}");
        session.advance(1.0 / 60.0);
        last = weights;
    }
}

#[test]
fn a_stored_pose_includes_the_clip_but_not_the_blink() {
    let mut session = session();
    session.seek(4.0);
    session.channel_mut(channel(&session, "mouthFunnel")).set(0.4);
    session.edits.blink.enabled = true;
    let rest_secs = session.secs_until_motion().unwrap();
    session.advance(TimeStep::paused(rest_secs + 0.09));
    assert_eq!(weight(&session, "eyeBlinkLeft"), 1.0, "in the middle of a blink");
    let stored = session.poses_mut().store("");
    let pose = session.edits.pose(stored).unwrap();
    assert_eq!((pose.name.as_str(), pose.weights["eyeBlinkLeft"], pose.weights["jawOpen"]), ("Pose 1", 0.5, 0.4));
    assert_eq!(pose.weights["mouthFunnel"], 0.4);
    assert!(!pose.weights.contains_key("mouthSmileLeft"));
}

#[test]
fn names_that_are_in_use_get_a_number() {
    let mut session = session();
    for name in ["", "", "Smile", " Smile ", "Smile 2", "7", "7"] {
        session.poses_mut().store(name);
    }
    let names: Vec<&str> = session.edits.poses.iter().map(|pose| pose.name.as_str()).collect();
    assert_eq!(names, ["Pose 1", "Pose 2", "Smile", "Smile 2", "Smile 3", "7", "7 2"]);
    let first = session.edits.poses[0].id;
    session.poses_mut().rename(first, "  ");
    assert_eq!(session.edits.poses[0].name, "Pose 1", "an empty name changes nothing");
}

#[test]
fn poses_move_within_the_list_and_copies_come_after_their_originals() {
    let mut session = session();
    let [a, b, c] = ["a", "b", "c"].map(|name| add(&mut session, name, &[("jawOpen", 0.5)]));
    let order = |session: &Session| session.edits.poses.iter().map(|pose| pose.id).collect::<Vec<_>>();
    session.poses_mut().move_to(a, 2);
    assert_eq!(order(&session), [b, c, a]);
    session.poses_mut().move_to(a, 99);
    session.poses_mut().move_to(PoseId(7), 0);
    assert_eq!(order(&session), [b, c, a]);
    let copy = session.poses_mut().duplicate(b).unwrap();
    assert_eq!(order(&session), [b, copy, c, a]);
    assert_eq!(session.edits.pose(copy).unwrap().weights, session.edits.pose(b).unwrap().weights);
    session.edits.sequence.steps = [b, copy].map(SequenceStep::new).to_vec();
    session.poses_mut().apply(copy);
    session.poses_mut().delete(copy);
    assert!(session.edits.applied_poses.is_empty() && session.edits.sequence.steps == [SequenceStep::new(b)]);
    assert_eq!(session.poses_mut().duplicate(copy), None);
}

#[test]
fn a_mirrored_pose_matches_other_naming_conventions_and_keeps_unknown_names() {
    let mut session = session();
    let names = [("EyeBlink_L", 0.7), ("mouthSmileLeft", 0.1), ("jawOpen", 0.3), ("tailLeft", 1.0)];
    let pose = add(&mut session, "Odd", &names);
    session.poses_mut().mirror(pose);
    let weights = &session.edits.pose(pose).unwrap().weights;
    let expected = [("eyeBlinkRight", 0.7), ("jawOpen", 0.3), ("mouthSmileRight", 0.1), ("tailLeft", 1.0)];
    assert_eq!(weights.iter().map(|(name, &weight)| (name.as_str(), weight)).collect::<Vec<_>>(), expected);
}
