//! Skins: joints and weights of vertices, and skins that cannot be used.

use glam::{Mat4, Vec3};
use serde_json::json;
use smirk_face::head::{Head, Influence, Level};

use smirk_support::gltf_builder::{FLOAT, GltfBuilder, UNSIGNED_BYTE, UNSIGNED_SHORT};
use smirk_support::head_checks::says;

/// The triangle bound to two joints (nodes 1 and 2), with weight 0.6 on the first; its own node is far away.
fn skinned() -> GltfBuilder {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0, "NORMAL": 1}]);
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
    let weights = file.floats("VEC4", &[0.6, 0.4, 0., 0.].repeat(3));
    file.primitive()["attributes"]["JOINTS_0"] = json!(joints);
    file.primitive()["attributes"]["WEIGHTS_0"] = json!(weights);
    // A quarter turn about x, scaled by 2, 1 up.
    let (sin, cos) = (std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2);
    file.push(
        "nodes",
        json!({"rotation": [sin, 0, 0, cos], "scale": [2, 2, 2], "translation": [0, 1, 0], "name": "jaw"}),
    );
    file.push("nodes", json!({"children": [1]}));
    file.json["nodes"][0]["skin"] = json!(0);
    file.json["nodes"][0]["translation"] = json!([50, 50, 50]);
    file.push("skins", json!({"joints": [1, 2], "skeleton": 2}));
    file
}

/// The positions of the head's vertices at rest.
fn positions(head: &Head) -> Vec<Vec3> {
    head.rest_pose.positions_in_world(&head.meshes[0]).collect()
}

fn assert_close(head: &Head, expected: [Vec3; 3]) {
    let positions = positions(head);
    assert!(positions.iter().zip(&expected).all(|(a, b)| a.distance(*b) < 1e-5), "{positions:?} are not {expected:?}");
}

#[test]
fn vertices_stay_in_the_bind_pose_and_are_shown_where_their_joints_are() {
    let mut file = skinned();
    // The scene has the mesh, but not its joints.
    file.json["scenes"] = json!([{"nodes": [0]}]);
    let head = file.open().unwrap();
    let mesh = &head.meshes[0];
    assert_eq!((mesh.vertices.positions[2], mesh.targets[0].positions[2]), (Vec3::Y, Vec3::Y));
    assert_eq!(
        mesh.vertices.influences.of_vertex(1),
        [Influence { joint: 0, weight: 0.6 }, Influence { joint: 1, weight: 0.4 }]
    );
    // 0.6 of the first joint (rotated, scaled by 2, moved) and 0.4 of the second, which is the identity.
    assert_close(&head, [Vec3::Y * 0.6, Vec3::new(1.6, 0.6, 0.), Vec3::new(0., 1., 1.2)]);
    assert!(head.bounds.max.distance(Vec3::new(1.6, 1.0, 1.2)) < 1e-5, "{:?}", head.bounds);
    assert_eq!(head.rig.skins[0].joints.len(), 2);
    assert_eq!(head.rig.nodes[head.rig.skins[0].joints[0].node].name, "jaw");
    assert!(says(&head, Level::Info, "skin \"skin 0\": its 2 joints skin 1 meshes"));
    assert!(head.notes.iter().all(|note| note.level == Level::Info), "{:?}", head.notes);
}

#[test]
fn inverse_bind_matrices_are_applied() {
    let mut file = skinned();
    let binds = [Mat4::from_translation(Vec3::X), Mat4::from_scale(Vec3::splat(0.5))];
    let binds = file.floats("MAT4", &binds.map(|bind| bind.to_cols_array()).concat());
    file.json["skins"][0]["inverseBindMatrices"] = json!(binds);
    assert_close(&file.open().unwrap(), [Vec3::new(1.2, 0.6, 0.), Vec3::new(2.6, 0.6, 0.), Vec3::new(1.2, 0.8, 1.2)]);
}

#[test]
fn vertices_may_have_eight_joints_and_weights_are_normalised() {
    let mut file = skinned();
    let joints = file.accessor("VEC4", UNSIGNED_SHORT, 3, &[1, 0, 0, 0, 0, 0, 0, 0].repeat(3));
    let weights = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[0, 0, 0, 51, 0, 0, 0, 0, 0, 0, 0, 102]);
    file.json["accessors"][weights]["normalized"] = json!(true);
    file.primitive()["attributes"]["JOINTS_1"] = json!(joints);
    file.primitive()["attributes"]["WEIGHTS_1"] = json!(weights);
    let head = file.open().unwrap();
    let influences = &head.meshes[0].vertices.influences;
    let weights = |vertex| influences.of_vertex(vertex).iter().map(|influence| influence.weight).collect::<Vec<_>>();
    assert_eq!((influences.most(), weights(1).len()), (3, 2));
    assert!(weights(2).iter().zip([0.6 / 1.4, 0.4 / 1.4, 0.4 / 1.4]).all(|(a, b)| (a - b).abs() < 1e-6));
    assert!(says(&head, Level::Info, "the joint weights of 2 vertices do not add up to 1; they were normalised"));
}

#[test]
fn vertices_without_joints_follow_their_node() {
    let mut file = skinned();
    let weights = file.floats("VEC4", &[[0.6, 0.4, 0., 0.], [0.; 4], [0., -1., 0., 0.]].concat());
    file.primitive()["attributes"]["WEIGHTS_0"] = json!(weights);
    let head = file.open().unwrap();
    let node = Vec3::splat(50.0);
    assert_close(&head, [Vec3::Y * 0.6, node + Vec3::X, node + Vec3::Y]);
    assert!(says(&head, Level::Warning, "2 vertices are bound to no joint of its skin; they follow its node"));
    // A second mesh on the same skin has a node of its own.
    file.push("nodes", json!({"mesh": 0, "skin": 0}));
    let head = file.open().unwrap();
    assert_eq!((head.rig.skins.len(), head.rig.skins[0].joints.len()), (1, 4));
    let second: Vec<Vec3> = head.rest_pose.positions_in_world(&head.meshes[1]).collect();
    assert_eq!((positions(&head)[1], second[1]), (node + Vec3::X, Vec3::X));
}

#[test]
fn a_skin_that_cannot_be_used_is_left_out() {
    let node = Vec3::splat(50.0);
    let left_out = |file: &GltfBuilder, why: &str| {
        let head = file.open().unwrap();
        assert_close(&head, [node, node + Vec3::X, node + Vec3::Y]);
        assert_eq!((head.meshes[0].skin, head.meshes[0].vertices.influences.len()), (None, 0));
        assert!(says(&head, Level::Warning, &format!("{why}; shown without its skin")), "{:?}", head.notes);
    };
    let mut file = skinned();
    let one = file.floats("MAT4", &Mat4::IDENTITY.to_cols_array());
    file.json["skins"][0]["inverseBindMatrices"] = json!(one);
    left_out(&file, "its skin \"skin 0\" has 1 inverse bind matrices for 2 joints");
    file.json["skins"][0] = json!({"joints": [1]});
    left_out(&file, "vertex 0 is bound to joint 1, its skin has 1");
    let broken = file.floats("MAT4", &[f32::NAN; 16]);
    file.json["skins"][0]["inverseBindMatrices"] = json!(broken);
    left_out(&file, "joint 0 of its skin \"skin 0\" is not finite");
    file.primitive()["attributes"] = json!({"POSITION": 0, "NORMAL": 1});
    file.json["skins"][0] = json!({"joints": [1]});
    left_out(&file, "has a skin and no JOINTS_0");
    file.json["skins"][0] = json!({"name": "body", "joints": [1, 9]});
    left_out(&file, "joint 1 of its skin \"body\" is node 9, the file has 3 of them");
    file.json["skins"][0] = json!({"joints": [1], "inverseBindMatrices": 99});
    left_out(
        &file,
        &format!("refers to accessor 99, the file has {} of them", file.json["accessors"].as_array().unwrap().len()),
    );
    file.json["nodes"][0]["skin"] = json!(4);
    left_out(&file, "refers to skin 4, the file has 1 of them");
}

#[test]
fn too_many_sets_of_joints_are_refused() {
    let mut file = skinned();
    let many = 60_000;
    let place = file.push("accessors", json!({"componentType": FLOAT, "type": "VEC3", "count": many}));
    let joint = file.push("accessors", json!({"componentType": UNSIGNED_BYTE, "type": "VEC4", "count": many}));
    let weight = file.push("accessors", json!({"componentType": FLOAT, "type": "VEC4", "count": many}));
    let mut attributes = json!({"POSITION": place});
    for set in 0..400 {
        attributes[format!("JOINTS_{set}")] = json!(joint);
        attributes[format!("WEIGHTS_{set}")] = json!(weight);
    }
    *file.primitive() = json!({"attributes": attributes});
    assert!(file.refusal().contains("more than the"));
}

#[test]
fn too_many_instances_with_sets_of_joints_are_refused() {
    let mut file = skinned();
    let many = 100;
    let bare = |component: u32, kind: &str| json!({"componentType": component, "type": kind, "count": many});
    let place = file.push("accessors", bare(FLOAT, "VEC3"));
    let joint = file.push("accessors", bare(UNSIGNED_BYTE, "VEC4"));
    let weights = file.floats("VEC4", &[0.25; 400]);
    let mut attributes = json!({"POSITION": place});
    for set in 0..40 {
        attributes[format!("JOINTS_{set}")] = json!(joint);
        attributes[format!("WEIGHTS_{set}")] = json!(weights);
    }
    *file.primitive() = json!({"attributes": attributes});
    for _ in 0..1500 {
        file.push("nodes", json!({"mesh": 0, "skin": 0}));
    }
    assert!(file.refusal().contains("more than the"));
}
