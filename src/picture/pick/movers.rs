//! The channels that move a point of the surface.

use glam::{Mat3, Mat4, Vec3};

use super::picker::{Hit, rig_pose};
use smirk_face::head::{Head, ShapeDeltas, Target};

/// A channel that moves a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Index into [`Head::channels`].
    pub channel: usize,
    /// How far it moves the point now, in millimetres.
    pub now_mm: f32,
    /// How far it moves the point at weight 1, in millimetres.
    pub whole_mm: f32,
    /// The way of the point at weight 1, in the world.
    pub whole: Vec3,
}

/// Movements that are shorter than this, in millimetres at weight 1, are not listed.
const LEAST_MM: f32 = 0.001;

/// The channels of targets that move a point of the surface, the strongest at weight 1 first. `weights` has one element per target of the
/// head.
pub fn movers(head: &Head, hit: &Hit, weights: &[f32], world_from_nodes: &[Mat4]) -> Vec<Mover> {
    let Some(mesh) = head.meshes.get(hit.mesh) else { return Vec::new() };
    let rig_pose = rig_pose(head, world_from_nodes);
    let worlds = hit.vertices.map(|vertex| Mat3::from_mat4(rig_pose.world_from_vertex(mesh, vertex as usize)));
    let way = |target: &Target, weight: f32| -> Vec3 {
        let corners = hit.vertices.iter().zip(worlds).zip(hit.weights.to_array());
        corners.map(|((&vertex, world), share)| world * offset(target, vertex, weight) * share).sum()
    };
    let mm_per_unit = head.mm_per_unit();
    let mut movers = Vec::new();
    for (channel, info) in head.target_channels().iter().enumerate() {
        let (mut now, mut whole) = (Vec3::ZERO, Vec3::ZERO);
        for &index in &info.targets {
            let of_mesh = index.checked_sub(mesh.first_target).and_then(|target| mesh.targets.get(target));
            if let Some(target) = of_mesh {
                now += way(target, weights.get(index).copied().filter(|weight| weight.is_finite()).unwrap_or(0.0));
                whole += way(target, 1.0);
            }
        }
        let [now_mm, whole_mm] = [now, whole].map(|way| way.length() * mm_per_unit);
        if whole_mm >= LEAST_MM || now_mm >= LEAST_MM {
            movers.push(Mover { channel, now_mm, whole_mm, whole });
        }
    }
    movers.sort_by(|a, b| b.whole_mm.total_cmp(&a.whole_mm));
    movers
}

/// How far a target moves a vertex at a weight, in mesh space.
fn offset(target: &Target, vertex: u32, weight: f32) -> Vec3 {
    let of = |(shape, weight): (ShapeDeltas<'_>, f32)| {
        let row = shape.rows.binary_search(&vertex).ok()?;
        Some(*shape.positions.get(row)? * weight)
    };
    target.shapes_at(weight).filter_map(of).sum()
}
