//! A head at one moment: its vertices after blending and skinning, in world space.
//!
//! An OBJ file and a point cache of the same meshes have the same [`Points`] in the same order.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DVec3, Mat3, Mat4, Vec3, Vec4};
use rayon::prelude::*;

use smirk_face::head::{
    Asset, Head, LocalTransform, Mesh, Node, Points, Rig, RigPose, Trs, Variant, Vertices, normal_matrix,
};
use smirk_graphics::blend::{ReferenceVertex, reference};
use smirk_scene::Normals;
use smirk_session::Session;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Moment {
    /// One weight per target of the head.
    pub weights: Vec<f32>,
    /// The transform of each node of the head's rig; empty at rest.
    pub world_from_nodes: Vec<Mat4>,
    /// The output of each expression of the head, which may change materials.
    pub expression_outputs: Vec<f32>,
}

impl Moment {
    pub(super) fn from_session(session: &Session) -> Self {
        Self {
            weights: session.weights().to_vec(),
            world_from_nodes: session.world_from_nodes(),
            expression_outputs: session.expression_outputs().to_vec(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BakedMesh {
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

/// The texture coordinates and colours of a mesh at a moment, and nothing else of its vertices.
pub(super) fn uvs_and_colors(mesh: &Mesh, moment: &Moment) -> Vertices {
    let Vertices { uvs, second_uvs, colors, .. } = mesh.vertices.clone();
    let mut vertices = Vertices { uvs, second_uvs, colors, ..Vertices::default() };
    let weights = moment.weights.get(mesh.first_target..).unwrap_or_default();
    let rows = mesh.uv_color_rows();
    for (&row, ([uv, second_uv], color)) in rows.iter().zip(mesh.uvs_and_colors(&rows, weights)) {
        let row = row as usize;
        vertices.uvs.get_mut(row).into_iter().for_each(|own| *own = uv);
        vertices.second_uvs.get_mut(row).into_iter().for_each(|own| *own = second_uv);
        vertices.colors.get_mut(row).into_iter().for_each(|own| *own = color.into());
    }
    vertices
}

pub(super) fn pose_at(head: &Head, moment: &Moment) -> RigPose {
    let is_moved = moment.world_from_nodes.len() == head.rig.nodes.len();
    let world_from_nodes = if is_moved { &moment.world_from_nodes } else { head.rest_pose.world_from_node() };
    RigPose::new(&head.rig, head.rig.turned_back(world_from_nodes))
}

/// Bakes meshes of a head. Vertices are blended in 64 bits and rounded once, after they were transformed into the
/// world.
pub(super) fn bake(head: &Head, meshes: &[usize], moment: &Moment, normals: Normals) -> Vec<BakedMesh> {
    let (pose, blended) = (pose_at(head, moment), reference(head, &moment.weights, normals));
    let mut first_vertex = Vec::with_capacity(head.meshes.len());
    let mut count = 0;
    for mesh in &head.meshes {
        first_vertex.push(count);
        count += mesh.vertices.len();
    }
    meshes
        .iter()
        .map(|&index| {
            let mesh = &head.meshes[index];
            baked_mesh(index, mesh, &blended[first_vertex[index]..][..mesh.vertices.len()], &pose)
        })
        .collect()
}

fn baked_mesh(index: usize, mesh: &Mesh, blended: &[ReferenceVertex], pose: &RigPose) -> BakedMesh {
    let vertices: Vec<(Vec3, Vec3, Vec4, bool)> = blended
        .par_iter()
        .enumerate()
        .map(|(at, vertex)| {
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
        })
        .collect();
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

/// The head of some baked meshes. Each hangs on a node of its own, at the origin of the world.
pub(super) fn baked_head(head: &Head, baked: Vec<BakedMesh>, moment: &Moment) -> Head {
    let pose = pose_at(head, moment);
    let chosen: Vec<usize> = baked.iter().map(|baked| baked.mesh).collect();
    let mut materials = head.materials.clone();
    for (index, material) in head.materials_under(&moment.expression_outputs) {
        materials[index] = material;
    }
    // A file without the list of materials of VRM 0.x shows them only if they are written as they are drawn.
    for toon in materials.iter_mut().filter_map(|material| material.toon.as_mut()) {
        toon.in_file = None;
    }
    let mut rig = Rig::default();
    let mut meshes = Vec::with_capacity(baked.len());
    for baked in baked {
        let own = &head.meshes[baked.mesh];
        let rest = LocalTransform::Trs(Trs::IDENTITY);
        rig.nodes.push(Node { name: own.name.clone(), parent: None, rest });
        let world_from_mesh = pose.world_from_mesh(own);
        let mut strands = own.strands.clone();
        for point in strands.iter_mut().flat_map(|strands| &mut strands.points) {
            point.position = world_from_mesh.transform_point3(point.position);
            point.normal = (normal_matrix(world_from_mesh) * point.normal).normalize_or(point.normal);
        }
        let vertices = Vertices {
            positions: baked.positions,
            normals: baked.normals,
            tangents: baked.tangents,
            ..uvs_and_colors(own, moment)
        };
        meshes.push(Mesh {
            name: own.name.clone(),
            node: Some(meshes.len()),
            vertices,
            indices: baked.indices,
            parts: own.parts.clone(),
            strands,
            ..Mesh::default()
        });
    }
    Head::new(Asset {
        name: head.name.clone(),
        meshes,
        rig,
        materials,
        textures: head.textures.clone(),
        variants: head.variants.iter().map(|variant| of_chosen(variant, &chosen)).collect(),
        ..Asset::default()
    })
}

fn of_chosen(variant: &Variant, chosen: &[usize]) -> Variant {
    let materials: HashMap<(usize, usize), usize> = variant
        .materials
        .iter()
        .filter_map(|(&(mesh, part), &material)| {
            Some(((chosen.iter().position(|&other| other == mesh)?, part), material))
        })
        .collect();
    Variant { name: variant.name.clone(), materials }
}

pub(super) fn positions_of<'a>(points: &'a Points, baked: &'a [BakedMesh]) -> impl Iterator<Item = Vec3> + 'a {
    points.places.iter().map(|&(mesh, vertex)| baked[mesh].positions[vertex as usize])
}
