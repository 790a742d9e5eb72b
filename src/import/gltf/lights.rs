//! Lights (`KHR_lights_punctual`). A broken one is left out; nothing else depends on it.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use serde_json::Value;

use super::nodes::Graph;
use crate::head::{Beam, FileLight, Note, listed};
use crate::import::error::quoted;
use crate::import::gltf::read::Document;

const EXTENSION: &str = "KHR_lights_punctual";

/// Sums of such lights are still numbers.
const BRIGHTEST: f32 = 1e12;

/// One per node that has one, as many as are shown.
pub fn read_all(document: &Document, graph: &Graph, notes: &mut Vec<Note>) -> Vec<FileLight> {
    let list = document.extensions.get(EXTENSION).and_then(|extension| extension.get("lights"));
    let list = list.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let (mut lights, mut further, mut hidden) = (Vec::new(), Vec::new(), 0);
    for (index, node) in document.nodes.iter().enumerate() {
        let extension = node.extensions.as_ref().and_then(|extensions| extensions.others.get(EXTENSION));
        let Some(number) = extension.and_then(|extension| extension.get("light")) else { continue };
        if !graph.is_in_scene(index) {
            hidden += 1;
            continue;
        }
        let value = number.as_u64().and_then(|number| list.get(usize::try_from(number).ok()?));
        let own = value.and_then(|value| value.get("name")).and_then(Value::as_str).map(str::to_owned);
        let name = own.or_else(|| node.name.clone()).unwrap_or_else(|| format!("light of node {index}"));
        let Some(light) = value.and_then(|value| read(value, name.clone(), graph.world_from_file_node(index))) else {
            let message = format!("is none of the {} lights of the file that can be shown; left out", list.len());
            notes.push(Note::warning(format!("light {}", quoted(&name)), message));
            continue;
        };
        if lights.len() < FileLight::MOST { lights.push(light) } else { further.push(quoted(&light.name)) }
    }
    if !further.is_empty() {
        let (count, most) = (further.len(), FileLight::MOST);
        let names = listed(&further, most);
        notes.push(Note::warning("lights", format!("{count} beyond the first {most} are not shown: {names}")));
    }
    if hidden > 0 {
        notes.push(Note::info("scene", format!("{hidden} lights are not in the default scene and left out")));
    }
    lights
}

fn read(light: &Value, name: String, world_from_light: glam::Mat4) -> Option<FileLight> {
    let number = |value: &Value| value.as_f64().map(|number| number as f32).filter(|number| number.is_finite());
    let or = |value: Option<&Value>, usual: f32| value.map_or(Some(usual), number);
    let beam = match light.get("type")?.as_str()? {
        "directional" => Beam::Directional,
        "point" => Beam::Point,
        "spot" => {
            let cone = light.get("spot");
            let angle = |key: &str, usual: f32| or(cone.and_then(|cone| cone.get(key)), usual);
            let outer_radians = angle("outerConeAngle", FRAC_PI_4)?.clamp(0.0, FRAC_PI_2);
            Beam::Spot { inner_radians: angle("innerConeAngle", 0.0)?.clamp(0.0, outer_radians), outer_radians }
        }
        _ => return None,
    };
    let parts = light.get("color").and_then(Value::as_array);
    let part = |index: usize| or(parts.and_then(|parts| parts.get(index)), 1.0).map(|part| part.clamp(0.0, 1.0));
    Some(FileLight {
        name,
        world_from_light,
        color: [part(0)?, part(1)?, part(2)?],
        intensity: or(light.get("intensity"), 1.0)?.clamp(0.0, BRIGHTEST),
        range: light.get("range").and_then(number).filter(|range| *range > 0.0),
        beam,
    })
}
