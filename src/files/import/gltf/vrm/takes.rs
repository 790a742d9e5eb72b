//! The clips of a VRM animation as takes: expressions by name, the angles of the head and of the eyes, and the motion
//! of the body.

use std::collections::HashMap;
use std::path::Path;

use super::VrmAnimation;
use crate::import::error::Fault;
use smirk_base::names::quoted;
use smirk_base::progress::Progress;
use smirk_face::head::{
    BodyMotion, BoneMotion, Clip, Curve, FaceTurns, Interpolation, Kind, NodePath, NodeTrack, Note, Subject, Turn,
    listed,
};
use smirk_face::motion::{ANGLE_COLUMNS, Take, TakeColumn, angle_values};

pub(in crate::import::gltf) fn takes(
    animation: &VrmAnimation,
    path: &Path,
    progress: Progress<'_>,
) -> Result<Vec<Take>, Fault> {
    let mut takes: Vec<Take> = Vec::new();
    for clip in &animation.clips {
        progress.report("reading animations", 0.99)?;
        takes.push(Columns::new(animation, clip).take(path));
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
    fn new(animation: &'a VrmAnimation, clip: &'a Clip) -> Self {
        let mut by_node: HashMap<usize, Vec<&NodeTrack>> = HashMap::new();
        clip.node_tracks.iter().for_each(|track| by_node.entry(track.node).or_default().push(track));
        let (columns, tracks, body, notes) = (Vec::new(), Vec::new(), None, Vec::new());
        let mut new = Self { animation, clip, by_node, columns, tracks, body, notes };
        new.add_expressions();
        let turning: Vec<&(String, usize)> =
            FACE_BONES.into_iter().filter_map(|name| animation.bones.iter().find(|(bone, _)| bone == name)).collect();
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
            if let Some(curve) = limited(curve) {
                known.insert(*node, self.tracks.len());
                self.columns.push(TakeColumn { name: name.clone(), track: self.tracks.len(), element: 0 });
                self.tracks.push(curve);
            }
        }
    }

    /// Angles that follow from the rotations of nodes, with keys at the times of all of these. An angle that stays 0
    /// has no column.
    fn add_angles(&mut self, nodes: &[usize], set: impl Fn(&mut FaceTurns, f32)) {
        let tracks = nodes.iter().flat_map(|&node| self.tracks_of(node));
        let rotations = tracks.filter(|track| track.path == NodePath::Rotation);
        let mut times: Vec<f32> = rotations.flat_map(|track| track.curve.times()).copied().collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let rows: Vec<[f32; ANGLE_COLUMNS.len()]> = times
            .iter()
            .map(|&time_secs| {
                let mut turns = FaceTurns::NONE;
                set(&mut turns, time_secs);
                angle_values(&turns)
            })
            .collect();
        let moving: Vec<usize> =
            (0..ANGLE_COLUMNS.len()).filter(|&angle| rows.iter().any(|row| row[angle] != 0.0)).collect();
        let values = rows.iter().flat_map(|row| moving.iter().map(|&angle| row[angle])).collect();
        if let Ok(curve) = Curve::new(Interpolation::Linear, times, values, moving.len()) {
            self.columns.extend(moving.iter().enumerate().map(|(element, &angle)| TakeColumn {
                name: ANGLE_COLUMNS[angle].to_owned(),
                track: self.tracks.len(),
                element,
            }));
            self.tracks.push(curve);
        }
    }

    /// The bones that move, but for those of [`FACE_BONES`].
    fn add_body(&mut self) {
        let body = self.animation.bones.iter();
        let body =
            body.filter(|(name, node)| !FACE_BONES.contains(&name.as_str()) && !self.tracks_of(*node).is_empty());
        let bones: Vec<BoneMotion> =
            body.map(|(name, node)| self.animation.motion_of(name, *node, self.tracks_of(*node))).collect();
        if !bones.is_empty() {
            let names: Vec<String> = bones.iter().map(|bone| quoted(&bone.name)).collect();
            let message = format!("also moves {}: only VRM avatars have a body that plays it", listed(&names, 8));
            self.notes.push(Note::info(Subject::All(Kind::Node), message));
            self.body = Some(BodyMotion { bones: bones.into(), clock: None });
        }
    }

    fn take(self, path: &Path) -> Take {
        let Self { clip, columns, tracks, body, notes, .. } = self;
        Take {
            name: clip.name.clone(),
            source: Some(path.to_owned()),
            frames_per_sec: clip.frames_per_sec(),
            columns,
            tracks,
            body,
            duration_secs: clip.duration_secs,
            notes,
            ..Take::default()
        }
    }
}

/// The first element of a curve, limited to 0..1 after it is interpolated, as VRM says: keys beyond are not limited
/// themselves, because this would bend the curve to them. None if the values are not finite.
fn limited(curve: &Curve) -> Option<Curve> {
    let (interpolation, times) = (curve.interpolation(), curve.times());
    let own = curve.with_elements(&[0]);
    let mut between = times.windows(2).flat_map(|pair| {
        let [from, to] = [pair[0], pair[1]];
        (0..=SAMPLES).map(move |at| from + (to - from) * at as f32 / SAMPLES as f32)
    });
    let is_unchanged = (0..times.len()).all(|key| is_within(own.key_value(key, 0)))
        && (interpolation != Interpolation::CubicSpline || between.all(|secs| is_within(own.sample(secs, 0))));
    if is_unchanged {
        return Some(own);
    }
    let mut keys = Vec::with_capacity(times.len());
    for key in 0..times.len() {
        keys.push((times[key], own.key_value(key, 0)));
        let Some(&next) = times.get(key + 1) else { break };
        let span = next - times[key];
        match interpolation {
            Interpolation::Step => {}
            Interpolation::Linear => {
                let (from, to) = (own.key_value(key, 0), own.key_value(key + 1, 0));
                let limits = if from < to { [0.0, 1.0] } else { [1.0, 0.0] };
                for limit in limits.into_iter().filter(|limit| (from - limit) * (to - limit) < 0.0) {
                    keys.push((times[key] + span * (limit - from) / (to - from), limit));
                }
            }
            Interpolation::CubicSpline => keys.extend((1..SAMPLES).map(|at| {
                let secs = times[key] + span * at as f32 / SAMPLES as f32;
                (secs, own.sample(secs, 0))
            })),
        }
    }
    let interpolation = if interpolation == Interpolation::Step { interpolation } else { Interpolation::Linear };
    let (times, values) = keys.into_iter().map(|(secs, value)| (secs, value.clamp(0.0, 1.0))).unzip();
    Curve::new(interpolation, times, values, 1).ok()
}

fn is_within(value: f32) -> bool {
    (0.0..=1.0).contains(&value)
}

/// The pieces between two keys of a spline that leaves 0..1, which are straight in its place.
const SAMPLES: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_limited_after_they_are_interpolated() {
        let curve = |interpolation, values: Vec<f32>| {
            // The weight is the x of a translation.
            let values = values.into_iter().flat_map(|x| [x, 7.0, 8.0]).collect();
            limited(&Curve::new(interpolation, vec![0.0, 1.0, 2.0], values, 3).unwrap()).unwrap()
        };
        let linear = curve(Interpolation::Linear, vec![0.0, 2.0, -1.0]);
        for (secs, expected) in [(0.25, 0.5), (0.5, 1.0), (0.75, 1.0), (1.0, 1.0), (1.5, 0.5), (1.75, 0.0), (2.0, 0.0)]
        {
            assert!((linear.sample(secs, 0) - expected).abs() < 1e-6, "{secs}: {}", linear.sample(secs, 0));
        }
        let step = curve(Interpolation::Step, vec![0.5, 2.0, -1.0]);
        assert_eq!([0.5, 1.5, 2.0].map(|secs| step.sample(secs, 0)), [0.5, 1.0, 0.0]);
        let within = curve(Interpolation::Linear, vec![0.0, 1.0, 0.5]);
        assert_eq!((within.times(), within.values()), (&[0.0, 1.0, 2.0][..], &[0.0, 1.0, 0.5][..]));
        // Tangents of 4 per second take the spline beyond 1 between keys that are not.
        let spline = curve(Interpolation::CubicSpline, vec![0., 0.5, 4., 0., 0.5, 0., 0., 0.5, 0.]);
        let whole = |secs: f32| (0.5 + 4.0 * secs * (1.0 - secs) * (1.0 - secs)).clamp(0.0, 1.0);
        for secs in [0.0, 0.1, 0.2, 0.35, 0.5, 0.9, 1.0] {
            assert!((spline.sample(secs, 0) - whole(secs)).abs() < 4e-3, "{secs}: {}", spline.sample(secs, 0));
        }
        let calm = curve(Interpolation::CubicSpline, vec![0., 0.5, 1., 0., 0.5, 0., 0., 0.5, 0.]);
        assert_eq!((calm.interpolation(), calm.values().len()), (Interpolation::CubicSpline, 9));
    }
}
