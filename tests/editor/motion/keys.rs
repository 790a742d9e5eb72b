//! Keys: the shape of their curves, what they do to the weights below, and operations on many of them.

use smirk_face::motion::{CopiedKeys, Extrapolation, Key, KeyCurve, KeyMode, KeySelection, Keys, Tangents};
use smirk_support::random::Random;

use super::*;

const CHANNELS: [&str; 4] = ["mouthSmileLeft", "mouthSmileRight", "jawOpen", "browInnerUp"];

/// Keys on two to four channels, at whole frames of 1/30 s.
fn random_keys(random: &mut Random, tangents: &[Tangents]) -> Keys {
    let mut keys = Keys::default();
    for channel in &CHANNELS[..2 + random.below(3)] {
        for _ in 0..1 + random.below(12) {
            let tangents = tangents[random.below(tangents.len())];
            let time_secs = random.below(300) as f32 / 30.0;
            keys.set(channel, Key { time_secs, value: random.between(-1.0, 2.0), tangents });
        }
    }
    keys
}

fn random_selection(random: &mut Random, keys: &Keys) -> KeySelection {
    let mut selection = KeySelection::default();
    for channel in keys.channels() {
        let chosen = keys.keys_of(channel).iter().filter(|_| random.chance(0.5)).map(|key| key.time_secs);
        selection.add(channel, chosen.collect::<Vec<_>>());
    }
    selection
}

fn curves(keys: &Keys) -> impl Iterator<Item = &KeyCurve> {
    keys.channels().map(|channel| keys.curve(channel).unwrap())
}

#[test]
fn automatic_tangents_never_overshoot_and_pass_smoothly_through_the_keys() {
    let mut random = Random::new(11);
    for _ in 0..300 {
        let keys = random_keys(&mut random, &[Tangents::Auto, Tangents::Auto, Tangents::Linear]);
        for curve in curves(&keys) {
            for (index, pair) in curve.keys().windows(2).enumerate() {
                let (from, to) = (pair[0], pair[1]);
                let (low, high) = (from.value.min(to.value), from.value.max(to.value));
                let mut last = from.value;
                for step in 0..=64 {
                    let time_secs = from.time_secs + (to.time_secs - from.time_secs) * step as f32 / 64.0;
                    let value = curve.value_at(time_secs).unwrap();
                    assert!(value >= low - 1e-5 && value <= high + 1e-5, "{value} between {from:?} and {to:?}");
                    let turned_back = (value - last) * (to.value - from.value);
                    assert!(turned_back >= -1e-5, "it turns back after {from:?}");
                    last = value;
                }
                let [incoming, outgoing] = curve.slopes_at(index);
                assert!(from.tangents != Tangents::Auto || incoming == outgoing, "a corner at {from:?}");
            }
        }
    }
}

#[test]
fn curves_are_continuous_and_have_the_slopes_of_their_tangents() {
    let kinds = [
        Tangents::Auto,
        Tangents::Linear,
        Tangents::FLAT,
        Tangents::Free(-1.5),
        Tangents::Broken { incoming: 2.0, outgoing: -0.5 },
    ];
    let mut random = Random::new(12);
    for _ in 0..300 {
        let keys = random_keys(&mut random, &kinds);
        for curve in curves(&keys) {
            for (index, key) in curve.keys().iter().enumerate() {
                const STEP: f32 = 1e-3;
                let at = |secs: f32| curve.value_at(key.time_secs + secs).unwrap();
                assert_eq!(at(0.0), key.value);
                assert!(
                    (at(-1e-5) - key.value).abs() < 2e-3 && (at(1e-5) - key.value).abs() < 2e-3,
                    "a jump at {key:?}"
                );
                let [incoming, outgoing] = curve.slopes_at(index);
                let tolerance = 0.25 + 0.1 * incoming.abs().max(outgoing.abs());
                if index > 0 && key.time_secs - curve.keys()[index - 1].time_secs > 0.3 {
                    assert!(((key.value - at(-STEP)) / STEP - incoming).abs() < tolerance, "{key:?} {incoming}");
                }
                if curve.keys().get(index + 1).is_some_and(|next| next.time_secs - key.time_secs > 0.3) {
                    assert!(((at(STEP) - key.value) / STEP - outgoing).abs() < tolerance, "{key:?} {outgoing}");
                }
            }
        }
    }
}

#[test]
fn linear_and_step_are_exact() {
    let mut keys = Keys::default();
    let kinds = [Tangents::Linear, Tangents::Linear, Tangents::Step, Tangents::Auto];
    for ((time_secs, value), tangents) in [(0.0, 0.0), (1.0, 1.0), (2.0, 0.25), (3.0, 0.75)].into_iter().zip(kinds) {
        keys.set("jawOpen", Key { time_secs, value, tangents });
    }
    let at = |secs| keys.sample("jawOpen", secs).unwrap();
    assert_eq!([0.25, 0.5, 0.75].map(at), [0.25, 0.5, 0.75]);
    assert_eq!([2.0, 2.5, 2.999].map(at), [0.25; 3]);
    assert_eq!(at(3.0), 0.75);
}

#[test]
fn keys_of_files_without_tangents_play_as_before_and_are_written_as_before() {
    let text = r#"{"jawOpen":[{"time_secs":1.0,"value":0.125},{"time_secs":2.5,"value":0.875},{"time_secs":3.0,"value":0.3}]}"#;
    let keys: Keys = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&keys).unwrap(), text);
    for step in 0..=400 {
        let secs = step as f32 * 0.01;
        let (from, to) = if secs < 2.5 { ((1.0, 0.125), (2.5, 0.875)) } else { ((2.5, 0.875), (3.0, 0.3)) };
        let s: f32 = ((secs - from.0) / (to.0 - from.0)).clamp(0.0, 1.0);
        let expected: f32 = from.1 + (to.1 - from.1) * (s * s * (3.0 - 2.0 * s));
        let value = keys.sample("jawOpen", secs).unwrap();
        let is_inside = (1.0..3.0).contains(&secs);
        assert!(if is_inside { value == expected } else { (value - expected).abs() < 1e-6 }, "{secs}: {value}");
    }
}

#[test]
fn modes_ends_and_tangents_come_back_from_a_file() {
    let mut random = Random::new(13);
    for _ in 0..200 {
        let kinds =
            [Tangents::Auto, Tangents::Step, Tangents::Free(0.5), Tangents::Broken { incoming: 1.0, outgoing: 2.0 }];
        let mut keys = random_keys(&mut random, &kinds);
        let before = if random.chance(0.5) { Extrapolation::Hold } else { Extrapolation::Fade(0.5) };
        keys.edit_curve(CHANNELS[0], |curve| (curve.mode, curve.before) = (KeyMode::Add, before));
        let text = serde_json::to_string(&keys).unwrap();
        assert_eq!(serde_json::from_str::<Keys>(&text).unwrap(), keys, "{text}");
    }
}

#[test]
fn copying_and_pasting_is_exact() {
    let mut random = Random::new(14);
    for _ in 0..300 {
        let keys = random_keys(&mut random, &[Tangents::Auto, Tangents::Free(0.3)]);
        let selection = random_selection(&mut random, &keys);
        let copied = CopiedKeys::copy(&keys, &selection);
        assert_eq!((copied.len(), copied.is_empty()), (selection.len(), selection.is_empty()));
        let Some([first, _]) = selection.range_secs() else { continue };
        let mut cut = keys.without(&selection);
        let pasted = copied.paste(&mut cut, first, &[]);
        assert_eq!((&cut, &pasted), (&keys, &selection), "pasted where they were");
        let mut later = keys.clone();
        let pasted = copied.paste(&mut later, first + 32.0, &[]);
        let (old, new) = (selection.keys_in(&keys), pasted.keys_in(&later));
        for ((channel, old), (other, new)) in old.zip(new) {
            assert_eq!((channel, old.value, old.tangents), (other, new.value, new.tangents));
            assert!((new.time_secs - old.time_secs - 32.0).abs() < 1e-4);
        }
        assert_eq!(pasted.len(), selection.len());
    }
}

#[test]
fn keys_of_one_channel_are_pasted_onto_every_chosen_one() {
    let mut keys = Keys::default();
    [1.0, 2.0].into_iter().for_each(|secs| keys.set("jawOpen", Key::new(secs, secs / 4.0)));
    let mut selection = KeySelection::default();
    selection.add("jawOpen", [1.0, 2.0]);
    let copied = CopiedKeys::copy(&keys, &selection);
    let onto = ["mouthSmileLeft", "mouthSmileRight"].map(String::from);
    let pasted = copied.paste(&mut keys, 5.0, &onto);
    for channel in &onto {
        assert_eq!(keys.keys_of(channel), [Key::new(5.0, 0.25), Key::new(6.0, 0.5)]);
    }
    assert_eq!((pasted.len(), keys.keys_of("jawOpen").len()), (4, 2));
}

#[test]
fn moving_keys_there_and_back_changes_nothing() {
    let mut random = Random::new(15);
    for _ in 0..300 {
        let keys = random_keys(&mut random, &[Tangents::Auto, Tangents::Linear]);
        let mut all = KeySelection::default();
        for channel in keys.channels() {
            all.add(channel, keys.keys_of(channel).iter().map(|key| key.time_secs));
        }
        // Powers of two are exact.
        let moved = |keys: &Keys, selection: &KeySelection, by: f32| {
            keys.changed(selection, |_, key| Key { time_secs: key.time_secs + by, value: key.value + by, ..key })
        };
        let (there, selected) = moved(&keys, &all, 64.0);
        assert_eq!(selected.len(), all.len());
        let (back, selected) = moved(&there, &selected, -64.0);
        assert_eq!(selected.len(), all.len());
        for (old, new) in all.keys_in(&keys).zip(selected.keys_in(&back)) {
            assert!(old.0 == new.0 && (old.1.time_secs - new.1.time_secs).abs() < 1e-5);
            assert!((old.1.value - new.1.value).abs() < 1e-5 && old.1.tangents == new.1.tangents);
        }
        let some = random_selection(&mut random, &keys);
        let (same, selected) = keys.changed(&some, |_, key| key);
        assert_eq!((&same, &selected), (&keys, &some));
        let (kept, _) = keys.changed(&some, |_, key| Key { value: f32::NAN, ..key });
        assert_eq!(kept, keys, "numbers that are not finite are refused");
    }
}

#[test]
fn a_moved_key_replaces_the_one_at_its_new_time_and_only_that() {
    let mut keys = Keys::default();
    [0.0, 1.0, 2.0].into_iter().for_each(|secs| keys.set("jawOpen", Key::new(secs, secs)));
    let mut selection = KeySelection::default();
    selection.add("jawOpen", [0.0]);
    let (moved, selected) = keys.changed(&selection, |_, key| Key { time_secs: 1.0, ..key });
    assert_eq!(moved.keys_of("jawOpen"), [Key::new(1.0, 0.0), Key::new(2.0, 2.0)]);
    assert_eq!(selected.times_of("jawOpen"), [1.0]);
    let (moved, _) = keys.changed(&selection, |_, key| Key { time_secs: 1.5, ..key });
    assert_eq!(moved.keys_of("jawOpen"), [Key::new(1.0, 1.0), Key::new(1.5, 0.0), Key::new(2.0, 2.0)]);
}

#[test]
fn mirrored_keys_change_sides_and_come_back() {
    let mut random = Random::new(16);
    let session = session();
    let mirror = |name: &str| session.head.mirrored_name(name).to_owned();
    for _ in 0..200 {
        let keys = random_keys(&mut random, &[Tangents::Auto]);
        let mut all = KeySelection::default();
        for channel in keys.channels() {
            all.add(channel, keys.keys_of(channel).iter().map(|key| key.time_secs));
        }
        let (mirrored, selected) = keys.mirrored(&all, mirror);
        assert_eq!(mirrored.keys_of("mouthSmileRight"), keys.keys_of("mouthSmileLeft"));
        assert_eq!(mirrored.keys_of("jawOpen"), keys.keys_of("jawOpen"));
        let (back, selected) = mirrored.mirrored(&selected, mirror);
        assert_eq!((&back, &selected), (&keys, &all));
        let mut left = KeySelection::default();
        left.add("mouthSmileLeft", [keys.keys_of("mouthSmileLeft")[0].time_secs]);
        let (copied, _) = keys.mirrored(&left, mirror);
        assert_eq!(copied.keys_of("mouthSmileLeft"), keys.keys_of("mouthSmileLeft"), "keys of one side alone stay");
        assert!(copied.keys_of("mouthSmileRight").contains(&keys.keys_of("mouthSmileLeft")[0]));
    }
}

#[test]
fn the_first_key_on_a_driven_channel_adds_and_the_performance_goes_on() {
    let mut session = session();
    let (jaw, smile) = (channel(&session, "jawOpen"), channel(&session, "mouthSmileLeft"));
    session.channel_mut(jaw).take_over();
    session.channel_mut(jaw).set(0.7);
    session.channel_mut(smile).set(0.5);
    session.keys_mut().key(jaw);
    session.keys_mut().key(smile);
    let mode = |session: &Session, name: &str| session.keys().curve(name).unwrap().mode;
    assert_eq!((mode(&session, "jawOpen"), mode(&session, "mouthSmileLeft")), (KeyMode::Add, KeyMode::Replace));
    assert!((value(&session, "jawOpen") - 0.7).abs() < 1e-6, "the face does not jump");
    let jaw_in_teeth = session.head.channels[jaw].targets[1];
    assert!((session.weights()[jaw_in_teeth] - 0.7).abs() < 1e-6, "every target of the channel gets the sum");
    session.seek(1.0);
    assert!((value(&session, "jawOpen") - 0.5).abs() < 1e-6, "the clip goes on, 0.3 higher");
    session.keys_mut().key(jaw);
    assert_eq!(session.keys().keys_of("jawOpen").len(), 2);
    assert!((value(&session, "jawOpen") - 0.5).abs() < 1e-6, "a key on the curve does not change it");
}

#[test]
fn the_mode_changes_without_a_jump_at_the_keys() {
    let mut session = session();
    let jaw = channel(&session, "jawOpen");
    session.channel_mut(jaw).take_over();
    session.channel_mut(jaw).set(0.7);
    session.keys_mut().key(jaw);
    session.seek(3.0);
    session.keys_mut().key(jaw);
    let shown = |session: &mut Session| {
        [2.0, 3.0].map(|secs| {
            session.seek(secs);
            value(session, "jawOpen")
        })
    };
    let before = shown(&mut session);
    for mode in [KeyMode::Replace, KeyMode::Add] {
        session.keys_mut().set_mode(jaw, mode);
        let after = shown(&mut session);
        assert!(before.iter().zip(after).all(|(before, after)| (before - after).abs() < 1e-6), "{mode:?} {after:?}");
    }
    session.keys_mut().set_mode(jaw, KeyMode::Replace);
    session.seek(0.0);
    assert!((value(&session, "jawOpen") - 0.7).abs() < 1e-6, "keys that replace hold their first value");
}

#[test]
fn keys_fade_to_what_is_below() {
    let mut session = session();
    let jaw = channel(&session, "jawOpen");
    session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(2.0, 1.0)));
    session.keys_mut().edit_channel(jaw, |keys, name| {
        keys.edit_curve(name, |curve| {
            (curve.before, curve.after) = (Extrapolation::Fade(1.0), Extrapolation::Fade(0.5))
        })
    });
    for (secs, expected) in [(0.5, 0.1), (1.5, 0.65), (2.0, 1.0), (2.25, 0.725), (2.5, 0.5), (3.0, 0.6)] {
        session.seek(secs);
        assert!((value(&session, "jawOpen") - expected).abs() < 1e-5, "{secs}: {}", value(&session, "jawOpen"));
    }
    assert_eq!(session.mix().layers[jaw], smirk_face::motion::Layer::Clip, "keys that have faded out drive nothing");
}

#[test]
fn a_linked_pair_is_keyed_together_and_undo_removes_both_keys() {
    let mut session = session();
    let smile = channel(&session, "mouthSmileLeft");
    let pair = session.head.pair_of(smile).unwrap();
    session.edits.link_pair(&session.head, pair, true);
    session.commit();
    let before = session.keys().clone();
    session.channel_mut(smile).set(0.5);
    session.commit();
    session.keys_mut().key(smile);
    session.commit();
    assert_eq!(session.keys().keys_of("mouthSmileLeft"), session.keys().keys_of("mouthSmileRight"));
    assert_eq!(session.keys().keys_of("mouthSmileLeft"), [Key::new(2.0, 0.5)]);
    session.undo();
    assert_eq!(*session.keys(), before);
    session.redo();
    assert_eq!(session.keys().keys_of("mouthSmileRight"), [Key::new(2.0, 0.5)]);
}

#[test]
fn the_timeline_takes_the_rate_of_a_take_and_steps_by_its_frames() {
    let mut session = session();
    let mut recorded = stack::take(&[("JawOpen", 0.3)]);
    recorded.frames_per_sec = Some(25.0);
    session.takes_mut().add(vec![recorded]);
    assert_eq!(session.edits.timeline.rate.frames_per_sec(), 25.0);
    session.clock.timeline.time_secs = 0.05;
    session.timeline_mut().step_frames(1);
    assert!((session.clock.timeline.time_secs - 0.08).abs() < 1e-6);
    session.timeline_mut().step_frames(-1);
    assert!((session.clock.timeline.time_secs - 0.04).abs() < 1e-6);
    session.seek(1.0);
    session.timeline_mut().set_in(true);
    session.timeline_mut().step_frames(-1);
    let end_secs = session.timeline_secs();
    assert!((session.clock.timeline.time_secs - (end_secs - 0.04)).abs() < 1e-5, "steps wrap between in and out");
}
