//! Which layer sets a channel.

use std::path::PathBuf;

use smirk_face::head::{Curve, Interpolation};
use smirk_face::motion::{Blink, DrivenChannel, Key, Layer, PoseId, SequenceStep, Take, TakeColumn, TimeStep};

use super::*;

fn layers(session: &Session, name: &str) -> Vec<&'static str> {
    session.contributions(channel(session, name)).into_iter().map(|(layer, _)| layer.label()).collect()
}

/// A take in which every column is constant for ten seconds.
pub fn take(columns: &[(&str, f32)]) -> Take {
    let values = columns.iter().map(|&(_, value)| value);
    let values: Vec<f32> = values.clone().chain(values).collect();
    let column = |(element, &(name, _)): (usize, &(&str, f32))| TakeColumn { name: name.into(), track: 0, element };
    Take {
        name: "take".into(),
        source: Some(PathBuf::from("take.csv")),
        frames_per_sec: Some(60.0),
        start_timecode: None,
        columns: columns.iter().enumerate().map(column).collect(),
        tracks: vec![Curve::new(Interpolation::Linear, vec![0.0, 10.0], values, columns.len()).unwrap()],
        body: None,
        duration_secs: 10.0,
        notes: Vec::new(),
    }
}

#[test]
fn each_layer_overrides_those_below() {
    let mut session = session();
    let jaw = channel(&session, "jawOpen");
    let assert_set_by = |session: &Session, layer, value: f32| {
        assert_eq!(session.mix().layers[jaw], layer);
        let shown = session.head.channel_value(jaw, &session.mix().weights);
        assert!((shown - value).abs() < 1e-5, "{layer:?}: {shown}");
        assert!(!session.head.is_mixed(jaw, &session.mix().weights), "face and teeth have the same weight");
    };
    session.clips_mut().select(None);
    assert_set_by(&session, Layer::Rest, 0.0);
    session.clips_mut().select(Some(0));
    session.seek(2.0);
    assert_set_by(&session, Layer::Clip, 0.4);
    session.takes_mut().add(vec![take(&[("JawOpen", 0.3), ("unknown", 1.0)])]);
    assert_set_by(&session, Layer::Take, 0.3);
    session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(0.0, 0.35)));
    assert_set_by(&session, Layer::Keys, 0.35);
    let open = pose(&mut session, "open", &[("jawOpen", 1.0)]);
    let shut = pose(&mut session, "shut", &[("browInnerUp", 1.0)]);
    session.edits.sequence.steps = [open, shut].map(SequenceStep::new).to_vec();
    session.edits.sequence.has_own_clock = true;
    session.edits.sequence.enabled = true;
    session.clock.sequence.time_secs = session.edits.sequence.time_at(0.5);
    assert_set_by(&session, Layer::Sequence, 0.5);
    assert!((value(&session, "browInnerUp") - 0.55).abs() < 1e-6, "between its rest and 1");
    session.poses_mut().set_amount(open, 0.6);
    assert_set_by(&session, Layer::Pose, 0.5 * 0.4 + 0.6);
    session.channel_mut(jaw).set(0.7);
    assert_set_by(&session, Layer::Manual, 0.7);
    session.channel_mut(channel(&session, "browInnerUp")).toggle_solo();
    assert_set_by(&session, Layer::NotSoloed, 0.0);
    session.channel_mut(jaw).toggle_mute();
    assert_set_by(&session, Layer::Muted, 0.0);
    let expected = ["Rest", "Clip", "Take", "Keys", "Sequence", "Pose", "Slider", "Muted"];
    assert_eq!(layers(&session, "jawOpen"), expected);
}

#[test]
fn a_driven_channel_is_taken_over_at_its_value_or_at_the_one_set_and_is_given_back() {
    let mut session = session();
    let jaw = channel(&session, "jawOpen");
    let open = pose(&mut session, "open", &[("jawOpen", 1.0)]);
    for (layer, driven) in [(Layer::Clip, 0.4), (Layer::Pose, 1.0)] {
        session.poses_mut().set_amount(open, if layer == Layer::Pose { 1.0 } else { 0.0 });
        assert!(session.is_driven(jaw, &session.mix()) && session.mix().layers[jaw] == layer);
        session.channel_mut(jaw).take_over();
        assert!((value(&session, "jawOpen") - driven).abs() < 1e-6 && session.is_taken(jaw, &session.mix()));
        session.channel_mut(jaw).give_back();
        session.channel_mut(jaw).set(0.9);
        assert!(value(&session, "jawOpen") == 0.9 && session.is_taken(jaw, &session.mix()));
        session.channel_mut(jaw).reset();
        assert!((value(&session, "jawOpen") - driven).abs() < 1e-6, "a reset gives back what was taken over");
        session.channel_mut(jaw).reset();
        assert!(value(&session, "jawOpen") == 0.0 && session.is_taken(jaw, &session.mix()), "or takes over at rest");
        session.channel_mut(jaw).reset();
        session.channel_mut(jaw).set(f32::NAN);
        assert!(session.is_driven(jaw, &session.mix()), "NaN changes nothing");
    }
}

#[test]
fn a_key_stores_the_shown_value_and_then_drives_the_channel() {
    let mut session = session();
    let jaw = channel(&session, "jawOpen");
    session.keys_mut().key(jaw);
    session.channel_mut(jaw).take_over();
    session.channel_mut(jaw).set(1.0);
    session.seek(4.0);
    session.keys_mut().key(jaw);
    assert_eq!(session.mix().layers[jaw], Layer::Keys);
    session.seek(3.0);
    assert!((value(&session, "jawOpen") - 0.7).abs() < 1e-6, "between 0.4 at 2 s and 1 at 4 s");
    session.keys_mut().edit_channel(jaw, |keys, name| keys.clear(name));
    assert_eq!(session.mix().layers[jaw], Layer::Clip);
}

#[test]
fn blinks_close_the_eyes_and_the_time_until_the_next_one_is_predicted() {
    let mut session = session();
    session.edits.blink = Blink { enabled: true, ..Blink::default() };
    let start = session.edits.blink.start_secs(0);
    let rest = session.secs_until_motion().unwrap();
    assert!((rest - start).abs() < 1e-6, "nothing moves before the first blink");
    session.advance(TimeStep::paused(rest + 0.04));
    assert_eq!(session.secs_until_motion(), Some(0.0));
    let half = value(&session, "eyeBlinkLeft");
    assert!(half > 0.4 && half < 0.6, "{half}");
    session.advance(0.06);
    assert_eq!((value(&session, "eyeBlinkLeft"), value(&session, "eyeBlinkRight")), (1.0, 1.0));
    session.advance(0.2);
    assert_eq!(value(&session, "eyeBlinkLeft"), 0.0);
    session.edits.blink.enabled = false;
    assert_eq!(session.secs_until_motion(), None, "nothing is animated");
}

#[test]
fn the_gaze_moves_both_eyes_the_same_way() {
    let mut session = session();
    session.edits.gaze.enabled = true;
    session.edits.gaze.reach = 1.0;
    let mut seen = [false; 2];
    for _ in 0..400 {
        session.advance(0.1);
        let [out_left, in_left, out_right, in_right] =
            ["eyeLookOutLeft", "eyeLookInLeft", "eyeLookOutRight", "eyeLookInRight"].map(|name| value(&session, name));
        assert_eq!((out_left, in_left), (in_right, out_right), "the left eye's outside is the right one's inside");
        assert!(out_left == 0.0 || in_left == 0.0, "no eye looks in two directions");
        seen = [seen[0] | (out_left > 0.0), seen[1] | (in_left > 0.0)];
    }
    assert_eq!(seen, [true; 2]);
}

#[test]
fn mirroring_swaps_sides_and_sideways_moves() {
    let mut session = session();
    session.clips_mut().select(None);
    session.edits.transition.duration_secs = 0.0;
    for (name, weight) in [("mouthSmileLeft", 0.9), ("mouthSmileRight", 0.1), ("jawLeft", 0.5), ("browInnerUp", 0.6)] {
        session.channel_mut(channel(&session, name)).set(weight);
    }
    let stored = session.poses_mut().store("lopsided");
    let before = session.mix().weights.clone();
    session.mirror_mix();
    let shown =
        ["mouthSmileLeft", "mouthSmileRight", "jawLeft", "jawRight", "browInnerUp"].map(|name| value(&session, name));
    assert_eq!(shown, [0.1, 0.9, 0.0, 0.5, 0.6]);
    session.mirror_mix();
    assert_eq!(session.mix().weights, before, "mirroring twice restores the face");
    session.poses_mut().mirror(stored);
    let weights = &session.edits.pose(stored).unwrap().weights;
    assert_eq!((weights["mouthSmileRight"], weights["jawRight"], weights.get("jawLeft")), (0.9, 0.5, None));
}

#[test]
fn everything_can_be_undone() {
    let mut session = session();
    let smile = pose(&mut session, "smile", &[("mouthSmileLeft", 1.0)]);
    session.commit();
    type Edit = fn(&mut Session, PoseId);
    let edits: [(&str, Edit); 12] = [
        ("apply", |session, pose| session.poses_mut().apply(pose)),
        ("amount", |session, pose| session.poses_mut().set_amount(pose, 0.3)),
        ("rename", |session, pose| session.poses_mut().rename(pose, "grin")),
        ("mirror a pose", |session, pose| session.poses_mut().mirror(pose)),
        ("sequence", |session, pose| session.sequence_mut().add(pose)),
        ("delete", |session, pose| session.poses_mut().delete(pose)),
        ("blink", |session, _| session.edits.blink.enabled = true),
        ("mute", |session, _| session.channel_mut(0).toggle_mute()),
        ("solo", |session, _| session.channel_mut(0).toggle_solo()),
        ("key", |session, _| session.keys_mut().key(0)),
        ("rule", |session, _| session.edits.rule = smirk_face::motion::BlendRule::Normalised),
        ("take", |session, _| drop(session.takes_mut().add(vec![take(&[("JawOpen", 0.3)])]))),
    ];
    for (name, edit) in edits {
        let before = session.edits.clone();
        edit(&mut session, smile);
        assert_ne!(session.edits, before, "{name} changes the edits");
        let after = session.edits.clone();
        session.commit();
        assert!(session.undo() && session.edits == before, "{name} is undone");
        assert!(session.redo() && session.edits == after, "{name} is redone");
        session.undo();
    }
}

#[test]
fn two_names_that_mean_one_channel_give_it_their_mean() {
    let mut session = session();
    session.clips_mut().select(None);
    let halves = pose(&mut session, "halves", &[("browInnerUpLeft", 0.8), ("browInnerUpRight", 0.4)]);
    session.poses_mut().set_amount(halves, 1.0);
    assert!((value(&session, "browInnerUp") - 0.6).abs() < 1e-6);
    session.poses_mut().set_amount(halves, 0.5);
    assert!((value(&session, "browInnerUp") - (0.1 + 0.6) / 2.0).abs() < 1e-6, "halfway from its rest");
    let alone = session.edits.pose(halves).unwrap().weights_on(&session.head, &session.bound().sliders.rest);
    assert!((alone[5] - 0.6).abs() < 1e-6, "thumbnails and sheets agree");
}

#[test]
fn a_muted_channel_is_taken_over_at_its_unmuted_value() {
    let mut session = session();
    let jaw = channel(&session, "jawOpen");
    session.channel_mut(jaw).toggle_mute();
    assert_eq!(value(&session, "jawOpen"), 0.0);
    session.keys_mut().key(jaw);
    session.keys_mut().edit_channel(jaw, |keys, name| keys.clear(name));
    session.channel_mut(jaw).take_over();
    session.channel_mut(jaw).toggle_mute();
    assert!((value(&session, "jawOpen") - 0.4).abs() < 1e-6);
}

#[test]
fn the_play_head_stays_on_a_timeline_that_became_shorter() {
    let mut session = session();
    session.commit();
    session.takes_mut().add(vec![take(&[("JawOpen", 0.3)])]);
    session.commit();
    session.seek(9.0);
    session.undo();
    assert_eq!((session.timeline_secs(), session.clock.timeline.time_secs), (4.0, 4.0));
}

#[test]
fn a_timeline_of_keys_alone_has_room_for_more_keys() {
    let mut session = session();
    session.clips_mut().select(None);
    let jaw = channel(&session, "jawOpen");
    session.channel_mut(jaw).set(0.2);
    session.keys_mut().key(jaw);
    session.seek(6.0);
    assert_eq!(session.clock.timeline.time_secs, 6.0);
    session.channel_mut(jaw).take_over();
    session.channel_mut(jaw).set(0.8);
    session.keys_mut().key(jaw);
    session.seek(3.0);
    assert!((value(&session, "jawOpen") - 0.5).abs() < 1e-6);
}

#[test]
fn undo_removes_the_alias_of_a_mapped_column() {
    let mut session = session();
    session.takes_mut().add(vec![take(&[("strange", 0.3)])]);
    session.commit();
    let id = session.edits.takes[0].id;
    session.takes_mut().map_column(id, 0, vec![DrivenChannel::new("jawOpen")]);
    session.commit();
    session.takes_mut().add(vec![take(&[("strange", 0.6)])]);
    assert_eq!(value(&session, "jawOpen"), 0.6, "the alias applies to later takes");
    session.commit();
    session.undo();
    session.undo();
    assert_eq!(session.edits.matching.aliases.find("strange"), None);
}

#[test]
fn another_head_keeps_what_refers_to_names() {
    let mut session = session();
    let mine = pose(&mut session, "mine", &[("jawOpen", 0.5), ("onlyElsewhere", 1.0)]);
    session.takes_mut().add(vec![take(&[("JawOpen", 0.3)])]);
    session.channel_mut(channel(&session, "browInnerUp")).set(0.9);
    session.replace_head(head(), HeadSource::File("other.glb".into()));
    let stored = session.edits.pose(mine).unwrap();
    assert_eq!(stored.unknown_names(&session.head), ["onlyElsewhere"]);
    assert_eq!(stored.weights["onlyElsewhere"], 1.0);
    assert_eq!((value(&session, "jawOpen"), value(&session, "browInnerUp")), (0.3, 0.1));
    session.channel_mut(channel(&session, "browInnerUp")).set(0.9);
    session.poses_mut().set_amount(mine, 1.0);
    session.keys_mut().edit(|keys| keys.set("mouth_smile_L", Key::new(1.0, 0.25)));
    session.replace_head(head(), HeadSource::File("other.glb".into()));
    assert_eq!(value(&session, "browInnerUp"), 0.9, "the same file read again keeps its sliders");
    assert_eq!(value(&session, "jawOpen"), 0.5, "and its poses");
    let smile = channel(&session, "mouthSmileLeft");
    session.keys_mut().edit_channel(smile, |keys, name| keys.clear(name));
    assert_eq!(session.mix().layers[smile], Layer::Rest, "keys are stored under the names of this head");
}
