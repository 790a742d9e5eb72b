//! Clips: several at once, and the nodes that they move.

use std::sync::Arc;

use super::{session, weight};
use glam::Vec3;
use smirk_face::head::{
    Asset, Clip, Curve, Head, Interpolation, LocalTransform, Mesh, Node, NodePath, NodeTrack, Rig, Target, Track, Trs,
    Vertices,
};
use smirk_face::motion::{FrameRate, Key, Layer};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

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
    session.channel_mut(0).set(0.5);
    session.seek(0.0);
    session.keys_mut().edit(|keys| keys.set("jawOpen", Key::new(9.0, 1.0)));
    session.channel_mut(0).toggle_mute();
    session.seek(5.0);
    assert_eq!(place(&session), Some(Vec3::X * 2.0));
    for clip in [None, Some(1)] {
        session.clips_mut().select(clip);
        assert_eq!(place(&session), None, "{clip:?}: rest");
    }
}

#[test]
fn of_two_clips_the_later_one_counts_and_each_repeats_by_itself() {
    let mut session = session();
    let mut clips = session.head.clips.clone();
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], vec![0.0, 1.0], 1).unwrap();
    clips.push(Clip::new("jaw".into(), vec![Track { first_target: 2, curve }]));
    let head = Head::new(Asset { meshes: session.head.meshes.clone(), clips, ..Asset::default() });
    session.replace_head(Arc::new(head), HeadSource::Embedded);
    session.clips_mut().toggle(1);
    assert_eq!((session.clips().count(), session.timeline_secs()), (2, 8.0));
    session.seek(7.0);
    assert_eq!((weight(&session, "eyeBlinkLeft"), weight(&session, "jawOpen")), (0.875, 0.5));
    assert_eq!(session.layer_name(Layer::Clip), "Clip: talk + jaw");
    session.clips_mut().toggle(0);
    assert_eq!(
        (session.timeline_secs(), session.clock.timeline.time_secs),
        (2.0, 2.0),
        "the play head stays on the timeline"
    );
    session.clips_mut().select_together([7, 1, 1]);
    assert_eq!(session.clips().count(), 1);
}

/// A head with a clip of so many keys a second each.
fn session_with_rates(rates: &[f32]) -> Session {
    let plain = session();
    let clip = |rate: &f32| {
        let times: Vec<f32> = (0..20).map(|key| key as f32 / rate).collect();
        let curve = Curve::new(Interpolation::Linear, times, vec![0.5; 60], 3).unwrap();
        Clip::new(format!("{rate}"), vec![Track { first_target: 0, curve }])
    };
    let head = plain.head.with_clips(rates.iter().map(clip).collect());
    Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
}

#[test]
fn the_timeline_has_the_rate_of_the_clip_that_plays_first_and_not_of_a_reference_pose() {
    let session = session_with_rates(&[60.0, 24.0]);
    let mut clips = session.head.clips.clone();
    clips[0].carried.insert("KHR_character_reference_pose".into(), serde_json::json!({}));
    let head = Arc::new(session.head.with_clips(clips));
    let mut opened = Session::new(head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    assert_eq!(opened.edits.timeline.rate.frames_per_sec(), 24.0);
    opened.replace_head(head, HeadSource::File("again.glb".into()));
    assert_eq!(opened.edits.timeline.rate.frames_per_sec(), 24.0);
}

#[test]
fn the_timeline_has_the_rate_of_the_clip_unless_it_was_chosen() {
    let mut session = session_with_rates(&[24.0, 60.0, 25.0]);
    let rate = |session: &Session| session.edits.timeline.rate.frames_per_sec();
    assert_eq!(rate(&session), 24.0);
    session.clips_mut().select(Some(1));
    assert_eq!(rate(&session), 60.0);
    session.clips_mut().select(None);
    assert_eq!(rate(&session), 60.0);
    session.edits.timeline.rate = FrameRate::nearest(30.0);
    session.clips_mut().select(Some(2));
    assert_eq!(rate(&session), 25.0, "30 is the rate of a timeline on which nothing plays");
    session.edits.timeline.rate = FrameRate::nearest(48.0);
    session.clips_mut().select(Some(0));
    assert_eq!(rate(&session), 48.0, "the artist has chosen it");
}

#[test]
fn undo_plays_the_clip_or_the_head_alone_whose_keys_it_changes() {
    let mut session = session_with_rates(&[30.0, 30.0]);
    for playing in [Some(0), None] {
        session.clips_mut().select(playing);
        session.commit();
        session.keys_mut().key(0);
        session.commit();
        for (is_undo, shown) in [(true, Some(1)), (false, Some(1))] {
            session.clips_mut().select(shown);
            assert!(if is_undo { session.undo() } else { session.redo() });
            assert_eq!(session.plays_clip(0), playing == Some(0));
            assert!(!session.plays_clip(1) && session.keys().is_empty() == is_undo);
        }
    }
}
