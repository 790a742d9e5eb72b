//! From glTF meshes and the nodes that show them to [`Mesh`] instances.

use std::collections::HashMap;

use super::geometry::{Geometry, GeometryReader};
use super::skins::Skins;
use super::tangents::MadeTangents;
use super::targets::Deltas;
use crate::head::{Material, Mesh, Note, Skin};
use crate::import::budget::Budget;
use crate::import::error::quoted;
use crate::import::gltf::nodes::{Graph, Placement};
use crate::import::gltf::read::Accessors;
use crate::import::gltf::read::Document;
use crate::import::{Fault, Progress, report};

/// What reading meshes looks things up in.
pub struct Context<'a> {
    pub document: &'a Document,
    pub accessors: &'a Accessors<'a>,
    pub graph: &'a Graph,
    pub progress: &'a Progress<'a>,
}

/// The meshes to show.
#[derive(Default)]
pub struct Meshes {
    /// One per node that shows one.
    pub instances: Vec<Mesh>,
    /// Those they hang on.
    pub skins: Vec<Skin>,
    /// Per instance, what of the file it shows.
    pub sources: Vec<Source>,
    /// By node of the file, the instance's head-wide first target and its number of targets.
    targets_of_node: HashMap<usize, (usize, usize)>,
    /// By mesh of the file, the nodes that show it.
    nodes_of_mesh: HashMap<usize, Vec<usize>>,
    /// The same without nodes that have weights of their own.
    nodes_with_weights_of_mesh: HashMap<usize, Vec<usize>>,
}

/// Where an instance's parts come from.
pub struct Source {
    /// Which of the file's meshes.
    pub mesh: usize,
    /// Per part, which of its primitives.
    pub primitives: Vec<usize>,
}

impl Meshes {
    /// The head-wide index of a node's first target, and how many it has; none if the node shows nothing.
    pub fn targets_of_node(&self, node: usize) -> Option<(usize, usize)> {
        self.targets_of_node.get(&node).copied()
    }

    /// The nodes that show a mesh of the file.
    pub fn nodes_of_mesh(&self, mesh: usize) -> &[usize] {
        self.nodes_of_mesh.get(&mesh).map_or(&[], Vec::as_slice)
    }

    /// The nodes that show a mesh of the file with the weights that are the mesh's.
    pub fn nodes_with_weights_of_mesh(&self, mesh: usize) -> &[usize] {
        self.nodes_with_weights_of_mesh.get(&mesh).map_or(&[], Vec::as_slice)
    }
}

/// Reads each mesh once and places a copy for each node that shows it.
pub fn read_all(
    context: &Context<'_>,
    placements: &[Placement],
    materials: &mut Vec<Material>,
    budget: &mut Budget,
    notes: &mut Vec<Note>,
) -> Result<Meshes, Fault> {
    let mut meshes = Meshes::default();
    let mut skins = Skins::default();
    let mut deltas = Deltas::new(context.accessors);
    let mut made_tangents = MadeTangents::default();
    let mut uses: HashMap<usize, usize> = HashMap::new();
    for placement in placements {
        *uses.entry(placement.mesh).or_default() += 1;
    }
    let mut known: HashMap<usize, Option<Geometry>> = HashMap::new();
    let mut first_target = 0;
    for (number, placement) in placements.iter().enumerate() {
        let share = |part: f32| 0.3 + 0.65 * (number as f32 + part) / placements.len() as f32;
        report(context.progress, "reading meshes", share(0.0))?;
        let geometry = match known.get(&placement.mesh) {
            Some(geometry) => {
                budget.spend(geometry.as_ref().map_or(0, Geometry::bytes), &format!("mesh {}", placement.mesh))?;
                geometry.clone()
            }
            None => {
                let mut reader = GeometryReader {
                    context,
                    deltas: &mut deltas,
                    materials,
                    made_tangents: &mut made_tangents,
                    budget,
                    notes,
                };
                let geometry = reader.read(placement.mesh, &share)?;
                if uses.get(&placement.mesh).is_some_and(|&uses| uses > 1) {
                    known.insert(placement.mesh, geometry.clone());
                }
                geometry
            }
        };
        let Some(geometry) = geometry else { continue };
        let primitives = geometry.primitives.clone();
        let is_shared = uses.get(&placement.mesh).is_some_and(|&uses| uses > 1);
        let mesh = place(context, placement, geometry, is_shared, &mut skins, budget, notes)?;
        if let Some(node) = placement.node {
            meshes.targets_of_node.insert(node, (first_target, mesh.targets.len()));
            meshes.nodes_of_mesh.entry(placement.mesh).or_default().push(node);
            if context.document.nodes[node].weights.is_none() {
                meshes.nodes_with_weights_of_mesh.entry(placement.mesh).or_default().push(node);
            }
        }
        first_target += mesh.targets.len();
        meshes.sources.push(Source { mesh: placement.mesh, primitives });
        meshes.instances.push(mesh);
    }
    notes.extend(made_tangents.note());
    meshes.skins = skins.finish(notes);
    Ok(meshes)
}

/// Gives a mesh its node, that one's name if it needs one, weights and skin.
fn place(
    context: &Context<'_>,
    placement: &Placement,
    geometry: Geometry,
    is_shared: bool,
    skins: &mut Skins,
    budget: &mut Budget,
    notes: &mut Vec<Note>,
) -> Result<Mesh, Fault> {
    let Geometry { mut mesh, influences, .. } = geometry;
    let json_mesh = &context.document.meshes[placement.mesh];
    let node = placement.node.map(|node| &context.document.nodes[node]);
    let node_name = node.and_then(|node| node.name.as_ref());
    if let Some(node_name) = node_name.filter(|_| is_shared || json_mesh.name.is_none()) {
        mesh.name.clone_from(node_name);
    }
    let object = format!("mesh {}", quoted(&mesh.name));
    let node_weights = node.and_then(|node| node.weights.as_ref()).map(|weights| (weights, "its node"));
    let weights = node_weights.or_else(|| json_mesh.weights.as_ref().map(|weights| (weights, "it")));
    if let Some((weights, whose)) = weights {
        if weights.len() != mesh.targets.len() {
            let (found, needed) = (weights.len(), mesh.targets.len());
            let repair = if found > needed { "the last ones are ignored" } else { "the missing ones are 0" };
            notes.push(Note::warning(&*object, format!("{whose} has {found} weights for {needed} targets; {repair}")));
        }
        for (target, &weight) in mesh.targets.iter_mut().zip(weights).filter(|(_, weight)| weight.is_finite()) {
            target.default_weight = weight;
        }
    }
    mesh.node = placement.node.and_then(|node| context.graph.place(node));
    if let Some(index) = node.and_then(|node| node.skin) {
        skins.hang(context, index, &influences, &mut mesh, budget, notes)?;
    }
    Ok(mesh)
}
