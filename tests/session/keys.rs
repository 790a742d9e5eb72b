//! Keys of whole faces: the face at the time of a key is the face that was keyed, whatever is keyed elsewhere.

use std::sync::Arc;

use super::{add, channel, session, weight};
use smirk_base::random::{bits, unit};
use smirk_face::head::{Asset, Head};
use smirk_face::motion::PoseId;
use smirk_session::{HeadSource, Session};

const SPARE: f32 = 1e-4;

/// A session without a clip, whose changes show at once.
fn still() -> Session {
    let mut session = session();
    session.clips_mut().select(None);
    session.edits.transition.duration_secs = 0.0;
    session
}

/// A random pose, which may name nothing.
fn add_random(session: &mut Session, seed: u32) -> PoseId {
    let names = super::NAMES.iter().enumerate();
    let named = names.filter(|(index, _)| bits(seed, *index as u64).is_multiple_of(3));
    let weights: Vec<(&str, f32)> = named.map(|(index, name)| (*name, unit(seed, 10 + index as u64))).collect();
    add(session, &format!("pose {seed}"), &weights)
}

fn assert_face(session: &mut Session, secs: f32, expected: &[f32], context: &str) {
    session.seek(secs);
    let weights = session.mix().weights.clone();
    let differs = weights.iter().zip(expected).any(|(own, other)| (own - other).abs() > SPARE);
    assert!(!differs, "{context} at {secs} s: {weights:?} instead of {expected:?}");
}

#[test]
fn for_any_poses_keyed_in_any_order_the_face_at_each_key_is_the_pose() {
    for list in 0..300 {
        let mut session = still();
        let mut faces: Vec<(f32, Vec<f32>)> = Vec::new();
        for turn in 0..2 + (bits(list, 0) % 6) as u32 {
            let seed = 1000 + list * 10 + turn;
            let pose = add_random(&mut session, seed);
            session.seek((bits(seed, 30) % 8) as f32 * 0.5);
            // Without keys there is no timeline yet.
            let secs = session.clock.timeline.time_secs;
            match bits(seed, 31) % 4 {
                0 => session.poses_mut().apply(pose),
                1 => session.channels_mut([(bits(seed, 32) % 6) as usize]).set(unit(seed, 33)),
                2 => session.poses_mut().set_amount(pose, 0.5),
                _ => {}
            }
            session.keys_mut().key_pose(pose, false);
            let rest = session.head.default_weights();
            let face = session.edits.pose(pose).unwrap().weights_on(&session.head, &rest);
            assert_face(&mut session, secs, &face, "just keyed");
            faces.retain(|(other, _)| *other != secs);
            faces.push((secs, face));
        }
        for (secs, face) in &faces {
            assert_face(&mut session, *secs, face, &format!("list {list} of {faces:?}"));
        }
    }
}

/// Over a clip, and with sliders and several poses at once.
#[test]
fn a_face_that_is_keyed_as_it_is_seen_stays_at_its_key_over_a_clip_and_without() {
    for list in 0..300 {
        let mut session = if list % 2 == 0 { still() } else { session() };
        session.edits.transition.duration_secs = 0.0;
        let mut faces: Vec<(f32, Vec<f32>)> = Vec::new();
        for turn in 0..2 + (bits(list, 1) % 5) as u32 {
            let seed = 90_000 + list * 10 + turn;
            session.seek((bits(seed, 30) % 8) as f32 * 0.5);
            // Without keys there is no timeline yet.
            let secs = session.clock.timeline.time_secs;
            for part in 0..bits(seed, 34) % 3 {
                let pose = add_random(&mut session, seed + 7 * part as u32);
                session.poses_mut().set_amount(pose, unit(seed, 35 + part));
            }
            session.channels_mut([(bits(seed, 32) % 6) as usize]).set(unit(seed, 33));
            let face = session.mix().weights.clone();
            assert!(session.keys_mut().key_face(false) > 0 && session.edits.applied_poses.is_empty());
            assert_face(&mut session, secs, &face, "just keyed");
            faces.retain(|(other, _)| *other != secs);
            faces.push((secs, face));
        }
        for (secs, face) in &faces {
            assert_face(&mut session, *secs, face, &format!("list {list} of {faces:?}"));
        }
    }
}

#[test]
fn a_face_at_rest_can_be_the_first_that_is_keyed() {
    let mut session = still();
    assert_eq!(session.keys_mut().key_face(true), 0, "nothing has moved");
    assert_eq!(session.keys_mut().key_face(false), session.head.channels.len());
    session.seek(1.0);
    session.channels_mut([channel(&session, "jawOpen")]).set(1.0);
    session.keys_mut().key_face(false);
    session.seek(0.0);
    assert_eq!(weight(&session, "jawOpen"), 0.0);
}

#[test]
fn only_the_channels_of_a_pose_or_those_that_moved_are_keyed_by_choice() {
    let mut session = still();
    let smile = add(&mut session, "Smile", &[("mouthSmileLeft", 0.5)]);
    let open = add(&mut session, "Open", &[("jawOpen", 1.0)]);
    session.keys_mut().key_pose(smile, false);
    session.seek(1.0);
    assert_eq!(session.keys_mut().key_pose(open, true), 1);
    assert_eq!((weight(&session, "mouthSmileLeft"), weight(&session, "jawOpen")), (0.5, 1.0));
    session.channels_mut([channel(&session, "mouthFunnel")]).set(0.25);
    assert_eq!(session.keys_mut().key_face(true), 1);
    let counts = ["mouthSmileLeft", "jawOpen", "mouthFunnel"].map(|name| session.keys().keys_of(name).len());
    assert_eq!(counts, [1, 1, 1]);
}

#[test]
fn a_pose_that_was_only_looked_at_no_longer_hides_the_keys() {
    let mut session = still();
    let [smile, open] = [("Smile", "mouthSmileLeft"), ("Open", "jawOpen")]
        .map(|(name, channel)| add(&mut session, name, &[(channel, 1.0)]));
    for (secs, pose) in [(0.0, smile), (1.0, open)] {
        session.seek(secs);
        session.poses_mut().apply(pose);
        session.keys_mut().key_pose(pose, false);
    }
    session.seek(0.5);
    assert_eq!(session.edits.applied_poses, []);
    let halfway = ["mouthSmileLeft", "jawOpen"].map(|name| weight(&session, name));
    assert!(halfway.iter().all(|weight| (weight - 0.5).abs() < SPARE), "{halfway:?}");
}

#[test]
fn keys_without_a_clip_go_on_alone_on_another_head_that_has_a_clip() {
    let mut session = still();
    let smile = add(&mut session, "Smile", &[("mouthSmileLeft", 0.5)]);
    session.keys_mut().key_pose(smile, false);
    let head = session.head.clone();
    session.replace_head(head, HeadSource::File("/other.glb".into()));
    assert_eq!((session.clips().count(), weight(&session, "mouthSmileLeft")), (0, 0.5));
    assert!(!session.clock.timeline.playing);
    let head = session.head.clone();
    session.start_anew(head, HeadSource::File("/third.glb".into()));
    assert_eq!((session.clips().count(), weight(&session, "mouthSmileLeft")), (1, 0.0));
    assert!(session.work_in_words().is_empty());
}

#[test]
fn keys_of_a_clip_that_another_head_lacks_play_alone_there() {
    let mut session = still();
    session.clips_mut().select(Some(0));
    let smile = add(&mut session, "Smile", &[("mouthSmileLeft", 0.5)]);
    session.keys_mut().key_pose(smile, false);
    let of_clip = session.timing_of();
    let first = session.head.clone();
    let mut other = Asset::clone(&first);
    other.clips[0].name = "Another clip".into();
    session.replace_head(Arc::new(Head::new(other)), HeadSource::File("/other.glb".into()));
    assert_eq!((session.clips().count(), weight(&session, "mouthSmileLeft")), (0, 0.5));
    assert!(!session.clock.timeline.playing);
    // They stay on a clip that is chosen now, and belong to their own clip where that is.
    session.clips_mut().select(Some(0));
    assert!(!session.keys().is_empty());
    session.replace_head(first, HeadSource::File("/first.glb".into()));
    assert_eq!((session.playing(), session.timing_of()), (of_clip.clone(), of_clip));
    assert!(!session.keys().is_empty());
}
