//! The extension that makes a GLB a VRM avatar: `VRM` (version 0.x) or `VRMC_vrm` (1.0), with its expressions, bones,
//! title, author and licence. Expressions of a head that is no avatar are written as those of VRM 1.0.

use serde_json::{Map, Value, json};

use super::merge;
use super::nodes::Nodes;
use crate::generator;
use smirk_face::head::{Avatar, Bind, Expression, ExpressionForm, EyeRange, Head, MeshAnnotation, VrmVersion};

/// Adds the extension to those of the file, if the head needs it. `images` has the image of each texture.
pub(super) fn write(head: &Head, extensions: &mut Map<String, Value>, nodes: &Nodes, images: &[usize]) {
    let expressions = match head.expression_form {
        ExpressionForm::Vrm => head.expressions.as_slice(),
        ExpressionForm::Khr => &head.unshown_expressions,
    };
    if head.avatar.is_none() && expressions.is_empty() {
        return;
    }
    let version = head.avatar.as_ref().map_or(VrmVersion::V1, |avatar| avatar.version);
    let in_vrm: Vec<_> = expressions.iter().map(|each| each.in_vrm(expressions, version, &head.materials)).collect();
    let no_avatar = Avatar {
        version: VrmVersion::V1,
        meta: Map::new(),
        bones: Vec::new(),
        look_at: None,
        first_person: Vec::new(),
    };
    let avatar = head.avatar.as_ref().unwrap_or(&no_avatar);
    let bones = avatar.bones.iter().filter_map(|(name, node)| Some((name, nodes.index_of(*node)?)));
    let thumbnail = head.carried.thumbnail.filter(|texture| *texture < images.len());
    let (name, mut extension) = match avatar.version {
        VrmVersion::V0 => {
            let bones: Vec<Value> =
                bones.map(|(name, node)| json!({"bone": name, "node": node, "useDefaultValues": true})).collect();
            let groups: Vec<Value> = in_vrm.iter().map(|each| group_of_vrm0(each, head, nodes)).collect();
            let mut vrm = json!({
                "exporterVersion": generator(),
                "specVersion": "0.0",
                "meta": avatar.meta,
                "humanoid": {"humanBones": bones},
                "blendShapeMaster": {"blendShapeGroups": groups},
            });
            if let Some(range) = head.rig.humanoid.eye_range {
                vrm["firstPerson"] = looks(range, "lookAt", |degrees| json!({"yRange": degrees}));
                vrm["firstPerson"]["lookAtTypeName"] = json!("Bone");
            }
            let seen = avatar.first_person.iter().filter_map(|MeshAnnotation { mesh, seen_by }| {
                Some(json!({"mesh": nodes.mesh_of_file(*mesh)?, "firstPersonFlag": seen_by}))
            });
            let seen: Vec<Value> = seen.collect();
            if !seen.is_empty() {
                vrm["firstPerson"]["meshAnnotations"] = seen.into();
            }
            if let Some(texture) = thumbnail {
                vrm["meta"]["texture"] = json!(texture);
            }
            ("VRM", vrm)
        }
        VrmVersion::V1 => {
            let bones: Map<String, Value> = bones.map(|(name, node)| (name.clone(), json!({"node": node}))).collect();
            let (mut preset, mut custom) = (Map::new(), Map::new());
            for each in &in_vrm {
                let (list, name) = match each.preset {
                    Some(of) => (&mut preset, of.name().to_owned()),
                    None => (&mut custom, each.name.clone()),
                };
                list.insert(name, expression_of_vrm1(each, head, nodes));
            }
            let mut vrm = json!({
                "specVersion": "1.0",
                "meta": avatar.meta,
                "humanoid": {"humanBones": bones},
                "expressions": {"preset": preset, "custom": custom},
            });
            if let Some(range) = head.rig.humanoid.eye_range {
                vrm["lookAt"] = looks(range, "rangeMap", |degrees| json!({"outputScale": degrees}));
                vrm["lookAt"]["type"] = json!("bone");
            }
            if let Some(texture) = thumbnail {
                vrm["meta"]["thumbnailImage"] = json!(images[texture]);
            }
            ("VRMC_vrm", vrm)
        }
    };
    merge(&mut extension, &Value::Object(head.carried.unread.clone()));
    if let Some(range) = head.rig.humanoid.eye_range {
        // The ranges of the input are those of the file, if it has any.
        let (part, looks) = match avatar.version {
            VrmVersion::V0 => ("firstPerson", looks(range, "lookAt", |_| json!({"xRange": 90.0}))),
            VrmVersion::V1 => ("lookAt", looks(range, "rangeMap", |_| json!({"inputMaxValue": 90.0}))),
        };
        merge(&mut extension[part], &looks);
    }
    extensions.insert(name.into(), extension);
}

/// How far the eyes turn, in degrees under names that begin with `prefix`.
fn looks(range: EyeRange, prefix: &str, map: impl Fn(f64) -> Value) -> Value {
    let EyeRange { inwards, outwards, down, up } = range;
    let angles =
        [("HorizontalInner", inwards), ("HorizontalOuter", outwards), ("VerticalDown", down), ("VerticalUp", up)];
    Value::Object(
        angles
            .into_iter()
            // Rounded as they were read, so that whole degrees are whole again.
            .map(|(name, radians)| (format!("{prefix}{name}"), map(f64::from(f64::from(radians).to_degrees() as f32))))
            .collect(),
    )
}

fn expression_of_vrm1(expression: &Expression, head: &Head, nodes: &Nodes) -> Value {
    let binds: Vec<Value> = expression
        .binds
        .iter()
        .filter_map(|bind| {
            let (mesh, index) = place_of(bind, head)?;
            nodes.mesh_of_file(mesh)?;
            Some(json!({"node": nodes.of_meshes[mesh], "index": index, "weight": bind.weight}))
        })
        .collect();
    let mut json = json!({
        "isBinary": expression.is_binary,
        "overrideBlink": expression.override_blink.name(),
        "overrideLookAt": expression.override_look_at.name(),
        "overrideMouth": expression.override_mouth.name(),
        "morphTargetBinds": binds,
    });
    merge(&mut json, &Value::Object(expression.carried.clone()));
    json
}

/// An expression as a blend shape group, which has no overrides, and whose weights are percent.
fn group_of_vrm0(expression: &Expression, head: &Head, nodes: &Nodes) -> Value {
    let binds: Vec<Value> = expression
        .binds
        .iter()
        .filter_map(|bind| {
            let (mesh, index) = place_of(bind, head)?;
            Some(json!({"mesh": nodes.mesh_of_file(mesh)?, "index": index, "weight": f64::from(bind.weight) * 100.0}))
        })
        .collect();
    let preset = expression.preset.and_then(|preset| preset.vrm0_name()).unwrap_or("unknown");
    let mut json = json!({
        "name": expression.name,
        "presetName": preset,
        "isBinary": expression.is_binary,
        "binds": binds,
    });
    merge(&mut json, &Value::Object(expression.carried.clone()));
    json
}

fn place_of(bind: &Bind, head: &Head) -> Option<(usize, usize)> {
    let mesh = head.mesh_of_target(bind.target)?;
    Some((mesh, bind.target - head.meshes[mesh].first_target))
}
