//! Heads that no importer makes, and that a program may: what glTF cannot hold is left out, and the file is valid.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};
use serde_json::Value;
use smirk_export::glb;
use smirk_face::head::{
    Asset, Clip, Curve, FileCamera, Head, Influence, Influences, Interpolation, Joint, Lens, LocalTransform, Mesh,
    Node, Part, Rig, Skin, Strands, Target, Track, Vertices,
};
use smirk_files::import::open_bytes;

/// The JSON of a GLB, of which no list is empty and no number is missing.
fn checked_json(bytes: &[u8]) -> Value {
    fn check(value: &Value, place: &str) {
        match value {
            Value::Null => panic!("{place} is null"),
            Value::Array(list) => {
                assert!(!list.is_empty(), "{place} is empty");
                list.iter().enumerate().for_each(|(index, each)| check(each, &format!("{place}/{index}")));
            }
            Value::Object(object) => object.iter().for_each(|(key, each)| check(each, &format!("{place}/{key}"))),
            _ => {}
        }
    }
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    check(&json, "");
    assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
    json
}

fn triangle(name: &str) -> Mesh {
    let deltas = [Vec3::Y * 0.5, Vec3::ZERO, Vec3::ZERO];
    Mesh {
        name: name.into(),
        vertices: Vertices {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            ..Vertices::default()
        },
        indices: vec![0, 1, 2],
        parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
        targets: vec![Target::from_dense("jaw \"open\"\u{7}\n".into(), 0.0, &deltas, &[], &[])],
        ..Mesh::default()
    }
}

/// Meshes without vertices, triangles, normals or joints, with numbers that are none, between two that are whole.
pub fn odd() -> Head {
    let track = |first_target| Track {
        first_target,
        curve: Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 1.0], 1).unwrap(),
    };
    let empty = Mesh { targets: vec![Target { name: "nothing".into(), ..Target::default() }], ..Mesh::default() };
    let mut no_triangles = triangle("no triangles");
    no_triangles.parts[0].index_count = 0;
    let mut no_normals = triangle("no normals");
    no_normals.vertices.normals.clear();
    no_normals.parts[0].material = 7;
    let mut not_finite = triangle("not finite");
    not_finite.vertices.positions[2] = Vec3::new(f32::NAN, f32::INFINITY, 1.0);
    not_finite.vertices.normals[0] = Vec3::NAN;
    not_finite.vertices.tangents = vec![Vec4::NAN; 3];
    not_finite.vertices.second_uvs = vec![glam::Vec2::NAN; 3];
    not_finite.targets[0].default_weight = f32::NAN;
    not_finite.targets[0].positions[0] = Vec3::NAN;
    let mut no_joints = triangle("no joints");
    let mut influences = Influences::default();
    (0..3).for_each(|_| assert!(influences.push([Influence { joint: 0, weight: 1.0 }], 0)));
    no_joints.vertices.influences = influences;
    no_joints.skin = Some(0);
    let mut bald = triangle("bald");
    bald.strands = vec![Strands { points: vec![Default::default()], ends: vec![1], ..Strands::default() }];
    let camera = |lens| FileCamera { name: "eye".into(), node: None, world_from_camera: Mat4::IDENTITY, lens };
    Head::new(Asset {
        name: "odd \"head\"\t".into(),
        meshes: vec![triangle("first"), empty, no_triangles, no_normals, not_finite, no_joints, bald, triangle("last")],
        rig: Rig {
            nodes: vec![Node { name: "bent".into(), parent: None, rest: LocalTransform::Matrix(Mat4::NAN) }],
            skins: vec![Skin { name: "no joints".into(), joints: Vec::new() }],
            ..Rig::default()
        },
        clips: vec![
            Clip::new("all".into(), (0..8).map(track).collect()),
            Clip::new("of nothing".into(), vec![track(1)]),
        ],
        cameras: vec![
            camera(Lens::Perspective { fov_y_radians: 0.5 }),
            camera(Lens::Orthographic { half_height: 0.5 }),
        ],
        ..Asset::default()
    })
}

#[test]
fn what_gltf_cannot_hold_is_left_out_of_an_odd_head() {
    let bytes = glb(&odd()).unwrap();
    let json = checked_json(&bytes);
    let names: Vec<&str> = json["meshes"].as_array().unwrap().iter().filter_map(|mesh| mesh["name"].as_str()).collect();
    assert_eq!(names, ["first", "no normals", "not finite", "no joints", "bald", "last"]);
    assert!(json.get("skins").is_none() && !json.to_string().contains("JOINTS"));
    let head = open_bytes(&bytes, "odd.glb").unwrap();
    let names: Vec<&str> = head.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["first", "no normals", "not finite", "no joints", "bald", "last"]);
    assert_eq!(head.clips.len(), 1);
    assert_eq!(head.clips[0].tracks.len(), 6);
    assert_eq!(head.meshes[0].targets[0].name, "jaw \"open\"\u{7}\n");
    assert_eq!(head.meshes[2].vertices.positions[2], Vec3::Z, "what is not finite is 0");
    assert!(head.meshes[1].parts[0].flat_shaded, "without normals, a mesh is shaded flat");
}

#[test]
fn a_head_without_anything_to_show_is_a_file_without_lists() {
    for meshes in [vec![], vec![Mesh::default()]] {
        let json = checked_json(&glb(&Head::new(Asset { meshes, ..Asset::default() })).unwrap());
        assert!(json.get("meshes").is_none() && json.get("accessors").is_none() && json.get("buffers").is_none());
    }
}

#[test]
fn a_node_with_a_matrix_that_a_clip_moves_is_written_so_that_it_can_be_moved() {
    use smirk_face::head::{NodePath, NodeTrack};
    let place =
        Mat4::from_translation(Vec3::X) * Mat4::from_rotation_z(0.5) * Mat4::from_scale(Vec3::new(2.0, 1.0, -1.0));
    let moves = |place: Mat4| {
        let rig = Rig {
            nodes: vec![Node { name: "face".into(), parent: None, rest: LocalTransform::Matrix(place) }],
            ..Rig::default()
        };
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 0.0, 0.0, 0.0, 0.0, 3.0], 3).unwrap();
        let clip = Clip::new("moves".into(), Vec::new()).with_node_tracks(vec![NodeTrack {
            node: 0,
            path: NodePath::Translation,
            curve,
        }]);
        let mesh = Mesh { node: Some(0), ..triangle("face") };
        let head = Head::new(Asset { meshes: vec![mesh], rig, clips: vec![clip], ..Asset::default() });
        let json = checked_json(&glb(&head).unwrap());
        let again = open_bytes(&glb(&head).unwrap(), "a.glb").unwrap();
        assert!(again.meshes[0].world_from_mesh.abs_diff_eq(place, 1e-6), "{}", again.meshes[0].world_from_mesh);
        (json, again)
    };
    let (json, again) = moves(place);
    assert!(json["nodes"][0].get("matrix").is_none(), "{}", json["nodes"]);
    let end =
        again.world_from_nodes([(&again.clips[0], 1.0)], None, &[], &Default::default(), &Default::default()).unwrap();
    assert_eq!(end[0].w_axis.truncate(), Vec3::Z * 3.0);
    // A shear needs two nodes, of which none is that of the clip.
    let (json, again) = moves(Mat4::from_scale(Vec3::new(1.0, 3.0, 1.0)) * Mat4::from_rotation_z(0.5));
    assert!(json.get("animations").is_none() && again.clips.is_empty());
}

#[test]
fn a_node_that_is_a_joint_twice_has_a_second_node_in_the_file() {
    let mut mesh = triangle("face");
    let mut influences = Influences::default();
    (0..3).for_each(|_| assert!(influences.push([Influence { joint: 1, weight: 1.0 }], 0)));
    (mesh.vertices.influences, mesh.skin) = (influences, Some(0));
    let joint = Joint { node: 0, joint_from_mesh: Mat4::NAN };
    let rig = Rig {
        nodes: vec![Node { name: "root".into(), parent: None, rest: LocalTransform::Matrix(Mat4::IDENTITY) }],
        skins: vec![Skin { name: "odd".into(), joints: vec![joint; 2] }],
        ..Rig::default()
    };
    let head = Arc::new(Head::new(Asset { meshes: vec![mesh], rig, ..Asset::default() }));
    let json = checked_json(&glb(&head).unwrap());
    let nodes = json["nodes"].as_array().unwrap().len() as u64;
    let joints: Vec<u64> =
        json["skins"][0]["joints"].as_array().unwrap().iter().map(|joint| joint.as_u64().unwrap()).collect();
    assert!(joints[0] != joints[1] && joints.iter().all(|joint| *joint < nodes), "{joints:?}");
}
