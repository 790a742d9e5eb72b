//! Animations in glTF files.

use smirk_session::TimingOf;
use smirk_support::in_betweens;
use smirk_support::test_files::real_heads;

use super::*;

/// A head that is opened from a file with an animation plays the same weights, target by target.
fn check_head(session: &Session, span: FrameSpan, path: &Path) {
    let mut opened = self::session(Arc::new(import::open(path).unwrap()));
    assert_eq!(opened.head.clips.len(), 1);
    opened.clips_mut().select(Some(0));
    let from_zero = FrameSpan::new(span.rate, 0, span.last - span.first).unwrap();
    let (expected, found) = (performance(session, span), performance(&opened, from_zero));
    assert_eq!(expected.target_count, found.target_count);
    for (is, should) in found.target_weights.iter().zip(&expected.target_weights) {
        assert!((is - should).abs() <= EXACT, "{is}, not {should}");
    }
}

#[test]
fn every_mesh_gets_the_weights_of_its_own_targets() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let mut session = performing(Arc::new(two_meshes()), 3);
    // One slider sets the targets of all meshes; a clip may not.
    session.channel_mut(0).set(0.0);
    session.channel_mut(0).set_target(4, 0.75);
    let span = three_seconds(30.0);
    for with_head in [true, false] {
        let settings = AnimationSettings { with_head, ..AnimationSettings::new(AnimationFormat::Gltf) };
        export(&session, span, settings, &path);
        check_head(&session, span, &path);
        let opened = import::open(&path).unwrap();
        assert_eq!(opened.meshes.len(), 2);
        assert_eq!(opened.meshes[1].targets[0].name, "tongueOut");
    }
}

/// The file has the in-betweens as targets, and their weights: it plays what the session plays, and says what is lost.
#[test]
fn in_betweens_play_as_targets() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let session = performing(Arc::new(in_betweens::head(5)), 1);
    let span = three_seconds(30.0);
    let expected = performance(&session, span);
    for with_head in [true, false] {
        let settings = AnimationSettings { with_head, ..AnimationSettings::new(AnimationFormat::Gltf) };
        let report = export(&session, span, settings, &path);
        let words = report.flattened.unwrap().in_words();
        assert!(words.contains("9 in-betweens") && words.contains("\"target 1 in-between 0.5\""), "{words}");
        let mut opened = self::session(Arc::new(import::open(&path).unwrap()));
        opened.clips_mut().select(Some(0));
        let found = performance(&opened, span);
        for frame in 0..expected.frame_count() {
            let expected = in_betweens::shape_weights(&session.head, expected.frame_of_targets(frame));
            for (is, should) in found.frame_of_targets(frame).iter().zip(&expected) {
                assert!((is - should).abs() <= 1e-4, "frame {frame}: {is}, not {should}");
            }
        }
    }
    let fbx = export(&session, span, AnimationSettings::new(AnimationFormat::Fbx), &path);
    assert_eq!(fbx.flattened, None, "FBX has in-betweens");
}

#[test]
fn expressions_of_vrm_are_part_of_the_weights() {
    let Some(heads) = real_heads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for file in smirk_support::heads_below(&heads.join("vrm")) {
        let head = import::open(&file).unwrap();
        if head.expressions.iter().all(|expression| expression.binds.is_empty()) {
            continue;
        }
        checked += 1;
        let path = folder.path().join("a.glb");
        let session = performing(Arc::new(head), 1);
        let span = three_seconds(30.0);
        export(&session, span, AnimationSettings::new(AnimationFormat::Gltf), &path);
        check_head(&session, span, &path);
    }
    assert!(checked > 1, "{checked} files with expressions");
}

#[test]
fn several_takes_become_several_clips() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let mut session = session(bundled());
    session.takes_mut().add(vec![
        take(None, 30.0, 1.0),
        take(None, 30.0, 2.0),
        Take { name: "other".into(), ..take(None, 30.0, 3.0) },
    ]);
    let ids: Vec<_> = (0..3).map(smirk_session::TakeId).collect();
    let clips =
        AnimationClip::of_takes(&session, &ids, |session| FrameSpan::of_session(session, session.edits.timeline.rate));
    export_clips(clips.unwrap(), AnimationSettings::new(AnimationFormat::Gltf), &path);
    let head = import::open(&path).unwrap();
    let clips: Vec<_> = head.clips.iter().map(|clip| (clip.name.as_str(), clip.duration_secs)).collect();
    assert_eq!(clips, [("take", 1.0), ("take 2", 2.0), ("other", 3.0)]);
    let takes = import::open_takes(&path).unwrap();
    for (take, secs) in takes.iter().zip([1.0, 2.0, 3.0]) {
        let jaw = take.columns.iter().position(|column| column.name == "jawOpen").unwrap();
        assert!((take.sample(jaw, secs * 0.5) - 0.5).abs() < EXACT);
    }
}

/// All takes in every clip would take the square of their number.
#[test]
fn a_clip_holds_its_own_take_and_names_stay_apart() {
    let mut session = session(bundled());
    let numbered = Take { name: "take 3".into(), ..take(None, 24.0, 1.0) };
    session
        .takes_mut()
        .add(std::iter::repeat_n(take(None, 24.0, 1.0), 5).chain([numbered, take(None, 24.0, 1.0)]).collect());
    let ids: Vec<_> = session.edits.takes.iter().map(|entry| entry.id).collect();
    let clips_of = |session: &Session| {
        AnimationClip::of_takes(session, &ids, |session| FrameSpan::of_session(session, session.edits.timeline.rate))
    };
    let takes_of = |clip: &AnimationClip| clip.session.edits.takes.iter().map(|entry| entry.id).collect::<Vec<_>>();
    let clips = clips_of(&session).unwrap();
    assert_eq!(clips.iter().map(takes_of).collect::<Vec<_>>(), ids.iter().map(|&id| vec![id]).collect::<Vec<_>>());
    // Keys that are those of everything may be with another take.
    session.edits.timing_for_all = Some(TimingOf::Take(ids[1]));
    let taken: Vec<usize> = clips_of(&session).unwrap().iter().map(|clip| takes_of(clip).len()).collect();
    assert_eq!(taken, [2, 1, 2, 2, 2, 2, 2]);
    let (folder, settings) = (tempfile::tempdir().unwrap(), AnimationSettings::new(AnimationFormat::Gltf));
    let path = folder.path().join("a.glb");
    export_clips(clips, settings, &path);
    let names: Vec<String> = import::open(&path).unwrap().asset.clips.into_iter().map(|clip| clip.name).collect();
    assert_eq!(names, ["take", "take 2", "take 3", "take 4", "take 5", "take 3 2", "take 6"]);
}

#[test]
fn a_still_face_is_a_clip_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let mut session = session(bundled());
    session.channels_mut([3]).set(0.5);
    let span = FrameSpan::new(rate(24.0), 0, 48).unwrap();
    export(&session, span, AnimationSettings::new(AnimationFormat::Gltf), &path);
    assert_eq!(import::open(&path).unwrap().clips[0].duration_secs, 2.0);
    check_head(&session, span, &path);
    export(&session, FrameSpan::new(rate(24.0), 5, 5).unwrap(), AnimationSettings::new(AnimationFormat::Gltf), &path);
    assert_eq!(import::open(&path).unwrap().clips[0].duration_secs, 0.0);
}

/// The report of the Khronos validator on these files.
#[test]
fn the_validator_found_no_error() {
    let report = smirk_support::repository().join("tests/editor/animation/gltf.validator.json");
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(report).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let saved = std::env::var_os("SMIRK_SAVED_TO");
    let checksums = [("animated.glb", true), ("animation.glb", false)].map(|(name, with_head)| {
        let path = folder.path().join(name);
        let mut session = session(bundled());
        session.takes_mut().add(vec![take(None, 30.0, 1.0)]);
        let clip = AnimationClip::of_session(&session, FrameSpan::new(rate(30.0), 0, 30).unwrap());
        let settings = AnimationSettings { with_head, ..AnimationSettings::new(AnimationFormat::Gltf) };
        export_clips(vec![clip.clone(), clip], settings, &path);
        let bytes = std::fs::read(&path).unwrap();
        if let Some(folder) = &saved {
            std::fs::write(Path::new(folder).join(name), &bytes).unwrap();
        }
        let checksum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        (name, format!("{checksum:016x}"))
    });
    for (name, checksum) in checksums {
        let of_file = &report["files"][name];
        assert_eq!(
            of_file["file_fnv1a"], checksum,
            "{name}: the report is of another file: run this test with SMIRK_SAVED_TO=FOLDER, then gltf-validator (npm) on what it \
             writes there, and record the result in gltf.validator.json"
        );
        assert_eq!((&of_file["num_errors"], &of_file["num_warnings"]), (&0.into(), &0.into()), "{name}");
    }
}

#[test]
fn a_turned_head_turns_its_node() {
    use glam::{Quat, Vec3};
    use smirk_face::head::{LocalTransform, Node, Rig, Trs};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let plain = two_meshes();
    let node = |name: &str, parent, translation| {
        let rotation = Quat::from_rotation_z(0.25);
        Node { name: name.into(), parent, rest: LocalTransform::Trs(Trs { translation, rotation, ..Trs::IDENTITY }) }
    };
    let rig = Rig { nodes: vec![node("Neck", None, Vec3::Y), node("Head", Some(0), Vec3::X)], ..Rig::default() };
    let mut meshes = plain.meshes.clone();
    meshes.iter_mut().for_each(|mesh| mesh.node = Some(1));
    let head = Arc::new(Head::new(Asset { name: "turning".into(), meshes, rig, ..Asset::default() }));
    let mut session = session(head);
    let columns = vec![TakeColumn { name: "HeadYaw".into(), track: 0, element: 0 }];
    session.takes_mut().add(vec![Take { columns, ..take(None, 30.0, 1.0) }]);
    let span = FrameSpan::of_session(&session, rate(30.0)).unwrap();
    let report = export(&session, span, AnimationSettings::new(AnimationFormat::Gltf), &path);
    assert_eq!(report.lost_motion, None);
    let mut opened = self::session(Arc::new(import::open(&path).unwrap()));
    opened.clips_mut().select(Some(0));
    for frame in [0, 7, 15, 30] {
        span.show(&mut session, frame);
        span.show(&mut opened, frame);
        let place = |session: &Session| {
            let nodes = session.world_from_nodes();
            let head = session.head.rig.nodes.iter().position(|node| node.name == "Head").unwrap();
            nodes.get(head).copied().unwrap_or(session.head.rest_pose.world_from_node()[head])
        };
        let [is, should] = [&opened, &session].map(place);
        assert!(is.abs_diff_eq(should, 1e-5), "frame {frame}: {is}, not {should}");
    }
}
