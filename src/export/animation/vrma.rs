//! VRM animations (`VRMC_vrm_animation` 1.0): weights of expressions, the turns of the head, and the direction of the
//! gaze.
//!
//! The file has a node for each expression, whose translation along x is the weight from 0 to 1; one for the gaze,
//! whose rotation is the mean turn of both eyes; and the bones of the avatar in its T-pose, without rotations of their
//! own, of which the head turns. A head that is no avatar has the bones that the specification requires, at places of a
//! grown person.

use std::collections::HashSet;

use glam::{Quat, Vec3};
use serde_json::{Map, Value, json};

use super::clip::{Recording, lines};
use crate::ExportError;
use crate::glb::{StoredDeltas, glb_with_extensions};
use smirk_base::names::quoted;
use smirk_base::progress::Progress;
use smirk_face::head::{
    Asset, Clip, Head, LocalTransform, Node, NodePath, NodeTrack, Preset, REQUIRED_BONES, Rig, Trs, Turn, VrmVersion,
};

const EXTENSION: &str = "VRMC_vrm_animation";

/// The places of [`REQUIRED_BONES`] in metres.
const PLACES: [[f32; 3]; REQUIRED_BONES.len()] = [
    [0.0, 0.95, 0.0],
    [0.0, 1.05, 0.0],
    [0.0, 1.5, 0.0],
    [0.09, 0.9, 0.0],
    [0.09, 0.48, 0.0],
    [0.09, 0.08, 0.0],
    [-0.09, 0.9, 0.0],
    [-0.09, 0.48, 0.0],
    [-0.09, 0.08, 0.0],
    [0.18, 1.4, 0.0],
    [0.45, 1.4, 0.0],
    [0.7, 1.4, 0.0],
    [-0.18, 1.4, 0.0],
    [-0.45, 1.4, 0.0],
    [-0.7, 1.4, 0.0],
];

/// Bones whose motion is that of the gaze: an animation must not have them.
const EYES: [&str; 2] = ["leftEye", "rightEye"];

struct WrittenExpression<'a> {
    channel: usize,
    name: &'a str,
    is_preset: bool,
}

pub(super) fn bytes(
    recording: &Recording,
    head: &Head,
    tolerance: Option<f32>,
    progress: Progress<'_>,
) -> Result<Vec<u8>, ExportError> {
    let (nodes, extension) = nodes_and_extension(recording, head, tolerance)?;
    let extensions = [(EXTENSION.to_owned(), extension)].into_iter().collect();
    glb_with_extensions(&nodes, StoredDeltas::default(), extensions, progress)
}

/// A head without meshes whose nodes and clip are those of the animation, and the extension that says what the nodes
/// are.
fn nodes_and_extension(
    recording: &Recording,
    head: &Head,
    tolerance: Option<f32>,
) -> Result<(Head, Value), ExportError> {
    let mut rig = Rig::default();
    let bones = add_bones(&mut rig, head);
    let times = recording.times();
    let turns = &recording.performance.turns;
    let mut node_tracks = Vec::new();
    let gaze = add_node(&mut rig, "lookAt", None, Vec3::ZERO);
    if recording.has_turns() {
        let head_bone = bones.iter().find(|(bone, _)| bone == "head").map(|(_, node)| *node);
        let of_head: Vec<Quat> = turns.iter().map(|turns| turns.head.rotation()).collect();
        let of_gaze = turns.iter().map(|turns| gaze_of(turns.eyes).rotation()).collect();
        for (node, rotations) in [(head_bone, of_head), (Some(gaze), of_gaze)] {
            let Some(node) = node else { continue };
            let values = rotations.iter().flat_map(|rotation| rotation.to_array()).collect();
            let curve = lines(times.clone(), values, 4, "the head and the gaze")?;
            node_tracks.push(NodeTrack { node, path: NodePath::Rotation, curve });
        }
    }
    let (mut preset, mut custom) = (Map::new(), Map::new());
    for WrittenExpression { channel, name, is_preset } in expressions(recording, head).0 {
        let node = add_node(&mut rig, name, None, Vec3::ZERO);
        let list = if is_preset { &mut preset } else { &mut custom };
        list.insert(name.to_owned(), json!({"node": node}));
        let keys = recording.keys(
            (0..recording.frame_count()).map(|frame| weight_at(recording, frame, channel)).collect(),
            1,
            tolerance,
        );
        let times = keys.frames.iter().map(|&frame| times[frame]).collect();
        let values = keys.values.iter().flat_map(|&weight| [weight, 0.0, 0.0]).collect();
        let curve = lines(times, values, 3, &quoted(name))?;
        node_tracks.push(NodeTrack { node, path: NodePath::Translation, curve });
    }
    let human_bones: Map<String, Value> = bones.into_iter().map(|(name, node)| (name, json!({"node": node}))).collect();
    let extension = json!({
        "specVersion": "1.0",
        "humanoid": {"humanBones": human_bones},
        "expressions": {"preset": preset, "custom": custom},
        "lookAt": {"node": gaze, "offsetFromHeadBone": [0.0, 0.06, 0.0]},
    });
    let clips = vec![Clip::new(recording.name.clone(), Vec::new()).with_node_tracks(node_tracks)];
    Ok((Head::new(Asset { name: head.name.clone(), rig, clips, ..Asset::default() }), extension))
}

pub(super) fn unmapped_channels<'a>(recording: &'a Recording, head: &'a Head) -> Vec<&'a str> {
    expressions(recording, head).1
}

/// The expressions that are written: those of the head, and the channels of targets; of an avatar only those that move.
/// Then the names of the moving channels that are left out: the four looks, which are the gaze in these files, and what
/// has the name of another expression.
fn expressions<'a>(recording: &'a Recording, head: &'a Head) -> (Vec<WrittenExpression<'a>>, Vec<&'a str>) {
    let (mut written, mut left_out, mut taken) = (Vec::new(), Vec::new(), HashSet::new());
    let first_expression = head.channels.len() - head.expressions.len();
    // Expressions first, since an artist who opens the file on the avatar means these by their names.
    for channel in (first_expression..head.channels.len()).chain(0..first_expression) {
        let moves = (0..recording.frame_count()).any(|frame| recording.performance.frame(frame)[channel] != 0.0);
        let own = channel.checked_sub(first_expression).map(|index| &head.expressions[index]);
        let name = own.map_or(head.channels[channel].full_name.as_str(), |own| &own.name);
        let preset = own.map_or_else(|| Preset::named(name), |own| own.preset);
        if own.is_none() && !head.expressions.is_empty() && !moves {
            continue;
        }
        let name = preset.map_or(name, |preset| preset.name());
        let is_look = matches!(preset, Some(Preset::LookUp | Preset::LookDown | Preset::LookLeft | Preset::LookRight));
        if is_look || !taken.insert(name) {
            left_out.extend(moves.then_some(head.channels[channel].full_name.as_str()));
            continue;
        }
        written.push(WrittenExpression { channel, name, is_preset: preset.is_some() });
    }
    (written, left_out)
}

/// The weight that the format allows: 0 to 1.
fn weight_at(recording: &Recording, frame: usize, channel: usize) -> f32 {
    let weight = recording.performance.frame(frame)[channel];
    if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 }
}

/// The mean of the turns of both eyes, without a roll.
fn gaze_of([left, right]: [Turn; 2]) -> Turn {
    Turn { yaw: 0.5 * (left.yaw + right.yaw), pitch: 0.5 * (left.pitch + right.pitch), roll: 0.0 }
}

/// Adds the bones of an avatar where they are at rest, or the required ones; returns their names and nodes.
fn add_bones(rig: &mut Rig, head: &Head) -> Vec<(String, usize)> {
    let avatar = head.avatar.as_ref().map_or(&[][..], |avatar| &avatar.bones);
    let mut bones: Vec<&(String, usize)> = avatar.iter().filter(|(name, _)| !EYES.contains(&name.as_str())).collect();
    // Parents come before their children in the rig of a head.
    bones.sort_by_key(|(_, node)| *node);
    let has_required = REQUIRED_BONES.iter().all(|(name, _)| bones.iter().any(|(bone, _)| bone == name));
    let mut added: Vec<(String, usize, Vec3)> = Vec::new();
    if !has_required {
        for ((name, above), place) in REQUIRED_BONES.into_iter().zip(PLACES) {
            let above = added.iter().find(|(bone, ..)| bone == above).map(|&(_, node, place)| (node, place));
            let place = Vec3::from_array(place);
            let node = add_node(rig, name, above.map(|(node, _)| node), place - above.map_or(Vec3::ZERO, |it| it.1));
            added.push((name.to_owned(), node, place));
        }
        return added.into_iter().map(|(name, node, _)| (name, node)).collect();
    }
    let worlds = head.rest_pose.world_from_node();
    let is_vrm0 = head.avatar.as_ref().is_some_and(|avatar| avatar.version == VrmVersion::V0);
    for (name, of_head) in &bones {
        let ancestors = std::iter::successors(head.rig.nodes[*of_head].parent, |&node| head.rig.nodes[node].parent);
        let above = ancestors.filter_map(|node| bones.iter().position(|(_, bone)| *bone == node)).next();
        let above = above.and_then(|at| added.get(at)).map(|&(_, node, place)| (node, place));
        let place = worlds[*of_head].w_axis.truncate();
        let name = if is_vrm0 { name_in_vrm1(name) } else { name.as_str() };
        let node = add_node(rig, name, above.map(|(node, _)| node), place - above.map_or(Vec3::ZERO, |it| it.1));
        added.push((name.to_owned(), node, place));
    }
    added.into_iter().map(|(name, node, _)| (name, node)).collect()
}

/// The name of a bone of VRM 0.x in VRM 1.0, which calls two bones of the thumb otherwise.
fn name_in_vrm1(name: &str) -> &str {
    match name {
        "leftThumbProximal" => "leftThumbMetacarpal",
        "leftThumbIntermediate" => "leftThumbProximal",
        "rightThumbProximal" => "rightThumbMetacarpal",
        "rightThumbIntermediate" => "rightThumbProximal",
        name => name,
    }
}

fn add_node(rig: &mut Rig, name: &str, parent: Option<usize>, translation: Vec3) -> usize {
    let rest = LocalTransform::Trs(Trs { translation, ..Trs::IDENTITY });
    rig.nodes.push(Node { name: name.to_owned(), parent, rest });
    rig.nodes.len() - 1
}
