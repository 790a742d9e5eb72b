//! The tree of nodes at rest, and which of them are shown (glTF 2.0 §3.5). Loops instead of recursion: a file may
//! nest as deeply as it likes.

use glam::{Mat4, Quat, Vec3};
use gltf::json;

use crate::head::{LocalTransform, Node, Note, Rig, Skin, Trs};
use crate::import::Fault;
use crate::import::gltf::read::{Document, lookup};

/// The file's nodes, put in order: a rig has parents before their children.
pub struct Graph {
    /// Without skins.
    rig: Rig,
    /// In the rig's order.
    world_from_node: Vec<Mat4>,
    /// Per node of the file, its place in the rig.
    places: Vec<usize>,
    /// Per node of the file, which of them is its parent.
    parents: Vec<Option<usize>>,
    /// Per node of the file, whether it belongs to what is shown.
    is_in_scene: Vec<bool>,
}

/// A mesh to show.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// The node that shows it; none for a file without nodes.
    pub node: Option<usize>,
    /// Index into the file's meshes.
    pub mesh: usize,
}

impl Graph {
    /// Follows the children of every node, from `world_from_file` on. A cycle is an error; of two parents the first counts.
    pub fn new(document: &Document, world_from_file: Mat4, notes: &mut Vec<Note>) -> Result<Self, Fault> {
        let nodes = &document.nodes;
        let mut parents = vec![None; nodes.len()];
        let (mut adopted, mut first_adopted) = (0, None);
        for (index, node) in nodes.iter().enumerate() {
            for child in node.children.iter().flatten() {
                lookup(nodes, *child, &format!("node {index}"), "node")?;
                let parent: &mut Option<usize> = &mut parents[child.value()];
                match *parent {
                    None => *parent = Some(index),
                    Some(first) => {
                        adopted += 1;
                        first_adopted.get_or_insert((child.value(), first, index));
                    }
                }
            }
        }
        if let Some((child, first, second)) = first_adopted {
            let more = if adopted > 1 { format!(" ({adopted} such in the file)") } else { String::new() };
            let message = format!("is a child of both node {first} and node {second}; it stays with the first{more}");
            notes.push(Note::warning(format!("node {child}"), message));
        }
        let unreached = usize::MAX;
        let mut places = vec![unreached; nodes.len()];
        let mut ordered = Vec::with_capacity(nodes.len());
        let mut open: Vec<usize> = (0..nodes.len()).rev().filter(|&index| parents[index].is_none()).collect();
        while let Some(index) = open.pop() {
            // A parent may name a child twice.
            if places[index] != unreached {
                continue;
            }
            places[index] = ordered.len();
            ordered.push(Node {
                name: nodes[index].name.clone().unwrap_or_else(|| format!("node {index}")),
                parent: parents[index].map(|parent| places[parent]),
                rest: local(&nodes[index]),
            });
            let children = nodes[index].children.iter().flatten().rev().map(|child| child.value());
            open.extend(children.filter(|&child| parents[child] == Some(index)));
        }
        if let Some(index) = places.iter().position(|&place| place == unreached) {
            return Err(Fault::invalid(
                format!("node {index}"),
                "is its own ancestor: the nodes form a circle; export the file again",
            ));
        }
        let rig = Rig { world_from_file, nodes: ordered, skins: Vec::new() };
        let world_from_node = rig.world_from_nodes_at_rest();
        if let Some(index) = places.iter().position(|&place| !world_from_node[place].is_finite()) {
            return Err(Fault::invalid(format!("node {index}"), "its place in the world is not a finite number"));
        }
        let is_in_scene = vec![true; nodes.len()];
        Ok(Self { rig, world_from_node, places, parents, is_in_scene })
    }

    /// The place in the rig of a node of the file; none if the file has no such node.
    pub fn place(&self, node: usize) -> Option<usize> {
        self.places.get(node).copied()
    }

    /// A node, by its place in the rig.
    pub fn node(&self, place: usize) -> &Node {
        &self.rig.nodes[place]
    }

    /// Where each node stands at rest, by its place in the rig.
    pub fn world_from_node(&self) -> &[Mat4] {
        &self.world_from_node
    }

    /// Where a node of the file stands at rest.
    pub fn world_from_file_node(&self, node: usize) -> Mat4 {
        self.place(node).map_or(Mat4::IDENTITY, |place| self.world_from_node[place])
    }

    /// Whether a node of the file belongs to the scene that [`Self::placements`] shows.
    pub fn is_in_scene(&self, node: usize) -> bool {
        self.is_in_scene.get(node).copied().unwrap_or(false)
    }

    /// All nodes, with the skins that hang on them.
    pub fn into_rig(self, skins: Vec<Skin>) -> Rig {
        Rig { skins, ..self.rig }
    }

    /// The meshes of the default scene, in node order; of all nodes when that scene has none; of the file when no
    /// node shows any.
    pub fn placements(&mut self, document: &Document, notes: &mut Vec<Note>) -> Result<Vec<Placement>, Fault> {
        let mut all = Vec::new();
        for (index, node) in document.nodes.iter().enumerate() {
            if let Some(mesh) = node.mesh {
                lookup(&document.meshes, mesh, &format!("node {index}"), "mesh")?;
                all.push(Placement { node: Some(index), mesh: mesh.value() });
            }
        }
        if all.is_empty() {
            if !document.meshes.is_empty() {
                notes.push(Note::info("file", "no node shows a mesh; all meshes are shown at the origin"));
            }
            return Ok((0..document.meshes.len()).map(|mesh| Placement { node: None, mesh }).collect());
        }
        let Some(in_scene) = self.nodes_of_scene(document, notes)? else { return Ok(all) };
        let shown: Vec<Placement> =
            all.iter().copied().filter(|placement| placement.node.is_some_and(|node| in_scene[node])).collect();
        if shown.is_empty() {
            notes.push(Note::warning("scene", "the default scene shows no mesh; the meshes of all nodes are shown"));
            return Ok(all);
        }
        if shown.len() < all.len() {
            let hidden = all.len() - shown.len();
            notes.push(Note::info("scene", format!("{hidden} meshes are not in the default scene and not shown")));
        }
        self.is_in_scene = in_scene;
        Ok(shown)
    }

    /// Per node, whether the default scene holds it; none when the file has no scenes.
    fn nodes_of_scene(&self, document: &Document, notes: &mut Vec<Note>) -> Result<Option<Vec<bool>>, Fault> {
        let wanted = document.scene.unwrap_or(0);
        let found = usize::try_from(wanted).ok().and_then(|index| document.scenes.get(index));
        let Some(scene) = found.or(document.scenes.first()) else { return Ok(None) };
        if found.is_none() {
            let count = document.scenes.len();
            notes.push(Note::warning(
                "scene",
                format!("{wanted} does not exist, the file has {count}; the first is shown"),
            ));
        }
        let mut in_scene = vec![false; document.nodes.len()];
        for root in &scene.nodes {
            lookup(&document.nodes, *root, "the default scene", "node")?;
            in_scene[root.value()] = true;
        }
        // A node is in if an ancestor is. Each chain is walked once: what it finds is written down for all of it.
        let mut is_known = in_scene.clone();
        for node in 0..in_scene.len() {
            let mut chain = Vec::new();
            let mut at = Some(node);
            while let Some(index) = at.filter(|&index| !is_known[index]) {
                chain.push(index);
                at = self.parents[index];
            }
            let answer = at.is_some_and(|index| in_scene[index]);
            for index in chain {
                (in_scene[index], is_known[index]) = (answer, true);
            }
        }
        Ok(Some(in_scene))
    }
}

fn local(node: &json::Node) -> LocalTransform {
    if let Some(matrix) = node.matrix {
        return LocalTransform::Matrix(Mat4::from_cols_array(&matrix));
    }
    let rotation = node.rotation.map_or(Quat::IDENTITY, |quaternion| {
        let quaternion = Quat::from_array(quaternion.0);
        if quaternion.length_squared() > 0.0 { quaternion.normalize() } else { Quat::IDENTITY }
    });
    LocalTransform::Trs(Trs {
        translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
        rotation,
        scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
    })
}
