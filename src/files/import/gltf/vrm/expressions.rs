//! The expressions of a VRM: `VRM.blendShapeMaster.blendShapeGroups` (0.x) and `VRMC_vrm.expressions` (1.0).

use serde_json::{Map, Value};

use super::binds::BindReader;
use crate::import::Import;
use crate::import::gltf::mesh::Meshes;
use crate::import::unique_names::UniqueNames;
use smirk_face::head::{Expression, Kind, Override, Preset, Subject};

/// An expression, and whether Smirk shows only a part of it.
pub(super) struct ReadExpression {
    pub expression: Expression,
    /// It also changes colours or texture coordinates of materials, which is not shown.
    pub changes_materials: bool,
}

/// The blend shape groups of VRM 0.x, under the file's own names. They have no overrides.
pub(super) fn read_vrm0_expressions(
    vrm: &Map<String, Value>,
    meshes: &Meshes,
    import: &mut Import<'_>,
) -> Vec<ReadExpression> {
    let groups = vrm.get("blendShapeMaster").and_then(|master| master.get("blendShapeGroups"));
    let groups = groups.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    let (mut binder, mut names) = (BindReader { meshes, import }, UniqueNames::default());
    let read = |(index, group): (usize, &Map<String, Value>)| {
        let preset = group.get("presetName").and_then(Value::as_str).and_then(Preset::named_in_vrm0);
        let name = group.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
        let name = name.or(preset.map(Preset::name)).map_or_else(|| format!("expression {index}"), str::to_owned);
        let name = names.make(name);
        let subject = Subject::named(Kind::Expression, &name);
        ReadExpression {
            changes_materials: !list(group, "materialValues").is_empty(),
            expression: Expression {
                preset,
                is_binary: flag(group, "isBinary"),
                binds: binder.of_meshes(list(group, "binds"), &subject),
                name,
                ..Expression::default()
            },
        }
    };
    groups.enumerate().map(read).collect()
}

/// The expressions of VRM 1.0: presets, then custom ones.
pub(super) fn read_vrm1_expressions(
    vrm: &Map<String, Value>,
    meshes: &Meshes,
    import: &mut Import<'_>,
) -> Vec<ReadExpression> {
    let named = |kind: &str| vrm.get("expressions").and_then(|all| all.get(kind)).and_then(Value::as_object);
    let presets = named("preset").into_iter().flatten().map(|(name, value)| (name, value, Preset::named(name)));
    let custom = named("custom").into_iter().flatten().map(|(name, value)| (name, value, None));
    let (mut binder, mut names) = (BindReader { meshes, import }, UniqueNames::default());
    let read = |(name, value, preset): (&String, &Value, Option<Preset>)| {
        let value = value.as_object()?;
        let name = names.make(name.clone());
        let subject = Subject::named(Kind::Expression, &name);
        let materials = ["materialColorBinds", "textureTransformBinds"];
        Some(ReadExpression {
            changes_materials: materials.iter().any(|key| !list(value, key).is_empty()),
            expression: Expression {
                preset,
                is_binary: flag(value, "isBinary"),
                override_blink: override_of(value, "overrideBlink"),
                override_look_at: override_of(value, "overrideLookAt"),
                override_mouth: override_of(value, "overrideMouth"),
                binds: binder.of_nodes(list(value, "morphTargetBinds"), &subject),
                name,
            },
        })
    };
    presets.chain(custom).filter_map(read).collect()
}

fn flag(object: &Map<String, Value>, key: &str) -> bool {
    object.get(key).and_then(Value::as_bool).unwrap_or(false)
}

fn list<'a>(object: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    object.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn override_of(object: &Map<String, Value>, key: &str) -> Override {
    match object.get(key).and_then(Value::as_str) {
        Some("block") => Override::Block,
        Some("blend") => Override::Blend,
        _ => Override::None,
    }
}
