//! Skins: the joints of skin deformers, and how much each moves a vertex. Vertices and shapes stay in the space of the
//! bind pose.

use super::nodes::NodeTree;
use super::{mat4, name_or_number};
use crate::import::mesh::{Skins, joint_problem, with_finite_joints};
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{Influence, Influences, Joint, Mesh, Skin, Subject};

/// Binds a mesh to the skin that the file has for it, if it has one. If the skin is unusable the mesh follows its node,
/// with a note.
pub(super) fn bind(
    skins: &mut Skins,
    file_mesh: &ufbx::Mesh,
    tree: &NodeTree,
    mesh: &mut Mesh,
    subject: &Subject,
    import: &mut Import<'_>,
) -> Result<(), Fault> {
    let Some(deformer) = file_mesh.skin_deformers.first() else { return Ok(()) };
    let known = skins.find(deformer.element.typed_id as usize, || Ok(read_skin(deformer, tree)))?;
    match (known, mesh.node) {
        (Ok(skin), Some(node)) => {
            let (influences, unbound) = influences(deformer, skins.node_joint(skin, node), mesh, subject, import)?;
            mesh.vertices.influences = influences;
            mesh.skin = Some(skin);
            skins.count_use(skin, node, unbound, subject, &mut import.notes);
            let is_linear =
                matches!(deformer.skinning_method, ufbx::SkinningMethod::Linear | ufbx::SkinningMethod::Rigid);
            if !is_linear {
                import.notes.warn(subject, "its skin is of dual quaternions; it is shown with linear skinning");
            }
        }
        (Err(why), _) => import.notes.warn(subject, format!("{why}; shown without its skin")),
        (Ok(_), None) => {}
    }
    Ok(())
}

/// The joints of a mesh's vertices, those of their control points, and how many of them have none but `node_joint`.
fn influences(
    deformer: &ufbx::SkinDeformer,
    node_joint: u32,
    mesh: &Mesh,
    subject: &Subject,
    import: &mut Import<'_>,
) -> Result<(Influences, usize), Fault> {
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
    Ok((influences, unbound))
}

/// A skin of the file, or why it cannot be used.
fn read_skin(deformer: &ufbx::SkinDeformer, tree: &NodeTree) -> Result<Skin, Problem> {
    let name = name_or_number(&deformer.element, "skin", deformer.element.typed_id as usize);
    let mut joints = Vec::with_capacity(deformer.clusters.len());
    for cluster in &deformer.clusters {
        let node = cluster.bone_node.as_ref().and_then(|bone| tree.rig_index(bone.element.typed_id as usize));
        let node = node.ok_or_else(|| joint_problem(joints.len(), &name, "has no node"))?;
        joints.push(Joint { node, joint_from_mesh: mat4(&cluster.geometry_to_bone) });
    }
    if joints.is_empty() {
        return Err(format!("its skin {} has no joints", quoted(&name)).into());
    }
    with_finite_joints(Skin { name, joints }, tree.world_from_node())
}
