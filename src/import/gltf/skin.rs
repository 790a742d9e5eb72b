//! Skinned meshes, shown in the rest pose of their joints (glTF 2.0 §3.7.3): vertices and deltas are moved there once,
//! so that everything behind the importer knows morph targets only.

use glam::{Mat3, Mat4, Vec3};
use gltf::json;

use super::super::Fault;
use super::document::lookup;
use super::mesh::Context;
use crate::head::{Mesh, Note};

/// The joints that pull on a run of vertices.
#[derive(Clone)]
pub struct Influences {
    /// First vertex.
    pub first: usize,
    /// How many vertices.
    pub count: usize,
    /// None where nothing pulls.
    pub sets: Vec<InfluenceSet>,
}

impl Influences {
    /// Those of some of its vertices, given as indices into the mesh, for as many vertices from `first` on.
    pub fn of(&self, vertices: &[u32], first: usize) -> Self {
        let local = |&vertex: &u32| vertex as usize - self.first;
        let sets = self.sets.iter().map(|set| InfluenceSet {
            joints: vertices.iter().map(|vertex| set.joints[local(vertex)]).collect(),
            weights: vertices.iter().map(|vertex| set.weights[local(vertex)]).collect(),
        });
        Self { first, count: vertices.len(), sets: sets.collect() }
    }
}

/// Four joints for each of a run of vertices; both lists are as long as the run.
#[derive(Clone)]
pub struct InfluenceSet {
    /// Into the skin's joints.
    pub joints: Vec<[u32; 4]>,
    /// How much each pulls.
    pub weights: Vec<[f32; 4]>,
}

/// Moves a mesh to where its joints put it. Leaves it where its node stands, with a note, if the skin is unusable.
pub fn bake(
    context: &Context<'_>,
    skin: &json::Skin,
    influences: &[Influences],
    mesh: &mut Mesh,
    object: &str,
    notes: &mut Vec<Note>,
) -> Result<(), Fault> {
    let joints = joint_matrices(context, skin, object)?;
    let matrices = joints.as_ref().map_err(String::clone).and_then(|joints| vertex_matrices(joints, influences, mesh));
    match matrices {
        Ok(matrices) => {
            apply(&matrices, mesh);
            mesh.world_from_mesh = Mat4::IDENTITY;
            let count = skin.joints.len();
            notes.push(Note::info(object, format!("is skinned to {count} joints; shown in its rest pose")));
        }
        Err(why) => notes.push(Note::warning(object, format!("{why}; shown without its skin"))),
    }
    Ok(())
}

/// What each joint does to a vertex bound to it, or why that cannot be said. Indices that lead nowhere are a fault.
fn joint_matrices(context: &Context<'_>, skin: &json::Skin, object: &str) -> Result<Result<Vec<Mat4>, String>, Fault> {
    let inverse_binds = match skin.inverse_bind_matrices {
        Some(accessor) => context.accessors.read::<16>(accessor, object)?,
        None => vec![Mat4::IDENTITY.to_cols_array(); skin.joints.len()],
    };
    if inverse_binds.len() < skin.joints.len() {
        return Ok(Err(format!(
            "its skin has {} inverse bind matrices for {} joints",
            inverse_binds.len(),
            skin.joints.len()
        )));
    }
    let mut matrices = Vec::with_capacity(skin.joints.len());
    for (joint, inverse_bind) in skin.joints.iter().zip(&inverse_binds) {
        lookup(&context.document.nodes, *joint, object, "node (a joint of its skin)")?;
        let joint_from_mesh = Mat4::from_cols_array(inverse_bind);
        matrices.push(context.graph.world_from_node(Some(joint.value())) * joint_from_mesh);
    }
    Ok(Ok(matrices))
}

/// Where each vertex goes, or why that cannot be said.
fn vertex_matrices(joints: &[Mat4], influences: &[Influences], mesh: &Mesh) -> Result<Vec<Mat4>, String> {
    if joints.iter().any(|joint| !joint.is_finite()) {
        return Err("a joint of its skin is not finite".into());
    }
    if influences.iter().all(|influence| influence.sets.is_empty()) {
        return Err("has a skin and no JOINTS_0".into());
    }
    // Vertices nobody pulls stay where the node is.
    let mut matrices = vec![mesh.world_from_mesh; mesh.vertices.len()];
    for influence in influences {
        for vertex in 0..influence.count {
            let (mut sum, mut total) = (Mat4::ZERO, 0.0);
            for set in &influence.sets {
                for (&joint, &weight) in set.joints[vertex].iter().zip(&set.weights[vertex]) {
                    if weight == 0.0 {
                        continue;
                    }
                    let matrix = joints.get(joint as usize).ok_or_else(|| {
                        format!("vertex {vertex} hangs on joint {joint}, its skin has {}", joints.len())
                    })?;
                    sum += *matrix * weight;
                    total += weight;
                }
            }
            if total > 0.0 {
                matrices[influence.first + vertex] = sum * total.recip();
            }
        }
    }
    Ok(matrices)
}

fn apply(matrices: &[Mat4], mesh: &mut Mesh) {
    let linear: Vec<Mat3> = matrices.iter().map(|matrix| Mat3::from_mat4(*matrix)).collect();
    // What turns normals, scaled so that the base normal keeps its length: its deltas then keep their share.
    let mut normal_from_mesh: Vec<Mat3> = Vec::with_capacity(linear.len());
    for (vertex, matrix) in linear.iter().enumerate() {
        let inverse = matrix.inverse();
        let turned = if inverse.is_finite() { inverse.transpose() } else { *matrix };
        let normal = mesh.vertices.normals[vertex];
        let length = (turned * normal).length();
        let scale = if length > 0.0 { normal.length() / length } else { 1.0 };
        normal_from_mesh.push(turned * scale);
    }
    // Likewise for tangents.
    let mut tangent_from_mesh = linear.clone();
    for (matrix, tangent) in tangent_from_mesh.iter_mut().zip(&mut mesh.vertices.tangents) {
        let turned = *matrix * tangent.truncate();
        if turned.length() > 0.0 {
            *matrix *= tangent.truncate().length() / turned.length();
        }
        *tangent = (*matrix * tangent.truncate()).extend(tangent.w);
    }
    for (position, matrix) in mesh.vertices.positions.iter_mut().zip(matrices) {
        *position = matrix.transform_point3(*position);
    }
    for (normal, matrix) in mesh.vertices.normals.iter_mut().zip(&normal_from_mesh) {
        *normal = *matrix * *normal;
    }
    for target in &mut mesh.targets {
        let turn = |deltas: &mut [Vec3], by: &[Mat3]| {
            for (delta, &row) in deltas.iter_mut().zip(&target.rows) {
                *delta = by[row as usize] * *delta;
            }
        };
        turn(&mut target.positions, &linear);
        turn(&mut target.normals, &normal_from_mesh);
        turn(&mut target.tangents, &tangent_from_mesh);
    }
}
