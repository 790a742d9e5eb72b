//! Skins: the joints of skin deformers, and how much each moves a vertex. Vertices and shapes stay in the space of the bind pose.

use std::collections::HashMap;

use glam::Mat4;

use super::mat4;
use super::nodes::NodeTree;
use crate::import::Import;
use crate::import::error::Fault;
use smirk_face::head::{Influence, Influences, Joint, Kind, Mesh, Note, Notes, Skin, Subject};

/// The skins of a file, each read when the first mesh uses it.
#[derive(Default)]
pub(super) struct Skins {
    skins: Vec<Skin>,
    /// Per skin: the number of the file's joints, and the number of meshes that use it.
    uses: Vec<(usize, usize)>,
    /// By index in the file: an index into `skins`, or why the skin cannot be used.
    known: HashMap<u32, Result<usize, String>>,
    /// By skin and node: the extra joint that follows the node, for vertices without a joint.
    node_joints: HashMap<(usize, usize), u32>,
}

impl Skins {
    /// Binds a mesh to the skin that the file has for it, if it has one. If the skin is unusable the mesh follows its node, with a note.
    pub(super) fn bind(
        &mut self,
        file_mesh: &ufbx::Mesh,
        tree: &NodeTree,
        mesh: &mut Mesh,
        subject: &Subject,
        import: &mut Import<'_>,
    ) -> Result<(), Fault> {
        let Some(deformer) = file_mesh.skin_deformers.first() else { return Ok(()) };
        let known = match self.known.get(&deformer.element.typed_id) {
            Some(known) => known.clone(),
            None => {
                let known = read_skin(deformer, tree).map(|skin| {
                    self.uses.push((skin.joints.len(), 0));
                    self.skins.push(skin);
                    self.skins.len() - 1
                });
                self.known.insert(deformer.element.typed_id, known.clone());
                known
            }
        };
        match (known, mesh.node) {
            (Ok(skin), Some(node)) => {
                mesh.vertices.influences = self.influences(skin, node, deformer, mesh, import)?;
                mesh.skin = Some(skin);
                self.uses[skin].1 += 1;
            }
            (Err(why), _) => import.notes.push(Note::warning(subject, format!("{why}; shown without its skin"))),
            (Ok(_), None) => {}
        }
        Ok(())
    }

    /// All skins that were read, with a note on how many meshes each moves.
    pub(super) fn finish(self, notes: &mut Notes) -> Vec<Skin> {
        for (skin, (joints, meshes)) in self.skins.iter().zip(self.uses).filter(|(_, (_, meshes))| *meshes > 0) {
            let message = format!("its {joints} joints skin {meshes} meshes");
            notes.push(Note::info(Subject::named(Kind::Skin, &skin.name), message));
        }
        self.skins
    }

    /// The joint weights of a mesh's vertices, those of their control points.
    fn influences(
        &mut self,
        skin: usize,
        node: usize,
        deformer: &ufbx::SkinDeformer,
        mesh: &Mesh,
        import: &mut Import<'_>,
    ) -> Result<Influences, Fault> {
        let subject = &Subject::named(Kind::Mesh, &mesh.name);
        let joints = &mut self.skins[skin].joints;
        let known = self.node_joints.get(&(skin, node)).copied();
        let node_joint = known.unwrap_or(joints.len() as u32);
        let mut influences = Influences::default();
        let mut unbound = 0;
        for &point in &mesh.vertices.control_points {
            let weights = deformer.vertices.get(point as usize).and_then(|vertex| {
                let first = vertex.weight_begin as usize;
                deformer.weights.get(first..first + vertex.num_weights as usize)
            });
            let weights = weights.unwrap_or_default();
            import.budget.spend((size_of::<u32>() + size_of_val(weights)) as u64, subject)?;
            let bound = weights.iter().filter(|weight| (weight.cluster_index as usize) < deformer.clusters.len());
            let bound = bound.map(|weight| Influence { joint: weight.cluster_index, weight: weight.weight as f32 });
            unbound += usize::from(!influences.push(bound, node_joint));
        }
        if unbound > 0 {
            if known.is_none() {
                joints.push(Joint { node, joint_from_mesh: Mat4::IDENTITY });
                self.node_joints.insert((skin, node), node_joint);
            }
            let message = format!("{unbound} vertices are bound to no joint of its skin; they follow its node");
            import.notes.push(Note::warning(subject, message));
        }
        let is_linear = matches!(deformer.skinning_method, ufbx::SkinningMethod::Linear | ufbx::SkinningMethod::Rigid);
        if !is_linear {
            import
                .notes
                .push(Note::warning(subject, "its skin is of dual quaternions; it is shown with linear skinning"));
        }
        Ok(influences)
    }
}

/// A skin of the file, or why it cannot be used.
fn read_skin(deformer: &ufbx::SkinDeformer, tree: &NodeTree) -> Result<Skin, String> {
    let mut joints = Vec::with_capacity(deformer.clusters.len());
    for cluster in &deformer.clusters {
        let node = cluster.bone_node.as_ref().and_then(|bone| tree.rig_index(bone.element.typed_id as usize));
        let node = node.ok_or_else(|| format!("joint {} of its skin has no node", joints.len()))?;
        joints.push(Joint { node, joint_from_mesh: mat4(&cluster.geometry_to_bone) });
    }
    if joints.is_empty() {
        return Err("its skin has no joints".into());
    }
    let name = Some(deformer.element.name.to_string()).filter(|name| !name.is_empty());
    let skin = Skin { name: name.unwrap_or_else(|| format!("skin {}", deformer.element.typed_id)), joints };
    let broken = skin.palette(tree.world_from_node()).position(|matrix| !matrix.is_finite());
    broken.map_or(Ok(skin), |joint| Err(format!("joint {joint} of its skin is not finite")))
}
