//! The constraints of nodes (`VRMC_node_constraint` 1.0), and what the physics of an avatar would move, which stays
//! still.

use glam::Vec3;
use serde_json::{Map, Value};

use crate::import::gltf::nodes::NodeGraph;
use crate::import::gltf::read::GltfDocument;
use smirk_base::names::quoted;
use smirk_face::head::{ConstraintKind, Kind, NodeConstraint, Notes, Subject, listed};

/// The constraints of all nodes of the graph. Those that cannot be read are noted.
pub(crate) fn constraints(document: &GltfDocument, graph: &NodeGraph, notes: &mut Notes) -> Vec<NodeConstraint> {
    let mut constraints = Vec::new();
    for (index, node) in document.nodes.iter().enumerate() {
        let extensions = node.extensions.as_ref().map(|extensions| &extensions.others);
        let Some(extension) = extensions.and_then(|extensions| extensions.get("VRMC_node_constraint")) else {
            continue;
        };
        let Some(own) = graph.rig_index(index) else { continue };
        match extension.get("constraint").and_then(|constraint| read(own, constraint, graph)) {
            Some(constraint) => constraints.push(constraint),
            None => notes.warn(Subject::Numbered(Kind::Node, index), "its constraint cannot be read; it stays still"),
        }
    }
    constraints
}

fn read(node: usize, constraint: &Value, graph: &NodeGraph) -> Option<NodeConstraint> {
    let (fields, kind) = if let Some(roll) = constraint.get("roll") {
        let axis = axis(roll.get("rollAxis")?.as_str()?, "")?;
        (roll, ConstraintKind::Roll { axis })
    } else if let Some(aim) = constraint.get("aim") {
        let name = aim.get("aimAxis")?.as_str()?;
        let axis = axis(name, "Positive").or_else(|| Some(-axis(name, "Negative")?))?;
        (aim, ConstraintKind::Aim { axis })
    } else {
        (constraint.get("rotation")?, ConstraintKind::Rotation)
    };
    let source = graph.rig_index(usize::try_from(fields.get("source")?.as_u64()?).ok()?)?;
    let weight = fields.get("weight").and_then(Value::as_f64).unwrap_or(1.0) as f32;
    Some(NodeConstraint { node, source, weight: if weight.is_nan() { 1.0 } else { weight.clamp(0.0, 1.0) }, kind })
}

fn axis(name: &str, prefix: &str) -> Option<Vec3> {
    match name.strip_prefix(prefix)? {
        "X" => Some(Vec3::X),
        "Y" => Some(Vec3::Y),
        "Z" => Some(Vec3::Z),
        _ => None,
    }
}

/// Notes constraints that are left out because they follow each other.
pub(crate) fn note_left_out(left_out: &[NodeConstraint], names: impl Fn(usize) -> String, notes: &mut Notes) {
    if !left_out.is_empty() {
        let nodes: Vec<String> = left_out.iter().map(|constraint| quoted(&names(constraint.node))).collect();
        let message = format!("follow each other in a circle, or themselves, and stay still: {}", listed(&nodes, 6));
        notes.warn(Subject::All(Kind::Node), message);
    }
}

/// The names of groups of spring bones: `VRMC_springBone.springs` (1.0), `secondaryAnimation.boneGroups` (0.x).
pub(super) fn springs<'v>(vrm: &'v Map<String, Value>, root: &'v Map<String, Value>) -> Vec<&'v str> {
    let of_1 = root.get("VRMC_springBone").and_then(|springs| springs.get("springs"));
    let of_0 = vrm.get("secondaryAnimation").and_then(|physics| physics.get("boneGroups"));
    let named = |list: Option<&'v Value>, key: &'static str| {
        let groups = list.and_then(Value::as_array).map_or(&[][..], Vec::as_slice).iter();
        groups.map(move |group| {
            group.get(key).and_then(Value::as_str).filter(|name| !name.is_empty()).unwrap_or("unnamed")
        })
    };
    let mut names: Vec<&str> = named(of_1, "name").chain(named(of_0, "comment")).collect();
    names.sort_unstable();
    names.dedup();
    names
}
