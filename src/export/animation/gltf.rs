//! Clips as glTF animations of weights and nodes, with the head or without it.

use glam::Vec3;

use super::clip::{AnimationClip, AnimationKeys, Recording, lines};
use crate::{ExportError, NodeMotion};
use smirk_base::names::quoted;
use smirk_base::progress::Progress;
use smirk_face::head::{Asset, Clip, Head, InBetween, Mesh, NodePath, NodeTrack, Part, Target, Track, Trs, Vertices};

/// A head with the recordings as its clips, and no others. Each mesh gets the weights of its own targets: the blend
/// rule and expressions are part of them. The keys of a mesh are at every frame, or as few as stay within `tolerance`.
pub(super) fn head_with(recordings: &[Recording], head: &Head, tolerance: Option<f32>) -> Result<Head, ExportError> {
    let clips = recordings.iter().map(|recording| clip(recording, head, tolerance));
    Ok(head.with_clips(clips.collect::<Result<_, ExportError>>()?))
}

impl AnimationClip {
    /// The weights of all targets, and the nodes that move, as a clip of the head.
    pub fn for_head(&self, keys: AnimationKeys, progress: Progress<'_>) -> Result<Clip, ExportError> {
        clip(&Recording::evaluate(self, progress)?, &self.session.head, keys.tolerance())
    }
}

/// A stand-in for a head: meshes of one triangle with the names of its meshes and targets, so that an animation of
/// their weights is a valid file by itself.
pub(super) fn without_shapes(head: &Head) -> Head {
    let meshes = head
        .meshes
        .iter()
        .filter(|mesh| !mesh.targets.is_empty())
        .map(|mesh| Mesh {
            name: mesh.name.clone(),
            vertices: Vertices {
                positions: vec![Vec3::ZERO, Vec3::X * 1e-3, Vec3::Y * 1e-3],
                normals: vec![Vec3::Z; 3],
                ..Vertices::default()
            },
            indices: vec![0, 1, 2],
            parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
            targets: mesh
                .targets
                .iter()
                .map(|target| Target {
                    name: target.name.clone(),
                    default_weight: target.default_weight,
                    in_betweens: target.in_betweens.iter().map(without_deltas).collect(),
                    ..Target::default()
                })
                .collect(),
            ..Mesh::default()
        })
        .collect();
    let clips = head.clips.iter().map(|clip| Clip::new(clip.name.clone(), clip.tracks.clone())).collect();
    Head::new(Asset { name: head.name.clone(), meshes, clips, ..Asset::default() })
}

fn without_deltas(in_between: &InBetween) -> InBetween {
    InBetween { name: in_between.name.clone(), full_weight: in_between.full_weight, ..InBetween::default() }
}

fn clip(recording: &Recording, head: &Head, tolerance: Option<f32>) -> Result<Clip, ExportError> {
    let times = recording.times();
    let mut tracks = Vec::new();
    for mesh in head.meshes.iter().filter(|mesh| !mesh.targets.is_empty()) {
        let width = mesh.targets.len();
        let keys = recording.keys(recording.targets_of(mesh), width, tolerance);
        let mut times: Vec<f32> = keys.frames.iter().map(|&frame| times[frame]).collect();
        let mut values = keys.values;
        if let (1, Some(&end)) = (times.len(), recording.times().last())
            && end > 0.0
        {
            // A second key, so that a clip whose face is still is as long as the others.
            times.push(end);
            values.extend_from_within(..);
        }
        let curve = lines(times, values, width, &format!("mesh {}", quoted(&mesh.name)))?;
        tracks.push(Track { first_target: mesh.first_target, curve });
    }
    let mut of_nodes = Vec::new();
    for motion in &recording.performance.nodes {
        of_nodes.extend(node_tracks(motion, &times)?);
    }
    Ok(Clip::new(recording.name.clone(), tracks).with_node_tracks(of_nodes))
}

/// The tracks of a node, with a key at every frame. What does not change has one key.
fn node_tracks(motion: &NodeMotion, times: &[f32]) -> Result<Vec<NodeTrack>, ExportError> {
    [NodePath::Translation, NodePath::Rotation, NodePath::Scale]
        .into_iter()
        .map(|path| {
            let values: Vec<Vec<f32>> = motion.transforms.iter().map(|trs| numbers_of(path, trs)).collect();
            let is_still = values.iter().all(|value| value.iter().zip(&values[0]).all(|(a, b)| (a - b).abs() < 1e-6));
            let kept = if is_still { 1 } else { values.len() };
            let curve = lines(times[..kept].to_vec(), values[..kept].concat(), path.width(), "the nodes")?;
            Ok(NodeTrack { node: motion.node, path, curve })
        })
        .collect()
}

fn numbers_of(path: NodePath, trs: &Trs) -> Vec<f32> {
    match path {
        NodePath::Translation => trs.translation.to_array().into(),
        NodePath::Rotation => trs.rotation.to_array().into(),
        NodePath::Scale => trs.scale.to_array().into(),
    }
}
