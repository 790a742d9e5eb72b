//! Skins (glTF 2.0 §3.7.3): joints and inverse bind matrices.

use std::collections::HashSet;

use glam::{Mat4, Vec4};
use serde_json::{Value, json};

use super::bin::Bin;
use super::nodes::Nodes;
use smirk_face::head::{Head, Mesh, Rig, Skin};

/// Writes the skins, and gives them to the nodes of the meshes. Returns the elements of `skins`.
pub(super) fn write(head: &Head, nodes: &mut Nodes, bin: &mut Bin) -> Vec<Value> {
    let mut list = Vec::new();
    // A skin without a joint is none in glTF.
    let mut written = vec![None; head.rig.skins.len()];
    for (index, skin) in head.rig.skins.iter().enumerate().filter(|(_, skin)| !skin.joints.is_empty()) {
        written[index] = Some(list.len());
        list.push(element(skin, nodes, bin));
    }
    for (index, mesh) in head.meshes.iter().enumerate().filter(|(_, mesh)| is_skinned(mesh, &head.rig)) {
        let skin = mesh.skin.filter(|_| nodes.mesh_of_file(index).is_some());
        if let Some(skin) = skin.and_then(|skin| written.get(skin).copied().flatten()) {
            let node = nodes.of_meshes[index];
            nodes.list[node]["skin"] = json!(skin);
        }
    }
    if head.rig.skins.iter().any(|skin| root_count(skin, &head.rig) > 1) && nodes.roots.len() > 1 {
        // The joints of a skin have a common root (§3.7.3.1).
        nodes.join_roots(&head.name);
    }
    list
}

/// Whether joints move a mesh: it has influences, and a skin that has joints.
pub(super) fn is_skinned(mesh: &Mesh, rig: &Rig) -> bool {
    let skin = mesh.skin.and_then(|skin| rig.skins.get(skin));
    !mesh.vertices.influences.is_empty() && skin.is_some_and(|skin| !skin.joints.is_empty())
}

fn element(skin: &Skin, nodes: &mut Nodes, bin: &mut Bin) -> Value {
    let mut used = HashSet::new();
    let mut joints = Vec::with_capacity(skin.joints.len());
    for joint in &skin.joints {
        let node = nodes.index_of(joint.node).unwrap_or_default();
        // A node is a joint of a skin once; a second one at the same place stands in for it.
        let is_new = used.insert(node);
        joints.push(if is_new { node } else { nodes.add_child(node, json!({"name": "joint"})) });
    }
    let affine = |joint_from_mesh: Mat4| {
        let transposed = joint_from_mesh.transpose();
        Mat4::from_cols(transposed.x_axis, transposed.y_axis, transposed.z_axis, Vec4::W).transpose()
    };
    let matrices: Vec<[f32; 16]> =
        skin.joints.iter().map(|joint| affine(joint.joint_from_mesh).to_cols_array()).collect();
    json!({"name": skin.name, "joints": joints, "inverseBindMatrices": bin.matrices(&matrices)})
}

/// The number of roots that the joints of a skin hang on.
fn root_count(skin: &Skin, rig: &Rig) -> usize {
    let root_of = |mut node: usize| {
        while let Some(parent) = rig.nodes.get(node).and_then(|node| node.parent) {
            node = parent;
        }
        node
    };
    skin.joints.iter().map(|joint| root_of(joint.node)).collect::<HashSet<_>>().len()
}
