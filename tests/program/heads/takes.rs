//! The columns of recorded performances are matched with the channels of heads.

use std::fmt::Write;
use std::sync::Arc;

use glam::Mat4;
use smirk_face::head::{FaceJoints, Head};
use smirk_face::motion::{ColumnMatching, EditKind, Fit, Take, TakeEdit};
use smirk_files::import::{embedded, open, open_takes};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session, TakeId};
use smirk_support::test_files::real_heads;

/// The columns of a Live Link Face table that move targets: ARKit's 52 blend shapes.
const SHAPES: [&str; 52] = [
    "EyeBlinkLeft",
    "EyeLookDownLeft",
    "EyeLookInLeft",
    "EyeLookOutLeft",
    "EyeLookUpLeft",
    "EyeSquintLeft",
    "EyeWideLeft",
    "EyeBlinkRight",
    "EyeLookDownRight",
    "EyeLookInRight",
    "EyeLookOutRight",
    "EyeLookUpRight",
    "EyeSquintRight",
    "EyeWideRight",
    "JawForward",
    "JawRight",
    "JawLeft",
    "JawOpen",
    "MouthClose",
    "MouthFunnel",
    "MouthPucker",
    "MouthRight",
    "MouthLeft",
    "MouthSmileLeft",
    "MouthSmileRight",
    "MouthFrownLeft",
    "MouthFrownRight",
    "MouthDimpleLeft",
    "MouthDimpleRight",
    "MouthStretchLeft",
    "MouthStretchRight",
    "MouthRollLower",
    "MouthRollUpper",
    "MouthShrugLower",
    "MouthShrugUpper",
    "MouthPressLeft",
    "MouthPressRight",
    "MouthLowerDownLeft",
    "MouthLowerDownRight",
    "MouthUpperUpLeft",
    "MouthUpperUpRight",
    "BrowDownLeft",
    "BrowDownRight",
    "BrowInnerUp",
    "BrowOuterUpLeft",
    "BrowOuterUpRight",
    "CheekPuff",
    "CheekSquintLeft",
    "CheekSquintRight",
    "NoseSneerLeft",
    "NoseSneerRight",
    "TongueOut",
];

/// The columns of a Live Link Face table that rotate the head and the eyes, and move no target.
const TURNS: [&str; 9] = [
    "HeadYaw",
    "HeadPitch",
    "HeadRoll",
    "LeftEyeYaw",
    "LeftEyePitch",
    "LeftEyeRoll",
    "RightEyeYaw",
    "RightEyePitch",
    "RightEyeRoll",
];

/// Checks that a head has no channel for the columns `lacking` of a Live Link Face take, and that each column in `halves` moves
/// two channels.
fn check_matches(take: &Take, name: &str, head: &Head, lacking: &[&str], halves: &[&str]) {
    let map = ColumnMatching::default().map_of(take.column_names(), head);
    assert_eq!(map.unmapped_columns(take), lacking, "{name}");
    for route in map.columns.iter().filter(|route| !route.channels.is_empty()) {
        let count = if halves.contains(&route.column.as_str()) { 2 } else { 1 };
        assert_eq!(route.channels.len(), count, "{name}: {route:?}");
    }
    let matched: usize = map.driven(head).iter().map(|(_, mix)| mix.columns().len()).sum();
    assert_eq!(matched, SHAPES.len() - lacking.len() + halves.len(), "{name}");
    if !halves.is_empty() {
        assert!(map.uncovered_channels(head).is_empty(), "{name}");
    }
}

#[test]
fn columns_of_a_capture_are_matched_with_channels() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = format!("Timecode,BlendShapeCount,{},{}", SHAPES.join(","), TURNS.join(","));
    for frame in 0..5 {
        write!(table, "\r\n10:00:00:{frame:02}.000,61{}", ",0.25".repeat(61)).unwrap();
    }
    std::fs::write(folder.path().join("made.csv"), table).unwrap();
    let made = open_takes(&folder.path().join("made.csv")).unwrap();
    assert_eq!((made[0].columns.len(), made[0].tracks[0].times().len()), (61, 5));
    check_matches(&made[0], "embedded", &embedded().unwrap(), &[], &["BrowInnerUp", "CheekPuff"]);

    let Some(folder) = real_heads() else { return };
    let takes = open_takes(&folder.join("mocap/MySlate_161_iPhone_cal.csv")).unwrap();
    let take = &takes[0];
    // 1846 frames, none lost: the timecode counts 60 frames per second, and the phone records a frame every 1.0016 counts.
    assert_eq!((take.columns.len(), take.tracks[0].times().len(), take.frames_per_sec), (61, 1846, Some(60.0)));
    assert_eq!(take.start_timecode.as_deref(), Some("18:43:58:59.723"));
    assert!((take.duration_secs - (31.0 * 60.0 - 59.723 + 47.668) / 60.0).abs() < 1e-4, "{}", take.duration_secs);
    let steps: Vec<f32> = take.tracks[0].times().windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (step - 1.0016 / 60.0).abs() < 5e-5), "{steps:?}");

    let open = |file: &str| open(&folder.join(file)).unwrap();
    let halves = ["BrowInnerUp", "CheekPuff"];
    check_matches(take, "ICT", &open("ict/ict_facekit.glb"), &["TongueOut"], &halves);
    check_matches(take, "avatar", &open("avatars/rpm_brunette-t.glb"), &[], &[]);
}

#[test]
fn real_heads_turn_at_their_joints_or_about_their_necks() {
    let Some(folder) = real_heads() else { return };
    let found = |file: &str| {
        let head = open(&folder.join(file)).unwrap();
        let name = |node: Option<usize>| node.map(|node| head.rig.nodes[node].name.clone());
        let FaceJoints { head: joint, eyes } = head.face_joints;
        ([name(joint), name(eyes[0]), name(eyes[1])], head)
    };
    let some = |name: &str| Some(name.to_owned());
    // Its eyeballs have eyeLook targets.
    assert_eq!(found("avatars/rpm_brunette-t.glb").0, [some("Head"), None, None]);
    // It names the bones of its eyes itself, though they carry no mesh.
    assert_eq!(found("vrm/custom_normal.vrm").0, [some("head"), some("eye.L"), some("eye.R")]);
    // Its node `head` is the mesh of the face alone.
    assert_eq!(found("threejs/facecap.glb").0, [None, some("eyeLeft"), some("eyeRight")]);
    let (joints, ict) = found("ict/ict_facekit.glb");
    assert_eq!(joints, [None, None, None]);
    let (neck, face, middle) = (ict.neck, ict.focus, ict.focus.center());
    assert!((neck.x - middle.x).abs() < 0.02 * face.size().x, "{neck}");
    assert!(neck.y < middle.y && neck.y > ict.bounds.min.y, "{neck} is not between {middle} and the shoulders");
    assert!(neck.z < middle.z && neck.z > ict.bounds.min.z, "{neck} is not between {middle} and the back of the head");
}

#[test]
fn face_eyes_and_head_of_one_file_play_together() {
    let Some(folder) = real_heads() else { return };
    let head = Arc::new(open(&folder.join("threejs/facecap.glb")).unwrap());
    let mut session = Session::new(head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.clips_mut().select_together(0..4);
    session.seek(3.0);
    let (weights, together) = (session.weights(), session.world_from_nodes());
    for clip in 0..4 {
        session.clips_mut().select(Some(clip));
        session.seek(3.0);
        let own = &head.clips[clip];
        assert!(own.driven_channels().all(|channel| {
            head.channels[channel].targets.iter().all(|&target| session.weights()[target] == weights[target])
        }));
        let local = |worlds: &[Mat4], node: usize| match head.rig.nodes[node].parent {
            Some(parent) => worlds[parent].inverse() * worlds[node],
            None => worlds[node],
        };
        let alone = session.world_from_nodes();
        for track in &own.node_tracks {
            assert!(local(&alone, track.node).abs_diff_eq(local(&together, track.node), 1e-3), "{}", own.name);
        }
    }
}

#[test]
fn clips_of_a_head_are_takes() {
    let own = open_takes(&smirk_support::bundled_head()).unwrap();
    assert_eq!((own.len(), own[0].columns.len()), (1, 54));

    let Some(folder) = real_heads() else { return };
    let clips = open_takes(&folder.join("ict/ict_facekit_mocap.glb")).unwrap();
    assert_eq!((clips.len(), clips[0].columns.len()), (2, 53));
}

/// Splitting at the worst sample, the usual way, leaves 2395 keys of lines and 1366 of splines.
#[test]
fn a_real_capture_is_reduced_to_few_keys_within_the_tolerance() {
    let Some(folder) = real_heads() else { return };
    let take = open_takes(&folder.join("mocap/MySlate_161_iPhone_cal.csv")).unwrap().remove(0);
    let times = take.tracks[0].times().to_vec();
    let head = Arc::new(embedded().unwrap());
    let mut session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.takes_mut().add(vec![take]);
    for (fit, most) in [(Fit::Linear, 1900), (Fit::Smooth, 1030)] {
        let kind = EditKind::Reduce { fit, tolerance: 0.01 };
        let columns = Some(SHAPES.map(str::to_owned).to_vec());
        session
            .takes_mut()
            .change_edits(TakeId(0), |edits| *edits = vec![TakeEdit { kind, columns, ..TakeEdit::default() }]);
        let entry = session.take().unwrap();
        let left = entry.reduction(0).unwrap();
        let edited = entry.edited();
        let errors = times.iter().flat_map(|&time| {
            let columns = 0..entry.take.columns.len();
            let (recording, edited) = (&entry.take, &edited);
            columns.map(move |column| (recording.sample(column, time) - edited.sample(column, time)).abs())
        });
        let error = errors.fold(0.0, f32::max);
        println!("{fit:?}: {left:?}; measured {error}");
        assert!(left.keys <= most && error <= 0.01 + 2e-6, "{left:?} {error}");
    }
}
