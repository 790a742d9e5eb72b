//! The bones of the head, and how far the eyes turn. VRM 0.x lists bones (`humanoid.humanBones`) and keeps the ranges in
//! `firstPerson`; VRM 1.0 has an object of bones and the ranges in `lookAt`.

use serde_json::{Map, Value};

use crate::import::gltf::nodes::NodeGraph;
use smirk_face::head::{EyeRange, Humanoid, Kind, Note, Notes, Subject};

type Object = Map<String, Value>;

/// The bones of VRM 0.x.
pub(super) fn read_vrm0_humanoid(vrm: &Object, graph: &NodeGraph, notes: &mut Notes) -> Humanoid {
    let looks = vrm.get("firstPerson").and_then(Value::as_object);
    let looks = looks.filter(|looks| looks.get("lookAtTypeName").and_then(Value::as_str) == Some("Bone"));
    let eye_range = looks.and_then(|looks| eye_range(looks, "lookAt", "yRange"));
    humanoid(vrm, eye_range, graph, notes)
}

/// The bones of VRM 1.0.
pub(super) fn read_vrm1_humanoid(vrm: &Object, graph: &NodeGraph, notes: &mut Notes) -> Humanoid {
    let looks = vrm.get("lookAt").and_then(Value::as_object);
    let looks = looks.filter(|looks| looks.get("type").and_then(Value::as_str) == Some("bone"));
    let eye_range = looks.and_then(|looks| eye_range(looks, "rangeMap", "outputScale"));
    humanoid(vrm, eye_range, graph, notes)
}

/// The names of all bones, and the numbers of their nodes: 1.0 has an object by name, 0.x a list of objects with names.
pub(super) fn named_bones(vrm: &Object) -> Vec<(&str, &Value)> {
    match vrm.get("humanoid").and_then(|humanoid| humanoid.get("humanBones")) {
        Some(Value::Object(bones)) => {
            bones.iter().filter_map(|(name, bone)| Some((name.as_str(), bone.get("node")?))).collect()
        }
        Some(Value::Array(bones)) => {
            bones.iter().filter_map(|bone| Some((bone.get("bone")?.as_str()?, bone.get("node")?))).collect()
        }
        _ => Vec::new(),
    }
}

fn humanoid(vrm: &Object, eye_range: Option<EyeRange>, graph: &NodeGraph, notes: &mut Notes) -> Humanoid {
    let bones = named_bones(vrm);
    let mut bone = |name: &str| {
        let (_, value) = bones.iter().find(|(bone, _)| *bone == name)?;
        // Exporters of VRM 0.x write -1 for a bone that the avatar lacks.
        if value.as_i64() == Some(-1) {
            return None;
        }
        let found = value.as_u64().and_then(|index| graph.rig_index(usize::try_from(index).ok()?));
        if found.is_none() {
            let message =
                format!("the bone {name} is node {value}, which does not exist; it is searched for by its name");
            notes.push(Note::warning(Subject::All(Kind::Node), message));
        }
        found
    };
    Humanoid { head: bone("head"), neck: bone("neck"), eyes: [bone("leftEye"), bone("rightEye")], eye_range }
}

/// The largest angles, which the file gives in degrees; none unless all four are there and make sense.
fn eye_range(looks: &Object, prefix: &str, field: &str) -> Option<EyeRange> {
    let radians = |direction: &str| {
        let degrees = looks.get(&format!("{prefix}{direction}"))?.get(field)?.as_f64()?;
        (0.0..=180.0).contains(&degrees).then(|| degrees.to_radians() as f32)
    };
    Some(EyeRange {
        inwards: radians("HorizontalInner")?,
        outwards: radians("HorizontalOuter")?,
        down: radians("VerticalDown")?,
        up: radians("VerticalUp")?,
    })
}
