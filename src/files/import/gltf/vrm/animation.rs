//! VRM animations (`VRMC_vrm_animation` 1.0): nodes that stand for bones, expressions and the gaze, and clips that move
//! these nodes.

use std::collections::HashSet;

use glam::{Mat3, Mat4};
use serde_json::{Map, Value};

use super::extension::named_bones;
use crate::import::gltf::mesh::Meshes;
use crate::import::gltf::nodes::NodeGraph;
use crate::import::gltf::{Context, DocumentContent, animation};
use crate::import::{Fault, Import};
use smirk_base::names::quoted;
use smirk_face::head::{BoneMotion, Clip, Node, NodeTrack, Note, Subject, listed};

/// The clips of a VRM animation, and what their nodes stand for. Indices are those of the nodes.
pub(in crate::import::gltf) struct VrmAnimation {
    /// Their tracks move nodes only.
    pub clips: Vec<Clip>,
    /// Parents come before their children.
    pub nodes: Vec<Node>,
    /// The transforms of all nodes to the space of the file, at rest.
    pub file_from_node: Vec<Mat4>,
    /// The bones by the names of VRM, such as `leftHand`.
    pub bones: Vec<(String, usize)>,
    /// The expressions by name. The weight of each is the x of its node's translation.
    pub expressions: Vec<(String, usize)>,
    /// The node whose rotation is the direction of the gaze, relative to the head.
    pub gaze: Option<usize>,
    pub notes: Vec<Note>,
}

impl VrmAnimation {
    pub(in crate::import::gltf) fn read(
        content: &DocumentContent<'_>,
        import: &mut Import<'_>,
    ) -> Result<Option<Self>, Fault> {
        let &DocumentContent { document, accessors, .. } = content;
        let Some(extension) = document.extensions.get("VRMC_vrm_animation").and_then(Value::as_object) else {
            return Ok(None);
        };
        let graph = NodeGraph::new(document, Mat4::IDENTITY, import)?;
        let context = Context { document, accessors, graph: &graph };
        let clips = animation::read_clips(&context, &Meshes::default(), &HashSet::new(), import)?;
        let mut missing = Vec::new();
        let mut node = |name: &str, value: Option<&Value>| {
            let number = value.and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
            let found = number.and_then(|number| graph.rig_index(number));
            if found.is_none() {
                missing.push(quoted(name));
            }
            Some((name.to_owned(), found?))
        };
        let bones = named_bones(extension).into_iter().filter_map(|(name, value)| node(name, Some(value))).collect();
        let expressions = ["preset", "custom"].into_iter().flat_map(|kind| {
            let expressions = extension.get("expressions").and_then(|all| all.get(kind));
            expressions.and_then(Value::as_object).into_iter().flatten()
        });
        let expressions = expressions.filter_map(|(name, value)| node(name, value.get("node"))).collect();
        let gaze = extension.get("lookAt").and_then(Value::as_object);
        let gaze = gaze.and_then(|gaze: &Map<String, Value>| Some(node("lookAt", gaze.get("node"))?.1));
        if !missing.is_empty() {
            let message = format!("nodes that do not exist; left out: {}", listed(&missing, 8));
            import.notes.warn(Subject::field("VRMC_vrm_animation"), message);
        }
        let nodes: Vec<Node> = (0..graph.world_from_node().len()).map(|index| graph.rig_node(index).clone()).collect();
        let file_from_node = graph.world_from_node().to_vec();
        let notes = import.take_notes();
        Ok(Some(Self { clips, nodes, file_from_node, bones, expressions, gaze, notes }))
    }

    /// The motion of a bone that `tracks` move. Only the hips move from their place.
    pub(super) fn motion_of(&self, name: &str, bone: usize, tracks: &[&NodeTrack]) -> BoneMotion {
        let file_from_above = self.nodes[bone].parent.map_or(Mat4::IDENTITY, |above| self.file_from_node[above]);
        let file_from_bone = self.file_from_node[bone];
        let height = file_from_bone.w_axis.y;
        let moves = name == "hips" && height > 0.0;
        BoneMotion {
            name: name.to_owned(),
            rest: self.nodes[bone].rest,
            tracks: tracks.iter().copied().cloned().collect(),
            rotations_at_rest: [file_from_above, file_from_bone].map(|it| it.to_scale_rotation_translation().1),
            heights_from_above: if moves { Mat3::from_mat4(file_from_above) * height.recip() } else { Mat3::ZERO },
        }
    }
}
