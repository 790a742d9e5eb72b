//! Animations.

use serde_json::json;
use smirk::head::Level;

use crate::gltf_builder::{GltfBuilder, UNSIGNED_BYTE};
use crate::says;

#[test]
fn clips_hold_every_interpolation_and_drive_each_instance() {
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
fn broken_and_foreign_animations_cost_themselves_only() {
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
    assert!(says(&head, Level::Info, "moves nodes only"));
    assert!(says(&head, Level::Warning, "KHR_animation_pointer"));
}
