//! Clips of a head as glTF animations of weights (glTF 2.0 §3.11). A channel of such an animation drives all weights of
//! a mesh.

use serde_json::{Value, json};

use super::bin::Bin;
use crate::head::{Clip, Curve, Head, Interpolation, Mesh, Track};

/// Writes all clips that drive weights. Node `i` has mesh `i`.
pub(super) fn write(head: &Head, bin: &mut Bin) -> Vec<Value> {
    head.clips.iter().filter_map(|clip| animation(clip, head, bin)).collect()
}

fn animation(clip: &Clip, head: &Head, bin: &mut Bin) -> Option<Value> {
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for (node, mesh) in head.meshes.iter().enumerate() {
        let own = mesh.first_target..mesh.first_target + mesh.targets.len();
        let tracks: Vec<&Track> = clip.tracks.iter().filter(|track| own.contains(&track.first_target)).collect();
        let Some((first, others)) = tracks.split_first() else { continue };
        let is_alike = |other: &&Track| {
            other.curve.interpolation() == first.curve.interpolation() && other.curve.times() == first.curve.times()
        };
        let (interpolation, times, values) = if others.iter().all(is_alike) {
            with_same_times(&tracks, first, mesh)
        } else {
            Joined { tracks: &tracks, mesh }.keys()
        };
        let input = bin.keys(&times, true);
        let output = bin.keys(&values, false);
        let interpolation = match interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": "weights"}}));
        samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
    }
    (!channels.is_empty()).then(|| json!({"name": clip.name, "channels": channels, "samplers": samplers}))
}

/// The interpolation, times and values of a sampler.
type Keys = (Interpolation, Vec<f32>, Vec<f32>);

/// The keys of tracks that all have the same times as `first`. Targets without a track keep their default weights.
fn with_same_times(tracks: &[&Track], first: &Track, mesh: &Mesh) -> Keys {
    let (interpolation, times) = (first.curve.interpolation(), first.curve.times());
    let rest: Vec<f32> = mesh.targets.iter().map(|target| target.default_weight).collect();
    let zero = vec![0.0; rest.len()];
    let row_count = first.curve.values().len() / first.curve.width();
    let rows = (0..row_count).flat_map(|number| {
        let is_tangent = interpolation == Interpolation::CubicSpline && number % 3 != 1;
        let mut row = if is_tangent { zero.clone() } else { rest.clone() };
        // If a target has several tracks, the first one is used.
        for track in tracks.iter().rev() {
            let width = track.curve.width();
            let own = &track.curve.values()[number * width..][..width];
            row[track.first_target - mesh.first_target..][..width].copy_from_slice(own);
        }
        row
    });
    (interpolation, times.to_vec(), rows.collect())
}

/// Tracks of one mesh with different times or interpolations, resampled to one sampler with the same values.
struct Joined<'a> {
    tracks: &'a [&'a Track],
    mesh: &'a Mesh,
}

impl Joined<'_> {
    /// The keys of the common sampler: with steps if all tracks have steps, as a cubic spline if any track is a spline,
    /// else linear. Each of these interpolations can represent the simpler ones.
    fn keys(&self) -> Keys {
        let is = |interpolation| move |track: &&Track| track.curve.interpolation() == interpolation;
        let interpolation = if self.tracks.iter().all(is(Interpolation::Step)) {
            Interpolation::Step
        } else if self.tracks.iter().any(is(Interpolation::CubicSpline)) {
            Interpolation::CubicSpline
        } else {
            Interpolation::Linear
        };
        let times = self.times(interpolation);
        let mut values = Vec::new();
        for &time in &times {
            let row = |of: &dyn Fn(&Curve, usize) -> f32, resting: &dyn Fn(usize) -> f32| -> Vec<f32> {
                let targets = 0..self.mesh.targets.len();
                targets
                    .map(|target| self.curve_of(target).map_or(resting(target), |(curve, at)| of(curve, at)))
                    .collect()
            };
            let value = row(&|curve, at| curve.sample(time, at), &|target| self.mesh.targets[target].default_weight);
            if interpolation == Interpolation::CubicSpline {
                values.extend(row(&|curve, at| curve.slopes(time, at)[0], &|_| 0.0));
                values.extend(value);
                values.extend(row(&|curve, at| curve.slopes(time, at)[1], &|_| 0.0));
            } else {
                values.extend(value);
            }
        }
        (interpolation, times, values)
    }

    /// The times of all keys. Where a track jumps and the result has no steps, another key is added right before the
    /// jump.
    fn times(&self, interpolation: Interpolation) -> Vec<f32> {
        let curves = || self.tracks.iter().map(|track| &track.curve);
        let mut times: Vec<f32> = curves().flat_map(Curve::times).copied().collect();
        if interpolation != Interpolation::Step {
            for curve in curves() {
                let steps = curve.interpolation() == Interpolation::Step;
                let pairs = curve.times().windows(2).filter(|pair| steps || pair[0] == pair[1]);
                times.extend(pairs.map(|pair| pair[1].next_down()));
            }
        }
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    /// The curve that drives a target of the mesh, and the index of its element.
    fn curve_of(&self, target: usize) -> Option<(&Curve, usize)> {
        self.tracks.iter().find_map(|track| {
            let element = (self.mesh.first_target + target).checked_sub(track.first_target)?;
            (element < track.curve.width()).then_some((&track.curve, element))
        })
    }
}
