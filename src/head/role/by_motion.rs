//! The role that the motion of a surface tells: what turns with the gaze is an eye, and what speech, brows and cheeks move is the
//! skin of the face.

use std::collections::BTreeSet;

use super::{Parts, Role};
use crate::head::channel::{Channel, Region, lowercase_words};
use crate::head::{Mesh, Part, Rig};

/// Of the vertices of an eye, at least this fraction turns.
const MOST: f32 = 0.7;

/// So many regions of expressions move a face. An upper row of teeth is moved by none, a lower one by the jaw and the mouth.
const REGIONS_OF_A_FACE: u32 = 4;

/// A mesh of more parts than a head has is not looked at: each part looks at all targets.
const MANY_PARTS: usize = 64;

/// The role of a part of a mesh, if its motion tells.
pub(super) fn role_of(parts: &Parts<'_>, mesh: &Mesh, part: &Part) -> Option<Role> {
    let start = (part.first_index as usize).min(mesh.indices.len());
    let end = start.saturating_add(part.index_count as usize).min(mesh.indices.len());
    let vertices: BTreeSet<u32> = mesh.indices[start..end].iter().copied().collect();
    if vertices.is_empty() || mesh.parts.len() > MANY_PARTS {
        return None;
    }
    let least = (vertices.len() as f32 * MOST) as usize;
    let turns = |vertex: &&u32| is_on_eye_joint(parts.rig, mesh, **vertex);
    if is_on_eye_node(parts.rig, mesh) || vertices.iter().filter(turns).count() > least {
        return Some(Role::Eye);
    }
    let (mut looks, mut regions) = (BTreeSet::new(), 0_u32);
    for (index, target) in mesh.targets.iter().enumerate() {
        let Some(channel) = parts.channel_of_target.get(mesh.first_target + index).copied().flatten() else { continue };
        for shape in target.shapes() {
            let largest = shape.positions.iter().map(|delta| delta.length_squared()).fold(0.0, f32::max);
            // Some programs store rounding errors as movement.
            let visible = largest * 1e-3;
            let moved = shape
                .rows
                .iter()
                .zip(shape.positions)
                .filter(|(row, delta)| delta.length_squared() > visible && vertices.contains(row));
            if is_gaze(channel) {
                looks.extend(moved.map(|(row, _)| *row));
            } else if let (Some(bit), true) = (bit_of(channel.region), moved.count() > vertices.len() / 50) {
                regions |= bit;
            }
        }
    }
    let moves_with_speech = regions & SPEECH != 0;
    if looks.len() > least && !moves_with_speech {
        return Some(Role::Eye);
    }
    (regions.count_ones() >= REGIONS_OF_A_FACE).then_some(Role::Skin)
}

/// Mouth and jaw.
const SPEECH: u32 = 0b11;

fn bit_of(region: Region) -> Option<u32> {
    let bit = match region {
        Region::Mouth => 0,
        Region::Jaw => 1,
        Region::Brows => 2,
        Region::Eyes => 3,
        Region::Cheeks => 4,
        Region::Nose => 5,
        _ => return None,
    };
    Some(1 << bit)
}

fn is_gaze(channel: &Channel) -> bool {
    lowercase_words(&channel.name).iter().any(|word| matches!(word.as_str(), "look" | "gaze"))
}

/// Whether a name is that of an eye, and not of its lid or brow.
fn is_eye(name: &str) -> bool {
    super::by_name::role_of(name) == Some(Role::Eye)
}

/// Whether a mesh hangs on a node of an eye.
fn is_on_eye_node(rig: &Rig, mesh: &Mesh) -> bool {
    if mesh.skin.is_some() {
        return false;
    }
    // A file may have a circle of parents.
    let mut node = mesh.node.and_then(|node| rig.nodes.get(node));
    for _ in 0..3 {
        let Some(this) = node else { return false };
        if is_eye(&this.name) {
            return true;
        }
        node = this.parent.and_then(|parent| rig.nodes.get(parent));
    }
    false
}

/// Whether the strongest joint of a vertex is that of an eye.
fn is_on_eye_joint(rig: &Rig, mesh: &Mesh, vertex: u32) -> bool {
    let node = || {
        let joint = mesh.vertices.influences.of(vertex as usize).first()?.joint;
        rig.nodes.get(rig.skins.get(mesh.skin?)?.joints.get(joint as usize)?.node)
    };
    node().is_some_and(|node| is_eye(&node.name))
}
