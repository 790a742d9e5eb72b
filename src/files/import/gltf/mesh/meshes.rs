//! The meshes of a head: one instance of a glTF mesh for each node that shows it.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::geometry::{Geometry, GeometryReader, LackingTangents};
use super::skins;
use super::targets::TargetReader;
use crate::import::gltf::Context;
use crate::import::gltf::nodes::Placement;
use crate::import::mesh::{GeneratedTangents, Skins};
use crate::import::{Fault, Import};
use smirk_face::head::{Kind, Material, Mesh, Skin, Subject};

#[derive(Default)]
pub(crate) struct Meshes {
    /// One per node that shows a mesh.
    pub instances: Vec<Mesh>,
    pub skins: Vec<Skin>,
    pub sources: Vec<InstanceSource>,
    /// By node of the file, the instance's head-wide first target and its number of targets.
    targets_of_node: HashMap<usize, (usize, usize)>,
    nodes_of_mesh: HashMap<usize, Vec<usize>>,
    nodes_with_weights_of_mesh: HashMap<usize, Vec<usize>>,
}

pub(crate) struct InstanceSource {
    pub mesh: usize,
    /// The node of the file that shows it; none in a file without nodes.
    pub node: Option<usize>,
    /// Per part of the instance, the index of its primitive in that mesh.
    pub primitives: Vec<usize>,
}

impl Meshes {
    /// The head-wide index of the first target of a node's mesh, and its number of targets; none if the node shows no
    /// mesh.
    pub(crate) fn targets_of_node(&self, node: usize) -> Option<(usize, usize)> {
        self.targets_of_node.get(&node).copied()
    }

    pub(crate) fn nodes_of_mesh(&self, mesh: usize) -> &[usize] {
        self.nodes_of_mesh.get(&mesh).map_or(&[], Vec::as_slice)
    }

    /// The nodes that show a mesh of the file with the mesh's default weights, not with weights of their own.
    pub(crate) fn nodes_with_weights_of_mesh(&self, mesh: usize) -> &[usize] {
        self.nodes_with_weights_of_mesh.get(&mesh).map_or(&[], Vec::as_slice)
    }
}

/// How many nodes show a mesh of the file.
#[derive(Default)]
struct Uses {
    all: usize,
    /// The number of nodes for which no instance has been made yet.
    left: usize,
}

pub(crate) fn read_meshes(
    context: &Context<'_>,
    placements: &[Placement],
    materials: &mut Vec<Material>,
    import: &mut Import<'_>,
) -> Result<Meshes, Fault> {
    let mut uses: HashMap<usize, Uses> = HashMap::new();
    for placement in placements {
        let uses = uses.entry(placement.mesh).or_default();
        uses.all += 1;
        uses.left += 1;
    }
    let mut geometries = read_geometries(context, placements, materials, import)?;
    let mut meshes = Meshes::default();
    let mut skins = Skins::default();
    let mut first_target = 0;
    import.begin("reading meshes", 0.94);
    for placement in placements {
        import.tick()?;
        let uses = uses.entry(placement.mesh).or_default();
        uses.left = uses.left.saturating_sub(1);
        let geometry = match geometries.get(&placement.mesh) {
            Some(geometry) if uses.left > 0 => {
                import.budget.spend(geometry.bytes(), &Subject::Numbered(Kind::Mesh, placement.mesh))?;
                Some(geometry.clone())
            }
            _ => geometries.remove(&placement.mesh),
        };
        let Some(geometry) = geometry else { continue };
        let primitives = geometry.primitives.clone();
        let mesh = instance(context, placement, geometry, uses.all > 1, &mut skins, import)?;
        if let Some(node) = placement.node {
            meshes.targets_of_node.insert(node, (first_target, mesh.targets.len()));
            meshes.nodes_of_mesh.entry(placement.mesh).or_default().push(node);
            if context.document.nodes[node].weights.is_none() {
                meshes.nodes_with_weights_of_mesh.entry(placement.mesh).or_default().push(node);
            }
        }
        first_target += mesh.targets.len();
        meshes.sources.push(InstanceSource { mesh: placement.mesh, node: placement.node, primitives });
        meshes.instances.push(mesh);
    }
    meshes.skins = skins.finish(&mut import.notes);
    Ok(meshes)
}

/// The geometry of each mesh of the file that is placed and has a triangle, with its tangents, by its index in the
/// file.
fn read_geometries(
    context: &Context<'_>,
    placements: &[Placement],
    materials: &mut Vec<Material>,
    import: &mut Import<'_>,
) -> Result<HashMap<usize, Geometry>, Fault> {
    let target_reader = TargetReader::new(context.accessors);
    let mut geometries = HashMap::new();
    let mut lacking_tangents = Vec::new();
    import.begin("reading meshes", 0.3);
    let mut known = HashSet::new();
    for (number, placement) in placements.iter().enumerate() {
        let [begin, end] = [number, number + 1].map(|number| 0.3 + 0.6 * number as f32 / placements.len() as f32);
        import.tick_at(begin)?;
        if known.insert(placement.mesh) {
            let mut reader = GeometryReader {
                context,
                target_reader: &target_reader,
                materials,
                lacking_tangents: &mut lacking_tangents,
                import,
            };
            let geometry = reader.read(placement.mesh, begin..end)?;
            geometries.extend(geometry.map(|geometry| (placement.mesh, geometry)));
        }
    }
    generate_tangents(lacking_tangents, &mut geometries, import)?;
    Ok(geometries)
}

/// Generates tangents where a normal map needs them and the file has none, on all cores.
fn generate_tangents(
    lacking: Vec<LackingTangents>,
    geometries: &mut HashMap<usize, Geometry>,
    import: &mut Import<'_>,
) -> Result<(), Fault> {
    import.begin("generating tangents", 0.9);
    let mut generated = GeneratedTangents::default();
    let mut meshes = HashSet::new();
    let mut lacking = lacking.into_iter().peekable();
    while lacking.peek().is_some() {
        import.tick()?;
        let some: Vec<_> = lacking.by_ref().take(rayon::current_num_threads()).collect();
        let corners_of =
            |of: &LackingTangents| geometries.get(&of.mesh).map(|geometry| of.range.corners(&geometry.mesh));
        let corners: Vec<_> = some.par_iter().map(corners_of).collect();
        for (LackingTangents { mesh, run, range }, corners) in some.into_iter().zip(corners) {
            let (Some(geometry), Some(corners)) = (geometries.get_mut(&mesh), corners) else { continue };
            let first_copy = geometry.mesh.vertices.len();
            let subject = range.subject().clone();
            let Some(split) = range.apply(corners, &mut geometry.mesh, import)? else { continue };
            let bytes = split.len() * geometry.influences[run].sets.len() * size_of::<[f32; 8]>();
            import.budget.spend(bytes as u64, &subject)?;
            let influences = geometry.influences[run].copied(&split, first_copy);
            geometry.influences.push(influences);
            generated.split_vertices += split.len();
            meshes.insert(mesh);
        }
    }
    generated.meshes = meshes.len();
    import.notes.extend(generated.note());
    Ok(())
}

/// A mesh as its node shows it: with the node's default weights and skin, and its name where the mesh has none or is
/// shared.
fn instance(
    context: &Context<'_>,
    placement: &Placement,
    geometry: Geometry,
    is_shared: bool,
    skins: &mut Skins,
    import: &mut Import<'_>,
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
            import.notes.warn(&subject, format!("{owner} has {found} weights for {needed} targets; {repair}"));
        }
        for (target, &weight) in mesh.targets.iter_mut().zip(weights).filter(|(_, weight)| weight.is_finite()) {
            target.default_weight = weight;
        }
    }
    mesh.node = placement.node.and_then(|node| context.graph.rig_index(node));
    if let Some(index) = node.and_then(|node| node.skin) {
        skins::bind(skins, context, index, &influences, &mut mesh, import)?;
    }
    Ok(mesh)
}
