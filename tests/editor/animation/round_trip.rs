//! Every format that Smirk reads, written and read back: weights exact to 1e-6, times to 1e-4 s.

use smirk_export::AnimationKeys;
use smirk_face::motion::ColumnMatching;
use smirk_support::test_files::real_heads;

use super::*;

/// The formats that Smirk opens again.
const READ_BACK: [AnimationFormat; 6] = [
    AnimationFormat::Gltf,
    AnimationFormat::LiveLink,
    AnimationFormat::Audio2Face,
    AnimationFormat::MediaPipe,
    AnimationFormat::Table,
    AnimationFormat::Keys,
];

/// Writes what a session plays, reads it as a take of the same head, and compares all weights of all frames.
fn check(session: &Session, span: FrameSpan, settings: AnimationSettings, folder: &Path) {
    let path = folder.join(file_name(settings.format));
    let report = export(session, span, settings, &path);
    let takes = import::open_takes(&path).unwrap();
    let case = format!("{}, {settings:?}, {span:?}", session.head.name);
    assert_eq!(takes.len(), 1, "{case}");
    let take = takes.into_iter().next().unwrap();
    assert!((f64::from(take.duration_secs) - span.duration_secs()).abs() < f64::from(SAME_SECS), "{case}: {take:?}");
    if settings.keys == AnimationKeys::Sampled || !settings.format.can_hold_sparse_keys() {
        for track in &take.tracks {
            assert_eq!(track.times().len(), span.count(), "{case}");
            for (frame, time) in track.times().iter().enumerate() {
                let expected = span.secs_of(frame as i64) as f32;
                assert!((time - expected).abs() < SAME_SECS, "{case}: frame {frame} at {time}, not {expected}");
            }
        }
    }
    let head = &session.head;
    // Two halves of a shape of Live Link Face become their mean, and what it has no shape for is reported.
    let map = ColumnMatching::default().map_of(take.column_names(), head);
    let halves = map.columns.into_iter().map(|map| map.channels).filter(|channels| channels.len() > 1);
    let halves: Vec<String> = halves.flatten().map(|drive| drive.channel).collect();
    assert!(halves.is_empty() || settings.format == AnimationFormat::LiveLink, "{case}: {halves:?}");
    let (expected, found) = (performance(session, span), played(head.clone(), take, span));
    for channel in &head.channels {
        if report.unmapped_channels.contains(&channel.full_name) || halves.contains(&channel.full_name) {
            continue;
        }
        for frame in 0..expected.frame_count() {
            for &target in &channel.targets {
                let [is, should] = [&found, &expected].map(|of| of.frame_of_targets(frame)[target]);
                // Times have 32 bits. One that is a step beside its key meets the line to the next key.
                let neighbours = [frame.saturating_sub(1), (frame + 1).min(expected.frame_count() - 1)];
                let beside = neighbours.map(|frame| (expected.frame_of_targets(frame)[target] - should).abs());
                let slope = beside[0].max(beside[1]) * span.rate.frames_per_sec() as f32;
                let rounding = slope * span.duration_secs() as f32 * f32::EPSILON;
                assert!(
                    (is - should).abs() <= EXACT + rounding,
                    "{case}: {} frame {frame}: {is}, not {should}",
                    channel.full_name
                );
            }
        }
    }
}

fn settings(format: AnimationFormat, keys: AnimationKeys, with_head: bool) -> AnimationSettings {
    AnimationSettings { format, keys, with_head }
}

#[test]
fn every_format_is_read_back_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let head = bundled();
    for seed in 0..6 {
        let session = performing(head.clone(), seed);
        let fps = [24.0, 25.0, 29.97, 30.0, 59.94, 60.0][seed as usize];
        let whole = three_seconds(fps);
        let part = FrameSpan::new(rate(fps), 7 + i64::from(seed), 80).unwrap();
        for format in READ_BACK {
            let span = if seed % 2 == 0 { whole } else { part };
            check(&session, span, settings(format, AnimationKeys::default(), false), folder.path());
        }
        for format in [AnimationFormat::Gltf, AnimationFormat::Keys] {
            check(&session, whole, settings(format, AnimationKeys::Sampled, false), folder.path());
        }
    }
    let session = performing(head, 3);
    let span = three_seconds(30.0);
    check(&session, span, settings(AnimationFormat::Gltf, AnimationKeys::default(), true), folder.path());
}

#[test]
fn odd_frame_rates_are_read_back_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let session = performing(bundled(), 4);
    for fps in [1.0, 7.5, 12.5, 15.0, 23.976, 33.3, 48.0, 90.0, 100.0, 120.0, 240.0] {
        let span = three_seconds(fps);
        for format in READ_BACK {
            check(&session, span, settings(format, AnimationKeys::Sampled, false), folder.path());
        }
    }
}

#[test]
fn names_that_need_quoting_and_targets_of_several_meshes_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let session = performing(Arc::new(two_meshes()), 3);
    let span = three_seconds(30.0);
    for format in READ_BACK {
        check(&session, span, settings(format, AnimationKeys::default(), true), folder.path());
    }
}

#[test]
fn real_heads_and_a_real_capture_are_read_back_exactly() {
    let Some(heads) = real_heads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let capture = heads.join("mocap/MySlate_161_iPhone_cal.csv");
    for name in
        ["ict/ict_facekit.glb", "makehuman/mh_expressions.glb", "threejs/facecap.glb", "avatars/rpm_brunette-t.glb"]
    {
        let head = Arc::new(import::open(&heads.join(name)).unwrap());
        let mut session = session(head);
        session.takes_mut().add(import::open_takes(&capture).unwrap());
        let rate = session.edits.timeline.rate;
        let span = FrameSpan::new(rate, 300, 500).unwrap();
        for format in READ_BACK {
            check(&session, span, settings(format, AnimationKeys::default(), false), folder.path());
        }
        check(&session, span, settings(AnimationFormat::Gltf, AnimationKeys::Sampled, true), folder.path());
    }
}

#[test]
fn a_tolerance_leaves_fewer_keys_and_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let session = performing(bundled(), 5);
    let span = three_seconds(60.0);
    let expected = performance(&session, span);
    let mut sizes = Vec::new();
    for tolerance in [0.0, 0.001, 0.02] {
        for format in [AnimationFormat::Gltf, AnimationFormat::Keys] {
            let path = folder.path().join(file_name(format));
            let report = export(&session, span, settings(format, AnimationKeys::Within(tolerance), false), &path);
            sizes.push(report.bytes);
            let take = import::open_takes(&path).unwrap().remove(0);
            let found = played(session.head.clone(), take, span);
            for (is, should) in found.target_weights.iter().zip(&expected.target_weights) {
                assert!((is - should).abs() <= tolerance + EXACT, "{is}, not {should}, within {tolerance}");
            }
        }
    }
    assert!(sizes[4] < sizes[0] && sizes[5] * 3 < sizes[1], "{sizes:?}");
}

#[test]
fn turns_of_the_head_and_the_eyes_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(bundled());
    let names = ["HeadYaw", "HeadPitch", "RightEyeYaw", "jawOpen"];
    let columns = names.iter().enumerate();
    let columns = columns.map(|(element, name)| TakeColumn { name: (*name).into(), track: 0, element }).collect();
    let values = vec![0.0, 0.0, 0.0, 0.0, 0.5, -0.25, 0.125, 1.0];
    let tracks = vec![Curve::new(Interpolation::Linear, vec![0.0, 2.0], values, 4).unwrap()];
    session.takes_mut().add(vec![Take { columns, tracks, ..take(None, 30.0, 2.0) }]);
    let span = three_seconds(30.0);
    let expected = performance(&session, span);
    assert!(expected.turns[60].head.yaw > 0.4);
    for format in READ_BACK {
        let path = folder.path().join(file_name(format));
        let report = export(&session, span, AnimationSettings::new(format), &path);
        let has_angles = matches!(format, AnimationFormat::LiveLink | AnimationFormat::Table | AnimationFormat::Keys);
        let keeps = has_angles || format == AnimationFormat::Gltf;
        assert_eq!(report.lost_motion, (!keeps).then_some(LostMotion::All), "{format:?}");
        if has_angles {
            let found = played(session.head.clone(), import::open_takes(&path).unwrap().remove(0), span);
            for (is, should) in found.turns.iter().zip(&expected.turns) {
                assert!(
                    (is.head.yaw - should.head.yaw).abs() < EXACT && (is.head.pitch - should.head.pitch).abs() < EXACT
                );
                assert!((is.eyes[1].yaw - should.eyes[1].yaw).abs() < EXACT, "{format:?}");
            }
        }
    }
}
