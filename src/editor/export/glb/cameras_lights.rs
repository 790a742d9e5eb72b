//! Cameras (glTF 2.0 §3.10) and lights (`KHR_lights_punctual`), each on its node.

use std::f64::consts::FRAC_PI_2;

use serde_json::{Map, Value, json};

use super::nodes::Nodes;
use smirk_face::head::{Beam, FileCamera, FileLight, Head, Lens};

const LIGHTS: &str = "KHR_lights_punctual";

/// Adds the cameras and lights of a head to the root object, to the extensions of the file and to their nodes.
pub(super) fn write(
    head: &Head,
    root: &mut Map<String, Value>,
    extensions: &mut Map<String, Value>,
    nodes: &mut Nodes,
) {
    for (index, camera) in head.cameras.iter().enumerate() {
        let is_free = |nodes: &Nodes, node: usize| nodes.list[node].get("camera").is_none();
        let node = nodes.node_with_free(camera.node, is_free, &camera.name, camera.world_from_camera);
        nodes.list[node]["camera"] = json!(index);
    }
    for (index, light) in head.lights.iter().enumerate() {
        let is_free = |nodes: &Nodes, node: usize| nodes.list[node]["extensions"].get(LIGHTS).is_none();
        let node = nodes.node_with_free(light.node, is_free, &light.name, light.world_from_light);
        nodes.list[node]["extensions"] = json!({LIGHTS: {"light": index}});
    }
    if !head.cameras.is_empty() {
        let radius = head.bounds.radius();
        root.insert("cameras".into(), head.cameras.iter().map(|camera| camera_json(camera, radius)).collect());
    }
    if !head.lights.is_empty() {
        let lights: Vec<Value> = head.lights.iter().map(light_json).collect();
        extensions.insert(LIGHTS.into(), json!({"lights": lights}));
    }
}

/// A camera. `radius` is that of the head: glTF asks for clipping planes, which Smirk's cameras do not have.
fn camera_json(camera: &FileCamera, radius: f32) -> Value {
    let (near, far) = (radius * 0.01, radius * 1000.0);
    match camera.lens {
        Lens::Perspective { fov_y_radians } => json!({
            "name": camera.name,
            "type": "perspective",
            "perspective": {"yfov": fov_y_radians, "znear": near}
        }),
        Lens::Orthographic { half_height } => json!({
            "name": camera.name,
            "type": "orthographic",
            "orthographic": {"xmag": half_height, "ymag": half_height, "znear": near, "zfar": far}
        }),
    }
}

fn light_json(light: &FileLight) -> Value {
    let kind = match light.beam {
        Beam::Directional => "directional",
        Beam::Point => "point",
        Beam::Spot { .. } => "spot",
    };
    let mut json = json!({"name": light.name, "type": kind, "color": light.color, "intensity": light.intensity});
    if let Some(range) = light.range.filter(|_| light.beam != Beam::Directional) {
        json["range"] = json!(range);
    }
    if let Beam::Spot { inner_radians, outer_radians } = light.beam {
        // The limit is a number of 64 bits, and the largest angle of 32 bits is above it. The inner angle is the smaller one.
        let outer = f64::from(outer_radians).clamp(f64::from(f32::MIN_POSITIVE), FRAC_PI_2);
        let inner = f64::from(inner_radians).min(f64::from((outer as f32).next_down())).clamp(0.0, outer.next_down());
        json["spot"] = json!({"innerConeAngle": inner, "outerConeAngle": outer});
    }
    json
}
