//! Poses, channels and undo of a session, without a window.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use glam::Vec3;
use smirk::blend::BlendMode;
use smirk::head::{
    Asset, Clip, Curve, Head, Interpolation, LocalTransform, Matching, Mesh, Node, NodePath, NodeTrack, Rig, ShapeFile,
    Target, Track, Trs, Vertices,
};
use smirk::motion::{EditKind, Key, Layer, PoseId, SequenceStep, Take, TakeColumn, TakeEdit, TimeStep};
use smirk::scene::Look;
use smirk::session::{HeadSource, Session};

const NAMES: [&str; 6] =
    ["eyeBlinkLeft", "eyeBlinkRight", "jawOpen", "mouthSmileLeft", "mouthSmileRight", "mouthFunnel"];

/// A session with a clip of 8 s that closes both eyes and opens the jaw.
fn session() -> Session {
    let target = |name: &&str| Target::from_dense((*name).into(), 0.0, &[Vec3::X], &[], &[]);
    let mesh = Mesh {
        name: "face".into(),
        vertices: Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() },
        targets: NAMES.iter().map(target).collect(),
        ..Mesh::default()
    };
    let values = vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.8];
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 8.0], values, 3).unwrap();
    let clips = vec![Clip::new("talk".into(), vec![Track { first_target: 0, curve }])];
    let head = Head::new(Asset { name: "head".into(), meshes: vec![mesh], clips, ..Asset::default() });
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.edits.poses.clear();
    session.clock.timeline.playing = false;
    session
}

fn channel(session: &Session, name: &str) -> usize {
    session.head.channel_named(name).unwrap()
}

fn weight(session: &Session, name: &str) -> f32 {
    session.channel_value(channel(session, name), &session.mix().weights)
}

fn layer(session: &Session, name: &str) -> Layer {
    session.mix().layers[channel(session, name)]
}

fn add(session: &mut Session, name: &str, weights: &[(&str, f32)]) -> PoseId {
    let weights = weights.iter().map(|&(name, weight)| (name.to_owned(), weight)).collect();
    session.add_poses([(name.to_owned(), weights)]);
    session.edits.poses.last().unwrap().id
}

#[test]
fn a_channel_taken_over_from_a_clip_stays_manual_under_poses_that_do_not_name_it() {
    let mut session = session();
    let [jaw, funnel] = ["jawOpen", "mouthFunnel"].map(|name| channel(&session, name));
    session.seek(4.0);
    session.take_over(jaw);
    session.set_channel(jaw, 0.1);
    session.set_channel(funnel, 0.3);
    let smile = add(&mut session, "Smile", &[("mouthSmileLeft", 0.5)]);
    session.apply_pose(smile);
    session.advance(1.0);
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (0.1, Layer::Manual));
    assert_eq!(weight(&session, "mouthFunnel"), 0.0, "a channel that nothing moves is given back");
    let open = add(&mut session, "Open", &[("jawOpen", 0.9)]);
    session.apply_pose(open);
    session.advance(1.0);
    assert_eq!((weight(&session, "jawOpen"), layer(&session, "jawOpen")), (0.9, Layer::Pose), "it is named now");
    session.take_over(jaw);
    session.set_channel(jaw, 0.2);
    session.apply_pose(smile);
    session.advance(1.0);
    assert_eq!(
        (weight(&session, "jawOpen"), layer(&session, "jawOpen")),
        (0.2, Layer::Manual),
        "manual over pose and clip"
    );
    session.clear_poses();
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
    session.set_channel(channel(&session, "mouthFunnel"), 0.2);
    assert!(Arc::ptr_eq(&session.mix(), &session.mix()) && Arc::ptr_eq(&session.weights(), &session.weights()));
    type Change = fn(&mut Session, PoseId);
    let changes: [(&str, Change); 9] = [
        ("a slider", |session, _| session.set_channel(5, 0.3)),
        ("an edit through a field", |session, _| session.edits.weights[5] = 0.4),
        ("time", |session, _| session.seek(4.0)),
        ("a pose", |session, pose| session.set_pose_amount(pose, 0.5)),
        ("the weights of a pose", |session, pose| session.replace_pose(pose)),
        ("a mute", |session, _| session.toggle_mute(5)),
        ("a step of undo", |session, _| assert!(session.undo())),
        ("the choice of clip", |session, _| session.select_clip(None)),
        ("another head", |session, _| {
            let copy = session.head.with_targets(Vec::new(), Vec::new());
            session.replace_head(Arc::new(copy), HeadSource::Embedded);
        }),
    ];
    session.rename_pose(pose, "Open");
    for (name, change) in changes {
        let before = session.mix();
        change(&mut session, pose);
        assert!(!Arc::ptr_eq(&before, &session.mix()), "{name} is not seen");
        assert!(Arc::ptr_eq(&session.mix(), &session.mix()), "{name}: evaluated twice");
    }
    // A fade advances with the clock alone.
    let funnel = channel(&session, "mouthFunnel");
    session.set_weight(funnel, 0.9, 1.0);
    let start = weight(&session, "mouthFunnel");
    session.advance(TimeStep::paused(0.5));
    assert!(weight(&session, "mouthFunnel") > start);
}

#[test]
fn half_a_pose_is_halfway_between_itself_and_the_clip() {
    let mut session = session();
    session.seek(4.0);
    let open = add(&mut session, "Open", &[("jawOpen", 1.0)]);
    session.set_pose_amount(open, 0.5);
    assert!((weight(&session, "jawOpen") - 0.7).abs() < 1e-6);
    session.set_pose_amount(open, f32::NAN);
    assert_eq!(session.pose_amount(open), 0.5, "NaN changes nothing");
    session.set_pose_amount(open, 0.0);
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
            0 => session.apply_pose(one),
            7 => session.apply_pose(two),
            20 => session.mirror_mix(),
            31 => session.give_back_all(),
            43 => session.clear_poses(),
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
    session.set_channel(channel(&session, "mouthFunnel"), 0.4);
    session.edits.blink.enabled = true;
    let rest_secs = session.secs_until_motion().unwrap();
    session.advance(TimeStep::paused(rest_secs + 0.09));
    assert_eq!(weight(&session, "eyeBlinkLeft"), 1.0, "in the middle of a blink");
    let stored = session.store_pose("");
    let pose = session.edits.pose(stored).unwrap();
    assert_eq!((pose.name.as_str(), pose.weights["eyeBlinkLeft"], pose.weights["jawOpen"]), ("Pose 1", 0.5, 0.4));
    assert_eq!(pose.weights["mouthFunnel"], 0.4);
    assert!(!pose.weights.contains_key("mouthSmileLeft"));
}

#[test]
fn names_that_are_in_use_get_a_number() {
    let mut session = session();
    for name in ["", "", "Smile", " Smile ", "Smile 2", "7", "7"] {
        session.store_pose(name);
    }
    let names: Vec<&str> = session.edits.poses.iter().map(|pose| pose.name.as_str()).collect();
    assert_eq!(names, ["Pose 1", "Pose 2", "Smile", "Smile 2", "Smile 3", "7", "7 2"]);
    let first = session.edits.poses[0].id;
    session.rename_pose(first, "  ");
    assert_eq!(session.edits.poses[0].name, "Pose 1", "an empty name changes nothing");
}

#[test]
fn poses_move_within_the_list_and_copies_come_after_their_originals() {
    let mut session = session();
    let [a, b, c] = ["a", "b", "c"].map(|name| add(&mut session, name, &[("jawOpen", 0.5)]));
    let order = |session: &Session| session.edits.poses.iter().map(|pose| pose.id).collect::<Vec<_>>();
    session.move_pose(a, 2);
    assert_eq!(order(&session), [b, c, a]);
    session.move_pose(a, 99);
    session.move_pose(PoseId(7), 0);
    assert_eq!(order(&session), [b, c, a]);
    let copy = session.duplicate_pose(b).unwrap();
    assert_eq!(order(&session), [b, copy, c, a]);
    assert_eq!(session.edits.pose(copy).unwrap().weights, session.edits.pose(b).unwrap().weights);
    session.edits.sequence.steps = [b, copy].map(SequenceStep::new).to_vec();
    session.apply_pose(copy);
    session.delete_pose(copy);
    assert!(session.edits.applied_poses.is_empty() && session.edits.sequence.steps == [SequenceStep::new(b)]);
    assert_eq!(session.duplicate_pose(copy), None);
}

#[test]
fn a_mirrored_pose_matches_other_naming_conventions_and_keeps_unknown_names() {
    let mut session = session();
    let names = [("EyeBlink_L", 0.7), ("mouthSmileLeft", 0.1), ("jawOpen", 0.3), ("tailLeft", 1.0)];
    let pose = add(&mut session, "Odd", &names);
    session.mirror_pose(pose);
    let weights = &session.edits.pose(pose).unwrap().weights;
    let expected = [("eyeBlinkRight", 0.7), ("jawOpen", 0.3), ("mouthSmileRight", 0.1), ("tailLeft", 1.0)];
    assert_eq!(weights.iter().map(|(name, &weight)| (name.as_str(), weight)).collect::<Vec<_>>(), expected);
}

#[test]
fn mirroring_the_face_does_not_change_animated_channels() {
    let mut session = session();
    session.seek(4.0);
    session.set_channel(channel(&session, "mouthSmileLeft"), 0.6);
    session.take_over(channel(&session, "eyeBlinkLeft"));
    session.set_channel(channel(&session, "eyeBlinkLeft"), 0.9);
    session.mirror_mix();
    session.advance(1.0);
    assert_eq!((weight(&session, "mouthSmileLeft"), weight(&session, "mouthSmileRight")), (0.0, 0.6));
    assert_eq!(weight(&session, "eyeBlinkLeft"), 0.5, "a manual channel takes the value of the other side");
    assert_eq!((weight(&session, "eyeBlinkRight"), layer(&session, "eyeBlinkRight")), (0.5, Layer::Clip));
}

#[test]
fn solo_and_mute_are_the_highest_layers_and_a_key_gives_its_channel_back() {
    let mut session = session();
    let [jaw, funnel] = ["jawOpen", "mouthFunnel"].map(|name| channel(&session, name));
    session.seek(4.0);
    session.set_channel(funnel, 0.5);
    session.toggle_solo(funnel);
    assert_eq!((layer(&session, "jawOpen"), weight(&session, "jawOpen")), (Layer::NotSoloed, 0.0));
    assert_eq!(weight(&session, "mouthFunnel"), 0.5);
    session.toggle_solo(jaw);
    session.toggle_mute(funnel);
    assert_eq!((layer(&session, "mouthFunnel"), weight(&session, "jawOpen")), (Layer::Muted, 0.4));
    session.toggle_mute(funnel);
    session.key_channel(funnel);
    assert_eq!((layer(&session, "mouthFunnel"), weight(&session, "mouthFunnel")), (Layer::Keys, 0.5));
    session.reset_all();
    assert_eq!(weight(&session, "mouthFunnel"), 0.5, "keys are not reset");
    session.clear_keys(funnel);
    assert_eq!((layer(&session, "mouthFunnel"), layer(&session, "jawOpen")), (Layer::Rest, Layer::Clip));
}

#[test]
fn a_retargeted_session_keeps_the_edits_and_every_undo_step() {
    let mut session = session();
    let (funnel, blink) = (channel(&session, "mouthFunnel"), channel(&session, "eyeBlinkLeft"));
    session.set_channel(funnel, 0.5);
    session.commit();
    session.toggle_mute(blink);
    session.commit();
    let shape = |name: &str| Target::from_dense(name.into(), 0.0, &[Vec3::Y], &[], &[]);
    let grown = session.head.with_targets(vec![(0, shape("tongueOut")), (0, shape("mouthFunnel"))], Vec::new());
    let file = ShapeFile { path: "tongueOut.obj".into(), matching: Matching::Auto };
    session.retarget(Arc::new(grown), vec![file.clone()]);

    assert_eq!((session.head.channels.len(), &session.shapes[..]), (NAMES.len() + 1, &[file][..]));
    assert_eq!((weight(&session, "mouthFunnel"), weight(&session, "tongueOut")), (0.5, 0.0));
    assert!(session.edits.muted[blink]);
    let tongue = channel(&session, "tongueOut");
    session.set_channel(tongue, 0.75);
    session.commit();
    assert_eq!(weight(&session, "tongueOut"), 0.75);
    assert!(session.undo() && weight(&session, "tongueOut") == 0.0 && session.edits.muted[blink]);
    assert!(session.undo() && !session.edits.muted[blink] && session.edits.soloed.len() == NAMES.len() + 1);
    assert!(session.undo() && weight(&session, "mouthFunnel") == 0.0 && !session.undo());
    assert!(session.redo() && weight(&session, "mouthFunnel") == 0.5);
}

#[test]
fn a_channel_that_the_retargeted_head_lacks_leaves_the_others_alone() {
    let mut session = session();
    let head = |names: &[&str]| {
        let target = |name: &&str| Target::from_dense((*name).into(), 0.0, &[Vec3::X], &[], &[]);
        let vertices = Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() };
        let mesh = Mesh { vertices, targets: names.iter().map(target).collect(), ..Mesh::default() };
        Arc::new(Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() }))
    };
    session.replace_head(head(&["mouthFunnel", "jawOpen"]), HeadSource::Embedded);
    session.toggle_mute(1);
    session.commit();
    session.set_weight(1, 1.0, 2.0);
    session.retarget(head(&["mouthFunnel", "jawDrop"]), Vec::new());
    assert_eq!((&session.edits.muted[..], &session.edits.manual[..]), (&[false; 2][..], &[false; 2][..]));
    session.undo();
    assert_eq!(session.edits.muted, [false; 2]);
}

#[test]
fn the_clip_alone_moves_nodes_and_starts_over_at_its_own_end() {
    let rest = LocalTransform::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY });
    let rig = Rig { nodes: vec![Node { name: "neck".into(), parent: None, rest }], ..Rig::default() };
    let curve = |end, value| Curve::new(Interpolation::Linear, vec![0.0, end], vec![0.0, 0.0, 0.0, value, 0.0, 0.0], 3);
    let track = NodeTrack { node: 0, path: NodePath::Translation, curve: curve(2.0, 4.0).unwrap() };
    let clips =
        vec![Clip::new("shift".into(), vec![]).with_node_tracks(vec![track]), Clip::new("still".into(), vec![])];
    let target = Target::from_dense("jawOpen".into(), 0.0, &[Vec3::X], &[], &[]);
    let vertices = Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() };
    let mesh = Mesh { node: Some(0), vertices, targets: vec![target], ..Mesh::default() };
    let head = Head::new(Asset { meshes: vec![mesh], rig, clips, ..Asset::default() });
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let place = |session: &Session| session.world_from_nodes().first().map(|node| node.w_axis.truncate());
    assert!(session.clock.timeline.playing && session.timeline_secs() == 2.0);
    session.advance(2.5);
    assert_eq!(place(&session), Some(Vec3::X), "half a second into its second pass");
    // Keys make the timeline longer than the clip. Muting a channel does not stop nodes.
    session.set_channel(0, 0.5);
    session.seek(0.0);
    session.edits.keys.set("jawOpen", Key::new(9.0, 1.0));
    session.toggle_mute(0);
    session.seek(5.0);
    assert_eq!(place(&session), Some(Vec3::X * 2.0));
    for clip in [None, Some(1)] {
        session.select_clip(clip);
        assert_eq!(place(&session), None, "{clip:?}: rest");
    }
}

#[test]
fn a_take_turns_head_and_eyes_beside_its_weights_and_on_top_of_a_clip() {
    let node = |name: &str, parent, translation| Node {
        name: name.into(),
        parent,
        rest: LocalTransform::Trs(Trs { translation, ..Trs::IDENTITY }),
    };
    let nodes = vec![node("neck", None, Vec3::Y), node("Head", Some(0), Vec3::Y), node("eye.L", Some(1), Vec3::Z)];
    let vertices = Vertices { positions: vec![Vec3::NEG_ONE, Vec3::ONE], ..Vertices::default() };
    let target = Target::from_dense("jawOpen".into(), 0.0, &[Vec3::X], &[], &[]);
    let mesh = Mesh { node: Some(2), vertices, targets: vec![target], ..Mesh::default() };
    let curve = Curve::new(Interpolation::Linear, vec![0.0], vec![0.0, 5.0, 0.0], 3).unwrap();
    let lift = NodeTrack { node: 0, path: NodePath::Translation, curve };
    let clips = vec![Clip::new("lift".into(), vec![]).with_node_tracks(vec![lift])];
    let rig = Rig { nodes, ..Rig::default() };
    let head = Head::new(Asset { meshes: vec![mesh], rig, clips, ..Asset::default() });
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let names = ["JawOpen", "HeadYaw", "LeftEyePitch"];
    let column = |(element, name): (usize, &&str)| TakeColumn { name: (*name).into(), track: 0, element };
    let columns = names.iter().enumerate().map(column).collect();
    let values = vec![0.0, 0.0, 0.0, 1.0, 0.5, 0.25];
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], values, 3).unwrap();
    session.add_takes(vec![Take {
        name: "walk".into(),
        source: None,
        frames_per_sec: None,
        start_timecode: None,
        columns,
        tracks: vec![curve],
        duration_secs: 2.0,
        notes: Vec::new(),
    }]);
    session.seek(1.0);
    let moved = |session: &Session, node: usize, point: Vec3| session.world_from_nodes()[node].transform_point3(point);
    let turned = Vec3::new(0.25_f32.sin(), 6.0, 0.25_f32.cos());
    assert_eq!(session.weights()[0], 0.5);
    assert!(
        moved(&session, 1, Vec3::Z).distance(turned) < 1e-6,
        "a quarter of a radian to the own left, lifted by the clip"
    );
    assert!(moved(&session, 2, Vec3::ZERO).distance(turned) < 1e-6, "the eye goes along");
    assert!(moved(&session, 2, Vec3::Z).y < 6.0 - 0.1, "and looks down");

    session.edits.head_and_eyes.head = false;
    assert_eq!(moved(&session, 1, Vec3::Z), Vec3::new(0.0, 6.0, 1.0));
    assert!((moved(&session, 2, Vec3::Z).y - (6.0 - 0.125_f32.sin())).abs() < 1e-6);
    session.edits.head_and_eyes.eyes = false;
    session.select_clip(None);
    assert!(session.world_from_nodes().is_empty());

    session.edits.head_and_eyes.head = true;
    session.seek(2.0);
    let id = session.edits.take.unwrap();
    session.edit_take_map(id, |map, _| map.columns[1].gain = -1.0);
    assert!(moved(&session, 1, Vec3::Z).x < -0.4, "the gain of a column turns its sign round");
    session.select_take(None);
    assert!(session.world_from_nodes().is_empty(), "without a take nothing is turned");
}

#[test]
fn of_two_clips_the_later_one_counts_and_each_repeats_by_itself() {
    let mut session = session();
    let mut clips = session.head.clips.clone();
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], vec![0.0, 1.0], 1).unwrap();
    clips.push(Clip::new("jaw".into(), vec![Track { first_target: 2, curve }]));
    let head = Head::new(Asset { meshes: session.head.meshes.clone(), clips, ..Asset::default() });
    session.replace_head(Arc::new(head), HeadSource::Embedded);
    session.toggle_clip(1);
    assert_eq!((session.clips().count(), session.timeline_secs()), (2, 8.0));
    session.seek(7.0);
    assert_eq!((weight(&session, "eyeBlinkLeft"), weight(&session, "jawOpen")), (0.875, 0.5));
    assert_eq!(session.layer_name(Layer::Clip), "Clip: talk + jaw");
    session.toggle_clip(0);
    assert_eq!(
        (session.timeline_secs(), session.clock.timeline.time_secs),
        (2.0, 2.0),
        "the play head stays on the timeline"
    );
    session.select_clips([7, 1, 1]);
    assert_eq!(session.clips().count(), 1);
}

/// A take of the eyes and the jaw, ten seconds at 60 frames per second.
fn take() -> Take {
    let times: Vec<f32> = (0..601).map(|frame| frame as f32 / 60.0).collect();
    let values = times.iter().flat_map(|time| [1.0, 2.0, 3.0].map(|speed| 0.5 + 0.5 * (time * speed).sin())).collect();
    let column = |element: usize| TakeColumn { name: NAMES[element].into(), track: 0, element };
    Take {
        name: "take".into(),
        source: None,
        frames_per_sec: Some(60.0),
        start_timecode: None,
        columns: (0..3).map(column).collect(),
        tracks: vec![Curve::new(Interpolation::Linear, times, values, 3).unwrap()],
        duration_secs: 10.0,
        notes: Vec::new(),
    }
}

#[test]
fn undo_takes_the_edits_of_a_take_back_one_by_one_and_exactly() {
    let mut session = session();
    session.select_clip(None);
    session.add_takes(vec![take()]);
    session.clock.timeline.playing = false;
    session.commit();
    let id = session.take().unwrap().id;
    let kinds = EditKind::all(2.0);
    let mut curves = vec![session.take().unwrap().edited()];
    for (index, kind) in kinds.into_iter().enumerate() {
        let start = (index * 7 % 10) as f32 * 0.6;
        let edit = TakeEdit { kind, span: Some([start, start + 2.0]), ..TakeEdit::default() };
        session.change_take_edits(id, |edits| edits.insert(index / 2, edit));
        session.commit();
        curves.push(session.take().unwrap().edited());
    }
    for (undone, curve) in curves.iter().enumerate().rev() {
        assert_eq!(session.take().unwrap().edited().tracks, curve.tracks, "with {undone} edits");
        assert!(undone == 0 || session.undo());
    }
    while session.redo() {}
    assert_eq!(session.take().unwrap().edited().tracks, curves[kinds.len()].tracks);
    session.change_take_edits(id, |edits| edits.iter_mut().for_each(|edit| edit.enabled = false));
    let entry = session.take().unwrap();
    assert!(Arc::ptr_eq(&entry.edited(), &entry.take), "all off is the recording");
}

#[test]
fn the_face_and_the_timeline_follow_the_edits_of_the_take() {
    let mut session = session();
    session.select_clip(None);
    session.add_takes(vec![take()]);
    session.clock.timeline.playing = false;
    let id = session.take().unwrap().id;
    session.seek(4.0);
    let before = weight(&session, "jawOpen");
    let jaw = Some(vec!["jawOpen".to_owned()]);
    let gain = TakeEdit { kind: EditKind::Gain(0.5), columns: jaw, ..TakeEdit::default() };
    session.change_take_edits(id, |edits| edits.push(gain));
    assert!((weight(&session, "jawOpen") - 0.5 * before).abs() < 1e-6);
    session.seek(10.0);
    let cut = TakeEdit { kind: EditKind::DeleteTime, span: Some([3.0, 6.0]), ..TakeEdit::default() };
    session.change_take_edits(id, |edits| edits.push(cut));
    assert!((session.timeline_secs() - 7.0).abs() < 1e-4);
    assert!((session.clock.timeline.time_secs - 7.0).abs() < 1e-4, "the play head stays on the timeline");
    let computed = session.take().unwrap().computed_edits();
    for _ in 0..10 {
        session.advance(0.01);
        session.mix();
    }
    assert_eq!(session.take().unwrap().computed_edits(), computed, "playing computes nothing");
}
