//! The morph target binds of a VRM expression, which name targets by node (1.0) or by mesh (0.x).

use serde_json::{Map, Value};

use crate::import::Import;
use crate::import::gltf::mesh::Meshes;
use smirk_face::head::{Bind, Kind, Note, Notes, Subject};

/// Reads the binds of expressions. A bind that names a target that does not exist is left out, with a note.
pub(super) struct BindReader<'a, 'i> {
    pub meshes: &'a Meshes,
    pub import: &'a mut Import<'i>,
}

impl BindReader<'_, '_> {
    /// VRM 1.0: node, index, weight 0 to 1.
    pub(super) fn of_nodes(&mut self, binds: &[Value], subject: &Subject) -> Vec<Bind> {
        let of_node = |bind: &Map<String, Value>| {
            let node = integer(bind, "node").ok_or("names no node")?;
            let (first, count) =
                self.meshes.targets_of_node(node).ok_or_else(|| format!("node {node} shows no mesh"))?;
            let target = target_of(bind, first, count, &Subject::Numbered(Kind::Node, node))?;
            Ok(vec![Bind { target, weight: weight(bind, 1.0) }])
        };
        collect(binds, of_node, subject, &mut self.import.notes)
    }

    /// VRM 0.x: mesh, index, weight 0 to 100. A mesh moves on all nodes that show it.
    pub(super) fn of_meshes(&mut self, binds: &[Value], subject: &Subject) -> Vec<Bind> {
        let of_mesh = |bind: &Map<String, Value>| {
            let mesh = integer(bind, "mesh").ok_or("names no mesh")?;
            let nodes = self.meshes.nodes_of_mesh(mesh);
            // Any number of binds may name a mesh, and any number of nodes show it.
            let bytes = (nodes.len() * size_of::<Bind>()) as u64;
            self.import.budget.spend(bytes, &Subject::Numbered(Kind::Mesh, mesh)).map_err(|fault| fault.to_string())?;
            let instances = nodes.iter().filter_map(|&node| self.meshes.targets_of_node(node));
            let found: Result<Vec<Bind>, String> = instances
                .map(|(first, count)| {
                    let target = target_of(bind, first, count, &Subject::Numbered(Kind::Mesh, mesh))?;
                    Ok(Bind { target, weight: weight(bind, 100.0) / 100.0 })
                })
                .collect();
            found.and_then(|found| if found.is_empty() { Err(format!("mesh {mesh} is not shown")) } else { Ok(found) })
        };
        collect(binds, of_mesh, subject, &mut self.import.notes)
    }
}

/// The binds that can be read, with a note on the number of the others and the first reason.
fn collect(
    binds: &[Value],
    mut read: impl FnMut(&Map<String, Value>) -> Result<Vec<Bind>, String>,
    subject: &Subject,
    notes: &mut Notes,
) -> Vec<Bind> {
    let (mut found, mut broken_count, mut why) = (Vec::new(), 0, None);
    for bind in binds {
        match bind.as_object().ok_or_else(|| "is no object".to_owned()).and_then(&mut read) {
            Ok(binds) => found.extend(binds),
            Err(reason) => {
                broken_count += 1;
                why.get_or_insert(reason);
            }
        }
    }
    if let Some(why) = why {
        let message = format!("{broken_count} of its {} binds have no target ({why}); left out", binds.len());
        notes.push(Note::warning(subject, message));
    }
    found
}

/// The head-wide index of the target that a bind names, one of the `count` targets from `first` on of `owner`.
fn target_of(bind: &Map<String, Value>, first: usize, count: usize, owner: &Subject) -> Result<usize, String> {
    let index = integer(bind, "index").ok_or("names no target")?;
    if index < count { Ok(first + index) } else { Err(format!("target {index} of {owner}, which has {count}")) }
}

fn integer(bind: &Map<String, Value>, key: &str) -> Option<usize> {
    bind.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
}

fn weight(bind: &Map<String, Value>, default: f32) -> f32 {
    let weight = bind.get("weight").and_then(Value::as_f64).map(|weight| weight as f32);
    weight.filter(|weight| weight.is_finite()).unwrap_or(default)
}
