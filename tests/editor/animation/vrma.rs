//! VRM animations, read back.

use glam::Vec3;
use smirk_face::head::{
    Avatar, Bind, Expression, LocalTransform, Mesh, Node, Preset, Rig, Target, Trs, Turn, Vertices, VrmVersion,
};

use super::*;

fn write(session: &Session, span: FrameSpan, path: &Path) -> AnimationReport {
    export(session, span, AnimationSettings::new(AnimationFormat::Vrma), path)
}

#[test]
fn weights_of_any_head_are_read_back_within_0_and_1() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..4 {
        let (session, span) = (performing(bundled(), seed), three_seconds(30.0));
        let path = folder.path().join(format!("{seed}.vrma"));
        let report = write(&session, span, &path);
        assert_eq!(report.unmapped_channels, [""; 0]);
        let take = import::open_takes(&path).unwrap().remove(0);
        assert_eq!(take.columns.len(), bundled().channels.len());
        let plays = performance(&session, span);
        for (column, of) in take.columns.iter().enumerate() {
            let channel = plays.channels.iter().position(|channel| *channel == of.name).unwrap();
            for frame in 0..plays.frame_count() {
                let (was, is) = (plays.frame(frame)[channel], take.sample(column, plays.secs_of(frame) as f32));
                assert!((was.clamp(0.0, 1.0) - is).abs() <= EXACT, "{} at {frame}: {was}, {is}", of.name);
            }
        }
    }
}

/// An avatar with bones for the head and the eyes, three expressions and a target of its own.
fn avatar() -> Arc<Head> {
    let target = |name: &str| Target::from_dense(name.into(), 0.0, &[Vec3::X; 3], &[], &[]);
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let vertices = Vertices { positions, normals: vec![Vec3::Z; 3], ..Vertices::default() };
    let targets = ["one", "two", "blink"].map(target).into();
    let mesh = Mesh { vertices, indices: vec![0, 1, 2], targets, node: Some(2), ..Mesh::default() };
    let names = ["hips", "spine", "head", "eye l", "eye r"];
    let node = |(index, name): (usize, &&str)| Node {
        name: (*name).to_owned(),
        parent: index.checked_sub(1).map(|above| above.min(2)),
        rest: LocalTransform::Trs(Trs { translation: Vec3::Y * 0.3, ..Trs::IDENTITY }),
    };
    let mut rig = Rig { nodes: names.iter().enumerate().map(node).collect(), ..Rig::default() };
    rig.humanoid.head = Some(2);
    rig.humanoid.eyes = [Some(3), Some(4)];
    let bones = [("hips", 0), ("spine", 1), ("head", 2), ("leftEye", 3), ("rightEye", 4)];
    let bones = bones.map(|(name, node)| (name.to_owned(), node)).into();
    let expression = |name: &str, preset: Option<Preset>, target: usize| Expression {
        name: name.into(),
        preset,
        binds: vec![Bind { target, weight: 1.0 }],
        ..Expression::default()
    };
    let expressions = vec![
        expression("happy", Some(Preset::Happy), 0),
        expression("lookUp", Some(Preset::LookUp), 1),
        expression("wink", None, 2),
    ];
    let avatar = Some(Avatar {
        version: VrmVersion::V1,
        meta: serde_json::Map::new(),
        bones,
        look_at: None,
        first_person: Vec::new(),
    });
    let asset = Asset { name: "ada".into(), meshes: vec![mesh], rig, expressions, avatar, ..Asset::default() };
    Arc::new(Head::new(asset))
}

#[test]
fn an_avatar_has_its_expressions_its_head_and_its_gaze() {
    let names = ["happy", "wink", "one", "lookUp", "blink", "HeadYaw", "HeadPitch", "LeftEyeYaw", "RightEyeYaw"];
    let columns = names.iter().enumerate();
    let columns = columns.map(|(element, name)| TakeColumn { name: (*name).into(), track: 0, element }).collect();
    let values = vec![0.0; 9].into_iter().chain([0.5, 1.0, 0.25, 0.75, 0.5, 0.4, -0.3, 0.2, 0.2]).collect();
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], values, 9).unwrap();
    let mut session = session(avatar());
    session.takes_mut().add(vec![Take { columns, tracks: vec![curve], ..take(None, 30.0, 1.0) }]);
    let folder = tempfile::tempdir().unwrap();
    let (path, span) = (folder.path().join("ada.vrma"), FrameSpan::new(rate(30.0), 0, 30).unwrap());
    let report = write(&session, span, &path);
    assert_eq!(report.lost_motion, None);
    // The gaze is that of the eyes, and `blink` is a preset that the avatar has not, so that its target is written as that.
    assert_eq!(report.unmapped_channels, ["expression:lookUp"]);
    let read = import::open_takes(&path).unwrap().remove(0);
    let is_named = |name: &&str| read.column_names().any(|column| column == *name);
    assert!(["happy", "wink", "one", "blink"].iter().all(is_named), "{:?}", read.columns);
    assert!(!is_named(&"two"), "a target that rests");
    let (before, after) = (performance(&session, span), played(session.head.clone(), read, span));
    for frame in 0..=30 {
        for (channel, name) in
            before.channels.iter().enumerate().filter(|(_, name)| name.as_str() != "expression:lookUp")
        {
            let apart = (before.frame(frame)[channel] - after.frame(frame)[channel]).abs();
            assert!(apart <= EXACT, "{name} at {frame}: {apart}");
        }
        let [was, is] = [&before, &after].map(|performance| performance.turns[frame]);
        for (was, is) in [(was.head, is.head), (was.eyes[0], is.eyes[0]), (was.eyes[1], is.eyes[1])] {
            let apart = |was: f32, is: f32| (was - is).abs() <= EXACT;
            assert!(apart(was.yaw, is.yaw) && apart(was.pitch, is.pitch), "{was:?}, {is:?}");
        }
    }
    assert!(before.turns[30].head != Turn::NONE && before.turns[30].eyes[1] != Turn::NONE, "something turned");
}

/// An avatar of VRM 0.x with all bones that are required and a thumb, each turned and below the one before it.
fn whole_avatar() -> Arc<Head> {
    let names = [
        "hips",
        "spine",
        "head",
        "leftUpperLeg",
        "leftLowerLeg",
        "leftFoot",
        "rightUpperLeg",
        "rightLowerLeg",
        "rightFoot",
        "leftUpperArm",
        "leftLowerArm",
        "leftHand",
        "rightUpperArm",
        "rightLowerArm",
        "rightHand",
        "leftThumbProximal",
        "leftThumbIntermediate",
    ];
    let node = |index: usize| Node {
        name: format!("node {index}"),
        parent: index.checked_sub(1),
        rest: LocalTransform::Trs(Trs {
            translation: Vec3::new(0.1, 0.2, 0.0),
            rotation: glam::Quat::from_rotation_z(0.3),
            ..Trs::IDENTITY
        }),
    };
    let rig = Rig { nodes: (0..names.len()).map(node).collect(), ..Rig::default() };
    let bones = names.iter().enumerate().map(|(node, name)| ((*name).to_owned(), node)).collect();
    let avatar = Some(Avatar {
        version: VrmVersion::V0,
        meta: serde_json::Map::new(),
        bones,
        look_at: None,
        first_person: Vec::new(),
    });
    Arc::new(Head::new(Asset {
        name: "ada".into(),
        meshes: two_meshes().asset.meshes,
        rig,
        avatar,
        ..Asset::default()
    }))
}

#[test]
fn the_bones_of_the_file_are_a_pose_without_rotations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ada.vrma");
    let span = FrameSpan::new(rate(30.0), 0, 3).unwrap();
    for head in [avatar(), bundled(), whole_avatar()] {
        let worlds = head.rest_pose.world_from_node().to_vec();
        let has_all = head.avatar.as_ref().is_some_and(|avatar| avatar.bones.len() > 15);
        write(&session(head), span, &path);
        let bytes = std::fs::read(&path).unwrap();
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        let bones = json["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"].as_object().unwrap();
        assert!(bones.len() >= 15 && !bones.contains_key("leftEye"), "{bones:?}");
        let is_thumb = |name: &str| bones.contains_key(name);
        assert_eq!(["leftThumbMetacarpal", "leftThumbProximal"].map(is_thumb), [has_all; 2]);
        assert!(!is_thumb("leftThumbIntermediate"), "a name of VRM 0");
        for (name, bone) in bones {
            let node = &json["nodes"][bone["node"].as_u64().unwrap() as usize];
            assert_eq!(node["name"].as_str(), Some(name.as_str()));
            assert!(node["rotation"].is_null() && node["matrix"].is_null() && node["scale"].is_null(), "{node}");
        }
        assert!(json["nodes"].as_array().unwrap().iter().all(|node| node.get("mesh").is_none()));
        if has_all {
            // Each bone is where it was, below the one that was above it.
            let nodes = json["nodes"].as_array().unwrap();
            for index in 1..17 {
                assert_eq!(nodes[index - 1]["children"][0].as_u64(), Some(index as u64));
                let apart = (worlds[index].w_axis - worlds[index - 1].w_axis).truncate();
                let written: Vec<f64> =
                    nodes[index]["translation"].as_array().unwrap().iter().filter_map(|it| it.as_f64()).collect();
                let written = Vec3::new(written[0] as f32, written[1] as f32, written[2] as f32);
                assert!(written.distance(apart) < 1e-5, "{index}: {written}, {apart}");
            }
        }
    }
}
