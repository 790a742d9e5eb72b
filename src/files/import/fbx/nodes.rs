//! The tree of nodes at rest, and which of them show a mesh.

use glam::Mat4;
use ufbx::Scene;

use super::{name_or_number, trs};
use crate::import::error::Fault;
use smirk_face::head::{Kind, LocalTransform, Node, Notes, Rig, Skin, Subject};

/// The nodes of a scene as a rig, without the root, which `ufbx` adds.
pub(super) struct NodeTree {
    rig: Rig,
    /// In the order of the rig.
    world_from_node: Vec<Mat4>,
    /// Per node of the scene, its index in the rig.
    rig_indices: Vec<Option<usize>>,
    /// Per node of the scene, whether it or a node above it is hidden.
    is_hidden: Vec<bool>,
}

impl NodeTree {
    pub(super) fn from_scene(scene: &Scene, notes: &mut Notes) -> Result<Self, Fault> {
        let mut tree = Self {
            rig: Rig::default(),
            world_from_node: Vec::new(),
            rig_indices: vec![None; scene.nodes.len()],
            is_hidden: Vec::new(),
        };
        // The nodes of a scene are in the order of their depth, so that parents come before their children.
        for (index, node) in scene.nodes.iter().enumerate() {
            let parent = node.parent.as_ref().map(|parent| parent.element.typed_id as usize);
            let is_below_hidden = parent.and_then(|parent| tree.is_hidden.get(parent)).is_some_and(|hidden| *hidden);
            tree.is_hidden.push(!node.visible || is_below_hidden);
            if node.is_root {
                continue;
            }
            tree.rig_indices[index] = Some(tree.rig.nodes.len());
            tree.rig.nodes.push(Node {
                name: name_or_number(&node.element, "node", index),
                parent: parent.and_then(|parent| tree.rig_index(parent)),
                rest: LocalTransform::Trs(trs(&node.local_transform)),
            });
        }
        tree.world_from_node = tree.rig.world_from_nodes_at_rest();
        if let Some(index) = tree.world_from_node.iter().position(|world| !world.is_finite()) {
            let subject = Subject::named(Kind::Node, &tree.rig.nodes[index].name);
            return Err(Fault::invalid(subject, "its transform is not finite"));
        }
        let unread = [(scene.cameras.len(), "cameras"), (scene.lights.len(), "lights")];
        for (count, what) in unread.into_iter().filter(|(count, _)| *count > 0) {
            notes.inform(Subject::File, format!("{count} {what} are not read from FBX"));
        }
        Ok(tree)
    }

    pub(super) fn rig_index(&self, node: usize) -> Option<usize> {
        self.rig_indices.get(node).copied().flatten()
    }

    pub(super) fn is_hidden(&self, node: usize) -> bool {
        self.is_hidden.get(node).copied().unwrap_or(false)
    }

    pub(super) fn rig(&self) -> &Rig {
        &self.rig
    }

    pub(super) fn world_from_node(&self) -> &[Mat4] {
        &self.world_from_node
    }

    pub(super) fn into_rig(self, skins: Vec<Skin>) -> Rig {
        Rig { skins, ..self.rig }
    }
}
