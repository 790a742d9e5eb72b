//! Lights (`KHR_lights_punctual`). An invalid light is left out with a note; nothing else
//! depends on it.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use serde_json::Value;

use super::nodes::NodeGraph;
use super::read::GltfDocument;
use smirk_base::names::quoted;
use smirk_face::head::{Beam, FileLight, Kind, Note, Notes, Subject, listed};

const EXTENSION: &str = "KHR_lights_punctual";

/// Brighter lights are dimmed to this, so that the sum of several stays finite.
const MAX_INTENSITY: f32 = 1e12;

/// The lights of nodes in the scene, as many as can be shown.
pub(super) fn read_all(document: &GltfDocument, graph: &NodeGraph, notes: &mut Notes) -> Vec<FileLight> {
    let list = document.extensions.get(EXTENSION).and_then(|extension| extension.get("lights"));
    let list = list.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let (mut lights, mut excess, mut hidden) = (Vec::new(), Vec::new(), 0);
    for (index, node) in document.nodes.iter().enumerate() {
        let extension = node.extensions.as_ref().and_then(|extensions| extensions.others.get(EXTENSION));
        let Some(number) = extension.and_then(|extension| extension.get("light")) else { continue };
        if !graph.is_in_scene(index) {
            hidden += 1;
            continue;
        }
        let value = number.as_u64().and_then(|number| list.get(usize::try_from(number).ok()?));
        let own_name = value.and_then(|value| value.get("name")).and_then(Value::as_str).map(str::to_owned);
        let name = own_name.or_else(|| node.name.clone()).unwrap_or_else(|| format!("light of node {index}"));
        let Some(light) = value.and_then(|value| read(value, name.clone())) else {
            let message =
                format!("refers to none of the {} lights of the file that can be shown; left out", list.len());
            notes.push(Note::warning(Subject::named(Kind::Light, &name), message));
            continue;
        };
        let light =
            FileLight { node: graph.rig_index(index), world_from_light: graph.world_from_file_node(index), ..light };
        if lights.len() < FileLight::MOST { lights.push(light) } else { excess.push(quoted(&light.name)) }
    }
    if !excess.is_empty() {
        let (count, most) = (excess.len(), FileLight::MOST);
        let names = listed(&excess, most);
        notes.push(Note::warning(
            Subject::All(Kind::Light),
            format!("{count} beyond the first {most} are not shown: {names}"),
        ));
    }
    if hidden > 0 {
        notes.push(Note::info(
            Subject::All(Kind::Scene),
            format!("{hidden} lights are not in the default scene and left out"),
        ));
    }
    lights
}

/// A light at the origin; none if its properties are missing or not numbers.
fn read(light: &Value, name: String) -> Option<FileLight> {
    let number = |value: &Value| value.as_f64().map(|number| number as f32).filter(|number| number.is_finite());
    let number_or = |value: Option<&Value>, default: f32| value.map_or(Some(default), number);
    let beam = match light.get("type")?.as_str()? {
        "directional" => Beam::Directional,
        "point" => Beam::Point,
        "spot" => {
            let cone = light.get("spot");
            let angle = |key: &str, default: f32| number_or(cone.and_then(|cone| cone.get(key)), default);
            let outer_radians = angle("outerConeAngle", FRAC_PI_4)?.clamp(0.0, FRAC_PI_2);
            Beam::Spot { inner_radians: angle("innerConeAngle", 0.0)?.clamp(0.0, outer_radians), outer_radians }
        }
        _ => return None,
    };
    let channels = light.get("color").and_then(Value::as_array);
    let channel = |index: usize| {
        number_or(channels.and_then(|channels| channels.get(index)), 1.0).map(|channel| channel.clamp(0.0, 1.0))
    };
    Some(FileLight {
        name,
        node: None,
        world_from_light: glam::Mat4::IDENTITY,
        color: [channel(0)?, channel(1)?, channel(2)?],
        intensity: number_or(light.get("intensity"), 1.0)?.clamp(0.0, MAX_INTENSITY),
        range: light.get("range").and_then(number).filter(|range| *range > 0.0),
        beam,
    })
}
