//! The clips of a VRM animation as takes: expressions by name, the angles of the head and of the eyes, and the motion of the body.

use std::collections::HashMap;

use super::CaptureFile;
use crate::import::error::Fault;
use crate::import::gltf::VrmAnimation;
use smirk_base::names::quoted;
use smirk_base::progress::Progress;
use smirk_face::head::{
    BodyMotion, BoneMotion, Clip, Curve, FaceTurns, Interpolation, Kind, NodePath, NodeTrack, Note, Subject, Turn,
    listed,
};
use smirk_face::motion::{ANGLE_COLUMNS, Take, TakeColumn, angle_values};

/// One take per clip.
pub(super) fn takes(
    animation: &VrmAnimation,
    file: &CaptureFile<'_>,
    progress: Progress<'_>,
) -> Result<Vec<Take>, Fault> {
    let mut takes: Vec<Take> = Vec::new();
    for clip in &animation.clips {
        progress.report("reading animations", 0.99)?;
        takes.push(Columns::of(animation, clip).take(file));
    }
    takes.retain(|take| !take.columns.is_empty() || take.body.is_some());
    let Some(first) = takes.first_mut() else {
        return Err(Fault::Unfit("is a VRM animation that moves no bone, expression or gaze".into()));
    };
    first.notes.extend(animation.notes.iter().cloned());
    Ok(takes)
}

/// The bones whose turns are the angles of the head, from the lower to the upper.
const FACE_BONES: [&str; 2] = ["neck", "head"];

/// The columns of one clip.
struct Columns<'a> {
    animation: &'a VrmAnimation,
    clip: &'a Clip,
    /// The tracks of the clip by their nodes: at most one for each part of a transform.
    by_node: HashMap<usize, Vec<&'a NodeTrack>>,
    columns: Vec<TakeColumn>,
    tracks: Vec<Curve>,
    body: Option<BodyMotion>,
    notes: Vec<Note>,
}

impl<'a> Columns<'a> {
    fn of(animation: &'a VrmAnimation, clip: &'a Clip) -> Self {
        let mut by_node: HashMap<usize, Vec<&NodeTrack>> = HashMap::new();
        clip.node_tracks.iter().for_each(|track| by_node.entry(track.node).or_default().push(track));
        let (columns, tracks, body, notes) = (Vec::new(), Vec::new(), None, Vec::new());
        let mut new = Self { animation, clip, by_node, columns, tracks, body, notes };
        new.add_expressions();
        let bone = |name: &str| animation.bones.iter().find(|(bone, _)| bone == name);
        let turning: Vec<&(String, usize)> = FACE_BONES.into_iter().filter_map(bone).collect();
        let motions: Vec<BoneMotion> =
            turning.iter().map(|(name, node)| animation.motion_of(name, *node, new.tracks_of(*node))).collect();
        let nodes: Vec<usize> = turning.iter().map(|(_, node)| *node).collect();
        new.add_angles(&nodes, |turns, time_secs| {
            turns.head = Turn::of_rotation(motions.iter().map(|bone| bone.turned(time_secs)).product());
        });
        if let Some(gaze) = animation.gaze {
            let tracks = new.tracks_of(gaze).to_vec();
            new.add_angles(&[gaze], |turns, time_secs| {
                let rest = animation.nodes[gaze].rest;
                let turn = Turn::of_rotation(rest.played(tracks.iter().copied(), time_secs).rotation);
                turns.eyes = [Turn { roll: 0.0, ..turn }; 2];
            });
        }
        new.add_body();
        new
    }

    fn tracks_of(&self, node: usize) -> &[&'a NodeTrack] {
        self.by_node.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The weights of the expressions, from 0 to 1. Any number of expressions may have one node: they share a curve.
    fn add_expressions(&mut self) {
        let mut known: HashMap<usize, usize> = HashMap::new();
        for (name, node) in &self.animation.expressions {
            if let Some(&track) = known.get(node) {
                self.columns.push(TakeColumn { name: name.clone(), track, element: 0 });
                continue;
            }
            let moved = self.tracks_of(*node).iter().find(|track| track.path == NodePath::Translation);
            let Some(NodeTrack { curve, .. }) = moved else { continue };
            let is_spline = curve.interpolation() == Interpolation::CubicSpline;
            let weight = |(row, values): (usize, &[f32])| {
                // Of a spline, each key is a tangent, a value and a tangent.
                if is_spline && row % 3 != 1 { values[0] } else { values[0].clamp(0.0, 1.0) }
            };
            let weights = curve.values().chunks_exact(curve.width()).enumerate().map(weight).collect();
            if let Ok(curve) = Curve::sharing(curve.interpolation(), curve.shared_times().clone(), weights, 1) {
                known.insert(*node, self.tracks.len());
                self.columns.push(TakeColumn { name: name.clone(), track: self.tracks.len(), element: 0 });
                self.tracks.push(curve);
            }
        }
    }

    /// Angles that follow from the rotations of nodes, with keys at the times of all of these. An angle that stays 0 has no column.
    fn add_angles(&mut self, nodes: &[usize], set: impl Fn(&mut FaceTurns, f32)) {
        let tracks = nodes.iter().flat_map(|&node| self.tracks_of(node));
        let rotations = tracks.filter(|track| track.path == NodePath::Rotation);
        let mut times: Vec<f32> = rotations.flat_map(|track| track.curve.times()).copied().collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let at = |&time_secs: &f32| {
            let mut turns = FaceTurns::NONE;
            set(&mut turns, time_secs);
            angle_values(&turns)
        };
        let rows: Vec<[f32; ANGLE_COLUMNS.len()]> = times.iter().map(at).collect();
        let moving: Vec<usize> =
            (0..ANGLE_COLUMNS.len()).filter(|&angle| rows.iter().any(|row| row[angle] != 0.0)).collect();
        let values = rows.iter().flat_map(|row| moving.iter().map(|&angle| row[angle])).collect();
        if let Ok(curve) = Curve::new(Interpolation::Linear, times, values, moving.len()) {
            let column = |(element, &angle): (usize, &usize)| TakeColumn {
                name: ANGLE_COLUMNS[angle].to_owned(),
                track: self.tracks.len(),
                element,
            };
            self.columns.extend(moving.iter().enumerate().map(column));
            self.tracks.push(curve);
        }
    }

    /// The bones that move, but for those of [`FACE_BONES`].
    fn add_body(&mut self) {
        let moves = |node: usize| !self.tracks_of(node).is_empty();
        let body = self.animation.bones.iter();
        let body = body.filter(|(name, node)| !FACE_BONES.contains(&name.as_str()) && moves(*node));
        let bones: Vec<BoneMotion> =
            body.map(|(name, node)| self.animation.motion_of(name, *node, self.tracks_of(*node))).collect();
        if !bones.is_empty() {
            let names: Vec<String> = bones.iter().map(|bone| quoted(&bone.name)).collect();
            let message = format!("also moves {}: only VRM avatars have a body that plays it", listed(&names, 8));
            self.notes.push(Note::info(Subject::All(Kind::Node), message));
            self.body = Some(BodyMotion { bones: bones.into(), clock: None });
        }
    }

    fn take(self, file: &CaptureFile<'_>) -> Take {
        let Self { clip, columns, tracks, body, notes, .. } = self;
        Take {
            name: clip.name.clone(),
            source: Some(file.path.to_owned()),
            frames_per_sec: clip.frames_per_sec(),
            start_timecode: None,
            columns,
            tracks,
            body,
            duration_secs: clip.duration_secs,
            notes,
        }
    }
}
