//! A head at one moment: its vertices after blending and skinning, in world space.

use glam::{DMat3, DMat4, DVec3, Mat3, Mat4, Vec3, Vec4};
use rayon::prelude::*;

use crate::session::Session;
use smirk_face::head::{AlphaMode, Head, Mesh, Part, RigPose, normal_matrix};
use smirk_graphics::blend::{Normals, ReferenceVertex, reference};

/// What a head shows at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Moment {
    /// One weight per target of the head.
    pub weights: Vec<f32>,
    /// The transform of each node of the head's rig; empty at rest.
    pub world_from_nodes: Vec<Mat4>,
}

impl Moment {
    /// What a session shows now.
    pub(super) fn of(session: &Session) -> Self {
        Self { weights: session.weights().to_vec(), world_from_nodes: session.world_from_nodes() }
    }
}

/// A mesh of a head at one moment, in world space.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BakedMesh {
    /// The index of the mesh in the head.
    pub mesh: usize,
    /// One per vertex.
    pub positions: Vec<Vec3>,
    /// One per vertex, of unit length; zero where the mesh has none.
    pub normals: Vec<Vec3>,
    /// One per vertex, or empty if the mesh has none.
    pub tangents: Vec<Vec4>,
    /// The triangles of the mesh, part after part, turned round where the mesh is mirrored.
    pub indices: Vec<u32>,
}

/// The meshes that a choice names, as indices.
pub(super) fn chosen_meshes(head: &Head, only_visible: bool) -> Vec<usize> {
    let is_chosen = |mesh: &Mesh| !only_visible || mesh.parts.iter().any(|part| is_visible(head, part));
    (0..head.meshes.len()).filter(|&mesh| is_chosen(&head.meshes[mesh])).collect()
}

/// Whether anything of a part can be seen: its material is not wholly transparent.
fn is_visible(head: &Head, part: &Part) -> bool {
    let Some(material) = head.materials.get(part.material).filter(|_| part.index_count > 0) else { return false };
    match material.alpha {
        AlphaMode::Opaque => true,
        AlphaMode::Mask { cutoff } => material.base_color[3] >= cutoff,
        AlphaMode::Blend => material.base_color[3] > 0.0,
    }
}

/// The pose of a head's rig at a moment.
pub(super) fn pose_at(head: &Head, moment: &Moment) -> RigPose {
    if moment.world_from_nodes.len() == head.rig.nodes.len() {
        RigPose::new(&head.rig, moment.world_from_nodes.clone())
    } else {
        head.rest_pose.clone()
    }
}

/// Bakes meshes of a head. Vertices are blended in 64 bits and rounded once, after they were transformed into the world.
pub(super) fn bake(head: &Head, meshes: &[usize], moment: &Moment, normals: Normals) -> Vec<BakedMesh> {
    let (pose, blended) = (pose_at(head, moment), reference(head, &moment.weights, normals));
    let mut first_vertex = Vec::with_capacity(head.meshes.len());
    let mut count = 0;
    for mesh in &head.meshes {
        first_vertex.push(count);
        count += mesh.vertices.len();
    }
    let of_mesh = |&index: &usize| {
        let mesh = &head.meshes[index];
        baked_mesh(index, mesh, &blended[first_vertex[index]..][..mesh.vertices.len()], &pose)
    };
    meshes.iter().map(of_mesh).collect()
}

fn baked_mesh(index: usize, mesh: &Mesh, blended: &[ReferenceVertex], pose: &RigPose) -> BakedMesh {
    let vertex = |(at, vertex): (usize, &ReferenceVertex)| {
        let world_from_vertex = pose.world_from_vertex(mesh, at);
        let matrix: DMat4 = world_from_vertex.as_dmat4();
        let turned: Mat3 = normal_matrix(world_from_vertex);
        let is_mirrored = RigPose::mirrors(&world_from_vertex);
        let normal: DVec3 = turned.as_dmat3() * vertex.normal;
        let along = DMat3::from_mat4(matrix) * vertex.tangent.truncate();
        let side = if is_mirrored { -vertex.tangent.w } else { vertex.tangent.w };
        (
            matrix.transform_point3(vertex.position).as_vec3(),
            normal.normalize_or_zero().as_vec3(),
            along.normalize_or_zero().as_vec3().extend(side as f32),
            is_mirrored,
        )
    };
    let vertices: Vec<(Vec3, Vec3, Vec4, bool)> = blended.par_iter().enumerate().map(vertex).collect();
    let mut indices = mesh.indices.clone();
    // Mirrored triangles have the other winding.
    for triangle in indices.as_chunks_mut::<3>().0 {
        if triangle.iter().filter(|&&vertex| vertices.get(vertex as usize).is_some_and(|it| it.3)).count() > 1 {
            triangle.swap(1, 2);
        }
    }
    let has_tangents = !mesh.vertices.tangents.is_empty();
    BakedMesh {
        mesh: index,
        positions: vertices.iter().map(|vertex| vertex.0).collect(),
        normals: vertices.iter().map(|vertex| vertex.1).collect(),
        tangents: if has_tangents { vertices.iter().map(|vertex| vertex.2).collect() } else { Vec::new() },
        indices,
    }
}
