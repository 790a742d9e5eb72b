//! The surface of a head at some weights.

use glam::Vec3;

use super::depth_map::Region;
use super::surface::Surface;
use smirk_face::head::{AlphaMode, Head, Mesh, Part, Role, normal_matrix};

/// The surface of all meshes, one after the other, in the world, with the nodes at rest. `weights` has one element per target.
pub(super) fn surface(head: &Head, weights: &[f32]) -> Surface {
    let mut surface = Surface::default();
    for mesh in &head.meshes {
        let first = surface.points.len() as u32;
        let (positions, normals) = morphed(mesh, &weights[mesh.first_target..][..mesh.targets.len()]);
        for (vertex, (position, normal)) in positions.into_iter().zip(normals).enumerate() {
            let world_from_vertex = head.rest_pose.world_from_vertex(mesh, vertex);
            surface.points.push(world_from_vertex.transform_point3(position));
            surface.normals.push((normal_matrix(world_from_vertex) * normal).normalize_or_zero());
        }
        let indices = mesh.parts.iter().filter(|part| blocks_light(head, part)).flat_map(|part| indices_of(mesh, part));
        let corners: Vec<u32> = indices.map(|&vertex| vertex + first).collect();
        let known = surface.points.len() as u32;
        let triangles = corners.as_chunks::<3>().0.iter().filter(|corners| corners.iter().all(|&at| at < known));
        surface.blockers.extend(triangles);
    }
    surface
}

/// The parts of space that are looked at: the face in fine steps, and the whole figure in coarser ones where it is much larger.
pub(super) fn regions(head: &Head) -> Vec<Region> {
    let whole = Region { center: head.bounds.center(), radius: head.bounds.radius() };
    let face = Region { center: head.focus.center(), radius: head.focus.radius() * 1.25 };
    if face.radius * 1.5 < whole.radius { vec![face, whole] } else { vec![whole] }
}

/// Whether a part blocks light: it is opaque, and neither lashes nor the clear layer of an eye, which let light through.
fn blocks_light(head: &Head, part: &Part) -> bool {
    let (Some(material), Some(role)) = (head.materials.get(part.material), head.roles.get(part.material)) else {
        return false;
    };
    let is_clear = matches!(role, Role::Lash | Role::Cornea);
    // The strands of hair that a texture cuts out cover a part of their card only.
    let is_cut_out = *role == Role::Hair && material.alpha != AlphaMode::Opaque;
    material.alpha != AlphaMode::Blend && material.transmission == 0.0 && !is_clear && !is_cut_out
}

fn indices_of<'a>(mesh: &'a Mesh, part: &Part) -> &'a [u32] {
    let start = (part.first_index as usize).min(mesh.indices.len());
    let end = start.saturating_add(part.index_count as usize / 3 * 3).min(mesh.indices.len());
    &mesh.indices[start..end]
}

/// Positions and normals of a mesh at the weights of its targets, before its node or its joints move it.
fn morphed(mesh: &Mesh, weights: &[f32]) -> (Vec<Vec3>, Vec<Vec3>) {
    let mut positions = mesh.vertices.positions.clone();
    let mut normals = mesh.vertices.normals.clone();
    normals.resize(positions.len(), Vec3::ZERO);
    let weighted = mesh.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
    for (shape, weight) in weighted.flat_map(|(target, &weight)| target.shapes_at(weight)) {
        for (values, deltas) in [(&mut positions, shape.positions), (&mut normals, shape.normals)] {
            for (&row, &delta) in shape.rows.iter().zip(deltas) {
                values[row as usize] += delta * weight;
            }
        }
    }
    (positions, normals)
}
