//! Time that is inserted and deleted: in keys, and on the whole timeline of a session.

use smirk_face::motion::{
    Key, KeyCurve, Keys, Sequence, SequenceStep, SequenceWrap, Take, TakeColumn, TakeEdit, Tangents, TimeChange,
};
use smirk_session::RippleError;
use smirk_support::random::Random;

use super::*;

const EASE: f32 = TakeEdit::EASE_SECS;
const SMOOTH: [Tangents; 5] = [
    Tangents::Auto,
    Tangents::Linear,
    Tangents::FLAT,
    Tangents::Free(-1.5),
    Tangents::Broken { incoming: 2.0, outgoing: -0.5 },
];

/// One to twelve keys at whole frames of 1/30 s within ten seconds.
fn random_keys(random: &mut Random, tangents: &[Tangents]) -> Keys {
    let mut keys = Keys::default();
    for _ in 0..1 + random.below(12) {
        let (frame, value) = (random.below(300), random.between(-1.0, 2.0));
        // Some neighbours have the same value.
        let value = if random.chance(0.3) { 0.5 } else { value };
        keys.set(
            "jawOpen",
            Key { time_secs: frame as f32 / 30.0, value, tangents: tangents[random.below(tangents.len())] },
        );
    }
    keys
}

fn curve(keys: &Keys) -> &KeyCurve {
    keys.curve("jawOpen").unwrap()
}

fn at(keys: &Keys, secs: f32) -> f32 {
    curve(keys).value_at(secs).unwrap()
}

/// Times from 0 to 14 s that are not at a key, where a held value may jump.
fn times(keys: &Keys) -> Vec<f32> {
    let is_near = |time: &f32| curve(keys).keys().iter().any(|key| (key.time_secs - time).abs() < 3e-3);
    (0..1400).map(|step| step as f32 * 0.01 + 0.0037).filter(|time| !is_near(time)).collect()
}

fn same(a: f32, b: f32) -> bool {
    (a - b).abs() < 2e-4
}

/// A moment at random: that of a frame, where there may be a key, or one well between two frames.
fn moment(random: &mut Random) -> f32 {
    let between = if random.chance(0.5) { 0.0 } else { random.between(0.004, 0.029) };
    random.below(330) as f32 / 30.0 + between
}

#[test]
fn inserted_time_holds_the_keys_shifts_what_follows_and_can_be_deleted_again() {
    let mut random = Random::new(71);
    let kinds: Vec<Tangents> = SMOOTH.into_iter().chain([Tangents::Step]).collect();
    for _ in 0..400 {
        let keys = random_keys(&mut random, &kinds);
        let (from, secs) = (moment(&mut random), random.between(0.05, 3.0));
        let longer = keys.with_time_inserted(from, secs);
        let again = longer.with_time_deleted([from, from + secs], EASE);
        for time in times(&keys).into_iter().filter(|time| (time - from).abs() > 3e-3) {
            let (old, later) = (at(&keys, time), if time > from { secs } else { 0.0 });
            assert!(same(at(&longer, time + later), old), "{time} s: {keys:?} and {secs} s at {from} s: {longer:?}");
            assert!(same(at(&again, time), old), "{time} s: {keys:?} and {secs} s at {from} s: {again:?}");
        }
        let held = at(&longer, from + 0.5 * secs);
        assert!(same(held, at(&keys, from)) || same(held, at(&keys, from - 2e-3)), "{held} in the inserted time");
        assert!(!same(secs, 0.0) && longer.end_secs() >= keys.end_secs());
    }
}

#[test]
fn deleted_time_keeps_what_is_before_it_and_eases_into_what_follows() {
    let mut random = Random::new(72);
    for round in 0..400 {
        let keys = random_keys(&mut random, &SMOOTH);
        let (a, b) = (if round % 5 == 0 { 0.0 } else { moment(&mut random) }, moment(&mut random));
        let [from, to] = [a.min(b), a.max(b) + 2.0 / 30.0];
        let cut = keys.with_time_deleted([from, to], EASE);
        let jump = if from > 0.0 { at(&keys, from) - at(&keys, to) } else { 0.0 };
        for time in times(&keys).into_iter().filter(|time| [from, to].iter().all(|end| (time - end).abs() > 3e-3)) {
            if time < from {
                assert!(same(at(&cut, time), at(&keys, time)), "{time} s before {from} to {to} s: {keys:?} {cut:?}");
            } else if time > to {
                let left = 1.0 - smirk_face::motion::Ease::InOut.at((time - to) / EASE);
                let (new, expected) = (at(&cut, time - (to - from)), at(&keys, time) + jump * left);
                assert!(
                    (new - expected).abs() < 1e-3,
                    "{time} s after {from} to {to} s: {new}, {expected} {keys:?} {cut:?}"
                );
            }
        }
    }
}

#[test]
fn bad_numbers_change_nothing() {
    let keys = random_keys(&mut Random::new(73), &SMOOTH);
    for secs in [f32::NAN, -1.0, 0.0] {
        assert_eq!(keys.with_time_inserted(1.0, secs), keys);
        assert_eq!(keys.with_time_deleted([1.0, 1.0 + secs], EASE), keys);
    }
    assert_eq!(keys.with_time_inserted(f32::NAN, 1.0), keys);
    let far = keys.with_time_inserted(0.0, f32::INFINITY);
    assert!(far.end_secs() <= Key::LATEST_SECS);
}

#[test]
fn keys_that_a_drag_passes_are_removed() {
    let mut keys = Keys::default();
    for (secs, value) in [(1.0, 0.0), (3.0, 0.2), (4.0, 0.5), (7.0, 1.0)] {
        keys.set("jawOpen", Key::new(secs, value));
    }
    let times = |keys: Keys| keys.keys_of("jawOpen").iter().map(|key| key.time_secs).collect::<Vec<_>>();
    assert_eq!(times(keys.rippled(4.0, 1.5)), [1.0, 3.0, 5.5, 8.5]);
    assert_eq!(times(keys.rippled(4.0, -1.5)), [1.0, 2.5, 5.5]);
}

#[test]
fn the_hold_of_a_sequence_in_which_time_is_inserted_gets_longer() {
    let step = |pose: u32| SequenceStep {
        hold_secs: 1.0,
        transition_secs: 0.5,
        ..SequenceStep::new(smirk_face::motion::PoseId(pose))
    };
    let steps = vec![step(1), step(2), step(3)];
    for wrap in [SequenceWrap::Clamp, SequenceWrap::Loop] {
        let sequence = Sequence { enabled: true, steps: steps.clone(), wrap, has_own_clock: false };
        let longer = sequence.rippled(TimeChange::Insert { at_secs: 2.0, secs: 4.0 });
        let again = longer.rippled(TimeChange::Delete { from_secs: 2.0, to_secs: 6.0 });
        for time in (0..200).map(|step| f64::from(step) * 0.02) {
            let later = if time > 2.0 { 4.0 } else { 0.0 };
            assert_eq!(longer.position(time + later), sequence.position(time), "{time} s");
            assert!((again.position(time) - sequence.position(time)).abs() < 1e-5);
        }
        let own = Sequence { has_own_clock: true, ..sequence.clone() };
        assert_eq!(own.rippled(TimeChange::Insert { at_secs: 2.0, secs: 4.0 }), own, "it is not on the timeline");
        let cut = sequence.rippled(TimeChange::Delete { from_secs: 0.5, to_secs: 1.75 });
        assert!((cut.length_secs() - sequence.length_secs() + 1.25).abs() < 1e-5);
    }
}

/// A take of eight seconds whose jaw is open from 4 to 5 s, and keys that smile in the same phrase.
fn session_with_phrase() -> Session {
    let times = vec![0.0, 3.9, 4.0, 5.0, 5.1, 8.0];
    let curve = Curve::new(Interpolation::Linear, times, vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0], 1).unwrap();
    let take = Take {
        name: "phrase".into(),
        source: None,
        frames_per_sec: Some(30.0),
        start_timecode: None,
        columns: vec![TakeColumn { name: "JawOpen".into(), track: 0, element: 0 }],
        body: None,
        duration_secs: 8.0,
        tracks: vec![curve],
        notes: Vec::new(),
    };
    let mut session = session();
    session.clips_mut().select(None);
    session.takes_mut().add(vec![take]);
    session.clock.timeline.playing = false;
    for (secs, value) in [(3.5, 0.0), (4.0, 0.6), (5.0, 0.6), (5.5, 0.0)] {
        session.keys_mut().edit(|keys| keys.set("mouthSmileLeft", Key::new(secs, value)));
    }
    session.commit();
    session
}

fn set_range(session: &mut Session, in_secs: Option<f32>, out_secs: Option<f32>) {
    session.timeline_mut().edit_range(|timeline| (timeline.in_secs, timeline.out_secs) = (in_secs, out_secs));
    session.commit();
}

/// The jaw of the take and the smile of the keys at a time.
fn face_at(session: &mut Session, secs: f32) -> [f32; 2] {
    session.seek(secs);
    ["jawOpen", "mouthSmileLeft"].map(|name| value(session, name))
}

fn assert_same_face(session: &mut Session, other: &mut Session, secs: f32, in_other: f32) {
    let (one, two) = (face_at(session, secs), face_at(other, in_other));
    let is_same = one.iter().zip(two).all(|(a, b)| (a - b).abs() < 2e-3);
    assert!(is_same, "at {secs} s: {one:?}, at {in_other} s of the other: {two:?}");
}

#[test]
fn take_keys_and_range_stay_in_step_when_time_is_inserted_and_deleted() {
    let (mut session, mut before) = (session_with_phrase(), session_with_phrase());
    set_range(&mut session, Some(4.5), Some(6.0));
    let edits = (*session.edits).clone();
    assert_eq!(session.timeline_mut().insert_time(), Ok(1.5));
    session.commit();
    assert_eq!(session.timeline_secs(), 9.5);
    assert_eq!(session.range_secs(), [4.5, 6.0], "the inserted time");
    assert_eq!(session.take().unwrap().edits.len(), 1, "an edit in the list of the take");
    for step in 0..780 {
        let secs = step as f32 * 0.01 + 0.003;
        let later = if secs > 4.5 { 1.5 } else { 0.0 };
        assert_same_face(&mut session, &mut before, secs + later, secs);
    }
    assert_same_face(&mut session, &mut before, 5.2, 4.5);
    // A phrase that is moved afterwards moves with the take: both come half a second later.
    let phrase = session.on_timeline();
    session.timeline_mut().ripple(&phrase, 3.5, 4.0).unwrap();
    assert_same_face(&mut session, &mut before, 4.5 + 0.05, 4.0 + 0.05);
    session.timeline_mut().ripple(&phrase, 3.5, 3.0).unwrap();
    assert_same_face(&mut session, &mut before, 3.5 + 0.05, 4.0 + 0.05);
    session.timeline_mut().ripple(&phrase, 3.5, 3.5).unwrap();
    assert_eq!(session.on_timeline(), phrase);
    assert_eq!(session.timeline_mut().delete_time(), Ok(1.5));
    session.commit();
    assert_eq!(session.range_secs(), [0.0, 8.0], "what was marked is gone");
    for step in 0..780 {
        let secs = step as f32 * 0.01 + 0.003;
        assert_same_face(&mut session, &mut before, secs, secs);
    }
    assert!(session.undo() && session.undo(), "two steps");
    assert!(*session.edits == edits);
}

#[test]
fn time_that_is_inserted_without_an_out_point_is_marked_too() {
    let mut session = session_with_phrase();
    set_range(&mut session, Some(6.0), None);
    assert_eq!(session.timeline_mut().insert_time(), Ok(2.0));
    assert_eq!((session.range_secs(), session.timeline_secs()), ([6.0, 8.0], 10.0));
}

#[test]
fn deleted_time_is_gone_from_everything_and_the_range_moves_along() {
    let (mut session, mut before) = (session_with_phrase(), session_with_phrase());
    set_range(&mut session, Some(1.0), Some(3.0));
    assert_eq!(session.timeline_mut().delete_time(), Ok(2.0));
    assert_eq!(session.timeline_secs(), 6.0);
    for step in 0..600 {
        let secs = step as f32 * 0.01 + 0.003;
        let later = if secs > 1.0 { 2.0 } else { 0.0 };
        assert_same_face(&mut session, &mut before, secs, secs + later);
    }
    let mut session = session_with_phrase();
    set_range(&mut session, Some(6.0), Some(7.0));
    let drag = session.on_timeline();
    session.timeline_mut().ripple(&drag, 3.5, 3.0).unwrap();
    assert_eq!(session.range_secs(), [5.5, 6.5]);
}

#[test]
fn time_is_not_changed_without_a_range_and_nothing_is_done_by_half() {
    let mut session = session_with_phrase();
    let unchanged = (*session.edits).clone();
    assert_eq!(
        (session.timeline_mut().insert_time(), session.timeline_mut().delete_time()),
        (Err(RippleError::NoRange), Err(RippleError::NoRange))
    );
    assert!(*session.edits == unchanged);
    set_range(&mut session, Some(0.0), Some(8.0));
    let whole = session.timeline_mut().delete_time().unwrap_err();
    assert_eq!(whole, RippleError::NothingLeft { take: "phrase".into() });
    assert!(whole.to_string().contains("phrase"));
    set_range(&mut session, Some(2.0), None);
    let id = session.take().unwrap().id;
    session
        .takes_mut()
        .change_edits(id, |edits| edits.resize(TakeEdit::MOST, TakeEdit { enabled: false, ..TakeEdit::default() }));
    session.commit();
    let unchanged = (*session.edits).clone();
    assert_eq!(session.timeline_mut().insert_time(), Err(RippleError::TooManyEdits { take: "phrase".into() }));
    assert!(*session.edits == unchanged, "the keys stay in step with the take");
}
