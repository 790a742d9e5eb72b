//! VRM animations: expressions, the head and the gaze as columns of a take.

use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Quat, Vec3};
use smirk_face::head::{Asset, Avatar, FaceTurns, Head, LocalTransform, Node, Rig, Trs, VrmVersion};

use super::*;

/// A file with bones that lie on their sides, two expressions and a gaze, and an animation of them without channels.
fn animation() -> GltfBuilder {
    let mut file = GltfBuilder::empty();
    let turned = |quaternion: Quat| json!(quaternion.to_array());
    file.push("nodes", json!({"name": "spine", "rotation": turned(Quat::from_rotation_z(0.7)), "children": [1]}));
    file.push("nodes", json!({"name": "neck", "rotation": turned(Quat::from_rotation_x(FRAC_PI_2)), "children": [2]}));
    file.push("nodes", json!({"name": "head", "rotation": turned(Quat::from_rotation_y(-0.4))}));
    file.push("nodes", json!({"name": "happy"}));
    file.push("nodes", json!({"name": "tongue"}));
    file.push("nodes", json!({"name": "gaze"}));
    file.push("animations", json!({"name": "talk", "channels": [], "samplers": []}));
    file.json["extensionsUsed"] = json!(["VRMC_vrm_animation"]);
    file.json["extensions"] = json!({"VRMC_vrm_animation": {
        "specVersion": "1.0",
        "humanoid": {"humanBones": {"spine": {"node": 0}, "neck": {"node": 1}, "head": {"node": 2}}},
        "expressions": {"preset": {"happy": {"node": 3}}, "custom": {"tongueOut": {"node": 4}}},
        "lookAt": {"node": 5},
    }});
    file
}

/// Adds a channel of the animation.
fn animate(file: &mut GltfBuilder, node: usize, path: &str, times: &[f32], values: &[f32], interpolation: &str) {
    let kind = if path == "rotation" { "VEC4" } else { "VEC3" };
    let (input, output) = (file.floats("SCALAR", times), file.floats(kind, values));
    let animation = &mut file.json["animations"][0];
    let sampler = animation["samplers"].as_array().unwrap().len();
    let sampled = json!({"input": input, "output": output, "interpolation": interpolation});
    animation["samplers"].as_array_mut().unwrap().push(sampled);
    let channel = json!({"sampler": sampler, "target": {"node": node, "path": path}});
    animation["channels"].as_array_mut().unwrap().push(channel);
}

/// The keys of a rotation from rest to a turn in the axes of the file, of a node whose parent and itself are turned so at rest.
fn keys(above: Quat, rest: Quat, turn: Quat) -> Vec<f32> {
    let turned = above.inverse() * turn * (above * rest);
    [rest, turned].iter().flat_map(|rotation| rotation.to_array()).collect()
}

fn value(take: &Take, column: &str, time_secs: f32) -> f32 {
    let column = take.column_names().position(|name| name == column).unwrap_or_else(|| panic!("no {column}"));
    take.sample(column, time_secs)
}

#[test]
fn expressions_are_columns_with_weights_from_0_to_1() {
    let mut file = animation();
    animate(&mut file, 3, "translation", &[0.0, 1.0, 2.0], &[0.0, 9.0, 9.0, 0.5, 9.0, 9.0, 1.5, 9.0, 9.0], "LINEAR");
    animate(&mut file, 4, "translation", &[0.0, 2.0], &[-0.25, 0.0, 0.0, 1.0, 0.0, 0.0], "STEP");
    for name in ["talk.vrma", "talk.glb"] {
        let take = take(name, file.glb());
        assert_eq!((take.name.as_str(), take.duration_secs, names(&take)), ("talk", 2.0, vec!["happy", "tongueOut"]));
        assert_eq!([0.5, 1.0, 2.0].map(|time_secs| value(&take, "happy", time_secs)), [0.25, 0.5, 1.0]);
        assert_eq!([1.9, 2.0].map(|time_secs| value(&take, "tongueOut", time_secs)), [0.0, 1.0]);
        assert_eq!(warnings(&take), [""; 0]);
    }
    assert_eq!(names(&take("talk.gltf", file.gltf())).len(), 2, "as text");
}

#[test]
fn neck_and_head_turn_the_head_whatever_their_axes_are() {
    let mut file = animation();
    let [spine, neck, head] =
        [Quat::from_rotation_z(0.7), Quat::from_rotation_x(FRAC_PI_2), Quat::from_rotation_y(-0.4)];
    let [to_left, down] = [Quat::from_rotation_y(0.3), Quat::from_rotation_x(0.2)];
    animate(&mut file, 1, "rotation", &[0.0, 1.0], &keys(spine, neck, to_left), "LINEAR");
    animate(&mut file, 2, "rotation", &[0.0, 1.0], &keys(spine * neck, head, down), "LINEAR");
    let take = take("turn.vrma", file.glb());
    assert_eq!(names(&take), ["HeadYaw", "HeadPitch", "HeadRoll"]);
    // A positive pitch of these columns is up.
    let expected = [("HeadYaw", 0.3), ("HeadPitch", -0.2), ("HeadRoll", 0.0)];
    for (column, angle) in expected {
        assert!((value(&take, column, 1.0) - angle).abs() < 1e-6, "{column}: {}", value(&take, column, 1.0));
        assert!(value(&take, column, 0.0).abs() < 1e-6, "{column} at rest");
    }
}

#[test]
fn the_gaze_turns_both_eyes() {
    let mut file = animation();
    let to_left = Quat::from_rotation_y(0.25) * Quat::from_rotation_x(0.1);
    animate(&mut file, 5, "rotation", &[0.0], &to_left.to_array(), "LINEAR");
    let take = take("look.vrma", file.glb());
    assert_eq!(names(&take), ["LeftEyeYaw", "LeftEyePitch", "RightEyeYaw", "RightEyePitch"]);
    // A positive yaw of these columns is to the actor's own right.
    for (column, angle) in
        [("LeftEyeYaw", -0.25), ("RightEyeYaw", -0.25), ("LeftEyePitch", 0.1), ("RightEyePitch", 0.1)]
    {
        assert!((value(&take, column, 0.0) - angle).abs() < 1e-6, "{column}: {}", value(&take, column, 0.0));
    }
}

#[test]
fn the_body_is_a_part_of_the_take_and_what_does_not_exist_is_named() {
    let mut file = animation();
    let message = open("still.vrma", &file.glb()).expect_err("nothing moves");
    assert!(message.contains("moves no bone, expression or gaze"), "{message}");
    let (rest, lifted) = (Quat::from_rotation_z(0.7), Quat::from_rotation_x(0.3));
    animate(&mut file, 0, "rotation", &[0.0, 1.0], &keys(Quat::IDENTITY, rest, lifted), "LINEAR");
    let still = take("body.vrma", file.glb());
    assert_eq!((still.columns.len(), still.duration_secs), (0, 1.0), "the body alone");
    let body = still.body.unwrap();
    assert_eq!(body.bones.iter().map(|bone| bone.name.as_str()).collect::<Vec<_>>(), ["spine"]);
    assert!(body.bones[0].turned(1.0).angle_between(lifted) < 1e-3 && body.bones[0].turned(0.0).is_near_identity());
    animate(&mut file, 3, "translation", &[0.0], &[1.0, 0.0, 0.0], "LINEAR");
    file.json["extensions"]["VRMC_vrm_animation"]["expressions"]["custom"]["gone"] = json!({"node": 77});
    let take = take("talk.vrma", file.glb());
    assert_eq!(names(&take), ["happy"]);
    assert!(notes(&take, Level::Info).iter().any(|note| note.contains("also moves \"spine\"")), "{:?}", take.notes);
    assert!(
        warnings(&take).iter().any(|note| note.contains("do not exist") && note.contains("gone")),
        "{:?}",
        take.notes
    );
}

#[test]
fn many_expressions_of_one_node_share_its_keys() {
    let mut file = animation();
    let keys: Vec<f32> = (0..2000).map(|key| key as f32 * 0.01).collect();
    let values: Vec<f32> = keys.iter().flat_map(|key| [key * 0.01, 0.0, 0.0]).collect();
    animate(&mut file, 3, "translation", &keys, &values, "LINEAR");
    let names = (0..5000).map(|name| (format!("expression {name}"), json!({"node": 3})));
    let custom: serde_json::Map<String, Value> = names.collect();
    file.json["extensions"]["VRMC_vrm_animation"]["expressions"]["custom"] = Value::Object(custom);
    let take = take("many.vrma", file.glb());
    assert_eq!((take.columns.len(), take.tracks.len()), (5001, 1));
    assert_eq!(value(&take, "expression 4999", 10.0), value(&take, "happy", 10.0));
}

/// The same motion of the hips, exported by programs that put nodes of their own above them: 5 cm up, 3 cm to the left and 2 cm forward
/// from a height of 1 m.
#[test]
fn hips_move_as_far_as_in_the_world_of_the_file_whatever_is_above_them() {
    let quarter = Quat::from_rotation_x(-FRAC_PI_2);
    let above = |scale: Vec3, rotation: Quat, translation: Vec3| (scale, rotation, translation);
    let plain = above(Vec3::ONE, Quat::IDENTITY, Vec3::ZERO);
    for nodes_above in [
        vec![],
        vec![plain],
        vec![above(Vec3::splat(0.01), Quat::IDENTITY, Vec3::ZERO)],
        vec![above(Vec3::splat(0.01), quarter, Vec3::ZERO)],
        vec![
            above(Vec3::splat(0.1), quarter, Vec3::Y * 0.5),
            above(Vec3::splat(0.1), Quat::from_rotation_z(0.4), Vec3::X),
        ],
        vec![above(Vec3::splat(100.0), Quat::from_rotation_y(1.0), Vec3::NEG_Y)],
        vec![above(Vec3::new(0.01, 0.02, 0.05), Quat::IDENTITY, Vec3::ZERO)],
        vec![above(Vec3::new(-1.0, 1.0, 1.0), Quat::IDENTITY, Vec3::ZERO)],
    ] {
        let matrix = |&(scale, rotation, translation): &(Vec3, Quat, Vec3)| {
            Mat4::from_scale_rotation_translation(scale, rotation, translation)
        };
        let file_from_above: Mat4 = nodes_above.iter().map(matrix).product();
        let local = |point: Vec3| file_from_above.inverse().transform_point3(point);
        let (rest, moved) = (local(Vec3::Y), local(Vec3::new(0.03, 1.05, 0.02)));
        let mut file = animation();
        let first = file.json["nodes"].as_array().unwrap().len();
        for (at, (scale, rotation, translation)) in nodes_above.iter().enumerate() {
            let transform = json!({"scale": scale.to_array(), "rotation": rotation.to_array(), "translation": translation.to_array()});
            file.push("nodes", transform);
            file.json["nodes"][first + at]["children"] = json!([first + at + 1]);
        }
        let hips = first + nodes_above.len();
        file.push("nodes", json!({"name": "hips", "translation": rest.to_array()}));
        file.json["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"]["hips"] = json!({"node": hips});
        animate(&mut file, hips, "translation", &[0.0, 1.0], &[rest, moved].map(|it| it.to_array()).concat(), "LINEAR");
        let body = take("walk.vrma", file.glb()).body.unwrap();
        // An avatar of half the size, which stands on a node of its own.
        let node = |parent, translation, scale| Node {
            name: String::new(),
            parent,
            rest: LocalTransform::Trs(Trs { translation, scale: Vec3::splat(scale), ..Trs::IDENTITY }),
        };
        let nodes = vec![node(None, Vec3::ZERO, 0.01), node(Some(0), Vec3::Y * 50.0, 1.0)];
        let bones = vec![("hips".into(), 1)];
        let avatar = Some(Avatar {
            version: VrmVersion::V1,
            meta: serde_json::Map::new(),
            bones,
            look_at: None,
            first_person: Vec::new(),
        });
        let head = Head::new(Asset { rig: Rig { nodes, ..Rig::default() }, avatar, ..Asset::default() });
        let at =
            |secs| head.world_from_nodes([], Some((&body, secs)), &[], &FaceTurns::NONE, &head.face_joints).unwrap()[1];
        for (secs, place) in [(0.0, Vec3::Y * 0.5), (1.0, Vec3::new(0.015, 0.525, 0.01))] {
            let seen = at(secs).w_axis.truncate();
            assert!(seen.distance(place) < 1e-5, "{nodes_above:?} at {secs} s: {seen}");
        }
    }
}
