//! The head and the eyes that a take turns.

use smirk_face::head::{Avatar, BodyMotion, BoneMotion, Curve, Interpolation, NodePath, NodeTrack, VrmVersion};
use smirk_face::motion::{JointChoice, Take};

use crate::harness::*;
use crate::names::drawn_texts;
use crate::takes::{capture, open_page};

/// How far the first node is turned about the vertical axis, in radians.
fn yaw(harness: &Harness<'static, App>) -> f32 {
    let worlds = harness.state().session.world_from_nodes();
    worlds.first().map_or(0.0, |world| {
        let forward = world.transform_vector3(Vec3::Z);
        forward.x.atan2(forward.z)
    })
}

/// The Motion page of a head on the nodes `neck` and `head`, with a take that turns it by 0.25.
fn page() -> Harness<'static, App> {
    page_of(None, capture())
}

/// The same, as an avatar or not, with another take.
fn page_of(avatar: Option<Avatar>, take: Take) -> Harness<'static, App> {
    let node = |name: &str, parent| Node { name: name.into(), parent, rest: LocalTransform::Trs(Trs::IDENTITY) };
    let rig = Rig { nodes: vec![node("neck", None), node("head", Some(0)), node("face", Some(1))], ..Rig::default() };
    let meshes = vec![Mesh { node: Some(2), ..mesh("face", FACE) }];
    let mut harness =
        window(Arc::new(Head::new(Asset { name: "ada".into(), meshes, rig, avatar, ..Asset::default() })));
    harness.state_mut().session.takes_mut().add(vec![take]);
    harness.state_mut().session.clock.timeline.playing = false;
    open_page(&mut harness);
    harness
}

#[test]
fn a_take_moves_the_body_of_an_avatar_until_it_is_switched_off() {
    let turned = Curve::new(Interpolation::Linear, vec![0.0], glam::Quat::from_rotation_y(0.5).to_array().to_vec(), 4);
    let bone = BoneMotion {
        name: "neck".into(),
        rest: LocalTransform::Trs(Trs::IDENTITY),
        tracks: vec![NodeTrack { node: 0, path: NodePath::Rotation, curve: turned.unwrap() }],
        rotations_at_rest: [glam::Quat::IDENTITY; 2],
        heights_from_above: glam::Mat3::ZERO,
    };
    let waving = || Take {
        name: "wave".into(),
        body: Some(BodyMotion { bones: [bone.clone()].into(), clock: None }),
        duration_secs: 1.0,
        ..Take::default()
    };
    let bones = vec![("neck".to_owned(), 0)];
    let avatar = Avatar {
        version: VrmVersion::V1,
        meta: serde_json::Map::new(),
        bones,
        look_at: None,
        first_person: Vec::new(),
    };
    let mut harness = page_of(Some(avatar), waving());
    assert!(near(yaw(&harness), 0.5), "{}", yaw(&harness));
    let texts = drawn_texts(&harness);
    assert!(texts.iter().any(|text| text == "1.0 s · body"), "it has no columns: {texts:?}");
    press(&mut harness, "Move the body");
    assert!(harness.state().session.world_from_nodes().is_empty());
    let harness = page_of(None, waving());
    assert!(harness.query_by_label("Move the body").is_none(), "a head that is no avatar has no body");
}

#[test]
fn a_take_turns_the_joint_that_is_found_until_it_is_switched_off() {
    let mut harness = page();
    let worlds = harness.state().session.world_from_nodes();
    assert_eq!(worlds[0], glam::Mat4::IDENTITY, "the neck stays");
    let forward = worlds[1].transform_vector3(Vec3::Z);
    assert!(near(forward.x.atan2(forward.z), 0.25), "to the own left");
    press(&mut harness, "Turn the head");
    assert!(harness.state().session.world_from_nodes().is_empty());
    assert!(harness.query_by_label("Head joint").is_none() && harness.query_by_label("Left eye joint").is_some());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(harness.state().session.world_from_nodes().len(), 3, "undo turns it again");
}

#[test]
fn the_joint_can_be_chosen() {
    let mut harness = page();
    assert_eq!(yaw(&harness), 0.0);
    press(&mut harness, "Head joint");
    press(&mut harness, "neck");
    assert_eq!(harness.state().session.edits.head_and_eyes.head_joint, JointChoice::Node("neck".into()));
    assert!(near(yaw(&harness), 0.25));
    press(&mut harness, "Head joint");
    press(&mut harness, "Whole head");
    let session = &harness.state().session;
    let neck = session.head.neck;
    assert!(near(yaw(&harness), 0.25));
    assert!(session.world_from_nodes()[0].transform_point3(neck).distance(neck) < 1e-5);
}
