//! The clips of a VRM animation as takes: expressions by name, and the angles of the head and of the eyes.

use std::collections::HashMap;

use super::CaptureFile;
use crate::import::error::Fault;
use crate::import::gltf::VrmAnimation;
use smirk_base::names::quoted;
use smirk_base::progress::Progress;
use smirk_face::head::{Clip, Curve, FaceTurns, Interpolation, Kind, NodePath, NodeTrack, Note, Subject, Turn, listed};
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
    takes.retain(|take| !take.columns.is_empty());
    let Some(first) = takes.first_mut() else {
        return Err(Fault::Unfit("is a VRM animation of the body alone: it moves no expression, head or gaze".into()));
    };
    first.notes.extend(animation.notes.iter().cloned());
    Ok(takes)
}

/// The columns of one clip.
struct Columns<'a> {
    animation: &'a VrmAnimation,
    clip: &'a Clip,
    /// The tracks of the clip by their nodes: at most one for each part of a transform.
    by_node: HashMap<usize, Vec<&'a NodeTrack>>,
    columns: Vec<TakeColumn>,
    tracks: Vec<Curve>,
    notes: Vec<Note>,
}

impl<'a> Columns<'a> {
    fn of(animation: &'a VrmAnimation, clip: &'a Clip) -> Self {
        let mut by_node: HashMap<usize, Vec<&NodeTrack>> = HashMap::new();
        clip.node_tracks.iter().for_each(|track| by_node.entry(track.node).or_default().push(track));
        let (columns, tracks, notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut new = Self { animation, clip, by_node, columns, tracks, notes };
        new.add_expressions();
        let bone = |name: &str| animation.bones.iter().find(|(bone, _)| bone == name).map(|(_, node)| *node);
        let [neck, head] = [bone("neck"), bone("head")];
        let bones: Vec<usize> = [neck, head].into_iter().flatten().collect();
        new.add_angles(&bones, |turns, time_secs, tracks| {
            let turned = |(bone, tracks): (&usize, &&[&NodeTrack])| animation.turned(*bone, tracks, time_secs);
            turns.head = Turn::of_rotation(bones.iter().zip(tracks).map(turned).product());
        });
        if let Some(gaze) = animation.gaze {
            new.add_angles(&[gaze], |turns, time_secs, tracks| {
                let turn = Turn::of_rotation(animation.local(gaze, tracks[0], time_secs));
                turns.eyes = [Turn { roll: 0.0, ..turn }; 2];
            });
        }
        new.note_body(&[neck, head]);
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
    fn add_angles(&mut self, nodes: &[usize], set: impl Fn(&mut FaceTurns, f32, &[&[&NodeTrack]])) {
        let tracks: Vec<&[&NodeTrack]> = nodes.iter().map(|&node| self.tracks_of(node)).collect();
        let rotations = tracks.iter().copied().flatten().filter(|track| track.path == NodePath::Rotation);
        let mut times: Vec<f32> = rotations.flat_map(|track| track.curve.times()).copied().collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let at = |&time_secs: &f32| {
            let mut turns = FaceTurns::NONE;
            set(&mut turns, time_secs, &tracks);
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

    /// Names the bones that move and that a take has no place for.
    fn note_body(&mut self, used: &[Option<usize>]) {
        let moves = |node: usize| !self.tracks_of(node).is_empty();
        let body = self.animation.bones.iter().filter(|(_, node)| !used.contains(&Some(*node)) && moves(*node));
        let names: Vec<String> = body.map(|(name, _)| quoted(name)).collect();
        if !names.is_empty() {
            let message = format!("a take has the face, the head and the eyes; not played: {}", listed(&names, 8));
            self.notes.push(Note::info(Subject::All(Kind::Node), message));
        }
    }

    fn take(self, file: &CaptureFile<'_>) -> Take {
        let Self { clip, columns, tracks, notes, .. } = self;
        Take {
            name: clip.name.clone(),
            source: Some(file.path.to_owned()),
            frames_per_sec: clip.frames_per_sec(),
            start_timecode: None,
            columns,
            tracks,
            duration_secs: clip.duration_secs,
            notes,
        }
    }
}
