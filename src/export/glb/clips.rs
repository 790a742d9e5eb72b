//! Clips of a head as glTF animations of weights and nodes (glTF 2.0 §3.11). A channel that animates weights drives all
//! weights of a mesh.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::add_extensions;
use super::bin::Bin;
use super::nodes::Nodes;
use smirk_face::head::{Clip, Curve, Head, Interpolation, Mesh, NodePath, NodeTrack, Track};

pub(super) fn write(head: &Head, nodes: &Nodes, bin: &mut Bin) -> Vec<Value> {
    head.clips.iter().filter_map(|clip| animation(clip, head, nodes, bin)).collect()
}

pub(super) fn animation(clip: &Clip, head: &Head, nodes: &Nodes, bin: &mut Bin) -> Option<Value> {
    let mut animation = Animation { bin, channels: Vec::new(), samplers: Vec::new() };
    for (index, (mesh, &node)) in head.meshes.iter().zip(&nodes.of_meshes).enumerate() {
        if nodes.mesh_of_file(index).is_none() {
            continue;
        }
        let own = mesh.first_target..mesh.first_target + mesh.targets.len();
        let tracks: Vec<&Track> = clip.tracks.iter().filter(|track| own.contains(&track.first_target)).collect();
        let Some((first, others)) = tracks.split_first() else { continue };
        let (interpolation, times, values) = if others.iter().all(|other| {
            other.curve.interpolation() == first.curve.interpolation() && other.curve.times() == first.curve.times()
        }) {
            with_same_times(&tracks, first, mesh)
        } else {
            Joined { tracks: &tracks, mesh }.keys()
        };
        animation.add::<1>(node, "weights", interpolation, &times, &values);
    }
    // Of two tracks of one property the last counts, and glTF allows one.
    let last: HashMap<_, usize> =
        clip.node_tracks.iter().enumerate().map(|(at, track)| (property(track), at)).collect();
    for (index, track) in clip.node_tracks.iter().enumerate() {
        let is_last = last.get(&property(track)) == Some(&index);
        let Some(node) = nodes.index_of_moving(track.node).filter(|_| is_last) else { continue };
        let (interpolation, times, values) = (track.curve.interpolation(), track.curve.times(), track.curve.values());
        match track.path {
            NodePath::Translation => animation.add::<3>(node, "translation", interpolation, times, values),
            NodePath::Rotation => animation.add::<4>(node, "rotation", interpolation, times, values),
            NodePath::Scale => animation.add::<3>(node, "scale", interpolation, times, values),
        }
    }
    let Animation { channels, samplers, .. } = animation;
    (!channels.is_empty()).then(|| {
        let mut value = json!({"name": clip.name, "channels": channels, "samplers": samplers});
        add_extensions(&mut value, Some(&clip.carried));
        value
    })
}

fn property(track: &NodeTrack) -> (usize, usize) {
    (track.node, track.path as usize)
}

pub(super) struct Animation<'b> {
    pub bin: &'b mut Bin,
    pub channels: Vec<Value>,
    pub samplers: Vec<Value>,
}

impl Animation<'_> {
    fn add<const N: usize>(
        &mut self,
        node: usize,
        path: &str,
        interpolation: Interpolation,
        times: &[f32],
        values: &[f32],
    ) {
        self.add_to::<N>(json!({"node": node, "path": path}), interpolation, times, values);
    }

    /// Adds a channel of what a JSON pointer names.
    pub(super) fn add_pointer(&mut self, pointer: &str, curve: &Curve, numbers: usize) {
        let target = json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}});
        self.add_curve(target, curve, numbers);
    }

    /// Adds a channel with a curve whose elements have so many numbers.
    pub(super) fn add_curve(&mut self, target: Value, curve: &Curve, numbers: usize) {
        let (interpolation, times, values) = (curve.interpolation(), curve.times(), curve.values());
        match numbers {
            4 => self.add_to::<4>(target, interpolation, times, values),
            3 => self.add_to::<3>(target, interpolation, times, values),
            2 => self.add_to::<2>(target, interpolation, times, values),
            _ => self.add_to::<1>(target, interpolation, times, values),
        }
    }

    /// Adds a channel. The elements of its values have `N` numbers.
    fn add_to<const N: usize>(&mut self, target: Value, interpolation: Interpolation, times: &[f32], values: &[f32]) {
        let input = self.bin.key_times(&strictly_increasing(times));
        let output = self.bin.key_values::<N>(values.as_chunks::<N>().0);
        let interpolation = match interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        self.channels.push(json!({"sampler": self.samplers.len(), "target": target}));
        self.samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
    }
}

/// Key times of which no two are equal, as glTF requires: where a value jumps, the key before the jump comes a moment
/// earlier.
fn strictly_increasing(times: &[f32]) -> Vec<f32> {
    let mut times = times.to_vec();
    let begins_before_0 = times.first().is_some_and(|&time| time < 0.0);
    for index in (1..times.len()).rev() {
        times[index - 1] = times[index - 1].min(times[index].next_down());
    }
    if !begins_before_0 {
        // Several keys at 0 have no room before it: they come a moment later.
        let mut least = 0.0;
        for time in &mut times {
            *time = time.max(least);
            least = time.next_up();
        }
    }
    times
}

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
        let mut kinds = self.tracks.iter().map(|track| track.curve.interpolation());
        let interpolation = if kinds.clone().all(|kind| kind == Interpolation::Step) {
            Interpolation::Step
        } else if kinds.any(|kind| kind == Interpolation::CubicSpline) {
            Interpolation::CubicSpline
        } else {
            Interpolation::Linear
        };
        let times = self.times(interpolation);
        let targets = self.mesh.targets.iter().enumerate();
        let curves: Vec<_> = targets.map(|(index, target)| (self.curve_of(index), target.default_weight)).collect();
        let mut values = Vec::new();
        for &time in &times {
            let slopes = curves.iter().map(|(curve, _)| curve.map_or([0.0; 2], |(curve, at)| curve.slopes(time, at)));
            let (incoming, outgoing): (Vec<f32>, Vec<f32>) = match interpolation {
                Interpolation::CubicSpline => slopes.map(|[incoming, outgoing]| (incoming, outgoing)).unzip(),
                Interpolation::Linear | Interpolation::Step => Default::default(),
            };
            values.extend(incoming);
            values.extend(curves.iter().map(|(curve, rest)| curve.map_or(*rest, |(curve, at)| curve.sample(time, at))));
            values.extend(outgoing);
        }
        (interpolation, times, values)
    }

    /// The times of all keys. Where a track jumps and the result has no steps, another key is added right before the
    /// jump.
    fn times(&self, interpolation: Interpolation) -> Vec<f32> {
        let curves = self.tracks.iter().map(|track| &track.curve);
        let mut times: Vec<f32> = curves.clone().flat_map(Curve::times).copied().collect();
        if interpolation != Interpolation::Step {
            for curve in curves {
                let steps = curve.interpolation() == Interpolation::Step;
                let pairs = curve.times().windows(2).filter(|pair| steps || pair[0] == pair[1]);
                times.extend(pairs.map(|pair| pair[1].next_down()));
            }
        }
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    fn curve_of(&self, target: usize) -> Option<(&Curve, usize)> {
        self.tracks.iter().find_map(|track| {
            let element = (self.mesh.first_target + target).checked_sub(track.first_target)?;
            (element < track.curve.width()).then_some((&track.curve, element))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_key_times_are_equal_or_below_0() {
        let of = |times: &[f32]| strictly_increasing(times);
        assert_eq!(of(&[0.0, 0.5, 2.0]), [0.0, 0.5, 2.0]);
        assert_eq!(of(&[0.0, 1.0, 1.0, 2.0]), [0.0, 1.0_f32.next_down(), 1.0, 2.0]);
        for times in [&[0.0, 0.0, 0.0, 1.0][..], &[0.0, 0.0], &[1.0; 5], &[0.0, 0.0_f32.next_up(), 0.0_f32.next_up()]] {
            let increasing = of(times);
            assert!(increasing[0] >= 0.0 && increasing.windows(2).all(|pair| pair[0] < pair[1]), "{increasing:?}");
            assert!(increasing.iter().zip(times).all(|(new, old)| (new - old).abs() < 1e-5));
        }
    }
}
