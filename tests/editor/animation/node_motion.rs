//! Clips that move the nodes of a head, in formats of weights and angles.

use glam::{Quat, Vec3};
use smirk_face::head::{Clip, FaceTurns, LocalTransform, Node, NodePath, NodeTrack, Rig, Trs, Turn};

use super::*;

const NECK: usize = 0;
const HEAD: usize = 1;
const LEFT_EYE: usize = 2;

/// A head on a neck, in centimetres and lying on its side in the file, with an eye; clips turn these nodes about the axes of the actor.
fn turning(turns: &[(usize, Turn)]) -> Session {
    let rest = |translation, rotation| Trs { translation, rotation, ..Trs::IDENTITY };
    let places = [
        Trs { scale: Vec3::splat(0.01), ..rest(Vec3::Y, Quat::from_rotation_z(1.2)) },
        rest(Vec3::X * 10.0, Quat::from_rotation_x(0.4)),
        rest(Vec3::new(3.0, 2.0, 8.0), Quat::from_rotation_y(0.3)),
    ];
    let node = |index: usize, name: &str| Node {
        name: name.into(),
        parent: index.checked_sub(1),
        rest: LocalTransform::Trs(places[index]),
    };
    let nodes = vec![node(NECK, "Neck"), node(HEAD, "Head"), node(LEFT_EYE, "LeftEye")];
    let rig = Rig { nodes, ..Rig::default() };
    let world_from_nodes = rig.world_from_nodes_at_rest();
    let track = |&(node, turn): &(usize, Turn)| {
        let axes = world_from_nodes[node].to_scale_rotation_translation().1;
        let values = [0.0, 1.0].map(|part| {
            let turn = Turn { yaw: turn.yaw * part, pitch: turn.pitch * part, roll: turn.roll * part };
            places[node].rotation * (axes.inverse() * turn.rotation() * axes)
        });
        let values = values.iter().flat_map(|rotation| rotation.to_array()).collect();
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], values, 4).unwrap();
        NodeTrack { node, path: NodePath::Rotation, curve }
    };
    let clip = Clip::new("turning".into(), Vec::new()).with_node_tracks(turns.iter().map(track).collect());
    let mut meshes = two_meshes().asset.meshes;
    meshes[0].node = Some(HEAD);
    meshes[1].node = Some(LEFT_EYE);
    let mut asset = Asset { name: "turning".into(), meshes, rig, clips: vec![clip], ..Asset::default() };
    asset.rig.humanoid.head = Some(HEAD);
    asset.rig.humanoid.eyes = [Some(LEFT_EYE), None];
    let mut session = session(Arc::new(Head::new(asset)));
    session.clips_mut().select(Some(0));
    session
}

/// What is lost in a file of a format, and how the head and the left eye are turned at the end of what is read back.
fn read_back(session: &Session, format: AnimationFormat) -> (Option<LostMotion>, FaceTurns) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file_name(format));
    let span = FrameSpan::of_session(session, rate(30.0)).unwrap();
    let report = export(session, span, AnimationSettings::new(format), &path);
    let take = import::open_takes(&path).unwrap().remove(0);
    let played = played(session.head.clone(), take, span);
    (report.lost_motion, played.turns[played.frame_count() - 1])
}

fn is_near(turn: Turn, expected: Turn) -> bool {
    [turn.yaw - expected.yaw, turn.pitch - expected.pitch, turn.roll - expected.roll]
        .iter()
        .all(|apart| apart.abs() < 1e-4)
}

const WITH_ANGLES: [AnimationFormat; 3] = [AnimationFormat::LiveLink, AnimationFormat::Table, AnimationFormat::Keys];

#[test]
fn turns_of_clips_are_written_where_a_format_has_angles() {
    let (head, eye) = (Turn { yaw: 0.5, pitch: -0.2, roll: 0.1 }, Turn { yaw: -0.3, pitch: 0.1, roll: 0.0 });
    let session = turning(&[(HEAD, head), (LEFT_EYE, eye)]);
    for format in WITH_ANGLES {
        let (lost, turns) = read_back(&session, format);
        assert_eq!(lost, None, "{format:?}");
        assert!(is_near(turns.head, head) && is_near(turns.eyes[0], eye), "{format:?}: {turns:?}");
    }
    for format in [AnimationFormat::Audio2Face, AnimationFormat::MediaPipe] {
        assert_eq!(read_back(&session, format), (Some(LostMotion::All), FaceTurns::NONE), "{format:?}");
    }
}

#[test]
fn turns_of_a_take_are_added_to_those_of_a_clip() {
    let turn = Turn { yaw: 0.25, ..Turn::NONE };
    let mut session = turning(&[(HEAD, turn)]);
    let columns = vec![TakeColumn { name: "HeadYaw".into(), track: 0, element: 0 }];
    session.takes_mut().add(vec![Take { columns, ..take(None, 30.0, 1.0) }]);
    session.clips_mut().select(Some(0));
    assert!(session.take().is_some());
    let (lost, turns) = read_back(&session, AnimationFormat::Table);
    assert!(lost.is_none() && is_near(turns.head, Turn { yaw: 1.25, ..Turn::NONE }), "{lost:?} {turns:?}");
}

#[test]
fn other_motion_of_nodes_is_said_to_be_left_out() {
    let turn = Turn { yaw: 0.5, ..Turn::NONE };
    let session = turning(&[(NECK, turn)]);
    for format in WITH_ANGLES {
        let (lost, turns) = read_back(&session, format);
        assert_eq!(lost, Some(LostMotion::OfOtherNodes), "{format:?}");
        assert!(is_near(turns.head, turn) && turns.eyes[0] == Turn::NONE, "the neck turns the head: {turns:?}");
    }
}
