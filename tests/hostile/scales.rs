//! Heads of any size, and parts of any size beside each other: what is computed of them is finite, and no number overflows.

use serde_json::json;
use smirk_face::head::Head;
use smirk_picture::ambient_occlusion::AmbientOcclusion;
use smirk_support::gltf_builder::GltfBuilder;

/// Two triangles with a target each, which is as large as they are; one of them in its usual size beside the other.
fn head(scale: f32, shape: f32) -> Option<Head> {
    let mut file = GltfBuilder::triangle();
    let moved = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, shape, 0.0, 0.0, 0.0]);
    file.primitive()["targets"] = json!([{"POSITION": moved}]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["jawOpen"]});
    file.push("nodes", json!({"mesh": 0, "scale": [scale, scale, scale]}));
    file.open().ok()
}

#[test]
fn what_is_dark_is_found_at_every_scale() {
    let mut opened = 0;
    for exponent in (-38..=38).step_by(4) {
        let scale = 10.0_f32.powi(exponent);
        for (scale, shape) in [(scale, 0.1), (1.0, scale), (scale, scale)] {
            let Some(head) = head(scale, shape) else { continue };
            // Overflows panic where they are checked.
            AmbientOcclusion::measure(&head);
            opened += 1;
        }
    }
    assert!(opened > 20, "{opened} opened");
}
