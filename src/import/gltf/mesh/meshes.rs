//! The meshes of a head: one instance of a glTF mesh for each node that shows it.

use std::collections::HashMap;

use super::geometry::{Geometry, GeometryReader};
use super::skins::Skins;
use super::targets::TargetReader;
use crate::head::{Kind, Material, Mesh, Note, Notes, Skin, Subject};
use crate::import::budget::Budget;
use crate::import::gltf::context::Context;
use crate::import::gltf::nodes::Placement;
use crate::import::mesh::GeneratedTangents;
use crate::import::{Fault, Ticks};

/// The meshes of a head, and how they relate to the file's meshes and nodes.
#[derive(Default)]
pub(crate) struct Meshes {
    /// One per node that shows a mesh.
    pub instances: Vec<Mesh>,
    /// The skins that instances use.
    pub skins: Vec<Skin>,
    /// Per instance, what it was made from.
    pub sources: Vec<InstanceSource>,
    /// By node of the file, the instance's head-wide first target and its number of targets.
    targets_of_node: HashMap<usize, (usize, usize)>,
    /// By mesh of the file, the nodes that show it.
    nodes_of_mesh: HashMap<usize, Vec<usize>>,
    /// By mesh of the file, the nodes that show it and have no weights of their own.
    nodes_with_weights_of_mesh: HashMap<usize, Vec<usize>>,
}

/// What an instance was made from.
pub(crate) struct InstanceSource {
    /// Index of the file's mesh.
    pub mesh: usize,
    /// Per part of the instance, the index of its primitive in that mesh.
    pub primitives: Vec<usize>,
}

impl Meshes {
    /// The head-wide index of the first target of a node's mesh, and its number of targets; none if the node shows no mesh.
    pub(crate) fn targets_of_node(&self, node: usize) -> Option<(usize, usize)> {
        self.targets_of_node.get(&node).copied()
    }

    /// The nodes that show a mesh of the file.
    pub(crate) fn nodes_of_mesh(&self, mesh: usize) -> &[usize] {
        self.nodes_of_mesh.get(&mesh).map_or(&[], Vec::as_slice)
    }

    /// The nodes that show a mesh of the file with the mesh's default weights, not with weights of their own.
    pub(crate) fn nodes_with_weights_of_mesh(&self, mesh: usize) -> &[usize] {
        self.nodes_with_weights_of_mesh.get(&mesh).map_or(&[], Vec::as_slice)
    }
}

/// Reads each mesh once and makes an instance for each of `placements`.
pub(crate) fn read_meshes(
    context: &Context<'_>,
    placements: &[Placement],
    materials: &mut Vec<Material>,
    budget: &mut Budget,
    notes: &mut Notes,
) -> Result<Meshes, Fault> {
    let mut meshes = Meshes::default();
    let mut skins = Skins::default();
    let target_reader = TargetReader::new(context.accessors);
    let mut generated_tangents = GeneratedTangents::default();
    let mut use_counts: HashMap<usize, usize> = HashMap::new();
    for placement in placements {
        *use_counts.entry(placement.mesh).or_default() += 1;
    }
    // Geometry is stored only for meshes that are used again.
    let mut known: HashMap<usize, Option<Geometry>> = HashMap::new();
    let mut first_target = 0;
    let mut ticks = Ticks::new(context.progress, "reading meshes", 0.3);
    for (number, placement) in placements.iter().enumerate() {
        let overall = |part: f32| 0.3 + 0.65 * (number as f32 + part) / placements.len() as f32;
        ticks.tick_at(overall(0.0))?;
        let is_shared = use_counts.get(&placement.mesh).is_some_and(|&count| count > 1);
        let geometry = match known.get(&placement.mesh) {
            Some(geometry) => {
                budget.spend(
                    geometry.as_ref().map_or(0, Geometry::bytes),
                    &Subject::Numbered(Kind::Mesh, placement.mesh),
                )?;
                geometry.clone()
            }
            None => {
                let mut reader = GeometryReader {
                    context,
                    target_reader: &target_reader,
                    materials,
                    generated_tangents: &mut generated_tangents,
                    budget,
                    notes,
                };
                let geometry = reader.read(placement.mesh, &overall)?;
                if is_shared {
                    known.insert(placement.mesh, geometry.clone());
                }
                geometry
            }
        };
        let Some(geometry) = geometry else { continue };
        let primitives = geometry.primitives.clone();
        let mesh = instance(context, placement, geometry, is_shared, &mut skins, budget, notes)?;
        if let Some(node) = placement.node {
            meshes.targets_of_node.insert(node, (first_target, mesh.targets.len()));
            meshes.nodes_of_mesh.entry(placement.mesh).or_default().push(node);
            if context.document.nodes[node].weights.is_none() {
                meshes.nodes_with_weights_of_mesh.entry(placement.mesh).or_default().push(node);
            }
        }
        first_target += mesh.targets.len();
        meshes.sources.push(InstanceSource { mesh: placement.mesh, primitives });
        meshes.instances.push(mesh);
    }
    notes.extend(generated_tangents.note());
    meshes.skins = skins.finish(notes);
    Ok(meshes)
}

/// A mesh as its node shows it: with the node's default weights and skin, and its name where the mesh has none or is shared.
fn instance(
    context: &Context<'_>,
    placement: &Placement,
    geometry: Geometry,
    is_shared: bool,
    skins: &mut Skins,
    budget: &mut Budget,
    notes: &mut Notes,
) -> Result<Mesh, Fault> {
    let Geometry { mut mesh, influences, .. } = geometry;
    let json_mesh = &context.document.meshes[placement.mesh];
    let node = placement.node.map(|node| &context.document.nodes[node]);
    let node_name = node.and_then(|node| node.name.as_ref());
    if let Some(node_name) = node_name.filter(|_| is_shared || json_mesh.name.is_none()) {
        mesh.name.clone_from(node_name);
    }
    let subject = Subject::named(Kind::Mesh, &mesh.name);
    let node_weights = node.and_then(|node| node.weights.as_ref()).map(|weights| (weights, "its node"));
    let weights = node_weights.or_else(|| json_mesh.weights.as_ref().map(|weights| (weights, "it")));
    if let Some((weights, owner)) = weights {
        if weights.len() != mesh.targets.len() {
            let (found, needed) = (weights.len(), mesh.targets.len());
            let repair = if found > needed { "the last ones are ignored" } else { "the missing ones are 0" };
            notes.push(Note::warning(&subject, format!("{owner} has {found} weights for {needed} targets; {repair}")));
        }
        for (target, &weight) in mesh.targets.iter_mut().zip(weights).filter(|(_, weight)| weight.is_finite()) {
            target.default_weight = weight;
        }
    }
    mesh.node = placement.node.and_then(|node| context.graph.rig_index(node));
    if let Some(index) = node.and_then(|node| node.skin) {
        skins.bind(context, index, &influences, &mut mesh, budget, notes)?;
    }
    Ok(mesh)
}
