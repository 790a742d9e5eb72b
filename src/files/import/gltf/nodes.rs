//! The tree of nodes at rest, and which of them are shown (glTF 2.0 §3.5). It is walked by loops, not by recursion,
//! because a file may nest nodes to any depth.
//!
//! The cameras and lights (`KHR_lights_punctual`) on them. An invalid light is left out with a note; nothing else
//! depends on it.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::{Mat4, Quat, Vec3};
use gltf::json;
use serde_json::Value;

use crate::import::gltf::read::{GltfDocument, lookup};
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{
    Beam, FileCamera, FileLight, Humanoid, Kind, Lens, LocalTransform, Node, Notes, Rig, Skin, Subject, Trs, listed,
};

/// The nodes of a file as a rig, in which parents come before their children.
pub(super) struct NodeGraph {
    /// Without skins.
    rig: Rig,
    /// In the order of the rig.
    world_from_node: Vec<Mat4>,
    /// Per node of the file, its index in the rig.
    rig_indices: Vec<usize>,
    /// Per node of the file, its parent in the file.
    parents: Vec<Option<usize>>,
    /// Per node of the file, whether it belongs to the scene that is shown.
    is_in_scene: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// The node that shows it; none for a file without nodes.
    pub node: Option<usize>,
    pub mesh: usize,
}

impl NodeGraph {
    /// Builds the rig. A cycle is an error; of two parents of a node the first is used. `world_from_file` is applied to
    /// all.
    pub(super) fn new(document: &GltfDocument, world_from_file: Mat4, import: &mut Import<'_>) -> Result<Self, Fault> {
        import.begin("reading nodes", 0.3);
        let nodes = &document.nodes;
        let mut parents = vec![None; nodes.len()];
        let (mut conflict_count, mut first_conflict) = (0, None);
        for (index, node) in nodes.iter().enumerate() {
            import.tick()?;
            for child in node.children.iter().flatten() {
                lookup(nodes, *child, &Subject::Numbered(Kind::Node, index), "node")?;
                let parent: &mut Option<usize> = &mut parents[child.value()];
                match *parent {
                    None => *parent = Some(index),
                    Some(first) => {
                        conflict_count += 1;
                        first_conflict.get_or_insert((child.value(), first, index));
                    }
                }
            }
        }
        if let Some((child, first, second)) = first_conflict {
            let more = if conflict_count > 1 { format!(" ({conflict_count} such in the file)") } else { String::new() };
            let message = format!("is a child of both node {first} and node {second}; the first is used{more}");
            import.notes.warn(Subject::Numbered(Kind::Node, child), message);
        }
        let unreached = usize::MAX;
        let mut rig_indices = vec![unreached; nodes.len()];
        let mut ordered = Vec::with_capacity(nodes.len());
        let mut open: Vec<usize> = (0..nodes.len()).rev().filter(|&index| parents[index].is_none()).collect();
        while let Some(index) = open.pop() {
            import.tick()?;
            // A parent may name a child twice.
            if rig_indices[index] != unreached {
                continue;
            }
            rig_indices[index] = ordered.len();
            ordered.push(Node {
                name: nodes[index].name.clone().unwrap_or_else(|| format!("node {index}")),
                parent: parents[index].map(|parent| rig_indices[parent]),
                rest: local_transform(&nodes[index]),
            });
            let children = nodes[index].children.iter().flatten().rev().map(|child| child.value());
            open.extend(children.filter(|&child| parents[child] == Some(index)));
        }
        if let Some(index) = rig_indices.iter().position(|&index| index == unreached) {
            let problem = Problem::new("is its own ancestor: the nodes form a cycle").advise("export the file again");
            return Err(Fault::invalid(Subject::Numbered(Kind::Node, index), problem));
        }
        let mut file_indices = vec![0; ordered.len()];
        rig_indices.iter().enumerate().for_each(|(of_file, &of_rig)| file_indices[of_rig] = of_file);
        let rig = Rig { world_from_file, nodes: ordered, file_indices, ..Rig::default() };
        let world_from_node = rig.world_from_nodes_at_rest();
        if let Some(index) = rig_indices.iter().position(|&index| !world_from_node[index].is_finite()) {
            return Err(Fault::invalid(Subject::Numbered(Kind::Node, index), "its transform is not finite"));
        }
        let is_in_scene = vec![true; nodes.len()];
        Ok(Self { rig, world_from_node, rig_indices, parents, is_in_scene })
    }

    pub(super) fn rig_index(&self, node: usize) -> Option<usize> {
        self.rig_indices.get(node).copied()
    }

    pub(super) fn rig_node(&self, rig_index: usize) -> &Node {
        &self.rig.nodes[rig_index]
    }

    pub(super) fn world_from_node(&self) -> &[Mat4] {
        &self.world_from_node
    }

    /// The transform at rest of a node of the file; the identity if the file has no such node.
    pub(super) fn world_from_file_node(&self, node: usize) -> Mat4 {
        self.rig_index(node).map_or(Mat4::IDENTITY, |index| self.world_from_node[index])
    }

    pub(super) fn is_in_scene(&self, node: usize) -> bool {
        self.is_in_scene.get(node).copied().unwrap_or(false)
    }

    /// The rig of all nodes, with these skins and these bones.
    pub(super) fn into_rig(self, skins: Vec<Skin>, humanoid: Humanoid) -> Rig {
        Rig { skins, humanoid, ..self.rig }
    }

    /// The meshes of the default scene in the order of nodes; those of all nodes if the scene shows none; all meshes of
    /// the file if no node shows any.
    pub(super) fn placements(&mut self, document: &GltfDocument, notes: &mut Notes) -> Result<Vec<Placement>, Fault> {
        let mut all = Vec::new();
        for (index, node) in document.nodes.iter().enumerate() {
            if let Some(mesh) = node.mesh {
                lookup(&document.meshes, mesh, &Subject::Numbered(Kind::Node, index), "mesh")?;
                all.push(Placement { node: Some(index), mesh: mesh.value() });
            }
        }
        if all.is_empty() {
            if !document.meshes.is_empty() {
                notes.inform(Subject::File, "no node shows a mesh; all meshes are shown at the origin");
            }
            return Ok((0..document.meshes.len()).map(|mesh| Placement { node: None, mesh }).collect());
        }
        let Some(in_scene) = self.nodes_of_scene(document, notes)? else { return Ok(all) };
        let shown: Vec<Placement> =
            all.iter().copied().filter(|placement| placement.node.is_some_and(|node| in_scene[node])).collect();
        if shown.is_empty() {
            notes.warn(Subject::All(Kind::Scene), "the default scene shows no mesh; the meshes of all nodes are shown");
            return Ok(all);
        }
        if shown.len() < all.len() {
            let hidden = all.len() - shown.len();
            let message = format!("{hidden} meshes are not in the default scene and not shown");
            notes.inform(Subject::All(Kind::Scene), message);
        }
        self.is_in_scene = in_scene;
        Ok(shown)
    }

    /// Per node, whether it is in the default scene; none if the file has no scenes.
    fn nodes_of_scene(&self, document: &GltfDocument, notes: &mut Notes) -> Result<Option<Vec<bool>>, Fault> {
        let wanted = document.scene.unwrap_or(0);
        let found = usize::try_from(wanted).ok().and_then(|index| document.scenes.get(index));
        let Some(scene) = found.or(document.scenes.first()) else { return Ok(None) };
        if found.is_none() {
            let count = document.scenes.len();
            let message = format!("{wanted} does not exist, the file has {count}; the first is shown");
            notes.warn(Subject::field("scene"), message);
        }
        let mut in_scene = vec![false; document.nodes.len()];
        for root in &scene.nodes {
            lookup(&document.nodes, *root, &Subject::field("the default scene"), "node")?;
            in_scene[root.value()] = true;
        }
        // A node is in the scene if an ancestor is. The result for a node is stored for all nodes on the way to its
        // ancestor, so that each node is visited once.
        let mut is_known = in_scene.clone();
        for node in 0..in_scene.len() {
            let mut chain = Vec::new();
            let mut at = Some(node);
            while let Some(index) = at.filter(|&index| !is_known[index]) {
                chain.push(index);
                at = self.parents[index];
            }
            let is_included = at.is_some_and(|index| in_scene[index]);
            for index in chain {
                (in_scene[index], is_known[index]) = (is_included, true);
            }
        }
        Ok(Some(in_scene))
    }
}

fn local_transform(node: &json::Node) -> LocalTransform {
    if let Some(matrix) = node.matrix {
        return LocalTransform::Matrix(Mat4::from_cols_array(&matrix));
    }
    let rotation = node.rotation.map_or(Quat::IDENTITY, |quaternion| {
        let quaternion = Quat::from_array(quaternion.0);
        match quaternion.length_squared() {
            // One of unit length stays as it is, bit for bit.
            length if (length - 1.0).abs() < 1e-6 => quaternion,
            length if length > 0.0 => quaternion.normalize(),
            _ => Quat::IDENTITY,
        }
    });
    LocalTransform::Trs(Trs {
        translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
        rotation,
        scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
    })
}

pub(super) fn cameras(document: &GltfDocument, graph: &NodeGraph, notes: &mut Notes) -> Vec<FileCamera> {
    let (mut cameras, mut hidden) = (Vec::new(), 0);
    for (index, node) in document.nodes.iter().enumerate() {
        let Some(camera) = node.camera else { continue };
        if !graph.is_in_scene(index) {
            hidden += 1;
            continue;
        }
        let Some(value) = document.cameras.get(camera.value()) else {
            let message = format!("has camera {}, the file has {}; left out", camera.value(), document.cameras.len());
            notes.warn(Subject::Numbered(Kind::Node, index), message);
            continue;
        };
        let own_name = value.get("name").and_then(Value::as_str).map(str::to_owned);
        let name = own_name.or_else(|| node.name.clone()).unwrap_or_else(|| format!("camera {}", camera.value()));
        let subject = Subject::named(Kind::Camera, &name);
        let Some(lens) = lens(value) else {
            notes.warn(subject, "has no valid lens; left out");
            continue;
        };
        if matches!(lens, Lens::Orthographic { .. }) {
            notes.inform(subject, "is orthographic: shown from far away through a long lens, at the same size");
        }
        let world_from_camera = graph.world_from_file_node(index);
        cameras.push(FileCamera { name, node: graph.rig_index(index), world_from_camera, lens });
    }
    if hidden > 0 {
        notes.inform(Subject::All(Kind::Scene), format!("{hidden} cameras are not in the default scene and left out"));
    }
    cameras
}

/// The lens of a camera; none if its properties are missing or out of range.
fn lens(camera: &Value) -> Option<Lens> {
    let kind = camera.get("type")?.as_str()?;
    let key = if kind == "perspective" { "yfov" } else { "ymag" };
    let number = finite_number(camera.get(kind)?.get(key)?).filter(|number| *number > 0.0)?;
    match kind {
        "perspective" => (number < std::f32::consts::PI).then_some(Lens::Perspective { fov_y_radians: number }),
        "orthographic" => Some(Lens::Orthographic { half_height: number }),
        _ => None,
    }
}

const EXTENSION: &str = "KHR_lights_punctual";

/// Brighter lights are dimmed to this, so that the sum of several stays finite.
const MAX_INTENSITY: f32 = 1e12;

pub(super) fn lights(document: &GltfDocument, graph: &NodeGraph, notes: &mut Notes) -> Vec<FileLight> {
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
            notes.warn(Subject::named(Kind::Light, &name), message);
            continue;
        };
        let light =
            FileLight { node: graph.rig_index(index), world_from_light: graph.world_from_file_node(index), ..light };
        if lights.len() < FileLight::MOST { lights.push(light) } else { excess.push(quoted(&light.name)) }
    }
    if !excess.is_empty() {
        let (count, most) = (excess.len(), FileLight::MOST);
        let names = listed(&excess, most);
        notes.warn(Subject::All(Kind::Light), format!("{count} beyond the first {most} are not shown: {names}"));
    }
    if hidden > 0 {
        notes.inform(Subject::All(Kind::Scene), format!("{hidden} lights are not in the default scene and left out"));
    }
    lights
}

/// A light at the origin; none if its properties are missing or not numbers.
fn read(light: &Value, name: String) -> Option<FileLight> {
    let beam = match light.get("type")?.as_str()? {
        "directional" => Beam::Directional,
        "point" => Beam::Point,
        "spot" => {
            let cone = light.get("spot");
            let [outer, inner] = [("outerConeAngle", FRAC_PI_4), ("innerConeAngle", 0.0)]
                .map(|(key, default)| number_or(cone.and_then(|cone| cone.get(key)), default));
            let outer_radians = outer?.clamp(0.0, FRAC_PI_2);
            Beam::Spot { inner_radians: inner?.clamp(0.0, outer_radians), outer_radians }
        }
        _ => return None,
    };
    let channels = light.get("color").and_then(Value::as_array);
    let [red, green, blue] = [0, 1, 2].map(|index: usize| {
        number_or(channels.and_then(|channels| channels.get(index)), 1.0).map(|channel| channel.clamp(0.0, 1.0))
    });
    Some(FileLight {
        name,
        node: None,
        world_from_light: Mat4::IDENTITY,
        color: [red?, green?, blue?],
        intensity: number_or(light.get("intensity"), 1.0)?.clamp(0.0, MAX_INTENSITY),
        range: light.get("range").and_then(finite_number).filter(|range| *range > 0.0),
        beam,
    })
}

fn number_or(value: Option<&Value>, default: f32) -> Option<f32> {
    value.map_or(Some(default), finite_number)
}

fn finite_number(value: &Value) -> Option<f32> {
    value.as_f64().map(|number| number as f32).filter(|number| number.is_finite())
}
