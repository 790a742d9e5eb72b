//! Baked meshes as a head without targets, skins and clips, for a GLB. Materials, textures and variants are kept.

use std::collections::HashMap;

use super::baked::{BakedMesh, Moment, pose_at};
use smirk_face::head::{Asset, Head, LocalTransform, Mesh, Node, Rig, Trs, Variant, Vertices, normal_matrix};

/// The head of some baked meshes. Each hangs on a node of its own, at the origin of the world.
pub(super) fn baked_head(head: &Head, baked: Vec<BakedMesh>, moment: &Moment) -> Head {
    let pose = pose_at(head, moment);
    let chosen: Vec<usize> = baked.iter().map(|baked| baked.mesh).collect();
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
            uvs: own.vertices.uvs.clone(),
            second_uvs: own.vertices.second_uvs.clone(),
            colors: own.vertices.colors.clone(),
            ..Vertices::default()
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
        materials: head.materials.clone(),
        textures: head.textures.clone(),
        variants: head.variants.iter().map(|variant| of_chosen(variant, &chosen)).collect(),
        ..Asset::default()
    })
}

/// A variant of the chosen meshes.
fn of_chosen(variant: &Variant, chosen: &[usize]) -> Variant {
    let renumbered = |(&(mesh, part), &material): (&(usize, usize), &usize)| {
        Some(((chosen.iter().position(|&other| other == mesh)?, part), material))
    };
    let materials: HashMap<(usize, usize), usize> = variant.materials.iter().filter_map(renumbered).collect();
    Variant { name: variant.name.clone(), materials }
}
