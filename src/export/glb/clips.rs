//! Clips of a head as glTF animations of weights (glTF 2.0 §3.11). A glTF channel moves all weights of a mesh.

use serde_json::{Value, json};

use super::bin::Bin;
use crate::head::{Head, Mesh};
use crate::motion::{Clip, Interpolation, Track};

/// All clips that move something; node `i` is mesh `i`.
pub fn write(head: &Head, bin: &mut Bin) -> Vec<Value> {
    head.clips.iter().filter_map(|clip| animation(clip, head, bin)).collect()
}

fn animation(clip: &Clip, head: &Head, bin: &mut Bin) -> Option<Value> {
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for (node, mesh) in head.meshes.iter().enumerate() {
        let own = mesh.first_target..mesh.first_target + mesh.targets.len();
        let tracks: Vec<&Track> = clip.tracks.iter().filter(|track| own.contains(&track.first_target)).collect();
        let (interpolation, times, values) = match tracks[..] {
            [] => continue,
            [track] => alone(track, mesh),
            _ => together(clip, &tracks, mesh),
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

/// A track as it is, filled up with what rests.
fn alone(track: &Track, mesh: &Mesh) -> (Interpolation, Vec<f32>, Vec<f32>) {
    let curve = &track.curve;
    let before = track.first_target - mesh.first_target;
    let rest: Vec<f32> = mesh.targets.iter().map(|target| target.default_weight).collect();
    let still = vec![0.0; rest.len()];
    let rows = curve.values().chunks(curve.width()).enumerate().flat_map(|(number, row)| {
        let is_tangent = curve.interpolation() == Interpolation::CubicSpline && number % 3 != 1;
        let filler = if is_tangent { &still } else { &rest };
        [&filler[..before], row, &filler[before + row.len()..]].concat()
    });
    (curve.interpolation(), curve.times().to_vec(), rows.collect())
}

/// Several tracks of one mesh as one, with a key wherever one of them has one.
fn together(clip: &Clip, tracks: &[&Track], mesh: &Mesh) -> (Interpolation, Vec<f32>, Vec<f32>) {
    let mut times: Vec<f32> = tracks.iter().flat_map(|track| track.curve.times()).copied().collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let at = |&time: &f32| {
        mesh.targets
            .iter()
            .enumerate()
            .map(move |(index, target)| clip.sample(time, mesh.first_target + index).unwrap_or(target.default_weight))
    };
    let values = times.iter().flat_map(at).collect();
    (Interpolation::Linear, times, values)
}
