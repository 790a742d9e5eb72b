//! The head and the eyes that a take turns.

use smirk_face::motion::JointChoice;

use crate::harness::*;
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
    let node = |name: &str, parent| Node { name: name.into(), parent, rest: LocalTransform::Trs(Trs::IDENTITY) };
    let rig = Rig { nodes: vec![node("neck", None), node("head", Some(0)), node("face", Some(1))], ..Rig::default() };
    let meshes = vec![Mesh { node: Some(2), ..mesh("face", FACE) }];
    let mut harness = window(Arc::new(Head::new(Asset { name: "ada".into(), meshes, rig, ..Asset::default() })));
    harness.state_mut().session.add_takes(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    open_page(&mut harness);
    harness
}

#[test]
fn a_take_turns_the_joint_that_is_found_until_it_is_switched_off() {
    let mut harness = page();
    let worlds = harness.state().session.world_from_nodes();
    assert_eq!(worlds[0], glam::Mat4::IDENTITY, "the neck stays");
    let forward = worlds[1].transform_vector3(Vec3::Z);
    assert!(near(forward.x.atan2(forward.z), 0.25), "to the own left");
    harness.get_by_label("Turn the head").click();
    harness.run_ok();
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
    harness.get_by_label("Head joint").click();
    harness.run_ok();
    harness.get_by_label("neck").click();
    harness.run_ok();
    assert_eq!(harness.state().session.edits.head_and_eyes.head_joint, JointChoice::Node("neck".into()));
    assert!(near(yaw(&harness), 0.25));
    harness.get_by_label("Head joint").click();
    harness.run_ok();
    harness.get_by_label("Whole head").click();
    harness.run_ok();
    let session = &harness.state().session;
    let neck = session.head.neck;
    assert!(near(yaw(&harness), 0.25));
    assert!(session.world_from_nodes()[0].transform_point3(neck).distance(neck) < 1e-5);
}
