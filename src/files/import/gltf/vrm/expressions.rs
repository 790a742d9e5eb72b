//! The expressions of a VRM: `VRM.blendShapeMaster.blendShapeGroups` (0.x) and `VRMC_vrm.expressions` (1.0).

use serde_json::{Map, Value};

use super::material_binds::MaterialReader;
use crate::import::gltf::mesh::Meshes;
use crate::import::gltf::read::GltfDocument;
use crate::import::unique_names::UniqueNames;
use crate::import::{Import, Problem};
use smirk_face::head::{Bind, Expression, Kind, Notes, Override, Preset, Subject};

/// An expression, and whether Smirk shows only a part of it.
pub(super) struct ReadExpression {
    pub expression: Expression,
    /// It also changes something of materials that is not shown, such as the colours of toon shading of a material
    /// without it.
    pub changes_more: bool,
}

/// The blend shape groups of VRM 0.x, under the file's own names. They have no overrides. What is not read of them
/// moves into the expressions: they may be most of a file.
pub(super) fn read_vrm0_expressions(
    vrm: &mut Map<String, Value>,
    document: &GltfDocument,
    meshes: &Meshes,
    import: &mut Import<'_>,
) -> Vec<ReadExpression> {
    let groups = vrm.get_mut("blendShapeMaster").and_then(|master| master.get_mut("blendShapeGroups"));
    let groups = groups.and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
    let groups = groups.into_iter().filter_map(into_object);
    let (mut binder, mut names) = (BindReader { meshes, import }, UniqueNames::default());
    let mut reader = MaterialReader::new(document);
    let mut read = Vec::new();
    for (index, group) in groups.enumerate() {
        let preset = group.get("presetName").and_then(Value::as_str).and_then(Preset::named_in_vrm0);
        let name = group.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
        let name = name.or(preset.map(Preset::name)).map_or_else(|| format!("expression {index}"), str::to_owned);
        let name = names.make(name);
        let subject = Subject::named(Kind::Expression, &name);
        let Import { lists, notes, .. } = &mut *binder.import;
        let values = list(&group, "materialValues");
        let materials = collect(values, "material", |value| reader.read_vrm0_value(value, lists), &subject, notes);
        read.push(ReadExpression {
            changes_more: reader.take_has_more(),
            expression: Expression {
                preset,
                is_binary: flag(&group, "isBinary"),
                binds: binder.of_meshes(list(&group, "binds"), &subject),
                materials,
                carried: without(group, &["name", "presetName", "isBinary", "binds"]),
                name,
                ..Expression::default()
            },
        });
    }
    read
}

/// The expressions of VRM 1.0: presets, then custom ones. What is not read of them moves into the expressions.
pub(super) fn read_vrm1_expressions(
    vrm: &mut Map<String, Value>,
    document: &GltfDocument,
    meshes: &Meshes,
    import: &mut Import<'_>,
) -> Vec<ReadExpression> {
    let [presets, custom] = ["preset", "custom"].map(|kind| {
        let all = vrm.get_mut("expressions").and_then(|all| all.get_mut(kind)).and_then(Value::as_object_mut);
        all.map(std::mem::take).unwrap_or_default()
    });
    let presets = presets.into_iter().map(|(name, value)| {
        let preset = Preset::named(&name);
        (name, value, preset)
    });
    let custom = custom.into_iter().map(|(name, value)| (name, value, None));
    let (mut binder, mut names) = (BindReader { meshes, import }, UniqueNames::default());
    let mut reader = MaterialReader::new(document);
    let mut read = Vec::new();
    for (name, value, preset) in presets.chain(custom) {
        let Some(value) = into_object(value) else { continue };
        let name = names.make(name);
        let subject = Subject::named(Kind::Expression, &name);
        let notes = &mut binder.import.notes;
        let (colors, transforms) = (list(&value, "materialColorBinds"), list(&value, "textureTransformBinds"));
        let mut materials = collect(colors, "material", |bind| reader.read_color(bind), &subject, notes);
        materials.extend(collect(transforms, "material", |bind| reader.read_transform(bind), &subject, notes));
        read.push(ReadExpression {
            changes_more: reader.take_has_more(),
            expression: Expression {
                preset,
                is_binary: flag(&value, "isBinary"),
                override_blink: override_of(&value, "overrideBlink"),
                override_look_at: override_of(&value, "overrideLookAt"),
                override_mouth: override_of(&value, "overrideMouth"),
                binds: binder.of_nodes(list(&value, "morphTargetBinds"), &subject),
                materials,
                carried: without(value, &READ_OF_VRM1),
                name,
                ..Expression::default()
            },
        });
    }
    read
}

/// The fields of an expression of VRM 1.0 that are read, and written from what was read. Its effects on materials are
/// read too, but written as they were in the file.
const READ_OF_VRM1: [&str; 5] = ["isBinary", "overrideBlink", "overrideLookAt", "overrideMouth", "morphTargetBinds"];

fn without(mut object: Map<String, Value>, read: &[&str]) -> Map<String, Value> {
    object.retain(|key, _| !read.contains(&key.as_str()));
    object
}

fn into_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
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

/// Reads the binds of expressions. A bind that names a target that does not exist is left out, with a note.
pub(super) struct BindReader<'a, 'i> {
    pub meshes: &'a Meshes,
    pub import: &'a mut Import<'i>,
}

impl BindReader<'_, '_> {
    /// VRM 1.0: node, index, weight 0 to 1.
    pub(super) fn of_nodes(&mut self, binds: &[Value], subject: &Subject) -> Vec<Bind> {
        collect(
            binds,
            "target",
            |bind: &Map<String, Value>| {
                let node = integer(bind, "node").ok_or("names no node")?;
                let (first, count) =
                    self.meshes.targets_of_node(node).ok_or_else(|| format!("node {node} shows no mesh"))?;
                let target = target_of(bind, first, count, &Subject::Numbered(Kind::Node, node))?;
                Ok(vec![Bind { target, weight: weight(bind, 1.0) }])
            },
            subject,
            &mut self.import.notes,
        )
    }

    /// VRM 0.x: mesh, index, weight 0 to 100. A mesh moves on all nodes that show it.
    pub(super) fn of_meshes(&mut self, binds: &[Value], subject: &Subject) -> Vec<Bind> {
        collect(
            binds,
            "target",
            |bind: &Map<String, Value>| {
                let mesh = integer(bind, "mesh").ok_or("names no mesh")?;
                let nodes = self.meshes.nodes_of_mesh(mesh);
                // Any number of binds may name a mesh, and any number of nodes show it.
                let bytes = (nodes.len() * size_of::<Bind>()) as u64;
                self.import.lists.spend(bytes, &Subject::Numbered(Kind::Mesh, mesh))?;
                let instances = nodes.iter().filter_map(|&node| self.meshes.targets_of_node(node));
                let found: Result<Vec<Bind>, Problem> = instances
                    .map(|(first, count)| {
                        let target = target_of(bind, first, count, &Subject::Numbered(Kind::Mesh, mesh))?;
                        Ok(Bind { target, weight: weight(bind, 100.0) / 100.0 })
                    })
                    .collect();
                found.and_then(|found| {
                    if found.is_empty() { Err(format!("mesh {mesh} is not shown").into()) } else { Ok(found) }
                })
            },
            subject,
            &mut self.import.notes,
        )
    }
}

/// What can be read of binds to a `what`, with a note on the number of the others and the first reason.
fn collect<T>(
    binds: &[Value],
    what: &str,
    mut read: impl FnMut(&Map<String, Value>) -> Result<Vec<T>, Problem>,
    subject: &Subject,
    notes: &mut Notes,
) -> Vec<T> {
    let (mut found, mut broken_count, mut why) = (Vec::new(), 0, None);
    for bind in binds {
        match bind.as_object().ok_or_else(|| Problem::from("is no object")).and_then(&mut read) {
            Ok(binds) => found.extend(binds),
            Err(reason) => {
                broken_count += 1;
                why.get_or_insert(reason);
            }
        }
    }
    if let Some(why) = why {
        notes.warn(subject, format!("{broken_count} of its {} binds have no {what} ({why}); left out", binds.len()));
    }
    found
}

/// The head-wide index of the target that a bind names, one of the `count` targets from `first` on of `owner`.
fn target_of(bind: &Map<String, Value>, first: usize, count: usize, owner: &Subject) -> Result<usize, Problem> {
    let index = integer(bind, "index").ok_or("names no target")?;
    if index < count { Ok(first + index) } else { Err(format!("target {index} of {owner}, which has {count}").into()) }
}

pub(super) fn integer(bind: &Map<String, Value>, key: &str) -> Option<usize> {
    bind.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
}

fn weight(bind: &Map<String, Value>, default: f32) -> f32 {
    let weight = bind.get("weight").and_then(Value::as_f64).map(|weight| weight as f32);
    weight.filter(|weight| weight.is_finite()).unwrap_or(default)
}
