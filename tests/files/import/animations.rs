//! Animations of glTF files: interpolation, invalid channels, and pointers.

use glam::Vec3;
use serde_json::json;
use smirk_face::head::Level;

use smirk_support::gltf_builder::{GltfBuilder, SHORT, UNSIGNED_BYTE};
use smirk_support::head_checks::says;

#[test]
fn clips_have_every_interpolation_and_animate_each_instance() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.push("nodes", json!({"mesh": 0}));
    file.animate(1, "CUBICSPLINE", &[0., 1.], &[0., 0., 1., 2., 0., 0., 0., 0., 3., 6., 0., 0.]);
    file.animate(0, "STEP", &[0., 1.], &[0., 0., 1., 1.]);
    let bytes = file.accessor("SCALAR", UNSIGNED_BYTE, 4, &[0, 255, 51, 0]);
    file.json["accessors"][bytes]["normalized"] = json!(true);
    file.animate(0, "LINEAR", &[0., 1.], &[0.; 4]);
    file.json["animations"][2]["samplers"][0]["output"] = json!(bytes);
    let head = file.open().unwrap();
    assert_eq!((head.clips.len(), head.clips[0].tracks[0].first_target), (3, 2));
    assert_eq!((head.clips[0].sample(0.5, 2), head.clips[0].sample(0.5, 3)), (Some(2.0), Some(4.0)));
    assert_eq!(head.clips[0].sample(0.5, 0), None);
    assert_eq!(head.clips[1].sample(0.9, 0), Some(0.0));
    assert_eq!((head.clips[2].sample(0.0, 1), head.clips[2].sample(1.0, 0)), (Some(1.0), Some(0.2)));
}

#[test]
fn broken_and_unsupported_animations_are_left_out_alone() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.animate(0, "LINEAR", &[0., 1.], &[0., 0., 1.]);
    file.animate(0, "WOBBLE", &[0.], &[0., 0.]);
    file.animate(0, "LINEAR", &[0.], &[1., 1.]);
    file.animate(0, "LINEAR", &[0.], &[1., 1.]);
    file.json["animations"][3]["channels"][0]["target"]["path"] = json!("rotation");
    let target = json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0"}}});
    file.json["animations"][2]["channels"].as_array_mut().unwrap().push(json!({"sampler": 0, "target": target}));
    let head = file.open().unwrap();
    assert_eq!(head.clips.len(), 1);
    assert!(says(&head, Level::Warning, "2 keys of 2 values each need 4 numbers, the file has 3"));
    assert!(says(&head, Level::Warning, "interpolation glTF does not have"));
    assert!(says(&head, Level::Warning, "has 1 numbers per element"));
    assert!(says(&head, Level::Warning, "KHR_animation_pointer that are not played: \"/nodes/0\""));
    assert!(says(&head, Level::Warning, "nothing left to play"));
}

#[test]
fn invalid_channels_are_left_out_alone() {
    let mut file = GltfBuilder::triangle();
    file.animate(0, "STEP", &[0.], &[0.]);
    let place = file.floats("VEC3", &[1., 2., 3.]);
    let samplers = file.json["animations"][0]["samplers"].as_array_mut().unwrap();
    samplers.extend([json!({"input": 2, "output": place}), json!({"input": 2}), json!(7)]);
    file.push("nodes", json!({"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}));
    let target = |node: i32| json!({"node": node, "path": "translation"});
    file.json["animations"][0]["channels"] = json!([
        {"sampler": 1, "target": target(0)},
        {"sampler": 1, "target": target(1)},
        {"sampler": 1, "target": target(9)},
        {"sampler": 1, "target": target(-1)},
        {"sampler": 2, "target": target(0)},
        {"sampler": 3, "target": target(0)},
        {"sampler": 1, "target": {"node": 0, "path": "weights"}},
        {"sampler": 1, "target": {"path": "translation"}},
        {"target": target(0)},
        "nonsense",
    ]);
    file.push("animations", json!("nonsense"));
    file.push("animations", json!({"channels": [], "samplers": []}));
    let head = file.open().unwrap();
    assert_eq!((head.clips.len(), head.clips[0].tracks.len(), head.clips[0].node_tracks.len()), (1, 0, 1));
    let moved = head.clips[0].world_from_nodes(&head.rig, 0.0).unwrap();
    assert_eq!(moved[0].transform_point3(Vec3::ZERO), Vec3::new(1., 2., 3.));
    assert_eq!(head.notes.iter().filter(|note| note.message.ends_with("; left out")).count(), 10);
    for text in
        ["which has a matrix", "refers to node 9, the file has 2", "missing field `output`", "whose mesh has no"]
    {
        assert!(says(&head, Level::Warning, text), "{text}");
    }
    assert!(says(&head, Level::Info, "1 channels name no node"));
    assert!(says(&head, Level::Info, "moves nothing"));
}

#[test]
fn quantised_rotations_move_the_nodes_of_the_rig() {
    let mut file = GltfBuilder::triangle();
    // In the file the parent comes after its child, in the rig before it.
    file.push("nodes", json!({"children": [0], "name": "neck", "translation": [0, 5, 0]}));
    let half = (32767.0 * std::f32::consts::FRAC_1_SQRT_2) as i16;
    let turns: Vec<u8> = [0, 0, 0, 32767, 0, 0, half, half].iter().flat_map(|part: &i16| part.to_le_bytes()).collect();
    let turns = file.accessor("VEC4", SHORT, 2, &turns);
    file.json["accessors"][turns]["normalized"] = json!(true);
    file.animate(1, "LINEAR", &[0., 2.], &[0.]);
    file.json["animations"][0]["samplers"][0]["output"] = json!(turns);
    file.json["animations"][0]["channels"][0]["target"]["path"] = json!("rotation");
    let head = file.open().unwrap();
    assert_eq!((head.rig.nodes[0].name.as_str(), head.rig.nodes[1].parent), ("neck", Some(0)));
    let mesh = &head.meshes[0];
    assert_eq!(mesh.world_from_mesh.transform_point3(Vec3::X), Vec3::new(1., 5., 0.));
    let at_end = head.clips[0].world_from_nodes(&head.rig, 2.0).unwrap()[mesh.node.unwrap()];
    assert!(at_end.transform_point3(Vec3::X).distance(Vec3::new(0., 6., 0.)) < 1e-4);
    assert_eq!(head.clips[0].driven_channels().count(), 0);
}

#[test]
fn animation_pointers_move_weights_and_nodes() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.push("nodes", json!({"mesh": 0}));
    file.push("nodes", json!({"mesh": 0, "weights": [0.5, 0.5]}));
    file.animate(0, "LINEAR", &[0., 1.], &[0., 1., 2., 3.]);
    file.animate(0, "LINEAR", &[0., 1.], &[0., 8.]);
    let scale = file.floats("VEC3", &[1., 1., 1., 3., 3., 3.]);
    file.animate(0, "LINEAR", &[0., 1.], &[0.]);
    file.json["animations"][2]["samplers"][0]["output"] = json!(scale);
    let pointer = |to: &str| json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": to}}});
    for (animation, to) in ["/meshes/0/weights", "/nodes/1/weights/1", "/nodes/1/scale"].iter().enumerate() {
        file.json["animations"][animation]["channels"][0]["target"] = pointer(to);
    }
    let lost = json!({"sampler": 0, "target": pointer("/nodes/1/weights/2")});
    file.json["animations"][0]["channels"].as_array_mut().unwrap().push(lost);
    file.json["extensionsRequired"] = json!(["KHR_animation_pointer"]);
    let head = file.open().unwrap();
    let at_end = |clip: usize, target| head.clips[clip].sample(1.0, target);
    let whole: Vec<_> = (0..6).map(|target| at_end(0, target)).collect();
    assert_eq!(whole, [Some(2.), Some(3.), Some(2.), Some(3.), None, None], "the third node has weights of its own");
    assert_eq!((at_end(1, 2), at_end(1, 3)), (None, Some(8.)));
    let scaled = head.clips[2].world_from_nodes(&head.rig, 1.0).unwrap()[head.meshes[1].node.unwrap()];
    assert_eq!(scaled.transform_point3(Vec3::X), Vec3::X * 3.0);
    assert!(says(&head, Level::Warning, "moves weight 2 of node 1, which has 2"));
    assert_eq!(head.notes.iter().filter(|note| note.level == Level::Warning).count(), 1, "{:?}", head.notes);
}

#[test]
fn of_channels_that_move_one_property_the_last_counts_and_a_note_says_so() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}, {"POSITION": 0}]);
    // Weights of the node, twice; one weight by a pointer; then a pointer to the weights of the mesh.
    file.animate(0, "LINEAR", &[0., 1.], &[0., 0., 0., 0.1, 0.2, 0.3]);
    let sampler = |file: &mut GltfBuilder, kind: &str, values: &[f32]| {
        let (times, values) = (file.floats("SCALAR", &[0., 1.]), file.floats(kind, values));
        let samplers = file.json["animations"][0]["samplers"].as_array_mut().unwrap();
        samplers.push(json!({"input": times, "output": values}));
        samplers.len() - 1
    };
    let pointer = |text: &str| json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": text}}});
    let channels = |file: &mut GltfBuilder, target: serde_json::Value, sampler: usize| {
        let channels = file.json["animations"][0]["channels"].as_array_mut().unwrap();
        channels.push(json!({"sampler": sampler, "target": target}));
    };
    let weights = |file: &GltfBuilder| {
        let head = file.open().unwrap();
        let at_end = [0, 1, 2].map(|target| head.clips[0].sample(1.0, target));
        (at_end, says(&head, Level::Warning, "the last counts: weights of node 0"))
    };
    assert_eq!(weights(&file), ([Some(0.1), Some(0.2), Some(0.3)], false));
    let one = sampler(&mut file, "SCALAR", &[0., 0.9]);
    channels(&mut file, pointer("/nodes/0/weights/1"), one);
    assert_eq!(weights(&file), ([Some(0.1), Some(0.9), Some(0.3)], true));
    let again = sampler(&mut file, "SCALAR", &[0., 0.8]);
    channels(&mut file, pointer("/meshes/0/weights/0"), again);
    assert_eq!(weights(&file), ([Some(0.8), Some(0.9), Some(0.3)], true));
    let all = sampler(&mut file, "SCALAR", &[0., 0., 0., 0.5, 0.6, 0.7]);
    channels(&mut file, json!({"node": 0, "path": "weights"}), all);
    assert_eq!(weights(&file), ([Some(0.5), Some(0.6), Some(0.7)], true));
    assert_eq!(file.open().unwrap().clips[0].tracks.len(), 1);

    // The same with transforms, as a channel and by a pointer.
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    file.animate(0, "LINEAR", &[0., 1.], &[0., 1.]);
    for (target, x) in [(json!({"node": 0, "path": "translation"}), 1.0), (pointer("/nodes/0/translation"), 2.0)] {
        let sampler = sampler(&mut file, "VEC3", &[0., 0., 0., x, 0., 0.]);
        channels(&mut file, target, sampler);
    }
    let head = file.open().unwrap();
    let worlds = head.clips[0].world_from_nodes(&head.rig, 1.0).unwrap();
    assert_eq!((worlds[0].transform_point3(Vec3::ZERO), head.clips[0].node_tracks.len()), (Vec3::X * 2.0, 1));
    assert!(says(&head, Level::Warning, "the last counts: translation of node 0"), "{:?}", head.notes);
}
