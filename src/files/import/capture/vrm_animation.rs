//! The clips of a VRM animation as takes: expressions by name, and the angles of the head and of the eyes.

use super::CaptureFile;
use crate::import::error::Fault;
use crate::import::gltf::VrmAnimation;
use smirk_base::names::quoted;
use smirk_face::head::{Clip, Curve, FaceTurns, Interpolation, Kind, NodePath, NodeTrack, Note, Subject, Turn, listed};
use smirk_face::motion::{ANGLE_COLUMNS, Take, TakeColumn, angle_values};

/// One take per clip.
pub(super) fn takes(animation: &VrmAnimation, file: &CaptureFile<'_>) -> Result<Vec<Take>, Fault> {
    let mut takes: Vec<Take> = animation.clips.iter().map(|clip| Columns::of(animation, clip).take(file)).collect();
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
    columns: Vec<TakeColumn>,
    tracks: Vec<Curve>,
    notes: Vec<Note>,
}

impl<'a> Columns<'a> {
    fn of(animation: &'a VrmAnimation, clip: &'a Clip) -> Self {
        let mut new = Self { animation, clip, columns: Vec::new(), tracks: Vec::new(), notes: Vec::new() };
        new.add_expressions();
        let bone = |name: &str| animation.bones.iter().find(|(bone, _)| bone == name).map(|(_, node)| *node);
        let [neck, head] = [bone("neck"), bone("head")];
        new.add_angles(&[neck, head], |turns, time_secs| {
            let turned = |bone: Option<usize>| bone.map(|bone| animation.turned(clip, bone, time_secs));
            let rotation = [neck, head].into_iter().filter_map(turned).product();
            turns.head = Turn::of_rotation(rotation);
        });
        if let Some(gaze) = animation.gaze {
            new.add_angles(&[Some(gaze)], |turns, time_secs| {
                let turn = Turn::of_rotation(animation.local(clip, gaze, time_secs));
                turns.eyes = [Turn { roll: 0.0, ..turn }; 2];
            });
        }
        new.note_body(&[neck, head]);
        new
    }

    fn tracks_of(&self, node: usize) -> impl Iterator<Item = &'a NodeTrack> {
        self.clip.node_tracks.iter().filter(move |track| track.node == node)
    }

    /// The weights of the expressions, from 0 to 1.
    fn add_expressions(&mut self) {
        for (name, node) in &self.animation.expressions {
            let moved = self.tracks_of(*node).find(|track| track.path == NodePath::Translation);
            let Some(NodeTrack { curve, .. }) = moved else { continue };
            let is_spline = curve.interpolation() == Interpolation::CubicSpline;
            let weight = |(row, values): (usize, &[f32])| {
                // Of a spline, each key is a tangent, a value and a tangent.
                if is_spline && row % 3 != 1 { values[0] } else { values[0].clamp(0.0, 1.0) }
            };
            let weights = curve.values().chunks_exact(curve.width()).enumerate().map(weight).collect();
            if let Ok(curve) = Curve::new(curve.interpolation(), curve.times().to_vec(), weights, 1) {
                self.columns.push(TakeColumn { name: name.clone(), track: self.tracks.len(), element: 0 });
                self.tracks.push(curve);
            }
        }
    }

    /// Angles that follow from the rotations of nodes, with keys at the times of all of these. An angle that stays 0 has no column.
    fn add_angles(&mut self, nodes: &[Option<usize>], set: impl Fn(&mut FaceTurns, f32)) {
        let rotations = nodes.iter().flatten().flat_map(|&node| self.tracks_of(node));
        let rotations = rotations.filter(|track| track.path == NodePath::Rotation);
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

    /// Names the bones that move and that a take has no place for.
    fn note_body(&mut self, used: &[Option<usize>]) {
        let moves = |node: usize| self.tracks_of(node).next().is_some();
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
