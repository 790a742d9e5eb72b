//! The role that the motion of a surface tells: what turns with the gaze is an eye, and what speech, brows and cheeks move is the
//! skin of the face.

use glam::Vec3;
use rayon::prelude::*;

use super::{Parts, Role};
use crate::head::channel::{Channel, Region, lowercase_words};
use crate::head::{Joint, Mesh, Part, Rig, ShapeDeltas};

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
    if start == end || mesh.parts.len() > MANY_PARTS {
        return None;
    }
    let mut is_in_part = vec![false; mesh.vertices.len()];
    for &vertex in &mesh.indices[start..end] {
        is_in_part.get_mut(vertex as usize).into_iter().for_each(|is_in_part| *is_in_part = true);
    }
    let count = is_in_part.iter().filter(|is_in_part| **is_in_part).count();
    let least = (count as f32 * MOST) as usize;
    if is_on_eye_node(parts.rig, mesh) || count_on_eye_joints(parts.rig, mesh, &is_in_part) > least {
        return Some(Role::Eye);
    }
    let targets = mesh.targets.par_iter().zip(mesh.first_target..mesh.first_target + mesh.targets.len());
    let moving = targets.filter_map(|(target, index)| Some((target, parts.channel_of_target.get(index).copied()??)));
    let found = moving.flat_map_iter(|(target, channel)| {
        target.shapes().map(|shape| match (is_gaze(channel), bit_of(channel.region)) {
            (true, _) => Moved::WithGaze(moved_rows(shape, &is_in_part).collect()),
            (false, Some(bit)) if moved_rows(shape, &is_in_part).nth(count / 50).is_some() => Moved::InRegion(bit),
            _ => Moved::Little,
        })
    });
    let (mut turns_with_gaze, mut regions) = (vec![false; mesh.vertices.len()], 0_u32);
    for moved in found.collect::<Vec<_>>() {
        match moved {
            Moved::WithGaze(rows) => rows.into_iter().for_each(|row| turns_with_gaze[row as usize] = true),
            Moved::InRegion(bit) => regions |= bit,
            Moved::Little => {}
        }
    }
    let looks = turns_with_gaze.into_iter().filter(|turns| *turns).count();
    let moves_with_speech = regions & SPEECH != 0;
    if looks > least && !moves_with_speech {
        return Some(Role::Eye);
    }
    (regions.count_ones() >= REGIONS_OF_A_FACE).then_some(Role::Skin)
}

/// What a shape of a target moves of a part.
enum Moved {
    /// It turns with the gaze: these vertices.
    WithGaze(Vec<u32>),
    /// More than a few vertices, with an expression of this region.
    InRegion(u32),
    Little,
}

/// The vertices of a part that a shape moves.
fn moved_rows<'a>(shape: ShapeDeltas<'a>, is_in_part: &'a [bool]) -> impl Iterator<Item = u32> + 'a {
    let largest = shape.positions.iter().map(|delta| delta.length_squared()).fold(0.0, f32::max);
    // Some programs store rounding errors as movement.
    let visible = largest * 1e-3;
    let rows = shape.rows.iter().zip(shape.positions);
    let moved = move |(row, delta): &(&u32, &Vec3)| delta.length_squared() > visible && is_in_part[**row as usize];
    rows.filter(moved).map(|(row, _)| *row)
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

/// The number of a part's vertices whose strongest joint is that of an eye.
fn count_on_eye_joints(rig: &Rig, mesh: &Mesh, is_in_part: &[bool]) -> usize {
    let Some(skin) = mesh.skin.and_then(|skin| rig.skins.get(skin)) else { return 0 };
    let is_eye = |joint: &Joint| rig.nodes.get(joint.node).is_some_and(|node| is_eye(&node.name));
    let is_of_eye: Vec<bool> = skin.joints.iter().map(is_eye).collect();
    let strongest =
        |vertex: usize| mesh.vertices.influences.of(vertex).first().map(|influence| influence.joint as usize);
    let turns = |&(vertex, is_in_part): &(usize, &bool)| {
        *is_in_part && strongest(vertex).and_then(|joint| is_of_eye.get(joint)) == Some(&true)
    };
    is_in_part.iter().enumerate().filter(turns).count()
}
