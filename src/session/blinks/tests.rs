//! Tests of blinks as keys.

use std::sync::Arc;

use super::BakeBlinksError;
use crate::{HeadSource, Session};
use smirk_base::random;
use smirk_face::head::{Asset, Curve, Head, Interpolation, Mesh};
use smirk_face::motion::{Extrapolation, Key, KeyMode, Pose, PoseId, SequenceStep, Take, Tangents};
use smirk_scene::{BlendMode, Look};

const NAMES: [&str; 3] = ["eyeBlinkLeft", "eyeBlinkRight", "jawOpen"];

fn session() -> Session {
    let meshes = vec![Mesh::with_targets(NAMES)];
    let head = Head::new(Asset { name: "test".into(), meshes, ..Asset::default() });
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.edits.blink.enabled = true;
    session
}

/// A take at 60 frames per second whose eyelids move slowly, with a little noise.
fn take(seed: u32, secs: f32) -> Take {
    let times: Vec<f32> = (0..=(secs * 60.0) as u16).map(|frame| f32::from(frame) / 60.0).collect();
    let value = |secs: f32, column: u32| {
        let wave = (secs * (0.7 + 0.3 * column as f32) + seed as f32).sin();
        0.2 + 0.2 * wave + 0.005 * random::signed(seed + column, (secs * 60.0) as u64)
    };
    let values = times.iter().flat_map(|&secs| (0..3).map(move |column| value(secs, column))).collect();
    let curve = Curve::new(Interpolation::Linear, times, values, 3).unwrap();
    Take { frames_per_sec: Some(60.0), duration_secs: secs, ..Take::of_curve(NAMES, curve) }
}

/// The weights of both eyelids when the range plays from its start, at some frames.
fn played(session: &Session) -> Vec<[f32; 2]> {
    let mut session = session.clone();
    let [start, end] = session.range_secs();
    let end = if end > start { end } else { Session::LEAST_KEYS_SECS };
    let frames = ((end - start) * 240.0) as usize;
    let at = |frame: usize| {
        let mut clock = session.clock;
        clock.restart(start);
        session.clock = clock;
        let secs = (end - start) * frame as f32 / frames as f32;
        session.clock.skip(f64::from(secs));
        session.clock.timeline.time_secs = start + secs;
        let weights = session.weights();
        [weights[0], weights[1]]
    };
    (0..frames).map(at).collect()
}

fn largest_difference(a: &[[f32; 2]], b: &[[f32; 2]]) -> f32 {
    let both = a.iter().flatten().zip(b.iter().flatten());
    both.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn a_blink_asked_for_comes_at_once() {
    let mut session = session();
    session.edits.blink.enabled = false;
    session.blink_now();
    assert_eq!(session.clock.running_secs(), 0.0, "nothing to skip to");
    session.edits.blink.enabled = true;
    session.glide(2.0, |session| session.channels_mut([0]).set(1.0));
    session.blink_now();
    assert!(session.clock.running_secs() > 1.0);
    assert_eq!(session.weights()[0], 0.0, "a fade does not jump ahead");
    session.advance(f64::from(session.edits.blink.close_secs));
    assert!(session.weights()[1] > 0.99);
}

#[test]
fn keys_play_like_the_blinks_over_nothing_takes_and_other_keys() {
    for seed in 0..48 {
        let at = |index: u64| random::unit(seed, index);
        let mut session = session();
        let secs = 4.0 + 20.0 * at(0);
        if at(1) < 0.6 {
            session.takes_mut().add(vec![take(seed, secs)]);
        }
        session.edits.blink.seed = seed;
        session.edits.blink.wait_secs = 0.5 + 3.0 * at(2);
        session.edits.blink.double_part = at(3);
        if at(4) < 0.3 {
            (session.edits.blink.hold_secs, session.edits.blink.close_secs) = (0.0, 0.2 * at(5));
        }
        if at(6) < 0.5 {
            let mode = KeyMode::ALL[usize::from(at(7) < 0.5)];
            for key in 0..6 {
                let tangents = [Tangents::Auto, Tangents::Linear, Tangents::Free(0.3)][(at(20 + key) * 3.0) as usize];
                let key = Key { time_secs: secs * at(10 + key), value: 0.4 * at(30 + key), tangents };
                session.keys_mut().edit(|keys| keys.set(NAMES[0], key));
            }
            session.keys_mut().edit(|keys| keys.edit_curve(NAMES[0], |curve| curve.mode = mode));
        }
        if at(8) < 0.5 {
            let length = session.timeline_secs();
            session.timeline_mut().edit_range(|timeline| timeline.set_in(Some(0.2 * length)));
            session.timeline_mut().edit_range(|timeline| timeline.set_out(Some(0.8 * length)));
        }
        let (before, timeline_secs) = (played(&session), session.timeline_secs());
        let baked = session.keys_mut().bake_blinks().unwrap();
        assert!(!session.edits.blink.enabled && baked.channels == [0, 1] && baked.blinks > 0);
        let after = played(&session);
        let largest = largest_difference(&before, &after[..before.len().min(after.len())]);
        assert!(largest < 0.01, "{seed}: {largest}, {baked:?}");
        if timeline_secs > 0.0 {
            assert_eq!(session.timeline_secs(), timeline_secs, "{seed}");
        }
    }
}

#[test]
fn a_blink_over_rest_has_four_keys_or_three_without_a_hold() {
    for (hold_secs, count) in [(0.05, 4), (0.0, 3)] {
        let mut session = session();
        (session.edits.blink.double_part, session.edits.blink.hold_secs) = (0.0, hold_secs);
        let baked = session.keys_mut().bake_blinks().unwrap();
        assert_eq!((baked.range_secs, baked.keys), ([0.0, 10.0], baked.blinks * count * 2));
        let curve = session.keys().curve(NAMES[0]).unwrap();
        assert_eq!((curve.mode, curve.keys()[0].tangents), (KeyMode::Replace, Tangents::FLAT));
        assert_eq!(curve.keys()[1].value, 1.0);
    }
}

#[test]
fn blinks_are_added_to_a_take_and_are_one_undo_step() {
    let mut session = session();
    session.takes_mut().add(vec![take(1, 12.0)]);
    session.commit();
    let baked = session.keys_mut().bake_blinks().unwrap();
    assert_eq!(session.keys().curve(NAMES[0]).unwrap().mode, KeyMode::Add);
    assert!(baked.keys <= baked.blinks * 2 * 12, "{baked:?}");
    session.commit();
    assert!(session.undo() && session.edits.blink.enabled && session.keys().is_empty());
}

#[test]
fn what_keys_cannot_show_is_refused_and_nothing_changes() {
    let mut session = session();
    let refusal = |session: &mut Session| {
        let before = session.edits.snapshot();
        let refusal = session.keys_mut().bake_blinks().unwrap_err();
        assert_eq!(*before, *session.edits);
        refusal
    };
    session.timeline_mut().edit_range(|timeline| timeline.set_out(Some(0.5)));
    assert_eq!(refusal(&mut session), BakeBlinksError::NoBlinks(0.0, 0.5));
    session.timeline_mut().edit_range(|timeline| timeline.set_out(None));
    session.keys_mut().edit(|keys| keys.set(NAMES[1], Key::new(1.0, 0.2)));
    session.keys_mut().edit(|keys| keys.edit_curve(NAMES[1], |curve| curve.after = Extrapolation::Fade(0.5)));
    assert_eq!(refusal(&mut session), BakeBlinksError::Fades(NAMES[1].into()));
    session.keys_mut().edit(|keys| keys.clear(NAMES[1]));
    let weights = [(NAMES[0].to_owned(), 0.5)].into();
    let pose = PoseId(1);
    session.edits.poses = vec![Arc::new(Pose { id: pose, name: "half".into(), weights })];
    session.edits.sequence.steps = vec![SequenceStep::new(pose); 4];
    session.edits.sequence.enabled = true;
    assert!(matches!(refusal(&mut session), BakeBlinksError::Hidden(_)));
    session.edits.sequence.enabled = false;
    session.edits.blink.wait_secs = 0.0;
    (session.edits.blink.close_secs, session.edits.blink.open_secs) = (0.001, 0.001);
    session.keys_mut().edit(|keys| keys.set(NAMES[2], Key::new(Key::LATEST_SECS, 0.2)));
    assert_eq!(refusal(&mut session), BakeBlinksError::TooMany);
}
