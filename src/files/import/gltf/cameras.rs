//! Cameras (glTF 2.0 §3.10). An invalid camera is left out with a note; nothing else depends on it.

use serde_json::Value;

use super::nodes::NodeGraph;
use super::read::GltfDocument;
use smirk_face::head::{FileCamera, Kind, Lens, Note, Notes, Subject};

/// The cameras of nodes in the scene.
pub(super) fn read_all(document: &GltfDocument, graph: &NodeGraph, notes: &mut Notes) -> Vec<FileCamera> {
    let (mut cameras, mut hidden) = (Vec::new(), 0);
    for (index, node) in document.nodes.iter().enumerate() {
        let Some(camera) = node.camera else { continue };
        if !graph.is_in_scene(index) {
            hidden += 1;
            continue;
        }
        let Some(value) = document.cameras.get(camera.value()) else {
            let message = format!("has camera {}, the file has {}; left out", camera.value(), document.cameras.len());
            notes.push(Note::warning(Subject::Numbered(Kind::Node, index), message));
            continue;
        };
        let own_name = value.get("name").and_then(Value::as_str).map(str::to_owned);
        let name = own_name.or_else(|| node.name.clone()).unwrap_or_else(|| format!("camera {}", camera.value()));
        let subject = Subject::named(Kind::Camera, &name);
        let Some(lens) = lens(value) else {
            notes.push(Note::warning(subject, "has no valid lens; left out"));
            continue;
        };
        if matches!(lens, Lens::Orthographic { .. }) {
            notes.push(Note::info(
                subject,
                "is orthographic: shown from far away through a long lens, at the same size",
            ));
        }
        let world_from_camera = graph.world_from_file_node(index);
        cameras.push(FileCamera { name, node: graph.rig_index(index), world_from_camera, lens });
    }
    if hidden > 0 {
        notes.push(Note::info(
            Subject::All(Kind::Scene),
            format!("{hidden} cameras are not in the default scene and left out"),
        ));
    }
    cameras
}

/// The lens of a camera; none if its properties are missing or out of range.
fn lens(camera: &Value) -> Option<Lens> {
    let number = |kind: &str, key: &str| {
        let number = camera.get(kind)?.get(key)?.as_f64()? as f32;
        (number.is_finite() && number > 0.0).then_some(number)
    };
    match camera.get("type")?.as_str()? {
        "perspective" => {
            let fov_y_radians = number("perspective", "yfov").filter(|angle| *angle < std::f32::consts::PI)?;
            Some(Lens::Perspective { fov_y_radians })
        }
        "orthographic" => Some(Lens::Orthographic { half_height: number("orthographic", "ymag")? }),
        _ => None,
    }
}
